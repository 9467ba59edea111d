//! `threshold dat`: the files themselves.

mod filter;
mod get;
mod ls;
mod put;
mod rm;
mod verify;

use super::{Outcome, record_id};
use anyhow::{Context, Result};
use clap::Subcommand;
use std::path::Path;
use threshold_dat::{Error, container::DatFile};

/// List, read, check and change dat files.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: DatCommand,
}

#[derive(Subcommand)]
enum DatCommand {
    Ls(ls::Args),
    Get(get::Args),
    Put(put::Args),
    Rm(rm::Args),
    Verify(verify::Args),
}

pub(crate) fn run(args: Args) -> Result<Outcome> {
    match args.command {
        DatCommand::Ls(args) => ls::run(&args),
        DatCommand::Get(args) => get::run(&args),
        DatCommand::Put(args) => put::run(&args),
        DatCommand::Rm(args) => rm::run(&args),
        DatCommand::Verify(args) => verify::run(&args),
    }
}

fn open(path: &Path) -> Result<DatFile> {
    named(path, DatFile::open(path))
}

/// Puts the name of the file in front of an error that does not have it.
fn named<T>(path: &Path, result: Result<T, Error>) -> Result<T> {
    match result {
        Err(error @ Error::Io { .. }) => Err(error.into()),
        other => other.with_context(|| path.display().to_string()),
    }
}
