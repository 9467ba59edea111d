//! Whole frames of the sample world at 960 × 540 on two threads: plan, draw list, pixels.

#[path = "../tests/gallery/mod.rs"]
mod gallery;

use criterion::{Criterion, criterion_group, criterion_main};
use gallery::{Gallery, Shot};
use threshold_render::cpu::CpuRenderer;

const SIZE: (u32, u32) = (960, 540);

const SHOTS: &[Shot] = &[
    Shot::of("house", "Cottage Living Room"),
    Shot::of("house with the door open", "Cottage Vestibule").turned(180.0),
    Shot::of("inn", "Inn Common Room"),
    Shot::of("street", "Village Street"),
    Shot::of("lookout", "Tower Lookout"),
    Shot::of("dungeon hall", "Dungeon Great Hall"),
];

fn bench(c: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| {
        let mut gallery = Gallery::new(SHOTS);
        let mut renderer = CpuRenderer::new(SIZE.0, SIZE.1);
        for shot in SHOTS {
            let (viewer, player) = gallery.viewer(shot, SIZE);
            let Gallery { studio, world, .. } = &mut gallery;
            c.bench_function(&format!("{}, whole frame", shot.name), |b| {
                b.iter(|| {
                    studio.frame(world, &viewer, &player);
                    renderer.draw(studio.list(), &studio.assets);
                });
            });
            c.bench_function(&format!("{}, plan and draw list", shot.name), |b| {
                b.iter(|| studio.frame(world, &viewer, &player).triangle_count());
            });
        }
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(40);
    targets = bench
}
criterion_main!(benches);
