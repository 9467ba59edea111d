//! Spawns that nobody can come to, and doors that lead nowhere: found by bodies that walk.

use crate::progress;
use anyhow::Result;
use glam::Vec3;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use threshold_ace::{CheckOptions, Database, Finding, Problem};
use threshold_sim::{
    Builder, Residency, Simulation, Walker,
    nav::{Nav, NavError, Policy, Region, Surroundings, check_route},
};
use threshold_world::{
    BlockId, Frame, Library, Position,
    geometry::Aabb,
    model::Model,
    placed::{ObjectKind, PlacedObject},
    stream::{Loading, StreamConfig},
};

/// Metres before and behind a door between which one must be able to walk.
const BESIDE: [f32; 2] = [0.8, 1.3];
/// So many rooms without a way to the open land are a dungeon; the portal that leads there may be in other files.
const DUNGEON: usize = 8;
/// Bodies are put down from above a door's threshold, in metres.
const LIFT: f32 = 0.1;

/// An object with a defect.
struct Found {
    guid: u32,
    problem: Problem,
    message: String,
}

/// Looks at the living objects and the doors of rows that are wanted, block by block, with what is around them. One comes in from the open land, by
/// a portal of the same rows, or, where none of those leads there, into whole dungeons and the largest part of the block.
pub(super) fn findings(
    library: &Arc<Library>,
    database: &Database,
    options: &CheckOptions<'_>,
) -> Result<Vec<Finding>> {
    let objects = database.placed_objects(library)?.objects;
    let is_wanted = |object: &PlacedObject| {
        let row = database.instance(object.id);
        let class = row.is_some_and(|row| options.classes.is_none_or(|classes| classes.contains(&row.class)));
        class && options.blocks.is_none_or(|blocks| blocks.contains(&object.cell.block()))
    };
    let found = find(library, &objects, is_wanted)?;
    Ok(found.into_iter().filter_map(|found| finding(database, &objects, found)).collect())
}

fn finding(database: &Database, objects: &[PlacedObject], found: Found) -> Option<Finding> {
    let row = database.instance(found.guid)?;
    let object = objects.iter().find(|object| object.id == found.guid)?;
    let mut finding = Finding::new(&row.at, found.problem, found.message);
    (finding.guid, finding.class, finding.name) = (Some(row.guid), Some(row.class), object.name.clone());
    finding.at = Some(object.position());
    Some(finding)
}

fn find(
    library: &Arc<Library>,
    objects: &[PlacedObject],
    is_wanted: impl Fn(&PlacedObject) -> bool,
) -> Result<Vec<Found>> {
    let config = StreamConfig::default().loading(Loading::Inline(usize::MAX));
    let builder = Builder::default().library(library.clone()).placed(objects.iter().cloned());
    let mut sim = builder.residency(Residency::Observed(config)).build()?;
    let known: BTreeSet<BlockId> = sim.blocks().iter().copied().collect();
    let mut blocks: BTreeMap<BlockId, Vec<&PlacedObject>> = BTreeMap::new();
    for object in objects.iter().filter(|object| object.is_living() || object.kind == ObjectKind::Door) {
        if known.contains(&object.cell.block()) && is_wanted(object) {
            blocks.entry(object.cell.block()).or_default().push(object);
        }
    }
    let bar = progress::bar(blocks.len(), "walking");
    let mut found = Vec::new();
    for (block, here) in blocks {
        let near = |id: &BlockId| id.x().abs_diff(block.x()) <= 1 && id.y().abs_diff(block.y()) <= 1;
        let around: Vec<BlockId> = known.iter().copied().filter(near).collect();
        let portals = objects.iter().filter_map(|object| object.destination);
        let portals: Vec<Position> = portals.filter(|to| around.contains(&to.cell.block())).collect();
        found.extend(find_in(&mut sim, &around, &portals, &here)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(found)
}

fn find_in(
    sim: &mut Simulation,
    blocks: &[BlockId],
    portals: &[Position],
    objects: &[&PlacedObject],
) -> Result<Vec<Found>> {
    let observer = sim.hold_open(blocks.iter().copied())?;
    sim.settle(observer)?;
    // A row may name no cell: the simulation has found it.
    let mut placed: Vec<(&PlacedObject, Position, Arc<Model>)> = Vec::new();
    for object in objects {
        if let Some(key) = sim.find(object.id) {
            placed.push((object, sim.position(key)?, sim.entity(key)?.model.clone()));
        }
    }
    let found = sim.with_nav(&Walker::default(), |nav, around| {
        let reached = entered(nav, around, blocks, portals)?;
        let mut found = Vec::new();
        for (object, at, model) in &placed {
            let (problem, message) = match object.kind {
                ObjectKind::Door if !leads_somewhere(nav, around, object, at, model)? => (
                    Problem::LeadsNowhere,
                    format!("the door at {at} cannot be walked through, even when it is open"),
                ),
                _ if object.is_living()
                    && !reached.iter().any(|region| nav.is_beside(around, region, at)) =>
                {
                    (Problem::Unreached, format!("{at} is not reachable"))
                }
                _ => continue,
            };
            found.push(Found { guid: object.id, problem, message });
        }
        Ok::<_, NavError>(found)
    })??;
    sim.stop_observing(observer)?;
    Ok(found)
}

/// What is reached by all who come in.
fn entered(
    nav: &Nav,
    around: &Surroundings<'_>,
    blocks: &[BlockId],
    portals: &[Position],
) -> Result<Vec<Region>, NavError> {
    let policy = Policy::default().takes_portals(true);
    let regions = nav.regions(around, blocks, &policy);
    let outdoors = regions.iter().find(|region| region.cells.iter().any(|cell| cell.is_outdoor()));
    let largest = regions.first().filter(|_| portals.is_empty());
    let is_dungeon = |region: &&Region| {
        region.cells.len() >= DUNGEON && region.cells.iter().all(|cell| cell.is_interior())
    };
    let dungeons = regions.iter().filter(|_| portals.is_empty()).filter(is_dungeon);
    let entrances = outdoors.or(largest).into_iter().chain(dungeons).map(|region| region.place);
    let entrances = portals.iter().copied().chain(entrances);
    let mut reached = Vec::new();
    for entrance in entrances {
        reached.extend(nav.reach(around, &entrance, &policy)?.ok());
    }
    Ok(reached)
}

/// Whether a body can walk straight through a door, one way or the other.
fn leads_somewhere(
    nav: &Nav,
    around: &Surroundings<'_>,
    object: &PlacedObject,
    at: &Position,
    model: &Model,
) -> Result<bool, NavError> {
    let corners = model.parts.iter().filter_map(|part| {
        let bounds = &part.mesh.as_ref()?.bounds;
        Some(bounds.corners().map(|corner| part.frame.apply(corner * part.scale) * object.scale))
    });
    let bounds = Aabb::around(corners.flatten()).unwrap_or(Aabb { min: Vec3::ZERO, max: Vec3::ZERO });
    let middle = ((bounds.min + bounds.max) / 2.0).with_z(bounds.min.z + LIFT);
    // Doors are thin: one goes through them along their shorter side.
    let size = bounds.max - bounds.min;
    let through = if size.x < size.y { Vec3::X } else { Vec3::Y };
    for distance in BESIDE {
        let place = |side: f32| {
            let origin = at.frame.apply(middle + through * distance * side);
            Position::new(at.cell, Frame::at(origin))
        };
        for (from, to) in [(place(1.0), place(-1.0)), (place(-1.0), place(1.0))] {
            let walked = check_route(around, nav.agent(), &Policy::default(), &[from, to])?;
            if walked.is_some_and(|walked| walked.failure.is_none()) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
