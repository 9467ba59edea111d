//! Held keys to movement. Spec: physics-objects §8.12.

use super::{
    BACKWARD, MAX_SIDE_STEP, RUN_SPEED, RUN_TURN, SIDE_STEP, SIDE_STEP_SPEED, Skills, TURN_SPEED, WALK_SPEED,
    keys::allowed,
};
use crate::{
    motion::{HoldKey, RawCommand, RawState, charged_power},
    scene::{Entity, EntityKey, Motion, Scene, SceneError},
};
use glam::{Vec2, Vec3};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use threshold_world::motion::Command;

/// Held keys. Opposite ones cancel each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Controls {
    /// Ahead.
    pub forward: bool,
    /// Backwards.
    pub back: bool,
    /// A step to the left.
    pub left: bool,
    /// A step to the right.
    pub right: bool,
    /// Turn left.
    pub turn_left: bool,
    /// Turn right.
    pub turn_right: bool,
    /// Walk instead of running, or run instead of walking when [`Controller::runs`] is off.
    pub toggle_run: bool,
    /// Charge a jump; letting go jumps.
    pub jump: bool,
}

impl Controls {
    fn ahead(self) -> f32 {
        axis(self.forward, self.back)
    }

    fn aside(self) -> f32 {
        axis(self.right, self.left)
    }

    fn turn(self) -> f32 {
        axis(self.turn_right, self.turn_left)
    }

    fn is_still(self) -> bool {
        self.ahead() == 0.0 && self.aside() == 0.0 && self.turn() == 0.0
    }
}

fn axis(plus: bool, minus: bool) -> f32 {
    f32::from(i8::from(plus) - i8::from(minus))
}

/// A jump being charged.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
struct Charge {
    seconds: f32,
    power: f32,
    /// Begun while standing still: the legs wait, and what is held at the end decides where the jump goes.
    standing: bool,
}

/// Turns held keys into the movement of one object. Retail: `CMotionInterp`, `CommandInterpreter`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Controller {
    /// Skills of the body.
    pub skills: Skills,
    /// Runs by default; the run/walk toggle.
    pub runs: bool,
    charge: Option<Charge>,
}

impl Default for Controller {
    fn default() -> Self {
        Controller::new(Skills::default())
    }
}

impl Controller {
    /// A controller that runs.
    pub fn new(skills: Skills) -> Controller {
        Controller { skills, runs: true, charge: None }
    }

    /// Power of the jump that is being charged, 0…1.
    pub fn jump_power(&self) -> Option<f32> {
        self.charge.map(|charge| charge.power)
    }

    /// The leg motion for the held keys. Retail: `CMotionInterp::adjust_motion`, `get_state_velocity`.
    pub fn motion(&self, controls: &Controls) -> Motion {
        let runs = self.runs != controls.toggle_run;
        let rate = self.skills.run_rate();
        let ahead = controls.ahead();
        let y = match (ahead > 0.0, runs) {
            (true, true) => RUN_SPEED * rate,
            (true, false) => WALK_SPEED,
            (false, _) => WALK_SPEED * BACKWARD * ahead * if runs { rate } else { 1.0 },
        };
        let mut side = SIDE_STEP * controls.aside();
        if runs {
            side = (side * rate).clamp(-MAX_SIDE_STEP, MAX_SIDE_STEP);
        }
        let velocity = Vec2::new(SIDE_STEP_SPEED * side, y).clamp_length_max(RUN_SPEED * rate);
        let turn = TURN_SPEED * controls.turn() * if runs { RUN_TURN } else { 1.0 };
        Motion { velocity: velocity.extend(0.0), turn }
    }

    /// Applies the keys for the next tick of `seconds`: call it before the clock advances and the object is updated. True when
    /// the object jumped.
    ///
    /// An object with a motion table gets commands from the keys, as in the original, and moves with its animations. One
    /// without a table moves at the speeds the animations are made for.
    pub fn drive(
        &mut self,
        scene: &mut Scene,
        key: EntityKey,
        controls: &Controls,
        seconds: f64,
    ) -> Result<bool, SceneError> {
        let entity = scene.get(key).ok_or(SceneError::NoSuchEntity)?;
        let grounded = entity.stands();
        let style =
            entity.interpreter().map_or(Command::NON_COMBAT, |interpreter| interpreter.interpreted.style);
        let has_table = entity.has_motion_table();
        let was_charging = self.charge.is_some();
        let released = self.charge_jump(controls, grounded, seconds, style);
        if has_table {
            self.press(scene, key, controls)?;
            if self.charge.is_some() && !was_charging && !allowed(scene.charge_jump(key))? {
                self.charge = None;
            }
            return match released {
                Some(power) => allowed(scene.jump_with_power(key, power)),
                None => Ok(false),
            };
        }
        let mut motion = self.motion(controls);
        if self.charge.is_some_and(|charge| charge.standing) {
            motion.velocity = Vec3::ZERO;
        }
        scene.set_motion(key, motion)?;
        match released {
            Some(power) => scene.jump(key, self.skills.jump_speed(power)),
            None => Ok(false),
        }
    }

    /// Makes an object stand still: releases all keys, and cancels a charged jump.
    pub fn rest(&mut self, scene: &mut Scene, key: EntityKey) -> Result<(), SceneError> {
        self.charge = None;
        if scene.get(key).is_some_and(Entity::has_motion_table) {
            return self.press(scene, key, &Controls::default());
        }
        scene.set_motion(key, Motion::default())
    }

    /// Tells the object's interpreter which keys are held.
    fn press(&self, scene: &mut Scene, key: EntityKey, controls: &Controls) -> Result<(), SceneError> {
        scene.set_motion(key, Motion::default())?;
        let entity = scene.get(key).ok_or(SceneError::NoSuchEntity)?;
        let wanted = entity.interpreter().map(|interpreter| self.commands(controls, &interpreter.raw));
        if entity.actor().and_then(|actor| actor.skills()) != Some(&self.skills) {
            scene.set_skills(key, Some(self.skills))?;
        }
        wanted.map_or(Ok(()), |wanted| scene.hold_keys(key, &wanted))
    }

    /// The commands that held keys stand for. What no key stands for goes on when none is held.
    fn commands(&self, controls: &Controls, held: &RawState) -> RawState {
        let of = |axis: f32, [plus, minus, rest]: [Command; 3], held: RawCommand| match axis {
            axis if axis > 0.0 => RawCommand::new(plus),
            axis if axis < 0.0 => RawCommand::new(minus),
            _ if is_key(held.command) => RawCommand::new(rest),
            _ => held,
        };
        let (ahead, aside, turn) = (controls.ahead(), controls.aside(), controls.turn());
        let back_and_forth = [Command::WALK_FORWARD, Command::WALK_BACKWARDS, Command::READY];
        let to_the_sides = [Command::SIDE_STEP_RIGHT, Command::SIDE_STEP_LEFT, Command::NONE];
        let round = [Command::TURN_RIGHT, Command::TURN_LEFT, Command::NONE];
        RawState {
            hold_key: if self.runs != controls.toggle_run { HoldKey::Run } else { HoldKey::None },
            style: held.style,
            forward: of(ahead, back_and_forth, held.forward),
            side: of(aside, to_the_sides, held.side),
            turn: of(turn, round, held.turn),
            actions: VecDeque::new(),
        }
    }

    /// Charges while the key is held on the ground; returns the power when it is released.
    fn charge_jump(
        &mut self,
        controls: &Controls,
        grounded: bool,
        seconds: f64,
        style: Command,
    ) -> Option<f32> {
        if !grounded {
            self.charge = None;
            return None;
        }
        if !controls.jump {
            return self.charge.take().map(|charge| charge.power);
        }
        let begun = Charge { seconds: 0.0, power: 0.0, standing: controls.is_still() };
        let charge = self.charge.get_or_insert(begun);
        charge.seconds += seconds.max(0.0) as f32;
        charge.power = charged_power(charge.seconds, style);
        None
    }
}

/// Whether a command is what a key stands for; others go on when no key is held.
fn is_key(command: Command) -> bool {
    matches!(
        command,
        Command::WALK_FORWARD
            | Command::WALK_BACKWARDS
            | Command::SIDE_STEP_RIGHT
            | Command::SIDE_STEP_LEFT
            | Command::TURN_RIGHT
            | Command::TURN_LEFT
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn velocity(run: u32, runs: bool, controls: Controls) -> Vec3 {
        let skills = Skills { run, ..Skills::default() };
        Controller { runs, ..Controller::new(skills) }.motion(&controls).velocity
    }

    fn close(a: Vec3, x: f32, y: f32) -> bool {
        (a - Vec3::new(x, y, 0.0)).length() < 1e-4
    }

    /// physics-tests 80, 82.
    #[test]
    fn speeds_of_the_worked_examples() {
        let forward = Controls { forward: true, ..Controls::default() };
        let back = Controls { back: true, ..Controls::default() };
        let left = Controls { left: true, ..Controls::default() };
        for (skill, speed) in [(0, 4.0), (200, 9.5), (800, 18.0)] {
            assert!(close(velocity(skill, true, forward), 0.0, speed), "{skill}");
            assert!(close(velocity(skill, false, forward), 0.0, 3.12), "{skill}");
        }
        assert!(close(velocity(200, false, left), -1.56, 0.0));
        assert!(close(velocity(200, false, back), 0.0, -2.028));
        // Backing up scales with the run rate, but stays a walk; a side step is clamped to 3.
        assert!(close(velocity(200, true, back), 0.0, -2.028 * 2.375));
        assert!(close(velocity(200, true, left), -1.56 * 2.375, 0.0));
        assert!(close(velocity(800, true, left), -3.75, 0.0));
    }

    #[test]
    fn going_diagonally_is_not_faster_than_running() {
        let both = Controls { forward: true, right: true, ..Controls::default() };
        let v = velocity(200, true, both);
        assert!((v.length() - 9.5).abs() < 1e-3 && v.x > 0.0, "{v}");
        let v = velocity(200, false, both);
        assert!(close(v, 1.56, 3.12), "{v}");
    }

    #[test]
    fn opposite_keys_cancel_and_the_other_gait_turns_the_toggle_round() {
        let all = Controls { forward: true, back: true, left: true, right: true, ..Controls::default() };
        assert_eq!(velocity(200, true, all), Vec3::ZERO);
        let walk = Controls { forward: true, toggle_run: true, ..Controls::default() };
        assert!(close(velocity(200, true, walk), 0.0, 3.12));
        assert!(close(velocity(200, false, walk), 0.0, 9.5));
    }

    #[test]
    fn turning_is_half_as_fast_again_while_running() {
        let controls = Controls { turn_left: true, ..Controls::default() };
        let turn = |runs| Controller { runs, ..Controller::default() }.motion(&controls).turn;
        assert_eq!(turn(false), -TURN_SPEED);
        assert_eq!(turn(true), -TURN_SPEED * 1.5);
    }
}
