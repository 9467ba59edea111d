//! `threshold bench`: how fast everything is on this machine.

use super::Outcome;
use crate::{
    bench::{
        Bench, Case, Row, crowd,
        data::{self, CellMemory},
        frame::{self, Picture},
        golden, in_turns,
        machine::Machine,
        measure_in_turns, measured, scene, shard,
        simulation::{self, ObserverMemory, Size},
        sweeps, view,
    },
    progress,
};
use anyhow::Result;
use serde::Serialize;
use std::{
    io::{Write, stdout},
    path::PathBuf,
    time::Duration,
};

/// Measure performance: sweeps, crowds, views, data files, frames, memory.
///
/// Needs no data: it uses the built-in sample world. Prints the median and the best of many runs; on a busy machine only
/// the best is meaningful. A build with `--features count-allocations` counts allocations as well.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  threshold bench
  threshold bench --quick --json
  threshold bench --only frame
  threshold bench crowd
  threshold bench shard --json
  threshold conform --write kit && threshold bench --golden kit"
)]
pub(crate) struct Args {
    /// Print the table as JSON
    #[arg(long)]
    json: bool,
    /// Take a few seconds instead of most of a minute
    #[arg(long)]
    quick: bool,
    /// Also measure the scripts in this folder of golden recordings, and print the ratio to the implementation that made them
    #[arg(long, value_name = "DIR")]
    golden: Option<PathBuf>,
    /// Measure only this part of the table
    #[arg(long, value_name = "GROUP")]
    only: Option<Group>,
    /// Run everything twice on one thread and print how often each case ran: for counting instructions
    #[arg(long, hide = true, conflicts_with_all = ["json", "quick", "golden"])]
    count: bool,
    #[command(subcommand)]
    scale: Option<Scale>,
}

/// Measurements of their own.
#[derive(clap::Subcommand)]
enum Scale {
    /// Measure ticks of 1,000 to 100,000 movers: over a map that grows with them, and in the sample world
    Crowd(ScaleArgs),
    /// Measure a shard of Dereth's size: 65,025 blocks, 735,000 interior cells, 1,000 players, 50,000 creatures, 205,000 objects
    Shard(ScaleArgs),
}

#[derive(clap::Args)]
struct ScaleArgs {
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
    /// Measure something much smaller, in a few seconds
    #[arg(long)]
    quick: bool,
}

/// Parts of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Group {
    Memory,
    Sweeps,
    Scene,
    Sim,
    View,
    Data,
    Frame,
}

impl Args {
    fn wants(&self, group: Group) -> bool {
        self.only.is_none_or(|only| only == group)
    }
}

/// Frames that are measured, and those whose instructions are counted.
const FRAMES: [Picture; 2] =
    [Picture { size: (960, 540), threads: None }, Picture { size: (640, 360), threads: Some(1) }];
const COUNTED_FRAME: Picture = Picture { size: (320, 180), threads: None };

#[derive(Serialize)]
struct Table {
    machine: Machine,
    rows: Vec<Row>,
    memory: Option<CellMemory>,
    observer_memory: Option<ObserverMemory>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    if args.count {
        return count(args);
    }
    match &args.scale {
        Some(Scale::Crowd(args)) => return measure_crowds(args),
        Some(Scale::Shard(args)) => return measure_shard(args),
        None => {}
    }
    let (budget, copies, size) = if args.quick { (0.1, 400, Size::QUICK) } else { (1.2, 1000, Size::FULL) };
    let budget = Duration::from_secs_f64(budget);
    let progress = progress::steps("building the sample world");
    let bench = Bench::new()?;
    progress.set_message("measuring memory");
    // First, while nothing has been freed that would be used again unseen.
    let memory = if args.wants(Group::Memory) { data::cell_memory(&bench, copies)? } else { None };
    let mut rows = Vec::new();
    let mut measure = |cases: Vec<Case>| -> Result<()> {
        for mut together in in_turns(cases) {
            let Some(case) = together.first() else { continue };
            progress.set_message(format!("{}: {}", case.group, case.name));
            rows.extend(measure_in_turns(&mut together, budget)?);
        }
        Ok(())
    };
    if args.wants(Group::Sweeps) {
        measure(sweeps::cases(&bench)?)?;
        if let Some(dir) = &args.golden {
            measure(golden::cases(dir)?)?;
        }
    }
    if args.wants(Group::Scene) {
        measure(scene::cases(&bench)?)?;
    }
    let mut observer_memory = None;
    if args.wants(Group::Sim) {
        measure(simulation::ticks(&bench)?)?;
        measure(simulation::snapshots(&bench)?)?;
        let observed = simulation::observer_cases(size)?;
        observer_memory = observed.1;
        measure(observed.0)?;
    }
    if args.wants(Group::View) {
        measure(view::cases(&bench)?)?;
    }
    if args.wants(Group::Data) {
        measure(data::cases(&bench)?)?;
    }
    if args.wants(Group::Frame) {
        for picture in FRAMES {
            measure(frame::cases(&bench, picture)?)?;
        }
    }
    progress.finish_and_clear();
    let table = Table { machine: Machine::this(), rows, memory, observer_memory };
    if args.json {
        writeln!(stdout(), "{}", serde_json::to_string_pretty(&table)?)?;
    } else {
        table.print()?;
    }
    Ok(Outcome::Success)
}

fn measure_crowds(args: &ScaleArgs) -> Result<Outcome> {
    let progress = progress::steps("building the sample world");
    let sizes = if args.quick { crowd::Sizes::QUICK } else { crowd::Sizes::FULL };
    let rows = crowd::measure(&Bench::new()?, &sizes, |what| progress.set_message(what))?;
    progress.finish_and_clear();
    crowd::print(rows, args.json)?;
    Ok(Outcome::Success)
}

fn measure_shard(args: &ScaleArgs) -> Result<Outcome> {
    let progress = progress::steps("building the sample world");
    let size = if args.quick { shard::Size::QUICK } else { shard::Size::FULL };
    let figures = shard::measure(&Bench::new()?, size, |what| progress.set_message(what.to_owned()))?;
    progress.finish_and_clear();
    figures.print(args.json)?;
    Ok(Outcome::Success)
}

/// Every case twice: once to warm up, once to be counted.
fn count(args: &Args) -> Result<Outcome> {
    // All work in this thread: a profiler counts by thread.
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global()?;
    let bench = Bench::new()?;
    type Cases = fn(&Bench) -> Result<Vec<Case>>;
    let groups: [(Group, Cases); 5] = [
        (Group::Sweeps, sweeps::cases),
        (Group::Sim, simulation::ticks),
        (Group::View, view::cases),
        (Group::Data, data::cases),
        (Group::Frame, |bench| frame::cases(bench, COUNTED_FRAME)),
    ];
    for (_, cases) in groups.into_iter().filter(|(group, _)| args.wants(*group)) {
        for mut together in in_turns(cases(&bench)?) {
            for case in &mut together {
                (case.operation)()?;
            }
            for case in &mut together {
                (case.operation)()?;
                writeln!(stdout(), "{} {}: {}", measured(), case.group, case.name)?;
            }
        }
    }
    Ok(Outcome::Success)
}

impl Table {
    fn print(&self) -> Result<()> {
        let mut out = stdout().lock();
        writeln!(out, "{}", self.machine)?;
        let mut group = "";
        for row in &self.rows {
            if row.group != group {
                group = row.group;
                writeln!(out, "\n{group:<88} {:>11} {:>11} {:>14}", "best", "median", "best /s")?;
            }
            let ratio = row.ratio.map_or(String::new(), |ratio| format!("  {ratio:.2} × C++"));
            let allocations =
                row.allocations.map_or(String::new(), |count| format!("  {count:.0} allocations"));
            let detail = if row.detail.is_empty() { String::new() } else { format!(" ({})", row.detail) };
            let name = format!("{}{detail}, per {}", row.name, row.each);
            writeln!(
                out,
                "{name:<88} {:>11} {:>11} {:>14}{ratio}{allocations}",
                duration(row.best_us),
                duration(row.median_us),
                thousands(row.best_per_second),
            )?;
        }
        if let Some(memory) = self.memory {
            writeln!(out, "\nmemory, geometry that is shared left out ({} cells)", memory.cells)?;
            writeln!(out, "{:<88} {:>11}", "interior cell", format!("{} B", memory.bytes_per_cell))?;
            writeln!(
                out,
                "{:<88} {:>11}",
                "block without its rooms",
                format!("{} B", memory.bytes_per_block)
            )?;
        }
        if let Some(ObserverMemory { observers, blocks, bytes }) = self.observer_memory {
            let name = format!("{blocks} blocks of hills around {observers} observers");
            writeln!(out, "{name:<88} {:>11}", format!("{:.0} MB", bytes as f64 / 1e6))?;
        }
        Ok(())
    }
}

fn duration(us: f64) -> String {
    match us {
        us if us < 1.0 => format!("{:.0} ns", us * 1e3),
        us if us < 1e3 => format!("{us:.2} µs"),
        us => format!("{:.2} ms", us / 1e3),
    }
}

fn thousands(rate: f64) -> String {
    let digits = format!("{rate:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_for_people() {
        assert_eq!(thousands(1_234_567.8), "1,234,568");
        assert_eq!(thousands(42.0), "42");
        assert_eq!(
            (duration(0.25), duration(12.5), duration(12_500.0)),
            ("250 ns".into(), "12.50 µs".into(), "12.50 ms".into())
        );
    }
}
