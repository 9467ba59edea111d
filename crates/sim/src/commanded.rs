//! Players that are moved by commands instead of keys: a recorded client's, or one that a program steers.

use crate::{SimError, Simulation, Skills};
use serde::{Deserialize, Serialize};
use threshold_physics::{
    EntityKey, SceneError,
    motion::{MoveFlags, Movement, MovementParameters, RawCommand, RawState},
};
use threshold_world::motion::Command;

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
    /// Lets a player do what the keys of its client ask for, from now on and until it is told otherwise. Only what
    /// differs from what it does already is begun or ended, as the original's client does when a key goes down or up.
    /// Commands that its motion table lacks, or that it cannot follow now, are left out.
    ///
    /// Retail: `CommandInterpreter::ApplyCurrentMovement`. Spec: motion §9, entities §2.8.
    pub fn command(&mut self, key: EntityKey, wanted: &RawState) -> Result<(), SimError> {
        let last_action = match self.player(key)?.steering {
            Steering::Keys => None,
            Steering::Commands { last_action } => last_action,
        };
        self.scene.set_last_move_autonomous(key, true)?;
        let held = self.entity(key)?.interpreter().map(|interpreter| interpreter.raw.clone());
        let held = held.unwrap_or_default();
        if wanted.hold_key != held.hold_key {
            self.scene.set_hold_key(key, wanted.hold_key)?;
        }
        if wanted.style != held.style {
            self.try_to(key, Movement::Do(wanted.style, own()))?;
        }
        self.change(key, held.forward, wanted.forward, Command::READY)?;
        self.change(key, held.side, wanted.side, Command::NONE)?;
        self.change(key, held.turn, wanted.turn, Command::NONE)?;
        let is_new = |stamp: u32| last_action.is_none_or(|last| stamp > last);
        for action in wanted.actions.iter().filter(|action| is_new(action.stamp)) {
            let table = self.entity(key)?.actor().and_then(|actor| actor.animator.table());
            let Some(command) = table.and_then(|table| table.command(action.command.index())) else {
                continue;
            };
            let parameters = MovementParameters { speed: action.speed, stamp: action.stamp, ..own() };
            self.try_to(key, Movement::Do(command, parameters))?;
        }
        let last_action = wanted.actions.iter().map(|action| action.stamp).max().max(last_action);
        self.player_mut(key)?.steering = Steering::Commands { last_action };
        Ok(())
    }

    /// Says what the body of a player can do from now on.
    pub fn set_skills(&mut self, key: EntityKey, skills: Skills) -> Result<(), SimError> {
        self.player_mut(key)?.controller.skills = skills;
        let moves_by_table = self.entity(key)?.actor().is_some_and(|actor| actor.skills().is_some());
        if moves_by_table {
            self.scene.set_skills(key, Some(skills))?;
        }
        Ok(())
    }

    /// Lets a player jump with a power between 0 and 1, as far as its body and its stance allow; whether it did.
    pub fn jump(&mut self, key: EntityKey, power: f32) -> Result<bool, SimError> {
        self.player(key)?;
        match self.scene.jump_with_power(key, power) {
            Ok(()) => Ok(true),
            Err(SceneError::Motion(_)) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn change(
        &mut self,
        key: EntityKey,
        held: RawCommand,
        wanted: RawCommand,
        rest: Command,
    ) -> Result<(), SimError> {
        if held == wanted || (held.command, wanted.command) == (rest, rest) {
            return Ok(());
        }
        let parameters = MovementParameters { speed: wanted.speed, key: wanted.key, ..own() };
        if wanted.command == rest {
            let parameters = MovementParameters { speed: held.speed, key: held.key, ..own() };
            self.try_to(key, Movement::Stop(held.command, parameters))
        } else {
            self.try_to(key, Movement::Do(wanted.command, parameters))
        }
    }

    /// What the motion table lacks or the stance forbids does not happen.
    fn try_to(&mut self, key: EntityKey, movement: Movement) -> Result<(), SimError> {
        match self.scene.perform(key, &movement) {
            Ok(()) | Err(SceneError::Motion(_)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Parameters of a player's own command: the run key comes with the command.
fn own() -> MovementParameters {
    MovementParameters::default().with(MoveFlags::SET_HOLD_KEY, false).with(MoveFlags::AUTONOMOUS, true)
}
