//! A node of the directory as it is written. Spec: dat-container §5.1, §5.8.

use super::{
    Entry,
    entry::{ENTRY_BYTES, read_word},
    node::{COUNT_AT, ENTRIES_AT, FILLER, MAX_ENTRIES, NODE_BYTES},
};

/// The contents of a node: entries, and for an inner node one child more than entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NodeForm {
    pub(super) entries: Vec<Entry>,
    pub(super) children: Vec<u32>,
}

impl NodeForm {
    /// Reads a node whose count is known to be right.
    pub(super) fn from_bytes(bytes: &[u8; NODE_BYTES]) -> NodeForm {
        let (branches, rest) = bytes.split_at(COUNT_AT);
        let (count, entries) = rest.split_at(ENTRIES_AT - COUNT_AT);
        let count = (read_word(count, 0) as usize).min(MAX_ENTRIES);
        let children = match read_word(branches, 0) {
            0 | FILLER => Vec::new(),
            _ => (0..=count).map(|index| read_word(branches, index * 4)).collect(),
        };
        let (entries, _) = entries.as_chunks::<ENTRY_BYTES>();
        NodeForm { entries: entries[..count].iter().map(Entry::from_bytes).collect(), children }
    }

    pub(super) fn is_leaf(&self) -> bool {
        self.children.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.entries.len() >= MAX_ENTRIES
    }

    /// The payload of the node's chain. Slots that are not in use are zero: other values of a leaf's branches
    /// make the original client take it for an inner node.
    pub(super) fn to_bytes(&self) -> [u8; NODE_BYTES] {
        let mut bytes = [0; NODE_BYTES];
        for (slot, child) in bytes.chunks_exact_mut(4).zip(&self.children) {
            slot.copy_from_slice(&child.to_le_bytes());
        }
        bytes[COUNT_AT..ENTRIES_AT].copy_from_slice(&(self.entries.len() as u32).to_le_bytes());
        for (slot, entry) in bytes[ENTRIES_AT..].chunks_exact_mut(ENTRY_BYTES).zip(&self.entries) {
            slot.copy_from_slice(&entry.to_bytes());
        }
        bytes
    }
}
