use super::*;
use crate::texture::{Address, pack};

const BLACK: u32 = 0xFF00_0000;
const RED: u32 = pack(255, 0, 0, 255);

fn vertex(x: f32, y: f32, w: f32) -> ScreenVertex {
    ScreenVertex { x: x * w, y: y * w, w, uv: [0.0, 0.0], light: [1.0; 3], clear: 1.0 }
}

fn surface(texture: TextureIndex, state: DrawState) -> Fill {
    Fill::Surface { texture, state: DrawState { opacity: 255, ..state } }
}

/// Draws with textures white, red, green and half-transparent blue, and returns the pixels.
fn draw(width: u32, height: u32, stage: impl Fn(usize, &mut Batch) + Sync) -> (Raster, Vec<[u8; 4]>) {
    let textures = [u32::MAX, RED, pack(0, 255, 0, 255), pack(0, 0, 255, 128)].map(Texture::solid);
    let mut raster = Raster::new(width, height);
    raster.draw(BLACK, pack(100, 100, 100, 255), 1, |i| &textures[i as usize], stage);
    let mut bytes = Vec::new();
    raster.copy_rgba(&mut bytes);
    let pixels = bytes.chunks_exact(4).map(|p| [p[0], p[1], p[2], p[3]]).collect();
    (raster, pixels)
}

fn quad(batch: &mut Batch, x0: f32, y0: f32, x1: f32, y1: f32, w: f32) {
    // Counter-clockwise for the viewer: rows grow downwards.
    let [a, b, c, d] = [vertex(x0, y1, w), vertex(x1, y1, w), vertex(x1, y0, w), vertex(x0, y0, w)];
    batch.triangle([a, b, c]);
    batch.triangle([a, c, d]);
}

#[test]
fn two_triangles_of_a_quad_cover_each_pixel_once_and_nothing_else() {
    let state = DrawState { blend: Blend::Additive, ..DrawState::default() };
    let (_, pixels) = draw(200, 130, |_, batch| {
        batch.set_fill(Fill::Surface {
            texture: 0,
            state: DrawState { opacity: 255, depth: Depth::Ignore, ..state },
        });
        let dim = |mut v: ScreenVertex| {
            v.light = [0.4; 3];
            v
        };
        let [a, b, c, d] =
            [(10.0, 120.0), (190.5, 120.0), (190.5, 5.5), (10.0, 5.5)].map(|(x, y)| dim(vertex(x, y, 3.0)));
        batch.triangle([a, b, c]);
        batch.triangle([a, c, d]);
    });
    for (i, pixel) in pixels.iter().enumerate() {
        let (x, y) = (i % 200, i / 200);
        let inside = (10..190).contains(&x) && (5..120).contains(&y);
        assert_eq!(pixel[0], if inside { 102 } else { 0 }, "pixel {x}, {y}");
    }
}

#[test]
fn a_fan_around_a_point_has_neither_cracks_nor_doubles() {
    let (_, pixels) = draw(150, 150, |_, batch| {
        let state = DrawState { blend: Blend::Additive, depth: Depth::Ignore, ..DrawState::default() };
        batch.set_fill(surface(0, state));
        let rim: Vec<_> = (0..97)
            .map(|i| {
                let angle = -(i as f32) / 97.0 * std::f32::consts::TAU;
                let mut v = vertex(75.3 + 70.0 * angle.cos(), 74.7 + 70.0 * angle.sin(), 2.0 + angle.sin());
                v.light = [0.25; 3];
                v
            })
            .collect();
        let mut hub = vertex(75.3, 74.7, 2.0);
        hub.light = [0.25; 3];
        for i in 0..97 {
            batch.triangle([hub, rim[i], rim[(i + 1) % 97]]);
        }
    });
    for (i, pixel) in pixels.iter().enumerate() {
        let (x, y) = ((i % 150) as f32 + 0.5 - 75.3, (i / 150) as f32 + 0.5 - 74.7);
        if x.hypot(y) < 68.0 {
            assert!((63..=65).contains(&pixel[0]), "pixel {} {}: {}", i % 150, i / 150, pixel[0]);
        }
    }
}

#[test]
fn bounds_limit_what_follows() {
    let (_, pixels) = draw(100, 80, |_, batch| {
        batch.set_fill(surface(1, DrawState::default()));
        batch.set_bounds(Rect { min: (10, 20), max: (69, 30) });
        quad(batch, 0.0, 0.0, 100.0, 80.0, 5.0);
        batch.set_bounds(Rect::NOTHING);
        quad(batch, 0.0, 0.0, 100.0, 80.0, 4.0);
        batch.set_bounds(Rect::ALL);
        quad(batch, 90.0, 70.0, 100.0, 80.0, 5.0);
    });
    for (i, pixel) in pixels.iter().enumerate() {
        let (x, y) = (i % 100, i / 100);
        let inside = ((10..70).contains(&x) && (20..31).contains(&y)) || (x >= 90 && y >= 70);
        assert_eq!(pixel[0] == 255, inside, "pixel {x}, {y}");
    }
}

#[test]
fn triangles_that_face_away_are_not_drawn() {
    let (_, pixels) = draw(8, 8, |_, batch| {
        batch.set_fill(surface(0, DrawState::default()));
        batch.triangle([vertex(0.0, 0.0, 1.0), vertex(8.0, 0.0, 1.0), vertex(0.0, 8.0, 1.0)]);
    });
    assert!(pixels.iter().all(|p| p[0] == 0));
}

#[test]
fn nearer_wins_whatever_the_order_and_equal_depth_keeps_the_first() {
    let (raster, pixels) = draw(16, 16, |_, batch| {
        batch.set_fill(surface(1, DrawState::default()));
        quad(batch, 0.0, 0.0, 16.0, 16.0, 5.0);
        batch.set_fill(surface(2, DrawState::default()));
        quad(batch, 0.0, 0.0, 16.0, 16.0, 6.0);
        quad(batch, 0.0, 0.0, 8.0, 16.0, 5.0);
    });
    assert!(pixels.iter().all(|p| *p == [255, 0, 0, 255]));
    assert_eq!(raster.distance_at(3, 3), Some(5.0));
    assert_eq!(raster.distance_at(16, 3), None);
}

#[test]
fn a_punch_lets_what_is_behind_through_and_a_seal_keeps_it_out() {
    let (_, pixels) = draw(32, 8, |_, batch| {
        batch.set_fill(surface(1, DrawState::default()));
        quad(batch, 0.0, 0.0, 32.0, 8.0, 5.0);
        batch.set_fill(Fill::Punch { depth: PUNCH_DEPTH });
        batch.polygon(&[
            vertex(0.0, 0.0, 4.0),
            vertex(8.0, 0.0, 4.0),
            vertex(8.0, 8.0, 4.0),
            vertex(0.0, 8.0, 4.0),
        ]);
        batch.set_fill(surface(2, DrawState::default()));
        quad(batch, 0.0, 0.0, 16.0, 8.0, 50.0);
        batch.clear_depth();
        batch.set_fill(Fill::Seal);
        batch.polygon(&[
            vertex(16.0, 0.0, 4.0),
            vertex(24.0, 0.0, 4.0),
            vertex(24.0, 8.0, 4.0),
            vertex(16.0, 8.0, 4.0),
        ]);
        batch.set_fill(surface(2, DrawState::default()));
        quad(batch, 16.0, 0.0, 32.0, 8.0, 4.5);
    });
    let green = |x: usize| pixels[4 * 32 + x] == [0, 255, 0, 255];
    assert!(green(4), "through the punch");
    assert!(!green(12), "behind the wall beside it");
    assert!(!green(20), "behind the seal");
    assert!(green(28), "depth was cleared beside the seal");
}

#[test]
fn a_portal_nearer_than_the_near_plane_still_seals() {
    let (raster, _) = draw(8, 8, |_, batch| {
        batch.set_fill(Fill::Seal);
        let w = 0.01;
        batch.polygon(&[
            vertex(-9.0, -9.0, w),
            vertex(20.0, -9.0, w),
            vertex(20.0, 20.0, w),
            vertex(-9.0, 20.0, w),
        ]);
        batch.set_fill(surface(1, DrawState::default()));
        quad(batch, 0.0, 0.0, 8.0, 8.0, 0.2);
    });
    let distance = raster.distance_at(4, 4).unwrap();
    assert!((distance - 0.01).abs() < 1e-5, "{distance}");
}

#[test]
fn alpha_test_drops_depth_too_and_blending_does_not_write_it() {
    let (raster, pixels) = draw(16, 8, |_, batch| {
        let blended = DrawState { blend: Blend::Alpha, depth: Depth::Test, ..DrawState::default() };
        batch.set_fill(surface(3, blended));
        quad(batch, 0.0, 0.0, 8.0, 8.0, 5.0);
        batch.set_fill(surface(3, DrawState { blend: Blend::Clip, alpha_ref: 129, ..DrawState::default() }));
        quad(batch, 8.0, 0.0, 16.0, 8.0, 5.0);
    });
    assert_eq!(pixels[4], [0, 0, 128, 255]);
    assert_eq!(pixels[12], [0, 0, 0, 255]);
    assert_eq!(raster.distance_at(4, 4), Some(f32::INFINITY));
    assert_eq!(raster.distance_at(12, 4), Some(f32::INFINITY));
}

#[test]
fn blending_sees_what_was_drawn_below_it_and_later_surfaces_hide_both() {
    let (_, pixels) = draw(32, 8, |_, batch| {
        let blended = DrawState { blend: Blend::Alpha, depth: Depth::Test, ..DrawState::default() };
        batch.set_fill(surface(1, DrawState::default()));
        quad(batch, 0.0, 0.0, 32.0, 8.0, 9.0);
        batch.set_fill(surface(3, blended));
        quad(batch, 8.0, 0.0, 32.0, 8.0, 8.0);
        batch.set_fill(surface(2, DrawState::default()));
        quad(batch, 16.0, 0.0, 32.0, 8.0, 7.0);
        batch.set_fill(surface(3, blended));
        quad(batch, 24.0, 0.0, 32.0, 8.0, 6.0);
    });
    assert_eq!(pixels[4], [255, 0, 0, 255]);
    assert_eq!(pixels[12], [127, 0, 128, 255]);
    assert_eq!(pixels[20], [0, 255, 0, 255]);
    assert_eq!(pixels[28], [0, 127, 128, 255]);
}

#[test]
fn a_tile_takes_more_surfaces_than_can_wait() {
    let count = 3 * TILE * TILE / 2;
    let (_, pixels) = draw(64, 64, |_, batch| {
        for i in 0..count {
            batch.set_fill(surface(1 + (i % 2) as u32, DrawState::default()));
            let (x, y) = ((i % TILE) as f32, (i / TILE % TILE) as f32);
            quad(batch, x, y, x + 1.0, y + 1.0, 9.0 - i as f32 * 0.001);
        }
    });
    for (i, pixel) in pixels.iter().enumerate() {
        assert_eq!(*pixel, if i % 2 == 0 { [255, 0, 0, 255] } else { [0, 255, 0, 255] }, "pixel {i}");
    }
}

#[test]
fn fog_takes_the_colour_over() {
    let (_, pixels) = draw(8, 8, |_, batch| {
        batch.set_fill(surface(1, DrawState { fog: true, ..DrawState::default() }));
        let foggy = |x, y| ScreenVertex { clear: 0.4, ..vertex(x, y, 2.0) };
        batch.triangle([foggy(0.0, 16.0), foggy(16.0, 0.0), foggy(0.0, 0.0)]);
    });
    assert_eq!(pixels[9], [162, 60, 60, 255]);
}

#[test]
fn fog_does_not_fill_what_a_clip_map_leaves_open() {
    let (_, pixels) = draw(8, 8, |_, batch| {
        let foggy = |x, y| ScreenVertex { clear: 0.0, ..vertex(x, y, 2.0) };
        batch.set_fill(surface(3, DrawState { blend: Blend::Clip, fog: true, ..DrawState::default() }));
        batch.triangle([foggy(0.0, 16.0), foggy(16.0, 0.0), foggy(0.0, 0.0)]);
    });
    // Half covered by something wholly in the fog, over black.
    assert_eq!(pixels[9], [50, 50, 50, 255]);
}

#[test]
fn texture_coordinates_are_perspective_correct() {
    let ramp: Vec<u32> = (0..256).map(|x| pack(x as u8, 0, 0, 255)).collect();
    let textures = [Texture::from_texels(256, 1, ramp)];
    let mut raster = Raster::new(101, 3);
    raster.draw(
        BLACK,
        0,
        1,
        |i| &textures[i as usize],
        |_, batch| {
            batch.set_fill(surface(0, DrawState { address: Address::Clamp, ..DrawState::default() }));
            let corner = |x: f32, y: f32, w: f32, u: f32| ScreenVertex { uv: [u, 0.0], ..vertex(x, y, w) };
            let (a, b) = (corner(0.0, 3.0, 1.0, 0.0), corner(101.0, 3.0, 3.0, 1.0));
            let (c, d) = (corner(101.0, 0.0, 3.0, 1.0), corner(0.0, 0.0, 1.0, 0.0));
            batch.triangle([a, b, c]);
            batch.triangle([a, c, d]);
        },
    );
    let mut bytes = Vec::new();
    raster.copy_rgba(&mut bytes);
    // Half way across the screen from w = 1 to w = 3 is a quarter of the way along the surface.
    let middle = bytes[(101 + 50) * 4];
    assert!((62..=66).contains(&middle), "{middle}");
}

#[test]
fn hostile_vertices_do_not_spoil_what_is_drawn_after_them() {
    let bad = [f32::NAN, f32::INFINITY, -1e30, 0.0, 1e-30, 1e30];
    let (_, pixels) = draw(70, 70, |_, batch| {
        batch.set_fill(surface(3, DrawState { blend: Blend::Alpha, fog: true, ..DrawState::default() }));
        for x in bad {
            for y in bad {
                for w in bad {
                    let v = ScreenVertex { x, y, w, uv: [x, y], light: [y; 3], clear: x };
                    batch.triangle([v, vertex(20.0, 60.0, 1.0), vertex(60.0, 20.0, 1.0)]);
                    batch.polygon(&[v, vertex(1.0, 1.0, w), v]);
                }
            }
        }
        batch.set_fill(surface(1, DrawState { depth: Depth::Ignore, ..DrawState::default() }));
        quad(batch, 0.0, 0.0, 70.0, 70.0, 1.0);
    });
    assert!(pixels.iter().all(|p| *p == [255, 0, 0, 255]));
}

#[test]
fn the_number_of_threads_does_not_change_a_pixel() {
    let picture = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let textures =
                [Texture::from_texels(4, 4, (0..16).map(|i| 0xFF00_0000 | (i * 0x0F_0F11)).collect())];
            let mut raster = Raster::new(333, 211);
            raster.draw(
                BLACK,
                0,
                5,
                |_| &textures[0],
                |chunk, batch| {
                    batch.set_fill(surface(0, DrawState { blend: Blend::Alpha, ..DrawState::default() }));
                    let mut seed = 12345 + chunk as u32;
                    let mut next = || {
                        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        (seed >> 8) as f32 / (1 << 24) as f32
                    };
                    for _ in 0..300 {
                        let corners = std::array::from_fn(|_| ScreenVertex {
                            uv: [next() * 4.0, next()],
                            light: [next(), next(), next()],
                            ..vertex(next() * 400.0 - 30.0, next() * 300.0 - 30.0, 0.05 + next() * 9.0)
                        });
                        batch.triangle(corners);
                    }
                },
            );
            let mut bytes = Vec::new();
            raster.copy_rgba(&mut bytes);
            bytes
        })
    };
    let one = picture(1);
    assert!(one.iter().any(|&b| b != 0 && b != 255));
    assert!(one == picture(2) && one == picture(3));
}
