//! Simulated jumps.

use super::Walker;
use crate::{SimError, Simulation, Target, clock::TICK};
use threshold_physics::{SceneError, movement::Controls};
use threshold_world::Position;

/// Ticks that a body may be in the air: half a minute, more than any fall from one end of the map's heights to the other.
const MAX_TICKS: usize = 900;

/// A jump to simulate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jump {
    /// The body that jumps.
    pub walker: Walker,
    /// Start and direction.
    pub from: Position,
    /// Keys that are held at take-off: forward, back, left and right decide the direction of the jump.
    pub controls: Controls,
    /// Power of the jump, 0…1.
    pub power: f32,
}

/// How a jump ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JumpEnd {
    /// On walkable ground.
    Landed,
    /// The body could not take off: no room, or no ground.
    NoFooting,
    /// Outside the loaded world.
    Lost,
    /// It was still in the air after half a minute, or stuck between walls.
    Stuck,
}

/// The result of a jump.
#[derive(Clone, Debug, PartialEq)]
pub struct JumpReport {
    /// How it ended.
    pub end: JumpEnd,
    /// Positions of the body, tick by tick, from take-off to the end.
    pub arc: Vec<Position>,
    /// Metres from take-off to the highest point.
    pub height: f32,
    /// Metres from the highest point down to the end.
    pub fall: f32,
    /// The first thing that was hit in the air.
    pub bumped: Option<Target>,
}

impl JumpReport {
    /// Where the body landed.
    pub fn landing(&self) -> Option<&Position> {
        self.arc.last().filter(|_| self.end == JumpEnd::Landed)
    }

    /// Seconds in the air.
    pub fn seconds(&self) -> f32 {
        (self.arc.len().saturating_sub(1) as f64 * TICK) as f32
    }
}

impl Simulation {
    /// Simulates a jump in the current world until the body lands; the world does not change.
    pub fn simulate_jump(&self, jump: &Jump) -> Result<JumpReport, SimError> {
        if !(0.0..=1.0).contains(&jump.power) {
            return Err(SceneError::NotFinite("the power of a jump").into());
        }
        let mut report =
            JumpReport { end: JumpEnd::NoFooting, arc: Vec::new(), height: 0.0, fall: 0.0, bumped: None };
        let Some(mut probe) = self.put_down(&jump.walker, &jump.from)? else { return Ok(report) };
        let start = probe.entity().position;
        probe.set_motion(jump.walker.motion(&jump.controls))?;
        report.arc.push(start);
        if !probe.jump(jump.walker.skills.jump_speed(jump.power))? {
            return Ok(report);
        }
        report.end = JumpEnd::Stuck;
        while report.arc.len() <= MAX_TICKS {
            probe.step(&self.world, &self.scene, TICK as f32)?;
            let body = probe.entity();
            let height = start.offset_to(&body.position).z;
            report.arc.push(body.position);
            report.height = report.height.max(height);
            report.fall = report.height - height;
            if body.stands() || body.cell.is_none() {
                report.end = if body.stands() { JumpEnd::Landed } else { JumpEnd::Lost };
                break;
            }
            if report.bumped.is_none() {
                let hit = self.hit_of(probe.last_sweep(), &body.body_spheres());
                report.bumped = hit.map(|hit| hit.target);
            }
        }
        Ok(report)
    }
}
