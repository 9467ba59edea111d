//! Skills of a body. Spec: physics-objects §8.12.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use threshold_world::EPSILON;

/// Skills and load of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Skills {
    /// Run skill.
    pub run: u32,
    /// Jump skill.
    pub jump: u32,
    /// Burden as a fraction of capacity: below 1 it does not reduce the skills, from 2 on they count as 0.
    pub burden: f32,
}

impl Default for Skills {
    fn default() -> Self {
        Skills { run: 200, jump: 200, burden: 0.0 }
    }
}

impl Skills {
    /// The part of a skill that the load leaves, 0…1.
    pub fn freedom(&self) -> f32 {
        match self.burden {
            burden if burden < 1.0 => 1.0,
            burden if burden < 2.0 => 2.0 - burden,
            _ => 0.0,
        }
    }

    /// Factor on running speed, from 1. Retail: `MovementSystem::GetRunRate`.
    pub fn run_rate(&self) -> f32 {
        if self.run == 800 {
            return 4.5;
        }
        // Rounded once, at the end: rates of animations are multiplied with it.
        let skill = f64::from(self.run);
        ((f64::from(self.freedom()) * (11.0 * skill / (skill + 200.0)) + 4.0) / 4.0) as f32
    }

    /// Height of a jump with a power between 0 and 1, in metres. Retail: `MovementSystem::GetJumpHeight`.
    pub fn jump_height(&self, power: f32) -> f32 {
        let skill = self.jump as f32;
        let height = self.freedom() * (22.2 * skill / (skill + 1300.0) + 0.05) * power.clamp(0.0, 1.0);
        height.max(0.35)
    }

    /// Upward speed at take-off, in metres per second. Retail: `CMotionInterp::get_jump_v_z`.
    pub fn jump_speed(&self, power: f32) -> f32 {
        if power < EPSILON { 0.0 } else { (19.6 * self.jump_height(power)).sqrt() }
    }

    /// Stamina that a jump costs. Retail: `MovementSystem::JumpStaminaCost`.
    pub fn jump_cost(&self, power: f32, is_player_killer: bool) -> u32 {
        let power = power.clamp(0.0, 1.0);
        let cost = if is_player_killer {
            (100.0 * (power + 1.0)).trunc()
        } else {
            ((self.burden + 0.5) * power * 8.0 + 2.0).ceil()
        };
        cost as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f32, b: f32) -> bool {
        (a - b).abs() < 1e-4
    }

    /// physics-tests 80.
    #[test]
    fn run_rates_of_the_worked_examples() {
        let rate = |run, burden| Skills { run, burden, ..Skills::default() }.run_rate();
        for (skill, expected) in [(0, 1.0), (200, 2.375), (800, 4.5), (1000, 3.291_67)] {
            assert!(close(rate(skill, 0.0), expected), "{skill}: {}", rate(skill, 0.0));
        }
        assert!(close(rate(200, 1.5) - 1.0, (rate(200, 0.0) - 1.0) / 2.0));
        assert!(close(rate(200, 2.0), 1.0));
        assert!(close(rate(200, 7.0), 1.0));
        assert!(close(rate(200, 0.999), 2.375));
    }

    /// Spec: motion §16, example 20.
    #[test]
    fn run_rates_and_jumps_of_the_motion_examples() {
        for (run, burden, expected) in
            [(200, 0.5, 2.375), (799, 0.5, 3.1994), (800, 0.5, 4.5), (200, 1.5, 1.6875)]
        {
            let rate = Skills { run, jump: 0, burden }.run_rate();
            assert!(close(rate, expected), "{run} {burden}: {rate}");
        }
        let skills = Skills { run: 0, jump: 300, burden: 0.5 };
        for (power, height, speed) in [(1.0, 4.2125, 9.0865), (0.5, 2.1063, 6.4251), (0.001, 0.35, 2.6192)] {
            assert!(close(skills.jump_height(power), height), "{power}");
            assert!(close(skills.jump_speed(power), speed), "{power}");
        }
    }

    /// physics-tests 81.
    #[test]
    fn jumps_of_the_worked_examples() {
        for (jump, power, height, speed) in
            [(100, 1.0, 1.635_71, 5.662_16), (100, 0.1, 0.35, 2.619_16), (300, 1.0, 4.2125, 9.086_53)]
        {
            let skills = Skills { jump, ..Skills::default() };
            assert!(close(skills.jump_height(power), height), "{jump}");
            assert!(close(skills.jump_speed(power), speed), "{jump}");
        }
        let skills = Skills { jump: 300, ..Skills::default() };
        assert_eq!(skills.jump_speed(0.0001), 0.0);
        assert_eq!(skills.jump_speed(3.0), skills.jump_speed(1.0));
    }

    #[test]
    fn jumping_costs_more_under_load_and_for_those_who_fight() {
        let skills = Skills { burden: 1.0, ..Skills::default() };
        assert_eq!(skills.jump_cost(1.0, false), 14);
        assert_eq!(skills.jump_cost(0.0, false), 2);
        assert_eq!(Skills::default().jump_cost(0.5, false), 4);
        assert_eq!(skills.jump_cost(0.559, true), 155);
    }
}
