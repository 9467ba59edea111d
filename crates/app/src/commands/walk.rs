//! `threshold walk`: a scripted mover.

use super::Outcome;
use crate::{
    dats::{DatsArg, SceneryArg},
    input::{self, Lines},
};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde_json::{Map, Value};
use std::{
    fs::File,
    io::{BufWriter, Write, stdout},
    path::{Path, PathBuf},
};
use threshold_scenario::{Compared, Expectation, Playing, ReportLine, Script, simulation};

/// Play a scripted walk and print the result of each step.
///
/// Prints one JSON object per line: one for the placement (step -1) and one for every step. The walk ends when the mover
/// leaves every cell. Scenarios with motion tables or commands also print the motion of their objects. With --expect, the
/// lines are compared with those of a file instead, by the rules of the golden recordings: positions within a millimetre
/// (two in recordings of motion), cells and hits exactly, lines marked as fragile separately. Exit status 1 when a line
/// disagrees.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold walk door.json
  threshold walk door.json | jq -c '[.step, .cell, .cell_changed]'
  threshold walk door.json --expect door.expected.jsonl")]
pub(crate) struct Args {
    /// The scenario, a JSON file, gzipped or not
    #[arg(value_name = "SCENARIO.json")]
    scenario: PathBuf,
    /// Compare with these lines instead of printing
    #[arg(long, value_name = "FILE.jsonl")]
    expect: Option<PathBuf>,
    /// Print the result of the comparison as one object
    #[arg(long, requires = "expect")]
    json: bool,
    #[command(flatten)]
    scenery: SceneryArg,
    #[command(flatten)]
    world: DatsArg,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let file = || args.scenario.display().to_string();
    let text = input::read(&args.scenario)?;
    let script = Script::from_json(&text).with_context(file)?;
    let mut sim = simulation(args.scenery.library(args.world.open()?))?;
    let played = || format!("{}, {}", file(), args.world.in_world());
    let walk = Playing::begin(&mut sim, script).with_context(played)?;
    match &args.expect {
        Some(expected) => compare(walk, expected, args.json, &played),
        None => print(walk, &played),
    }
}

fn print(mut walk: Playing<'_>, played: &dyn Fn() -> String) -> Result<Outcome> {
    let mut out = BufWriter::new(stdout().lock());
    while let Some(line) = walk.next_line() {
        match line {
            Ok(line) => writeln!(out, "{}", serde_json::to_string(&line)?)?,
            Err(error) => {
                out.flush()?;
                return Err(error).with_context(played);
            }
        }
    }
    out.flush()?;
    Ok(Outcome::Success)
}

/// What is to be said of a comparison. Fragile lines and those after a fragile one that differs do not count.
#[derive(Default, Serialize)]
struct Tally {
    lines: usize,
    agree: usize,
    disagree: usize,
    fragile: usize,
    fragile_differ: usize,
    /// Lines after a fragile one that differs.
    adrift: usize,
    /// The first line that counts and disagrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<Disagreement>,
}

#[derive(Serialize)]
struct Disagreement {
    step: i64,
    field: String,
    found: String,
    expected: String,
}

fn compare(mut walk: Playing<'_>, path: &Path, json: bool, played: &dyn Fn() -> String) -> Result<Outcome> {
    let file = || path.display().to_string();
    let mut lines = File::open(path).and_then(Lines::new).with_context(file)?;
    let (mut tally, mut expectation) = (Tally::default(), Expectation::default());
    while let Some(line) = lines.next().with_context(file)? {
        let at = || format!("{}:{}", path.display(), line.number);
        let expected: Map<String, Value> = serde_json::from_slice(line.text).with_context(at)?;
        let found = match walk.next_line() {
            Some(found) => object(&found.with_context(played)?)?,
            None => {
                let step = expected.get("step").and_then(Value::as_i64).unwrap_or_default();
                tally.miss(step, ("nothing: the walk has ended", "a line"), &expectation);
                continue;
            }
        };
        tally.add(expectation.compare(&expected, &found));
    }
    if tally.lines == 0 {
        bail!("{}: the file has no lines", file());
    }
    while let Some(found) = walk.next_line() {
        let found = found.with_context(played)?;
        tally.miss(found.step(), ("a line", "nothing: the file has ended"), &expectation);
    }
    tally.print(json)?;
    Ok(if tally.disagree == 0 { Outcome::Success } else { Outcome::Findings })
}

fn object(line: &ReportLine) -> Result<Map<String, Value>> {
    match serde_json::to_value(line)? {
        Value::Object(object) => Ok(object),
        other => bail!("{other} is not an object"),
    }
}

impl Tally {
    fn add(&mut self, compared: Compared) {
        self.lines += 1;
        let agrees = compared.differences.is_empty();
        if !compared.counts {
            self.adrift += 1;
        } else if compared.fragile {
            self.fragile += 1;
            self.fragile_differ += usize::from(!agrees);
        } else if agrees {
            self.agree += 1;
        } else {
            self.disagree += 1;
            let first = compared.differences.into_iter().next();
            let first = first.map(|d| Disagreement {
                step: compared.step,
                field: d.field.into_owned(),
                found: d.found,
                expected: d.expected,
            });
            self.first = self.first.take().or(first);
        }
    }

    /// A line that only one of the two has.
    fn miss(&mut self, step: i64, (found, expected): (&str, &str), expectation: &Expectation) {
        self.lines += 1;
        if expectation.is_adrift() {
            self.adrift += 1;
            return;
        }
        self.disagree += 1;
        let (found, expected) = (found.to_owned(), expected.to_owned());
        self.first.get_or_insert(Disagreement { step, field: "line".to_owned(), found, expected });
    }

    fn print(&self, json: bool) -> Result<()> {
        let mut out = stdout().lock();
        if json {
            writeln!(out, "{}", serde_json::to_string(self)?)?;
            return Ok(());
        }
        writeln!(out, "{} lines, {} agree, {} disagree", self.lines, self.agree, self.disagree)?;
        if let Some(Disagreement { step, field, found, expected }) = &self.first {
            writeln!(out, "  step {step}, {field}: expected {expected}, found {found}")?;
        }
        if self.fragile + self.adrift > 0 {
            writeln!(
                out,
                "{} lines are fragile, {} of them differ; {} lines after that do not count",
                self.fragile, self.fragile_differ, self.adrift
            )?;
        }
        Ok(())
    }
}
