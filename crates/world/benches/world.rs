//! Loading blocks and looking cells up, over the golden worlds.

use criterion::{Criterion, criterion_group, criterion_main};
use glam::Vec3;
use std::{hint::black_box, sync::Arc};
use threshold_golden::{WORLDS, world_dir};
use threshold_world::{BlockId, CellId, Library, block_ids, load_all, load_block, source::DatSource};

fn source(world: &str) -> Arc<DatSource> {
    Arc::new(DatSource::open(world_dir(world)).unwrap())
}

/// The block of a world with the most cells.
fn largest_block(library: &Library) -> BlockId {
    let cells = |id: &BlockId| load_block(library, *id).unwrap().block.env_cells.len();
    block_ids(&**library.source()).unwrap().0.into_iter().max_by_key(cells).unwrap()
}

fn loading(c: &mut Criterion) {
    for world in WORLDS {
        let source = source(world);
        let library = Library::new(source.clone());
        let block = largest_block(&library);
        c.bench_function(&format!("load_block/{world}/shared geometry there"), |b| {
            b.iter(|| load_block(&library, black_box(block)).unwrap());
        });
        c.bench_function(&format!("load_block/{world}/from nothing"), |b| {
            b.iter(|| load_block(&Library::new(source.clone()), black_box(block)).unwrap());
        });
    }
}

fn lookup(c: &mut Criterion) {
    let (world, _) = load_all(&Library::new(source("dungeon"))).unwrap();
    let block = BlockId(0x01D9);
    let rooms: Vec<CellId> = (0..64).map(|i| block.cell(0x100 + i * 37 % 150)).collect();
    let outdoors: Vec<CellId> = (0..64).map(|i| BlockId(0xA9B4).cell(1 + i * 37 % 64)).collect();
    for (name, ids) in [("room", rooms), ("outdoor cell", outdoors)] {
        assert!(ids.iter().all(|&id| world.cell(id).is_some()));
        let mut next = 0;
        c.bench_function(&format!("lookup/{name}"), |b| {
            b.iter(|| {
                next = (next + 1) % 64;
                black_box(world.cell(black_box(ids[next]))).is_some()
            });
        });
    }
    let cell = world.env_cell(block.cell(0x100)).unwrap();
    let inside = cell.position.frame.apply((cell.structure.bounds.min + cell.structure.bounds.max) / 2.0);
    c.bench_function("contains/room", |b| b.iter(|| cell.contains(black_box(inside))));
    let ground = world.land_cell(BlockId(0xA9B4).cell(1)).unwrap();
    c.bench_function("contains/outdoor cell", |b| {
        b.iter(|| ground.contains(black_box(Vec3::new(7.0, 9.0, 0.0))));
    });
}

criterion_group!(benches, loading, lookup);
criterion_main!(benches);
