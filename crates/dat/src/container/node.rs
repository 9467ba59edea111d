//! A node of the directory, read where it lies. Spec: dat-container §5.1, §5.2.

use super::{
    ChainFault, Entry,
    block::{Blocks, LINK_BYTES, follow},
    entry::ENTRY_BYTES,
    image::View,
    node_form::NodeForm,
};
use crate::DatId;
use std::borrow::Cow;
use thiserror::Error;

/// Most entries of a node.
pub(super) const MAX_ENTRIES: usize = 61;
/// Fewest entries of a node that is not the root.
pub(super) const MIN_ENTRIES: usize = 30;
/// Branch slots of a node.
pub(super) const MAX_BRANCHES: usize = MAX_ENTRIES + 1;
/// Payload of a node.
pub(super) const NODE_BYTES: usize = ENTRIES_AT + MAX_ENTRIES * ENTRY_BYTES;
/// Deepest node that is visited; a tree of 2^32 ids has 7 levels.
pub(super) const MAX_DEPTH: usize = 16;

pub(super) const COUNT_AT: usize = MAX_BRANCHES * 4;
pub(super) const ENTRIES_AT: usize = COUNT_AT + 4;
/// Blocks of a node when blocks are as small as the format allows.
const MAX_BLOCKS: usize = NODE_BYTES.div_ceil(64 - LINK_BYTES);
/// What some tools fill the branches of a leaf with.
pub(super) const FILLER: u32 = 0xCDCD_CDCD;

/// A fault in a node of the directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NodeFault {
    /// The count cannot be right.
    #[error("{0} entries, at most {MAX_ENTRIES} fit")]
    TooManyEntries(u32),
    /// Its blocks cannot be followed.
    #[error(transparent)]
    Chain(#[from] ChainFault),
    /// The tree comes back to this node.
    #[error("cycle: the node is its own descendant or has two parents")]
    Cycle,
    /// More levels than any tree can have.
    #[error("deeper than {MAX_DEPTH} levels")]
    TooDeep,
    /// More nodes than fit into the file.
    #[error("the tree has more nodes than the file has room for")]
    TooManyNodes,
    /// An inner node without the child between two of its entries.
    #[error("child {0} is missing")]
    MissingChild(usize),
    /// The ids do not ascend, or are outside the range that the parent nodes allow.
    #[error("ids out of order")]
    Disordered,
}

/// Whether ids ascend and lie between those that the nodes above promise (both exclusive).
pub(super) fn is_ordered(
    ids: impl Iterator<Item = DatId>,
    above: Option<DatId>,
    below: Option<DatId>,
) -> bool {
    above.into_iter().chain(ids).chain(below).is_sorted_by(|a, b| a < b)
}

/// A node in the bytes of its file. Nothing is copied but the positions of its blocks, unless the file is read by
/// ranges.
#[derive(Clone)]
pub(super) struct NodeView<'a> {
    bytes: NodeBytes<'a>,
    payload_bytes: usize,
    blocks: [u32; MAX_BLOCKS],
    count: usize,
    leaf: bool,
}

/// Where the words of a node are.
#[derive(Clone)]
enum NodeBytes<'a> {
    /// In their blocks: the whole file.
    InFile(&'a [u8]),
    /// Side by side: the payload alone.
    Gathered(Vec<u8>),
}

impl<'a> NodeView<'a> {
    /// Follows the node's chain as far as its entries reach.
    pub(super) fn open(file: Blocks<'a>, offset: u32) -> Result<NodeView<'a>, NodeFault> {
        let payload_bytes = file.payload_bytes();
        let bytes = match file.view() {
            View::Whole(bytes) => NodeBytes::InFile(bytes),
            View::Ranges(_) => NodeBytes::Gathered(Vec::with_capacity(NODE_BYTES)),
        };
        let mut node = NodeView { bytes, payload_bytes, blocks: [0; MAX_BLOCKS], count: 0, leaf: false };
        let known = node.resolve(file, offset, 0, ENTRIES_AT)?;
        let count = node.word(COUNT_AT);
        if count as usize > MAX_ENTRIES {
            return Err(NodeFault::TooManyEntries(count));
        }
        node.count = count as usize;
        node.leaf = matches!(node.word(0), 0 | FILLER);
        node.resolve(file, offset, known, ENTRIES_AT + node.count * ENTRY_BYTES)?;
        Ok(node)
    }

    /// Finds the blocks of the first `length` payload bytes; `known` of them are already there.
    fn resolve(
        &mut self,
        file: Blocks<'a>,
        first: u32,
        known: usize,
        length: usize,
    ) -> Result<usize, ChainFault> {
        let needed = length.div_ceil(self.payload_bytes);
        let (mut link, mut highest) = (0, 0);
        for &block in &self.blocks[..known] {
            highest = block.max(highest);
        }
        // The last block seen so far may have been checked for fewer bytes than are needed now.
        for index in known.saturating_sub(1)..needed {
            let (before, after) = self.blocks.split_at_mut(index);
            let block = match before.last() {
                _ if index < known => after[0],
                None => first,
                Some(&previous) => follow(previous, link)?,
            };
            // A chain that ascends cannot repeat.
            if index >= known && block <= highest && before.contains(&block) {
                return Err(ChainFault::Revisits(block));
            }
            highest = block.max(highest);
            let part = (length - index * self.payload_bytes).min(self.payload_bytes);
            let (next, piece) = file.read(block, part)?;
            if let (NodeBytes::Gathered(bytes), Cow::Owned(piece)) = (&mut self.bytes, piece) {
                bytes.truncate(index * self.payload_bytes);
                bytes.extend(piece);
            }
            after[0] = block;
            link = next;
        }
        Ok(needed)
    }

    /// Number of entries.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Whether the node has no children.
    pub(super) fn is_leaf(&self) -> bool {
        self.leaf
    }

    /// The offset of a child, for `index` up to and including the number of entries of an inner node.
    pub(super) fn child(&self, index: usize) -> Result<u32, NodeFault> {
        match self.word(index * 4) {
            0 | FILLER => Err(NodeFault::MissingChild(index)),
            offset => Ok(offset),
        }
    }

    /// The id of an entry; `index` is below the count.
    pub(super) fn id(&self, index: usize) -> DatId {
        DatId(self.word(ENTRIES_AT + index * ENTRY_BYTES + 4))
    }

    /// An entry; `index` is below the count.
    pub(super) fn entry(&self, index: usize) -> Entry {
        let at = ENTRIES_AT + index * ENTRY_BYTES;
        let mut bytes = [0; ENTRY_BYTES];
        for (word, slot) in bytes.chunks_exact_mut(4).enumerate() {
            slot.copy_from_slice(&self.word(at + word * 4).to_le_bytes());
        }
        Entry::from_bytes(&bytes)
    }

    /// The whole node, decoded at once: for a visit to all of its entries.
    pub(super) fn form(&self) -> NodeForm {
        let mut payload = [0; NODE_BYTES];
        let length = ENTRIES_AT + self.count * ENTRY_BYTES;
        let pieces = payload[..length].chunks_mut(self.payload_bytes).enumerate();
        for (index, piece) in pieces {
            let bytes = self.bytes_at(index * self.payload_bytes).and_then(|bytes| bytes.get(..piece.len()));
            if let Some(bytes) = bytes {
                piece.copy_from_slice(bytes);
            }
        }
        NodeForm::from_bytes(&payload)
    }

    /// The ids of all entries.
    pub(super) fn ids(&self) -> impl Iterator<Item = DatId> + '_ {
        (0..self.count).map(|index| self.id(index))
    }

    /// How many entries of an ordered node are below `id`.
    pub(super) fn rank(&self, id: DatId) -> usize {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = (low + high) / 2;
            if self.id(middle) < id {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// A word of the payload at a multiple of 4, which never straddles two blocks. Zero outside of the part
    /// that was resolved.
    fn word(&self, at: usize) -> u32 {
        self.bytes_at(at).and_then(<[u8]>::first_chunk).map_or(0, |word| u32::from_le_bytes(*word))
    }

    /// The rest of the block that has a byte of the payload, and perhaps more.
    #[inline]
    fn bytes_at(&self, at: usize) -> Option<&[u8]> {
        match &self.bytes {
            NodeBytes::InFile(bytes) => {
                let block = *self.blocks.get(at / self.payload_bytes)?;
                bytes.get(block as usize + LINK_BYTES + at % self.payload_bytes..)
            }
            NodeBytes::Gathered(bytes) => bytes.get(at..),
        }
    }
}
