//! Keeping the drawing order right when a cell that was taken turns out to be seen through a later one.

use super::{NONE, Walk};
use crate::{Event, Observer};

/// Places that may be shifted in one traversal before its order is left as it is: a shipped one shifts a few hundred.
const SHIFTS_MAX: usize = 1 << 24;

/// A cell that was moved forward, and the next of its portals to follow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    slot: u32,
    portal: u16,
}

impl<O: Observer> Walk<'_, '_, O> {
    /// Puts `through` before `seen` in the drawing order, then everything `through` itself was seen through before it.
    /// Each cell moves at most once.
    ///
    /// Retail: `PView::FixCellList` (0x005A5250), whose recursion is a list here. Spec: visibility §6.3.2.
    pub(super) fn repair_order(&mut self, seen: u32, through: u32) {
        self.flood.repairs += 1;
        self.flood.moving.clear();
        self.move_before(through, seen);
        while let Some(at) = self.flood.moving.last_mut() {
            let (slot, index) = (at.slot, at.portal);
            at.portal += 1;
            let here = self.flood.slots[slot as usize];
            if self.cell(here.low).is_none_or(|cell| usize::from(index) >= cell.portals.len()) {
                self.flood.moving.pop();
                continue;
            }
            let state = self.flood.portals[here.portals as usize + usize::from(index)];
            if state.seen && state.inward && state.neighbour != NONE {
                self.move_before(state.neighbour, slot);
            }
        }
    }

    /// Moves `slot` directly before `other` if it does not stand before it already; its own portals are then followed.
    /// Retail: `PView::AdjustDrawList` (0x005A4E90).
    fn move_before(&mut self, slot: u32, other: u32) {
        let repair = self.flood.repairs;
        let to = self.flood.slots[other as usize].place as usize;
        let from = self.flood.slots[slot as usize];
        let waits = from.place == NONE;
        if self.flood.slots[other as usize].place == NONE
            || from.repair == repair
            || (!waits && to > from.place as usize)
        {
            return;
        }
        let shifted = if waits { self.flood.draw.len() } else { from.place as usize } - to;
        self.flood.shifts += shifted;
        if self.flood.shifts > SHIFTS_MAX {
            self.plan.truncated = true;
            return;
        }
        self.flood.slots[slot as usize].repair = repair;
        if waits {
            self.flood.draw.insert(to, slot);
        } else {
            self.flood.draw[to..=from.place as usize].rotate_right(1);
        }
        for place in to..=to + shifted {
            let moved = self.flood.draw[place];
            self.flood.slots[moved as usize].place = place as u32;
        }
        let id = |slot: u32| self.block.cell(self.flood.slots[slot as usize].low);
        self.observer.event(Event::Moved { cell: id(slot), before: id(other) });
        self.flood.moving.push(Move { slot, portal: 0 });
    }
}
