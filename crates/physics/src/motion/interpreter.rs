//! Commands and speeds. Retail: `CMotionInterp`. Spec: motion §10.1.

use super::{HoldKey, InterpretedState, MotionError, RawState};
use crate::{
    flags::{State, Transient},
    movement::{BACKWARD, MAX_SIDE_STEP, RUN_SPEED, RUN_TURN, SIDE_STEP, SIDE_STEP_SPEED, WALK_SPEED},
    scene::Entity,
};
use glam::{Vec2, Vec3};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use threshold_world::motion::{Command, MAX_REPEATS, RepeatQueue};

/// A command that waits for the end of its motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct PendingCommand {
    /// The caller's number for it.
    pub context: u32,
    /// The motion.
    pub motion: Command,
    /// Why no jump is possible before it is over, if so.
    pub jump: Option<MotionError>,
}

/// The commands of an object, and which of them are in progress.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Interpreter {
    /// State of the keys.
    pub raw: RawState,
    /// The resulting commands.
    pub interpreted: InterpretedState,
    /// Oldest first.
    pub(super) pending: RepeatQueue<PendingCommand>,
    /// Run rate of objects without skills: the speed of the last run.
    pub run_rate: f32,
    /// A jump is being charged while standing still.
    pub standing_long_jump: bool,
    /// Power of the jump under way.
    pub(super) jump_extent: f32,
    pub(super) initialized: bool,
    /// Number of the last action that a server ordered.
    pub(super) server_action_stamp: u16,
}

impl Default for Interpreter {
    fn default() -> Self {
        Interpreter {
            raw: RawState::default(),
            interpreted: InterpretedState::default(),
            pending: RepeatQueue::default(),
            run_rate: 1.0,
            standing_long_jump: false,
            jump_extent: 0.0,
            initialized: false,
            server_action_stamp: 0,
        }
    }
}

impl Interpreter {
    /// Commands that wait for the end of their motions, oldest first.
    pub fn pending(&self) -> impl ExactSizeIterator<Item = PendingCommand> {
        self.pending.iter()
    }

    pub(super) fn push(&mut self, command: PendingCommand) {
        self.pending.push_back(command);
    }

    /// Whether every number in it is in range.
    pub(super) fn is_sound(&self) -> bool {
        let raw = &self.raw;
        let speeds = [raw.forward.speed, raw.side.speed, raw.turn.speed, self.run_rate, self.jump_extent];
        let actions = raw.actions.iter().map(|action| action.speed);
        self.interpreted.is_finite()
            && raw.actions.len().max(self.interpreted.actions.len()) <= MAX_REPEATS
            && speeds.into_iter().chain(actions).all(f32::is_finite)
    }
}

impl Entity {
    /// The interpreter, if there is one yet.
    pub fn interpreter(&self) -> Option<&Interpreter> {
        self.actor.as_ref()?.interpreter.as_ref()
    }

    /// Whether commands mean what they mean to a creature: unknown objects count as such.
    pub(super) fn is_creature_or_unknown(&self) -> bool {
        !self.role.has_game_object || self.role.is_creature()
    }

    pub(super) fn is_grounded(&self) -> bool {
        self.transient.contains(Transient::CONTACT | Transient::ON_WALKABLE)
    }

    /// The object's run rate in the game, or the rate at which it ran last. Spec: motion §10.1.3.
    pub fn run_rate(&self) -> f32 {
        if !self.role.has_game_object {
            return 1.0;
        }
        let Some(actor) = self.actor.as_deref() else { return 1.0 };
        match (&actor.skills, &actor.interpreter) {
            (Some(skills), _) => skills.run_rate(),
            (None, Some(interpreter)) => interpreter.run_rate,
            (None, None) => 1.0,
        }
    }

    /// Four metres per second at a run rate of one. Retail: `CMotionInterp::get_max_speed`.
    pub fn max_speed(&self) -> f32 {
        RUN_SPEED * self.run_rate()
    }

    /// The same by the speed of the run under way. Retail: `CMotionInterp::get_adjusted_max_speed`.
    pub(super) fn adjusted_max_speed(&self) -> f32 {
        let state = self.interpreter().map(|interpreter| &interpreter.interpreted);
        let running = state.filter(|state| state.forward == Command::RUN_FORWARD);
        RUN_SPEED * running.map_or_else(|| self.run_rate(), |state| state.forward_speed)
    }

    /// The velocity that commands mean, in the object's space. Retail: `CMotionInterp::get_state_velocity`.
    /// Spec: physics-objects §8.12.
    pub fn state_velocity(&self) -> Vec3 {
        let Some(interpreter) = self.interpreter() else { return Vec3::ZERO };
        let state = &interpreter.interpreted;
        let x = if state.side == Command::SIDE_STEP_RIGHT { SIDE_STEP_SPEED * state.side_speed } else { 0.0 };
        let y = match state.forward {
            Command::WALK_FORWARD => WALK_SPEED * state.forward_speed,
            Command::RUN_FORWARD => RUN_SPEED * state.forward_speed,
            _ => 0.0,
        };
        let (velocity, limit) = (Vec2::new(x, y), self.max_speed());
        let length = velocity.length();
        let velocity = if length > limit { velocity * (limit / length) } else { velocity };
        velocity.extend(0.0)
    }

    /// A player's command as the motion table knows it, and its speed. Retail: `CMotionInterp::adjust_motion`.
    /// Spec: motion §10.1.2.
    pub(super) fn adjust(&self, command: Command, speed: f32, key: HoldKey) -> (Command, f32) {
        let (mut command, mut speed) = (command, speed);
        if !self.is_creature_or_unknown() {
            return (command, speed);
        }
        match command {
            Command::RUN_FORWARD => return (command, speed),
            Command::WALK_BACKWARDS => (command, speed) = (Command::WALK_FORWARD, speed * -BACKWARD),
            Command::TURN_LEFT => (command, speed) = (Command::TURN_RIGHT, -speed),
            Command::SIDE_STEP_LEFT => (command, speed) = (Command::SIDE_STEP_RIGHT, -speed * SIDE_STEP),
            Command::SIDE_STEP_RIGHT => speed *= SIDE_STEP,
            _ => {}
        }
        let held = self.interpreter().map_or(HoldKey::None, |interpreter| interpreter.raw.hold_key);
        let key = if key == HoldKey::Unspecified { held } else { key };
        if key == HoldKey::Run {
            let rate = self.run_rate();
            match command {
                Command::WALK_FORWARD => {
                    if speed > 0.0 {
                        command = Command::RUN_FORWARD;
                    }
                    speed *= rate;
                }
                Command::TURN_RIGHT => speed *= RUN_TURN,
                Command::SIDE_STEP_RIGHT => speed = (speed * rate).clamp(-MAX_SIDE_STEP, MAX_SIDE_STEP),
                _ => {}
            }
        }
        (command, speed)
    }

    /// Whether a command makes sense where the object is: most need ground. Retail: `CMotionInterp::contact_allows_move`.
    /// Spec: motion §10.2.1.
    pub(super) fn contact_allows(&self, command: Command) -> bool {
        matches!(command, Command::FALLING | Command::DEAD | Command::TURN_RIGHT | Command::TURN_LEFT)
            || !self.is_creature_or_unknown()
            || !self.state.contains(State::GRAVITY)
            || self.is_grounded()
    }
}
