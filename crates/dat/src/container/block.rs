//! Blocks, and the chains that records and nodes are stored in. Spec: dat-container §3.

use super::{header::HEADER_BYTES, image::View, ranges::Ranges};
use std::{borrow::Cow, collections::HashSet, io};
use thiserror::Error;

/// Length of the link at the start of every block.
pub(super) const LINK_BYTES: usize = 4;
/// Set in the link of a free block.
pub(super) const FREE: u32 = 0x8000_0000;

/// Why the blocks of a record or node could not be followed to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ChainFault {
    /// The block, or the part of it that is needed, is not in the file.
    #[error("block {0:#x} is outside of the file")]
    OutsideFile(u32),
    /// The link of this block says that it is free.
    #[error("block {0:#x} is free, but the chain is not complete")]
    RunsIntoFree(u32),
    /// The chain ends with this block.
    #[error("the chain ends at block {0:#x}, before its last byte")]
    TooShort(u32),
    /// The chain comes back to this block.
    #[error("the chain comes back to block {0:#x}")]
    Revisits(u32),
    /// The system failed to read this block, which may be intact.
    #[error("block {block:#x} cannot be read: {kind}")]
    Unreadable {
        /// The block.
        block: u32,
        /// The system's error.
        kind: io::ErrorKind,
    },
}

/// The bytes of a file seen as blocks.
#[derive(Clone, Copy)]
pub(super) struct Blocks<'a> {
    view: View<'a>,
    block_size: usize,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(view: View<'a>, block_size: u32) -> Blocks<'a> {
        Blocks { view, block_size: block_size as usize }
    }

    /// Bytes of a block that are not link.
    pub(super) fn payload_bytes(self) -> usize {
        self.block_size - LINK_BYTES
    }

    /// The whole file.
    pub(super) fn view(self) -> View<'a> {
        self.view
    }

    /// Length of the file.
    pub(super) fn file_bytes(self) -> usize {
        self.view.length()
    }

    pub(super) fn has_whole_block(self, block: u32) -> bool {
        let start = block as usize;
        start >= HEADER_BYTES
            && self.file_bytes().checked_sub(start).is_some_and(|rest| rest >= self.block_size)
    }

    /// The link of a block and its first `needed` payload bytes. A block that is cut by the end of the file is good for
    /// the bytes that are there.
    #[inline]
    pub(super) fn read(self, block: u32, needed: usize) -> Result<(u32, Cow<'a, [u8]>), ChainFault> {
        let start = block as usize;
        let outside = ChainFault::OutsideFile(block);
        if start < HEADER_BYTES {
            return Err(outside);
        }
        match self.view {
            View::Whole(bytes) => {
                let (link, payload) = slice(bytes, block, needed).ok_or(outside)?;
                Ok((link, Cow::Borrowed(payload)))
            }
            View::Ranges(ranges) => {
                let (link, payload) = read_from(ranges, block, needed)?;
                Ok((link, Cow::Owned(payload)))
            }
        }
    }

    /// The link of a block, as stored.
    pub(super) fn link(self, block: u32) -> Result<u32, ChainFault> {
        Ok(self.read(block, 0)?.0)
    }

    /// The block after `block` in a chain that is not complete yet.
    pub(super) fn next(self, block: u32) -> Result<u32, ChainFault> {
        follow(block, self.link(block)?)
    }

    /// Appends the `length` bytes that start in block `first` to a buffer; a fault leaves the bytes before it there.
    #[inline]
    pub(super) fn append(self, first: u32, length: usize, buffer: &mut Vec<u8>) -> Result<(), ChainFault> {
        buffer.reserve(length);
        let (start, mut block) = (buffer.len(), first);
        // Nearly every chain ascends, and one that ascends cannot repeat.
        if let View::Whole(bytes) = self.view
            && first as usize >= HEADER_BYTES
        {
            let mut remaining = length;
            while remaining > 0 {
                let part = remaining.min(self.payload_bytes());
                let Some((link, piece)) = slice(bytes, block, part) else { break };
                buffer.extend_from_slice(piece);
                remaining -= part;
                if link <= block || link & FREE != 0 {
                    break;
                }
                block = link;
            }
            if remaining == 0 {
                return Ok(());
            }
            buffer.truncate(start);
        }
        self.chain(first, length).try_for_each(|piece| {
            buffer.extend_from_slice(&piece?.1);
            Ok(())
        })
    }

    /// The pieces of the `length` bytes that start in block `first`.
    pub(super) fn chain(self, first: u32, length: usize) -> Chain<'a> {
        Chain { blocks: self, first, last: None, hops: 0, remaining: length, highest: 0, seen: None }
    }
}

/// The link of a block in the bytes of a file, and its first `needed` payload bytes.
#[inline]
fn slice(bytes: &[u8], block: u32, needed: usize) -> Option<(u32, &[u8])> {
    let (link, payload) = bytes.get(block as usize..)?.split_first_chunk()?;
    Some((u32::from_le_bytes(*link), payload.get(..needed)?))
}

/// Like [`Blocks::read`] of a file that is read by ranges.
#[cold]
fn read_from(ranges: &Ranges, block: u32, needed: usize) -> Result<(u32, Vec<u8>), ChainFault> {
    let outside = ChainFault::OutsideFile(block);
    let length = needed.checked_add(LINK_BYTES).ok_or(outside)?;
    let piece = ranges.read(block as usize, length);
    let piece = piece.map_err(|error| ChainFault::Unreadable { block, kind: error.kind() })?;
    let mut piece = piece.ok_or(outside)?;
    let link = *piece.first_chunk().ok_or(outside)?;
    piece.drain(..LINK_BYTES);
    Ok((u32::from_le_bytes(link), piece))
}

/// Where the link of a block leads in a chain that is not complete yet.
#[inline]
pub(super) fn follow(block: u32, link: u32) -> Result<u32, ChainFault> {
    match link {
        0 => Err(ChainFault::TooShort(block)),
        link if link & FREE != 0 => Err(ChainFault::RunsIntoFree(block)),
        link => Ok(link),
    }
}

/// The pieces of a chain, each borrowed from its block where the file is in memory. Ends after the last byte or the first fault.
pub(super) struct Chain<'a> {
    blocks: Blocks<'a>,
    first: u32,
    /// The block before and its link.
    last: Option<(u32, u32)>,
    hops: usize,
    remaining: usize,
    highest: u32,
    /// Every block so far; only kept once the chain has stepped backwards, as one that ascends cannot repeat.
    seen: Option<HashSet<u32>>,
}

impl<'a> Chain<'a> {
    #[inline]
    fn advance(&mut self) -> Result<(u32, Cow<'a, [u8]>), ChainFault> {
        let block = match self.last {
            None => self.first,
            Some((last, link)) => follow(last, link)?,
        };
        let ascends = self.seen.is_none() && (block > self.highest || self.last.is_none());
        if !ascends && !self.is_new(block) {
            return Err(ChainFault::Revisits(block));
        }
        let length = self.remaining.min(self.blocks.payload_bytes());
        let (link, piece) = self.blocks.read(block, length)?;
        self.highest = self.highest.max(block);
        self.remaining -= length;
        self.last = Some((block, link));
        self.hops += 1;
        Ok((block, piece))
    }

    /// Whether a chain that does not ascend has not been to this block yet.
    #[cold]
    fn is_new(&mut self, block: u32) -> bool {
        let (blocks, first, hops) = (self.blocks, self.first, self.hops);
        let seen = self.seen.get_or_insert_with(|| {
            std::iter::successors(Some(first), |&block| blocks.next(block).ok()).take(hops).collect()
        });
        seen.insert(block)
    }
}

impl<'a> Iterator for Chain<'a> {
    /// Offset of a block, and the bytes of the record in it.
    type Item = Result<(u32, Cow<'a, [u8]>), ChainFault>;

    #[inline]
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
