//! Setting up a cell that the view has reached.

use super::{NONE, PortalState, Walk, corners, portal_polygon};
use crate::{Observer, Z_NEAR};
use glam::Vec3;
use threshold_world::{
    cell::EnvCell,
    geometry::{Edge, Polygon, Side},
};

impl<O: Observer> Walk<'_, '_, O> {
    /// Decides which portals of a cell can be looked out of, and how far away the cell is. False when the cell has no
    /// region. `entry` is the portal the view comes in by.
    ///
    /// Retail: `PView::InitCell` (0x005A4B70). Spec: visibility §6.1.
    pub(super) fn enter(&mut self, slot: u32, cell: &EnvCell, entry: Option<u16>) -> bool {
        if self.flood.slots[slot as usize].view_count == 0 {
            return false;
        }
        let eye = cell.position.frame.apply_inverse(self.projection.eye - self.offset);
        let first = self.flood.portals.len();
        let mut farthest = 0.0f32;
        let mut looks_out = false;
        for (index, portal) in cell.portals.iter().enumerate() {
            let is_entry = entry.is_some_and(|entry| usize::from(entry) == index);
            let polygon = portal_polygon(cell, portal);
            let side = portal.plane.side(eye);
            // Retail's side 0 (the cell lies on the positive side) is the one whose neighbour is negative.
            let beyond = if portal.neighbour_is_positive { Side::Positive } else { Side::Negative };
            let inward = is_entry || side == beyond || polygon.is_none();
            if let Some(polygon) = polygon.filter(|_| inward) {
                for corner in corners(&cell.structure.portal_polygons, polygon) {
                    farthest = farthest.max((corner - eye).length_squared());
                }
            }
            looks_out |= !inward;
            self.flood.portals.push(PortalState {
                inward,
                seen: is_entry,
                stands_in: side == Side::InPlane
                    && polygon.is_some_and(|polygon| self.stands_in(cell, polygon, eye)),
                screen: None,
                neighbour: NONE,
            });
        }
        if looks_out {
            for state in &mut self.flood.portals[first..] {
                state.seen |= !state.inward;
            }
        }
        let at = &mut self.flood.slots[slot as usize];
        at.entered = true;
        at.done = false;
        at.portals = first as u32;
        at.distance = farthest.min(f32::MAX);
        at.passed_count = at.view_count;
        at.passed_view = at.last_view;
        true
    }

    /// Whether an eye that lies in a polygon's plane is so near to the opening that the near plane could cut it.
    /// Spec: visibility §6.2 (hardening).
    fn stands_in(&self, cell: &EnvCell, polygon: &Polygon, eye: Vec3) -> bool {
        let margin = Z_NEAR * self.projection.tangent.length();
        let edges = cell.structure.portal_polygons.edges(polygon);
        let near = |edge: &Edge| edge.inward.dot(eye - edge.start) >= -margin * edge.inward.length();
        self.options.pass_in_plane && edges.iter().all(near)
    }
}
