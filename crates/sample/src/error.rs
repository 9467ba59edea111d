//! Errors of building a world.

use crate::{bsp::BspError, geom::OutlineError};
use threshold_dat::RecordError;

/// Why a world cannot be built; names the part at fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A tree cannot be compiled.
    #[error(transparent)]
    Bsp(#[from] BspError),
    /// A tree of a named part cannot be compiled.
    #[error("{part}: {error}")]
    Part {
        /// Room or mesh.
        part: String,
        /// What is wrong with it.
        error: BspError,
    },
    /// An outline cannot be used.
    #[error(transparent)]
    Outline(#[from] OutlineError),
    /// Two rooms that should be joined do not touch.
    #[error("rooms `{0}` and `{1}` have no common wall")]
    Apart(String, String),
    /// A room has no side in the direction of an exit.
    #[error("room `{0}` has no side that faces {1}")]
    NoSide(String, glam::DVec3),
    /// A value does not fit into a record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file cannot be put together.
    #[error(transparent)]
    File(#[from] threshold_dat::Error),
    /// More than a format can count.
    #[error("{what}: {count} are more than {most}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there can be.
        most: usize,
    },
    /// Land cells hold one building each.
    #[error("building `{0}` stands in a land cell that has a building already")]
    CellTaken(String),
}
