//! The first part of a step of all objects: velocities are integrated, and it is found out what else there is to do.

use super::{
    Entity, EntityKey, Scene,
    extents::Extent,
    many::LANE,
    tick::{Aim, Clock, MIN_QUANTUM, Stride},
};
use crate::{flags::Transient, motion::touches_others};
use threshold_world::{Frame, Position, Quat, World, parallel};

/// Objects for which it is worth while to begin in parallel.
const MANY: usize = 256;
/// There may be so many slots for every object that begins; looking for fewer among more costs too much.
const SLOTS_EACH: usize = 16;
/// Room left around an object that moves, for what slides and pushes add to its own displacement.
const SLACK: f32 = 0.1;

/// What is left of an object's step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task {
    /// All of it.
    Whole(f32),
    /// Everything after integration.
    Rest(Frame, f32),
    /// A turn, and what makes it move by itself is to be asked.
    Still(Quat),
    /// A sweep.
    Sweep(Stride),
}

/// How far a step has come that concerns its object alone.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Begun {
    /// Nothing has been done.
    #[default]
    Not,
    /// The length of the step is known; `None` when there is none.
    Timed(Option<f32>),
    /// It is known where velocity would bring the object; hooks come first, or it stays where it is.
    Integrated(Frame, f32),
    /// The object is to be swept. Its reach, and whether another step is left.
    Strides(Stride, f32, bool),
}

/// What has begun so far of the objects that are due, in their order; empty when nothing has.
#[derive(Debug, Default)]
pub(super) struct Beginning {
    begun: Vec<(Begun, Option<Extent>)>,
    places: Vec<u32>,
}

impl Beginning {
    #[inline]
    pub(super) fn get(&self, place: usize) -> &Begun {
        self.begun.get(place).map_or(&Begun::Not, |(begun, _)| begun)
    }
}

impl Entity {
    /// As much of a step as depends on nothing else and changes neither where the object is nor how far it reaches.
    fn begin_alone(&mut self, clock: Clock<'_>) -> Begun {
        let quantum = self.next_quantum(clock);
        let is_alone = self.has(Transient::ACTIVE) && !self.is_to_be_done_whole() && self.sticky().is_none();
        let Some(quantum) = quantum.filter(|_| is_alone && self.cell.is_some()) else {
            return Begun::Timed(quantum);
        };
        let candidate = self.take_candidate(quantum, None);
        let stride =
            Stride { from: self.position, to: Position::new(self.position.cell, candidate), quantum };
        let has_hooks = self.actor.as_ref().is_some_and(|actor| !actor.hooks.is_empty());
        if has_hooks || !self.leaves_its_place(&stride) {
            return Begun::Integrated(candidate, quantum);
        }
        let stride = self.aim(candidate, quantum);
        Begun::Strides(stride, self.reach_of(&Task::Sweep(stride)), self.is_left_behind(clock.now))
    }

    /// Whether others matter to all of a step.
    fn is_to_be_done_whole(&self) -> bool {
        self.has(Transient::RECHECK_ETHEREAL) || self.target_info().is_some() || self.is_changing_scale()
    }

    /// Whether the step under way leaves something to do for another one.
    fn is_left_behind(&self, now: f64) -> bool {
        now - self.last_update > MIN_QUANTUM || self.is_aside()
    }

    /// How far from its vertical axis it may be felt while it moves.
    fn reach_of(&self, task: &Task) -> f32 {
        let to = match task {
            Task::Sweep(stride) => stride.to,
            Task::Rest(candidate, _) => Position::new(self.position.cell, *candidate),
            Task::Whole(quantum) => {
                let mut to = self.position;
                let speed = self.cached_velocity.length().max(self.max_speed());
                to.frame.origin.x += speed * quantum;
                to
            }
            Task::Still(_) => self.position,
        };
        // All of it, as a fall along something steep becomes a way to the side.
        let length = (to.frame.origin - self.position.frame.origin).length();
        match task {
            // What is hit by parts that swing may be hit anywhere.
            _ if self.is_animated() && self.keeps_parts() => f32::INFINITY,
            Task::Whole(_) | Task::Rest(..) if self.is_changing_scale() => f32::INFINITY,
            Task::Still(_) => 0.0,
            _ => self.girth + 2.0 * length + SLACK,
        }
    }
}

impl Scene {
    /// Begins the steps of many objects in parallel, each as far as it is concerned alone.
    pub(super) fn begin_many(&mut self, due: &[EntityKey], is_first: bool, beginning: &mut Beginning) {
        let Beginning { begun, places } = beginning;
        begun.clear();
        if due.len() < MANY || due.len() * SLOTS_EACH < self.entities.slot_count() {
            return;
        }
        begun.resize_with(due.len(), Default::default);
        let clock = Clock { now: self.now, viewers: &self.viewers, is_first };
        let slots = self.entities.slots_of(due, places);
        let mut work: Vec<_> = slots.into_iter().zip(due).zip(&mut *begun).collect();
        parallel::each_chunk_mut(&mut work, LANE, |_, work| {
            for ((slot, key), (begun, extent)) in work {
                let Some(slot) = slot else { continue };
                let Some(entity) = slot.awake_mut(**key) else { continue };
                *begun = entity.begin_alone(clock);
                *extent = slot.measure();
            }
        });
        for (&key, &(_, extent)) in due.iter().zip(&*begun) {
            if let Some(extent) = extent {
                self.entities.note_extent(key, extent);
            }
        }
        // Nothing stays listed as unknown that is known by now.
        self.entities.measure();
    }

    /// Begins the step of an object, or goes on with it, as far as neither others matter to it nor it to others. Gives
    /// `start` what is left of it and how far it may be felt. Whether there is another step.
    #[inline]
    pub(super) fn begin(
        &mut self,
        world: &World,
        key: EntityKey,
        is_first: bool,
        begun: &Begun,
        start: impl FnOnce(Task, f32),
    ) -> bool {
        let task = match *begun {
            Begun::Strides(stride, reach, is_left) => {
                start(Task::Sweep(stride), reach);
                return is_left;
            }
            Begun::Integrated(candidate, quantum) => self.task_from(world, key, candidate, quantum),
            Begun::Not | Begun::Timed(_) => {
                let quantum = if let Begun::Timed(quantum) = *begun {
                    quantum
                } else {
                    self.next_quantum(key, is_first)
                };
                if is_first && self.lull(key) {
                    return false;
                }
                let Some(quantum) = quantum else { return false };
                self.whole_task(world, key, quantum)
            }
        };
        let Some(entity) = self.entities.get(key) else { return false };
        if let Some(task) = task {
            start(task, entity.reach_of(&task));
        }
        entity.is_left_behind(self.now)
    }

    fn whole_task(&mut self, world: &World, key: EntityKey, quantum: f32) -> Option<Task> {
        if self.entities.get(key)?.is_to_be_done_whole() {
            return Some(Task::Whole(quantum));
        }
        let candidate = self.take_candidate(world, key, quantum)?;
        self.task_from(world, key, candidate, quantum)
    }

    fn task_from(&mut self, world: &World, key: EntityKey, candidate: Frame, quantum: f32) -> Option<Task> {
        let actor = self.entities.get(key)?.actor.as_ref();
        if actor.is_some_and(|actor| actor.hooks.iter().any(touches_others)) {
            return Some(Task::Rest(candidate, quantum));
        }
        task_of(self.aim_step(world, key, candidate, quantum))
    }
}

fn task_of(aim: Aim) -> Option<Task> {
    match aim {
        Aim::Done => None,
        Aim::Still(rotation) => Some(Task::Still(rotation)),
        Aim::Sweep(stride) => Some(Task::Sweep(stride)),
    }
}
