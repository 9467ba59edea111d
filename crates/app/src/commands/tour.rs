//! `threshold tour`: the built-in walk.

use super::Outcome;
use crate::{
    dats::sample_source,
    tour::{SAMPLE_ROUTE, Tour, TourLine},
};
use anyhow::{Context, Result};
use std::{
    fs::{self, File},
    io::{BufWriter, Write, stdout},
    path::{Path, PathBuf},
};
use threshold_view::Lens;
use threshold_world::Library;

/// Walk through the sample world: street, door, cellar, upstairs, tower, cave and dungeon.
///
/// A real player with gravity, doors that hold until they are opened, and a line for every tick.
#[derive(clap::Args)]
#[command(after_help = "Example:
  threshold tour --out tour")]
pub(crate) struct Args {
    /// Folder to write to; made when it is missing
    #[arg(long, value_name = "DIR", default_value = DEFAULT_FOLDER)]
    out: PathBuf,
}

/// Where the tour goes when nothing else is said.
const DEFAULT_FOLDER: &str = "tour";

impl Default for Args {
    fn default() -> Args {
        Args { out: DEFAULT_FOLDER.into() }
    }
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let sample = threshold_sample::build().context("the sample world")?;
    let library = Library::new(sample_source(sample.clone())?);
    let lens = Lens::new(60f32.to_radians(), 960, 540).context("the lens")?;
    let mut tour = Tour::begin(&sample, &library, lens)?;
    for leg in SAMPLE_ROUTE {
        tour.walk(leg)?;
    }
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let lines = args.out.join("tour.jsonl");
    write_lines(&lines, &tour.lines)?;
    print_summary(&tour)?;
    println!("every tick is in {}", lines.display());
    Ok(Outcome::Success)
}

fn write_lines(path: &Path, lines: &[TourLine]) -> Result<()> {
    let write = || -> Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        for line in lines {
            serde_json::to_writer(&mut file, line)?;
            file.write_all(b"\n")?;
        }
        Ok(file.flush()?)
    };
    write().with_context(|| path.display().to_string())
}

/// Every change of cell, between the places where they happened.
fn print_summary(tour: &Tour<'_>) -> Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{:>8}  {:<10}  {:<10}  place", "seconds", "from", "to")?;
    let mut stops = tour.stops.iter().peekable();
    let seconds = |tick: usize| tick as f64 / 30.0;
    for (tick, change) in tour.cell_changes() {
        while let Some(stop) = stops.next_if(|stop| stop.tick < tick) {
            writeln!(
                out,
                "{:>8.1}  {:<10}  {:<10}  {}",
                seconds(stop.tick),
                "",
                stop.player.cell,
                stop.name
            )?;
        }
        writeln!(out, "{:>8.1}  {}  {}", seconds(tick), change.from, change.to)?;
    }
    for stop in stops {
        writeln!(out, "{:>8.1}  {:<10}  {:<10}  {}", seconds(stop.tick), "", stop.player.cell, stop.name)?;
    }
    let changes = tour.cell_changes().count();
    writeln!(out, "{} ticks, {changes} cell changes, hash {:016x}", tour.lines.len(), tour.hash())?;
    Ok(())
}
