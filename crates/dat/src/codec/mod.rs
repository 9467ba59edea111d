//! Bytes to values and back: the cursor, the primitive encodings and the rule that keeps odd encodings.
//!
//! Some values have more than one byte form (a count in a longer form than needed, a truth value of 5, padding
//! that is not zero). The reader notes each such place as a [`Form`]; a writer that is given the forms repeats
//! them wherever it writes the same value at the same offset, and uses the usual form everywhere else. That is
//! what makes an unchanged record come out identical to the byte. Spec: dat-container §1.

mod reader;
mod wire;
mod writer;

pub(crate) use reader::{HookPadding, Reader};
pub use wire::{Blob, PackedTable, Text};
pub(crate) use wire::{KnownId, Wire, wire_struct};
pub(crate) use writer::Writer;

use crate::RecordError;

pub(crate) type Result<T> = std::result::Result<T, RecordError>;

/// A value that was stored in another form than the usual one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    offset: usize,
    kind: FormKind,
    value: u32,
    bytes: [u8; 6],
    len: u8,
}

/// What a form belongs to, so that one never serves another kind of value after an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormKind {
    Padding,
    Bool,
    Compressed,
    KnownId(u32),
    TextLength,
    OwnId,
}
