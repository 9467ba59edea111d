//! `threshold path`: a way that a body has walked, or where it ends.

use super::Outcome;
use crate::{
    commands::way_map::{Panel, WayMap},
    dats::DatsArg,
    input,
    out_file::{ForceArg, Mark, OutFile},
    progress,
    text::say,
};
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::{
    io::{Write, stdout},
    path::{Path, PathBuf},
};
use threshold_dat::DatId;
use threshold_render::map::Canvas;
use threshold_sim::{
    Event, PathRequest, Simulation, Walker, WalkerBody,
    nav::{LegFailure, NavFile, Obstruction, Passage, Policy, Route, Unreachable, check_route},
};
use threshold_world::{BlockId, Position, SMALL_WORLD};

/// Blocks around both ends of a way that are searched in a large world.
const MARGIN: u8 = 2;
/// Most blocks that are loaded for one way.
const MAX_BLOCKS: usize = 4096;

/// Find a route, and prove it by walking it.
///
/// The route is found on a navigation mesh built by sweeps, and printed only after a body like the agent's has walked every leg of it.
/// Doors on the route are opened unless --leave-doors-shut is given. When there is no route, prints where the reachable region
/// ends; the exit status is then 1.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold path --from '0x80800015 [60 97.5 20.01]' --to '0x80800108 [59.2 110 23.3]'
  threshold path --from 'Village Green' --to 'Tower Lookout' --picture way.png --nav way.nav
  threshold path --check way.nav")]
pub(crate) struct Args {
    #[command(flatten)]
    dats: DatsArg,
    /// Start: a name, a /loc or map coordinates
    #[arg(long, value_name = "PLACE", required_unless_present = "check", requires = "to")]
    from: Option<String>,
    /// Goal, in the same notations
    #[arg(long, value_name = "PLACE", required_unless_present = "check", requires = "from")]
    to: Option<String>,
    /// Walk this Virindi Tank route instead, and report the first leg that fails
    #[arg(long, value_name = "ROUTE.nav", conflicts_with_all = ["from", "to", "nav", "picture"])]
    check: Option<PathBuf>,
    #[command(flatten)]
    agent: AgentArg,
    /// Print one object: waypoints with cell and origin, or why there is no route
    #[arg(long)]
    json: bool,
    /// Draw the route on a map, with a panel for every floor
    #[arg(long, value_name = "FILE.png")]
    picture: Option<PathBuf>,
    /// Write the route as a Virindi Tank file
    #[arg(long, value_name = "FILE.nav")]
    nav: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
}

/// Who goes, and how.
#[derive(clap::Args)]
pub(crate) struct AgentArg {
    /// Setup of the body that walks, e.g. 0x02000003 [default: a player's]
    #[arg(long, value_name = "SETUP")]
    agent: Option<DatId>,
    /// Use only doors that are already open
    #[arg(long)]
    leave_doors_shut: bool,
    /// Use portals that teleport; otherwise routes go around them
    #[arg(long)]
    portals: bool,
    /// Save the meshes next to the dat files, so that the next query need not build them. Saved meshes are used whenever
    /// they exist and match; they can be deleted at any time
    #[arg(long)]
    keep_meshes: bool,
}

impl AgentArg {
    pub(crate) fn walker(&self) -> Walker {
        let body = match self.agent {
            Some(setup) => WalkerBody::Creature { setup, scale: 1.0 },
            None => WalkerBody::Player,
        };
        Walker { body, ..Walker::default() }
    }

    pub(crate) fn policy(&self) -> Policy {
        let policy = if self.leave_doors_shut { Policy::leaving_doors_shut() } else { Policy::default() };
        policy.takes_portals(self.portals)
    }

    /// Keeps what was built, if that was asked for, and says which kept meshes could not be used.
    pub(crate) fn finish(&self, sim: &mut Simulation) -> Result<()> {
        for event in sim.drain_events() {
            if let Event::MeshesRefused { file, why } = event {
                say!("threshold: {}: {why}; its meshes were built again", file.display());
            }
        }
        if self.keep_meshes {
            let file = sim.keep_meshes(&self.walker())?;
            say!("threshold: meshes are kept in {}", file.display());
        }
        Ok(())
    }
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    if let Some(file) = &args.check {
        return check(args, file);
    }
    let (Some(from), Some(to)) = (&args.from, &args.to) else { bail!("--from and --to are required") };
    let picture = args.picture.as_deref().map(|path| OutFile::picture(path, args.force)).transpose()?;
    let nav = args.nav.as_deref().map(|path| OutFile::new(path, Mark::None, args.force)).transpose()?;
    let mut sim = args.dats.simulation()?;
    let ends = [args.dats.place(from)?, args.dats.place(to)?];
    hold_open(&mut sim, &ends.map(|end| end.flat()))?;
    let [from, to] = ends.map(|end| sim.resolve(&end));
    let policy = args.agent.policy();
    let request = PathRequest { walker: args.agent.walker(), from, to, policy: &policy, prove: true };
    let progress = progress::steps("building meshes and looking for the route");
    let found = sim.find_path(&request)?;
    progress.finish_and_clear();
    args.agent.finish(&mut sim)?;
    let mut out = stdout().lock();
    match &found {
        Ok(route) if args.json => writeln!(out, "{}", route_json(&sim, route))?,
        Ok(route) => print_route(&mut out, &sim, route)?,
        Err(why) if args.json => writeln!(out, "{}", unreachable_json(why))?,
        Err(why) => writeln!(out, "no route: {}", unreachable_text(why, &from))?,
    }
    if let (Some(nav), Ok(route)) = (nav, &found) {
        nav.write(NavFile::once(&route.waypoints).text().as_bytes())?;
    }
    if let Some(picture) = picture {
        let bytes = match &found {
            Ok(route) => draw(args, &route.waypoints, &route.passages, None)?,
            Err(why) => draw(args, &[from], &[], Some([why.nearest, to]))?,
        };
        picture.write(&bytes)?;
    }
    Ok(if found.is_ok() { Outcome::Success } else { Outcome::Findings })
}

/// Loads what lies between some places, and around them.
pub(crate) fn hold_open(sim: &mut Simulation, ends: &[Position]) -> Result<Vec<BlockId>> {
    let is_between = |id: &BlockId| {
        let span = |axis: fn(BlockId) -> u8| {
            let values = ends.iter().map(|end| axis(end.cell.block()));
            let (low, high) = values.fold((u8::MAX, 0), |(low, high), v| (low.min(v), high.max(v)));
            low.saturating_sub(MARGIN)..=high.saturating_add(MARGIN)
        };
        span(BlockId::x).contains(&id.x()) && span(BlockId::y).contains(&id.y())
    };
    let is_small = sim.blocks().len() <= SMALL_WORLD;
    let blocks: Vec<BlockId> = sim.blocks().iter().copied().filter(|id| is_small || is_between(id)).collect();
    ensure!(
        blocks.len() <= MAX_BLOCKS,
        "{} blocks lie between the ends; at most {MAX_BLOCKS} are searched",
        blocks.len()
    );
    for end in ends {
        ensure!(blocks.contains(&end.cell.block()), "there is no landblock {}", end.cell.block());
    }
    let observer = sim.hold_open(blocks.iter().copied())?;
    sim.settle(observer)?;
    Ok(blocks)
}

/// What people call a door or portal: its name, else its game id.
fn door_name(sim: &Simulation, id: u32) -> String {
    let placed = sim.find(id).and_then(|key| sim.placed(key));
    let name = placed.map(|placed| placed.name.clone()).filter(|name| !name.is_empty());
    name.unwrap_or_else(|| format!("{id:#010X}"))
}

fn place_json(place: &Position) -> Value {
    json!({"cell": place.cell, "origin": place.frame.origin.to_array()})
}

fn route_json(sim: &Simulation, route: &Route) -> Value {
    json!({
        "reachable": true,
        "proved": route.proved,
        "length": route.length,
        "doors": route.doors.iter().map(|&id| door_name(sim, id)).collect::<Vec<_>>(),
        "portals": route.passages.iter().map(|p| json!({"name": door_name(sim, p.portal), "waypoint": p.waypoint})).collect::<Vec<_>>(),
        "waypoints": route.waypoints.iter().map(place_json).collect::<Vec<_>>(),
        "cells": route.cells,
    })
}

fn unreachable_json(why: &Unreachable) -> Value {
    json!({"reachable": false, "why": why.why.to_string(), "nearest": place_json(&why.nearest), "gap": why.gap})
}

fn print_route(out: &mut impl Write, sim: &Simulation, route: &Route) -> Result<()> {
    let doors: Vec<String> = route.doors.iter().map(|&id| door_name(sim, id)).collect();
    let doors = doors_text(&doors);
    let portals: Vec<String> =
        route.passages.iter().map(|p| format!("; takes {}", door_name(sim, p.portal))).collect();
    let (legs, cells) = (route.waypoints.len() - 1 - portals.len(), route.cells.len());
    let portals = portals.concat();
    writeln!(
        out,
        "{:.1} m in {legs} legs through {cells} cells, walked by a body; {doors}{portals}",
        route.length
    )?;
    for place in &route.waypoints {
        writeln!(out, "{place}")?;
    }
    Ok(())
}

fn doors_text(doors: &[String]) -> String {
    if doors.is_empty() { "no doors to open".to_owned() } else { format!("opens {}", doors.join(", ")) }
}

/// Walks somebody else's route.
fn check(args: &Args, file: &Path) -> Result<Outcome> {
    let text = String::from_utf8_lossy(&input::read(file)?).into_owned();
    let route = NavFile::parse(&text).with_context(|| file.display().to_string())?;
    let mut sim = args.dats.simulation()?;
    // The rooms of a dungeon may lie beside their block.
    let known = |block: &&BlockId| sim.blocks().contains(block);
    let blocks: Vec<Position> = route
        .blocks()
        .iter()
        .filter(known)
        .map(|block| Position::new(block.cell(1), Default::default()))
        .collect();
    ensure!(!blocks.is_empty(), "{}: no waypoint is on a landblock of this world", file.display());
    hold_open(&mut sim, &blocks).with_context(|| file.display().to_string())?;
    let places: Vec<Option<Position>> = route.places(sim.world());
    if let Some(number) = places.iter().position(Option::is_none) {
        bail!("{}: waypoint {} is not on a landblock of this world", file.display(), number + 1);
    }
    let known: Vec<Position> = places.iter().copied().flatten().collect();
    ensure!(!known.is_empty(), "{}: the route has no waypoint to walk to", file.display());
    let policy = args.agent.policy();
    let walked =
        sim.with_nav(&args.agent.walker(), |nav, around| check_route(around, nav.agent(), &policy, &known))??;
    let mut out = stdout().lock();
    let Some(walked) = walked else {
        let why = format!("there is no room to stand at {}", known[0]);
        if args.json {
            writeln!(
                out,
                "{}",
                json!({"holds": false, "legs": 0, "length": 0.0, "doors": [], "why": why, "end": place_json(&known[0])})
            )?;
        } else {
            writeln!(out, "fails at waypoint 1: {why}")?;
        }
        return Ok(Outcome::Findings);
    };
    let doors: Vec<String> = walked.doors.iter().map(|&id| door_name(&sim, id)).collect();
    if args.json {
        let why = walked.failure.map(|failure| failure_text(&sim, failure));
        let holds = json!({"holds": walked.failure.is_none(), "legs": walked.legs, "length": walked.metres, "doors": doors,
            "why": why, "end": place_json(&walked.end)});
        writeln!(out, "{holds}")?;
    } else if let Some(failure) = walked.failure {
        let (leg, text) = (walked.legs + 1, failure_text(&sim, failure));
        writeln!(
            out,
            "fails in leg {leg} of {}, after {:.1} m, at {}: {text}",
            known.len() - 1,
            walked.metres,
            walked.end
        )?;
    } else {
        writeln!(out, "walkable: {} legs, {:.1} m; {}", walked.legs, walked.metres, doors_text(&doors))?;
    }
    Ok(if walked.failure.is_none() { Outcome::Success } else { Outcome::Findings })
}

fn failure_text(sim: &Simulation, failure: LegFailure) -> String {
    match failure {
        LegFailure::Blocked => "something is in the way".into(),
        LegFailure::Door(id) => format!("the door {} is in the way", door_name(sim, id)),
        LegFailure::Portal(id) => {
            format!("it runs into the portal {}; --portals takes it", door_name(sim, id))
        }
        LegFailure::OtherLevel => "it leads to another floor".into(),
        LegFailure::Fell => "it falls too deep".into(),
        LegFailure::Lost => "it leaves the world".into(),
    }
}

fn unreachable_text(why: &Unreachable, from: &Position) -> String {
    let Unreachable { why, nearest, gap } = why;
    match why {
        Obstruction::NoRoomAtStart | Obstruction::StartCutOff => format!("{why}, {from}"),
        Obstruction::RegionEnds => {
            format!("the reachable region ends at {nearest}, {gap:.1} m from the goal")
        }
        _ => format!("{why}; the nearest reachable place is {nearest}, {gap:.1} m from it"),
    }
}

/// A map for every part of a route between portals, side by side; of a failed search, its start and the gap before its goal.
fn draw(
    args: &Args,
    waypoints: &[Position],
    passages: &[Passage],
    gap: Option<[Position; 2]>,
) -> Result<Vec<u8>> {
    let library = args.dats.library()?;
    let (mut picture, mut rest, mut first) = (None::<Canvas>, waypoints, 0);
    for end in passages.iter().map(|passage| passage.waypoint as usize + 1).chain([waypoints.len()]) {
        let (part, after) = rest.split_at(end - first);
        (rest, first) = (after, end);
        let ends: Vec<Position> = part.iter().copied().chain(gap.into_iter().flatten()).collect();
        let map = WayMap::around(&ends);
        let canvas = map.draw(&library, map.floors(&ends), |canvas, panel: &Panel, pixel| {
            map.way(canvas, panel, pixel, part);
            if let Some([nearest, goal]) = &gap {
                map.gap(canvas, panel, pixel, nearest, goal);
            }
        })?;
        picture = Some(match picture {
            Some(picture) => picture.beside(&canvas),
            None => canvas,
        });
    }
    Ok(picture.context("a way has waypoints")?.png()?)
}
