//! `threshold view`: what is seen from a place, and through what.

use super::Outcome;
use crate::{camera::CameraArgs, dats::DatsArg};
use anyhow::Result;
use std::io::{Write, stdout};
use threshold_view::{
    FramePlan,
    report::{Report, Tree},
};

/// Print the frame plan of a view: which cells are visible through which openings, and the drawing order.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold view --at 'Tower Lookout'
  threshold view --at '0xA9B40100 [84 79.5 20.155]' --yaw 180 --dats ~/ac
  threshold view --at 42.1N, 33.6E --pitch -10 --json --dats ~/ac
  threshold view --at '0xA9B40019 [84 70 20]' --eye 84,70,40 --pitch -30 --dats ~/ac")]
pub(crate) struct Args {
    #[command(flatten)]
    camera: CameraArgs,
    /// Print the whole plan as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    dats: DatsArg,
}

pub(crate) fn run(args: Args) -> Result<Outcome> {
    let mut sim = args.dats.simulation()?;
    let viewer = args.camera.viewer(&args.dats, &mut sim)?;
    let mut plan = FramePlan::default();
    sim.plan(&viewer, &mut plan);
    let text = if args.json {
        serde_json::to_string(&Report::new(&plan, sim.world()))? + "\n"
    } else {
        format!("eye at {}\n{}", viewer.position, Tree(&plan))
    };
    stdout().write_all(text.as_bytes())?;
    Ok(Outcome::Success)
}
