//! Jumps: when they are possible, and how fast they begin. Spec: motion §10.2, §10.3.

use super::{MotionError, PendingCommand};
use crate::{flags::State, scene::Entity};
use threshold_world::{EPSILON, motion::Command};

/// Take-off speed of what the game knows nothing about.
const UNKNOWN_JUMP_SPEED: f32 = 10.0;
/// Burden from which on nobody can jump.
const MAX_JUMP_BURDEN: f32 = 2.0;
/// Motions during which no jump is possible, besides those of [`is_low`].
const NO_JUMP: [std::ops::RangeInclusive<u32>; 5] = [
    0x4000_0008..=0x4000_0008,
    0x4000_0016..=0x4000_0018,
    0x4000_001E..=0x4000_0039,
    0x1000_006F..=0x1000_0078,
    0x1000_0128..=0x1000_0131,
];

/// Seconds until a jump has its full power.
const CHARGE_TIME: f32 = 1.0;
/// The same in the style of those who charge faster.
const FAST_CHARGE_TIME: f32 = 0.8;
/// That style.
const FAST_CHARGE_STYLE: Command = Command(0x8000_0046);
/// The least power of a jump.
const MIN_POWER: f32 = 0.001;

/// Power of a jump that was charged for a time, 0.001…1. Spec: motion §10.2.4.
pub fn charged_power(seconds: f32, style: Command) -> f32 {
    let whole = if style == FAST_CHARGE_STYLE { FAST_CHARGE_TIME } else { CHARGE_TIME };
    (seconds / whole).clamp(MIN_POWER, 1.0)
}

/// Crouching, sitting or sleeping.
fn is_low(motion: Command) -> bool {
    (Command::CROUCH..=Command::SLEEPING).contains(&motion)
}

/// Why no jump is possible during a motion, if so. Retail: `CMotionInterp::motion_allows_jump`. Spec: motion §10.2.2.
pub(super) fn motion_forbids_jump(motion: Command) -> Option<MotionError> {
    let forbids = is_low(motion) || NO_JUMP.iter().any(|range| range.contains(&motion.0));
    forbids.then_some(MotionError::NOT_FROM_HERE)
}

impl Entity {
    /// Why no jump can begin, if so. Retail: `CMotionInterp::jump_is_allowed`. Spec: motion §10.2.3.
    pub(super) fn jump_refusal(&self) -> Option<MotionError> {
        let Some(interpreter) = self.interpreter() else { return Some(MotionError::GENERAL) };
        if self.is_creature_or_unknown() && self.state.contains(State::GRAVITY) && !self.is_grounded() {
            return Some(MotionError::NOT_IN_CONTACT);
        }
        if self.actor.as_ref().is_some_and(|actor| actor.is_fully_constrained()) {
            return Some(MotionError::GENERAL);
        }
        let oldest = interpreter.pending.front().and_then(|command: PendingCommand| command.jump);
        let can_tell = !self.role.has_game_object || self.actor.as_ref().is_some_and(|a| a.skills.is_some());
        oldest
            .or_else(|| self.charge_refusal())
            .or_else(|| motion_forbids_jump(interpreter.interpreted.forward))
            .or_else(|| (!can_tell).then_some(MotionError::GENERAL))
    }

    /// Why no jump can be charged, if so.
    fn charge_refusal(&self) -> Option<MotionError> {
        let actor = self.actor.as_deref()?;
        if actor.skills.as_ref().is_some_and(|skills| skills.burden >= MAX_JUMP_BURDEN) {
            return Some(MotionError::TOO_LOADED);
        }
        let forward = actor.interpreter.as_ref()?.interpreted.forward;
        (forward == Command::FALLEN || is_low(forward)).then_some(MotionError::NOT_FROM_HERE)
    }

    /// Begins to charge a jump; from a stand it becomes a long jump. Retail: `CMotionInterp::charge_jump`.
    /// Spec: motion §10.2.4.
    pub(crate) fn charge_jump(&mut self) -> Result<(), MotionError> {
        self.ensure_interpreter();
        if let Some(refusal) = self.charge_refusal() {
            return Err(refusal);
        }
        let grounded = self.is_grounded();
        let Some(interpreter) = self.interpreter_mut() else { return Err(MotionError::GENERAL) };
        let state = &interpreter.interpreted;
        let stands =
            state.forward == Command::READY && state.side == Command::NONE && state.turn == Command::NONE;
        if grounded && stands {
            interpreter.standing_long_jump = true;
        }
        Ok(())
    }

    /// Prepares a jump of a power between 0 and 1; the object must then leave the ground.
    /// Retail: `CMotionInterp::jump`. Spec: motion §10.3.12.
    pub(crate) fn begin_jump(&mut self, extent: f32) -> Result<(), MotionError> {
        self.ensure_interpreter();
        self.cancel_move_to(MotionError::CANCELLED);
        let refusal = self.jump_refusal();
        let Some(interpreter) = self.interpreter_mut() else { return Err(MotionError::GENERAL) };
        match refusal {
            Some(refusal) => {
                interpreter.standing_long_jump = false;
                Err(refusal)
            }
            None => {
                interpreter.jump_extent = extent;
                Ok(())
            }
        }
    }

    /// Retail: `CMotionInterp::get_jump_v_z`. Spec: motion §10.1.4.
    pub(super) fn take_off_speed(&self) -> f32 {
        let extent = self.interpreter().map_or(0.0, |interpreter| interpreter.jump_extent);
        if extent < EPSILON {
            return 0.0;
        }
        if !self.role.has_game_object {
            return UNKNOWN_JUMP_SPEED;
        }
        let skills = self.actor.as_ref().and_then(|actor| actor.skills);
        skills.map_or(0.0, |skills| skills.jump_speed(extent.min(1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec: motion §16, example 22.
    #[test]
    fn a_jump_is_charged_within_a_second() {
        assert_eq!(charged_power(0.4, Command::NON_COMBAT), 0.4);
        assert_eq!(charged_power(0.4, Command(0x8000_0046)), 0.5);
        assert_eq!(charged_power(0.0, Command::NON_COMBAT), 0.001);
        assert_eq!(charged_power(7.0, Command::NON_COMBAT), 1.0);
    }

    /// Spec: motion §16, example 21.
    #[test]
    fn motions_during_which_nobody_jumps() {
        for (motion, forbids) in [
            (0x4000_0015, false),
            (0x4000_0016, true),
            (0x4000_0019, false),
            (0x4000_001D, false),
            (0x4000_001E, true),
            (0x4000_0039, true),
            (0x4000_003A, false),
            (0x4100_0011, false),
            (0x4100_0012, true),
            (0x4100_0015, false),
            (0x1000_0079, false),
            (0x1000_0131, true),
            (0x1000_0132, false),
        ] {
            let expected = forbids.then_some(MotionError::NOT_FROM_HERE);
            assert_eq!(motion_forbids_jump(Command(motion)), expected, "{motion:#x}");
        }
    }
}
