//! `threshold wire`: recorded sessions of the game's network protocol.

mod decode;
mod path;
mod summary;

use super::Outcome;
use anyhow::{Context, Result};
use clap::Subcommand;
use std::{ops::RangeInclusive, path::PathBuf};
use threshold_wire::{Capture, DEFAULT_PORTS, Recording};

/// Read recorded sessions of the network protocol.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: WireCommand,
}

#[derive(Subcommand)]
enum WireCommand {
    Decode(decode::Args),
    Summary(summary::Args),
}

pub(crate) fn run(args: Args) -> Result<Outcome> {
    match args.command {
        WireCommand::Decode(args) => decode::run(&args),
        WireCommand::Summary(args) => summary::run(&args),
    }
}

/// The file that a command reads.
#[derive(clap::Args)]
pub(super) struct SessionArg {
    /// The recording: pcap or pcapng, gzipped or not
    file: PathBuf,
    /// UDP ports of servers
    #[arg(long, value_name = "A-B", value_parser = ports, default_value = "9000-10013")]
    ports: RangeInclusive<u16>,
}

impl SessionArg {
    /// The session, from its beginning.
    pub(super) fn open(&self) -> Result<Recording<'static>> {
        let capture = Capture::open(&self.file).with_context(|| self.file.display().to_string())?;
        Ok(Recording::new(capture, self.ports.clone()))
    }
}

fn ports(text: &str) -> Result<RangeInclusive<u16>, String> {
    let refused = || format!("expected two ports such as {}-{}", DEFAULT_PORTS.start(), DEFAULT_PORTS.end());
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let port = |text: &str| text.trim().parse::<u16>().map_err(|_| refused());
    let (first, last) = (port(first)?, port(last)?);
    if first <= last { Ok(first..=last) } else { Err(refused()) }
}
