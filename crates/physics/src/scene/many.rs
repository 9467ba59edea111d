//! Updates all objects in parallel, with the same result on any number of threads.
//!
//! A step of all objects has three parts. Velocities are integrated ([`begin`](super::begin)), in parallel as far as an
//! object is concerned alone. Then every object that wants to move is swept in parallel against the scene as it is. Last,
//! the sweeps are committed in the order of a tick; one whose result an earlier object may have changed in the same step is
//! swept again at that moment, so that the outcome is that of one object after the other: when that object may have come
//! near, or when the sweep met one of several objects near it in a list that the other one was in, as lists are tested in
//! an order that commits change. What an object does that depends on others, or that others feel, is done in the third
//! part, at its turn.

use super::{
    Entity, EntityKey, Scene, SceneError, Watch,
    begin::{Beginning, Task},
    commit::FinishedSweep,
};
use crate::{
    cells::CellEntry,
    sweep::{Outcome, Sweeper},
};
use std::ops::Range;
use threshold_world::{CellId, World, parallel};

/// Objects that one task sweeps; fixed, so that nothing depends on the number of threads.
pub(super) const LANE: usize = 64;
/// Movers for which the extents of all that has changed are measured; for fewer, looking at it costs less.
const MANY: usize = 8;

/// An object in the step under way.
#[derive(Debug)]
struct Walker {
    key: EntityKey,
    task: Task,
    outcome: Option<Result<Outcome, SceneError>>,
    cells: Range<usize>,
    missing: Range<usize>,
    touched: Range<usize>,
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
    beginning: Beginning,
    walkers: Vec<Walker>,
    lanes: Vec<Lane>,
    announced: Announcements,
    /// Objects that went farther in this step than they had announced.
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
        let Crowd { due, beginning, walkers, lanes, announced, jumped } = crowd;
        walkers.clear();
        jumped.clear();
        self.begin_many(due, is_first, beginning);
        let mut place = 0;
        due.retain(|&key| {
            let begun = beginning.get(place);
            place += 1;
            self.begin(world, key, is_first, begun, |task, reach| {
                let turn = walkers.len() as u32;
                announced.set(key, Announcement { reach, turn });
                let none = 0..0;
                let (cells, missing, touched) = (none.clone(), none.clone(), none);
                walkers.push(Walker { key, task, outcome: None, cells, missing, touched });
            })
        });
        let tasks = walkers.len().div_ceil(LANE);
        if lanes.len() < tasks {
            lanes.resize_with(tasks, Lane::default);
        }
        if walkers.iter().filter(|walker| matches!(walker.task, Task::Sweep(_))).count() >= MANY {
            self.entities.measure();
        }
        let (scene, before) = (&*self, &*announced);
        if tasks > 1 {
            parallel::each_chunk_with(walkers, LANE, lanes, |walkers, lane| {
                lane.sweep(world, scene, before, walkers)
            });
        } else if let Some(lane) = lanes.first_mut() {
            lane.sweep(world, scene, before, walkers);
        }
        for (walkers, lane) in walkers.chunks_mut(LANE).zip(lanes.iter()) {
            for walker in walkers {
                self.settle(world, walker, lane, Settling { report, announced, jumped, watch });
                // What has been taken aside in this step is seen to once more.
                if self.get(walker.key).is_some_and(Entity::is_aside) && !due.contains(&walker.key) {
                    due.push(walker.key);
                }
            }
        }
    }

    fn settle(&mut self, world: &World, walker: &mut Walker, lane: &Lane, settling: Settling<'_, '_>) {
        let Settling { report, announced, jumped, watch } = settling;
        let Walker { key, task, .. } = *walker;
        let announced = announced.take(key).reach;
        let Some(before) = self.entities.get(key).map(|entity| entity.position) else { return };
        match task {
            // A sweep that was refused leaves the object where it is.
            Task::Whole(quantum) => drop(self.step(world, key, quantum, watch)),
            Task::Rest(candidate, quantum) => drop(self.finish_step(world, key, candidate, quantum, watch)),
            Task::Still(rotation) => self.end_still(world, key, rotation),
            Task::Sweep(stride) => {
                report.sweeps += 1;
                let is_overtaken = self.shares_a_cell(key, jumped, &lane.cells[walker.cells.clone()]);
                match walker.outcome.take().filter(|_| !is_overtaken) {
                    Some(Ok(outcome)) => {
                        let traces = FinishedSweep {
                            outcome: &outcome,
                            cells: &lane.cells[walker.cells.clone()],
                            missing: &lane.missing[walker.missing.clone()],
                            touched: &lane.touched[walker.touched.clone()],
                        };
                        self.end_step(world, key, &stride, traces, watch);
                        self.tick_managers(world, key);
                    }
                    Some(Err(_)) => {}
                    None => {
                        report.repeated += 1;
                        drop(self.sweep_step(world, key, &stride, watch));
                    }
                }
            }
        }
        let after = self.entities.get(key).map(|entity| entity.position);
        if after.is_some_and(|after| before.distance_to(&after) > announced) {
            jumped.push(key);
        }
    }

    /// Whether one of some objects is in a list that a sweep of another read.
    fn shares_a_cell(&self, key: EntityKey, others: &[EntityKey], swept: &[CellEntry]) -> bool {
        if others.is_empty() {
            return false;
        }
        let own = self.entities.get(key).map_or(&[][..], |entity| &entity.shadows);
        let cells = own.iter().map(|shadow| shadow.cell).chain(swept.iter().map(|entry| entry.id));
        cells.into_iter().any(|cell| self.shadows_in(cell).iter().any(|listed| others.contains(listed)))
    }

    /// Whether an object that is committed earlier in this step may change what a sweep gave.
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
            let Task::Sweep(stride) = &walker.task else { continue };
            let result = scene.sweep_entity(world, walker.key, &stride.to, &mut self.sweeper, None);
            let outcome = result.map(|()| *self.sweeper.outcome());
            let swept = self.sweeper.cells();
            let met_object = outcome.as_ref().is_ok_and(|outcome| outcome.met_object);
            if scene.is_touched_by_earlier(walker.key, announced, swept.entries(), met_object) {
                continue;
            }
            walker.outcome = Some(outcome);
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
