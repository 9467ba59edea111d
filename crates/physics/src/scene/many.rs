//! Updates all objects in parallel, with the same result on any number of threads.
//!
//! The objects of a step are taken in batches, in the order of a tick, and a batch has four parts. Velocities are
//! integrated ([`begin`](super::begin)), in parallel as far as an object is concerned alone. Then every object that wants to
//! move is swept in parallel against the scene as it is. Then the sweeps that concern their objects alone are committed in
//! parallel ([`alone`](super::alone)). Last, in the order of a tick, the others are committed, and what the early ones left
//! is done. A sweep whose result an earlier object of the batch may have changed is made again at its turn, so that the
//! outcome is that of one object after the other: when that object may have come near ([`announce`](super::announce)), or
//! when the sweep met one of several objects near it in a list that the other one was in, as lists are tested in an order
//! that commits change. What an object does that depends on others, or that others feel, is done in the fourth part.
//!
//! Batches limit what an object costs in a large crowd: from its beginning to its commit it stays in the cache, and however
//! dense the crowd is, few of its neighbours are in its own batch.

use super::{
    Entity, EntityKey, Scene, SweptStep, Watching,
    alone::{OwnState, Shown},
    announce::{Announcement, Announcements},
    begin::{Begun, Task},
    commit::FinishedSweep,
    entities::sort_by_slot,
    extents::Extent,
    tick::Stride,
};
use crate::{
    cells::CellEntry,
    sweep::{Outcome, SHORT, Sweeper},
};
use std::ops::Range;
use threshold_dat::prefetch;
use threshold_world::{CellId, World, parallel};

/// Objects that one task begins, sweeps or commits.
pub(super) const LANE: usize = 64;
/// Objects of a batch; fixed, as is [`LANE`], so that nothing depends on the number of threads.
const BATCH: usize = 1024;
/// How many turns before a sweep the objects near it are fetched. Their list is fetched twice as early, and the cell three
/// times.
const AHEAD: usize = 2;
/// Movers for which the extents of all that has changed are measured; for fewer, looking at it costs less.
const MANY: usize = 8;

/// An object in the batch under way.
#[derive(Debug, Default)]
pub(super) struct Walker {
    pub(super) key: EntityKey,
    /// Its place in the batch.
    turn: usize,
    pub(super) begun: Begun,
    /// How far it was found to reach, until that is noted.
    pub(super) extent: Option<Extent>,
    swept: Swept,
    /// Of the sweep, if that was made.
    outcome: Outcome,
    cells: Range<usize>,
    missing: Range<usize>,
    touched: Range<usize>,
    /// It has been committed early, and was this before.
    pub(super) before: Option<OwnState>,
    /// It has been committed early, and something makes it move by itself.
    pub(super) has_actor: bool,
}

/// What has become of a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Swept {
    /// It is to be made at the object's turn.
    #[default]
    Not,
    Made,
    Refused,
}

impl Walker {
    /// Another object takes this one's place.
    fn begin(&mut self, key: EntityKey, turn: usize) {
        self.key = key;
        self.turn = turn;
        self.begun.task = Task::Begin;
        self.begun.is_left = false;
        self.begun.announcement = Announcement::default();
        self.begun.is_unpredictable = false;
        self.swept = Swept::Not;
        self.before = None;
    }

    /// The cell in which its sweep begins.
    fn sweeps_in(&self) -> Option<CellId> {
        if let Task::Sweep(stride) = &self.begun.task { Some(stride.to.cell) } else { None }
    }

    /// Its sweep, unless that is to be made again or was refused.
    pub(super) fn finished<'a>(&'a self, lane: &'a Lane) -> Option<FinishedSweep<'a>> {
        (self.swept == Swept::Made).then(|| FinishedSweep {
            outcome: &self.outcome,
            cells: &lane.cells[self.cells.clone()],
            missing: &lane.missing[self.missing.clone()],
            touched: &lane.touched[self.touched.clone()],
        })
    }
}

/// Scratch of one task, kept from step to step.
#[derive(Debug, Default)]
pub(super) struct Lane {
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
    /// Of these, the sweeps that were committed in parallel because they concerned their objects alone.
    pub alone: usize,
}

impl Scene {
    /// Updates everything that is not static to the current time. Then updates statics that play an animation.
    ///
    /// Runs on the current rayon thread pool; the outcome does not depend on it. [`Scene::advance_clock`] has the rule
    /// about time. Retail: `CPhysics::UseTime`. Spec: physics-objects §8.3.
    pub fn update_all(&mut self, world: &World) -> CrowdReport {
        self.update_all_watched(world, Watching::Nothing)
    }

    /// Like [`Scene::update_all`], and shows sweeps right before they are committed, in order of commit.
    pub fn update_all_watched(&mut self, world: &World, mut watching: Watching<'_>) -> CrowdReport {
        let mut crowd = std::mem::take(&mut self.crowd);
        let mut report = CrowdReport::default();
        self.rouse(&mut crowd.due);
        let mut is_first = true;
        while !crowd.due.is_empty() {
            self.step_all(world, &mut crowd, is_first, &mut report, &mut watching);
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
        watching: &mut Watching<'_>,
    ) {
        let Crowd { due, left, by_slot, walkers, lanes, announced, jumped } = crowd;
        left.clear();
        let mut aside = Vec::new();
        let shown = if matches!(watching, Watching::Everything(_)) { Shown::Yes } else { Shown::No };
        sort_by_slot(due, BATCH, by_slot);
        for (batch, by_slot) in due.chunks(BATCH).zip(by_slot.chunks(BATCH)) {
            if walkers.len() < batch.len() {
                walkers.resize_with(batch.len(), Walker::default);
            }
            let walkers = &mut walkers[..batch.len()];
            jumped.clear();
            let numbered = walkers.iter_mut().enumerate().zip(batch);
            numbered.for_each(|((turn, walker), &key)| walker.begin(key, turn));
            self.begin_many(walkers, is_first, by_slot);
            announced.begin(batch.len());
            for Walker { key, begun, .. } in &mut *walkers {
                self.begin(world, *key, is_first, begun);
                if begun.is_left {
                    left.push(*key);
                }
                announced.push(*key, begun.announcement);
            }
            self.sweep_all(world, walkers, lanes, announced);
            self.commit_early(walkers, lanes, by_slot, shown);
            for turn in 0..walkers.len() {
                walkers.get(turn + 2 * AHEAD).into_iter().for_each(|later| self.prefetch_commit(later));
                let Some((walker, later)) = walkers[turn..].split_first_mut() else { break };
                let Some(lane) = lanes.get(turn / LANE).filter(|_| !matches!(walker.begun.task, Task::Done))
                else {
                    continue;
                };
                let reach = announced.reach(turn);
                let mut settling = Settling { report, reach, later, jumped, watching };
                if walker.before.is_some() {
                    self.end_early(world, walker, lane, &mut settling);
                    if !walker.has_actor {
                        continue;
                    }
                } else {
                    self.settle(world, walker, lane, &mut settling);
                }
                // What has been taken aside in this step is seen to once more.
                if self.get(walker.key).is_some_and(Entity::is_aside) && !left.contains(&walker.key) {
                    aside.push(walker.key);
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

    /// Asks for what the commit of a sweep changes besides the object.
    #[inline]
    fn prefetch_commit(&self, walker: &Walker) {
        if let Some(cell) = walker.sweeps_in() {
            self.shadows.prefetch(cell);
            prefetch(self.extent(walker.key));
        }
    }

    /// Asks for what the sweep of an object reads of the others in a cell.
    #[inline]
    fn prefetch_others(&self, cell: CellId, own: EntityKey) {
        let list = self.shadows_in(cell);
        if list.len() <= SHORT {
            list.iter().filter(|&&key| key != own).for_each(|&key| self.entities.prefetch(key));
        } else {
            list.iter().for_each(|&key| prefetch(self.extent(key)));
        }
    }

    /// Does the rest of a step at its turn.
    fn settle(&mut self, world: &World, walker: &Walker, lane: &Lane, settling: &mut Settling<'_, '_>) {
        let Walker { key, ref begun, .. } = *walker;
        let Some(before) = self.entities.get(key).map(|entity| entity.position) else { return };
        let watching = &mut *settling.watching;
        match begun.task {
            Task::Begin | Task::Timed(_) | Task::Integrated(..) | Task::Done => {}
            // A sweep that was refused leaves the object where it is.
            Task::Whole(quantum) => drop(self.step(world, key, quantum, watching)),
            Task::Rest(candidate, quantum) => {
                drop(self.finish_step(world, key, candidate, quantum, watching))
            }
            Task::Still(rotation) => self.end_still(world, key, rotation),
            Task::Sweep(ref stride) => {
                settling.report.sweeps += 1;
                let cells = || &lane.cells[walker.cells.clone()];
                if walker.swept == Swept::Not || self.shares_a_cell(key, settling.jumped, cells) {
                    settling.report.repeated += 1;
                    self.sweep_again(world, key, stride, settling);
                } else if let Some(sweep) = walker.finished(lane) {
                    self.end_step(world, key, stride, sweep, watching);
                    self.tick_managers(world, key);
                }
            }
        }
        let has_jumped = |entity: &Entity| {
            let way = before.distance_to(&entity.position);
            way > 0.0 && entity.breadth() + way > settling.reach
        };
        if self.entities.get(key).is_some_and(has_jumped) {
            settling.jumped.push(key);
        }
    }

    /// Makes the sweep of a step at its turn, and commits it. If it comes farther than its mover announced, early commits behind
    /// it may have been in its way: they are taken back, and it is made once more.
    fn sweep_again(
        &mut self,
        world: &World,
        key: EntityKey,
        stride: &Stride,
        settling: &mut Settling<'_, '_>,
    ) {
        let mut sweeper = self.take_sweeper();
        let mut swept = self.sweep_entity(world, key, &stride.to, &mut sweeper, None);
        if swept.is_ok()
            && self.has_strayed(key, settling.reach, sweeper.outcome())
            && self.take_back(settling.later)
        {
            swept = self.sweep_entity(world, key, &stride.to, &mut sweeper, None);
        }
        if swept.is_ok() {
            self.end_step(world, key, stride, (&*sweeper).into(), settling.watching);
        }
        self.sweeper = Some(sweeper);
        self.tick_managers(world, key);
    }

    /// Does what an early commit has left for its turn.
    fn end_early(
        &mut self,
        world: &World,
        walker: &mut Walker,
        lane: &Lane,
        settling: &mut Settling<'_, '_>,
    ) {
        settling.report.sweeps += 1;
        settling.report.alone += 1;
        let key = walker.key;
        if let Watching::Everything(_) = settling.watching {
            self.show_early(walker, lane, settling.watching);
        }
        if let Some(extent) = walker.extent.take() {
            self.entities.note_extent(key, extent);
        }
        self.register_last(key, &lane.cells[walker.cells.clone()]);
        if walker.has_actor {
            self.tick_managers(world, key);
        }
    }

    /// Shows a step that was committed early as if it were about to be committed.
    fn show_early(&mut self, walker: &Walker, lane: &Lane, watching: &mut Watching<'_>) {
        let (Some(before), Task::Sweep(stride)) = (&walker.before, &walker.begun.task) else { return };
        let (key, target) = (walker.key, &stride.to);
        let Some(FinishedSweep { outcome, cells, missing, touched }) = walker.finished(lane) else { return };
        let Some(entity) = self.entities.committed_mut(key) else { return };
        let after = entity.exchange(before);
        watching.show(&SweptStep { key, entity, target, outcome, cells, missing, touched });
        entity.exchange(&after);
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
    fn has_strayed(&self, key: EntityKey, reach: f32, outcome: &Outcome) -> bool {
        self.entities
            .get(key)
            .is_some_and(|entity| entity.breadth() + entity.position.distance_to(&outcome.position) > reach)
    }

    /// Whether an object that is committed earlier in this batch may change what a sweep gave.
    ///
    /// An object that comes farther than it announced is caught by [`Scene::has_strayed`] as the mover, and as what is met
    /// by `Settling::jumped`.
    fn is_touched_by_earlier(
        &self,
        walker: &Walker,
        announced: &Announcements,
        cells: &[CellEntry],
        met_object: bool,
    ) -> bool {
        let Walker { key, turn, .. } = *walker;
        let Some(entity) = self.entities.get(key) else { return false };
        let is_swept = |cell: CellId| cells.iter().any(|entry| entry.id == cell);
        let shares_list = |other: EntityKey| {
            let theirs = self.entities.get(other).map_or(&[][..], |other| &other.shadows);
            let is_own = |cell: CellId| entity.shadows.iter().any(|shadow| shadow.cell == cell);
            theirs.iter().any(|shadow| is_swept(shadow.cell) || is_own(shadow.cell))
        };
        if announced.is_near_earlier(turn, shares_list) {
            return true;
        }
        if !met_object {
            return false;
        }
        let (reach, extent) = (announced.reach(turn), self.extent(key));
        // Where only one object can be met, the order of the list does not matter.
        let is_near = |other: EntityKey| other != key && self.extent(other).is_near(reach, extent);
        let is_ordered = |list: &[EntityKey]| list.iter().filter(|&&other| is_near(other)).nth(1).is_some();
        let is_reordered = |list: &[EntityKey]| list.iter().any(|&other| announced.is_earlier(other, turn));
        let swept = cells.iter().map(|entry| entry.id);
        let left = entity.shadows.iter().map(|shadow| shadow.cell).filter(|&cell| !is_swept(cell));
        swept.chain(left).map(|cell| self.shadows_in(cell)).any(|list| is_ordered(list) && is_reordered(list))
    }
}

impl Lane {
    fn sweep(&mut self, world: &World, scene: &Scene, announced: &Announcements, walkers: &mut [Walker]) {
        self.cells.clear();
        self.missing.clear();
        self.touched.clear();
        for i in 0..walkers.len() {
            let cell_of = |later: usize| walkers.get(i + later).and_then(Walker::sweeps_in);
            if let Some(cell) = cell_of(3 * AHEAD) {
                world.prefetch(cell);
                scene.shadows.prefetch(cell);
            }
            if let Some(cell) = cell_of(2 * AHEAD) {
                prefetch(scene.shadows_in(cell));
            }
            if let Some(cell) = cell_of(AHEAD) {
                scene.prefetch_others(cell, walkers[i + AHEAD].key);
            }
            let walker = &mut walkers[i];
            let Task::Sweep(stride) = &walker.begun.task else { continue };
            self.sweeper.turn_to_another();
            let result = scene.sweep_entity(world, walker.key, &stride.to, &mut self.sweeper, None);
            let (outcome, swept) = (self.sweeper.outcome(), self.sweeper.cells());
            let met_object = result.is_ok() && outcome.met_object;
            if result.is_ok() && scene.has_strayed(walker.key, announced.reach(walker.turn), outcome)
                || scene.is_touched_by_earlier(walker, announced, swept.entries(), met_object)
            {
                continue;
            }
            walker.swept = if result.is_ok() { Swept::Made } else { Swept::Refused };
            walker.outcome = *outcome;
            walker.cells = append(&mut self.cells, swept.entries());
            walker.missing = append(&mut self.missing, swept.missing());
            walker.touched = append(&mut self.touched, self.sweeper.touched());
        }
    }
}

/// What the last part of a step keeps track of.
struct Settling<'a, 'w> {
    report: &'a mut CrowdReport,
    /// How far the object whose turn it is said it would be felt.
    reach: f32,
    /// Those whose turns come later.
    later: &'a mut [Walker],
    jumped: &'a mut Vec<EntityKey>,
    watching: &'a mut Watching<'w>,
}

/// Copies values to the end of a list; returns where they are.
fn append<T: Copy>(list: &mut Vec<T>, values: &[T]) -> Range<usize> {
    let start = list.len();
    list.extend_from_slice(values);
    start..list.len()
}
