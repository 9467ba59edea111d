//! Spheres and objects swept through the world as it is now.

use crate::{Hit, Sight, SimError, Simulation, Spot, Target};
use glam::Vec3;
use threshold_physics::{
    EntityKey, Mover, MoverFlags, SceneError, State, Sweeper,
    cast::{Blockers, Cast},
    cells::{CellSet, build},
    scene::{camera, check_position},
    sweep::{MAX_MOVER_SPHERES, SweepInput},
};
use threshold_world::{CellId, Frame, Position, geometry::Sphere, parallel};

/// Radii of spheres that are swept: smaller ones would take tens of thousands of sub-steps across a block, larger ones
/// do not fit into anything.
const RADII: std::ops::RangeInclusive<f32> = 0.01..=50.0;
/// How far beyond a sphere's surface the thing that stopped it is looked for, in metres.
const BEYOND: f32 = 0.1;
/// Questions that a thread takes at once: fewer would cost more to hand over than to answer.
const GRAIN: usize = 32;

/// How a sphere reacts to obstacles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SphereKind {
    /// Stops at the first obstacle; passes through living and ethereal objects.
    #[default]
    Camera,
    /// Stops at the first obstacle, including creatures.
    Missile,
    /// Slides along obstacles.
    Slide,
}

/// A sphere to be swept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereSweep {
    /// Its centre at the start; its cell is used as given.
    pub from: Position,
    /// The target of its centre.
    pub to: Position,
    /// Metres.
    pub radius: f32,
    /// How it behaves.
    pub kind: SphereKind,
}

/// An obstacle that a sweep hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweptHit {
    /// What.
    pub target: Target,
    /// Its surface normal; zero when it has no direction.
    pub normal: Vec3,
}

/// How a sweep ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swept {
    /// Where it ended, in the cell it was in.
    pub position: Position,
    /// Whether a valid position was found, in a loaded cell.
    pub is_valid: bool,
    /// Metres left to the target.
    pub remaining: f32,
    /// The last obstacle it hit.
    pub hit: Option<SweptHit>,
}

impl SphereSweep {
    fn mover(&self) -> Mover {
        let sphere = Sphere { center: Vec3::ZERO, radius: self.radius };
        let (flags, state) = match self.kind {
            SphereKind::Camera => (MoverFlags::CAMERA, State::empty()),
            SphereKind::Missile => (MoverFlags::PATH_CLIPPED | MoverFlags::PERFECT_CLIP, State::MISSILE),
            SphereKind::Slide => (MoverFlags::empty(), State::empty()),
        };
        Mover { flags, state, spheres: [sphere; MAX_MOVER_SPHERES], ..camera() }
    }

    fn check(&self) -> Result<(), SceneError> {
        check_position(&self.from)?;
        check_position(&self.to)?;
        if RADII.contains(&self.radius) { Ok(()) } else { Err(SceneError::NotFinite("a radius")) }
    }
}

impl Simulation {
    /// Sweeps a sphere through everything solid; the world does not change.
    pub fn sweep_sphere(&self, sweep: &SphereSweep) -> Result<Swept, SimError> {
        self.sweep_sphere_with(&mut Sweeper::new(), sweep)
    }

    fn sweep_sphere_with(&self, sweeper: &mut Sweeper, sweep: &SphereSweep) -> Result<Swept, SimError> {
        self.sweep_mover(sweeper, sweep.mover(), sweep)
    }

    fn sweep_mover(
        &self,
        sweeper: &mut Sweeper,
        mover: Mover,
        sweep: &SphereSweep,
    ) -> Result<Swept, SimError> {
        sweep.check()?;
        let spheres = [mover.spheres[0]];
        let input = SweepInput::new(mover, &sweep.from, &sweep.to);
        sweeper.sweep(&self.world, &self.scene, input, None).map_err(SceneError::from)?;
        Ok(self.swept(sweeper, &spheres, &sweep.to))
    }

    /// Like [`Simulation::sweep_sphere`] for many spheres, on all processors.
    pub fn sweep_spheres(&self, sweeps: &[SphereSweep]) -> Vec<Result<Swept, SimError>> {
        let each = |sweeper: &mut Sweeper, sweep: &SphereSweep| self.sweep_sphere_with(sweeper, sweep);
        parallel::map_init(sweeps, GRAIN, Sweeper::new, each)
    }

    /// Sweeps an object from its position, with its own body and footing, as one move; the object does not move.
    pub fn sweep_entity(&self, key: EntityKey, to: &Position) -> Result<Swept, SimError> {
        check_position(to)?;
        let entity = self.entity(key)?;
        let mut sweeper = Sweeper::new();
        self.scene.sweep_entity(&self.world, key, to, &mut sweeper, None)?;
        Ok(self.swept(&sweeper, &entity.body_spheres(), to))
    }

    fn swept(&self, sweeper: &Sweeper, body: &[Sphere], to: &Position) -> Swept {
        let outcome = sweeper.outcome();
        let held = outcome.cell.unwrap_or(outcome.position.cell);
        let position = Position::new(held, outcome.position.frame);
        Swept {
            position,
            is_valid: outcome.ok && outcome.cell.is_some(),
            remaining: position.distance_to(to),
            hit: self.hit_of(sweeper, body),
        }
    }

    /// What a sweep ran into last: the object that was in its way, else what lies behind the surface that it met.
    pub(super) fn hit_of(&self, sweeper: &Sweeper, body: &[Sphere]) -> Option<SweptHit> {
        let outcome = sweeper.outcome();
        let log = &outcome.log;
        let normal = if log.hit_valid { log.hit } else { Vec3::ZERO };
        if let Some(key) = log.last_touched {
            return Some(SweptHit { target: Target::Entity(key), normal });
        }
        let held = Position::new(outcome.cell?, outcome.position.frame);
        log.hit_valid.then(|| SweptHit { target: self.behind(normal, &held, body), normal })
    }

    /// What a body that stands somewhere is held by, against a surface's normal.
    pub(super) fn behind(&self, normal: Vec3, held: &Position, body: &[Sphere]) -> Target {
        let cast = |sphere: &Sphere| {
            let from = Position::new(held.cell, Frame::at(held.frame.apply(sphere.center)));
            let reach = sphere.radius + BEYOND;
            let blockers = Blockers::Solid;
            self.cast(&Cast { from, direction: -normal, reach, blockers, ignored: &[] })
        };
        let around =
            if held.cell.is_interior() { Target::Room(held.cell) } else { Target::Ground(held.cell) };
        body.iter().find_map(cast).map_or(around, |hit| hit.target)
    }

    /// Like [`Simulation::line_of_sight`] for a sphere of some `radius`: whether a missile or a camera of that size would
    /// pass. A radius of zero is a ray.
    pub fn line_of_sight_within(
        &self,
        from: impl Into<Spot>,
        to: impl Into<Spot>,
        radius: f32,
    ) -> Result<Sight, SimError> {
        let (from, to) = (from.into(), to.into());
        if radius == 0.0 {
            return self.line_of_sight(from, to);
        }
        let (begin, end) = (self.end_of_sight(from)?, self.end_of_sight(to)?);
        let sweep = SphereSweep { from: begin, to: end, radius, kind: SphereKind::Camera };
        let mut mover = sweep.mover();
        let target = |spot| match spot {
            Spot::Object(key) => Some(key),
            Spot::Place(_) => None,
        };
        mover.entity = target(from);
        let swept = self.sweep_mover(&mut Sweeper::new(), mover, &sweep)?;
        let Some(hit) = swept.hit else { return Ok(Sight::Clear) };
        // A sphere never comes to the middle of something solid: the other end is reached on contact.
        if target(to).is_some_and(|key| hit.target == Target::Entity(key)) {
            return Ok(Sight::Clear);
        }
        let distance = begin.distance_to(&swept.position);
        let point = swept.position.frame.origin - hit.normal * radius;
        Ok(Sight::Blocked(Hit { target: hit.target, distance, point, cell: swept.position.cell }))
    }

    /// Like [`Simulation::line_of_sight_within`] for many pairs, on all processors.
    pub fn lines_of_sight(&self, pairs: &[(Spot, Spot)], radius: f32) -> Vec<Result<Sight, SimError>> {
        let each = |&(from, to): &(Spot, Spot)| self.line_of_sight_within(from, to, radius);
        parallel::map_init(pairs, GRAIN, || (), |(), pair| each(pair))
    }

    /// Like [`Simulation::cast`] for many rays, on all processors.
    pub fn casts(&self, casts: &[Cast<'_>]) -> Vec<Option<Hit>> {
        parallel::map_init(casts, GRAIN, || (), |(), cast| self.cast(cast))
    }

    /// Cells that a sphere touches, in the original's order: its own cell first, then those it reaches through openings.
    /// The position is its centre.
    pub fn cells_of_sphere(&self, center: &Position, radius: f32) -> Result<Vec<CellId>, SimError> {
        check_position(center)?;
        if !(0.0..=*RADII.end()).contains(&radius) {
            return Err(SceneError::NotFinite("a radius").into());
        }
        let mut cells = CellSet::default();
        build(&self.world, &mut cells, center, &[Sphere { center: center.frame.origin, radius }]);
        Ok(cells.ids().collect())
    }

    /// Finds the cell of a position from an outside source, as the original does before placing an object: outdoors
    /// the land cell under it, indoors the first cell that its own cell can see and that contains `reference`, a point in
    /// the mover's space; `None` when no cell contains it. Retail: `CPhysicsObj::AdjustPosition`.
    pub fn reseat(&self, position: &Position, reference: Vec3) -> Result<Option<Position>, SimError> {
        if !(position.frame.is_finite() && reference.is_finite()) {
            return Err(SceneError::NotFinite("position").into());
        }
        Ok(self.world.reseat(position, reference))
    }
}
