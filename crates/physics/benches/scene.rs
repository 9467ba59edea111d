//! Many movers, many objects: ticks of a crowd, coming and going, state changes, and a move among others.

use criterion::{Criterion, criterion_group, criterion_main};
use std::sync::Arc;
use threshold_dat::DatId;
use threshold_physics::{EntityKey, EntityRole, Scene, Spawn, State};
use threshold_scenario::soak::{populate, scatter};
use threshold_world::{CellId, Frame, Library, Position, World, load_all, model::Model, source::DatSource};

const CHEST: u32 = 0x0200_0101;
const CREATURE: u32 = 0x0200_0103;
const CRATE: u32 = 0x0200_0104;
/// Where the one among many is.
const NEAR: CellId = CellId(0xA8B4_001C);
const TICK: f64 = 1.0 / 30.0;

/// A golden world and its scene, without a simulation around them.
struct Setting {
    world: World,
    library: Library,
    scene: Scene,
}

fn setting(world: &str) -> Setting {
    let source = DatSource::open(threshold_golden::world_dir(world)).expect("a golden world");
    let library = Library::new(Arc::new(source));
    let (world, _) = load_all(&library).expect("a golden world loads");
    let mut scene = Scene::new();
    scene.blocks_loaded(&world, &world.block_ids().collect::<Vec<_>>());
    Setting { world, library, scene }
}

fn model(setting: &Setting, setup: u32) -> Arc<Model> {
    setting.library.model(DatId(setup)).expect("readable").expect("a model")
}

fn object(guid: u32, model: &Arc<Model>, position: Position, state: State) -> Spawn {
    Spawn { guid: Some(guid), model: model.clone(), position, state, scale: 1.0, role: EntityRole::default() }
}

/// Objects spread over all loaded cells.
fn strew(setting: &mut Setting, count: usize) -> Vec<EntityKey> {
    let spots = scatter(&setting.world, count, 7);
    let (chest, crate_) = (model(setting, CHEST), model(setting, CRATE));
    let bsp = State::REPORT_COLLISIONS | State::HAS_PHYSICS_BSP;
    let spawn = |(i, &spot): (usize, &Position)| {
        let (model, state) = if i % 2 == 0 { (&chest, State::REPORT_COLLISIONS) } else { (&crate_, bsp) };
        let spawn = object(i as u32 + 1_000_000, model, spot, state);
        setting.scene.spawn(&setting.world, spawn).expect("a spawn")
    };
    spots.iter().enumerate().map(spawn).collect()
}

/// Ten thousand bodies that walk about in four worlds; they bump into walls, furniture and each other.
fn crowds() -> Vec<Setting> {
    let share = [("plains", 4000), ("cottage", 2000), ("seam", 2000), ("dungeon", 2000)];
    let fill = |(world, count)| {
        let mut setting = setting(world);
        let creature = model(&setting, CREATURE);
        let Setting { world, scene, .. } = &mut setting;
        let walkers = populate(world, scene, &creature, count, 1, 42).len();
        assert!(walkers > count * 19 / 20, "{walkers} of {count}");
        setting
    };
    share.into_iter().map(fill).collect()
}

fn ticks(c: &mut Criterion) {
    let mut group = c.benchmark_group("tick of 10,000 walkers");
    group.sample_size(30);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let mut crowds = crowds();
        group.bench_function(format!("{threads} threads"), |b| {
            b.iter(|| {
                for Setting { world, scene, .. } in &mut crowds {
                    scene.advance_clock(TICK).expect("a time");
                    pool.install(|| scene.update_all(world));
                    scene.drain_events();
                }
            })
        });
    }
    group.finish();
}

/// A state of ten thousand walkers, and the bytes of it; static objects are shared from state to state.
fn snapshots(c: &mut Criterion) {
    let crowds = crowds();
    let mut group = c.benchmark_group("snapshot of 10,000 walkers");
    group.sample_size(30);
    group.bench_function("state", |b| {
        b.iter(|| crowds.iter().map(|setting| setting.scene.save().mover_count()).sum::<usize>())
    });
    group.bench_function("state and bytes", |b| {
        b.iter(|| {
            let bytes =
                |setting: &Setting| postcard::to_allocvec(&setting.scene.save()).expect("bytes").len();
            crowds.iter().map(bytes).sum::<usize>()
        })
    });
    group.finish();
}

fn coming_and_going(c: &mut Criterion) {
    let mut setting = setting("cottage");
    let mut group = c.benchmark_group("objects");
    group.sample_size(10);
    group.bench_function("spawn and despawn 100,000", |b| {
        b.iter(|| {
            for key in strew(&mut setting, 100_000) {
                setting.scene.despawn(&setting.world, key).expect("it is there");
            }
        })
    });
    group.finish();
}

fn one_among_many(c: &mut Criterion) {
    let mut group = c.benchmark_group("one among many");
    for others in [0, 1_000, 100_000] {
        let mut setting = setting("plains");
        let far = scatter_far(&mut setting, others);
        let place = Position::new(NEAR, Frame::at([80.0, 80.0, 24.005].into()));
        let creature = model(&setting, CREATURE);
        let spawn = object(1, &creature, place, State::from_bits_retain(0x0040_0408));
        let key = setting.scene.spawn(&setting.world, spawn).expect("a spawn");
        setting.scene.place(&setting.world, key, &place, Default::default()).expect("room");
        group.bench_function(format!("state flip, {far} others"), |b| {
            b.iter(|| {
                setting.scene.set_state(key, State::from_bits_retain(0x0040_040C)).expect("it is there");
                setting.scene.set_state(key, State::from_bits_retain(0x0040_0408)).expect("it is there");
            })
        });
        let mut by = 0.1;
        group.bench_function(format!("move, {far} others"), |b| {
            b.iter(|| {
                by = -by;
                step(&mut setting.scene, &setting.world, key, by);
            })
        });
    }
    group.finish();
}

fn step(scene: &mut Scene, world: &World, key: EntityKey, by: f32) {
    let mut target = scene.get(key).expect("it is there").position;
    target.frame.origin.y += by;
    scene.move_to(world, key, &target, None).expect("a move");
}

/// Objects anywhere but around the mover; returns how many.
fn scatter_far(setting: &mut Setting, count: usize) -> usize {
    let keys = strew(setting, count);
    let mut left = keys.len();
    for key in keys {
        let listed = setting.scene.get(key).expect("it is there").shadows().iter().any(|s| s.cell == NEAR);
        if listed {
            setting.scene.despawn(&setting.world, key).expect("it is there");
            left -= 1;
        }
    }
    left
}

criterion_group!(benches, ticks, snapshots, coming_and_going, one_among_many);
criterion_main!(benches);
