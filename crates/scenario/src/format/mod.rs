//! Scenarios and captures as they are written down.

mod capture;
mod command;
mod detached;
mod fields;
mod object;
mod script;
mod step;

pub use capture::{After, Before, Record, Target};
pub use command::{
    All, ConstrainSpec, Goal, InterpolateSpec, MotionSpec, MotionType, MoveToSpec, MovementSpec,
    ObjectCommand, ParameterSpec, ServerActionSpec, StopSpec, TurnToSpec,
};
pub use detached::{DetachedCommand, DetachedMover, DetachedScenario, DetachedStep, Request, StopRequest};
pub use fields::{CommandWord, StateWord};
pub use object::{EntitySpec, MoverSpec, PlaceSpec, SCENERY_IDS};
pub use script::{LifeSpec, Scenario, ScriptEntity, ScriptMover};
pub use step::{PlaceEntity, RemoveEntity, SetState, Step};

use serde::Deserialize;

/// A scenario of either kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Script {
    /// In a world.
    World(Scenario),
    /// A motion table without a world.
    Detached(DetachedScenario),
}

impl Script {
    /// Reads a scenario.
    pub fn from_json(text: &[u8]) -> Result<Script, serde_json::Error> {
        #[derive(Deserialize)]
        struct Kind {
            #[serde(default)]
            detached: bool,
        }
        let Kind { detached } = serde_json::from_slice(text)?;
        if detached {
            serde_json::from_slice(text).map(Script::Detached)
        } else {
            serde_json::from_slice(text).map(Script::World)
        }
    }
}
