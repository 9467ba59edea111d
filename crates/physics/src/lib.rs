//! Movement and collision as in the retail client: the sweep, cell sets, shadow lists, ticks.
//!
//! It rests on three ideas. The current cell is latched: an object's cell is the one its sweep ended in, never derived
//! from a point. There is one cell graph, [`threshold_world::World`]. And where an object can be hit is decided when it
//! is placed: it is registered in the list of every cell its geometry touches.

pub mod bsp;
pub mod cast;
pub mod cells;
mod collide;
pub mod flags;
pub mod motion;
pub mod movement;
pub mod random;
pub mod scene;
pub mod sweep;
#[cfg(test)]
mod testing;
pub mod update;

pub use flags::{MoverFlags, State, Transient};
pub use scene::{
    Admission, Attachment, CrowdReport, Entity, EntityKey, EntityRole, Event, Motion, MoveResult,
    PLAYER_SETUP, PLAYER_STATE, PlaceOptions, Placement, Scene, SceneError, Spawn,
};
pub use sweep::{Mover, Observer, Outcome, Sweeper, Verdict};
