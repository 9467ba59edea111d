//! Moving an object: sweep, then commit the result. Spec: physics-objects §8.2, §8.4.

use super::{Entity, EntityKey, Event, Scene, SceneError};
use crate::{
    cells::CellEntry,
    flags::{State, Transient},
    sweep::{ContactLog, Observer, Outcome, Sweeper},
};
use threshold_world::{CellId, EPSILON, Frame, Position, World, coords::adjust_to_outside, geometry::Plane};

/// The result of a move, a placement or a tick.
#[derive(Clone, Copy, Debug)]
pub struct MoveResult {
    /// Whether a valid position was found; if not, the object stayed.
    pub ok: bool,
    /// A sweep was run; its outcome, cells and touched objects are in [`Scene::last_sweep`].
    pub swept: bool,
    /// Cell before and after, when they differ.
    pub cell_changed: Option<(CellId, CellId)>,
}

/// What a sweep leaves in its scratch for the commit.
#[derive(Clone, Copy)]
pub(super) struct FinishedSweep<'a> {
    pub(super) outcome: &'a Outcome,
    pub(super) cells: &'a [CellEntry],
    pub(super) missing: &'a [CellId],
    pub(super) touched: &'a [EntityKey],
}

impl<'a> From<&'a Sweeper> for FinishedSweep<'a> {
    fn from(sweeper: &'a Sweeper) -> Self {
        let cells = sweeper.cells();
        FinishedSweep {
            outcome: sweeper.outcome(),
            cells: cells.entries(),
            missing: cells.missing(),
            touched: sweeper.touched(),
        }
    }
}

/// A step of an object that has been swept and is about to be committed.
#[derive(Clone, Copy, Debug)]
pub struct SweptStep<'a> {
    /// The mover.
    pub key: EntityKey,
    /// The mover as the sweep found it: at its old place, with the velocity it now has.
    pub entity: &'a Entity,
    /// Where it wanted to go.
    pub target: &'a Position,
    /// The outcome of the sweep.
    pub outcome: &'a Outcome,
    /// Cells the sweep ended with, in order.
    pub cells: &'a [CellEntry],
    /// Cells it needed that are not loaded.
    pub missing: &'a [CellId],
    /// Objects it touched.
    pub touched: &'a [EntityKey],
}

/// Called with every step of an update right before it is committed, in order of commit. Contains enough to repeat the
/// sweep.
pub type Watch<'a> = dyn FnMut(&SweptStep<'_>) + 'a;

/// Which steps of an update of all objects are shown to the caller. Seeing fewer of them costs less.
pub enum Watching<'a> {
    /// None.
    Nothing,
    /// Those that touched an object.
    Touches(&'a mut Watch<'a>),
    /// All of them.
    Everything(&'a mut Watch<'a>),
}

impl Watching<'_> {
    /// Shows a step that is about to be committed.
    pub(super) fn show(&mut self, step: &SweptStep<'_>) {
        match self {
            Watching::Touches(watch) if !step.touched.is_empty() => watch(step),
            Watching::Everything(watch) => watch(step),
            _ => {}
        }
    }
}

/// The part of an object's state that a sweep starts from and ends in; enough to go back to that moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Where.
    pub position: Position,
    /// Contact, footing, ladder.
    pub transient: Transient,
    /// Metres per second.
    pub velocity: glam::Vec3,
    /// Ground.
    pub contact_plane: Plane,
    /// The cell the ground was found in.
    pub contact_cell: CellId,
    /// Normal of the surface that it slides along.
    pub sliding_normal: glam::Vec3,
    /// The object it slides along.
    pub slid_along: Option<EntityKey>,
}

impl MoveResult {
    /// A result without a sweep.
    pub fn without_sweep(ok: bool) -> MoveResult {
        MoveResult { ok, swept: false, cell_changed: None }
    }
}

/// How an object's footing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Footing {
    /// It left walkable ground.
    Left,
    /// It reached walkable ground.
    Found,
}

impl Entity {
    /// Takes over what a sweep held: place and contact.
    #[inline]
    pub(super) fn hold(&mut self, cell: CellId, outcome: &Outcome) {
        self.position.frame = outcome.position.frame;
        // Mostly it is the same, and need not be waited for by what reads it.
        if self.position.cell != cell {
            self.position.cell = cell;
        }
        self.place_parts();
        let log = &outcome.log;
        self.contact_plane = log.contact.plane;
        self.contact_cell = log.contact.cell;
        self.transient.set(Transient::CONTACT, log.contact_valid);
        self.transient.set(Transient::WATER_CONTACT, log.contact.is_water);
    }

    /// Takes over what a sweep slid along.
    pub(super) fn remember_slide(&mut self, log: &ContactLog) {
        self.sliding_normal = log.slide;
        self.transient.set(Transient::SLIDING, log.slide_valid);
        self.slid_along = log.last_touched.filter(|_| log.slide_valid);
    }

    /// Sets the walkable bit. What lives and falls leaves the ground with the velocity of its legs, if they move at
    /// all, and `upward` metres per second more.
    /// Retail: `CPhysicsObj::set_on_walkable`, `CMotionInterp::LeaveGround`. Spec: physics-objects §8.4, §8.12.
    #[inline]
    pub(super) fn set_on_walkable(&mut self, walkable: bool, upward: f32) -> Option<Footing> {
        let changes = self.has(Transient::ON_WALKABLE) != walkable;
        let footing = changes.then(|| self.change_footing(walkable, upward));
        self.update_acceleration();
        footing
    }

    fn change_footing(&mut self, walkable: bool, upward: f32) -> Footing {
        self.transient.set(Transient::ON_WALKABLE, walkable);
        if walkable {
            self.hit_ground();
            return Footing::Found;
        }
        if self.interpreter().is_some() {
            self.leave_ground();
            return Footing::Left;
        }
        let local = self.motion.velocity.with_z(upward);
        let is_moving = local.abs().max_element() >= EPSILON;
        if is_moving && self.role.is_creature() && self.state.contains(State::GRAVITY) {
            self.set_velocity(self.position.frame.rotate(local));
        }
        Footing::Left
    }
}

impl Scene {
    /// The state an object can be brought back to.
    pub fn body(&self, key: EntityKey) -> Option<Body> {
        self.entities.get(key).map(|e| Body {
            position: e.position,
            transient: e.transient,
            velocity: e.velocity,
            contact_plane: e.contact_plane,
            contact_cell: e.contact_cell,
            sliding_normal: e.sliding_normal,
            slid_along: e.slid_along,
        })
    }

    /// Restores the state of an object and registers it again.
    pub fn restore_body(&mut self, world: &World, key: EntityKey, body: &Body) -> Result<(), SceneError> {
        self.update_position(world, key, body.position)?;
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        entity.transient = body.transient;
        entity.velocity = body.velocity;
        entity.contact_plane = body.contact_plane;
        entity.contact_cell = body.contact_cell;
        entity.sliding_normal = body.sliding_normal;
        entity.slid_along = body.slid_along;
        entity.update_acceleration();
        Ok(())
    }

    /// Sweeps an object to `target` (in any block's coordinates) and commits. No gravity, no integration.
    pub fn move_to(
        &mut self,
        world: &World,
        key: EntityKey,
        target: &Position,
        observer: Option<&mut dyn Observer>,
    ) -> Result<MoveResult, SceneError> {
        let mut sweeper = self.take_sweeper();
        let swept = match self.entities.get(key) {
            None => Err(SceneError::NoSuchEntity),
            Some(entity) if entity.parent.is_some() => Err(SceneError::Carried),
            Some(entity) => {
                let input = entity.sweep_input(key, target);
                sweeper.sweep(world, self, input, observer).map(drop).map_err(SceneError::from)
            }
        };
        let result = swept.map(|()| self.apply(world, key, (&*sweeper).into()));
        self.sweeper = Some(sweeper);
        result
    }

    /// Sweeps an object from its position, without committing anything; the result is in the sweeper.
    /// Retail: `CPhysicsObj::transition` (0x00512DC0).
    pub fn sweep_entity(
        &self,
        world: &World,
        key: EntityKey,
        target: &Position,
        sweeper: &mut Sweeper,
        observer: Option<&mut dyn Observer>,
    ) -> Result<(), SceneError> {
        let entity = self.entities.get(key).ok_or(SceneError::NoSuchEntity)?;
        sweeper.sweep(world, self, entity.sweep_input(key, target), observer)?;
        Ok(())
    }

    /// Commits a sweep, or leaves the object alone when it failed.
    #[inline(always)]
    pub(super) fn apply(&mut self, world: &World, key: EntityKey, traces: FinishedSweep<'_>) -> MoveResult {
        let outcome = traces.outcome;
        if outcome.stopped
            && let Some(entity) = self.entities.get_mut(key)
        {
            entity.set_velocity(glam::Vec3::ZERO);
        }
        let cell_changed = if outcome.ok { self.commit(world, key, traces) } else { None };
        MoveResult { ok: outcome.ok, swept: true, cell_changed }
    }

    /// The one place where an object's cell changes: it takes the cell that the sweep held.
    /// Retail: `CPhysicsObj::SetPositionInternal(CTransition)` (0x00515330). Spec: physics-objects §8.4.
    #[inline(always)]
    pub(super) fn commit(
        &mut self,
        world: &World,
        key: EntityKey,
        traces: FinishedSweep<'_>,
    ) -> Option<(CellId, CellId)> {
        let outcome = traces.outcome;
        // Looked up again only where others are told: most commits concern their object alone.
        let entity = self.entities.get_mut(key)?;
        let previous = entity.transient;
        let Some(cell) = outcome.cell else {
            let from = entity.cell;
            self.lose(world, key, outcome.position);
            return from.map(|from| (from, CellId::NONE));
        };
        entity.hold(cell, outcome);
        let log = &outcome.log;
        let mut cell_changed = None;
        let entity = if entity.cell == Some(cell) && entity.carries_nothing() {
            entity
        } else {
            cell_changed = self.change_cell(key, Some(cell));
            self.carry_children(key);
            self.entities.get_mut(key)?
        };
        let entity = match entity.set_on_walkable(log.is_walkable(), 0.0) {
            None => entity,
            Some(footing) => {
                self.tell_footing(key, footing);
                self.entities.get_mut(key)?
            }
        };
        entity.remember_slide(log);
        let floods_anew = entity.state.contains(State::HAS_PHYSICS_BSP);
        let stays = entity.stays_in(traces.cells, traces.missing);
        if entity.has_news(log, traces.touched, previous) {
            self.respond(key, log, traces.touched, previous);
        } else {
            entity.respond_alone(log, previous);
        }
        if floods_anew {
            self.reflood(world, key);
        } else if stays {
            self.register_last(key, traces.cells);
        } else if !traces.cells.is_empty() {
            self.replace_shadows(key, traces.cells, traces.missing);
        }
        cell_changed
    }

    /// Takes an object out of the world but keeps it, and says so. If its cell is not loaded it waits for it.
    /// Retail: `prepare_to_leave_visibility`, `store_position`, `GotoLostCell`.
    pub(super) fn lose(&mut self, world: &World, key: EntityKey, position: Position) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        entity.position = position;
        if position.cell.is_outdoor()
            && let Some((cell, origin)) = adjust_to_outside(position.cell, position.frame.origin)
        {
            entity.position = Position::new(cell, Frame::new(origin, position.frame.rotation()));
        }
        entity.transient.remove(Transient::ACTIVE);
        let home = entity.position.cell;
        self.change_cell(key, None);
        self.carry_children(key);
        self.remove_shadows(key);
        if world.cell(home).is_none() {
            self.wait_for(key, home);
        }
        self.events.push(Event::Lost(key));
    }

    /// Sets the walkable bit and says when ground was left or reached.
    pub(super) fn set_on_walkable(&mut self, key: EntityKey, walkable: bool, upward: f32) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        if let Some(footing) = entity.set_on_walkable(walkable, upward) {
            self.tell_footing(key, footing);
        }
    }

    fn tell_footing(&mut self, key: EntityKey, footing: Footing) {
        self.events.push(match footing {
            Footing::Left => Event::LeftGround(key),
            Footing::Found => Event::HitGround(key),
        });
        self.settle_motion(key);
    }

    /// Makes an object jump with `upward` metres per second on top of its leg motion. False when it has nothing to push off
    /// from. Retail: `CMotionInterp::jump`. Spec: physics-objects §8.12.
    pub fn jump(&mut self, key: EntityKey, upward: f32) -> Result<bool, SceneError> {
        if !upward.is_finite() {
            return Err(SceneError::NotFinite("jump"));
        }
        let entity = self.entities.get(key).ok_or(SceneError::NoSuchEntity)?;
        let grounded = entity.stands();
        if grounded {
            self.set_on_walkable(key, false, upward);
        }
        Ok(grounded)
    }
}
