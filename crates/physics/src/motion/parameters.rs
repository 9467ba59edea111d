//! Parameters of movements. Retail: `MovementParameters`. Spec: motion §12.1, §12.2.

use bitflags::bitflags;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use threshold_world::{EPSILON, motion::Command};

/// Whether the run key counts as held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum HoldKey {
    /// As it is held at the moment.
    #[default]
    Unspecified,
    /// Not held.
    None,
    /// Held.
    Run,
}

impl HoldKey {
    /// The stored number.
    pub fn number(self) -> u32 {
        match self {
            HoldKey::Unspecified => 0,
            HoldKey::None => 1,
            HoldKey::Run => 2,
        }
    }

    /// The key with a stored number; `None` for other numbers.
    pub fn from_number(number: u32) -> Option<HoldKey> {
        [HoldKey::Unspecified, HoldKey::None, HoldKey::Run].get(number as usize).copied()
    }
}

bitflags! {
    /// Bits of [`MovementParameters`]. Unnamed bits are kept and have no effect.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct MoveFlags: u32 {
        /// May walk.
        const CAN_WALK = 0x1;
        /// May run.
        const CAN_RUN = 0x2;
        /// Never read.
        const CAN_SIDE_STEP = 0x4;
        /// Never read.
        const CAN_WALK_BACKWARDS = 0x8;
        /// Always runs.
        const CAN_CHARGE = 0x10;
        /// Never read.
        const FAIL_WALK = 0x20;
        /// Turns to the given heading at the end.
        const USE_FINAL_HEADING = 0x40;
        /// Sticks to the target at the end.
        const STICKY = 0x80;
        /// Moves away from the target.
        const MOVE_AWAY = 0x100;
        /// Moves towards the target.
        const MOVE_TOWARDS = 0x200;
        /// Distances are those of cylinders.
        const USE_CYLINDERS = 0x400;
        /// Sets the run key.
        const SET_HOLD_KEY = 0x800;
        /// The player's own doing.
        const AUTONOMOUS = 0x1000;
        /// Is remembered as a player's command.
        const MODIFY_RAW = 0x2000;
        /// Is remembered as an interpreted command.
        const MODIFY_INTERPRETED = 0x4000;
        /// Ends a move-to.
        const CANCEL_MOVE_TO = 0x8000;
        /// Stops completely first.
        const STOP_COMPLETELY = 0x1_0000;
        /// No jump before it is over.
        const NO_JUMP_DURING_LINK = 0x2_0000;
        const _ = !0;
    }
}

/// Parameters of a movement.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct MovementParameters {
    /// Bits, see [`MoveFlags`].
    pub bits: u32,
    /// Near enough, in metres.
    pub distance: f32,
    /// Too near.
    pub minimum: f32,
    /// Farther than this from the start is a failure.
    pub fail_distance: f32,
    /// Degrees clockwise from north.
    pub heading: f32,
    /// Speed of the motion.
    pub speed: f32,
    /// Farther than this from being near enough it runs.
    pub threshold: f32,
    /// The caller's number for it.
    pub context: u32,
    /// Run key.
    pub key: HoldKey,
    /// Number of an action.
    pub stamp: u32,
}

/// Farther than anything.
pub(super) const FAR: f32 = 3.4e38;

impl Default for MovementParameters {
    fn default() -> Self {
        MovementParameters {
            bits: 0x1EE0F,
            distance: 0.6,
            minimum: 0.0,
            fail_distance: FAR,
            heading: 0.0,
            speed: 1.0,
            threshold: 15.0,
            context: 0,
            key: HoldKey::Unspecified,
            stamp: 0,
        }
    }
}

/// What a distance to a target asks for. Spec: motion §12.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) command: Command,
    pub(super) away: bool,
    pub(super) key: HoldKey,
}

impl MovementParameters {
    /// The same with bits set or cleared.
    #[must_use]
    pub fn with(mut self, flags: MoveFlags, on: bool) -> MovementParameters {
        let mut bits = self.flags();
        bits.set(flags, on);
        self.bits = bits.bits();
        self
    }

    /// The bits.
    pub fn flags(&self) -> MoveFlags {
        MoveFlags::from_bits_retain(self.bits)
    }

    /// Whether all of some bits are set.
    pub fn has(&self, flags: MoveFlags) -> bool {
        self.flags().contains(flags)
    }

    /// Whether every number in it is finite.
    pub fn is_finite(&self) -> bool {
        let numbers =
            [self.distance, self.minimum, self.fail_distance, self.heading, self.speed, self.threshold];
        numbers.iter().all(|number| number.is_finite())
    }

    /// Nothing is set, as after a move-to has ended.
    pub(super) fn reset(&mut self) {
        self.bits = 0;
        self.context = 0;
    }

    /// What to do at a distance; `None` when it is near enough. Retail: `MovementParameters::get_command`.
    pub(super) fn choose(&self, distance: f32) -> Option<Choice> {
        let flags = self.flags();
        let too_far = distance > self.distance;
        let (command, away) =
            match (flags.contains(MoveFlags::MOVE_TOWARDS), flags.contains(MoveFlags::MOVE_AWAY)) {
                (true, true) if too_far => (Command::WALK_FORWARD, false),
                (true, true) => {
                    (distance - self.minimum < EPSILON).then_some((Command::WALK_BACKWARDS, true))?
                }
                (false, true) => (distance < self.minimum).then_some((Command::WALK_FORWARD, true))?,
                _ => too_far.then_some((Command::WALK_FORWARD, false))?,
            };
        let is_far = distance - self.distance > self.threshold;
        let runs = flags.contains(MoveFlags::CAN_CHARGE)
            || flags.contains(MoveFlags::CAN_RUN) && (!flags.contains(MoveFlags::CAN_WALK) || is_far);
        Some(Choice { command, away, key: if runs { HoldKey::Run } else { HoldKey::None } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec: motion §16, example 23.
    #[test]
    fn the_distance_to_a_target_decides_what_to_do() {
        let choose = |bits: u32, (distance, minimum): (f32, f32), d: f32| {
            let parameters = MovementParameters { bits, distance, minimum, ..MovementParameters::default() };
            parameters.choose(d).map(|Choice { command, away, key }| (command, away, key))
        };
        let near = (0.6, 0.0);
        let forward = |key| Some((Command::WALK_FORWARD, false, key));
        assert_eq!(choose(0x1EE0F, near, 20.0), forward(HoldKey::Run));
        assert_eq!(choose(0x1EE0F, near, 15.6), forward(HoldKey::None), "15 is not more than 15");
        assert_eq!(choose(0x1EE0F, near, 0.6), None);
        assert_eq!(choose(0x1EE1F, near, 10.0), forward(HoldKey::Run));
        assert_eq!(choose(0x1EE0E, near, 1.0), forward(HoldKey::Run));
        let keep = (5.0, 2.0);
        assert_eq!(choose(0x1EF0F, keep, 3.0), None);
        let back = choose(0x1EF0F, keep, 2.0001).map(|(command, away, _)| (command, away));
        assert_eq!(back, Some((Command::WALK_BACKWARDS, true)));
        assert_eq!(choose(0x1EF0F, keep, 2.0003), None);
        let flee = |d| choose(0x1ED0F, (0.6, 10.0), d).map(|(command, away, _)| (command, away));
        assert_eq!(flee(9.99), Some((Command::WALK_FORWARD, true)));
        assert_eq!(flee(10.0), None);
    }
}
