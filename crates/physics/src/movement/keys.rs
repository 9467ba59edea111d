//! Passes a player's key commands to its interpreter. Spec: motion §9, §10.3.

use crate::{
    motion::{MoveFlags, Movement, MovementParameters, RawCommand, RawState},
    scene::{EntityKey, Scene, SceneError},
};
use threshold_world::motion::Command;

/// A part of what keys say.
type Part = fn(&RawState) -> RawCommand;

impl Scene {
    /// Makes an object perform the commands of its player's keys until the next call: run key, style, and forward, sideways
    /// and turn commands. Only differences to the current commands are started or stopped, as the original does when a key
    /// goes down or up. Commands that its motion table lacks, or that it cannot perform now, are ignored, and so are actions.
    ///
    /// Retail: `CommandInterpreter::ApplyCurrentMovement`. Spec: motion §9, entities §2.8.
    pub fn hold_keys(&mut self, key: EntityKey, wanted: &RawState) -> Result<(), SceneError> {
        if self.held_keys(key, |raw| raw.hold_key)? != wanted.hold_key {
            self.set_hold_key(key, wanted.hold_key)?;
        }
        if self.held_keys(key, |raw| raw.style)? != wanted.style {
            allowed(self.perform(key, &Movement::Do(wanted.style, own_command())))?;
        }
        let parts: [(Part, Command); 3] = [
            (|raw| raw.forward, Command::READY),
            (|raw| raw.side, Command::NONE),
            (|raw| raw.turn, Command::NONE),
        ];
        for (part, rest) in parts {
            let (held, wanted) = (self.held_keys(key, part)?, part(wanted));
            if held == wanted || (held.command, wanted.command) == (rest, rest) {
                continue;
            }
            let of = |raw: RawCommand| MovementParameters { speed: raw.speed, key: raw.key, ..own_command() };
            let movement = match wanted.command == rest {
                true => Movement::Stop(held.command, of(held)),
                false => Movement::Do(wanted.command, of(wanted)),
            };
            allowed(self.perform(key, &movement))?;
        }
        Ok(())
    }

    /// A part of what the keys of an object said last.
    fn held_keys<T>(&self, key: EntityKey, part: impl FnOnce(&RawState) -> T) -> Result<T, SceneError> {
        let entity = self.get(key).ok_or(SceneError::NoSuchEntity)?;
        Ok(match entity.interpreter() {
            Some(interpreter) => part(&interpreter.raw),
            None => part(&RawState::default()),
        })
    }
}

/// Parameters of a command of the player itself: the run key comes with the command.
pub fn own_command() -> MovementParameters {
    MovementParameters::default().with(MoveFlags::SET_HOLD_KEY, false).with(MoveFlags::AUTONOMOUS, true)
}

/// What an interpreter refuses does not happen; false then.
pub(super) fn allowed(result: Result<(), SceneError>) -> Result<bool, SceneError> {
    match result {
        Ok(()) => Ok(true),
        Err(SceneError::Motion(_)) => Ok(false),
        Err(error) => Err(error),
    }
}
