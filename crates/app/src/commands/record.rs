//! `threshold record`: a session of its own, in the sample world.

use super::Outcome;
use crate::{
    dats::sample_session,
    out_file::{ForceArg, Mark, OutFile},
};
use anyhow::Result;
use std::{io::Write, io::stdout, path::PathBuf};
use threshold_playback::{Flaw, record};

/// Record a session in the sample world: the messages between a server and a client.
///
/// A player walks to the cottage, opens the door, goes in, jumps, comes out, runs down the street and is teleported to the
/// dungeon; villagers and beasts move, a parcel changes hands. The file is a pcap like those of the original's loggers, with
/// the same bytes every time.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold record --out session.pcap
  threshold record --out flawed.pcap --flaw through-wall")]
pub(crate) struct Args {
    /// The file to write
    #[arg(long, value_name = "FILE.pcap")]
    out: PathBuf,
    /// Make the server send something wrong, for `threshold watch` to find
    #[arg(long, value_name = "FLAW")]
    flaw: Option<FlawArg>,
    #[command(flatten)]
    force: ForceArg,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum FlawArg {
    /// A villager jumps through a wall
    ThroughWall,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let out = OutFile::new(&args.out, Mark::Session, args.force)?;
    let flaw = args.flaw.map(|FlawArg::ThroughWall| Flaw::ThroughWall);
    let recorded = sample_session(flaw, record)??;
    out.write(&recorded.file)?;
    let seconds = recorded.hashes.len() as f64 / threshold_sim::TICKS_PER_SECOND as f64;
    writeln!(
        stdout(),
        "{}: {seconds:.1} s, {} bytes, state {:016x} in the end",
        args.out.display(),
        recorded.file.len(),
        recorded.state
    )?;
    Ok(Outcome::Success)
}
