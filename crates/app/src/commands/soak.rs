//! `threshold soak`: random players in the sample world, with everything checked.

use super::Outcome;
use crate::{dats::sample_source, memory::Memory, progress, text::say};
use anyhow::{Context, Result};
use serde_json::json;
use std::{
    io::{Write, stdout},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use threshold_sample::SampleWorld;
use threshold_scenario::soak::{Soak, SoakStats, Violation};
use threshold_sim::{PLAYER_SETUP, Residency, Simulation};

/// Time between two lines of progress.
const REPORT_EVERY: Duration = Duration::from_secs(60);

/// Run random players in the sample world and check every invariant after every tick.
///
/// They run, jump, bump into doors that open and close, walk into portals and are teleported; blocks are unloaded under
/// their feet and loaded again. After every tick, each cell's list must contain exactly the objects that belong there, every
/// position must be finite, every player must be in a loaded cell or known to be lost, and none on the far side of a closed
/// door. Every fifty ticks everything is saved, and the run continues from the restored bytes.
/// When an invariant fails, the exit status is 1 and a command that repeats the run is printed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold soak --minutes 60
  threshold soak --ticks 5000 --seed 7 --movers 200 --json")]
pub(crate) struct Args {
    /// How long to run
    #[arg(long, value_name = "N", default_value_t = 1.0, conflicts_with = "ticks")]
    minutes: f64,
    /// Stop after this many ticks instead
    #[arg(long, value_name = "N")]
    ticks: Option<u64>,
    /// Seed of the random numbers, to repeat a run [default: from the clock]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Number of players
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    movers: u32,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    anyhow::ensure!(
        args.minutes.is_finite() && args.minutes >= 0.0,
        "--minutes: {} is not a valid duration",
        args.minutes
    );
    let seed = args.seed.unwrap_or_else(clock);
    let (mut soak, players) = begin(seed, args.movers as usize)?;
    say!("soak: seed {seed}, {players} players");
    let mut run = Run::new();
    let bar = progress::bar(args.ticks.unwrap_or_default() as usize, "ticks");
    let is_over = |run: &Run, ticks: u64| match args.ticks {
        Some(most) => ticks >= most,
        None => run.begin.elapsed().as_secs_f64() >= args.minutes * 60.0,
    };
    let mut violation = None;
    let mut ticks = 0;
    while violation.is_none() && !is_over(&run, ticks) {
        violation = soak.play().err();
        ticks += 1;
        run.note(soak.last_tick(), ticks);
        if args.ticks.is_some() {
            bar.set_position(ticks);
        }
    }
    bar.finish_and_clear();
    let result = Finished { seed, players, stats: soak.stats(), run, violation };
    if args.json {
        writeln!(stdout(), "{}", serde_json::to_string_pretty(&result.json(args.movers))?)?;
    } else {
        result.print()?;
    }
    match &result.violation {
        Some(violation) => {
            say!("threshold: {}", complaint(violation, args.movers));
            Ok(Outcome::Findings)
        }
        None => Ok(Outcome::Success),
    }
}

fn clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_millis() as u64)
}

/// What was wrong and how to see it again.
fn complaint(violation: &Violation, movers: u32) -> String {
    format!("{violation}; repeat with `{}`", repetition(violation, movers))
}

fn repetition(violation: &Violation, movers: u32) -> String {
    format!("threshold soak --seed {} --movers {movers} --ticks {}", violation.seed, violation.step)
}

/// The sample world with everything a server would place, which does nothing by itself, and players at its named places.
fn begin(seed: u64, players: usize) -> Result<(Soak, usize)> {
    let sample = threshold_sample::build().context("the sample world")?;
    let source = sample_source(&sample)?;
    let SampleWorld { mut entities, places, .. } = sample;
    entities.iter_mut().for_each(|entity| *entity.habits = Default::default());
    let sim = Simulation::builder()
        .source(source)
        .placed(entities)
        .places(places)
        .residency(Residency::Whole)
        .build()?;
    let model = sim.library().model(PLAYER_SETUP)?.context("the sample world has no player")?;
    let mut soak = Soak::new(sim, Vec::new(), seed);
    let players = soak.add_players(&model, players);
    Ok((soak, players))
}

/// Times and memory of a run.
struct Run {
    begin: Instant,
    reported: Instant,
    ticking: Duration,
    worst: Duration,
    memory_at_start: Option<Memory>,
}

impl Run {
    fn new() -> Run {
        let now = Instant::now();
        Run {
            begin: now,
            reported: now,
            ticking: Duration::ZERO,
            worst: Duration::ZERO,
            memory_at_start: Memory::now(),
        }
    }

    fn note(&mut self, tick: Duration, ticks: u64) {
        self.ticking += tick;
        self.worst = self.worst.max(tick);
        if self.reported.elapsed() >= REPORT_EVERY {
            self.reported = Instant::now();
            let memory = Memory::now().map_or(String::new(), |memory| format!(", {}", memory));
            let minutes = self.begin.elapsed().as_secs() / 60;
            say!("soak: {minutes} min, {ticks} ticks, worst {:.1} ms{memory}", ms(self.worst));
        }
    }
}

struct Finished {
    seed: u64,
    players: usize,
    stats: SoakStats,
    run: Run,
    violation: Option<Violation>,
}

impl Finished {
    fn mean_tick(&self) -> Duration {
        self.run.ticking / self.stats.ticks.clamp(1, u64::from(u32::MAX)) as u32
    }

    fn done(&self, action: &str) -> u64 {
        self.stats.actions.get(action).copied().unwrap_or(0)
    }

    fn json(&self, movers: u32) -> serde_json::Value {
        let (stats, memory) = (&self.stats, Memory::now());
        json!({
            "seed": self.seed,
            "players": self.players,
            "seconds": self.run.begin.elapsed().as_secs_f64(),
            "ticks": stats.ticks,
            "moves": stats.sweeps,
            "cell_changes": stats.cell_changes,
            "jumps": stats.jumps,
            "teleports": self.done("teleport"),
            "portals": self.done("portal"),
            "doors_opened": self.done("open door"),
            "doors_closed": self.done("close door"),
            "door_bumps": stats.door_bumps,
            "blocks_loaded": self.done("load block"),
            "blocks_unloaded": self.done("unload block"),
            "lost": stats.lost,
            "found": stats.found,
            "rescued": self.done("rescue"),
            "snapshots": self.done("snapshot"),
            "objects": stats.objects,
            "list_entries": stats.entries,
            "mean_tick_ms": ms(self.mean_tick()),
            "worst_tick_ms": ms(self.run.worst),
            "memory_start_bytes": self.run.memory_at_start.map(|memory| memory.now),
            "memory_bytes": memory.map(|memory| memory.now),
            "memory_peak_bytes": memory.map(|memory| memory.peak),
            "hash": format!("{:016x}", stats.hash),
            "violation": self.violation.as_ref().map(|violation| json!({
                "tick": violation.step, "what": violation.what, "repeat": repetition(violation, movers),
            })),
        })
    }

    fn print(&self) -> Result<()> {
        let mut out = stdout().lock();
        let stats = &self.stats;
        let seconds = self.run.begin.elapsed().as_secs_f64();
        writeln!(out, "seed {}, {} players, {seconds:.0} s", self.seed, self.players)?;
        for (what, count) in [
            ("ticks", stats.ticks),
            ("moves", stats.sweeps),
            ("cell changes", stats.cell_changes),
            ("jumps", stats.jumps),
            ("teleports", self.done("teleport")),
            ("portals entered", self.done("portal")),
            ("doors opened", self.done("open door")),
            ("doors closed", self.done("close door")),
            ("bumps into doors", stats.door_bumps),
            ("blocks unloaded", self.done("unload block")),
            ("blocks loaded", self.done("load block")),
            ("lost with their cell", stats.lost),
            ("found again", stats.found),
            ("fallen out and put back", self.done("rescue")),
            ("snapshots gone on from", self.done("snapshot")),
            ("objects now", stats.objects as u64),
            ("entries in lists now", stats.entries as u64),
        ] {
            writeln!(out, "{count:>14}  {what}")?;
        }
        writeln!(
            out,
            "tick: {:.3} ms on average, {:.1} ms at worst",
            ms(self.mean_tick()),
            ms(self.run.worst)
        )?;
        if let (Some(start), Some(now)) = (self.run.memory_at_start, Memory::now()) {
            writeln!(out, "memory: {start} at the start, {now} now")?;
        }
        writeln!(out, "hash {:016x}", stats.hash)?;
        if self.violation.is_none() {
            writeln!(out, "everything held")?;
        }
        Ok(())
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violation_says_how_to_see_it_again() {
        let violation =
            Violation { seed: 7, step: 123, action: "tick", what: "an object is gone".to_owned() };
        let text = complaint(&violation, 60);
        assert!(text.contains("an object is gone") && text.contains("step 123"), "{text}");
        assert!(text.ends_with("`threshold soak --seed 7 --movers 60 --ticks 123`"), "{text}");
    }
}
