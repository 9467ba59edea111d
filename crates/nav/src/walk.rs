//! A body that walks a route, tick by tick, to prove it.

use crate::{
    NavError, Policy, Surroundings,
    agent::{TICK, put_down},
    surroundings::Passed,
};
use glam::{Vec2, Vec3};
use threshold_physics::{
    Motion, Transient,
    scene::{Foothold, Probe, check_position},
};
use threshold_world::{CellId, Position, heading_of};

/// A body this near to a place seen from above is there, in metres.
const ARRIVED: f32 = 0.01;
/// A body that cannot come nearer than this is there all the same, in metres.
const SLACK: f32 = 0.25;
/// Ticks without progress after which it is stuck.
const PATIENCE: u32 = 6;
/// What counts as progress, in metres.
const PROGRESS: f32 = 0.01;
/// A body turns when it would pass a place at this distance, in metres: turning at every tick costs a third of a walk.
const MISS: f32 = 0.000_2;
/// Ticks that a leg may take besides what its length needs.
const DELAY: u32 = 90;
/// A body this much higher or lower than where it should be is on another level, in metres.
const LEVEL: f32 = 1.2;

/// Why a leg fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegFailure {
    /// Something is in the way.
    Blocked,
    /// A door that may not be opened is in the way.
    Door(u32),
    /// It runs into a portal.
    Portal(u32),
    /// It ends above or below its goal.
    OtherLevel,
    /// The body fell too deep.
    Fell,
    /// The body left the loaded world.
    Lost,
}

/// A body on its way.
pub(crate) struct Walk<'a> {
    around: &'a Surroundings<'a>,
    policy: &'a Policy,
    probe: Probe,
    /// Metres that it goes in a tick.
    stride: f32,
    /// Where it looks; zero when that is not known.
    facing: Vec2,
    /// Something turned it aside on its last leg.
    pub(crate) has_slid: bool,
    /// Doors it went through.
    pub(crate) doors: Vec<u32>,
    /// Cells it went through.
    pub(crate) cells: Vec<CellId>,
    pub(crate) metres: f32,
}

/// How far a walk has come, to go back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Milestone {
    pub(crate) at: Foothold,
    doors: usize,
    cells: usize,
    metres: f32,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(
        around: &'a Surroundings<'a>,
        policy: &'a Policy,
        probe: Probe,
        stride: f32,
    ) -> Walk<'a> {
        Walk {
            around,
            policy,
            probe,
            stride,
            facing: Vec2::ZERO,
            has_slid: false,
            doors: Vec::new(),
            cells: Vec::new(),
            metres: 0.0,
        }
    }

    /// Puts the body down somewhere; `None` when it cannot stand there.
    pub(crate) fn put_down(&mut self, at: &Position) -> Result<Option<Foothold>, NavError> {
        self.facing = Vec2::ZERO;
        Ok(put_down(self.around, &mut self.probe, at)?)
    }

    /// Makes the body stand where it has stood before, with nothing behind it.
    pub(crate) fn start(&mut self, at: &Foothold) -> Result<(), NavError> {
        self.doors.clear();
        self.cells.clear();
        self.cells.push(at.position.cell);
        self.metres = 0.0;
        self.stand(at)
    }

    /// Makes the body stand where a portal leads; false when it cannot.
    pub(crate) fn take_portal(&mut self, portal: u32) -> Result<bool, NavError> {
        let Some(to) = self.around.portal(portal).filter(|to| check_position(to).is_ok()) else {
            return Ok(false);
        };
        let at = self.put_down(&to)?;
        self.cells.extend(at.map(|at| at.position.cell));
        Ok(at.is_some())
    }

    /// What it has cost.
    pub(crate) fn sweeps(&self) -> u64 {
        self.probe.sweeps()
    }

    pub(crate) fn position(&self) -> &Position {
        &self.probe.entity().position
    }

    pub(crate) fn milestone(&self) -> Option<Milestone> {
        let at = self.probe.foothold()?;
        Some(Milestone { at, doors: self.doors.len(), cells: self.cells.len(), metres: self.metres })
    }

    pub(crate) fn go_back(&mut self, to: &Milestone) -> Result<(), NavError> {
        self.doors.truncate(to.doors);
        self.cells.truncate(to.cells);
        self.metres = to.metres;
        self.stand(&to.at)
    }

    fn stand(&mut self, at: &Foothold) -> Result<(), NavError> {
        self.facing = Vec2::ZERO;
        Ok(self.probe.stand(self.around.world, at)?)
    }

    /// Everything that is behind it, to be taken back after another try.
    pub(crate) fn record(&self) -> (Option<Foothold>, Vec<u32>, Vec<CellId>, f32) {
        (self.probe.foothold(), self.doors.clone(), self.cells.clone(), self.metres)
    }

    pub(crate) fn set_record(
        &mut self,
        (at, doors, cells, metres): (Option<Foothold>, Vec<u32>, Vec<CellId>, f32),
    ) -> Result<(), NavError> {
        (self.doors, self.cells, self.metres) = (doors, cells, metres);
        at.map_or(Ok(()), |at| self.stand(&at))
    }

    /// Walks straight towards a place until it is in a portal; false when it does not come there.
    pub(crate) fn leg_into(&mut self, to: &Position, portal: u32) -> Result<bool, NavError> {
        Ok(self.leg(to, false)? == Err(LegFailure::Portal(portal)))
    }

    /// Walks straight to a place; its height counts when `is_level_known`.
    pub(crate) fn leg(
        &mut self,
        to: &Position,
        is_level_known: bool,
    ) -> Result<Result<(), LegFailure>, NavError> {
        let length = self.position().offset_to(to).truncate().length();
        let (mut nearest, mut patience) = (f32::INFINITY, PATIENCE);
        let mut ticks = (length / self.stride * 3.0).min(1e6) as u32 + DELAY;
        let mut left_ground_at = None;
        self.has_slid = false;
        loop {
            let body = self.probe.entity();
            let (stands, way) = (body.stands(), body.position.offset_to(to));
            let distance = way.truncate().length();
            if body.cell.is_none() {
                return Ok(Err(LegFailure::Lost));
            }
            match (left_ground_at, stands) {
                (None, false) => left_ground_at = Some(body.position),
                (Some(from), true) => {
                    if -from.offset_to(&body.position).z > self.policy.max_drop {
                        return Ok(Err(LegFailure::Fell));
                    }
                    left_ground_at = None;
                }
                _ => {}
            }
            if distance < ARRIVED && stands {
                let is_there = !is_level_known || way.z.abs() <= LEVEL;
                return Ok(if is_there { Ok(()) } else { Err(LegFailure::OtherLevel) });
            }
            if distance < nearest - PROGRESS || !stands {
                patience = PATIENCE;
            }
            if patience == 0 || ticks == 0 {
                // Pressed against something beside the place: it goes on from there as well.
                let is_close = stands && distance < SLACK && way.z.abs() < SLACK;
                return Ok(if is_close { Ok(()) } else { Err(LegFailure::Blocked) });
            }
            patience -= 1;
            ticks -= 1;
            nearest = nearest.min(distance);
            if let Err(failure) = self.tick(way, distance)? {
                return Ok(Err(failure));
            }
        }
    }

    /// One tick towards something; the last stride is as short as it needs to be.
    fn tick(&mut self, way: Vec3, distance: f32) -> Result<Result<(), LegFailure>, NavError> {
        let before = *self.position();
        let speed = self.stride.min(distance) / TICK / self.probe.entity().scale;
        let flat = way.truncate();
        if self.facing.perp_dot(flat).abs() > MISS || self.facing.dot(flat) <= 0.0 {
            self.facing = flat.normalize_or_zero();
            self.probe.face(heading_of(way));
        }
        self.probe.set_motion(Motion { velocity: Vec3::Y * speed, turn: 0.0 })?;
        self.probe.step(self.around.world, self.around.scene, TICK)?;
        let body = self.probe.entity();
        self.has_slid |= body.has(Transient::SLIDING);
        let after = body.position;
        self.metres += before.offset_to(&after).truncate().length();
        if self.cells.last() != Some(&after.cell) {
            self.cells.push(after.cell);
        }
        match self.around.passed(&self.probe) {
            Passed::Nothing => {}
            Passed::Obstacle => return Ok(Err(LegFailure::Blocked)),
            Passed::Portal(portal) => return Ok(Err(LegFailure::Portal(portal))),
            Passed::Door(door) if !self.policy.passes(self.around, door) => {
                return Ok(Err(LegFailure::Door(door)));
            }
            Passed::Door(door) if !self.doors.contains(&door) => self.doors.push(door),
            Passed::Door(_) => {}
        }
        Ok(Ok(()))
    }
}
