//! `threshold sample`: writes the built-in world as files.

use super::Outcome;
use crate::out_folder::OutFolder;
use anyhow::{Context, Result};
use std::{
    io::{Write, stdout},
    path::PathBuf,
};
use threshold_world::placed::{OBJECTS_FILE, PLACES_FILE};

/// Write the built-in sample world as genuine dat files that any tool for the game can open.
///
/// Besides client_portal.dat and client_cell_1.dat, writes entities.json (the doors, chests, creatures and portals that a
/// server would place) and Locations.txt (name | type | loc).
#[derive(clap::Args)]
#[command(after_help = "Example:
  threshold sample --out world && threshold check --dats world")]
pub(crate) struct Args {
    /// Folder to write to; created if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace files there that this command did not write, or that have changed since
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: Args) -> Result<Outcome> {
    let world = threshold_sample::build().context("the sample world")?;
    let files = [
        (OBJECTS_FILE, world.entities_json().into_bytes()),
        (PLACES_FILE, world.locations().into_bytes()),
        ("client_portal.dat", world.portal),
        ("client_cell_1.dat", world.cell),
    ]
    .map(|(name, bytes)| (name.to_owned(), bytes));
    OutFolder::open(&args.out, "sample", args.force)?.write(&files)?;
    // Only now: a reader that stops early does not get half a world.
    let mut out = stdout().lock();
    for (name, bytes) in &files {
        writeln!(out, "{:>10} bytes  {}", bytes.len(), args.out.join(name).display())?;
    }
    Ok(Outcome::Success)
}
