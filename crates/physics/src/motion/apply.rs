//! Commands are applied again: after a change of ground or of keys, or by a server. Spec: motion §10.3.6–8.

use super::{
    InterpretedState, MotionError, MoveFlags, MovementParameters, ServerAction, jump::motion_forbids_jump,
};
use crate::{flags::State, scene::Entity};
use threshold_world::{EPSILON, motion::Command};

/// The movement state of an object, from a server. Spec: entities §2.5.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MovementState {
    /// Style, commands and speeds; its actions do not count.
    pub state: InterpretedState,
    /// Actions, oldest first.
    pub actions: Vec<ServerAction>,
    /// It is about to make a long jump.
    pub standing_long_jump: bool,
}

/// Whether a server's action is newer than another, by numbers of 15 bits that wrap.
pub(super) fn is_newer_action(last: u16, new: u16) -> bool {
    let (last, new) = (i32::from(last & 0x7FFF), i32::from(new & 0x7FFF));
    if (new - last).abs() <= 0x3FFF { last < new } else { new < last }
}

impl Entity {
    /// Begins what is interpreted anew. Retail: `CMotionInterp::apply_interpreted_movement`. Spec: motion §10.3.6.
    fn apply_interpreted(&mut self, cancel: bool, no_jump: bool) {
        let Some(interpreter) = self.interpreter_mut() else { return };
        let state = &interpreter.interpreted;
        let (style, forward, side, turn) = (
            state.style,
            (state.forward, state.forward_speed),
            (state.side, state.side_speed),
            (state.turn, state.turn_speed),
        );
        if forward.0 == Command::RUN_FORWARD {
            interpreter.run_rate = forward.1;
        }
        let long_jump = interpreter.standing_long_jump;
        let parameters = MovementParameters::default()
            .with(MoveFlags::SET_HOLD_KEY | MoveFlags::MODIFY_INTERPRETED, false)
            .with(MoveFlags::CANCEL_MOVE_TO, cancel)
            .with(MoveFlags::NO_JUMP_DURING_LINK, no_jump);
        let at = |speed: f32| MovementParameters { speed, ..parameters };
        // What cannot be begun now is left out.
        let _ = self.do_interpreted(style, &at(1.0));
        if !self.contact_allows(forward.0) {
            let _ = self.do_interpreted(Command::FALLING, &at(1.0));
        } else if long_jump {
            let _ = self.do_interpreted(Command::READY, &at(1.0));
            let _ = self.stop_interpreted(Command::SIDE_STEP_RIGHT, &at(1.0));
        } else {
            let _ = self.do_interpreted(forward.0, &at(forward.1));
            let _ = match side.0 {
                Command::NONE => self.stop_interpreted(Command::SIDE_STEP_RIGHT, &at(1.0)),
                command => self.do_interpreted(command, &at(side.1)),
            };
        }
        if turn.0 == Command::NONE {
            let _ = self.stop_motion_of_table(Command::TURN_RIGHT, parameters.context);
        } else {
            let _ = self.do_interpreted(turn.0, &at(turn.1));
        }
    }

    /// Interprets the keys again. Retail: `CMotionInterp::apply_raw_movement`. Spec: motion §10.3.7.
    fn apply_raw(&mut self, cancel: bool, no_jump: bool) {
        let Some(interpreter) = self.interpreter() else { return };
        let raw = &interpreter.raw;
        let style = raw.style;
        let [forward, side, turn] = [raw.forward, raw.side, raw.turn]
            .map(|command| self.adjust(command.command, command.speed, command.key));
        if let Some(interpreter) = self.interpreter_mut() {
            let state = &mut interpreter.interpreted;
            state.style = style;
            (state.forward, state.forward_speed) = forward;
            (state.side, state.side_speed) = side;
            (state.turn, state.turn_speed) = turn;
        }
        self.apply_interpreted(cancel, no_jump);
    }

    /// Begins what is commanded anew: what the keys say if somebody holds them, else what is interpreted.
    /// Retail: `CMotionInterp::apply_current_movement`.
    pub(super) fn apply_current(&mut self, cancel: bool, no_jump: bool) {
        let Some(actor) = self.actor.as_deref() else { return };
        if !actor.interpreter.as_ref().is_some_and(|interpreter| interpreter.initialized) {
            return;
        }
        let has_keys = !self.role.has_game_object || actor.skills.is_some();
        if has_keys && actor.last_move_autonomous {
            self.apply_raw(cancel, no_jump);
        } else {
            self.apply_interpreted(cancel, no_jump);
        }
    }

    /// The ground is gone: flies on as it moved, and jumps if it was about to. Retail: `CMotionInterp::LeaveGround`.
    /// Spec: motion §10.3.8, physics-objects §8.12.
    pub(crate) fn leave_ground(&mut self) {
        if !(self.is_creature_or_unknown() && self.state.contains(State::GRAVITY)) {
            return;
        }
        let mut local = self.state_velocity().with_z(self.take_off_speed());
        if local.abs().max_element() < EPSILON {
            local = self.position.frame.rotate_inverse(self.velocity);
        }
        self.set_velocity(self.position.frame.rotate(local));
        if let Some(interpreter) = self.interpreter_mut() {
            interpreter.standing_long_jump = false;
            interpreter.jump_extent = 0.0;
        }
        self.drop_links();
        self.apply_current(false, false);
    }

    /// There is ground again. Retail: `MovementManager::HitGround`. Spec: motion §10.3.8.
    pub(crate) fn hit_ground(&mut self) {
        if self.is_creature_or_unknown() && self.state.contains(State::GRAVITY) {
            self.drop_links();
            self.apply_current(false, false);
        }
        self.resume_move_to();
    }

    /// What comes before anything that a server orders; false when the object cannot follow orders.
    /// Retail: `MovementManager::unpack_movement`. Spec: entities §2.5.3.
    pub(crate) fn begin_order(&mut self, style: Command) -> bool {
        self.cancel_move_to(MotionError::CANCELLED);
        self.unstick();
        let Some(interpreter) = self.interpreter() else { return false };
        if interpreter.interpreted.style != style {
            // A style that the table lacks is left out.
            let _ = self.do_motion(style, &MovementParameters::default());
        }
        true
    }

    /// Takes over what a server says an object is doing. Retail: `CMotionInterp::move_to_interpreted_state`.
    /// Spec: entities §2.5.4.
    pub(crate) fn apply_movement_state(&mut self, movement: &MovementState) {
        let Some(interpreter) = self.interpreter_mut() else { return };
        interpreter.raw.style = movement.state.style;
        let no_jump = motion_forbids_jump(interpreter.interpreted.forward).is_some();
        interpreter.interpreted.copy_movement(&movement.state);
        self.apply_current(true, no_jump);
        for action in &movement.actions {
            self.apply_server_action(action);
        }
        if let Some(interpreter) = self.interpreter_mut() {
            interpreter.standing_long_jump = movement.standing_long_jump;
        }
    }

    fn apply_server_action(&mut self, action: &ServerAction) {
        let is_own = self.actor.as_ref().is_some_and(|actor| actor.skills.is_some());
        let has_game_object = self.role.has_game_object;
        let Some(interpreter) = self.interpreter_mut() else { return };
        let is_executed = has_game_object && !is_own || !action.autonomous;
        if is_newer_action(interpreter.server_action_stamp, action.stamp) && is_executed {
            interpreter.server_action_stamp = action.stamp & 0x7FFF;
            let parameters = MovementParameters {
                speed: action.speed,
                stamp: action.stamp.into(),
                ..MovementParameters::default()
            };
            let _ = self
                .do_interpreted(action.command, &parameters.with(MoveFlags::AUTONOMOUS, action.autonomous));
        }
    }

    /// Whether a command still waits for the end of its motion. Retail: `CMotionInterp::motions_pending`.
    pub(super) fn has_pending_commands(&self) -> bool {
        self.interpreter().is_some_and(|interpreter| !interpreter.pending.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::is_newer_action;
    use proptest::prelude::*;

    /// Spec: entities §11, example 2.
    #[test]
    fn numbers_of_actions_wrap_at_fifteen_bits() {
        for (last, new, expected) in [
            (0x7FFE, 1, true),
            (5, 5, false),
            (0, 0x3FFF, true),
            (0, 0x4000, false),
            (0x4000, 0, true),
            (3, 2, false),
        ] {
            assert_eq!(is_newer_action(last, new), expected, "({last:#x}, {new:#x})");
        }
    }

    proptest! {
        /// Of two different numbers exactly one is newer, and one a little ahead always is, over the wrap too.
        #[test]
        fn of_two_actions_one_is_newer(last in 0u16..0x8000, ahead in 1u16..0x8000) {
            let new = (last + ahead) & 0x7FFF;
            prop_assert_ne!(is_newer_action(last, new), is_newer_action(new, last));
            if ahead <= 0x3FFF {
                prop_assert!(is_newer_action(last, new));
            }
        }
    }
}
