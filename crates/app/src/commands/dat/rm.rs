//! `threshold dat rm`: records out of a file.

use super::{Outcome, named, record_id};
use anyhow::Result;
use std::{
    io::{Write, stdout},
    path::PathBuf,
};
use threshold_dat::{DatId, container::Editor};

/// Remove records from a file: all of them, or none if one does not exist.
///
/// Like `put`, this works on a copy that then replaces the file.
#[derive(clap::Args)]
#[command(after_help = "Example:
  threshold dat rm client_cell_1.dat 0xA9B40100 0xA9B40101")]
pub(super) struct Args {
    /// The dat file
    file: PathBuf,
    /// Ids of the records, in hexadecimal
    #[arg(required = true, value_name = "ID", value_parser = record_id)]
    ids: Vec<DatId>,
}

pub(super) fn run(args: &Args) -> Result<Outcome> {
    let mut editor = named(&args.file, Editor::open(&args.file))?;
    for &id in &args.ids {
        named(&args.file, editor.remove(id))?;
    }
    named(&args.file, editor.commit())?;
    writeln!(stdout(), "{} removed", args.ids.len())?;
    Ok(Outcome::Success)
}
