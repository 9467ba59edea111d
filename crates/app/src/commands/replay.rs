//! `threshold replay`: recorded sweeps, run again.

use super::Outcome;
use crate::{
    dats::{DatsArg, SceneryArg},
    input::{Line, Lines},
    progress,
    text::say,
};
use anyhow::{Context, Result, bail};
use serde::{Serialize, de::IgnoredAny};
use std::{
    fs::File,
    io::{BufWriter, Write, stderr, stdout},
    path::PathBuf,
    sync::Arc,
};
use threshold_scenario::{Replay, Replayed, Tolerance, simulation};
use threshold_world::source::{Source, read_dumps};

/// Worst records named in the result.
const WORST: usize = 10;

/// Re-run recorded sweeps, each from its own recorded state, and compare the results.
///
/// Records marked as fragile, whose outcome depends on arithmetic noise, never count as disagreements. Exit status 1
/// when a record disagrees.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold replay cottage.jsonl --dats worlds/cottage
  threshold replay cottage.jsonl --dats worlds/cottage --show 3
  threshold replay live-capture.jsonl --cells dumps/")]
pub(crate) struct Args {
    /// The records, one JSON object per line, gzipped or not; acdream's capture lines are accepted too
    #[arg(value_name = "CAPTURE.jsonl")]
    capture: PathBuf,
    #[command(flatten)]
    world: DatsArg,
    #[command(flatten)]
    scenery: SceneryArg,
    /// Folder of acdream's cell and GfxObj dumps to use as the world
    #[arg(long, value_name = "DIR")]
    cells: Option<PathBuf>,
    /// Tolerance for positions
    #[arg(long, value_name = "METRES", default_value_t = 0.001, value_parser = tolerance, allow_negative_numbers = true)]
    tolerance: f32,
    /// Print the first N disagreements, field by field
    #[arg(long, value_name = "N", default_value_t = 0)]
    show: usize,
    /// Print the result as one object
    #[arg(long)]
    json: bool,
    /// Print the result of each sweep, one object per line, instead of comparing
    #[arg(long, conflicts_with_all = ["tolerance", "show", "json"])]
    print: bool,
}

fn tolerance(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(metres) if metres.is_finite() && metres >= 0.0 => Ok(metres),
        _ => Err("not a distance in metres".into()),
    }
}

/// What is to be said of a capture. A record can count in several of the disagreements.
#[derive(Default, Serialize)]
struct Tally {
    records: usize,
    /// Records that do not disagree.
    agree: usize,
    cell_disagree: usize,
    ok_disagree: usize,
    contact_disagree: usize,
    origin_disagree: usize,
    /// Metres; fragile records do not count.
    max_origin_error: f32,
    /// Ids of disagreeing records, the farthest off first.
    worst: Vec<String>,
    fragile: usize,
    /// Fragile records that came out differently.
    fragile_differ: usize,
    /// The last line, when it is not all there.
    #[serde(skip_serializing_if = "Option::is_none")]
    torn: Option<u64>,
    #[serde(skip)]
    ranking: Vec<(f32, String)>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let file = || args.capture.display().to_string();
    let input = File::open(&args.capture).with_context(file)?;
    let source: Arc<dyn Source> = match &args.cells {
        Some(dir) => Arc::new(read_dumps(dir)?),
        None => args.world.open()?,
    };
    let mut sim = simulation(args.scenery.library(source))?;
    let mut replay = Replay::new(&mut sim, Tolerance { origin: args.tolerance, ..Tolerance::default() });
    let mut tally = Tally::default();
    let mut shown = 0;
    let mut printed = BufWriter::new(stdout());
    let bar = progress::bytes(input.metadata().map_or(0, |data| data.len()), &args.capture);
    let mut lines = Lines::new(bar.wrap_read(input)).with_context(file)?;
    while let Some(line) = lines.next().with_context(file)? {
        let at = || format!("{}:{}", file(), line.number);
        if is_torn(&line) {
            tally.torn = Some(line.number);
            bar.suspend(|| {
                say!("threshold: {}: the line is torn, the {} records before it count", at(), tally.records)
            });
            continue;
        }
        let text = std::str::from_utf8(line.text).with_context(at)?;
        if args.print {
            let answer = replay.answer(text).with_context(at)?;
            writeln!(printed, "{}", serde_json::to_string(&answer)?)?;
            tally.records += 1;
            continue;
        }
        let replayed = replay.line(text).with_context(at)?;
        tally.add(&replayed);
        if !replayed.fragile && !replayed.differences.is_empty() && shown < args.show {
            shown += 1;
            bar.suspend(|| show(&replayed, args.json))?;
        }
    }
    bar.finish_and_clear();
    if tally.records == 0 {
        bail!("{}: the file has no records", file());
    }
    if args.print {
        printed.flush()?;
        return Ok(Outcome::Success);
    }
    tally.finish();
    tally.print(args.json)?;
    Ok(if tally.agree == tally.records { Outcome::Success } else { Outcome::Findings })
}

/// Whether a line was cut off: its writer never came to the line break, and what there is of it is not all of an object.
fn is_torn(line: &Line<'_>) -> bool {
    let ends_early = |error: serde_json::Error| error.is_eof() || error.column() >= line.text.len();
    !line.is_whole && serde_json::from_slice::<IgnoredAny>(line.text).is_err_and(ends_early)
}

/// Standard output belongs to the result when that is JSON.
fn show(replayed: &Replayed, to_stderr: bool) -> std::io::Result<()> {
    let mut out: Box<dyn Write> = if to_stderr { Box::new(stderr()) } else { Box::new(stdout()) };
    writeln!(out, "{}", replayed.id)?;
    for difference in &replayed.differences {
        let (field, expected, found) = (&difference.field, &difference.expected, &difference.found);
        writeln!(out, "  {field}: recorded {expected}, found {found}")?;
    }
    Ok(())
}

impl Tally {
    fn add(&mut self, replayed: &Replayed) {
        self.records += 1;
        let differs = !replayed.differences.is_empty();
        if replayed.fragile {
            self.fragile += 1;
            self.fragile_differ += usize::from(differs);
            self.agree += 1;
            return;
        }
        self.max_origin_error = self.max_origin_error.max(replayed.origin_error.min(f32::MAX));
        if !differs {
            self.agree += 1;
            return;
        }
        let any = |fields: &[&str]| replayed.differences.iter().any(|d| fields.contains(&&*d.field));
        self.ok_disagree += usize::from(any(&["ok"]));
        self.cell_disagree += usize::from(any(&["cell", "cell_array", "lost"]));
        self.origin_disagree += usize::from(any(&["origin"]));
        let others = |field: &str| !["ok", "cell", "cell_array", "lost", "origin"].contains(&field);
        self.contact_disagree += usize::from(replayed.differences.iter().any(|d| others(&d.field)));
        self.ranking.push((replayed.origin_error, replayed.id.clone()));
        if self.ranking.len() >= 2 * WORST {
            self.rank();
        }
    }

    fn rank(&mut self) {
        self.ranking.sort_by(|a, b| b.0.total_cmp(&a.0));
        self.ranking.truncate(WORST);
    }

    fn finish(&mut self) {
        self.rank();
        self.worst = self.ranking.drain(..).map(|(_, id)| id).collect();
    }

    fn print(&self, json: bool) -> Result<()> {
        let mut out = stdout().lock();
        if json {
            writeln!(out, "{}", serde_json::to_string(self)?)?;
            return Ok(());
        }
        let disagree = self.records - self.agree;
        writeln!(out, "{} records, {} agree, {disagree} disagree", self.records, self.agree)?;
        if disagree > 0 {
            writeln!(
                out,
                "  cell {}, ok {}, contact {}, origin {}",
                self.cell_disagree, self.ok_disagree, self.contact_disagree, self.origin_disagree
            )?;
            writeln!(out, "  worst: {}", self.worst.join(", "))?;
        }
        writeln!(out, "largest origin error {} m", self.max_origin_error)?;
        if self.fragile > 0 {
            writeln!(out, "{} records are fragile; {} of them differ", self.fragile, self.fragile_differ)?;
        }
        Ok(())
    }
}
