//! A line of the directory.

use crate::DatId;
#[cfg(feature = "serde")]
use serde::Serialize;

pub(super) const ENTRY_BYTES: usize = 24;
pub(super) const COMPRESSED: u16 = 1;

/// Directory entry of a record: its location and attributes. Spec: dat-container §5.1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
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

    pub(super) fn from_bytes(bytes: &[u8; ENTRY_BYTES]) -> Entry {
        let head = read_word(bytes, 0);
        Entry {
            id: DatId(read_word(bytes, 4)),
            flags: head as u16,
            version: (head >> 16) as u16,
            offset: read_word(bytes, 8),
            size: read_word(bytes, 12),
            date: read_word(bytes, 16),
            iteration: read_word(bytes, 20),
        }
    }

    pub(super) fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let head = u32::from(self.flags) | u32::from(self.version) << 16;
        let words = [head, self.id.0, self.offset, self.size, self.date, self.iteration];
        let mut bytes = [0; ENTRY_BYTES];
        for (slot, word) in bytes.chunks_exact_mut(4).zip(words) {
            slot.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

/// A word of a structure whose length is known to cover it.
pub(super) fn read_word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
