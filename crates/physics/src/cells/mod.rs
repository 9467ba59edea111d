//! Which cells a shape touches: the growing set, its transit rules and the pick of the containing cell.
//! Spec: physics-cells §3.3–3.11.

mod boxes;
mod memo;
mod spheres;
#[cfg(test)]
mod tests;

pub use boxes::flood_boxes;
pub use spheres::{MAX_FLOOD_CYLINDERS, Touched, build, flood_cylinders, flood_sphere};

use memo::Memo;
use threshold_world::{CellId, World, coords::LandCoord};

/// An entry of a [`CellSet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellEntry {
    /// The cell.
    pub id: CellId,
    /// Whether it was loaded when it joined; otherwise only its id is in the set.
    pub loaded: bool,
}

/// Sets that are kept beside the last one.
const OLDER: usize = 7;

/// An ordered set of cells. Retail: `CELLARRAY`.
#[derive(Clone, Debug, Default)]
pub struct CellSet {
    now: Kept,
    /// Sets before this one: movers go up a step and down again, and come back to a threshold.
    older: [Kept; OLDER],
    /// How many of them are looked at.
    recalled: usize,
    /// Which of them makes room next.
    oldest: usize,
    /// The entries are only there for the memo.
    hidden: bool,
    outside_done: bool,
    /// Prune to the anchor's visible list at the end. Survives [`CellSet::clear`].
    pub no_load: bool,
}

/// A set and what it was built from.
#[derive(Clone, Debug, Default)]
struct Kept {
    entries: Vec<CellEntry>,
    missing: Vec<CellId>,
    memo: Memo,
}

impl CellSet {
    /// Empties the set; the prune flag stays.
    pub fn clear(&mut self) {
        self.now.entries.clear();
        self.now.missing.clear();
        self.hidden = false;
        self.outside_done = false;
        self.now.memo.forget();
    }

    /// Shows no entries until the next set is built, which may find them still right.
    pub(crate) fn hide(&mut self) {
        self.hidden = true;
    }

    /// Nobody is going to come back to the sets before the last one.
    pub(crate) fn forget_older(&mut self) {
        (self.recalled, self.oldest) = (0, 0);
    }

    /// Entries in the order they joined.
    #[inline]
    pub fn entries(&self) -> &[CellEntry] {
        if self.hidden { &[] } else { &self.now.entries }
    }

    /// Ids in the order they joined.
    pub fn ids(&self) -> impl Iterator<Item = CellId> + '_ {
        self.entries().iter().map(|entry| entry.id)
    }

    /// Adds a cell unless it is already in the set. Retail: `CELLARRAY::add_cell`.
    pub fn add(&mut self, id: CellId, loaded: bool) {
        if !self.contains(id) {
            self.push(id, loaded);
        }
    }

    /// Whether a cell is in the set.
    #[inline]
    pub fn contains(&self, id: CellId) -> bool {
        self.entries().iter().any(|entry| entry.id == id)
    }

    /// Joins a cell that is known not to be there.
    fn push(&mut self, id: CellId, loaded: bool) {
        self.now.entries.push(CellEntry { id, loaded });
        if !loaded {
            self.miss(id);
        }
    }

    /// Cells that were needed but not loaded: when one of them is loaded, the set may change.
    pub fn missing(&self) -> &[CellId] {
        if self.hidden { &[] } else { &self.now.missing }
    }

    #[cold]
    fn miss(&mut self, id: CellId) {
        if !self.now.missing.contains(&id) {
            self.now.missing.push(id);
        }
    }

    /// Joins the outdoor cell at a grid place; off the map nothing happens. Retail: `CLandCell::add_outside_cell`.
    fn add_outside(&mut self, world: &World, place: LandCoord) {
        if let Some(id) = place.cell() {
            self.add(id, world.land_cell(id).is_some());
        }
    }

    /// Keeps only entries that pass; the last entry moves into each hole. Retail: `CELLARRAY::remove_cell`.
    fn prune(&mut self, keep: impl Fn(CellId) -> bool) {
        let mut i = 0;
        while i < self.now.entries.len() {
            if keep(self.now.entries[i].id) {
                i += 1;
            } else {
                self.now.entries.swap_remove(i);
            }
        }
    }
}
