//! A studio and a renderer that have seen their worst frame allocate nothing.

mod gallery;

use gallery::{Gallery, Shot};
use threshold_render::cpu::CpuRenderer;

const SIZE: (u32, u32) = (320, 180);

const SHOTS: &[Shot] = &[
    Shot::of("street", "Village Street"),
    Shot::of("out of the cottage", "Cottage Vestibule").turned(180.0),
    Shot::of("living room", "Cottage Living Room"),
    Shot::of("cellar", "Cottage Cellar"),
    Shot::of("inn", "Inn Common Room"),
    Shot::of("lookout", "Tower Lookout"),
    Shot::of("shrine", "Cave Shrine"),
    Shot::of("dungeon hall", "Dungeon Great Hall"),
];

#[test]
fn a_warm_frame_allocates_nothing() {
    // Counted per thread: everything happens on the only thread of a pool.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let mut gallery = Gallery::new(SHOTS);
        let mut renderer = CpuRenderer::new(SIZE.0, SIZE.1);
        let viewers: Vec<_> = SHOTS.iter().map(|shot| gallery.viewer(shot, SIZE)).collect();
        let Gallery { studio, world, .. } = &mut gallery;
        let mut rgba = Vec::new();
        let mut frame = |index: usize| {
            let (viewer, player) = &viewers[index];
            let triangles = studio.frame(world, viewer, player).triangle_count();
            renderer.draw(studio.list(), &studio.assets);
            renderer.picture().copy_rgba(&mut rgba);
            triangles
        };
        for _ in 0..2 {
            (0..SHOTS.len()).for_each(|index| assert!(frame(index) > 100));
        }
        for (index, shot) in SHOTS.iter().enumerate() {
            let warm = allocation_counter::measure(|| {
                frame(index);
            });
            assert_eq!(warm.count_total, 0, "{}: {} bytes", shot.name, warm.bytes_total);
        }
    });
}
