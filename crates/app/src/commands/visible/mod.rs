//! `threshold visible`: the lists of visible cells, and portals that can be set right.

mod report;
mod write;

use super::Outcome;
use crate::{dats::DatsArg, out_file::ForceArg, progress, text::say};
use anyhow::Result;
use indicatif::ProgressBar;
use rayon::prelude::*;
use report::Report;
use std::path::PathBuf;
use threshold_world::{
    BlockId, Library, block_ids,
    check::{BlockLists, Superfluous, visible_lists},
};
use write::Writer;

/// Blocks that are looked at before what was found is passed on, which bounds the memory.
const BATCH: usize = 1024;

/// Compute the visible-cell lists from the portals, and compare or write them.
///
/// Only cells in a cell's list are drawn from it, so a missing entry is a hole in the picture. The computed lists contain
/// every cell that a ray through the openings can reach, and few others. Portals whose other side is certain are
/// corrected first: flags, other_cell and other_portal. Exit status 1 when an entry is missing or a portal is wrong;
/// superfluous entries only cost time. With --write, exit status 1 when a problem remains that cannot be corrected.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold visible
  threshold visible --dats DIR --block 0xA9B4
  threshold visible --dats DIR --write new_cell.dat
  threshold visible --dats DIR --json | jq '.lists[] | select(.missing != [])'")]
pub(crate) struct Args {
    #[command(flatten)]
    dats: DatsArg,
    /// Only this landblock, e.g. 0xA9B4, or the one of a place such as 'Tower Lookout'
    #[arg(long, value_name = "BLOCK")]
    block: Option<String>,
    /// Write a copy of the cell file with correct lists and portals; all other records stay the same
    #[arg(long, value_name = "OUT.dat")]
    write: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
    /// Add missing entries, but keep superfluous ones
    #[arg(long)]
    keep: bool,
    /// Number of lists and portals to print; all are counted
    #[arg(long, value_name = "N", default_value_t = 1000, conflicts_with = "json")]
    limit: usize,
    /// Print everything as one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let mut writer =
        args.write.as_deref().map(|out| Writer::open(&args.dats, out, args.force)).transpose()?;
    let library = Library::new(args.dats.open()?).without_scenery();
    let source = &**library.source();
    let blocks = match &args.block {
        Some(text) => vec![args.dats.block(text, source)?],
        None => {
            let (blocks, problems) = block_ids(source)?;
            problems.iter().for_each(|problem| say!("threshold: {problem}"));
            blocks
        }
    };
    let superfluous = if args.keep { Superfluous::Keep } else { Superfluous::Remove };
    let mut report = Report::new(blocks.len(), if args.json { usize::MAX } else { args.limit });
    let bar = progress::bar(blocks.len(), "following portals");
    for batch in blocks.chunks(BATCH) {
        for found in look_at(&library, batch, superfluous, &bar)? {
            if let Some(writer) = &mut writer {
                writer.put(&found.changed)?;
            }
            report.add(found);
        }
    }
    bar.finish_and_clear();
    if let Some(writer) = writer {
        report.written = Some(writer.commit()?);
    }
    if args.json {
        report.print_json()?
    } else {
        report.print()?
    }
    Ok(if report.is_good() { Outcome::Success } else { Outcome::Findings })
}

fn look_at(
    library: &Library,
    blocks: &[BlockId],
    superfluous: Superfluous,
    bar: &ProgressBar,
) -> Result<Vec<BlockLists>> {
    let found = blocks.par_iter().map(|&id| visible_lists(library, id, superfluous)).inspect(|_| bar.inc(1));
    Ok(found.collect::<Result<_, _>>()?)
}
