//! Objects from the community's SQL files.

use crate::commands::Outcome;
use anyhow::Result;
use serde::Serialize;
use std::{
    io::{BufWriter, Write, stdout},
    path::PathBuf,
};
use threshold_ace::{Database, Finding};
use threshold_world::Library;

/// The object that `--json` prints.
#[derive(Serialize)]
struct Report<'f> {
    instances: usize,
    placed: usize,
    link_children: usize,
    generated: usize,
    classes: usize,
    findings: &'f [Finding],
}

pub(super) fn run(library: &Library, files: &[PathBuf], json: bool) -> Result<Outcome> {
    let database = Database::open(files)?;
    let objects = database.check(library)?;
    let report = Report {
        instances: database.instances().count(),
        placed: objects.placed.len(),
        link_children: objects.link_children,
        generated: objects.generated,
        classes: database.classes().count(),
        findings: &objects.findings,
    };
    let mut out = BufWriter::new(stdout().lock());
    if json {
        serde_json::to_writer_pretty(&mut out, &report)?;
        writeln!(out)?;
    } else {
        print(&mut out, &report)?;
    }
    out.flush()?;
    Ok(if report.findings.is_empty() { Outcome::Success } else { Outcome::Findings })
}

fn print(out: &mut impl Write, report: &Report<'_>) -> Result<()> {
    for finding in report.findings {
        writeln!(out, "{finding}")?;
    }
    let Report { instances, placed, link_children, generated, classes, findings } = report;
    writeln!(
        out,
        "{instances} objects of {classes} classes: {placed} can be placed, {link_children} of them spawned by others and {generated} made by generators, {} findings",
        findings.len()
    )?;
    Ok(())
}
