//! Held keys to movement. Spec: physics-objects §8.12.

use super::{
    BACKWARD, JUMP_CHARGE, MAX_SIDE_STEP, RUN_SPEED, RUN_TURN, SIDE_STEP, SIDE_STEP_SPEED, Skills,
    TURN_SPEED, WALK_SPEED,
};
use crate::scene::{EntityKey, Motion, Scene, SceneError};
use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// Keys that are held. Opposite ones cancel each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Charge {
    power: f32,
    /// Begun while standing still: the legs wait, and what is held at the end decides where the jump goes.
    standing: bool,
}

/// Turns held keys into the movement of one object. Retail: `CMotionInterp`, `CommandInterpreter`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Controller {
    /// What the body can do.
    pub skills: Skills,
    /// Runs unless told otherwise; the run/walk toggle.
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

    /// What the held keys make of the legs. Retail: `CMotionInterp::adjust_motion`, `get_state_velocity`.
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

    /// Hands over what the keys ask for in the tick of `seconds` that comes next: call it before the clock advances and
    /// the object is updated. True when the object jumped.
    pub fn drive(
        &mut self,
        scene: &mut Scene,
        key: EntityKey,
        controls: &Controls,
        seconds: f64,
    ) -> Result<bool, SceneError> {
        let entity = scene.get(key).ok_or(SceneError::NoSuchEntity)?;
        let grounded = entity.stands();
        let mut motion = self.motion(controls);
        let released = self.charge_jump(controls, grounded, seconds);
        if self.charge.is_some_and(|charge| charge.standing) {
            motion.velocity = Vec3::ZERO;
        }
        scene.set_motion(key, motion)?;
        match released {
            Some(power) => scene.jump(key, self.skills.jump_speed(power)),
            None => Ok(false),
        }
    }

    /// Charges while the key is held on the ground; returns the power when it is let go.
    fn charge_jump(&mut self, controls: &Controls, grounded: bool, seconds: f64) -> Option<f32> {
        if !grounded {
            self.charge = None;
            return None;
        }
        if !controls.jump {
            return self.charge.take().map(|charge| charge.power);
        }
        let charge = self.charge.get_or_insert(Charge { power: 0.0, standing: controls.is_still() });
        charge.power = (charge.power + seconds.max(0.0) as f32 / JUMP_CHARGE).min(1.0);
        None
    }
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
