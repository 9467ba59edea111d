//! Per-cell lists, found by index.

use super::EntityKey;
use threshold_world::CellId;

#[derive(Debug, Default)]
struct BlockLists {
    land: Vec<Vec<EntityKey>>,
    env: Vec<Vec<EntityKey>>,
}

impl BlockLists {
    fn list(&self, low: u16) -> Option<&Vec<EntityKey>> {
        match low {
            0x100.. => self.env.get(usize::from(low - 0x100)),
            1..=0x40 => self.land.get(usize::from(low - 1)),
            _ => None,
        }
    }

    fn list_mut(&mut self, low: u16) -> Option<&mut Vec<EntityKey>> {
        let (lists, index) = match low {
            0x100.. => (&mut self.env, usize::from(low - 0x100)),
            1..=0x40 => (&mut self.land, usize::from(low - 1)),
            _ => return None,
        };
        if lists.len() <= index {
            lists.resize_with(index + 1, Vec::new);
        }
        lists.get_mut(index)
    }
}

/// For every cell the objects in it. Retail: `CObjCell::shadow_object_list`.
#[derive(Debug)]
pub(super) struct ShadowLists {
    blocks: Box<[Option<Box<BlockLists>>]>,
}

impl Default for ShadowLists {
    fn default() -> Self {
        ShadowLists { blocks: std::iter::repeat_with(|| None).take(1 << 16).collect() }
    }
}

impl ShadowLists {
    #[inline]
    pub(super) fn list(&self, cell: CellId) -> &[EntityKey] {
        let block = self.blocks[usize::from(cell.block().0)].as_ref();
        block.and_then(|block| block.list(cell.low())).map_or(&[], Vec::as_slice)
    }

    fn list_mut(&mut self, cell: CellId) -> Option<&mut Vec<EntityKey>> {
        self.blocks[usize::from(cell.block().0)].get_or_insert_default().list_mut(cell.low())
    }

    /// Appends. Retail: `CObjCell::add_shadow_object` (0x0052B280).
    pub(super) fn add(&mut self, cell: CellId, key: EntityKey) {
        if let Some(list) = self.list_mut(cell) {
            list.push(key);
        }
    }

    /// Removes; the last entry moves into the hole. Retail: `CObjCell::remove_shadow_object` (0x0052B2D0).
    pub(super) fn remove(&mut self, cell: CellId, key: EntityKey) {
        if let Some(list) = self.list_mut(cell)
            && let Some(i) = list.iter().position(|&k| k == key)
        {
            list.swap_remove(i);
        }
    }
}
