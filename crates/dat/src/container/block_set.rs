//! A set of blocks, one bit each.

use super::Header;
use super::header::FIRST_BLOCK;

/// Blocks of one file, all at the same distance from a multiple of the block size as its root.
///
/// At one bit per block of 64 bytes or more, a file of the largest size needs 4 MB.
#[derive(Clone)]
pub(super) struct BlockSet {
    phase: u32,
    block_size: u32,
    words: Vec<u64>,
    count: u32,
}

/// What became of a block that was put into a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inserted {
    New,
    Present,
    /// Not where the blocks of this file lie; such a block is not kept.
    Misplaced,
}

impl BlockSet {
    /// An empty set for the blocks of a file.
    pub(super) fn new(header: &Header, file_bytes: usize) -> BlockSet {
        let block_size = header.block_size;
        let anchor = if header.root == 0 { FIRST_BLOCK } else { header.root };
        let blocks = file_bytes.div_ceil(block_size as usize);
        BlockSet { phase: anchor % block_size, block_size, words: vec![0; blocks.div_ceil(64)], count: 0 }
    }

    /// Where blocks lie, as a remainder of the block size.
    pub(super) fn phase(&self) -> u32 {
        self.phase
    }

    /// Number of blocks in the set.
    pub(super) fn len(&self) -> u32 {
        self.count
    }

    fn position(&self, block: u32) -> Option<(usize, u64)> {
        let distance = block.checked_sub(self.phase)?;
        if !distance.is_multiple_of(self.block_size) {
            return None;
        }
        let index = (distance / self.block_size) as usize;
        (index / 64 < self.words.len()).then_some((index / 64, 1 << (index % 64)))
    }

    pub(super) fn insert(&mut self, block: u32) -> Inserted {
        let Some((word, bit)) = self.position(block) else { return Inserted::Misplaced };
        if self.words[word] & bit != 0 {
            return Inserted::Present;
        }
        self.words[word] |= bit;
        self.count += 1;
        Inserted::New
    }

    pub(super) fn contains(&self, block: u32) -> bool {
        self.position(block).is_some_and(|(word, bit)| self.words[word] & bit != 0)
    }
}
