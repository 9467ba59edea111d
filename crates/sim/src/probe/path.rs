//! Checks a path by moving a body along its legs.

use super::Walker;
use crate::{SimError, Simulation, Target, clock::TICK};
use threshold_physics::{
    Motion, Transient,
    movement::Controls,
    scene::{Probe, check_position},
};
use threshold_world::{Position, heading_of, parallel};

/// A leg is done when the body is this near its end, seen from above, in metres.
const ARRIVED: f32 = 0.1;
/// A body this much higher or lower than the end of a leg is on another level, in metres.
const LEVEL: f32 = 1.0;
/// Ticks without progress after which a body is stuck.
const PATIENCE: u32 = 30;
/// What counts as progress, in metres.
const PROGRESS: f32 = 0.01;
/// Ticks that one path may take: an hour.
const MAX_TICKS: u32 = 108_000;

/// A path to be walked.
#[derive(Clone, Copy, Debug)]
pub struct PathCheck<'a> {
    /// The body that walks.
    pub walker: Walker,
    /// Where it begins.
    pub from: Position,
    /// Ends of its legs, in order. Their rotations are ignored.
    pub legs: &'a [Position],
}

/// Why a body stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// There is no room or no ground at the start of the path.
    NoRoom,
    /// Something is in the way.
    Blocked,
    /// It reached the end of the leg, but above or below it.
    OtherLevel,
    /// It left the loaded world.
    Lost,
    /// The path takes longer than an hour.
    TooLong,
}

/// Where and why a path ended early.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathStop {
    /// Why.
    pub reason: StopReason,
    /// The obstacle, if there is one.
    pub blocker: Option<Target>,
}

/// The result of walking a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathReport {
    /// Where the body was at the end.
    pub end: Position,
    /// Number of completed legs.
    pub legs: u32,
    /// Seconds walked.
    pub seconds: f32,
    /// Metres walked, seen from above.
    pub metres: f32,
    /// The deepest fall on the path, in metres.
    pub deepest_fall: f32,
    /// Where and why it ended early; `None` when every leg was completed.
    pub stop: Option<PathStop>,
}

impl PathReport {
    /// Whether every leg was completed.
    pub fn holds(&self) -> bool {
        self.stop.is_none()
    }
}

/// A path being walked.
struct Walk<'a> {
    sim: &'a Simulation,
    walker: Walker,
    probe: Probe,
    ticks: u32,
    metres: f32,
    deepest_fall: f32,
    /// Where the body last stood, when it does not stand now.
    left_ground_at: Option<Position>,
}

impl Simulation {
    /// Moves a body along a path through the current world, tick by tick, and reports how far it gets and what stops it.
    /// The world does not change: the body hits everything, and nothing notices it. Doors keep their current state.
    pub fn check_path(&self, path: &PathCheck<'_>) -> Result<PathReport, SimError> {
        path.legs.iter().try_for_each(check_position)?;
        let Some(probe) = self.put_down(&path.walker, &path.from)? else {
            let stop = Some(PathStop { reason: StopReason::NoRoom, blocker: None });
            let end = path.from;
            return Ok(PathReport { end, legs: 0, seconds: 0.0, metres: 0.0, deepest_fall: 0.0, stop });
        };
        let mut walk = Walk {
            sim: self,
            walker: path.walker,
            probe,
            ticks: 0,
            metres: 0.0,
            deepest_fall: 0.0,
            left_ground_at: None,
        };
        for (done, leg) in (0..).zip(path.legs) {
            if let Err(stop) = walk.leg(leg)? {
                return Ok(walk.report(done, Some(stop)));
            }
        }
        Ok(walk.report(path.legs.len() as u32, None))
    }

    /// Like [`Simulation::check_path`] for many paths, on all processors.
    pub fn check_paths(&self, paths: &[PathCheck<'_>]) -> Vec<Result<PathReport, SimError>> {
        parallel::map(paths, |path| self.check_path(path))
    }
}

impl Walk<'_> {
    fn report(&self, legs: u32, stop: Option<PathStop>) -> PathReport {
        PathReport {
            end: self.probe.entity().position,
            legs,
            seconds: (f64::from(self.ticks) * TICK) as f32,
            metres: self.metres,
            deepest_fall: self.deepest_fall,
            stop,
        }
    }

    /// Walks to the end of a leg; the inner error says why it cannot.
    fn leg(&mut self, to: &Position) -> Result<Result<(), PathStop>, SimError> {
        let (mut nearest, mut patience) = (f32::INFINITY, PATIENCE);
        loop {
            let body = self.probe.entity();
            let (stands, way) = (body.stands(), body.position.offset_to(to));
            let distance = way.truncate().length();
            if body.cell.is_none() {
                return Ok(Err(PathStop { reason: StopReason::Lost, blocker: None }));
            }
            if distance < ARRIVED && stands {
                let stop = PathStop { reason: StopReason::OtherLevel, blocker: None };
                return Ok(if way.z.abs() <= LEVEL { Ok(()) } else { Err(stop) });
            }
            if self.ticks >= MAX_TICKS {
                return Ok(Err(PathStop { reason: StopReason::TooLong, blocker: None }));
            }
            if distance < nearest - PROGRESS || !stands {
                patience = PATIENCE;
            } else if patience == 0 {
                return Ok(Err(self.blocked()));
            }
            patience -= 1;
            nearest = nearest.min(distance);
            self.tick(heading_of(way), distance)?;
        }
    }

    /// One tick towards something at a distance; the last stride is as short as it needs to be.
    fn tick(&mut self, heading: f32, distance: f32) -> Result<(), SimError> {
        let before = self.probe.entity().position;
        let ahead = self.walker.motion(&Controls { forward: true, ..Controls::default() });
        let velocity = ahead.velocity.clamp_length_max(distance / TICK as f32);
        self.probe.face(heading);
        self.probe.set_motion(Motion { velocity, ..ahead })?;
        self.probe.step(&self.sim.world, &self.sim.scene, TICK as f32)?;
        self.ticks += 1;
        let body = self.probe.entity();
        self.metres += before.offset_to(&body.position).truncate().length();
        match (self.left_ground_at, body.stands()) {
            (None, false) => self.left_ground_at = Some(before),
            (Some(from), true) => {
                let drop = -from.offset_to(&body.position).z;
                self.deepest_fall = self.deepest_fall.max(drop);
                self.left_ground_at = None;
            }
            _ => {}
        }
        Ok(())
    }

    /// A body that pushes straight against what it slides along does not move, and its sweep meets nothing any more: then
    /// what it slides along is in the way.
    fn blocked(&self) -> PathStop {
        let body = self.probe.entity();
        let spheres = body.body_spheres();
        let hit = self.sim.hit_of(self.probe.last_sweep(), &spheres).map(|hit| hit.target);
        let slides = body.has(Transient::SLIDING);
        let along = || match body.slid_along {
            Some(key) => Target::Entity(key),
            None => self.sim.behind(body.sliding_normal, &body.position, &spheres),
        };
        PathStop { reason: StopReason::Blocked, blocker: hit.or_else(|| slides.then(along)) }
    }
}
