//! Handing a cell's regions on through its portals.

use super::{
    NONE, Outdoors, PortalScreen, PortalState, VIEWS_PER_CELL, Walk, full_screen, portal_corners,
    portal_polygon, push_view, reciprocal, via_cell,
};
use crate::{
    Event, Observer, Outcome, Span,
    clip::{CornerOrder, bounds, bounds_on_screen, bring_to_screen},
};
use glam::Vec2;
use threshold_world::{
    cell::{CellPortal, EnvCell, PortalTarget},
    geometry::Polygon,
};

/// What lies behind a portal that can be looked out of.
#[derive(Clone, Copy)]
enum Behind<'w> {
    Outdoors,
    Loaded(&'w EnvCell),
    Missing,
}

impl<'w, O: Observer> Walk<'_, 'w, O> {
    /// Clips every portal that can be looked out of to the cell's regions from `first_view` on and gives what is left
    /// to the cells behind. False when no portal leads anywhere.
    ///
    /// Retail: `PView::ClipPortals` (0x005A5520). Spec: visibility §6.2.
    pub(super) fn pass_views(&mut self, slot: u32, first_view: u32) -> bool {
        let at = self.flood.slots[slot as usize];
        let Some(cell) = self.cell(at.low) else { return false };
        let mut any = false;
        let mut view = first_view;
        while view != NONE {
            let bounds = bounds(self.plan.pixels(&self.plan.views[view as usize]).iter().copied());
            for (index, portal) in cell.portals.iter().enumerate() {
                let state = self.flood.portals[at.portals as usize + index];
                if !state.seen || state.inward {
                    continue;
                }
                let Some(polygon) = portal_polygon(cell, portal) else { continue };
                let behind = match portal.target {
                    PortalTarget::Outside => Behind::Outdoors,
                    PortalTarget::Cell(id) => self.cell(id.low()).map_or(Behind::Missing, Behind::Loaded),
                };
                any |= !matches!(behind, Behind::Missing);
                self.clip_portal(at.portals as usize + index, cell, polygon, portal, view, bounds);
                let outcome = self.pass_through(cell, index, portal, &state, behind, view);
                self.observer.event(Event::Tried { cell: cell.id(), portal: index as u16, view, outcome });
            }
            view = self.flood.next_view[view as usize];
        }
        any
    }

    /// Leaves in the clipper what is seen of a portal through a region.
    fn clip_portal(
        &mut self,
        state: usize,
        cell: &EnvCell,
        polygon: &Polygon,
        portal: &CellPortal,
        view: u32,
        bounds: (Vec2, Vec2),
    ) {
        let at = self.flood.portals[state];
        if at.stands_in {
            self.flood.clipper.whole(self.plan.pixels(&self.plan.views[view as usize]));
            return;
        }
        let screen = match at.screen {
            Some(known) => known,
            None => {
                let screen =
                    self.on_screen(cell, polygon, CornerOrder::from_here(portal.neighbour_is_positive));
                self.flood.portals[state].screen = Some(screen);
                screen
            }
        };
        let region = self.plan.pixels(&self.plan.views[view as usize]);
        if screen.misses(bounds) {
            self.flood.clipper.clear();
        } else {
            self.flood.clipper.clip(screen.shape, &self.flood.screen[screen.corners.range()], region);
        }
    }

    fn on_screen(&mut self, cell: &EnvCell, polygon: &Polygon, order: CornerOrder) -> PortalScreen {
        let start = self.flood.screen.len();
        let corners = portal_corners(cell, polygon, self.offset);
        let shape = bring_to_screen(&self.projection, corners, order, &mut self.flood.screen);
        let (min, max) = bounds_on_screen(&self.flood.screen[start..]);
        PortalScreen { shape, corners: Span::between(start, self.flood.screen.len()), min, max }
    }

    /// Gives the clipper's polygon to what lies behind the portal.
    fn pass_through(
        &mut self,
        cell: &EnvCell,
        index: usize,
        portal: &CellPortal,
        state: &PortalState,
        behind: Behind<'_>,
        view: u32,
    ) -> Outcome {
        if self.flood.clipper.result().len() < 3 {
            return Outcome::Hidden;
        }
        let via = via_cell(cell.id(), index);
        match behind {
            Behind::Outdoors if self.outdoors == Outdoors::Ignored => Outcome::OutdoorsIgnored,
            Behind::Outdoors => self.pass_outdoors(view, via),
            Behind::Missing => self.want(portal),
            Behind::Loaded(neighbour) => {
                let shape_is_known = portal.exact_match || state.stands_in;
                if let Some(other) = reciprocal(portal, neighbour).filter(|_| !shape_is_known)
                    && !self.clip_reciprocal(neighbour, other)
                {
                    return Outcome::Hidden;
                }
                let Some(target) = self.flood.slot_of(neighbour.id().low()) else {
                    return Outcome::NotAdmitted;
                };
                let mut region = std::mem::take(&mut self.flood.region);
                let outcome = if !self.flood.clipper.store(self.projection.size, &mut region) {
                    Outcome::Sliver
                } else if self.append(target, &region, Some(view), via) {
                    Outcome::Passed
                } else {
                    Outcome::Known
                };
                self.flood.region = region;
                outcome
            }
        }
    }

    /// Clips once more, by the other side's polygon. False when nothing is left.
    /// Retail: `PView::OtherPortalClip` (0x005A5400). Spec: visibility §6.2.1.
    fn clip_reciprocal(&mut self, neighbour: &EnvCell, other: u16) -> bool {
        let Some(portal) = neighbour.portals.get(usize::from(other)) else { return true };
        let Some(polygon) = neighbour.structure.portal_polygons.polygons().get(usize::from(portal.polygon))
        else {
            return true;
        };
        let flood = &mut *self.flood;
        if !flood.clipper.store(self.projection.size, &mut flood.region) {
            return false;
        }
        let start = flood.screen.len();
        let corners = portal_corners(neighbour, polygon, self.offset);
        // The opposite of the order its own cell would use.
        let order = CornerOrder::from_there(portal.neighbour_is_positive);
        let on_screen = bring_to_screen(&self.projection, corners, order, &mut flood.screen);
        let any = flood.clipper.clip(on_screen, &flood.screen[start..], &flood.region).len() >= 3;
        flood.screen.truncate(start);
        any
    }

    fn pass_outdoors(&mut self, view: u32, via: crate::Via) -> Outcome {
        if self.flood.outside_widened {
            return Outcome::Known;
        }
        let flood = &mut *self.flood;
        if !flood.clipper.store(self.projection.size, &mut flood.region) {
            return Outcome::Sliver;
        }
        let too_many = flood.outside.len() as u32 >= VIEWS_PER_CELL;
        self.plan.truncated |= too_many;
        let region = if too_many || !self.options.clip_landscape {
            flood.outside_widened = true;
            push_view(self.plan, &full_screen(self.projection.size), Some(view), via)
        } else {
            push_view(self.plan, &flood.region, Some(view), via)
        };
        flood.outside.push(region);
        Outcome::Outdoors
    }

    /// Notes that the traversal could have gone on if the cell behind a portal were loaded.
    fn want(&mut self, portal: &CellPortal) -> Outcome {
        let PortalTarget::Cell(id) = portal.target else { return Outcome::NotLoaded };
        if self.flood.mark(id.low()).is_none() {
            return Outcome::NotAdmitted;
        }
        let wanted = &mut self.plan.wanted_cells;
        if let Err(at) = wanted.binary_search(&id) {
            wanted.insert(at, id);
        }
        Outcome::NotLoaded
    }
}
