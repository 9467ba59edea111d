//! The blocks that wait to be used again. Spec: dat-container §4.

use super::{
    ChainFault, DatFile,
    block::FREE,
    block_set::{BlockSet, Inserted},
};
use std::io;
use thiserror::Error;

/// A fault in a free list. It costs space, never data, as long as no writer uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FreeListFault {
    /// A block that is not in the file, or not where blocks of this file lie.
    #[error("block {0:#x} is outside of the file or not aligned")]
    Misplaced(u32),
    /// The system failed to read this block.
    #[error("block {block:#x} cannot be read: {kind}")]
    Unreadable {
        /// The block.
        block: u32,
        /// The system's error.
        kind: io::ErrorKind,
    },
    /// The list comes back to this block.
    #[error("comes back to block {0:#x}")]
    Cycle(u32),
    /// The link of this block does not say that it is free.
    #[error("block {0:#x} is not marked as free")]
    NotMarked(u32),
    /// A record or node lies in this block.
    #[error("block {0:#x} is in use")]
    InUse(u32),
    /// The list continues after the last block that the header counts.
    #[error("goes on after block {0:#x}, the last of the header's count")]
    TooLong(u32),
    /// The last block is not the one the header names.
    #[error("ends at block {found:#x}, the header says {expected:#x}")]
    WrongEnd {
        /// Where the list ends.
        found: u32,
        /// Where the header says it ends.
        expected: u32,
    },
}

/// The blocks of a free list in their order. Ends after the first fault.
pub struct FreeBlocks<'a> {
    dat: &'a DatFile,
    seen: BlockSet,
    next: u32,
    remaining: u32,
}

impl<'a> FreeBlocks<'a> {
    pub(super) fn new(dat: &'a DatFile) -> FreeBlocks<'a> {
        let header = dat.header();
        let seen = BlockSet::new(header, dat.blocks().file_bytes());
        FreeBlocks { dat, seen, next: header.first_free, remaining: header.free_count }
    }

    /// All blocks that were handed out.
    pub(super) fn seen(&self) -> &BlockSet {
        &self.seen
    }

    fn advance(&mut self) -> Result<u32, FreeListFault> {
        let block = self.next;
        let blocks = self.dat.blocks();
        let link = match blocks.link(block) {
            Ok(link) if blocks.has_whole_block(block) => link,
            Err(ChainFault::Unreadable { block, kind }) => {
                return Err(FreeListFault::Unreadable { block, kind });
            }
            _ => return Err(FreeListFault::Misplaced(block)),
        };
        match self.seen.insert(block) {
            Inserted::New => {}
            Inserted::Present => return Err(FreeListFault::Cycle(block)),
            Inserted::Misplaced => return Err(FreeListFault::Misplaced(block)),
        }
        self.remaining -= 1;
        self.next = link & !FREE;
        let last = self.remaining == 0;
        // Both forms of the last link are accepted.
        if link & FREE == 0 && !(last && link == 0) {
            return Err(FreeListFault::NotMarked(block));
        }
        if last && self.next != 0 {
            return Err(FreeListFault::TooLong(block));
        }
        let expected = self.dat.header().last_free;
        if last && block != expected {
            return Err(FreeListFault::WrongEnd { found: block, expected });
        }
        Ok(block)
    }
}

impl Iterator for FreeBlocks<'_> {
    type Item = Result<u32, FreeListFault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.remaining == 0 {
            return None;
        }
        let step = self.advance();
        if step.is_err() {
            self.remaining = 0;
        }
        Some(step)
    }
}
