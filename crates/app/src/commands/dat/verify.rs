//! `threshold dat verify`: is a file what it should be?

use super::{Outcome, open};
use crate::progress;
use anyhow::Result;
use rayon::prelude::*;
use serde::Serialize;
use std::{
    io::{Write, stdout},
    path::{Path, PathBuf},
};
use threshold_dat::{
    DatId, Mode, RecordError,
    container::{DatFile, Entry, Sight, Totals},
    records::{Note, Record},
};

/// Entries and bytes that are decoded at a time, which bounds the memory.
const BATCH_ENTRIES: usize = 4096;
const BATCH_BYTES: u64 = 8 << 20;

/// Check files completely.
///
/// Walks the directory and every chain of blocks, decodes and re-encodes every record, and looks for
/// blocks that are shared, lost, or both free and in use. Exit status 1 when something is wrong.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold dat verify client_portal.dat client_cell_1.dat
  threshold dat verify client_cell_1.dat --json | jq '.files[0].findings'")]
pub(super) struct Args {
    /// The dat files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Also print notes about unusual but valid data
    #[arg(long, short)]
    notes: bool,
    /// Maximum number of findings and notes to print per file; all are counted
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: usize,
    /// Print one object for all files
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary {
    findings: usize,
    files: Vec<Report>,
}

/// What was seen in one file.
#[derive(Serialize)]
struct Report {
    file: String,
    bytes: usize,
    records: u32,
    nodes: u32,
    used_blocks: u32,
    free_blocks: u32,
    /// Records that were decoded and came out of the encoder as they went in.
    identical: usize,
    finding_count: usize,
    note_count: usize,
    findings: Vec<Remark>,
    notes: Vec<Remark>,
    #[serde(skip)]
    limit: usize,
}

#[derive(Serialize)]
struct Remark {
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<DatId>,
    text: String,
}

pub(super) fn run(args: &Args) -> Result<Outcome> {
    let mut files = Vec::new();
    for path in &args.files {
        let report = verify(&open(path)?, path, args.limit);
        if !args.json {
            report.print(args.notes)?;
        }
        files.push(report);
    }
    let findings = files.iter().map(|report| report.finding_count).sum();
    if args.json {
        let mut out = stdout().lock();
        serde_json::to_writer_pretty(&mut out, &Summary { findings, files })?;
        writeln!(out)?;
    }
    Ok(if findings == 0 { Outcome::Success } else { Outcome::Findings })
}

fn verify(dat: &DatFile, path: &Path, limit: usize) -> Report {
    let bar = progress::bytes(dat.length() as u64, path);
    let mut report = Report::new(dat, path, limit);
    let mut batch = Vec::new();
    let mut batch_bytes = 0;
    let mut survey = dat.survey();
    while let Some(sight) = survey.next() {
        match sight {
            Sight::Finding(finding) => report.finding(None, finding.to_string()),
            Sight::Note(note) => report.note(None, note.to_string()),
            Sight::Entry(entry) => {
                batch.push(entry);
                batch_bytes += u64::from(entry.size);
            }
        }
        if batch.len() >= BATCH_ENTRIES || batch_bytes >= BATCH_BYTES {
            report.records(dat, &batch);
            batch.clear();
            batch_bytes = 0;
            bar.set_position(u64::from(survey.totals().used_blocks) * u64::from(dat.header().block_size));
        }
    }
    report.records(dat, &batch);
    report.totals(survey.totals());
    bar.finish_and_clear();
    report
}

/// What is to be said of one record: nothing is good.
#[derive(Default)]
struct Verdict {
    fault: Option<String>,
    notes: Vec<String>,
}

fn examine(dat: &DatFile, entry: &Entry) -> Verdict {
    let bytes = match dat.read(entry) {
        Ok(bytes) => bytes,
        Err(error) => return Verdict { fault: Some(error.to_string()), ..Verdict::default() },
    };
    let kind = entry.id.kind(dat.scheme());
    let decoded = match Record::decode(entry.id, kind, &bytes, Mode::Lenient) {
        Ok(decoded) => decoded,
        Err(error) => {
            let RecordError { field, offset, problem, .. } = error;
            let fault = Some(format!("{kind}: {field} at byte {offset}: {problem}"));
            return Verdict { fault, ..Verdict::default() };
        }
    };
    let fault = match decoded.encode() {
        Ok(again) if again[..] == bytes[..] => None,
        Ok(again) => {
            let at = again.iter().zip(&bytes[..]).take_while(|(new, old)| new == old).count();
            let lengths = format!("{} bytes read, {} written", bytes.len(), again.len());
            Some(format!("{kind}: would be written differently from byte {at} on ({lengths})"))
        }
        Err(error) => Some(format!("{kind}: cannot be written again: {error}")),
    };
    let remark = |note: &Note| format!("{kind}: {} at byte {}: {}", note.field, note.offset, note.problem);
    Verdict { fault, notes: decoded.notes.iter().map(remark).collect() }
}

impl Report {
    fn new(dat: &DatFile, path: &Path, limit: usize) -> Report {
        Report {
            file: path.display().to_string(),
            bytes: dat.length(),
            records: 0,
            nodes: 0,
            used_blocks: 0,
            free_blocks: 0,
            identical: 0,
            finding_count: 0,
            note_count: 0,
            findings: Vec::new(),
            notes: Vec::new(),
            limit,
        }
    }

    fn finding(&mut self, record: Option<DatId>, text: String) {
        self.finding_count += 1;
        if self.findings.len() < self.limit {
            self.findings.push(Remark { record, text });
        }
    }

    fn note(&mut self, record: Option<DatId>, text: String) {
        self.note_count += 1;
        if self.notes.len() < self.limit {
            self.notes.push(Remark { record, text });
        }
    }

    /// Decodes a batch of records on all cores.
    fn records(&mut self, dat: &DatFile, batch: &[Entry]) {
        let verdicts: Vec<Verdict> = batch.par_iter().map(|entry| examine(dat, entry)).collect();
        for (entry, verdict) in batch.iter().zip(verdicts) {
            match verdict.fault {
                Some(fault) => self.finding(Some(entry.id), fault),
                None => self.identical += 1,
            }
            for note in verdict.notes {
                self.note(Some(entry.id), note);
            }
        }
    }

    fn totals(&mut self, totals: Totals) {
        let Totals { entries, nodes, used_blocks, free_blocks, .. } = totals;
        (self.records, self.nodes, self.used_blocks, self.free_blocks) =
            (entries, nodes, used_blocks, free_blocks);
    }

    fn print(&self, with_notes: bool) -> Result<()> {
        let mut out = stdout().lock();
        let notes = if with_notes { self.notes.as_slice() } else { &[] };
        for (remark, word) in self.findings.iter().map(|r| (r, "")).chain(notes.iter().map(|r| (r, "note: ")))
        {
            match remark.record {
                Some(id) => writeln!(out, "{}: {word}{id}: {}", self.file, remark.text)?,
                None => writeln!(out, "{}: {word}{}", self.file, remark.text)?,
            }
        }
        writeln!(
            out,
            "{}: {} records, {} identical when written again; {} nodes, {} blocks used, {} free; {} findings, {} notes",
            self.file,
            self.records,
            self.identical,
            self.nodes,
            self.used_blocks,
            self.free_blocks,
            self.finding_count,
            self.note_count
        )?;
        Ok(())
    }
}
