//! Scheduling the cells that got new regions.

use super::{Walk, portal_polygon, reciprocal};
use crate::Observer;
use threshold_world::cell::PortalTarget;

/// A cell whose portals are being gone through.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    slot: u32,
    /// The next portal.
    portal: u16,
    /// The portal whose other side still has to learn that it was seen.
    crossed: Option<u16>,
}

impl<O: Observer> Walk<'_, '_, O> {
    /// Schedules the cells behind a cell's portals that have new regions; those that were taken before hand the new
    /// regions on at once.
    ///
    /// Retail: `PView::AddViewToPortals` (0x005A52D0), whose recursion is a list here. Spec: visibility §6.3.
    pub(super) fn spread(&mut self, slot: u32) {
        self.flood.spreading.clear();
        self.flood.spreading.push(Visit { slot, portal: 0, crossed: None });
        while let Some(visit) = self.flood.spreading.last_mut() {
            let (slot, index, crossed) = (visit.slot, visit.portal, visit.crossed.take());
            visit.portal += 1;
            if let Some(crossed) = crossed {
                self.mark_other_side(slot, crossed);
            }
            let low = self.flood.slots[slot as usize].low;
            if self.cell(low).is_none_or(|cell| usize::from(index) >= cell.portals.len()) {
                self.flood.spreading.pop();
                continue;
            }
            self.spread_through(slot, index);
        }
    }

    fn spread_through(&mut self, slot: u32, index: u16) {
        let at = self.flood.slots[slot as usize];
        let state = self.flood.portals[at.portals as usize + usize::from(index)];
        let Some(cell) = self.cell(at.low).filter(|_| state.seen && !state.inward) else { return };
        let portal = &cell.portals[usize::from(index)];
        let PortalTarget::Cell(id) = portal.target else { return };
        let Some(neighbour) = self.cell(id.low()).filter(|_| portal_polygon(cell, portal).is_some()) else {
            return;
        };
        let Some(target) = self.flood.slot_of(id.low()) else { return };
        let entry = reciprocal(portal, neighbour);
        let there = self.flood.slots[target as usize];
        if !there.entered {
            if !self.enter(target, neighbour, entry) {
                return;
            }
            let distance = self.flood.slots[target as usize].distance;
            self.schedule(target, distance);
        } else if there.view_count > there.passed_count {
            self.merge(target, neighbour.portals.len(), entry);
            if there.done {
                self.repair_order(target, slot);
            }
            // Noted before they are handed on, so that a ring of cells does not hand on the same regions again.
            let at = &mut self.flood.slots[target as usize];
            let last_passed = std::mem::replace(&mut at.passed_view, at.last_view);
            at.passed_count = at.view_count;
            if there.done {
                let first_new = self.flood.next_view[last_passed as usize];
                if self.pass_views(target, first_new) {
                    self.flood.spreading.push(Visit { slot: target, portal: 0, crossed: None });
                    // Below the new entry: the visit that is interrupted here.
                    let interrupted = self.flood.spreading.len() - 2;
                    self.flood.spreading[interrupted].crossed = Some(index);
                    return;
                }
            }
        } else {
            return;
        }
        self.mark_other_side(slot, index);
    }

    /// A cell that was entered before is seen through one more portal.
    /// Retail: `PView::AddToCell` (0x005A4D90). Spec: visibility §6.3.1.
    fn merge(&mut self, slot: u32, portal_count: usize, entry: Option<u16>) {
        let first = self.flood.slots[slot as usize].portals as usize;
        let states = &mut self.flood.portals[first..first + portal_count];
        if let Some(entry) = entry {
            states[usize::from(entry)].inward = true;
        }
        for state in states {
            state.seen |= !state.inward;
        }
    }

    /// Tells the cell behind a portal through which of its own portals it was seen.
    /// Retail: `PView::SetOtherSeen`. Spec: visibility §6.3.
    fn mark_other_side(&mut self, slot: u32, index: u16) {
        let Some(cell) = self.cell(self.flood.slots[slot as usize].low) else { return };
        let portal = &cell.portals[usize::from(index)];
        let PortalTarget::Cell(id) = portal.target else { return };
        let Some(neighbour) = self.cell(id.low()) else { return };
        let (Some(other), Some(target)) = (reciprocal(portal, neighbour), self.flood.slot_of(id.low()))
        else {
            return;
        };
        let at = self.flood.slots[target as usize];
        if at.entered {
            let state = &mut self.flood.portals[at.portals as usize + usize::from(other)];
            state.neighbour = slot;
            state.seen |= state.inward;
        }
    }
}
