//! Scripted walks and recorded sweeps: the JSON that `threshold walk` and `threshold replay` speak.

mod acdream;
mod compare;
mod format;
mod replay;
mod stage;
mod walk;

pub use acdream::AcdreamRecord;
pub use compare::{Difference, Tolerance, compare, origin_error};
pub use format::{
    After, Before, EntitySpec, MoverSpec, PlaceSpec, Record, Scenario, StateWord, Step, Target,
};
pub use replay::{Replay, ReplayError, Replayed, replay_record};
pub use stage::{Stage, StageError};
pub use walk::{CellChange, Line, Walk};
