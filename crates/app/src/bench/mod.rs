//! The operations of the benchmark table, each ready to be run again and again.

pub(crate) mod allocations;
pub(crate) mod crowd;
pub(crate) mod data;
pub(crate) mod frame;
pub(crate) mod golden;
pub(crate) mod machine;
pub(crate) mod scene;
pub(crate) mod shard;
pub(crate) mod simulation;
pub(crate) mod sweeps;
pub(crate) mod view;

use crate::dats::sample_source;
use anyhow::{Context, Result};
use serde::Serialize;
use std::{
    hint::black_box,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};
use threshold_sample::SampleWorld;
use threshold_sim::{Simulation, eye_above};
use threshold_view::{Lens, Viewer};
use threshold_world::{Frame, Library, Position, source::Source};

/// What the cases are made of.
pub(crate) struct Bench {
    pub(crate) sample: SampleWorld,
    pub(crate) source: Arc<dyn Source>,
    pub(crate) library: Arc<Library>,
}

impl Bench {
    /// The sample world, built anew.
    pub(crate) fn new() -> Result<Bench> {
        let sample = threshold_sample::build().context("the sample world")?;
        let source = sample_source(&sample)?;
        let library = Arc::new(Library::new(source.clone()));
        Ok(Bench { sample, source, library })
    }

    /// The sample world as it runs, with everything that is placed in it.
    pub(crate) fn simulation(&self) -> Result<Simulation> {
        let builder = Simulation::builder().library(self.library.clone());
        Ok(builder.placed(self.sample.entities.clone()).places(self.sample.places.clone()).build()?)
    }

    /// The eye of a player at a named place.
    pub(crate) fn viewer(
        &self,
        sim: &Simulation,
        place: &str,
        (width, height): (u32, u32),
    ) -> Result<Viewer> {
        let at = self.place(place)?;
        let eye = eye_above(sim.world(), sim.scene(), None, &at);
        let lens = Lens::new(60f32.to_radians(), width, height).context("the lens")?;
        let position = Position::new(eye.cell, Frame::new(eye.frame.origin, at.frame.rotation()));
        Ok(Viewer { position, lens, player_cell: at.cell })
    }

    /// A named place of the sample world.
    pub(crate) fn place(&self, name: &str) -> Result<Position> {
        let place = self.sample.places.iter().find(|place| place.name == name);
        Ok(place.with_context(|| format!("the sample world has no {name}"))?.position)
    }
}

/// What one run cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    time: Duration,
    allocations: Option<u64>,
}

/// Something that can be measured: runs it once and says what the part that counts cost.
pub(crate) type Operation = Box<dyn FnMut() -> Result<Cost>>;

/// A line of the table before it is measured.
pub(crate) struct Case {
    pub(crate) group: &'static str,
    pub(crate) name: String,
    /// How large it is; may change with the sample world.
    pub(crate) detail: String,
    /// What happens so many times in one run.
    pub(crate) each: &'static str,
    pub(crate) times: f64,
    /// The same of the independent implementation, per second, best of its runs.
    pub(crate) reference: Option<f64>,
    /// It is compared with the case before it, and so measured in turns with it.
    pub(crate) in_turn: bool,
    pub(crate) operation: Operation,
}

impl Case {
    pub(crate) fn new(
        group: &'static str,
        name: impl Into<String>,
        each: &'static str,
        operation: impl FnMut() -> Result<Cost> + 'static,
    ) -> Case {
        let operation = Box::new(operation);
        let (name, detail) = (name.into(), String::new());
        Case { group, name, detail, each, times: 1.0, reference: None, in_turn: false, operation }
    }

    pub(crate) fn detail(mut self, detail: String) -> Case {
        self.detail = detail;
        self
    }

    pub(crate) fn times(mut self, times: usize) -> Case {
        self.times = times as f64;
        self
    }

    fn row(&self, mut samples: Vec<f64>, allocations: &[u64]) -> Row {
        samples.sort_by(f64::total_cmp);
        let (best, median) = (samples[0] / self.times, samples[samples.len() / 2] / self.times);
        let per_second = |seconds: f64| 1.0 / seconds.max(1e-12);
        Row {
            group: self.group,
            name: self.name.clone(),
            detail: self.detail.clone(),
            each: self.each,
            runs: samples.len(),
            best_us: best * 1e6,
            median_us: median * 1e6,
            best_per_second: per_second(best),
            median_per_second: per_second(median),
            reference_per_second: self.reference,
            ratio: self.reference.map(|reference| per_second(best) / reference),
            allocations: allocations.iter().min().map(|&fewest| fewest as f64 / self.times),
        }
    }
}

/// Cases that are measured together.
pub(crate) fn in_turns(cases: Vec<Case>) -> Vec<Vec<Case>> {
    let mut groups: Vec<Vec<Case>> = Vec::new();
    for case in cases {
        match groups.last_mut() {
            Some(group) if case.in_turn => group.push(case),
            _ => groups.push(vec![case]),
        }
    }
    groups
}

/// Runs cases in turns for a while, each at least three times after a first one that does not count.
pub(crate) fn measure_in_turns(cases: &mut [Case], budget: Duration) -> Result<Vec<Row>> {
    for case in &mut *cases {
        (case.operation)().with_context(|| case.name.clone())?;
    }
    let budget = budget * cases.len() as u32;
    let begin = Instant::now();
    let mut costs = vec![(Vec::new(), Vec::new()); cases.len()];
    for runs in 0..10_000 {
        if runs >= 3 && begin.elapsed() >= budget {
            break;
        }
        for (case, (samples, allocations)) in cases.iter_mut().zip(&mut costs) {
            let cost = (case.operation)().with_context(|| case.name.clone())?;
            samples.push(cost.time.as_secs_f64());
            allocations.extend(cost.allocations);
        }
    }
    Ok(cases
        .iter()
        .zip(costs)
        .map(|(case, (samples, allocations))| case.row(samples, &allocations))
        .collect())
}

/// A line of the table.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) group: &'static str,
    pub(crate) name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) detail: String,
    /// What the times are of.
    pub(crate) each: &'static str,
    pub(crate) runs: usize,
    pub(crate) best_us: f64,
    pub(crate) median_us: f64,
    pub(crate) best_per_second: f64,
    pub(crate) median_per_second: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reference_per_second: Option<f64>,
    /// Best of ours to best of the reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ratio: Option<f64>,
    /// Fewest allocations, in a build that counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) allocations: Option<f64>,
}

/// Measures the part of a run that counts.
pub(crate) fn time(mut part: impl FnMut()) -> Cost {
    let (before, begin) = (allocations::count(), Instant::now());
    counted(&mut part);
    let time = begin.elapsed();
    let allocations = allocations::count().zip(before).map(|(after, before)| after - before);
    Cost { time, allocations }
}

static MEASURED: AtomicU32 = AtomicU32::new(0);

/// How often anything has been measured since the program began; tells the parts of a profile apart.
pub(crate) fn measured() -> u32 {
    MEASURED.load(Ordering::Relaxed)
}

/// Apart and by name, so that a profiler can count what happens in here alone.
#[inline(never)]
fn counted(part: &mut dyn FnMut()) {
    MEASURED.fetch_add(1, Ordering::Relaxed);
    part();
    // Something to come back to: a jump at the end would not be seen as the end of this function.
    black_box(part);
}
