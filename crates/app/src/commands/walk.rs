//! `threshold walk`: a scripted mover.

use super::Outcome;
use crate::{
    dats::{DatsArg, SceneryArg},
    text::without_mark,
};
use anyhow::{Context, Result};
use std::{
    fs,
    io::{BufWriter, Write, stdout},
    path::PathBuf,
};
use threshold_scenario::{Scenario, Setting, Walk};

/// Play a scripted walk and print what each step did.
///
/// Prints one JSON object per line: one for the placement (step -1) and one for every step. A mover that leaves every
/// cell ends the walk.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold walk door.json
  threshold walk door.json | jq -c '[.step, .cell, .cell_changed]'")]
pub(crate) struct Args {
    /// The scenario, a JSON file
    #[arg(value_name = "SCENARIO.json")]
    scenario: PathBuf,
    #[command(flatten)]
    scenery: SceneryArg,
    #[command(flatten)]
    world: DatsArg,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let file = || args.scenario.display().to_string();
    let text = fs::read(&args.scenario).with_context(file)?;
    let scenario: Scenario = serde_json::from_slice(without_mark(&text)).with_context(file)?;
    let mut setting = Setting::open(args.scenery.library(args.world.open()?))?;
    let mut walk = Walk::begin(&mut setting, scenario).with_context(file)?;
    let mut out = BufWriter::new(stdout().lock());
    while let Some(line) = walk.next_line() {
        match line {
            Ok(line) => writeln!(out, "{}", serde_json::to_string(&line)?)?,
            Err(error) => {
                out.flush()?;
                return Err(error).with_context(file);
            }
        }
    }
    out.flush()?;
    Ok(Outcome::Success)
}
