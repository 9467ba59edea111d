//! The state of a player's keys and the resulting commands. Retail: `RawMotionState`, `InterpretedMotionState`. Spec: motion §9.

use super::{HoldKey, MoveFlags, MovementParameters};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use threshold_world::motion::Command;

/// An action that is in progress or waits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct ActionState {
    /// The action.
    pub command: Command,
    /// Its speed.
    pub speed: f32,
    /// Its number.
    pub stamp: u32,
    /// The player's own doing.
    pub autonomous: bool,
}

/// An action that a server orders.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct ServerAction {
    /// The action.
    pub command: Command,
    /// Number of 15 bits.
    pub stamp: u16,
    /// Its speed.
    pub speed: f32,
    /// The player's own doing.
    pub autonomous: bool,
}

impl ActionState {
    fn new(command: Command, parameters: &MovementParameters) -> ActionState {
        ActionState {
            command,
            speed: parameters.speed,
            stamp: parameters.stamp,
            autonomous: parameters.has(MoveFlags::AUTONOMOUS),
        }
    }
}

/// A key that is held.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct RawCommand {
    /// Its command.
    pub command: Command,
    /// Speed.
    pub speed: f32,
    /// Run key.
    pub key: HoldKey,
}

impl RawCommand {
    /// A key held at full speed, with the run key as it is.
    pub(crate) const fn new(command: Command) -> RawCommand {
        RawCommand { command, speed: 1.0, key: HoldKey::Unspecified }
    }
}

/// The state of a player's keys.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct RawState {
    /// Run key.
    pub hold_key: HoldKey,
    /// Style.
    pub style: Command,
    /// Forward, backwards, or another substate.
    pub forward: RawCommand,
    /// To either side.
    pub side: RawCommand,
    /// Turning.
    pub turn: RawCommand,
    /// Oldest first.
    pub actions: VecDeque<ActionState>,
}

impl Default for RawState {
    fn default() -> Self {
        RawState {
            hold_key: HoldKey::None,
            style: Command::NON_COMBAT,
            forward: RawCommand::new(Command::READY),
            side: RawCommand::new(Command::NONE),
            turn: RawCommand::new(Command::NONE),
            actions: VecDeque::new(),
        }
    }
}

impl RawState {
    /// Retail: `RawMotionState::ApplyMotion`.
    pub(super) fn apply(&mut self, command: Command, parameters: &MovementParameters) {
        let key = match parameters.has(MoveFlags::SET_HOLD_KEY) {
            true => HoldKey::Unspecified,
            false => parameters.key,
        };
        let raw = RawCommand { command, speed: parameters.speed, key };
        match command {
            Command::TURN_LEFT | Command::TURN_RIGHT => self.turn = raw,
            Command::SIDE_STEP_LEFT | Command::SIDE_STEP_RIGHT => self.side = raw,
            Command::RUN_FORWARD => {}
            _ if command.is_substate() => self.forward = raw,
            _ if command.is_style() && self.style == command => {}
            _ if command.is_style() => {
                self.style = command;
                self.forward.command = Command::READY;
            }
            _ if command.is_action() => self.actions.push_back(ActionState::new(command, parameters)),
            _ => {}
        }
    }

    /// Retail: `RawMotionState::RemoveMotion`.
    pub(super) fn remove(&mut self, command: Command) {
        match command {
            Command::TURN_LEFT | Command::TURN_RIGHT => self.turn.command = Command::NONE,
            Command::SIDE_STEP_LEFT | Command::SIDE_STEP_RIGHT => self.side.command = Command::NONE,
            _ if command.is_substate() && command == self.forward.command => {
                self.forward.command = Command::READY;
                self.forward.speed = 1.0;
            }
            _ if command.is_style() && self.style == command => self.style = Command::NON_COMBAT,
            _ => {}
        }
    }
}

/// The commands for the motion table that result from keys or a server.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct InterpretedState {
    /// Style.
    pub style: Command,
    /// Forward, or another substate.
    pub forward: Command,
    /// Its speed.
    pub forward_speed: f32,
    /// To the right.
    pub side: Command,
    /// Its speed; negative to the left.
    pub side_speed: f32,
    /// Clockwise.
    pub turn: Command,
    /// Its speed; negative counter-clockwise.
    pub turn_speed: f32,
    /// Oldest first.
    pub actions: VecDeque<ActionState>,
}

impl Default for InterpretedState {
    fn default() -> Self {
        InterpretedState {
            style: Command::NON_COMBAT,
            forward: Command::READY,
            forward_speed: 1.0,
            side: Command::NONE,
            side_speed: 1.0,
            turn: Command::NONE,
            turn_speed: 1.0,
            actions: VecDeque::new(),
        }
    }
}

impl InterpretedState {
    /// Retail: `InterpretedMotionState::ApplyMotion`.
    pub(super) fn apply(&mut self, command: Command, parameters: &MovementParameters) {
        let speed = parameters.speed;
        match command {
            Command::TURN_RIGHT => (self.turn, self.turn_speed) = (command, speed),
            Command::SIDE_STEP_RIGHT => (self.side, self.side_speed) = (command, speed),
            _ if command.is_substate() => (self.forward, self.forward_speed) = (command, speed),
            _ if command.is_style() => (self.style, self.forward) = (command, Command::READY),
            _ if command.is_action() => self.actions.push_back(ActionState::new(command, parameters)),
            _ => {}
        }
    }

    /// Retail: `InterpretedMotionState::RemoveMotion`.
    pub(super) fn remove(&mut self, command: Command) {
        match command {
            Command::TURN_RIGHT => self.turn = Command::NONE,
            Command::SIDE_STEP_RIGHT => self.side = Command::NONE,
            _ if command.is_substate() && command == self.forward => {
                (self.forward, self.forward_speed) = (Command::READY, 1.0);
            }
            _ if command.is_style() && self.style == command => self.style = Command::NON_COMBAT,
            _ => {}
        }
    }

    /// Everything but the actions. Retail: `InterpretedMotionState::copy_movement_from`.
    pub(super) fn copy_movement(&mut self, other: &InterpretedState) {
        let actions = std::mem::take(&mut self.actions);
        let InterpretedState { style, forward, forward_speed, side, side_speed, turn, turn_speed, .. } =
            *other;
        *self =
            InterpretedState { style, forward, forward_speed, side, side_speed, turn, turn_speed, actions };
    }

    /// Whether every speed is finite.
    pub fn is_finite(&self) -> bool {
        let speeds = [self.forward_speed, self.side_speed, self.turn_speed];
        let actions = self.actions.iter().map(|action| action.speed);
        speeds.into_iter().chain(actions).all(f32::is_finite)
    }
}
