//! Whole frames of the sample world at 960 × 540 on two threads: plan, draw list, pixels.
//!
//! Besides what criterion measures, the fastest of many frames is printed: the load of a machine hardly touches it.

#[path = "../tests/gallery/mod.rs"]
mod gallery;

use criterion::{Criterion, criterion_group, criterion_main};
use gallery::{Gallery, Shot};
use std::time::{Duration, Instant};
use threshold_render::cpu::CpuRenderer;

const SIZE: (u32, u32) = (960, 540);
/// Frames of which the fastest is told.
const FRAMES: u32 = 200;

const SHOTS: &[Shot] = &[
    Shot::of("house", "Cottage Living Room"),
    Shot::of("vestibule towards the street", "Cottage Vestibule").turned(180.0).opened(),
    Shot::of("inn", "Inn Common Room"),
    Shot::of("street", "Village Street"),
    Shot::of("lookout", "Tower Lookout"),
    Shot::of("dungeon hall", "Dungeon Great Hall"),
];

fn bench(c: &mut Criterion) {
    rayon::ThreadPoolBuilder::new().num_threads(2).build_global().unwrap();
    let mut gallery = Gallery::new(SHOTS);
    let mut renderer = CpuRenderer::new(SIZE.0, SIZE.1);
    for shot in SHOTS {
        let triangles = gallery.frame(shot, SIZE).triangle_count();
        let (viewer, player) = gallery.viewer(shot, SIZE);
        let Gallery { studio, world, .. } = &mut gallery;
        let mut fastest = (Duration::MAX, Duration::MAX);
        for _ in 0..FRAMES {
            let start = Instant::now();
            studio.frame(world, &viewer, &player);
            fastest.0 = fastest.0.min(start.elapsed());
            renderer.draw(studio.list(), &studio.assets);
            fastest.1 = fastest.1.min(start.elapsed());
        }
        println!(
            "{}: {triangles} triangles, fastest of {FRAMES} frames {:.2} ms, of that plan and draw list {:.2} ms",
            shot.name,
            fastest.1.as_secs_f64() * 1e3,
            fastest.0.as_secs_f64() * 1e3
        );
        c.bench_function(shot.name, |b| {
            b.iter(|| {
                studio.frame(world, &viewer, &player);
                renderer.draw(studio.list(), &studio.assets);
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = bench
}
criterion_main!(benches);
