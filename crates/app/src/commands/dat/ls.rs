//! `threshold dat ls`: what is in a file.

use super::{Outcome, filter, named, open};
use anyhow::Result;
use serde::Serialize;
use std::{
    io::{BufWriter, Write, stdout},
    ops::RangeInclusive,
    path::PathBuf,
};
use threshold_dat::{DatId, RecordKind, container::Entry};

/// List the records of a file.
///
/// Prints one line per record, in order of id: id, kind, stored bytes, patch of the last change.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold dat ls client_portal.dat --kind Setup
  threshold dat ls client_cell_1.dat --range 0xA9B40000..0xA9B4FFFF --json")]
pub(super) struct Args {
    /// The dat file
    file: PathBuf,
    /// Only records of this kind, e.g. EnvCell (may be given several times)
    #[arg(long, value_name = "KIND", value_parser = filter::kind)]
    kind: Vec<RecordKind>,
    /// Only these ids: A..B (both included), A.., ..B or one id
    #[arg(long, value_name = "IDS", value_parser = filter::ids, default_value = "..", hide_default_value = true)]
    range: RangeInclusive<DatId>,
    /// Only records with this many stored bytes, e.g. 1000.. or ..252
    #[arg(long, value_name = "BYTES", value_parser = filter::numbers, default_value = "..", hide_default_value = true)]
    size: RangeInclusive<u32>,
    /// Only records last changed in these patches, e.g. 980..
    #[arg(long, value_name = "PATCHES", value_parser = filter::numbers, default_value = "..", hide_default_value = true)]
    iteration: RangeInclusive<u32>,
    /// Print an array of objects with all fields of the directory
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    kind: RecordKind,
    #[serde(flatten)]
    entry: Entry,
}

pub(super) fn run(args: &Args) -> Result<Outcome> {
    let dat = open(&args.file)?;
    let mut out = BufWriter::new(stdout().lock());
    let mut damage = None;
    let mut rows = 0;
    for entry in dat.range(args.range.clone()) {
        let entry = match entry {
            Ok(entry) => entry,
            // The rest is still worth a look; the exit status tells.
            Err(error) => {
                damage.get_or_insert(error);
                continue;
            }
        };
        let kind = entry.id.kind(dat.scheme());
        let wanted = args.kind.is_empty() || args.kind.contains(&kind);
        if !wanted || !args.size.contains(&entry.size) || !args.iteration.contains(&entry.iteration) {
            continue;
        }
        if args.json {
            out.write_all(if rows == 0 { b"[\n" } else { b",\n" })?;
            serde_json::to_writer(&mut out, &Row { kind, entry })?;
        } else {
            writeln!(out, "{} {kind:<18} {:>9} {:>6}", entry.id, entry.size, entry.iteration)?;
        }
        rows += 1;
    }
    if args.json {
        out.write_all(if rows == 0 { b"[]\n" } else { b"\n]\n" })?;
    }
    out.flush()?;
    named(&args.file, damage.map_or(Ok(Outcome::Success), Err))
}
