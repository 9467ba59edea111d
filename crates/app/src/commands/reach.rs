//! `threshold reach`: what a body can come to from a place, and what is cut off from it.

use super::Outcome;
use crate::{
    commands::{
        path::{AgentArg, hold_open},
        way_map::{Panel, WayMap},
    },
    dats::DatsArg,
    out_file::{ForceArg, OutFile},
    progress,
};
use anyhow::Result;
use serde_json::json;
use std::{
    collections::BTreeSet,
    io::{Write, stdout},
    path::PathBuf,
};
use threshold_render::map::{Color, block_origin};
use threshold_sim::nav::{PatchArea, PatchId, Region};
use threshold_world::{BlockId, CellId, Frame, Position};

/// Smaller islands are not worth a line, in square metres.
const SMALLEST: f32 = 2.0;
/// Islands that are listed.
const LISTED: usize = 20;
const REACHED: Color = [0.15, 0.70, 0.30];
const ISLAND: Color = [0.85, 0.15, 0.20];

/// Show what is reachable from a place.
///
/// Prints how much ground and how many cells a body can reach, and the islands: places where it could stand but that it cannot reach.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold reach --from '0x80800015 [60 97.5 20.01]'
  threshold reach --from 'Village Green' --leave-doors-shut --picture reach.png")]
pub(crate) struct Args {
    #[command(flatten)]
    dats: DatsArg,
    /// Start: a name, a /loc or map coordinates
    #[arg(long, value_name = "PLACE")]
    from: String,
    #[command(flatten)]
    agent: AgentArg,
    /// Print one object: square metres, cells, islands
    #[arg(long)]
    json: bool,
    /// Draw the reachable ground (green) and islands (red) on a map of the block
    #[arg(long, value_name = "FILE.png")]
    picture: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
}

/// What was found, as plain data.
struct Found {
    reached: Region,
    islands: Vec<Region>,
    /// Patches of the block that the picture shows, and whether they are reached.
    drawn: Vec<(PatchArea, bool)>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let picture = args.picture.as_deref().map(|path| OutFile::picture(path, args.force)).transpose()?;
    let mut sim = args.dats.simulation()?;
    let place = args.dats.place(&args.from)?;
    let blocks = hold_open(&mut sim, &[place.flat()])?;
    let from = sim.resolve(&place);
    let policy = args.agent.policy();
    let bar = progress::bar(blocks.len(), "building meshes");
    let found = sim.with_nav(&args.agent.walker(), |nav, around| {
        for some in blocks.chunks(16) {
            nav.build_all(around, some);
            bar.inc(some.len() as u64);
        }
        let reached = match nav.reach(around, &from, &policy)? {
            Ok(reached) => reached,
            Err(why) => return Ok(Err(why)),
        };
        let regions = nav.regions(around, &blocks, &policy);
        let patches: BTreeSet<PatchId> = reached.patches.iter().copied().collect();
        let is_reached = |region: &Region| region.patches.iter().any(|patch| patches.contains(patch));
        let here = |cell: CellId| cell.block() == from.cell.block();
        let all = regions.iter().flat_map(|region| &region.patches);
        let drawn = all.filter_map(|&id| Some((nav.area(around, id)?, patches.contains(&id))));
        let drawn = drawn.filter(|(area, _)| here(area.cell)).collect();
        let islands =
            regions.iter().filter(|region| !is_reached(region) && region.area >= SMALLEST).cloned().collect();
        Ok::<_, threshold_sim::nav::NavError>(Ok(Found { reached, islands, drawn }))
    })??;
    bar.finish_and_clear();
    args.agent.finish(&mut sim)?;
    let mut out = stdout().lock();
    let found = match found {
        Ok(found) => found,
        Err(why) if args.json => {
            writeln!(out, "{}", json!({"reachable": false, "why": why.to_string()}))?;
            return Ok(Outcome::Findings);
        }
        Err(why) => {
            writeln!(out, "{why}: {from}")?;
            return Ok(Outcome::Findings);
        }
    };
    print(&mut out, args, &found)?;
    if let Some(picture) = picture {
        picture.write(&draw(args, &from, &found)?)?;
    }
    Ok(Outcome::Success)
}

fn print(out: &mut impl Write, args: &Args, found: &Found) -> Result<()> {
    let Found { reached, islands, .. } = found;
    let rooms = |region: &Region| region.cells.iter().filter(|cell| cell.is_interior()).count();
    if args.json {
        let islands: Vec<_> = islands
            .iter()
            .map(|island| json!({"area": island.area, "cells": island.cells, "place": island.place.to_string()}))
            .collect();
        let reached = json!({"reachable": true, "area": reached.area, "cells": reached.cells.len(),
            "rooms": rooms(reached), "islands": islands});
        return Ok(writeln!(out, "{reached}")?);
    }
    writeln!(
        out,
        "{:.0} m² in {} outdoor cells and {} rooms can be reached; {} islands",
        reached.area,
        reached.cells.len() - rooms(reached),
        rooms(reached),
        islands.len()
    )?;
    for island in islands.iter().take(LISTED) {
        writeln!(out, "{:>9.0} m²  {:>4} rooms  {}", island.area, rooms(island), island.place)?;
    }
    if islands.len() > LISTED {
        writeln!(out, "and {} smaller ones; --json lists all", islands.len() - LISTED)?;
    }
    Ok(())
}

fn draw(args: &Args, from: &Position, found: &Found) -> Result<Vec<u8>> {
    let corner =
        |block: BlockId, x: f32, y: f32| Position::new(block.cell(1), Frame::at(glam::Vec3::new(x, y, 0.0)));
    let block = from.cell.block();
    let low = found.drawn.iter().map(|(area, _)| area.low).reduce(glam::Vec2::min).unwrap_or_default();
    let high = found.drawn.iter().map(|(area, _)| area.high).reduce(glam::Vec2::max).unwrap_or_default();
    let ends = [corner(block, low.x, low.y), corner(block, high.x, high.y)];
    let map = WayMap::around(&ends);
    let mut inside: Vec<Position> = Vec::new();
    for (area, _) in found.drawn.iter().filter(|(area, _)| area.cell.is_interior()) {
        inside.push(Position::new(area.cell, Frame::at(area.low.extend(area.height))));
    }
    let origin = block_origin(block);
    let picture = map.draw(&args.dats.library()?, map.floors(&inside), |canvas, panel: &Panel, pixel| {
        for (area, is_reached) in found.drawn.iter().filter(|(area, _)| panel.holds(area.height)) {
            let color = if *is_reached { REACHED } else { ISLAND };
            canvas.rectangle(origin + area.low, origin + area.high, color, 0.45);
        }
        map.way(canvas, panel, pixel, &[*from]);
    })?;
    Ok(picture.png()?)
}
