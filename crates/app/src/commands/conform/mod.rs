//! `threshold conform`: the recordings of the kit, played through any engine.

mod engine;
mod kit;
mod replay;
mod report;
mod view;
mod walk;
mod wire;

use super::Outcome;
use crate::{
    out_file::{ForceArg, Mark, OutFile},
    out_folder::OutFolder,
    progress,
};
use anyhow::{Result, ensure};
use clap::ValueEnum;
use engine::{Engine, Template};
use kit::Kit;
pub(crate) use report::JUNIT_NAME;
use report::{Report, Verdict};
use serde::Serialize;
use std::{
    io::{Write, stdout},
    path::{Path, PathBuf},
    time::Duration,
};

/// Run the conformance kit against an engine and report where it disagrees.
///
/// The kit is built in: small worlds, and recordings of an independent implementation of the original's physics. Without
/// --engine, this engine is tested. With it, a program in any language: it is started once per case, must print what the
/// command of the same name prints, and its lines are compared by the kit's rules. docs/engines.md describes its input.
///
/// Exit status 1 when something disagrees.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold conform
  threshold conform --engine 'python3 engine.py {dats} {scenario}' --world plains
  threshold conform --kind wire --engine 'threshold wire decode {scenario}'
  threshold conform --write kit")]
pub(crate) struct Args {
    /// The program under test and its arguments; {dats} is the folder of the world, {scenario} the file to play. Quotes keep
    /// words together; no shell is involved
    #[arg(long, value_name = "COMMAND")]
    engine: Option<Template>,
    /// Kind of recordings to run (may be given several times) [default: all; walk with --engine]
    #[arg(long, value_name = "KIND")]
    kind: Vec<Kind>,
    /// Only recordings of this world (may be given several times)
    #[arg(long, value_name = "WORLD")]
    world: Vec<String>,
    /// Only cases whose names contain this
    #[arg(long, value_name = "TEXT")]
    case: Option<String>,
    /// Time limit for each case
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,
    /// Print one JSON object for each kind and world
    #[arg(long)]
    json: bool,
    /// Also write a JUnit report, which build servers read
    #[arg(long, value_name = "FILE.xml")]
    junit: Option<PathBuf>,
    /// Write the kit into a folder as plain files instead of running it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["engine", "kind", "world", "case", "json", "junit"])]
    write: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
}

/// What a recording is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// Scripted movers
    Walk,
    /// Single sweeps, each from its own state
    Replay,
    /// Frame plans, against rays
    View,
    /// Recorded network sessions
    Wire,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Walk, Kind::Replay, Kind::View, Kind::Wire];

    /// The worlds of its recordings; sessions are one group of their own.
    fn worlds(self) -> Vec<&'static str> {
        match self {
            Kind::Walk => {
                threshold_golden::WORLDS.into_iter().chain([threshold_golden::MOTION_WORLD]).collect()
            }
            Kind::Replay => threshold_golden::WORLDS.to_vec(),
            Kind::View => threshold_golden::VIEW_WORLDS.to_vec(),
            Kind::Wire => vec!["sessions"],
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    if let Some(dir) = &args.write {
        return write_kit(dir, args.force);
    }
    let junit = args.junit.as_ref().map(|path| OutFile::new(path, Mark::Junit, args.force)).transpose()?;
    let engine = match &args.engine {
        Some(template) => Engine::program(template.clone(), Duration::from_secs(args.timeout)),
        None => Engine::Own,
    };
    let groups = args.groups()?;
    let kit = Kit::unpack(groups.iter().map(|&(_, world)| world))?;
    let bar = progress::bar(groups.len(), "recordings");
    let mut report = Report::default();
    for (kind, world) in groups {
        let wanted = |name: &str| args.case.as_ref().is_none_or(|part| name.contains(part.as_str()));
        let verdicts = play(kind, world, &kit, &engine, &wanted)?;
        if !verdicts.is_empty() {
            report.add(kind, world, verdicts);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    ensure!(!report.is_empty(), "no recording matches; `threshold conform --write DIR` writes all of them");
    if let Some(file) = junit {
        file.write(report.junit().as_bytes())?;
    }
    let text = if args.json { report.json()? } else { report.table() };
    stdout().write_all(text.as_bytes())?;
    Ok(if report.agrees() { Outcome::Success } else { Outcome::Findings })
}

fn play(
    kind: Kind,
    world: &'static str,
    kit: &Kit,
    engine: &Engine,
    wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<Verdict>> {
    match kind {
        Kind::Walk => walk::play(world, kit, engine, wanted),
        Kind::Replay => replay::play(world, kit, engine, wanted),
        Kind::View => view::play(world, kit, engine, wanted),
        Kind::Wire => wire::play(kit, engine, wanted),
    }
}

impl Args {
    /// Kinds and worlds that are asked for, in the order of the report.
    fn groups(&self) -> Result<Vec<(Kind, &'static str)>> {
        let kinds: Vec<Kind> = match (self.kind.as_slice(), &self.engine) {
            ([], Some(_)) => vec![Kind::Walk],
            ([], None) => Kind::ALL.to_vec(),
            (kinds, _) => Kind::ALL.into_iter().filter(|kind| kinds.contains(kind)).collect(),
        };
        for world in &self.world {
            let known = Kind::ALL.iter().flat_map(|kind| kind.worlds()).any(|known| known == world);
            ensure!(
                known,
                "--world: there is no world `{world}` in the kit; see `threshold conform --write DIR`"
            );
        }
        let groups =
            kinds.into_iter().flat_map(|kind| kind.worlds().into_iter().map(move |world| (kind, world)));
        Ok(groups
            .filter(|(_, world)| self.world.is_empty() || self.world.iter().any(|w| w == world))
            .collect())
    }
}

fn write_kit(dir: &Path, force: ForceArg) -> Result<Outcome> {
    let files = threshold_golden::files();
    OutFolder::open(dir, "conform", force.force)?.write(&files)?;
    let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    writeln!(stdout(), "{} files, {:.1} MB, in {}", files.len(), bytes as f64 / 1e6, dir.display())?;
    Ok(Outcome::Success)
}
