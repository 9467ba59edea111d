//! Things that are unusual and accepted.

use crate::DatId;
#[cfg(feature = "serde")]
use serde::Serialize;
use thiserror::Error;

/// An oddity of a file that costs no data. Spec: dat-container §12, reaction NOTE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[non_exhaustive]
pub enum Note {
    /// Opened as a generic file.
    #[error("file type {0} is not portal (1), cell (2) or local (3)")]
    UnknownFileType(u32),
    /// The real length counts.
    #[error("the header says {field} bytes, the file has {length}")]
    FileSizeField {
        /// What the header claims.
        field: u32,
        /// What there is.
        length: u64,
    },
    /// Legal in principle.
    #[error("root block {0:#x} is not a multiple of the block size")]
    UnalignedRoot(u32),
    /// The text is decorative.
    #[error("the version text has no terminating zero")]
    UnterminatedVersionText,
    /// The original client would refuse the file.
    #[error("game pack version {0}, the original accepts only 0")]
    GameVersion(u32),
    /// The original writer was interrupted, or left the record of an operation it had finished.
    #[error("the transaction journal is not empty")]
    PendingJournal,
    /// Shipped trees need not keep to the minimum.
    #[error("directory node {offset:#x} has only {count} entries")]
    SparseNode {
        /// Byte offset of the node.
        offset: u32,
        /// Entries in it.
        count: usize,
    },
    /// Lookups do not care.
    #[error("leaf {offset:#x} is at level {depth}, others are not")]
    UnevenLeaf {
        /// Byte offset of the node.
        offset: u32,
        /// Its distance from the root.
        depth: usize,
    },
    /// A record without bytes.
    #[error("{0} is empty")]
    EmptyRecord(DatId),
    /// The original writer compresses nothing so short; it is still read.
    #[error("{0} is compressed into fewer than 16 bytes")]
    ShortCompressed(DatId),
    /// Legal in principle, but then shared and lost blocks cannot be detected.
    #[error("block {0:#x} is not aligned like the root; shared and lost blocks are not looked for")]
    UnalignedBlock(u32),
}
