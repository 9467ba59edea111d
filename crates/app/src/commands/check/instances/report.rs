//! What was found, for people and as JSON.

use super::files::Read;
use anyhow::Result;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{BufWriter, Write, stdout},
};
use threshold_ace::{Checked, Database, Finding, Problem, Severity};

/// The object that `--json` prints.
#[derive(Serialize)]
pub(super) struct Report<'f> {
    files: usize,
    bad_files: Vec<BadFile<'f>>,
    empty_files: Vec<String>,
    instances: usize,
    placed: usize,
    link_children: usize,
    generated: usize,
    classes: usize,
    /// How often each kind was found.
    counts: BTreeMap<&'static str, u32>,
    pub(super) findings: Vec<&'f Finding>,
    pub(super) notes: Vec<&'f Finding>,
}

#[derive(Serialize)]
struct BadFile<'f> {
    file: String,
    error: &'f str,
}

impl<'f> Report<'f> {
    pub(super) fn new(database: &Database, read: &'f Read, checked: &'f Checked) -> Report<'f> {
        let (notes, findings): (Vec<&Finding>, Vec<&Finding>) =
            checked.findings.iter().partition(|finding| finding.problem.severity() == Severity::Note);
        let mut counts = BTreeMap::new();
        for finding in &checked.findings {
            *counts.entry(finding.problem.name()).or_default() += finding.rows;
        }
        let bad = read.bad.iter().map(|(file, error)| BadFile { file: file.display().to_string(), error });
        Report {
            files: read.good + read.bad.len(),
            bad_files: bad.collect(),
            empty_files: read.empty.iter().map(|file| file.display().to_string()).collect(),
            instances: checked.instances,
            placed: checked.placed,
            link_children: checked.link_children,
            generated: checked.generated,
            classes: database.classes().count(),
            counts,
            findings,
            notes,
        }
    }

    pub(super) fn print_json(&self) -> Result<()> {
        let mut out = BufWriter::new(stdout().lock());
        serde_json::to_writer_pretty(&mut out, self)?;
        writeln!(out)?;
        Ok(out.flush()?)
    }

    /// The summary, then the findings, then what to do about them.
    pub(super) fn print(&self, with_notes: bool) -> Result<()> {
        let mut out = BufWriter::new(stdout().lock());
        let Report { files, instances, placed, link_children, generated, classes, .. } = self;
        writeln!(
            out,
            "{instances} objects of {classes} classes in {files} files: {placed} can be placed, {link_children} of them spawned by others and {generated} made by generators",
        )?;
        let hidden = if with_notes || self.notes.is_empty() { "" } else { " (--notes shows them)" };
        writeln!(out, "{} findings, {} notes{hidden}", self.findings.len(), self.notes.len())?;
        let shown = || self.findings.iter().chain(self.notes.iter().filter(|_| with_notes));
        let mut kinds: BTreeMap<Problem, u32> = BTreeMap::new();
        shown().for_each(|finding| *kinds.entry(finding.problem).or_default() += finding.rows);
        for (problem, rows) in &kinds {
            writeln!(out, "{rows:>8}  {problem:<17} {}", problem.advice())?;
        }
        if !kinds.is_empty() {
            writeln!(out)?;
        }
        for finding in shown() {
            writeln!(out, "{finding}")?;
            if let Some(at) = finding.at.filter(|at| at.cell.low() != 0) {
                writeln!(out, "    see it   /teleloc {at}")?;
            }
            if let Some(fix) = &finding.fix {
                writeln!(out, "    right    /teleloc {fix}")?;
            }
        }
        Ok(out.flush()?)
    }
}
