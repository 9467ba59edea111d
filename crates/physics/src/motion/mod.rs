//! Turns commands into movement: the interpreter, move-to, targets and the position manager.
//!
//! Motion tables and sequences are in [`threshold_world::motion`], because drawing uses them too. Everything
//! here is plain data in an [`Actor`], which an object gets when it first needs one.
//! Spec: motion §9–13, entities §3.

mod actor;
mod apply;
mod codes;
mod constraint;
mod hooks;
mod interpolation;
mod interpreter;
mod jump;
mod move_to;
mod operations;
mod parameters;
mod position;
mod pursuit;
mod raw;
mod sticky;
mod target;
#[cfg(test)]
mod tests;

pub(crate) use actor::ActorState;
pub use actor::{Actor, Note};
pub use apply::MovementState;
pub use codes::MotionError;
pub use constraint::Constraint;
pub use hooks::HookRun;
pub(crate) use hooks::{ScaleChange, touches_others};
pub use interpolation::{Interpolation, MAX_INTERPOLATION_NODES};
pub use interpreter::{Interpreter, PendingCommand};
pub use jump::charged_power;
pub use move_to::{CylinderShape, MoveNode, MoveTo, MoveToKind, cylinder_distance};
pub use parameters::{HoldKey, MoveFlags, MovementParameters};
pub(crate) use position::OffsetInput;
pub use position::PositionManager;
pub use raw::{ActionState, InterpretedState, RawCommand, RawState, ServerAction};
pub use sticky::Sticky;
pub(crate) use target::{TARGET_INTERVAL, TARGET_TIMEOUT};
pub use target::{TargetInfo, TargetStatus, Targets};

use crate::scene::EntityKey;
use threshold_world::{Position, motion::Command};

/// A movement request. Retail: `MovementStruct`. Spec: motion §11.
#[derive(Clone, Debug, PartialEq)]
pub enum Movement {
    /// A command as a player gives it (type 1).
    Do(Command, MovementParameters),
    /// A command that has been interpreted already (type 2).
    DoInterpreted(Command, MovementParameters),
    /// The end of a player's command (type 3).
    Stop(Command, MovementParameters),
    /// The end of an interpreted command (type 4).
    StopInterpreted(Command, MovementParameters),
    /// Stops everything (type 5).
    StopCompletely,
    /// To an object, and after it when it moves (type 6).
    MoveToObject(EntityKey, MovementParameters),
    /// To a place (type 7).
    MoveToPosition(Position, MovementParameters),
    /// Turns towards an object (type 8).
    TurnToObject(EntityKey, MovementParameters),
    /// Turns to the heading of the parameters (type 9).
    TurnToHeading(MovementParameters),
}

/// A server's movement order, with the objects that it names. Spec: entities §2.5.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// A new movement state (type 0).
    State {
        /// Style, commands, speeds and actions.
        movement: MovementState,
        /// An object to stick to.
        sticky: Option<EntityKey>,
    },
    /// A move-to or turn-to (types 6 to 9).
    Perform {
        /// Where.
        movement: Movement,
        /// New run rate.
        run_rate: Option<f32>,
    },
}
