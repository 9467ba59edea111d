//! Transitions per second: one transition is one sweep with its commit, or one tick.

mod support;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::{sync::Arc, time::Duration};
use support::{TABLE, play, scenario, simulation};
use threshold_dat::DatId;
use threshold_physics::{EntityRole, Spawn, State};
use threshold_scenario::Scenario;
use threshold_sim::Simulation;
use threshold_world::{BlockId, Frame, Position, landblock::Landblock};

/// More kinds than the reference has figures for.
const KINDS: [(&str, &str); 6] = [
    ("open ground", "plains/random_2"),
    ("rough terrain", "plains/ridge_along"),
    ("house interior", "cottage/whole_house"),
    ("stairs", "cottage/cellar_down_up"),
    ("dungeon", "dungeon/random_2"),
    ("door threshold with entities", "cottage/entities_threshold"),
];

fn measure(
    group: &mut criterion::BenchmarkGroup<'_, criterion::measurement::WallTime>,
    id: BenchmarkId,
    sim: &mut Simulation,
    scenario: &Scenario,
) {
    let (transitions, _) = play(sim, scenario.clone());
    group.throughput(Throughput::Elements(u64::from(transitions)));
    group.bench_function(id, |bencher| {
        bencher.iter_custom(|runs| (0..runs).map(|_| play(sim, scenario.clone()).1).sum::<Duration>());
    });
}

fn by_kind(c: &mut Criterion) {
    let mut group = c.benchmark_group("transitions");
    for (kind, script) in TABLE.iter().map(|&(kind, script, _)| (kind, script)).chain(KINDS) {
        let mut sim = simulation(script.split('/').next().unwrap_or_default());
        measure(&mut group, BenchmarkId::new(kind, script), &mut sim, &scenario(script));
    }
    group.finish();
}

/// Copies of a block of open ground in the far east and north of the map.
fn load_elsewhere(sim: &mut Simulation, count: u16) -> Vec<BlockId> {
    let ground = sim.world().block_data(BlockId(0xA9B4)).expect("a block").clone();
    let far = (0..count).map(|i| BlockId::new(0xC0 + (i / 0xC0) as u8, 0x08 + (i % 0xC0) as u8));
    let mut insert = |&id: &BlockId| {
        sim.insert_block(Arc::new(Landblock { id, ..(*ground).clone() })).expect("a whole world");
    };
    far.inspect(|id| insert(id)).collect()
}

/// Trees, ten to a block.
fn plant_elsewhere(sim: &mut Simulation, blocks: &[BlockId]) {
    let model = sim.library().model(DatId(0x0200_0102)).expect("readable").expect("a tree");
    let (world, scene) = sim.parts_mut();
    for (i, block) in blocks.iter().flat_map(|block| std::iter::repeat_n(block, 10)).enumerate() {
        let origin = glam::Vec3::new(10.0 + (i % 10) as f32 * 17.0, 96.0, 30.0);
        let spawn = Spawn {
            guid: None,
            model: model.clone(),
            position: Position::new(block.cell(1), Frame::at(origin)),
            state: State::STATIC,
            scale: 1.0,
            role: EntityRole { has_game_object: false, ..EntityRole::default() },
        };
        scene.spawn(world, spawn).expect("a tree");
    }
}

/// The same walk with more and more of the world loaded around it: the time must not change.
fn elsewhere(c: &mut Criterion) {
    let mut group = c.benchmark_group("loaded elsewhere");
    let script = scenario("plains/tree_hits");
    for blocks in [0, 100, 1000, 10_000] {
        let mut sim = simulation("plains");
        let far = load_elsewhere(&mut sim, blocks);
        measure(&mut group, BenchmarkId::new("blocks", blocks), &mut sim, &script);
        plant_elsewhere(&mut sim, &far);
        measure(&mut group, BenchmarkId::new("objects", u32::from(blocks) * 10), &mut sim, &script);
    }
    group.finish();
}

criterion_group!(benches, by_kind, elsewhere);
criterion_main!(benches);
