//! Golden scripts, loaded to be run many times.

use std::{sync::Arc, time::Duration, time::Instant};
use threshold_scenario::{Scenario, Walk};
use threshold_sim::Simulation;
use threshold_world::source::DatSource;

/// The scripts whose speed the C++ implementation's table gives, with its best and its median figure in transitions per
/// second.
#[rustfmt::skip]
pub(crate) const TABLE: [(&str, &str, [f64; 2]); 18] = [
    ("open ground, random walk", "plains/random_0", [681_000.0, 564_000.0]),
    ("open ground across a block border", "plains/seam_west", [1_406_000.0, 1_195_000.0]),
    ("trees (cylinders) on open ground", "plains/tree_hits", [630_000.0, 608_000.0]),
    ("over a platform (mesh object)", "plains/obj_over_platform", [297_000.0, 294_000.0]),
    ("long moves, many sub-steps", "plains/big_moves", [144_000.0, 140_000.0]),
    ("room, random walk", "cottage/random_main", [341_000.0, 252_000.0]),
    ("room, along the walls", "cottage/main_walls", [518_000.0, 474_000.0]),
    ("through the door, in and out", "cottage/door_in_out", [369_000.0, 342_000.0]),
    ("stairs up, fast down", "cottage/stairs_up_fast_down", [285_000.0, 255_000.0]),
    ("closed door from inside", "cottage/door_closed_centre_from_inside", [600_000.0, 556_000.0]),
    ("furniture of several kinds", "cottage/entities_objects", [250_000.0, 240_000.0]),
    ("creature (spheres), bumping", "cottage/sphere_bump_creature", [478_000.0, 408_000.0]),
    ("jumping inside, ticks", "cottage/tick_jump_inside", [540_000.0, 417_000.0]),
    ("camera among furniture", "cottage/camera_entities_mid", [199_000.0, 184_000.0]),
    ("dungeon, random walk", "dungeon/random_1", [411_000.0, 392_000.0]),
    ("dungeon, along walls at 30 degrees", "dungeon/walls_30", [651_000.0, 495_000.0]),
    ("door on a block border", "seam/door_in_out", [375_000.0, 368_000.0]),
    ("building shells, outside", "cottage/shell_outside", [501_000.0, 487_000.0]),
];

/// A golden world, wholly loaded.
pub(crate) fn simulation(world: &str) -> Simulation {
    let source = DatSource::open(threshold_golden::world_dir(world)).expect("golden world");
    Simulation::builder().source(Arc::new(source)).build().expect("golden world loads")
}

/// A golden script; `name` is `world/script`.
pub(crate) fn scenario(name: &str) -> Scenario {
    serde_json::from_value(threshold_golden::script(name).scenario).expect("a scenario")
}

/// Plays a scenario from its start: the number of transitions, and the time they took without the setting up.
pub(crate) fn play(sim: &mut Simulation, scenario: Scenario) -> (u32, Duration) {
    let mut walk = Walk::begin(sim, scenario).expect("a scenario of this world");
    walk.advance().expect("a placement").expect("a placement");
    let begin = Instant::now();
    let transitions = transitions(&mut walk);
    (transitions, begin.elapsed())
}

/// Apart and by name, so that a profiler can count this alone.
#[inline(never)]
fn transitions(walk: &mut Walk) -> u32 {
    let mut count = 0;
    while let Some(step) = walk.advance() {
        step.expect("a step");
        count += 1;
    }
    count
}
