//! Would a jump land: a body thrown into the air.

use super::Walker;
use crate::{SimError, Simulation, Target, clock::TICK};
use threshold_physics::{SceneError, movement::Controls};
use threshold_world::Position;

/// Ticks that a body may be in the air: half a minute, more than any fall from one end of the map's heights to the other.
const MAX_TICKS: usize = 900;

/// A jump to be tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jump {
    /// Who jumps.
    pub walker: Walker,
    /// From where, and facing where.
    pub from: Position,
    /// Keys that are held at take-off: forward, back, left and right decide where the jump goes.
    pub controls: Controls,
    /// How long the key was held, 0…1.
    pub power: f32,
}

/// How a jump ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JumpEnd {
    /// On ground that one can stand on.
    Landed,
    /// There was nothing to jump off from: no room, or no ground.
    NoFooting,
    /// Outside of what is loaded.
    Lost,
    /// It was still in the air after half a minute, or stuck between walls.
    Stuck,
}

/// What came of a jump.
#[derive(Clone, Debug, PartialEq)]
pub struct JumpReport {
    /// How it ended.
    pub end: JumpEnd,
    /// Where the body was, tick by tick, from take-off to the end.
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
    /// Lets a body jump in the world as it is now and follows it until it lands; nothing changes.
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
