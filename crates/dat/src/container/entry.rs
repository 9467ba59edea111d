//! A line of the directory.

use crate::DatId;
use serde::Serialize;

/// Longest record that is read into memory; the largest of the shipped files are about 1 MB.
pub const MAX_RECORD_BYTES: usize = 256 << 20;

pub(super) const ENTRY_BYTES: usize = 24;
pub(super) const COMPRESSED: u16 = 1;

/// Where a record is stored, and what the directory says of it. Spec: dat-container §5.1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The record's id.
    pub id: DatId,
    /// Bit 0: compressed; the others are reserved and kept.
    pub flags: u16,
    /// 1 for the iteration record, 2 or 3 for all others; no difference is known.
    pub version: u16,
    /// Byte offset of the first block.
    pub offset: u32,
    /// Stored bytes (the compressed ones, if compressed).
    pub size: u32,
    /// Unix seconds.
    pub date: u32,
    /// Patch in which the record was last changed.
    pub iteration: u32,
}

impl Entry {
    /// Whether the stored bytes are a length and a zlib stream.
    pub fn is_compressed(&self) -> bool {
        self.flags & COMPRESSED != 0
    }

    pub(super) fn from_words(words: [u32; 6]) -> Entry {
        let [head, id, offset, size, date, iteration] = words;
        Entry {
            id: DatId(id),
            flags: head as u16,
            version: (head >> 16) as u16,
            offset,
            size,
            date,
            iteration,
        }
    }

    pub(super) fn to_words(self) -> [u32; 6] {
        let head = u32::from(self.flags) | u32::from(self.version) << 16;
        [head, self.id.0, self.offset, self.size, self.date, self.iteration]
    }
}
