//! Reference counts of observers.

use super::ResidentSet;
use crate::{BlockId, CellId};
use std::collections::{BTreeMap, BTreeSet};

/// Things by the number of their holders, with those whose number has changed.
struct Counts<K> {
    holders: BTreeMap<K, u32>,
    touched: BTreeSet<K>,
}

impl<K> Default for Counts<K> {
    fn default() -> Self {
        Counts { holders: BTreeMap::new(), touched: BTreeSet::new() }
    }
}

impl<K: Copy + Ord> Counts<K> {
    /// One holder lets its old things go for new ones.
    fn replace(&mut self, old: &BTreeSet<K>, new: &BTreeSet<K>) {
        for &key in new.difference(old) {
            *self.holders.entry(key).or_insert(0) += 1;
            self.touched.insert(key);
        }
        for key in old.difference(new) {
            let Some(holders) = self.holders.get_mut(key) else { continue };
            *holders -= 1;
            if *holders == 0 {
                self.holders.remove(key);
                self.touched.insert(*key);
            }
        }
    }

    /// What has come to be held or not since the last call, compared with what was there.
    fn take_changes(&mut self, there: &BTreeSet<K>) -> (BTreeSet<K>, BTreeSet<K>) {
        let touched = std::mem::take(&mut self.touched);
        let changed = touched.into_iter().filter(|key| self.holders.contains_key(key) != there.contains(key));
        changed.partition(|key| self.holders.contains_key(key))
    }
}

/// Everything that observers hold: resident things, and the data of blocks.
#[derive(Default)]
pub(super) struct Holds {
    blocks: Counts<BlockId>,
    cells: Counts<CellId>,
    scenery: Counts<BlockId>,
    data: Counts<BlockId>,
}

/// What becomes resident, and what ceases to be.
pub(super) struct Changes {
    pub(super) come: ResidentSet,
    pub(super) go: ResidentSet,
}

impl Holds {
    /// An observer holds something else from now on.
    pub(super) fn replace(&mut self, held: &mut ResidentSet, new: ResidentSet) {
        self.blocks.replace(&held.blocks, &new.blocks);
        self.cells.replace(&held.cells, &new.cells);
        self.scenery.replace(&held.scenery, &new.scenery);
        *held = new;
    }

    /// An observer holds the data of other blocks from now on.
    pub(super) fn replace_data(&mut self, held: &mut BTreeSet<BlockId>, new: BTreeSet<BlockId>) {
        self.data.replace(held, &new);
        *held = new;
    }

    /// Data has come that perhaps nobody needs any more.
    pub(super) fn check_data(&mut self, id: BlockId) {
        self.data.touched.insert(id);
    }

    pub(super) fn take_changes(&mut self, resident: &ResidentSet) -> Changes {
        let blocks = self.blocks.take_changes(&resident.blocks);
        let cells = self.cells.take_changes(&resident.cells);
        let scenery = self.scenery.take_changes(&resident.scenery);
        Changes {
            come: ResidentSet { blocks: blocks.0, cells: cells.0, scenery: scenery.0 },
            go: ResidentSet { blocks: blocks.1, cells: cells.1, scenery: scenery.1 },
        }
    }

    /// Blocks whose data nobody holds, of those that have changed since the last call.
    pub(super) fn take_unused_data(&mut self) -> Vec<BlockId> {
        let touched = std::mem::take(&mut self.data.touched);
        touched.into_iter().filter(|id| !self.data.holders.contains_key(id)).collect()
    }
}
