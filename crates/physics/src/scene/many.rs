//! Updates all objects in parallel, with the same result on any number of threads.
//!
//! The objects of a step are taken in batches, in the order of a tick, and a batch has three parts. Velocities are
//! integrated ([`begin`](super::begin)), in parallel as far as an object is concerned alone. Then every object that wants to
//! move is swept in parallel against the scene as it is. Last, the sweeps are committed in the order of a tick; one whose
//! result an earlier object of the batch may have changed is swept again at that moment, so that the outcome is that of one
//! object after the other: when that object may have come near, or when the sweep met one of several objects near it in a
//! list that the other one was in, as lists are tested in an order that commits change. What an object does that depends on
//! others, or that others feel, is done in the third part, at its turn.
//!
//! Batches limit what an object costs in a large crowd: from its beginning to its commit it stays in the cache, and however
//! dense the crowd is, few of its neighbours are in its own batch.

use super::{
    Entity, EntityKey, Scene, SceneError, Watch,
    begin::{Begun, Task},
    commit::FinishedSweep,
    extents::Extent,
};
use crate::{
    cells::CellEntry,
    sweep::{Outcome, Sweeper},
};
use std::ops::Range;
use threshold_world::{CellId, World, parallel};

/// Objects that one task begins or sweeps.
pub(super) const LANE: usize = 64;
/// Objects of a batch; fixed, as is [`LANE`], so that nothing depends on the number of threads.
const BATCH: usize = 1024;
/// Movers for which the extents of all that has changed are measured; for fewer, looking at it costs less.
const MANY: usize = 8;

/// An object in the batch under way.
#[derive(Debug, Default)]
pub(super) struct Walker {
    pub(super) key: EntityKey,
    pub(super) begun: Begun,
    /// How far it was found to reach, until that is noted.
    pub(super) extent: Option<Extent>,
    outcome: Option<Result<Outcome, SceneError>>,
    cells: Range<usize>,
    missing: Range<usize>,
    touched: Range<usize>,
}

impl Walker {
    /// Another object takes this one's place.
    fn begin(&mut self, key: EntityKey) {
        self.key = key;
        self.begun.task = Task::Begin;
        self.begun.is_left = false;
        self.outcome = None;
    }
}

/// How an object that moves in the step under way may be felt by others.
#[derive(Clone, Copy, Debug, Default)]
struct Announcement {
    /// Distance from its vertical axis within which it can be met; zero while it stands still.
    reach: f32,
    /// Its place in the order of commits.
    turn: u32,
}

/// What objects have announced, by slot.
#[derive(Debug, Default)]
struct Announcements(Vec<Announcement>);

impl Announcements {
    fn get(&self, key: EntityKey) -> Announcement {
        self.0.get(key.slot as usize).copied().unwrap_or_default()
    }

    fn set(&mut self, key: EntityKey, announcement: Announcement) {
        let slot = key.slot as usize;
        if self.0.len() <= slot {
            self.0.resize(slot + 1, Announcement::default());
        }
        self.0[slot] = announcement;
    }

    fn take(&mut self, key: EntityKey) -> Announcement {
        self.0.get_mut(key.slot as usize).map(std::mem::take).unwrap_or_default()
    }
}

/// Scratch of one task, kept from step to step.
#[derive(Debug, Default)]
struct Lane {
    sweeper: Sweeper,
    cells: Vec<CellEntry>,
    missing: Vec<CellId>,
    touched: Vec<EntityKey>,
}

/// Scratch of all of them.
#[derive(Debug, Default)]
pub(super) struct Crowd {
    due: Vec<EntityKey>,
    /// Of these, the ones that are due for another step.
    left: Vec<EntityKey>,
    by_slot: Vec<u64>,
    /// Kept from batch to batch; only as many as there are in the batch under way count.
    walkers: Vec<Walker>,
    lanes: Vec<Lane>,
    announced: Announcements,
    /// Objects that went farther in this batch than they had announced.
    jumped: Vec<EntityKey>,
}

/// Statistics of an update of all objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CrowdReport {
    /// Sweeps that were committed or failed.
    pub sweeps: usize,
    /// Of these, the sweeps that had to be repeated because other objects had moved.
    pub repeated: usize,
}

impl Scene {
    /// Updates everything that is not static to the current time, and calls `watch` with every sweep right before it is
    /// committed. Then updates statics that play an animation.
    ///
    /// Runs on the current rayon thread pool; the outcome does not depend on it. [`Scene::advance_clock`] has the rule
    /// about time. Retail: `CPhysics::UseTime`. Spec: physics-objects §8.3.
    pub fn update_all(&mut self, world: &World, watch: &mut Watch<'_>) -> CrowdReport {
        let mut crowd = std::mem::take(&mut self.crowd);
        let mut report = CrowdReport::default();
        self.rouse(&mut crowd.due);
        let mut is_first = true;
        while !crowd.due.is_empty() {
            self.step_all(world, &mut crowd, is_first, &mut report, watch);
            is_first = false;
        }
        self.crowd = crowd;
        self.animate_statics(world);
        report
    }

    /// One step of everything that is due; what is left is due for another.
    fn step_all(
        &mut self,
        world: &World,
        crowd: &mut Crowd,
        is_first: bool,
        report: &mut CrowdReport,
        watch: &mut Watch<'_>,
    ) {
        let Crowd { due, left, by_slot, walkers, lanes, announced, jumped } = crowd;
        left.clear();
        let mut aside = Vec::new();
        for batch in due.chunks(BATCH) {
            if walkers.len() < batch.len() {
                walkers.resize_with(batch.len(), Walker::default);
            }
            let walkers = &mut walkers[..batch.len()];
            jumped.clear();
            walkers.iter_mut().zip(batch).for_each(|(walker, &key)| walker.begin(key));
            self.begin_many(walkers, is_first, by_slot);
            for (turn, Walker { key, begun, .. }) in (0..).zip(&mut *walkers) {
                self.begin(world, *key, is_first, begun);
                if begun.is_left {
                    left.push(*key);
                }
                if !matches!(begun.task, Task::Done) {
                    announced.set(*key, Announcement { reach: begun.reach, turn });
                }
            }
            self.sweep_all(world, walkers, lanes, announced);
            for (walkers, lane) in walkers.chunks(LANE).zip(lanes.iter()) {
                for walker in walkers.iter().filter(|walker| !matches!(walker.begun.task, Task::Done)) {
                    self.settle(world, walker, lane, Settling { report, announced, jumped, watch });
                    // What has been taken aside in this step is seen to once more.
                    if self.get(walker.key).is_some_and(Entity::is_aside) && !left.contains(&walker.key) {
                        aside.push(walker.key);
                    }
                }
            }
        }
        left.append(&mut aside);
        std::mem::swap(due, left);
    }

    /// Sweeps a batch against the scene as it is.
    fn sweep_all(
        &mut self,
        world: &World,
        walkers: &mut [Walker],
        lanes: &mut Vec<Lane>,
        announced: &Announcements,
    ) {
        let tasks = walkers.len().div_ceil(LANE);
        if lanes.len() < tasks {
            lanes.resize_with(tasks, Lane::default);
        }
        if walkers.iter().filter(|walker| matches!(walker.begun.task, Task::Sweep(_))).count() >= MANY {
            self.entities.measure();
        }
        let scene = &*self;
        if tasks > 1 {
            parallel::each_chunk_with(walkers, LANE, lanes, |walkers, lane| {
                lane.sweep(world, scene, announced, walkers)
            });
        } else if let Some(lane) = lanes.first_mut() {
            lane.sweep(world, scene, announced, walkers);
        }
    }

    fn settle(&mut self, world: &World, walker: &Walker, lane: &Lane, settling: Settling<'_, '_>) {
        let Settling { report, announced, jumped, watch } = settling;
        let Walker { key, ref begun, .. } = *walker;
        let announced = announced.take(key).reach;
        let Some(before) = self.entities.get(key).map(|entity| entity.position) else { return };
        match begun.task {
            Task::Begin | Task::Timed(_) | Task::Integrated(..) | Task::Done => {}
            // A sweep that was refused leaves the object where it is.
            Task::Whole(quantum) => drop(self.step(world, key, quantum, watch)),
            Task::Rest(candidate, quantum) => drop(self.finish_step(world, key, candidate, quantum, watch)),
            Task::Still(rotation) => self.end_still(world, key, rotation),
            Task::Sweep(ref stride) => {
                report.sweeps += 1;
                let cells = || &lane.cells[walker.cells.clone()];
                match walker.outcome.as_ref().filter(|_| !self.shares_a_cell(key, jumped, cells)) {
                    Some(Ok(outcome)) => {
                        let traces = FinishedSweep {
                            outcome,
                            cells: cells(),
                            missing: &lane.missing[walker.missing.clone()],
                            touched: &lane.touched[walker.touched.clone()],
                        };
                        self.end_step(world, key, stride, traces, watch);
                        self.tick_managers(world, key);
                    }
                    Some(Err(_)) => {}
                    None => {
                        report.repeated += 1;
                        drop(self.sweep_step(world, key, stride, watch));
                    }
                }
            }
        }
        let has_jumped = |entity: &Entity| {
            let way = before.distance_to(&entity.position);
            way > 0.0 && entity.breadth() + way > announced
        };
        if self.entities.get(key).is_some_and(has_jumped) {
            jumped.push(key);
        }
    }

    /// Whether one of some objects is in a list that a sweep of another read.
    fn shares_a_cell<'a>(
        &self,
        key: EntityKey,
        others: &[EntityKey],
        swept: impl Fn() -> &'a [CellEntry],
    ) -> bool {
        if others.is_empty() {
            return false;
        }
        let own = self.entities.get(key).map_or(&[][..], |entity| &entity.shadows);
        let cells = own.iter().map(|shadow| shadow.cell).chain(swept().iter().map(|entry| entry.id));
        cells.into_iter().any(|cell| self.shadows_in(cell).iter().any(|listed| others.contains(listed)))
    }

    /// Whether a sweep came farther than its mover had announced, so that it may have met what nobody expected it to meet.
    fn has_strayed(&self, key: EntityKey, announced: &Announcements, outcome: &Outcome) -> bool {
        self.entities.get(key).is_some_and(|entity| {
            entity.breadth() + entity.position.distance_to(&outcome.position) > announced.get(key).reach
        })
    }

    /// Whether an object that is committed earlier in this batch may change what a sweep gave.
    ///
    /// Every object that moves has announced how far from its axis it may be felt ([`Entity::reach_of`]), so two of them can
    /// matter to each other only where their reaches overlap. An object that comes farther than it announced is caught by
    /// [`Scene::has_strayed`] as the mover, and as what is met by `Settling::jumped`.
    fn is_touched_by_earlier(
        &self,
        key: EntityKey,
        announced: &Announcements,
        cells: &[CellEntry],
        met_object: bool,
    ) -> bool {
        let Some(entity) = self.entities.get(key) else { return false };
        let (own, extent) = (announced.get(key), self.extent(key));
        let is_touched_by = |other: EntityKey, anywhere: bool| {
            let theirs = announced.get(other);
            if theirs.reach == 0.0 || theirs.turn >= own.turn {
                return false;
            }
            let reach = own.reach + theirs.reach;
            let is_near = |other: &Entity| {
                let between = entity.position.offset_to(&other.position).truncate();
                between.length_squared() < reach * reach
            };
            anywhere
                || self.extent(other).is_centered_within(reach, extent)
                    && self.entities.get(other).is_some_and(is_near)
        };
        // Where only one object can be met, the order of the list does not matter.
        let is_near = |other: EntityKey| other != key && self.extent(other).is_near(own.reach, extent);
        let is_ordered = |list: &[EntityKey]| list.iter().filter(|&&other| is_near(other)).nth(1).is_some();
        let is_touched_in = |list: &[EntityKey]| {
            let anywhere = met_object && is_ordered(list);
            list.iter().any(|&other| is_touched_by(other, anywhere))
        };
        let swept = cells.iter().map(|entry| entry.id);
        let is_swept = |cell: CellId| cells.iter().any(|entry| entry.id == cell);
        let left = entity.shadows.iter().map(|shadow| shadow.cell).filter(|&cell| !is_swept(cell));
        swept.chain(left).any(|cell| is_touched_in(self.shadows_in(cell)))
    }
}

impl Lane {
    fn sweep(&mut self, world: &World, scene: &Scene, announced: &Announcements, walkers: &mut [Walker]) {
        self.cells.clear();
        self.missing.clear();
        self.touched.clear();
        for walker in walkers {
            let Task::Sweep(stride) = &walker.begun.task else { continue };
            let result = scene.sweep_entity(world, walker.key, &stride.to, &mut self.sweeper, None);
            let (outcome, swept) = (self.sweeper.outcome(), self.sweeper.cells());
            let met_object = result.is_ok() && outcome.met_object;
            if result.is_ok() && scene.has_strayed(walker.key, announced, outcome)
                || scene.is_touched_by_earlier(walker.key, announced, swept.entries(), met_object)
            {
                continue;
            }
            walker.outcome = Some(result.map(|()| *outcome));
            walker.cells = append(&mut self.cells, swept.entries());
            walker.missing = append(&mut self.missing, swept.missing());
            walker.touched = append(&mut self.touched, self.sweeper.touched());
        }
    }
}

/// What the third part of a step keeps track of.
struct Settling<'a, 'w> {
    report: &'a mut CrowdReport,
    announced: &'a mut Announcements,
    jumped: &'a mut Vec<EntityKey>,
    watch: &'a mut Watch<'w>,
}

/// Copies values to the end of a list; returns where they are.
fn append<T: Copy>(list: &mut Vec<T>, values: &[T]) -> Range<usize> {
    let start = list.len();
    list.extend_from_slice(values);
    start..list.len()
}
