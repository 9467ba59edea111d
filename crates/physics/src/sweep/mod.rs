//! The sweep: one collided move, with the cell carried through it. Spec: physics-transition §7.
//!
//! A sweep has an accepted position and tries the next one; the cell changes only with an accepted sub-step. The accepted
//! position and cell are committed at the end; the cell is never derived from the final coordinates.

mod driver;
mod edge;
mod insert;
mod log;
mod misses;
mod nearby;
mod path;
mod place;
mod step;
mod tested;
#[cfg(test)]
mod tests;
mod validate;

pub use log::{Contact, ContactLog};
pub use path::MAX_MOVER_SPHERES;

pub(crate) use insert::LANDING_Z;
pub(crate) use log::unit;
pub(crate) use nearby::{LONG, SHORT};
pub(crate) use path::{FloorRecord, Local, Mode, Path};
pub(crate) use tested::TestedCell;

use crate::{
    cells::CellSet,
    collide::Ground,
    flags::{MoverFlags, State},
    scene::{EntityKey, Scene},
};
use glam::Vec3;
use threshold_world::{CellId, Position, World, geometry::Sphere};

/// Answer of every collision test. Retail: `TransitionState`. Spec: physics §1.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No attempt was made.
    Invalid,
    /// No obstacle.
    Clear,
    /// Stop.
    Blocked,
    /// The trial was moved; test again.
    Nudged,
    /// The trial was moved along a surface and contact is void; test again.
    Slid,
}

/// The mover: shape, abilities and flags. Retail: `OBJECTINFO`. Spec: physics §2.3.
#[derive(Clone, Debug)]
pub struct Mover {
    /// The moving object, which never hits itself.
    pub entity: Option<EntityKey>,
    /// What the sweep starts with.
    pub flags: MoverFlags,
    /// Spheres in the mover's own space, scale applied; at most [`MAX_MOVER_SPHERES`] are used.
    pub spheres: [Sphere; MAX_MOVER_SPHERES],
    /// How many of them there are.
    pub sphere_count: usize,
    /// Highest step.
    pub step_up: f32,
    /// Deepest step.
    pub step_down: f32,
    /// The object's state word.
    pub state: State,
    /// A missile's intended target.
    pub target: Option<EntityKey>,
    /// Walks past entry restrictions.
    pub bypasses_restrictions: bool,
}

/// Contact data a sweep starts from. Spec: physics-objects §8.1.
#[derive(Clone, Copy, Debug, Default)]
pub struct StartContact {
    /// Steers the first sub-step.
    pub contact: Option<Contact>,
    /// The mover's last contact; restored when a sub-step is refused.
    pub last_contact: Option<Contact>,
    /// Direction the mover slid along.
    pub slide: Option<Vec3>,
    /// How long it has not moved, 0…3 ([`Entity::stationary_stage`](crate::Entity::stationary_stage)).
    pub stationary_stage: u8,
}

/// A move to be swept.
#[derive(Clone, Debug)]
pub struct SweepInput<'a> {
    /// The mover.
    pub mover: Mover,
    /// Its contact and sliding state.
    pub contact: StartContact,
    /// Where it is; the cell must be the one it is in.
    pub begin: &'a Position,
    /// Where it wants to go.
    pub end: &'a Position,
}

impl<'a> SweepInput<'a> {
    /// A move without contact, such as a camera's.
    pub fn new(mover: Mover, begin: &'a Position, end: &'a Position) -> SweepInput<'a> {
        SweepInput { mover, contact: StartContact::default(), begin, end }
    }
}

/// A place to be looked for room at.
#[derive(Clone, Debug)]
pub struct PlacementInput<'a> {
    /// The object to place.
    pub mover: Mover,
    /// Where; it has been re-seated ([`World::reseat`]).
    pub at: &'a Position,
    /// Search around the place.
    pub may_search: bool,
    /// Prune the cell set to the anchor's visible list.
    pub no_load: bool,
}

/// Why a sweep was refused before it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// A coordinate or rotation is NaN or infinite.
    #[error("a coordinate of the move is NaN or infinite")]
    NotFinite,
    /// The first sphere has no size, or the move is so long that it would take millions of sub-steps.
    #[error("the move is too long for a mover of this size")]
    TooLong,
}

/// The outcome of a sweep. The cell set and the touched objects are in the [`Sweeper`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    /// Whether a valid position was found; if not, nothing may be committed.
    pub ok: bool,
    /// The place that was held at the end.
    pub position: Position,
    /// The loaded cell that was held; `None` when the mover left every cell.
    pub cell: Option<CellId>,
    /// Contact, slide, hit, ladder.
    pub log: ContactLog,
    /// The sweep stopped the mover's velocity.
    pub stopped: bool,
    /// Some object was an obstacle or was stood on; then the order of its lists may matter.
    pub met_object: bool,
}

/// An outcome without what has been recorded on the way.
struct Ended {
    ok: bool,
    position: Position,
    cell: Option<CellId>,
    stopped: bool,
    met_object: bool,
}

impl Outcome {
    /// Takes what a sweep has come to; its log is there already.
    #[inline(always)]
    fn complete(&mut self, ended: Ended) -> &Outcome {
        let Ended { ok, position, cell, stopped, met_object } = ended;
        self.ok = ok;
        self.position = position;
        self.cell = cell;
        self.stopped = stopped;
        self.met_object = met_object;
        self
    }
}

/// Receives every decision of a sweep.
pub trait Observer {
    /// A sub-step was tested: what the tests said of the trial position, before validation.
    fn tested(&mut self, _step: u32, _trial: &Position, _cell: Option<CellId>, _verdict: Verdict) {}
    /// A sub-step was validated: the place held from now on.
    fn held(&mut self, _step: u32, _held: &Position, _cell: Option<CellId>, _log: &ContactLog) {}
    /// A cell was tested for collisions.
    fn cell(&mut self, _cell: CellId, _verdict: Verdict) {}
    /// A cell set was built around the trial position; `picked` contains the first sphere.
    fn cells(&mut self, _cells: &CellSet, _picked: Option<CellId>) {}
}

/// Reusable scratch for sweeps: once warm, a sweep allocates nothing.
#[derive(Debug, Default)]
pub struct Sweeper {
    cells: CellSet,
    touched: Vec<EntityKey>,
    near: nearby::Nearby,
    outcome: Outcome,
}

impl Sweeper {
    /// Scratch for one thread.
    pub fn new() -> Sweeper {
        Sweeper::default()
    }

    /// Cells the last sweep ended with, in order.
    pub fn cells(&self) -> &CellSet {
        &self.cells
    }

    /// Objects the last sweep touched, in order, without duplicates.
    pub fn touched(&self) -> &[EntityKey] {
        &self.touched
    }

    /// How the last sweep ended.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The next sweep is that of another mover, which has been elsewhere.
    pub(crate) fn turn_to_another(&mut self) {
        self.cells.forget_older();
    }

    /// The caller has reasons of its own not to take what was found.
    pub(crate) fn refuse(&mut self) {
        self.outcome.ok = false;
    }

    /// Sweeps a mover from where it is to where it wants to go.
    ///
    /// Retail: `CTransition::find_valid_position` (0x0050C310) on a path with a begin position.
    pub fn sweep(
        &mut self,
        world: &World,
        scene: &Scene,
        input: SweepInput<'_>,
        observer: Option<&mut dyn Observer>,
    ) -> Result<&Outcome, SweepError> {
        let SweepInput { mover, contact, begin, end } = &input;
        if !(begin.frame.is_finite() && end.frame.is_finite()) {
            return Err(SweepError::NotFinite);
        }
        let cell = world.cell(begin.cell).map(|_| begin.cell);
        let mut sweep = Sweep::new(self, world, scene, mover, contact);
        sweep.path.begin(begin, cell);
        sweep.observer = observer.map(|o| o as _);
        let ok = sweep.find_transitional_position(begin, end)?;
        let ended = sweep.end(ok);
        Ok(self.outcome.complete(ended))
    }

    /// Finds room for a mover.
    ///
    /// Retail: `CTransition::find_placement_position` (0x0050BDF0 family). Spec: physics-transition §7.9.
    pub fn place(
        &mut self,
        world: &World,
        scene: &Scene,
        input: PlacementInput<'_>,
        observer: Option<&mut dyn Observer>,
    ) -> Result<&Outcome, SweepError> {
        let PlacementInput { mover, at, may_search, no_load } = &input;
        if !at.frame.is_finite() {
            return Err(SweepError::NotFinite);
        }
        let cell = world.cell(at.cell).map(|_| at.cell);
        let contact = &StartContact::default();
        let mut sweep = Sweep::new(self, world, scene, mover, contact);
        sweep.path.begin(at, cell);
        sweep.observer = observer.map(|o| o as _);
        sweep.cells.no_load = *no_load;
        sweep.path.from_inside = false;
        sweep.path.mode = Mode::Place;
        sweep.path.may_search = *may_search;
        let ok = sweep.find_placement_position();
        let ended = sweep.end(ok);
        Ok(self.outcome.complete(ended))
    }

    /// Whether the mover, standing at `at`, overlaps one object.
    /// Retail: `CTransition::check_collisions`. Spec: physics-transition §7.11.
    pub fn overlaps(
        &mut self,
        world: &World,
        scene: &Scene,
        mover: Mover,
        at: &Position,
        target: EntityKey,
    ) -> bool {
        let mut sweep = Sweep::new(self, world, scene, &mover, &StartContact::default());
        sweep.path.begin(at, Some(at.cell));
        sweep.path.mode = Mode::Place;
        sweep.collide_with_target(target) != Verdict::Clear
    }
}

/// A sweep under way.
pub(crate) struct Sweep<'w> {
    pub(crate) world: &'w World,
    pub(crate) scene: &'w Scene,
    pub(crate) mover: &'w Mover,
    /// The mover's flags now: its contact changes with every sub-step.
    pub(crate) flags: MoverFlags,
    pub(crate) path: Path<'w>,
    /// In the scratch, where it is found when the sweep has ended.
    pub(crate) log: &'w mut ContactLog,
    pub(crate) cells: &'w mut CellSet,
    pub(crate) touched: &'w mut Vec<EntityKey>,
    near: &'w mut nearby::Nearby,
    tested: tested::Tested<'w>,
    pub(crate) ground: Ground,
    observer: Option<&'w mut dyn Observer>,
    stopped: bool,
    pub(crate) met_object: bool,
}

impl<'w> Sweep<'w> {
    /// A sweep that has yet to begin somewhere ([`Path::begin`]).
    #[inline(always)]
    fn new(
        scratch: &'w mut Sweeper,
        world: &'w World,
        scene: &'w Scene,
        mover: &'w Mover,
        contact: &StartContact,
    ) -> Sweep<'w> {
        scratch.cells.hide();
        scratch.cells.no_load = false;
        scratch.touched.clear();
        scratch.near.clear();
        // Nothing has been found before the end, which a sweep that is refused never comes to.
        scratch.outcome.ok = false;
        scratch.outcome.log.begin(contact);
        Sweep {
            world,
            scene,
            mover,
            flags: mover.flags,
            path: Path::new(mover.spheres, mover.sphere_count),
            log: &mut scratch.outcome.log,
            cells: &mut scratch.cells,
            touched: &mut scratch.touched,
            near: &mut scratch.near,
            tested: tested::Tested::default(),
            ground: Ground::NONE,
            observer: None,
            stopped: false,
            met_object: false,
        }
    }

    #[inline(always)]
    fn end(self, ok: bool) -> Ended {
        let Sweep { path, stopped, met_object, .. } = self;
        Ended { ok, position: path.held, cell: path.held_cell, stopped, met_object }
    }

    #[inline]
    pub(crate) fn is(&self, flags: MoverFlags) -> bool {
        self.flags.contains(flags)
    }

    pub(crate) fn report_cell(&mut self, id: CellId, verdict: Verdict) {
        if let Some(observer) = self.observer.as_deref_mut() {
            observer.cell(id, verdict);
        }
    }

    /// Missiles never settle onto the ground.
    fn may_step_down(&self) -> bool {
        !self.mover.state.contains(State::MISSILE)
    }

    /// Rebuilds the cell set around the trial; names the cell that contains the first sphere.
    fn build_cells(&mut self) -> Option<CellId> {
        let spheres = &self.path.trial_spheres[..self.path.count];
        let touched = crate::cells::build(self.world, self.cells, &self.path.trial, spheres);
        self.path.touches_inside = touched.inside;
        if let Some(observer) = self.observer.as_deref_mut() {
            observer.cells(self.cells, touched.containing);
        }
        touched.containing
    }
}
