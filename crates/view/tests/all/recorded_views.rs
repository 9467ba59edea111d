//! The recorded views of the conformance kit are what rays meet, and the planner shows all of it.
//!
//! `THRESHOLD_WRITE_VIEWS=1 cargo test -p threshold-view recorded_views` records them anew.

use crate::oracle;
use flate2::{Compression, write::GzEncoder};
use glam::{Vec2, Vec3};
use oracle::{Oracle, Trace, is_sliver};
use serde_json::{Map, Value, json};
use std::{collections::BTreeMap, io::Write, path::Path, sync::Arc};
use threshold_golden::{VIEW_WORLDS, view_difference, views, world_dir};
use threshold_view::{FloodSource, FramePlan, Lens, Planner, Viewer, camera::orientation, report::Report};
use threshold_world::{CellId, Frame, Library, Position, World, load_all, source::DatSource};

/// Names the variable that has the views recorded.
const WRITE: &str = "THRESHOLD_WRITE_VIEWS";
/// Recorded cameras of a world.
const CAMERAS: usize = 40;
/// Rays of a picture, across and down.
const GRID: (u32, u32) = (24, 14);
/// Fewest things that a picture shows: cells, and the outdoors.
const FEWEST: usize = 3;
/// Points kept of a cell: more of them tell nothing new.
const POINTS: usize = 12;
/// A ray counts when those so many pixels away meet the same.
const STEADY: f32 = 1.5;
const SIZE: (u32, u32) = (1280, 720);

fn golden(name: &str) -> World {
    let source = DatSource::open(world_dir(name)).unwrap();
    load_all(&Library::new(Arc::new(source))).unwrap().0
}

/// A small generator with a fixed start.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize * end) >> 31
    }

    /// In millimetres, so that a few decimals tell all of it.
    fn between(&mut self, low: f32, high: f32) -> f32 {
        let steps = ((high - low) * 1000.0).max(1.0) as usize;
        ((low * 1000.0).round() + self.below(steps) as f32) / 1000.0
    }

    fn in_box(&mut self, min: Vec3, max: Vec3) -> Vec3 {
        Vec3::new(self.between(min.x, max.x), self.between(min.y, max.y), self.between(min.z, max.z))
    }
}

/// A camera that is placed as the command line places one.
struct Camera {
    cell: CellId,
    eye: Vec3,
    yaw: f32,
    pitch: f32,
}

impl Camera {
    fn position(&self) -> Position {
        Position::new(self.cell, Frame::new(self.eye, orientation(self.yaw, self.pitch)))
    }

    /// A random one inside an interior cell, or outdoors near one.
    fn random(world: &World, random: &mut Random) -> Option<Camera> {
        let blocks = world.block_ids().filter_map(|id| world.block_data(id));
        let cells: Vec<CellId> = blocks
            .flat_map(|block| block.env_cells.iter().flatten())
            .map(|cell| cell.id())
            .filter(|&id| world.env_cell(id).is_some())
            .collect();
        let cell = world.env_cell(cells[random.below(cells.len())])?;
        let (yaw, pitch) = (random.below(360) as f32, random.below(69) as f32 - 34.0);
        let bounds = cell.structure.bounds;
        let place = |p: Vec3| cell.position.frame.apply(p);
        if random.below(10) < 7 {
            let (a, b) = (place(bounds.min), place(bounds.max));
            let eye = random.in_box(a.min(b), a.max(b));
            return cell.contains(eye).then_some(Camera { cell: cell.id(), eye, yaw, pitch });
        }
        let near =
            place((bounds.min + bounds.max) / 2.0) + random.in_box(Vec3::splat(-30.0), Vec3::splat(30.0));
        let (land, p) = threshold_world::coords::adjust_to_outside(cell.id(), near)?;
        let ground = world.landscape(land.block())?.terrain.ground_at(p)?.height;
        let round = |v: f32| (v * 1000.0).round() / 1000.0;
        let eye = Vec3::new(round(p.x), round(p.y), round(ground + random.between(0.3, 12.0)));
        let block = world.block_data(land.block())?;
        let indoors = block.env_cells.iter().flatten().any(|cell| cell.contains(eye));
        (!indoors).then_some(Camera { cell: land, eye, yaw, pitch })
    }
}

fn plan(world: &World, at: &Position) -> FramePlan {
    let lens = Lens::new(60f32.to_radians(), SIZE.0, SIZE.1).unwrap();
    let mut plan = FramePlan::default();
    Planner::default().plan(world, &(), &Viewer { position: *at, lens, player_cell: at.cell }, &mut plan);
    plan
}

/// What a ray met, when those around it meet the same and openings are wide enough to be seen through.
fn steady(oracle: &Oracle<'_>, plan: &FramePlan, at: CellId, pixel: Vec2) -> Option<Trace> {
    let trace = |pixel| oracle.trace(at, &oracle.ray(plan, at, pixel));
    let found = trace(pixel);
    let same = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y].iter().all(|&side| {
        let other = trace(pixel + side * STEADY);
        (other.outdoors, &other.inside, &other.building) == (found.outdoors, &found.inside, &found.building)
    });
    (same && !is_sliver(plan, at, &found)).then_some(found)
}

/// Casts the rays of a camera's picture: a grid, and one at the middle of everything planned.
fn record(oracle: &Oracle<'_>, world: &World, name: String, camera: &Camera) -> Value {
    let at = camera.position();
    let plan = plan(world, &at);
    let size = Vec2::new(SIZE.0 as f32, SIZE.1 as f32);
    let grid = (0..GRID.0).flat_map(|i| (0..GRID.1).map(move |j| Vec2::new(i as f32 + 0.5, j as f32 + 0.5)));
    let step = size / Vec2::new(GRID.0 as f32, GRID.1 as f32);
    let grid: Vec<Vec2> = grid.map(|point| point * step).collect();
    let mut pixels = Vec::new();
    for flood in &plan.floods {
        for view in plan.cells[flood.cells.range()].iter().flat_map(|cell| plan.views(cell.views)) {
            let corners = plan.pixels(view);
            pixels.push(corners.iter().sum::<Vec2>() / corners.len() as f32);
        }
    }
    // In an order that makes the first few of a cell lie far apart.
    pixels.extend((0..grid.len()).map(|i| grid[i * 107 % grid.len()]));
    let mut inside: BTreeMap<CellId, Vec<Value>> = BTreeMap::new();
    let mut building: BTreeMap<CellId, Vec<Value>> = BTreeMap::new();
    let mut outdoors = Vec::new();
    for pixel in pixels {
        let Some(trace) = steady(oracle, &plan, at.cell, pixel) else { continue };
        let round = |v: f32| (f64::from(v) * 1e4).round() / 1e4;
        let point = json!([round(pixel.x * 2.0 / size.x - 1.0), round(1.0 - pixel.y * 2.0 / size.y)]);
        let keep = |points: &mut Vec<Value>| {
            if points.len() < POINTS {
                points.push(point.clone());
            }
        };
        trace.inside.iter().for_each(|id| keep(inside.entry(*id).or_default()));
        trace.building.iter().for_each(|id| keep(building.entry(*id).or_default()));
        if trace.outdoors {
            keep(&mut outdoors);
        }
    }
    let met = |flood: &FloodSource, id: CellId| match flood {
        FloodSource::Viewer => inside.contains_key(&id),
        _ => building.contains_key(&id),
    };
    let planned =
        plan.floods.iter().flat_map(|f| plan.cells[f.cells.range()].iter().map(move |c| (&f.source, c.id)));
    let mut may: Vec<String> =
        planned.filter(|&(source, id)| !met(source, id)).map(|(_, id)| id.to_string()).collect();
    may.sort();
    may.dedup();
    let object = |cells: BTreeMap<CellId, Vec<Value>>| {
        cells.into_iter().map(|(id, points)| (id.to_string(), points.into())).collect::<Map<_, _>>()
    };
    let [x, y, z] = camera.eye.to_array();
    let decimals = |v: f32| -> f64 { v.to_string().parse().unwrap() };
    json!({
        "name": name,
        "at": format!("{} [{x} {y} {z}]", camera.cell),
        "eye": [decimals(x), decimals(y), decimals(z)], "yaw": camera.yaw, "pitch": camera.pitch, "fov": 60, "size": [SIZE.0, SIZE.1],
        "cells": object(inside), "outdoors": outdoors, "building_cells": object(building), "may": may,
    })
}

fn record_world(name: &str, seed: u64) -> Vec<Value> {
    let world = golden(name);
    let (oracle, mut random) = (Oracle::new(&world), Random(seed));
    let mut recorded = Vec::new();
    while recorded.len() < CAMERAS {
        let Some(camera) = Camera::random(&world, &mut random) else { continue };
        let view = record(&oracle, &world, format!("{name}-{:02}", recorded.len()), &camera);
        let cells = |list: &str| view[list].as_object().map_or(0, Map::len);
        let outdoors = view["outdoors"].as_array().is_some_and(|points| !points.is_empty());
        if cells("cells") + cells("building_cells") + usize::from(outdoors) >= FEWEST {
            recorded.push(view);
        }
    }
    recorded
}

#[test]
fn recorded_views_are_what_rays_meet() {
    for (seed, name) in (1..).zip(VIEW_WORLDS) {
        let recorded = record_world(name, seed);
        if std::env::var_os(WRITE).is_some() {
            let path =
                Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../golden/data/views/{name}.jsonl.gz"));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let mut file = GzEncoder::new(std::fs::File::create(path).unwrap(), Compression::best());
            recorded.iter().for_each(|view| writeln!(file, "{view}").unwrap());
            file.finish().unwrap();
            continue;
        }
        let kept = views(name);
        assert_eq!(kept.len(), recorded.len());
        for (kept, recorded) in kept.iter().zip(&recorded) {
            // Through text, as whole numbers are written in more than one way.
            let recorded: Value = serde_json::from_str(&recorded.to_string()).unwrap();
            assert_eq!(*kept, recorded, "set {WRITE}=1 to record {name} anew");
        }
    }
}

#[test]
fn plans_show_what_rays_meet_and_a_plan_of_everything_does_not_pass() {
    let (mut seen, mut refused) = (0, 0);
    for name in VIEW_WORLDS {
        let world = golden(name);
        for view in views(name) {
            let position: Position = view["at"].as_str().unwrap().parse().unwrap();
            let (yaw, pitch) = (view["yaw"].as_f64().unwrap() as f32, view["pitch"].as_f64().unwrap() as f32);
            let at = Position::new(position.cell, Frame::new(position.frame.origin, orientation(yaw, pitch)));
            let mut report = serde_json::to_value(Report::new(&plan(&world, &at), &world)).unwrap();
            assert_eq!(view_difference(&report, &view), None, "{}", view["name"]);
            seen +=
                view["cells"].as_object().unwrap().len() + view["building_cells"].as_object().unwrap().len();
            let everywhere = json!([[-1, -1], [1, -1], [1, 1], [-1, 1]]);
            let blocks = world.block_ids().filter_map(|id| world.block_data(id));
            let cells = blocks.flat_map(|block| block.env_cells.iter().flatten());
            report["cells"] = cells.map(|c| json!({"id": c.id(), "regions": [everywhere]})).collect();
            refused += usize::from(view_difference(&report, &view).is_some());
        }
    }
    let views = VIEW_WORLDS.len() * CAMERAS;
    assert!(seen > 5 * views / 2, "{seen} cells are seen in {views} views");
    assert_eq!(refused, views, "drawing every cell everywhere must not pass");
}
