//! Objects from the community's SQL files.

use crate::commands::Outcome;
use anyhow::Result;
use serde::Serialize;
use std::{
    collections::BTreeSet,
    io::{BufWriter, Write, stdout},
    path::PathBuf,
};
use threshold_ace::{Database, Finding};
use threshold_world::{BlockId, Library, World, block_ids, load_block};

/// The object that `--json` prints.
#[derive(Serialize)]
struct Report<'f> {
    instances: usize,
    placed: usize,
    link_children: usize,
    classes: usize,
    findings: &'f [Finding],
}

pub(super) fn run(library: &Library, files: &[PathBuf], json: bool) -> Result<Outcome> {
    let database = Database::open(files)?;
    let world = blocks_of(library, &database)?;
    let mut failed = None;
    let objects = database.objects(&world, &mut |id| match library.model(id) {
        Ok(model) => model,
        Err(error) => {
            failed.get_or_insert(error);
            None
        }
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    let report = Report {
        instances: database.instances().count(),
        placed: objects.placed.len(),
        link_children: objects.link_children,
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

/// The blocks that objects stand in, as far as this world has them.
fn blocks_of(library: &Library, database: &Database) -> Result<World> {
    let known: BTreeSet<BlockId> = block_ids(&**library.source())?.0.into_iter().collect();
    let named = database.instances().map(|instance| BlockId((instance.spot.cell >> 16) as u16));
    let mut world = World::new();
    for id in named.collect::<BTreeSet<_>>().intersection(&known) {
        world.insert_resident(load_block(library, *id)?.block);
    }
    Ok(world)
}

fn print(out: &mut impl Write, report: &Report<'_>) -> Result<()> {
    for finding in report.findings {
        writeln!(out, "{finding}")?;
    }
    let Report { instances, placed, link_children, classes, findings } = report;
    writeln!(
        out,
        "{instances} objects of {classes} classes: {placed} can be placed, {link_children} are spawned by others, {} findings",
        findings.len()
    )?;
    Ok(())
}
