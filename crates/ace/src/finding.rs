//! What is wrong with the data.

use serde::Serialize;
use std::fmt;

/// A sort of defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Problem {
    /// The game id is used by an earlier row, which counts.
    DuplicateGuid,
    /// The object class is not in the files.
    UnknownClass,
    /// The object class has no setup.
    NoSetup,
    /// The setup is missing in the world, or broken.
    UnknownSetup,
    /// The state word has bits that mean nothing; they are left out.
    UnknownState,
    /// The size is not a usable number; 1 is taken.
    BadScale,
    /// The position lies outside the map.
    OffMap,
    /// The rotation is not a rotation; the identity is taken.
    BadRotation,
    /// The cell is not in the world.
    UnknownCell,
    /// The row names no cell; it was found by the position.
    CellFound,
    /// The named cell does not contain the position; it is kept.
    OutsideItsCell,
    /// A link names an object that is not in the files.
    BrokenLink,
    /// An object that another one spawns is linked to none; it is left out.
    Orphan,
    /// A DELETE whose condition is not understood; it removed nothing.
    UnknownDelete,
}

impl Problem {
    /// Name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Problem::DuplicateGuid => "duplicate-guid",
            Problem::UnknownClass => "unknown-class",
            Problem::NoSetup => "no-setup",
            Problem::UnknownSetup => "unknown-setup",
            Problem::UnknownState => "unknown-state",
            Problem::BadScale => "bad-scale",
            Problem::OffMap => "off-map",
            Problem::BadRotation => "bad-rotation",
            Problem::UnknownCell => "unknown-cell",
            Problem::CellFound => "cell-found",
            Problem::OutsideItsCell => "outside-its-cell",
            Problem::BrokenLink => "broken-link",
            Problem::Orphan => "orphan",
            Problem::UnknownDelete => "unknown-delete",
        }
    }

    /// Whether the object cannot be placed because of it.
    pub fn is_fatal(self) -> bool {
        use Problem::{DuplicateGuid, NoSetup, OffMap, Orphan, UnknownCell, UnknownClass, UnknownSetup};
        matches!(self, DuplicateGuid | NoSetup | OffMap | Orphan | UnknownCell | UnknownClass | UnknownSetup)
    }
}

/// A defect of one row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    /// File, as it was given to [`crate::Database::read`].
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// The object, when the row is about one.
    #[serde(serialize_with = "hex", skip_serializing_if = "Option::is_none")]
    pub guid: Option<u32>,
    /// What it is.
    pub problem: Problem,
    /// What exactly.
    pub message: String,
}

fn hex<S: serde::Serializer>(guid: &Option<u32>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("0x{:08X}", guid.unwrap_or_default()))
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: ", self.file, self.line, self.problem.name())?;
        if let Some(guid) = self.guid {
            write!(f, "0x{guid:08X}: ")?;
        }
        f.write_str(&self.message)
    }
}
