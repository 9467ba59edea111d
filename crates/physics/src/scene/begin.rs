//! The first part of a step of all objects: velocities are integrated, and it is found out what else there is to do.

use super::{
    Entity, EntityKey, Scene,
    announce::Announcement,
    extents::on_map,
    many::{LANE, Walker},
    tick::{Clock, MIN_QUANTUM, Stride},
};
use crate::{flags::Transient, motion::touches_others};
use threshold_dat::prefetch;
use threshold_world::{Frame, Position, Quat, World, parallel};

/// Objects for which it is worth while to begin in parallel.
pub(super) const MANY: usize = 256;
/// How many turns before its own an object is fetched.
const AHEAD: usize = 4;
/// Room left around an object that moves, for what slides and pushes add to its own displacement.
const SLACK: f32 = 0.1;

/// How far an object's step has come, and what is left of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Task {
    /// Nothing has been done.
    #[default]
    Begin,
    /// The length of the step is known; `None` when there is none.
    Timed(Option<f32>),
    /// It is known where velocity would bring the object; hooks come first, or it stays where it is.
    Integrated(Frame, f32),
    /// Nothing is left.
    Done,
    /// All of it is left, and others matter to it.
    Whole(f32),
    /// Everything after integration is left.
    Rest(Frame, f32),
    /// A turn is left, and what makes the object move by itself is to be asked.
    Still(Quat),
    /// A sweep is left.
    Sweep(Stride),
}

/// A step of an object that has begun.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Begun {
    pub(super) task: Task,
    /// Where the object may be felt while it does the rest.
    pub(super) announcement: Announcement,
    /// It may look at others, or appear, anywhere else.
    pub(super) is_unpredictable: bool,
    /// Whether another step is due after this one.
    pub(super) is_left: bool,
}

impl Entity {
    /// As much of a step as depends on nothing else and changes neither where the object is nor how far it reaches.
    fn begin_alone(&mut self, clock: Clock<'_>, begun: &mut Begun) {
        let quantum = self.next_quantum(clock);
        let is_alone = self.has(Transient::ACTIVE) && !self.is_to_be_done_whole() && self.sticky().is_none();
        let Some(quantum) = quantum.filter(|_| is_alone && self.cell.is_some()) else {
            begun.task = Task::Timed(quantum);
            return;
        };
        let candidate = self.take_candidate(quantum, None);
        let has_hooks = self.actor.as_ref().is_some_and(|actor| !actor.hooks.is_empty());
        if has_hooks || !self.leaves_its_place(candidate.origin) {
            begun.task = Task::Integrated(candidate, quantum);
            return;
        }
        begun.task = Task::Sweep(self.aim(candidate, quantum));
        self.announce(begun);
        begun.is_left = self.is_left_behind(clock.now);
    }

    /// Notes where it may be felt while it does the rest of a step.
    fn announce(&self, begun: &mut Begun) {
        let Position { cell, frame } = &self.position;
        begun.announcement = Announcement {
            center: on_map(cell.block(), frame.origin.truncate()),
            reach: self.reach_of(&begun.task),
        };
        begun.is_unpredictable = self.is_unpredictable(&begun.task);
    }

    /// Whether others matter to all of a step.
    fn is_to_be_done_whole(&self) -> bool {
        self.has(Transient::RECHECK_ETHEREAL) || self.target_info().is_some() || self.is_changing_scale()
    }

    /// Whether the step under way leaves something to do for another one.
    fn is_left_behind(&self, now: f64) -> bool {
        now - self.last_update > MIN_QUANTUM || self.is_aside()
    }

    /// Whether the rest of a step without a turn or a way leaves its parts where they are.
    fn stays_as_it_is(&self) -> bool {
        let moves_itself = self.position_manager().is_some()
            || self.actor.as_ref().is_some_and(|actor| actor.move_to.is_some());
        !moves_itself && !self.changes_pose()
    }

    /// How far from its vertical axis it may be felt while it moves.
    fn reach_of(&self, task: &Task) -> f32 {
        let here = self.position.frame.origin;
        // The whole length, as a fall along something steep becomes a way to the side; and whether it may be tilted then.
        let (length, may_tilt) = match task {
            Task::Sweep(stride) => ((stride.to.frame.origin - here).length(), !stride.to.frame.is_upright()),
            Task::Rest(to, _) => ((to.origin - here).length(), !to.is_upright()),
            Task::Whole(quantum) => (self.cached_velocity.length().max(self.max_speed()) * quantum, true),
            Task::Still(rotation) => (0.0, *rotation != self.position.frame.rotation()),
            _ => (0.0, false),
        };
        match task {
            Task::Done => 0.0,
            Task::Still(_) if !may_tilt && self.stays_as_it_is() => 0.0,
            // What is hit by parts that swing may be hit anywhere.
            _ if self.is_animated() && self.keeps_parts() => f32::INFINITY,
            Task::Whole(_) | Task::Rest(..) if self.is_changing_scale() => f32::INFINITY,
            Task::Still(_) if !may_tilt => 0.0,
            Task::Still(_) if self.keeps_parts() => f32::INFINITY,
            _ => (if may_tilt { self.bulk() } else { self.breadth() }) + 2.0 * length + SLACK,
        }
    }
}

impl Scene {
    /// Begins the steps of many objects in parallel, each as far as it is concerned alone.
    pub(super) fn begin_many(&mut self, walkers: &mut [Walker], is_first: bool, by_slot: &[u64]) {
        if walkers.len() < MANY {
            return;
        }
        let clock = Clock { now: self.now, viewers: &self.viewers, is_first };
        let slots = self.entities.slots_in(by_slot);
        let mut work: Vec<_> = slots.into_iter().zip(&mut *walkers).collect();
        parallel::each_chunk_mut(&mut work, LANE, |_, work| {
            for i in 0..work.len() {
                if let Some((Some(later), _)) = work.get(i + AHEAD) {
                    prefetch(&**later);
                }
                let (Some(slot), walker) = &mut work[i] else { continue };
                let Some(entity) = slot.awake_mut(walker.key) else { continue };
                entity.begin_alone(clock, &mut walker.begun);
                walker.extent = slot.measure();
            }
        });
        for walker in walkers {
            if let Some(extent) = walker.extent.take() {
                self.entities.note_extent(walker.key, extent);
            }
        }
        // Nothing stays listed as unknown that is known by now.
        self.entities.measure();
    }

    /// Begins the step of an object, or goes on with it, as far as neither others matter to it nor it to others.
    #[inline]
    pub(super) fn begin(&mut self, world: &World, key: EntityKey, is_first: bool, begun: &mut Begun) {
        let task = match begun.task {
            Task::Begin | Task::Timed(_) => {
                let quantum = if let Task::Timed(quantum) = begun.task {
                    quantum
                } else {
                    self.next_quantum(key, is_first)
                };
                begun.task = Task::Done;
                if is_first && self.lull(key) {
                    return;
                }
                let Some(quantum) = quantum else { return };
                self.whole_task(world, key, quantum)
            }
            Task::Integrated(candidate, quantum) => self.task_from(world, key, candidate, quantum),
            _ => return,
        };
        begun.task = task;
        if let Some(entity) = self.entities.get(key) {
            entity.announce(begun);
            begun.is_left = entity.is_left_behind(self.now);
        }
    }

    fn whole_task(&mut self, world: &World, key: EntityKey, quantum: f32) -> Task {
        if self.entities.get(key).is_some_and(Entity::is_to_be_done_whole) {
            return Task::Whole(quantum);
        }
        match self.take_candidate(world, key, quantum) {
            Some(candidate) => self.task_from(world, key, candidate, quantum),
            None => Task::Done,
        }
    }

    fn task_from(&mut self, world: &World, key: EntityKey, candidate: Frame, quantum: f32) -> Task {
        let actor = self.entities.get(key).and_then(|entity| entity.actor.as_ref());
        if actor.is_some_and(|actor| actor.hooks.iter().any(touches_others)) {
            return Task::Rest(candidate, quantum);
        }
        self.aim_step(world, key, candidate, quantum)
    }
}
