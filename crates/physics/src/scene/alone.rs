//! Commits that concern their object alone, done for many objects at the same time.
//!
//! Most steps end as they began: in the same cell and the same lists, on the same footing, without having touched anything.
//! Then a commit changes only the object itself, and its place in the order of lists. The first of these is done here, in
//! parallel and before its turn; the second is left for its turn.
//!
//! That nobody notices follows from what objects have announced ([`announce`](super::announce)). Let A be committed
//! early. An object B with a later turn expects to find A moved, and does. An object B with an earlier turn expects to find A
//! where it was. If B's sweep is not repeated, it was made before anything was moved. If it is, it reads the places of
//! objects within B's circle; if that overlapped A's circle, A would be the later one of two that may meet, and its own
//! sweep would have to be repeated, so A would not have been committed early. The same holds for an object that B touched
//! and asks for its velocity. What looks at others from afar ([`Entity::is_unpredictable`]) has its turn before
//! anything behind it is committed early. Last, B may come farther than it announced: that is found out after its sweep
//! and before its commit; then everything with a later turn is moved back, and B is swept once more.

use super::{
    Entity, EntityKey, Scene,
    begin::{MANY, Task},
    commit::FinishedSweep,
    entities::Slot,
    extents::Extent,
    many::{LANE, Lane, Walker},
    tick::Stride,
};
use crate::{flags::Transient, sweep::Outcome};
use glam::Vec3;
use threshold_world::{CellId, Position, geometry::Plane, parallel};

/// The part of an object that a commit of this kind changes, as it was before, or after.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnState {
    position: Position,
    transient: Transient,
    velocity: Vec3,
    acceleration: Vec3,
    omega: Vec3,
    contact_plane: Plane,
    contact_cell: CellId,
    sliding_normal: Vec3,
    slid_along: Option<EntityKey>,
    cached_velocity: Vec3,
    colliding_with_environment: bool,
}

impl Entity {
    /// Whether a commit would change nothing but the object itself and its place in the order of lists.
    fn is_concerned_alone(&self, sweep: FinishedSweep<'_>) -> bool {
        let outcome = sweep.outcome;
        let log = &outcome.log;
        outcome.ok
            && !outcome.stopped
            && outcome.cell.is_some()
            && outcome.cell == self.cell
            && sweep.touched.is_empty()
            && self.touches_nothing()
            && (self.colliding_with_environment || !log.hit_environment)
            && self.has(Transient::ON_WALKABLE) == log.is_walkable()
            && !self.keeps_parts()
            && !sweep.cells.is_empty()
            && self.stays_in(sweep.cells, sweep.missing)
    }

    /// Whether others may look at it from afar.
    fn is_watched(&self) -> bool {
        self.actor.as_ref().is_some_and(|actor| !actor.targets.watchers.is_empty())
    }

    /// Whether the rest of its step may look at objects, or appear, outside the circle that it has announced.
    pub(super) fn is_unpredictable(&self, task: &Task) -> bool {
        let interpolates =
            || self.position_manager().is_some_and(|position| !position.interpolation.is_idle());
        matches!(task, Task::Whole(_) | Task::Rest(..)) || !matches!(task, Task::Done) && interpolates()
    }

    /// Commits a sweep that concerns the object alone.
    fn commit_alone(&mut self, stride: &Stride, outcome: &Outcome) {
        let previous = self.transient;
        let log = &outcome.log;
        if let Some(cell) = self.cell {
            self.hold(cell, outcome);
        }
        let footing = self.set_on_walkable(log.is_walkable(), 0.0);
        debug_assert!(footing.is_none(), "a change of footing concerns others");
        self.remember_slide(log);
        self.respond_alone(log, previous);
        self.note_progress(stride);
    }

    fn own_state(&self) -> OwnState {
        OwnState {
            position: self.position,
            transient: self.transient,
            velocity: self.velocity,
            acceleration: self.acceleration,
            omega: self.omega,
            contact_plane: self.contact_plane,
            contact_cell: self.contact_cell,
            sliding_normal: self.sliding_normal,
            slid_along: self.slid_along,
            cached_velocity: self.cached_velocity,
            colliding_with_environment: self.colliding_with_environment,
        }
    }

    /// Makes the object what it was before an early commit, or after it again; returns the other one.
    pub(super) fn exchange(&mut self, other: &OwnState) -> OwnState {
        let own = self.own_state();
        let OwnState {
            position,
            transient,
            velocity,
            acceleration,
            omega,
            contact_plane,
            contact_cell,
            sliding_normal,
            slid_along,
            cached_velocity,
            colliding_with_environment,
        } = *other;
        self.position = position;
        self.transient = transient;
        self.velocity = velocity;
        self.acceleration = acceleration;
        self.omega = omega;
        self.contact_plane = contact_plane;
        self.contact_cell = contact_cell;
        self.sliding_normal = sliding_normal;
        self.slid_along = slid_along;
        self.cached_velocity = cached_velocity;
        self.colliding_with_environment = colliding_with_environment;
        own
    }
}

/// Whether early commits can be shown to a watcher as they were before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// No watcher wants to see them.
    No,
    /// They are shown; what has an animation shows another pose after its commit, so it is not committed early.
    Yes,
}

impl Scene {
    /// Commits, out of turn, the sweeps of a batch that concern their objects alone.
    pub(super) fn commit_early(
        &mut self,
        walkers: &mut [Walker],
        lanes: &[Lane],
        by_slot: &[u64],
        shown: Shown,
    ) {
        if walkers.len() < MANY {
            return;
        }
        let first_unpredictable = walkers.iter().position(|walker| walker.begun.is_unpredictable);
        let early = first_unpredictable.unwrap_or(walkers.len());
        let slots = self.entities.slots_in(by_slot);
        let mut work: Vec<_> = slots.into_iter().zip(walkers).take(early).collect();
        parallel::each_chunk_mut(&mut work, LANE, |lane, work| {
            let Some(lane) = lanes.get(lane) else { return };
            for (slot, walker) in work {
                if let Some(slot) = slot {
                    commit_in(slot, walker, lane, shown);
                }
            }
        });
    }

    /// Takes early commits back.
    pub(super) fn take_back(&mut self, walkers: &mut [Walker]) -> bool {
        let mut any = false;
        for walker in walkers {
            let Some(before) = walker.before.take() else { continue };
            walker.extent = None;
            if let Some(entity) = self.entities.committed_mut(walker.key) {
                entity.exchange(&before);
            }
            any = true;
        }
        any
    }
}

fn commit_in(slot: &mut Slot, walker: &mut Walker, lane: &Lane, shown: Shown) {
    let (Task::Sweep(stride), Some(sweep)) = (&walker.begun.task, walker.finished(lane)) else { return };
    let Some(entity) = slot.awake_mut(walker.key) else { return };
    let is_shown_posed = shown == Shown::Yes && entity.actor.is_some();
    if is_shown_posed || entity.is_watched() || !entity.is_concerned_alone(sweep) {
        return;
    }
    let before = Some(entity.own_state());
    entity.commit_alone(stride, sweep.outcome);
    walker.has_actor = entity.actor.is_some();
    walker.extent = Some(Extent::of(entity));
    walker.before = before;
}
