//! Problems found while loading.

use std::fmt;
use threshold_dat::{DatId, Error};

/// Data that could not be used and was omitted; everything else was loaded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The record at fault.
    pub id: DatId,
    /// What is wrong, and the consequence.
    pub what: String,
}

impl Problem {
    /// A problem of a record.
    pub fn new(id: DatId, what: impl Into<String>) -> Problem {
        Problem { id, what: what.into() }
    }

    /// A record that could not be read.
    pub(crate) fn unreadable(id: DatId, error: &Error) -> Problem {
        Problem::new(id, reason(error))
    }
}

/// Why a record could not be read, for a text that names the record itself.
pub(crate) fn reason(error: &Error) -> String {
    match error {
        Error::Record(error) => format!("{} at byte {}: {}", error.field, error.offset, error.problem),
        other => other.to_string(),
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.id, self.what)
    }
}
