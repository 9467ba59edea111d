//! Errors: few kinds, with precise contents.

use crate::{DatId, container::NodeFault};
use std::{io, path::PathBuf};

/// Result of any operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a dat file or one of its records could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file in question.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file as a whole cannot be used.
    #[error("not a usable dat file: {field} at offset {offset:#x}: {problem}")]
    File {
        /// Header or tree field at fault.
        field: &'static str,
        /// Byte offset in the file.
        offset: u64,
        /// Found and expected values.
        problem: String,
    },
    /// Part of the directory is damaged: the ids below are unreachable, which is not the same as absent.
    #[error("directory node at offset {offset:#x}: {fault}")]
    Directory {
        /// Byte offset of the node at fault.
        offset: u64,
        /// What is wrong with it.
        fault: NodeFault,
    },
    /// One record is damaged; the others stay readable.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The directory has no such id.
    #[error("{0} is not in this file")]
    NotFound(DatId),
    /// The record cannot be stored (too large, or out of the format's range).
    #[error("cannot be written: {0}")]
    Unwritable(String),
}

impl Error {
    /// Whether asking again may help: the system failed, not the data.
    pub fn is_transient(&self) -> bool {
        matches!(self, Error::Io { .. })
    }

    /// Whether the data has been requested but has not arrived ([`io::ErrorKind::WouldBlock`]): nothing failed, try again soon.
    pub fn is_pending(&self) -> bool {
        matches!(self, Error::Io { source, .. } if source.kind() == io::ErrorKind::WouldBlock)
    }
}

/// A record that was refused: which one, where, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("record {id}, {field} at byte {offset}: {problem}")]
pub struct RecordError {
    /// The record as the directory names it.
    pub id: DatId,
    /// Field that could not be read or written.
    pub field: &'static str,
    /// Byte offset from the start of the record.
    pub offset: usize,
    /// Found and expected values.
    pub problem: String,
}
