//! A node of the directory as it is written. Spec: dat-container §5.1, §5.8.

use super::{
    Entry,
    entry::ENTRY_BYTES,
    node::{COUNT_AT, ENTRIES_AT, FILLER, MAX_ENTRIES, NODE_BYTES},
};

/// The contents of a node: entries, and for an inner node one child more than entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NodeForm {
    pub(super) entries: Vec<Entry>,
    pub(super) children: Vec<u32>,
}

impl NodeForm {
    /// Reads a node that is known to be sound.
    pub(super) fn from_bytes(bytes: &[u8; NODE_BYTES]) -> NodeForm {
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let count = (word(COUNT_AT) as usize).min(MAX_ENTRIES);
        let entry = |index: usize| {
            let at = ENTRIES_AT + index * ENTRY_BYTES;
            Entry::from_words(std::array::from_fn(|field| word(at + field * 4)))
        };
        let children = match word(0) {
            0 | FILLER => Vec::new(),
            _ => (0..=count).map(|index| word(index * 4)).collect(),
        };
        NodeForm { entries: (0..count).map(entry).collect(), children }
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
            for (slot, word) in slot.chunks_exact_mut(4).zip(entry.to_words()) {
                slot.copy_from_slice(&word.to_le_bytes());
            }
        }
        bytes
    }
}
