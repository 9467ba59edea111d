//! Per-cell lists, found by index, and the objects that wait for each cell.

use super::EntityKey;
use smallvec::SmallVec;
use std::collections::BTreeSet;
use threshold_dat::prefetch;
use threshold_world::{BlockId, CellId};

/// Objects of a cell. The first two are found with the list itself, so that a short one costs one access to memory.
type List = SmallVec<[EntityKey; 2]>;

#[derive(Debug)]
struct BlockLists {
    land: [List; 64],
    env: Vec<List>,
}

impl Default for BlockLists {
    fn default() -> Self {
        BlockLists { land: std::array::from_fn(|_| List::new()), env: Vec::new() }
    }
}

impl BlockLists {
    #[inline]
    fn list(&self, low: u16) -> Option<&List> {
        match low {
            0x100.. => self.env.get(usize::from(low - 0x100)),
            1..=0x40 => self.land.get(usize::from(low - 1)),
            _ => None,
        }
    }

    #[inline]
    fn list_mut(&mut self, low: u16) -> Option<&mut List> {
        match low {
            0x100.. => self.env.get_mut(usize::from(low - 0x100)),
            1..=0x40 => self.land.get_mut(usize::from(low - 1)),
            _ => None,
        }
    }

    /// Makes room for the list of a room.
    fn make_room(&mut self, low: u16) {
        let count = usize::from(low.saturating_sub(0xFF));
        if self.env.len() < count {
            self.env.resize_with(count, List::new);
        }
    }
}

/// For every cell the objects in it. Retail: `CObjCell::shadow_object_list`.
#[derive(Debug)]
pub(super) struct ShadowLists {
    blocks: Box<[Option<Box<BlockLists>>]>,
    /// Objects whose registration would change if the cell were loaded.
    waiting: BTreeSet<(CellId, EntityKey)>,
}

impl Default for ShadowLists {
    fn default() -> Self {
        let blocks = std::iter::repeat_with(|| None).take(1 << 16).collect();
        ShadowLists { blocks, waiting: BTreeSet::new() }
    }
}

impl ShadowLists {
    #[inline]
    fn find(&self, cell: CellId) -> Option<&List> {
        self.blocks[usize::from(cell.block().0)].as_ref()?.list(cell.low())
    }

    #[inline]
    pub(super) fn list(&self, cell: CellId) -> &[EntityKey] {
        self.find(cell).map_or(&[], List::as_slice)
    }

    /// Asks for the list of a cell.
    #[inline]
    pub(super) fn prefetch(&self, cell: CellId) {
        self.find(cell).into_iter().for_each(prefetch);
    }

    #[inline]
    fn find_mut(&mut self, cell: CellId) -> Option<&mut List> {
        self.blocks[usize::from(cell.block().0)].as_mut()?.list_mut(cell.low())
    }

    /// Appends, and says whether there is such a list. Retail: `CObjCell::add_shadow_object` (0x0052B280).
    pub(super) fn add(&mut self, cell: CellId, key: EntityKey) -> bool {
        let lists = self.blocks[usize::from(cell.block().0)].get_or_insert_default();
        lists.make_room(cell.low());
        let list = lists.list_mut(cell.low());
        let is_list = list.is_some();
        list.into_iter().for_each(|list| list.push(key));
        is_list
    }

    /// Removes; the last entry moves into the hole. Retail: `CObjCell::remove_shadow_object` (0x0052B2D0).
    pub(super) fn remove(&mut self, cell: CellId, key: EntityKey) {
        if self.send_last(cell, key)
            && let Some(list) = self.find_mut(cell)
        {
            list.pop();
        }
    }

    /// Lets an entry and the last one change places; whether there is such an entry.
    ///
    /// The entry is looked for: keeping its place with the object would mean telling the object that takes it, which costs
    /// more than a look at a list that the sweep has just read.
    #[inline]
    pub(super) fn send_last(&mut self, cell: CellId, key: EntityKey) -> bool {
        let Some(list) = self.find_mut(cell) else { return false };
        let Some((last, others)) = list.split_last_mut() else { return false };
        if *last == key {
            return true;
        }
        let own = others.iter_mut().find(|listed| **listed == key);
        own.map(|own| std::mem::swap(own, last)).is_some()
    }

    pub(super) fn wait(&mut self, cell: CellId, key: EntityKey) {
        self.waiting.insert((cell, key));
    }

    pub(super) fn stop_waiting(&mut self, cell: CellId, key: EntityKey) {
        self.waiting.remove(&(cell, key));
    }

    /// Objects that wait for any of a run of cells, in order of cells, then of keys.
    pub(super) fn waiting_for(&self, first: CellId, last: CellId) -> impl Iterator<Item = EntityKey> + '_ {
        self.waiting
            .range((first, EntityKey::FIRST)..)
            .take_while(move |(cell, _)| *cell <= last)
            .map(|&(_, key)| key)
    }

    /// Number of (object, unloaded cell) pairs.
    pub(super) fn waiting_len(&self) -> usize {
        self.waiting.len()
    }

    /// Frees the lists of a block in which nothing is left.
    pub(super) fn release(&mut self, block: BlockId) {
        let slot = &mut self.blocks[usize::from(block.0)];
        let is_empty = |lists: &BlockLists| lists.land.iter().chain(&lists.env).all(List::is_empty);
        if slot.as_deref().is_some_and(is_empty) {
            *slot = None;
        }
    }

    /// Cells with at least one object, ascending, each with its list.
    pub(super) fn filled(&self) -> impl Iterator<Item = (CellId, &[EntityKey])> {
        let blocks = (0..=u16::MAX).map(BlockId).zip(&self.blocks);
        blocks.filter_map(|(id, lists)| Some((id, lists.as_deref()?))).flat_map(|(id, lists)| {
            let numbered = |first: u16| move |(i, list)| (id.cell(first + i as u16), list);
            let land = lists.land.iter().map(List::as_slice).enumerate().map(numbered(1));
            let env = lists.env.iter().map(List::as_slice).enumerate().map(numbered(0x100));
            land.chain(env).filter(|(_, list): &(_, &[EntityKey])| !list.is_empty())
        })
    }
}
