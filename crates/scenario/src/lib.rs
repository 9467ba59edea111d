//! Scripted walks, recorded sweeps, and long random runs that check every invariant after every step.
//!
//! [`Scenario`] and [`Walk`] implement `threshold walk`, [`Record`] and [`Replay`] implement `threshold replay`; both read
//! documented JSON formats and run in a [`simulation`]. [`soak`] does to a world whatever a game may do to it.

mod acdream;
mod cast;
mod compare;
mod error;
mod expect;
mod format;
mod replay;
pub mod soak;
mod walk;
mod witness;

pub use acdream::AcdreamRecord;
pub use cast::{MOVER_ID, simulation, spawn_entities, spawn_mover};
pub use compare::{Difference, Tolerance, compare, origin_error};
pub use error::ScenarioError;
pub use expect::{Compared, Expectation};
pub use format::{
    After, All, Before, CommandWord, ConstrainSpec, DetachedCommand, DetachedMover, DetachedScenario,
    DetachedStep, EntitySpec, Goal, InterpolateSpec, LifeSpec, MotionSpec, MotionType, MoveToSpec,
    MovementSpec, MoverSpec, ObjectCommand, ParameterSpec, PlaceEntity, PlaceSpec, Record, RemoveEntity,
    Request, SCENERY_IDS, Scenario, Script, ScriptEntity, ScriptMover, ServerActionSpec, SetState, StateWord,
    Step, StopRequest, StopSpec, Target, TurnToSpec,
};
pub use replay::{Answer, Replay, ReplayError, Replayed, replay_record};
pub use walk::{
    CellChange, CommandsColumn, Detached, DetachedReport, EntityColumns, InterpolationColumn, MotionColumn,
    MotionColumns, MoveToColumn, Playing, ReportLine, StepReport, Walk,
};
pub use witness::{Bystanders, Witness, bystanders};
