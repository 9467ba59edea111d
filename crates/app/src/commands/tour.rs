//! `threshold tour`: the built-in walk.

use super::Outcome;
use crate::{
    commands::map::chart,
    out_folder::OutFolder,
    progress,
    text::say,
    tour::{Album, Chart, Page, SAMPLE_ROUTE, Shots, Tour, TourLine, blocks_in, land_extent},
};
use anyhow::{Context, Result};
use std::{
    fs,
    io::{Write, stdout},
    path::PathBuf,
};
use threshold_sim::Simulation;
use threshold_view::Lens;

/// Walk through the sample world: street, door, cellar, upstairs, tower, cave and dungeon.
///
/// Moves a player with full physics, and writes a line for every tick, pictures of every stop, and a page that shows
/// them all.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold tour --out tour
  threshold tour --out site/tour --explorer ../explorer/")]
pub(crate) struct Args {
    /// Folder to write to; created if it does not exist
    #[arg(long, value_name = "DIR", default_value = DEFAULT_FOLDER)]
    out: PathBuf,
    /// Replace files there that this command did not write, or that have changed since
    #[arg(long)]
    force: bool,
    /// Address of the explorer's page (see `cargo web`), relative to the tour's: every stop links to its place there
    #[arg(long, value_name = "ADDRESS")]
    explorer: Option<String>,
}

/// Where the tour goes when nothing else is said.
const DEFAULT_FOLDER: &str = "tour";

impl Default for Args {
    fn default() -> Args {
        Args { out: DEFAULT_FOLDER.into(), force: false, explorer: None }
    }
}

/// Pixels per metre of the map.
const MAP_SCALE: f32 = 4.0;
const MAP: &str = "map.png";
const PAGE: &str = "index.html";
const LINES: &str = "tour.jsonl";

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let folder = OutFolder::open(&args.out, "tour", args.force)?;
    folder.check(&[MAP, PAGE, LINES])?;
    let progress = progress::steps("building the sample world");
    let lens = Lens::new(60f32.to_radians(), 960, 540).context("the lens")?;
    let mut tour = Tour::begin(Simulation::sample()?, lens)?;
    let mut album = Album::new(&tour);
    let (mut shots, mut files) = (Vec::new(), Vec::new());
    for (number, leg) in (1..).zip(SAMPLE_ROUTE) {
        progress.set_message(format!("walking, {number} of {}: {leg}", SAMPLE_ROUTE.len()));
        tour.walk(leg)?;
        for stop in &tour.stops[shots.len()..] {
            let shot = Shots::of(shots.len() + 1, stop);
            let [eye, behind] = album.take(&tour, stop)?;
            files.extend([(shot.eye.clone(), eye), (shot.behind.clone(), behind)]);
            shots.push(shot);
        }
    }
    progress.set_message("drawing the map");
    album.problems().iter().for_each(|problem| say!("threshold: {problem}"));
    files.push((LINES.into(), json_lines(&tour.lines)?));
    let land = land_extent(&tour);
    let ids = blocks_in(tour.sim.world(), land);
    files.push((MAP.into(), chart(tour.sim.library(), &ids, land, MAP_SCALE)?.png()?));
    let explorer = args.explorer.as_deref();
    let page = Page { tour: &tour, chart: Chart::new(&tour, land), map: MAP, shots: &shots, explorer };
    files.push((PAGE.into(), page.html().into_bytes()));
    folder.write(&files)?;
    progress.finish_and_clear();
    print_summary(&tour)?;
    let path = args.out.join(PAGE);
    let page = fs::canonicalize(&path).unwrap_or(path);
    writeln!(stdout(), "{} pictures; open {}", 2 * shots.len(), page.display())?;
    Ok(Outcome::Success)
}

fn json_lines(lines: &[TourLine]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for line in lines {
        serde_json::to_writer(&mut bytes, line)?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

/// Every change of cell, between the places where they happened.
fn print_summary(tour: &Tour) -> Result<()> {
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
