//! Everything moves at once, on as many threads as there are, with the same result on any number of them.
//!
//! A step of all objects has three parts. Velocities are integrated one after the other. Then every object that wants
//! to move is swept in parallel against the scene as it is. Last, the sweeps are committed in the order of a tick; one
//! whose result an earlier object may have changed in the same step is swept again at that moment, so that the
//! outcome is that of one object after the other: when that object may have come near, or when the sweep met any
//! object in a list that the other one was in, as lists are tested in an order that commits change.

use super::{EntityKey, Scene, SceneError, Watch, commit::FinishedSweep, tick::Stride};
use crate::{
    cells::CellEntry,
    sweep::{Outcome, Sweeper},
};
use rayon::prelude::*;
use std::ops::Range;
use threshold_world::{CellId, World};

/// Objects that one task sweeps; fixed, so that nothing depends on the number of threads.
const LANE: usize = 64;
/// Room left around an object that moves, for what slides and pushes add to its own displacement.
const SLACK: f32 = 0.1;

/// An object that wants to move in the step under way.
#[derive(Debug)]
struct Walker {
    key: EntityKey,
    stride: Stride,
    outcome: Option<Result<Outcome, SceneError>>,
    cells: Range<usize>,
    missing: Range<usize>,
    touched: Range<usize>,
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
    walkers: Vec<Walker>,
    lanes: Vec<Lane>,
}

/// What an update of all objects did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CrowdReport {
    /// Sweeps that were committed or failed.
    pub sweeps: usize,
    /// Of these, the ones that had to be made again because others had moved.
    pub repeated: usize,
}

impl Scene {
    /// Brings everything that is not static up to the clock, and shows every sweep right before it is committed.
    ///
    /// Runs on the current rayon thread pool; the outcome does not depend on it. [`Scene::advance_clock`] has the rule
    /// about time. Retail: `CPhysics::UseTime`. Spec: physics-objects §8.3.
    pub fn update_all(&mut self, world: &World, watch: &mut Watch<'_>) -> CrowdReport {
        let mut crowd = std::mem::take(&mut self.crowd);
        let mut report = CrowdReport::default();
        crowd.due.clear();
        crowd.due.extend(self.movers.in_turn());
        let mut is_first = true;
        while !crowd.due.is_empty() {
            self.step_all(world, &mut crowd, is_first, &mut report, watch);
            is_first = false;
        }
        self.crowd = crowd;
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
        let Crowd { due, walkers, lanes } = crowd;
        walkers.clear();
        due.retain(|&key| {
            let Some(quantum) = self.next_quantum(key, is_first) else { return false };
            if let Some(stride) = self.begin_step(world, key, quantum) {
                self.announce(key, &stride);
                let none = 0..0;
                let (cells, missing, touched) = (none.clone(), none.clone(), none);
                walkers.push(Walker { key, stride, outcome: None, cells, missing, touched });
            }
            true
        });
        let tasks = walkers.len().div_ceil(LANE);
        if lanes.len() < tasks {
            lanes.resize_with(tasks, Lane::default);
        }
        let scene = &*self;
        if tasks > 1 {
            let tasks = walkers.par_chunks_mut(LANE).zip(lanes.par_iter_mut());
            tasks.for_each(|(walkers, lane)| lane.sweep(world, scene, walkers));
        } else if let Some(lane) = lanes.first_mut() {
            lane.sweep(world, scene, walkers);
        }
        for (walkers, lane) in walkers.chunks_mut(LANE).zip(lanes.iter()) {
            for walker in walkers {
                self.settle(world, walker, lane, report, watch);
            }
        }
    }

    /// Notes how far an object may be felt while it moves.
    fn announce(&mut self, key: EntityKey, stride: &Stride) {
        if let Some(entity) = self.entities.get_mut(key) {
            let length = (stride.to.frame.origin - stride.from.frame.origin).truncate().length();
            entity.reach = entity.girth + 2.0 * length + SLACK;
        }
    }

    fn settle(
        &mut self,
        world: &World,
        walker: &mut Walker,
        lane: &Lane,
        report: &mut CrowdReport,
        watch: &mut Watch<'_>,
    ) {
        let Walker { key, stride, .. } = *walker;
        if let Some(entity) = self.entities.get_mut(key) {
            entity.reach = 0.0;
        }
        report.sweeps += 1;
        match walker.outcome.take() {
            Some(Ok(outcome)) => {
                let traces = FinishedSweep {
                    outcome: &outcome,
                    cells: &lane.cells[walker.cells.clone()],
                    missing: &lane.missing[walker.missing.clone()],
                    touched: &lane.touched[walker.touched.clone()],
                };
                self.end_step(world, key, &stride, traces, watch);
            }
            // A sweep that was refused leaves the object where it is.
            Some(Err(_)) => {}
            None => {
                report.repeated += 1;
                let mut sweeper = self.take_sweeper();
                if self.sweep_entity(world, key, &stride.to, &mut sweeper, None).is_ok() {
                    self.end_step(world, key, &stride, (&*sweeper).into(), watch);
                }
                self.sweeper = Some(sweeper);
            }
        }
    }

    /// Whether an object that is committed earlier in this step may change what a sweep gave.
    fn is_touched_by_earlier(&self, key: EntityKey, cells: &[CellEntry], met_object: bool) -> bool {
        let Some(entity) = self.entities.get(key) else { return false };
        let own = entity.shadows.iter().map(|shadow| shadow.cell);
        let swept = cells.iter().map(|entry| entry.id);
        let listed = own.chain(swept).flat_map(|cell| self.shadows_in(cell));
        let turn = entity.turn();
        let mut moving = listed.filter_map(|&other| self.entities.get(other)).filter(|e| e.reach > 0.0);
        moving.any(|other| {
            if other.turn() >= turn {
                return false;
            }
            let between = entity.position.offset_to(&other.position).truncate();
            let reach = entity.reach + other.reach;
            met_object || between.length_squared() < reach * reach
        })
    }
}

impl Lane {
    fn sweep(&mut self, world: &World, scene: &Scene, walkers: &mut [Walker]) {
        self.cells.clear();
        self.missing.clear();
        self.touched.clear();
        for walker in walkers {
            let target = &walker.stride.to;
            let result = scene.sweep_entity(world, walker.key, target, &mut self.sweeper, None);
            let outcome = result.map(|()| *self.sweeper.outcome());
            let swept = self.sweeper.cells();
            let met_object = outcome.as_ref().is_ok_and(|outcome| outcome.met_object);
            if scene.is_touched_by_earlier(walker.key, swept.entries(), met_object) {
                continue;
            }
            walker.outcome = Some(outcome);
            walker.cells = append(&mut self.cells, swept.entries());
            walker.missing = append(&mut self.missing, swept.missing());
            walker.touched = append(&mut self.touched, self.sweeper.touched());
        }
    }
}

/// Copies values to the end of a list; returns where they are.
fn append<T: Copy>(list: &mut Vec<T>, values: &[T]) -> Range<usize> {
    let start = list.len();
    list.extend_from_slice(values);
    start..list.len()
}
