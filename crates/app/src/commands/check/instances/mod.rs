//! Objects from the community's SQL files.

mod files;
mod pictures;
mod report;
mod sarif;

use super::{Args, reach};
use crate::{
    commands::Outcome,
    out_file::{ForceArg, Mark, OutFile},
    out_folder::OutFolder,
    progress,
    text::say,
};
use anyhow::{Context, Result, anyhow, bail, ensure};
use files::Files;
use report::Report;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};
use threshold_ace::{CheckOptions, Database, Finding, Problem, Severity, decode, rewrite};
use threshold_world::{BlockId, Library, Position};

/// Checks of what a server places.
#[derive(clap::Args)]
pub(super) struct InstancesArgs {
    /// Check placements in ACE-World SQL instead: files, folders (all .sql files in them) or patterns such as
    /// 'land*/A9*.sql'. Weenie classes may be in separate files; all files are read in the order given
    #[arg(long, value_name = "PATH", num_args = 1..)]
    instances: Vec<String>,
    /// Only findings of these kinds, such as no-opening or floating, comma-separated
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = problem, requires = "instances")]
    kind: Vec<Problem>,
    /// Only objects of these classes, by number or class name
    #[arg(long, value_name = "CLASS", value_delimiter = ',', requires = "instances")]
    class: Vec<String>,
    /// Print the findings as SARIF, for editors and forges
    #[arg(long, requires = "instances", conflicts_with = "json")]
    sarif: bool,
    /// Write a corrected copy of the SQL in which only the values of the wrong rows differ
    #[arg(long, value_name = "OUT.sql", requires = "instances")]
    fix: Option<PathBuf>,
    /// Draw a picture of each finding into this folder: the placement in the row in red, the correct one in green
    #[arg(long, value_name = "DIR", requires = "instances")]
    pictures: Option<PathBuf>,
    /// Also find unreachable spawns and doors that lead nowhere, by walking; this takes longer
    #[arg(long, requires = "instances")]
    reach: bool,
    #[command(flatten)]
    force: ForceArg,
}

impl InstancesArgs {
    /// Whether there is anything to check.
    pub(super) fn is_wanted(&self) -> bool {
        !self.instances.is_empty()
    }

    /// Whether a finding is of a kind that is asked for.
    fn wants(&self, finding: &Finding) -> bool {
        self.kind.is_empty() || self.kind.contains(&finding.problem)
    }

    /// The numbers of the classes that are asked for.
    fn classes(&self, database: &Database) -> Result<Option<BTreeSet<u32>>> {
        if self.class.is_empty() {
            return Ok(None);
        }
        let mut classes = BTreeSet::new();
        for text in &self.class {
            let text = text.trim();
            let named = database.classes().filter(|(_, class)| {
                class.name.as_deref().is_some_and(|name| name.eq_ignore_ascii_case(text))
            });
            let before = classes.len();
            match text.parse() {
                Ok(number) => drop(classes.insert(number)),
                Err(_) => classes.extend(named.map(|(number, _)| number)),
            }
            ensure!(
                classes.len() > before,
                "--class: `{text}` is neither a number nor the name of a class in the files"
            );
        }
        Ok(Some(classes))
    }
}

fn problem(text: &str) -> Result<Problem, String> {
    let known = Problem::ALL.iter().copied().find(|problem| problem.name() == text.trim());
    let names = || Problem::ALL.iter().map(|problem| problem.name()).collect::<Vec<_>>().join(", ");
    known.ok_or_else(|| format!("the kinds are {}", names()))
}

pub(super) fn run(library: &Arc<Library>, args: &Args) -> Result<Outcome> {
    let wanted = &args.instances;
    let fix = wanted.fix.as_deref().map(|path| OutFile::new(path, Mark::None, wanted.force)).transpose()?;
    let folder = |dir: &PathBuf| OutFolder::open(dir, "check", wanted.force.force);
    let folder = wanted.pictures.as_ref().map(folder).transpose()?;
    let files = Files::find(&wanted.instances)?;
    if let Some(path) = &wanted.fix {
        let is_input = files.paths.iter().any(|input| is_same(input, path));
        ensure!(
            !is_input,
            "--fix: {} is one of the files to be checked; choose another name",
            path.display()
        );
    }
    let (database, read) = files.read();
    for problem in read.bad.iter().map(|(_, problem)| problem) {
        say!("threshold: {problem}");
    }
    for file in &read.empty {
        say!("threshold: {}: contains no objects or classes", file.display());
    }
    let blocks =
        args.block.as_deref().map(|text| block(args, text)).transpose()?.map(|id| BTreeSet::from([id]));
    let classes = wanted.classes(&database)?;
    let bar = progress::bar(database.instances().count(), "checking objects");
    let count = |rows: usize| bar.inc(rows as u64);
    let mut options = CheckOptions::default().progress(&count);
    (options.blocks, options.classes) = (blocks.as_ref(), classes.as_ref());
    let mut checked = database.check(library, &options)?;
    bar.finish_and_clear();
    if wanted.reach {
        checked.findings.extend(reach::findings(library, &database, &options)?);
        checked.findings.sort_by(Finding::order);
    }
    checked.findings.retain(|finding| wanted.wants(finding));
    let report = Report::new(&database, &read, &checked);
    if wanted.sarif {
        sarif::print(&report)?;
    } else if args.json {
        report.print_json()?;
    } else {
        report.print(args.notes)?;
    }
    if let Some(out) = fix {
        write_fixes(&out, &files.paths, &checked.findings)?;
    }
    if let Some(folder) = folder {
        pictures::draw(folder, library, &database, &checked.findings)?;
    }
    if !read.bad.is_empty() {
        bail!("{} of {} files could not be used", read.bad.len(), files.paths.len());
    }
    let is_clean = checked.findings.iter().all(|finding| finding.problem.severity() == Severity::Note);
    Ok(if is_clean { Outcome::Success } else { Outcome::Findings })
}

/// A block by its number or by a place in it, whether the world has it or not.
fn block(args: &Args, text: &str) -> Result<BlockId> {
    match text.parse() {
        Ok(block) => Ok(block),
        Err(_) => Ok(args.dats.place(text).context("--block")?.flat().cell.block()),
    }
}

fn is_same(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// Writes the files in which something can be corrected, one after the other.
fn write_fixes(out: &OutFile, paths: &[PathBuf], findings: &[Finding]) -> Result<()> {
    let mut places: BTreeMap<u32, Position> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.problem.severity() == Severity::Finding) {
        if let (Some(guid), Some(fix)) = (finding.guid, finding.fix) {
            // Several findings of one object have one place that is right; the last knows most.
            places.insert(guid, fix);
        }
    }
    let (mut text, mut changed) = (String::new(), 0);
    for path in paths {
        // What cannot be read was told of.
        let Ok(bytes) = fs::read(path) else { continue };
        let source = decode(&bytes);
        let Ok(Some(corrected)) = rewrite(&source, &places) else { continue };
        changed += 1;
        text += &format!("-- corrected from {}\n{}\n", path.display(), corrected.trim_end());
    }
    if changed == 0 {
        say!("threshold: --fix: no row has a certain correction; nothing was written");
        return Ok(());
    }
    out.write(text.as_bytes()).map_err(|error| anyhow!("--fix: {error:#}"))?;
    say!("threshold: --fix: {} rows of {changed} files corrected", places.len());
    Ok(())
}
