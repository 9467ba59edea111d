//! Checks placements with the queries of a simulation: rays, the search for free space, the lists of cells.

mod door;
mod opening;
mod rest;
mod site;

use crate::{ClassKind, Database, Finding, Instance, Objects, Problem};
use site::Site;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use threshold_physics::EntityKey;
use threshold_sim::{Residency, SimError, Simulation};
use threshold_world::{
    BlockId, Library, Position, block_ids,
    coords::{BLOCK_SIDE, is_valid_cell_id},
    parallel,
};

/// Metres around an object within which other blocks are loaded.
const NEIGHBOURHOOD: f32 = 30.0;

/// Simulations that one check makes, at most.
const SIMULATIONS: usize = 32;

/// What to check, and a progress callback.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct CheckOptions<'a> {
    /// Only rows of these blocks.
    pub blocks: Option<&'a BTreeSet<BlockId>>,
    /// Check only rows of these classes; the others are still placed.
    pub classes: Option<&'a BTreeSet<u32>>,
    /// Called with the number of rows that were done, from any thread.
    pub progress: Option<&'a (dyn Fn(usize) + Sync)>,
}

impl<'a> CheckOptions<'a> {
    /// A copy for rows of these blocks only.
    pub fn blocks(self, blocks: &'a BTreeSet<BlockId>) -> Self {
        CheckOptions { blocks: Some(blocks), ..self }
    }

    /// A copy for rows of these classes only.
    pub fn classes(self, classes: &'a BTreeSet<u32>) -> Self {
        CheckOptions { classes: Some(classes), ..self }
    }

    /// A copy with a progress callback.
    pub fn progress(self, progress: &'a (dyn Fn(usize) + Sync)) -> Self {
        CheckOptions { progress: Some(progress), ..self }
    }
}

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Rows that were looked at.
    pub instances: usize,
    /// Objects that can be placed.
    pub placed: usize,
    /// How many of them are spawned by the objects that they are linked to.
    pub link_children: usize,
    /// How many of them are made by generators, and have no rows of their own.
    pub generated: usize,
    /// In order of files and lines.
    pub findings: Vec<Finding>,
}

/// What is wrong with where an object stands.
#[derive(Clone, Debug, PartialEq)]
struct Verdict {
    problem: Problem,
    message: String,
    off: Option<f32>,
    fix: Option<Position>,
}

impl Database {
    /// Checks all rows against a world: their contents and their placements. Blocks are loaded one by one on all processors,
    /// each with the surroundings of its objects.
    pub fn check(&self, library: &Arc<Library>, options: &CheckOptions<'_>) -> Result<Checked, SimError> {
        let known: BTreeSet<BlockId> = block_ids(&**library.source())?.0.into_iter().collect();
        let mut blocks: BTreeMap<BlockId, Vec<&Instance>> = BTreeMap::new();
        for instance in self.instances() {
            blocks.entry(BlockId((instance.spot.cell >> 16) as u16)).or_default().push(instance);
        }
        blocks.retain(|block, _| options.blocks.is_none_or(|wanted| wanted.contains(block)));
        let blocks: Vec<(BlockId, Vec<&Instance>)> = blocks.into_iter().collect();
        let parents = self.parents();
        let simulation = || -> Result<Simulation, SimError> {
            Simulation::builder().library(library.clone()).residency(Residency::Reached).build()
        };
        // A simulation per some blocks: each begins with a list of all blocks of the world.
        let grain = blocks.len() / SIMULATIONS + 1;
        let parts = parallel::map_init(&blocks, grain, simulation, |sim, (id, rows)| {
            if sim.is_err() {
                *sim = Ok(simulation()?);
            }
            let Ok(sim) = sim else { return Ok(Checked::default()) };
            let part = if known.contains(id) {
                self.check_block(sim, *id, rows, &parents, options)
            } else {
                Ok(self.without_block(*id, rows))
            };
            if let Some(progress) = options.progress {
                progress(rows.len());
            }
            part
        });
        let mut checked = Checked::default();
        for part in parts {
            let part = part?;
            checked.instances += part.instances;
            checked.placed += part.placed;
            checked.link_children += part.link_children;
            checked.generated += part.generated;
            checked.findings.extend(part.findings);
        }
        if options.blocks.is_none() {
            checked.findings.extend(self.findings().iter().cloned().chain(self.broken_links()));
        }
        if let Some(classes) = options.classes {
            checked.findings.retain(|finding| finding.class.is_some_and(|class| classes.contains(&class)));
        }
        checked.findings.sort_by(Finding::order);
        once_per_class(&mut checked.findings);
        Ok(checked)
    }

    /// Rows of a block that the world does not have.
    fn without_block(&self, id: BlockId, rows: &[&Instance]) -> Checked {
        let finding = |instance: &&Instance| {
            let cell = threshold_world::CellId(instance.spot.cell);
            let (problem, message) = if cell.low() == 0 || is_valid_cell_id(cell) {
                (Problem::UnknownBlock, format!("block {id} is not in the world"))
            } else {
                (Problem::OffMap, format!("{cell} is not a cell of the map"))
            };
            self.finding(instance, problem, message)
        };
        let findings = rows.iter().map(finding).collect();
        Checked { instances: rows.len(), findings, ..Checked::default() }
    }

    fn check_block(
        &self,
        sim: &mut Simulation,
        id: BlockId,
        rows: &[&Instance],
        parents: &BTreeMap<u32, u32>,
        options: &CheckOptions<'_>,
    ) -> Result<Checked, SimError> {
        let around = blocks_around(id, rows);
        sim.load_blocks(around.iter().copied())?;
        let library = sim.library().clone();
        let mut failed = None;
        let mut models = |id| match library.model(id) {
            Ok(model) => model,
            Err(error) => {
                failed.get_or_insert(error);
                None
            }
        };
        let objects = self.objects_of(rows.iter().copied(), parents, sim.world(), &mut models);
        if let Some(error) = failed {
            return Err(error.into());
        }
        let Objects { placed, link_children, generated, findings } = objects;
        let mut checked =
            Checked { instances: rows.len(), placed: placed.len(), link_children, generated, findings };
        let wanted = |class: u32| options.classes.is_none_or(|classes| classes.contains(&class));
        let right: BTreeMap<u32, Option<Position>> = checked
            .findings
            .iter()
            .filter(|finding| finding.problem == Problem::OutsideItsCell)
            .filter_map(|finding| Some((finding.guid?, finding.fix)))
            .collect();
        let site = Site::new(sim, self, id, placed, &right)?;
        let verdicts = site.judge(wanted)?;
        let keys: Vec<EntityKey> = site.keys().collect();
        for (guid, verdict) in verdicts {
            // What generators make has no row of its own: its maker is not to blame for the place.
            let Some(row) = self.instance(guid) else { continue };
            let is_door = self.class(row.class).is_some_and(|class| class.kind() == ClassKind::Door);
            if right.get(&guid) == Some(&None) || is_door {
                // It is in no cell, or another one, because of where it stands.
                let is_less = |finding: &Finding| {
                    finding.guid == Some(guid) && finding.problem == Problem::OutsideItsCell
                };
                checked.findings.retain(|finding| !is_less(finding));
            }
            let finding = self.finding(row, verdict.problem, verdict.message);
            checked.findings.push(Finding { off: verdict.off, fix: verdict.fix, ..finding });
        }
        for key in keys {
            sim.despawn(key)?;
        }
        for block in around {
            sim.drop_block(block)?;
        }
        Ok(checked)
    }
}

/// A block and those beside it that its objects are near to.
fn blocks_around(id: BlockId, rows: &[&Instance]) -> BTreeSet<BlockId> {
    let mut blocks = BTreeSet::from([id]);
    for instance in rows {
        let [x, y, _] = instance.spot.origin;
        let index = |first: u8, metres: f32| {
            let index = i32::from(first).saturating_add((metres / BLOCK_SIDE).floor() as i32);
            u8::try_from(index).ok()
        };
        for (x, y) in [-NEIGHBOURHOOD, NEIGHBOURHOOD]
            .into_iter()
            .flat_map(|dx| [-NEIGHBOURHOOD, NEIGHBOURHOOD].map(|dy| (x + dx, y + dy)))
        {
            if let (Some(x), Some(y)) = (index(id.x(), x), index(id.y(), y)) {
                blocks.insert(BlockId::new(x, y));
            }
        }
    }
    blocks
}

/// Keeps one finding for all rows of a class that has it, with their number.
fn once_per_class(findings: &mut Vec<Finding>) {
    let of_class = |finding: &Finding| {
        use Problem::{BadScale, NoSetup, UnknownClass, UnknownSetup, UnknownState};
        let is_about =
            matches!(finding.problem, UnknownClass | NoSetup | UnknownSetup | UnknownState | BadScale);
        finding.class.filter(|_| is_about).map(|class| (finding.problem, class))
    };
    let mut rows: BTreeMap<(Problem, u32), u32> = BTreeMap::new();
    findings.iter().filter_map(of_class).for_each(|about| *rows.entry(about).or_default() += 1);
    findings.retain_mut(|finding| match of_class(finding) {
        Some(about) => match rows.remove(&about) {
            Some(count) => {
                finding.rows = count;
                true
            }
            None => false,
        },
        None => true,
    });
}
