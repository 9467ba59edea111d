//! Every ray must end in something that the plan shows at that pixel, and the plan must not show much more.
//! Spec: visibility §16, example 60.

#[path = "support/oracle.rs"]
mod rays;
#[path = "support/sanity.rs"]
mod sanity;

use glam::{Vec2, Vec3};
use rays::{Oracle, is_sliver, missing};
use sanity::assert_sane;
use std::{collections::BTreeSet, sync::Arc};
use threshold_golden::world_dir;
use threshold_view::{FloodSource, FramePlan, Lens, Planner, Viewer};
use threshold_world::{CellId, Frame, Library, Position, Quat, World, load_all, source::DatSource};

/// Names the variable that asks for the long form of these tests.
const RAYS: &str = "THRESHOLD_ORACLE_RAYS";
/// Rays per world otherwise.
const FEW_RAYS: u64 = 50_000;
/// Rays per viewpoint.
const RAYS_PER_VIEW: u64 = 200;

/// A small generator with a fixed start: failures must be repeatable.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.next()
    }

    fn in_box(&mut self, min: Vec3, max: Vec3) -> Vec3 {
        Vec3::new(self.between(min.x, max.x), self.between(min.y, max.y), self.between(min.z, max.z))
    }
}

fn golden(name: &str) -> World {
    let source = DatSource::open(world_dir(name)).unwrap();
    load_all(&Library::new(Arc::new(source))).unwrap().0
}

fn sample() -> World {
    let built = threshold_sample::build().unwrap();
    let source = built.source().unwrap();
    load_all(&Library::new(Arc::new(source))).unwrap().0
}

/// A random direction with a moderate pitch.
fn random_rotation(random: &mut Random) -> Quat {
    let pitch = random.between(-0.6, 0.6) / 2.0;
    let tilt = Quat { w: pitch.cos(), v: Vec3::new(pitch.sin(), 0.0, 0.0) };
    Quat::from_heading(random.between(0.0, 360.0)) * tilt
}

/// A viewpoint in some interior cell, or outdoors near one.
fn random_viewpoint(world: &World, random: &mut Random) -> Option<Position> {
    let cells: Vec<CellId> = world
        .block_ids()
        .filter_map(|id| world.block_data(id))
        .flat_map(|block| block.env_cells.iter().flatten())
        .filter(|cell| world.env_cell(cell.id()).is_some())
        .map(|cell| cell.id())
        .collect();
    let id = cells[(random.next() * cells.len() as f32) as usize % cells.len()];
    let cell = world.env_cell(id)?;
    let rotation = random_rotation(random);
    let bounds = cell.structure.bounds;
    if random.next() < 0.7 {
        let eye = cell.position.frame.apply(random.in_box(bounds.min, bounds.max));
        return cell.contains(eye).then(|| Position::new(id, Frame::new(eye, rotation)));
    }
    // Outdoors, up to 30 m from the cell's centre, above ground and not in another cell.
    let center = cell.position.frame.apply((bounds.min + bounds.max) / 2.0);
    let near = center + random.in_box(Vec3::splat(-30.0), Vec3::splat(30.0));
    let (land, p) = threshold_world::coords::adjust_to_outside(id, near)?;
    let ground = world.landscape(land.block())?.terrain.ground_at(p)?.height;
    let eye = Vec3::new(p.x, p.y, ground + random.between(0.3, 12.0));
    let block = world.block_data(land.block())?;
    let indoors = block.env_cells.iter().flatten().any(|cell| cell.contains(eye));
    (!indoors).then(|| Position::new(land, Frame::new(eye, rotation)))
}

#[derive(Default, Debug)]
struct Tally {
    rays: u64,
    misses: Vec<String>,
    slivers: u64,
    planned: u64,
    /// Planned cells that no ray met.
    idle: Vec<String>,
    /// Planned cells behind openings that ground or another building hides.
    hidden: u64,
    /// Plans in which a guard against bad data acted.
    truncated: u64,
    inside: u64,
    outdoors: u64,
    buildings: u64,
}

/// Casts rays from one viewpoint and compares them with its plan.
fn check_viewpoint(
    oracle: &Oracle<'_>,
    plan: &FramePlan,
    at: &Position,
    random: &mut Random,
    tally: &mut Tally,
) {
    let size = plan.projection.unwrap().size;
    let mut hit: BTreeSet<(bool, CellId)> = BTreeSet::new();
    let mut hidden: BTreeSet<CellId> = BTreeSet::new();
    let mut cast = |pixel: Vec2, tally: &mut Tally| {
        let trace = oracle.trace(at.cell, &oracle.ray(plan, at.cell, pixel));
        tally.rays += 1;
        tally.inside += u64::from(trace.inside.len() > 1);
        tally.outdoors += u64::from(trace.outdoors);
        tally.buildings += u64::from(!trace.building.is_empty());
        hit.extend(trace.inside.iter().map(|&id| (false, id)));
        hit.extend(trace.building.iter().map(|&id| (true, id)));
        hidden.extend(&trace.hidden);
        if let Some(what) = missing(plan, &trace, pixel) {
            if is_sliver(plan, at.cell, &trace) {
                tally.slivers += 1;
            } else {
                tally.misses.push(format!(
                    "{what} from {} {} at {pixel}: {:?} {:?}",
                    at.cell, at.frame.origin, trace.inside, trace.building
                ));
            }
        }
    };
    for _ in 0..RAYS_PER_VIEW {
        cast(Vec2::new(random.next(), random.next()) * size, tally);
    }
    // Aim at each region as well: small ones would be missed by chance.
    for flood in &plan.floods {
        for cell in &plan.cells[flood.cells.range()] {
            for view in plan.views(cell.views) {
                let corners = plan.pixels(view);
                let center = corners.iter().sum::<Vec2>() / corners.len() as f32;
                cast(center, tally);
                for &corner in corners {
                    cast(center.lerp(corner, random.next()), tally);
                }
            }
        }
    }
    for flood in &plan.floods {
        let building = flood.source != FloodSource::Viewer;
        for cell in &plan.cells[flood.cells.range()] {
            tally.planned += 1;
            if hit.contains(&(building, cell.id)) {
                continue;
            }
            // Nothing outdoors hides a building from the original: it leaves that to the depth buffer.
            if building && hidden.contains(&cell.id) {
                tally.hidden += 1;
            } else {
                tally.idle.push(format!("{} from {} {}", cell.id, at.cell, at.frame.origin));
            }
        }
    }
}

/// Checks a world from random viewpoints until enough rays were cast.
fn check_world(world: &World, seed: u64) -> Tally {
    let wanted = std::env::var(RAYS).ok().and_then(|n| n.parse().ok()).unwrap_or(FEW_RAYS);
    let oracle = Oracle::new(world);
    let mut random = Random(seed);
    let mut planner = Planner::default();
    let mut plan = FramePlan::default();
    let mut tally = Tally::default();
    let lens = Lens::new(60f32.to_radians(), 1280, 720).unwrap();
    while tally.rays < wanted {
        let Some(position) = random_viewpoint(world, &mut random) else { continue };
        planner.plan(world, &(), &Viewer { position, lens, player_cell: position.cell }, &mut plan);
        assert_sane(&plan);
        tally.truncated += u64::from(plan.truncated);
        check_viewpoint(&oracle, &plan, &position, &mut random, &mut tally);
    }
    println!(
        "{} rays, {} through portals, {} outdoors, {} into buildings; {} slivers, {} misses; of {} cells {} idle, {} hidden",
        tally.rays,
        tally.inside,
        tally.outdoors,
        tally.buildings,
        tally.slivers,
        tally.misses.len(),
        tally.planned,
        tally.idle.len(),
        tally.hidden
    );
    tally
}

#[track_caller]
fn assert_tally(tally: &Tally) {
    assert_eq!(
        tally.misses.len(),
        0,
        "{} rays: {:#?}",
        tally.rays,
        &tally.misses[..tally.misses.len().min(5)]
    );
    assert_eq!(tally.truncated, 0, "a well-formed world needs no guard");
    assert!(tally.slivers * 1000 < tally.rays, "too many excuses: {} of {}", tally.slivers, tally.rays);
    let idle = tally.idle.len() as f64 / tally.planned as f64;
    assert!(
        idle < 0.05,
        "{:.1} % of {} planned cells are idle: {:#?}",
        idle * 100.0,
        tally.planned,
        &tally.idle[..5]
    );
}

#[test]
fn the_sample_world_shows_what_rays_hit() {
    let tally = check_world(&sample(), 5);
    assert!(
        tally.inside > 0 && tally.outdoors > 0 && tally.buildings > 0,
        "the rays saw too little of the world"
    );
    assert_tally(&tally);
}

#[test]
fn the_cottage_shows_what_rays_hit() {
    let tally = check_world(&golden("cottage"), 1);
    assert!(
        tally.inside > 0 && tally.outdoors > 0 && tally.buildings > 0,
        "the rays saw too little of the world"
    );
    assert_tally(&tally);
}

#[test]
fn houses_on_block_borders_show_what_rays_hit() {
    let tally = check_world(&golden("seam"), 2);
    assert!(
        tally.inside > 0 && tally.outdoors > 0 && tally.buildings > 0,
        "the rays saw too little of the world"
    );
    assert_tally(&tally);
}

#[test]
fn the_dungeon_shows_what_rays_hit() {
    let tally = check_world(&golden("dungeon"), 3);
    assert!(tally.inside > 0, "the rays saw too little of the world");
    assert_tally(&tally);
}

#[test]
fn bad_data_shows_what_rays_hit() {
    let tally = check_world(&golden("hostile"), 4);
    assert!(tally.inside > 0, "the rays saw too little of the world");
    assert_eq!(tally.misses.len(), 0, "{:#?}", &tally.misses[..tally.misses.len().min(5)]);
}

/// Counting everything, also what only the ground or another house hides, which no portal can tell.
#[test]
fn few_planned_cells_are_met_by_no_ray_over_all_worlds() {
    let worlds = [sample(), golden("cottage"), golden("seam"), golden("dungeon")];
    let (mut idle, mut planned) = (0, 0);
    for (world, seed) in worlds.iter().zip(10..) {
        let tally = check_world(world, seed);
        assert_tally(&tally);
        idle += tally.idle.len() as u64 + tally.hidden;
        planned += tally.planned;
    }
    assert!(idle * 20 < planned, "{idle} of {planned} planned cells are met by no ray");
}
