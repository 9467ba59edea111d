//! `threshold dat get`: one record out of a file.

use super::{Outcome, named, open, record_id};
use crate::out_file::{ForceArg, Mark, OutFile};
use anyhow::{Context, Result};
use serde::Serialize;
use std::{
    io::{self, IsTerminal, Write, stdout},
    path::PathBuf,
};
use threshold_dat::{
    DatId, Mode, RecordKind,
    records::{Note, Record},
};

/// Extract a record from a file: its bytes, or its fields as JSON.
///
/// Writes the bytes to a file or to standard output (as a hex dump if that is a terminal).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold dat get client_portal.dat 0x02000001 --out human.setup
  threshold dat get client_cell_1.dat 0xA9B40100 --json")]
pub(super) struct Args {
    /// The dat file
    file: PathBuf,
    /// Id of the record, in hexadecimal
    #[arg(value_parser = record_id)]
    id: DatId,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
    /// Decode the record and print its fields
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Fields<'a> {
    id: DatId,
    kind: RecordKind,
    notes: &'a [Note],
    value: &'a Record,
}

pub(super) fn run(args: &Args) -> Result<Outcome> {
    let dat = open(&args.file)?;
    let bytes = named(&args.file, dat.get(args.id))?;
    let output = if args.json {
        let kind = args.id.kind(dat.scheme());
        let decoded = Record::decode(args.id, kind, &bytes, Mode::Lenient)
            .with_context(|| args.file.display().to_string())?;
        let fields = Fields { id: args.id, kind, notes: &decoded.notes, value: &decoded.value };
        let mut text = serde_json::to_vec_pretty(&fields)?;
        text.push(b'\n');
        text.into()
    } else {
        bytes
    };
    match &args.out {
        Some(path) => OutFile::new(path, Mark::None, args.force)?.write(&output)?,
        None if !args.json && stdout().is_terminal() => hex_dump(&output)?,
        None => stdout().write_all(&output)?,
    }
    Ok(Outcome::Success)
}

fn hex_dump(bytes: &[u8]) -> io::Result<()> {
    let mut out = stdout().lock();
    for (index, line) in bytes.chunks(16).enumerate() {
        let hex: Vec<String> = line.iter().map(|byte| format!("{byte:02X}")).collect();
        let printable = |&byte: &u8| if byte.is_ascii_graphic() { byte as char } else { '.' };
        let text: String = line.iter().map(printable).collect();
        writeln!(out, "{:06X}  {:<47}  {text}", index * 16, hex.join(" "))?;
    }
    Ok(())
}
