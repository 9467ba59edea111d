//! `threshold check`: lints of world data.

mod instances;
mod reach;

use super::Outcome;
use crate::{dats::DatsArg, progress, text::say};
use anyhow::Result;
use rayon::prelude::*;
use serde::Serialize;
use std::{
    collections::BTreeSet,
    io::{BufWriter, Write, stdout},
};
use threshold_dat::{DatId, Error, IdScheme};
use threshold_world::{
    BlockId, Library, block_ids,
    check::{Finding, Severity, check_block, check_shape, shapes_of_block},
    source::Source,
};

/// Check world data: cells, portals, buildings, trees, placements.
///
/// Finds data that loads but will not look or play as intended: portals without a counterpart, openings
/// that do not coincide, unreachable cells, objects in the wrong cell, broken trees and more. Each finding names
/// the record and says how to fix it. Exit status 1 when there are findings; notes do not count.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold check --dats DIR
  threshold check --dats DIR --block 0xA9B4 --notes
  threshold check --dats DIR --instances A9B4.sql weenies
  threshold check --dats DIR --instances ACE-World --kind no-opening,turned --pictures wrong
  threshold check --dats DIR --instances A9B4.sql weenies --fix A9B4-fixed.sql")]
pub(crate) struct Args {
    #[command(flatten)]
    dats: DatsArg,
    /// Check only this landblock and the records it uses, e.g. 0xA9B4, or the one of a place such as 'Tower Lookout'
    #[arg(long, value_name = "BLOCK")]
    block: Option<String>,
    #[command(flatten)]
    instances: instances::InstancesArgs,
    /// Also print notes: unusual but valid data that is worth a look
    #[arg(long)]
    notes: bool,
    /// Print one object with all findings and notes
    #[arg(long)]
    json: bool,
}

/// The object that `--json` prints.
#[derive(Serialize)]
struct Report<'f> {
    blocks: usize,
    shapes: usize,
    findings: Vec<&'f Finding>,
    notes: Vec<&'f Finding>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let library = args.dats.library()?;
    if args.instances.is_wanted() {
        return instances::run(&library, args);
    }
    let source = &**library.source();
    let (blocks, shapes) = match &args.block {
        Some(text) => {
            let block = args.dats.block(text, source)?;
            (vec![block], shapes_of_block(&library, block)?.into_iter().collect())
        }
        None => {
            let (blocks, problems) = block_ids(source)?;
            problems.iter().for_each(|problem| say!("threshold: {problem}"));
            (blocks, all_shapes(source)?)
        }
    };
    let all = find_all(&library, &blocks, &shapes)?;
    let (findings, notes): (Vec<&Finding>, Vec<&Finding>) =
        all.iter().partition(|f| f.lint.severity() == Severity::Finding);
    let outcome = if findings.is_empty() { Outcome::Success } else { Outcome::Findings };
    let report = Report { blocks: blocks.len(), shapes: shapes.len(), findings, notes };
    let mut out = BufWriter::new(stdout().lock());
    if args.json {
        serde_json::to_writer_pretty(&mut out, &report)?;
        writeln!(out)?;
    } else {
        print(&mut out, &report, args.notes)?;
    }
    out.flush()?;
    Ok(outcome)
}

fn all_shapes(source: &dyn Source) -> Result<Vec<DatId>, Error> {
    let mut shapes = Vec::new();
    for kind in [0x0100_0000, 0x0200_0000, 0x0D00_0000] {
        shapes.extend(source.ids(IdScheme::Portal, DatId(kind)..=DatId(kind | 0xFFFF))?.ids);
    }
    Ok(shapes)
}

/// Checks everything in parallel; the result is the same however many threads there are.
fn find_all(library: &Library, blocks: &[BlockId], shapes: &[DatId]) -> Result<Vec<Finding>, Error> {
    let bar = progress::bar(blocks.len() + shapes.len(), "checking");
    let of_shapes = shapes.par_iter().map(|&id| check_shape(library, id)).inspect(|_| bar.inc(1));
    let of_shapes: Vec<Vec<Finding>> = of_shapes.collect::<Result<_, _>>()?;
    let of_blocks = blocks.par_iter().map(|&id| check_block(library, id)).inspect(|_| bar.inc(1));
    let of_blocks: Vec<Vec<Finding>> = of_blocks.collect::<Result<_, _>>()?;
    bar.finish_and_clear();
    Ok(of_shapes.into_iter().chain(of_blocks).flatten().collect())
}

fn print(out: &mut impl Write, report: &Report<'_>, with_notes: bool) -> Result<()> {
    let shown = report.findings.iter().chain(report.notes.iter().filter(|_| with_notes));
    for finding in shown {
        writeln!(out, "{finding}\n    to do: {}", finding.advice())?;
    }
    let records: BTreeSet<DatId> = report.findings.iter().map(|f| f.id).collect();
    let hidden = if with_notes || report.notes.is_empty() { "" } else { " (--notes shows them)" };
    writeln!(
        out,
        "{} blocks and {} shapes checked: {} findings in {} records, {} notes{hidden}",
        report.blocks,
        report.shapes,
        report.findings.len(),
        records.len(),
        report.notes.len(),
    )?;
    Ok(())
}
