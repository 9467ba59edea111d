//! The rasterizer by itself: large textured surfaces and many small triangles.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use threshold_render::{
    raster::{Batch, Blend, DrawState, Fill, Raster, ScreenVertex},
    texture::{Texture, pack},
};

const WIDTH: u32 = 960;
const HEIGHT: u32 = 540;

fn checks() -> Texture {
    let texel = |i: u32| pack((i * 7) as u8, (i / 256) as u8, (i % 256) as u8, 255);
    Texture::from_texels(256, 256, (0..256 * 256).map(texel).collect())
}

fn vertex(x: f32, y: f32, w: f32, u: f32, v: f32) -> ScreenVertex {
    ScreenVertex { x: x * w, y: y * w, w, uv: [u, v], light: [0.9, 0.8, 0.7], clear: 0.95 }
}

/// A floor, a ceiling and walls that fill the picture, as inside a room.
fn room(batch: &mut Batch, state: DrawState) {
    batch.set_fill(Fill::Surface { texture: 0, state });
    let (w, h) = (WIDTH as f32, HEIGHT as f32);
    let corner = |near: bool, x: f32, y: f32, u: f32, v: f32| {
        let (d, inset) = if near { (1.0, 0.0) } else { (8.0, 0.35) };
        let at = |c: f32, size: f32| size * (inset + c * (1.0 - 2.0 * inset));
        vertex(at(x, w), at(y, h), d, u, v)
    };
    let mut quad = |c: [ScreenVertex; 4]| {
        batch.triangle([c[0], c[1], c[2]]);
        batch.triangle([c[0], c[2], c[3]]);
    };
    for (a, b) in [
        ((0.0, 1.0), (1.0, 1.0)),
        ((1.0, 1.0), (1.0, 0.0)),
        ((1.0, 0.0), (0.0, 0.0)),
        ((0.0, 0.0), (0.0, 1.0)),
    ] {
        quad([
            corner(true, a.0, a.1, 0.0, 0.0),
            corner(true, b.0, b.1, 4.0, 0.0),
            corner(false, b.0, b.1, 4.0, 8.0),
            corner(false, a.0, a.1, 0.0, 8.0),
        ]);
    }
    quad([
        corner(false, 0.0, 1.0, 0.0, 0.0),
        corner(false, 1.0, 1.0, 4.0, 0.0),
        corner(false, 1.0, 0.0, 4.0, 3.0),
        corner(false, 0.0, 0.0, 0.0, 3.0),
    ]);
}

fn crowd(batch: &mut Batch, triangles: usize) {
    batch.set_fill(Fill::Surface { texture: 0, state: DrawState { opacity: 255, ..DrawState::default() } });
    let mut seed = 1u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32
    };
    for _ in 0..triangles {
        let (x, y, w) = (next() * WIDTH as f32, next() * HEIGHT as f32, 2.0 + next() * 50.0);
        batch.triangle([
            vertex(x, y + 9.0, w, 0.0, 1.0),
            vertex(x + 9.0, y, w, 1.0, 0.0),
            vertex(x, y, w, 0.0, 0.0),
        ]);
    }
}

fn bench(c: &mut Criterion) {
    let texture = checks();
    let mut raster = Raster::new(WIDTH, HEIGHT);
    let opaque = DrawState { opacity: 255, ..DrawState::default() };
    let fogged = DrawState { fog: true, ..opaque };
    let blended = DrawState { blend: Blend::Alpha, opacity: 128, ..opaque };
    for (name, state) in [("room, opaque", opaque), ("room, fogged", fogged), ("room, blended", blended)] {
        c.bench_function(name, |b| {
            b.iter(|| raster.draw(0, 0, 1, |_| &texture, |_, batch| room(batch, black_box(state))));
        });
    }
    c.bench_function("50,000 small triangles", |b| {
        b.iter(|| raster.draw(0, 0, 8, |_| &texture, |_, batch| crowd(batch, black_box(6250))));
    });
}

criterion_group!(benches, bench);
criterion_main!(benches);
