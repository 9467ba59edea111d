//! `threshold dat put`: one record into a file.

use super::{Outcome, named, open, record_id};
use crate::text::say;
use anyhow::{Context, Result, anyhow};
use std::{
    fs,
    io::{Read, Write, stdin, stdout},
    path::PathBuf,
};
use threshold_dat::{
    DatId, Mode,
    container::{Change, Editor},
    records::Record,
};

/// Add a record to a file, or replace it.
///
/// The change is made in a copy that then replaces the file: if the command is interrupted, the file is intact, either
/// unchanged or changed completely.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold dat put client_portal.dat 0x02000001 human.setup
  threshold dat get old.dat 0x0D000001 | threshold dat put new.dat 0x0D000001 - --iteration 2073")]
pub(super) struct Args {
    /// The dat file
    file: PathBuf,
    /// Id of the record, in hexadecimal
    #[arg(value_parser = record_id)]
    id: DatId,
    /// File with the bytes of the record, - for standard input
    input: PathBuf,
    /// Patch of the change [default: unchanged; for a new record, the file's newest]
    #[arg(long)]
    iteration: Option<u32>,
    /// Store the bytes even if they are not a valid record of the kind that the id implies
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &Args) -> Result<Outcome> {
    let bytes = read_input(args)?;
    if !args.force {
        let kind = args.id.kind(open(&args.file)?.scheme());
        Record::decode(args.id, kind, &bytes, Mode::Lenient).map_err(|error| {
            anyhow!("{}: not a valid {kind}: {error} (--force stores it anyway)", args.input.display())
        })?;
    }
    let mut editor = named(&args.file, Editor::open(&args.file))?;
    if let Some(fault) = editor.abandoned_free_list() {
        say!("threshold: {}: warning: the free list is not used, {fault}", args.file.display());
    }
    let change = Change { iteration: args.iteration, ..Change::default() };
    let old = named(&args.file, editor.put_with(args.id, &bytes, change))?;
    if let (Some(old), Some(new)) = (old, args.iteration)
        && new < old.iteration
    {
        say!("threshold: {}: warning: patch {new} is older than {}, the record's", args.id, old.iteration);
    }
    named(&args.file, editor.commit())?;
    match old {
        Some(old) => writeln!(stdout(), "{}: {} bytes in place of {}", args.id, bytes.len(), old.size)?,
        None => writeln!(stdout(), "{}: {} bytes, new", args.id, bytes.len())?,
    }
    Ok(Outcome::Success)
}

fn read_input(args: &Args) -> Result<Vec<u8>> {
    let read = if args.input.as_os_str() == "-" {
        let mut bytes = Vec::new();
        stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(&args.input)
    };
    read.with_context(|| args.input.display().to_string())
}
