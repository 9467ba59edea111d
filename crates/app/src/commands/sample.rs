//! `threshold sample`: writes the built-in world as files.

use super::Outcome;
use anyhow::{Context, Result};
use std::{
    fs,
    io::{Write, stdout},
    path::PathBuf,
};
use threshold_sample::{ENTITIES_FILE, LOCATIONS_FILE};

/// Write the built-in sample world: genuine dat files that any tool of the game can open.
///
/// Besides client_portal.dat and client_cell_1.dat it writes entities.json (doors, chests, creatures, portals: what a
/// server would place) and Locations.txt (name | type | loc).
#[derive(clap::Args)]
#[command(after_help = "Example:
  threshold sample --out world && threshold check --dats world")]
pub(crate) struct Args {
    /// Folder to write to; made if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(crate) fn run(args: Args) -> Result<Outcome> {
    let world = threshold_sample::build().context("the sample world")?;
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let (entities, locations) = (world.entities_json(), world.locations());
    let files = [
        ("client_portal.dat", world.portal.as_slice()),
        ("client_cell_1.dat", &world.cell),
        (ENTITIES_FILE, entities.as_bytes()),
        (LOCATIONS_FILE, locations.as_bytes()),
    ]
    .map(|(name, bytes)| (args.out.join(name), bytes));
    for (path, bytes) in &files {
        fs::write(path, bytes).with_context(|| path.display().to_string())?;
    }
    // Only now: whoever stops reading does not get half a world.
    let mut out = stdout().lock();
    for (path, bytes) in &files {
        writeln!(out, "{:>10} bytes  {}", bytes.len(), path.display())?;
    }
    Ok(Outcome::Success)
}
