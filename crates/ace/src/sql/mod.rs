//! As much of SQL as the files need: INSERT, DELETE and the column names of CREATE TABLE.

mod statement;
mod token;
mod value;

pub(crate) use statement::{Condition, Event, Reader, Row};
pub(crate) use value::Value;

/// Text that is not the SQL it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct SqlError {
    /// Counted from 1.
    pub line: u32,
    /// What is wrong there.
    pub problem: String,
}

impl SqlError {
    pub(crate) fn new(line: u32, problem: impl Into<String>) -> SqlError {
        SqlError { line, problem: problem.into() }
    }
}
