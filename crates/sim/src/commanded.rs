//! Players that are moved by commands instead of keys: a recorded client's, or one that a program controls.

use crate::{SimError, Simulation, Skills};
use serde::{Deserialize, Serialize};
use threshold_physics::{
    EntityKey, SceneError,
    motion::{Movement, MovementParameters, RawState},
    movement::own_command,
};

/// What moves a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Steering {
    /// Held keys.
    #[default]
    Keys,
    /// Commands.
    Commands {
        /// Number of the last action that was begun.
        last_action: Option<u32>,
    },
}

impl Simulation {
    /// Lets a player perform the commands of its client until the next call
    /// ([`threshold_physics::Scene::hold_keys`]), and starts the actions that are newer than those of the last call.
    /// Commands that its motion table lacks, or that it cannot perform now, are ignored. Spec: motion §9, entities §2.8.
    pub fn command(&mut self, key: EntityKey, wanted: &RawState) -> Result<(), SimError> {
        let last_action = match self.player(key)?.steering {
            Steering::Keys => None,
            Steering::Commands { last_action } => last_action,
        };
        self.scene.set_last_move_autonomous(key, true)?;
        self.scene.hold_keys(key, wanted)?;
        let is_new = |stamp: u32| last_action.is_none_or(|last| stamp > last);
        for action in wanted.actions.iter().filter(|action| is_new(action.stamp)) {
            let table = self.entity(key)?.actor().and_then(|actor| actor.animator.table());
            let Some(command) = table.and_then(|table| table.command(action.command.index())) else {
                continue;
            };
            let parameters = MovementParameters { speed: action.speed, stamp: action.stamp, ..own_command() };
            match self.scene.perform(key, &Movement::Do(command, parameters)) {
                // What the stance forbids does not happen.
                Ok(()) | Err(SceneError::Motion(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let last_action = wanted.actions.iter().map(|action| action.stamp).max().max(last_action);
        self.player_mut(key)?.steering = Steering::Commands { last_action };
        Ok(())
    }

    /// Sets the skills of a player.
    pub fn set_skills(&mut self, key: EntityKey, skills: Skills) -> Result<(), SimError> {
        self.player_mut(key)?.controller.skills = skills;
        Ok(self.scene.set_skills(key, Some(skills))?)
    }

    /// Lets a player jump with a power between 0 and 1, if its body and stance allow it. Returns whether it did.
    pub fn jump(&mut self, key: EntityKey, power: f32) -> Result<bool, SimError> {
        self.player(key)?;
        match self.scene.jump_with_power(key, power) {
            Ok(()) => Ok(true),
            Err(SceneError::Motion(_)) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}
