//! Crowds of all sizes: what a mover costs when there are more of them, over a map that grows with them and over one that
//! does not.

use super::{Bench, machine::Machine};
use anyhow::{Context, Result, ensure};
use serde::Serialize;
use std::{
    io::{Write, stdout},
    sync::Arc,
    time::{Duration, Instant},
};
use threshold_physics::PLAYER_SETUP;
use threshold_sample::census::Census;
use threshold_scenario::soak::populate;
use threshold_sim::{Residency, Simulation, TICK};
use threshold_world::{Library, source::Source};

/// Movers of a block where the map grows with the crowd: one for each of its outdoor cells.
const PER_BLOCK: usize = 64;
/// Ticks of each crowd, on each number of threads.
const TICKS: usize = 20;

/// How large crowds are.
pub(crate) struct Sizes {
    /// Blocks a side of maps that grow with their crowds.
    sides: &'static [u32],
    /// Movers in the sample world.
    movers: &'static [usize],
}

impl Sizes {
    pub(crate) const FULL: Sizes = Sizes { sides: &[4, 13, 40], movers: &[1_000, 10_000, 100_000] };
    pub(crate) const QUICK: Sizes = Sizes { sides: &[2, 4], movers: &[100, 300] };
}

/// One crowd on one number of threads.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    map: &'static str,
    blocks: usize,
    movers: usize,
    threads: usize,
    best_ms: f64,
    median_ms: f64,
    /// Of the best tick.
    us_per_mover: f64,
    /// Sweeps of a tick, and how many of them had to be repeated.
    sweeps: usize,
    repeated: usize,
    /// The state of the scene at the end: the same on every machine.
    hash: String,
}

#[derive(Serialize)]
struct Table {
    machine: Machine,
    rows: Vec<Row>,
}

/// Measures all crowds; `note` hears which one is next.
pub(crate) fn measure(bench: &Bench, sizes: &Sizes, note: impl Fn(String)) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for &side in sizes.sides {
        let movers = (side * side) as usize * PER_BLOCK;
        note(format!("{movers} movers on {side} × {side} blocks of hills"));
        let source: Arc<dyn Source> = Arc::new(Census::hills(side));
        rows.extend(crowd(bench, "hills", Arc::new(Library::new(source)), movers)?);
    }
    for &movers in sizes.movers {
        note(format!("{movers} movers in the sample world"));
        rows.extend(crowd(bench, "sample world", bench.library.clone(), movers)?);
    }
    Ok(rows)
}

fn crowd(bench: &Bench, map: &'static str, library: Arc<Library>, count: usize) -> Result<Vec<Row>> {
    let mut sim = Simulation::builder().library(library).residency(Residency::Whole).build()?;
    let model = bench.library.model(PLAYER_SETUP)?.context("the sample world has no player")?;
    let blocks = sim.world().block_ids().count();
    let (world, scene) = sim.parts_mut();
    let movers = populate(world, scene, &model, count, 1, 42).len();
    ensure!(movers > count / 2, "room for {movers} of {count} movers only");
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if all == 1 { vec![1] } else { vec![1, all] };
    let pools = threads.iter().map(|&threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build());
    let pools = pools.collect::<Result<Vec<_>, _>>()?;
    let mut times = vec![Vec::with_capacity(TICKS); pools.len()];
    let mut report = Default::default();
    // In turns: a crowd that is measured later has become another one. The first round only warms up.
    for round in 0..=TICKS {
        for (pool, times) in pools.iter().zip(&mut times) {
            sim.advance_clock(TICK)?;
            let (world, scene) = sim.parts_mut();
            let begin = Instant::now();
            report = pool.install(|| scene.update_all(world));
            let took = begin.elapsed();
            scene.drain_events();
            if round > 0 {
                times.push(took);
            }
        }
    }
    let hash = format!("{:016x}", sim.scene().state_hash());
    let row = |(threads, mut times): (usize, Vec<Duration>)| {
        times.sort();
        let ms = |time: Option<&Duration>| time.map_or(0.0, |time| time.as_secs_f64() * 1e3);
        let best_ms = ms(times.first());
        Row {
            map,
            blocks,
            movers,
            threads,
            best_ms,
            median_ms: ms(times.get(times.len() / 2)),
            us_per_mover: best_ms * 1e3 / movers as f64,
            sweeps: report.sweeps,
            repeated: report.repeated,
            hash: hash.clone(),
        }
    };
    Ok(threads.into_iter().zip(times).map(row).collect())
}

/// Prints the table.
pub(crate) fn print(rows: Vec<Row>, is_json: bool) -> Result<()> {
    let mut out = stdout().lock();
    let table = Table { machine: Machine::this(), rows };
    if is_json {
        writeln!(out, "{}", serde_json::to_string_pretty(&table)?)?;
        return Ok(());
    }
    writeln!(out, "{}\n", table.machine)?;
    writeln!(
        out,
        "{:<14}{:>8}{:>10}{:>9}{:>12}{:>12}{:>14}{:>11}  state",
        "map", "blocks", "movers", "threads", "best", "median", "per mover", "repeated"
    )?;
    for row in &table.rows {
        let share = 100.0 * row.repeated as f64 / row.sweeps.max(1) as f64;
        writeln!(
            out,
            "{:<14}{:>8}{:>10}{:>9}{:>9.2} ms{:>9.2} ms{:>11.3} µs{:>9.1} %  {}",
            row.map,
            row.blocks,
            row.movers,
            row.threads,
            row.best_ms,
            row.median_ms,
            row.us_per_mover,
            share,
            row.hash
        )?;
    }
    Ok(())
}
