//! Cost of a frame plan. Each dungeon is measured from its worst viewpoint.

#[path = "../tests/support/mod.rs"]
mod support;
#[path = "../tests/support/worlds.rs"]
mod worlds;

use criterion::{Criterion, criterion_group, criterion_main};
use std::{hint::black_box, sync::Arc, time::Instant};
use support::*;
use threshold_golden::world_dir;
use threshold_view::{FramePlan, Lens, Planner, Viewer, camera::orientation};
use threshold_world::{CellId, Frame, Library, Position, World, load_all, source::DatSource};

fn lens() -> Lens {
    Lens::new(60f32.to_radians(), 1280, 720).unwrap()
}

/// The viewpoint whose plan holds the most regions: the work is proportional to them.
fn worst_viewpoint(world: &World) -> Viewer {
    let mut planner = Planner::default();
    let mut plan = FramePlan::default();
    let mut regions = |viewer: &Viewer| {
        planner.plan(world, &(), viewer, &mut plan);
        plan.views.len()
    };
    worlds::viewpoints(world, lens()).into_iter().max_by_key(|viewer| regions(viewer)).unwrap()
}

fn measure(c: &mut Criterion, name: &str, world: &World, viewer: &Viewer) {
    let mut planner = Planner::default();
    let mut plan = FramePlan::default();
    planner.plan(world, &(), viewer, &mut plan);
    // The fastest frame says what the work costs when the machine is busy with other things.
    let fastest = (0..2000).map(|_| {
        let start = Instant::now();
        planner.plan(black_box(world), &(), black_box(viewer), &mut plan);
        start.elapsed()
    });
    let fastest = fastest.min().unwrap_or_default();
    println!(
        "{name}: fastest {fastest:?}; {} cells, {} views, {} floods, {} steps",
        plan.cells.len(),
        plan.views.len(),
        plan.floods.len(),
        plan.steps.len()
    );
    c.bench_function(name, |b| b.iter(|| planner.plan(black_box(world), &(), black_box(viewer), &mut plan)));
}

fn frame_plans(c: &mut Criterion) {
    let source = DatSource::open(world_dir("cottage")).unwrap();
    let (cottage, _) = load_all(&Library::new(Arc::new(source))).unwrap();
    let main_room =
        Position::new(CellId(0xA9B4_0101), Frame::new(v(84.0, 84.0, 21.7), orientation(180.0, 0.0)));
    let inside = Viewer { position: main_room, lens: lens(), player_cell: main_room.cell };
    measure(c, "house interior", &cottage, &inside);

    let (street, viewer) = worlds::street();
    measure(c, "street with ten houses", &street, &viewer);

    for count in [150, 550] {
        let dungeon = worlds::dungeon(count);
        measure(c, &format!("dungeon of {count} cells"), &dungeon, &worst_viewpoint(&dungeon));
    }
    let maze = worlds::mirror_maze();
    measure(c, "mirror maze", &maze, &worst_viewpoint(&maze));
}

criterion_group!(benches, frame_plans);
criterion_main!(benches);
