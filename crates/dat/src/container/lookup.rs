//! Finding one id. Spec: dat-container §5.3.

use super::{
    Entry,
    block::Blocks,
    node::{MAX_DEPTH, NodeFault, NodeView, is_ordered},
};
use crate::{DatId, Mode};

/// A node that could not be searched.
type Damaged = (u32, NodeFault);

/// Finds the entry of `id` below `root`.
///
/// A search that trusts the order of the nodes is tried first. Only when it finds nothing (or damage) are the
/// nodes on the way searched to the last entry, so that one out of order neither hides an id nor counts as proof
/// of its absence.
pub(super) fn find(file: Blocks<'_>, root: u32, id: DatId, mode: Mode) -> Result<Option<Entry>, Damaged> {
    if root == 0 {
        return Ok(None);
    }
    if mode == Mode::Lenient
        && let Ok(Some(entry)) = trusting(file, root, id)
    {
        return Ok(Some(entry));
    }
    checking(file, root, id, mode)
}

fn trusting(file: Blocks<'_>, root: u32, id: DatId) -> Result<Option<Entry>, NodeFault> {
    let mut offset = root;
    for _ in 0..MAX_DEPTH {
        let node = NodeView::open(file, offset)?;
        let rank = node.rank(id);
        if rank < node.count() && node.id(rank) == id {
            return Ok(Some(node.entry(rank)));
        }
        if node.is_leaf() {
            return Ok(None);
        }
        offset = node.child(rank)?;
    }
    Err(NodeFault::TooDeep)
}

fn checking(file: Blocks<'_>, root: u32, id: DatId, mode: Mode) -> Result<Option<Entry>, Damaged> {
    let mut path = [0; MAX_DEPTH];
    let (mut above, mut below) = (None, None);
    let mut offset = root;
    for depth in 0..MAX_DEPTH {
        let damaged = |fault| (offset, fault);
        if path[..depth].contains(&offset) {
            return Err(damaged(NodeFault::Cycle));
        }
        path[depth] = offset;
        let node = NodeView::open(file, offset).map_err(damaged)?;
        if mode == Mode::Strict && !is_ordered(node.ids(), above, below) {
            return Err(damaged(NodeFault::Disordered));
        }
        if let Some(index) = node.ids().position(|entry| entry == id) {
            return Ok(Some(node.entry(index)));
        }
        if node.is_leaf() {
            return Ok(None);
        }
        let rank = node.ids().filter(|&entry| entry < id).count();
        above = rank.checked_sub(1).map(|index| node.id(index)).or(above);
        below = if rank < node.count() { Some(node.id(rank)) } else { below };
        offset = node.child(rank).map_err(damaged)?;
    }
    Err((offset, NodeFault::TooDeep))
}
