//! Plaster, brick, stone.

use super::{Fractal, Image, Rgb, Scatter, hash, mix, ramp, shade};

/// Rough lime plaster.
pub(crate) fn plaster(color: Rgb, seed: u32) -> Image {
    let (broad, fine) = (Fractal::new(seed, 3, 3), Fractal::new(seed + 9, 24, 2));
    Image::opaque(128, move |u, v| shade(color, 0.86 + 0.14 * broad.at(u, v) + 0.08 * fine.at(u, v)))
}

/// Where a point lies in a wall of staggered blocks: distance to the nearest joint (0…0.5 of a block's height) and a
/// random number of the block.
fn block_at(u: f32, v: f32, columns: u32, rows: u32, seed: u32) -> (f32, f32) {
    let y = v * rows as f32;
    let row = y.floor() as u32 % rows;
    let x = u * columns as f32 + if row % 2 == 1 { 0.5 } else { 0.0 };
    let column = x.floor() as u32 % columns;
    let aspect = rows as f32 / columns as f32;
    let dx = (0.5 - (x.fract() - 0.5).abs()) * aspect;
    let dy = 0.5 - (y.fract() - 0.5).abs();
    (dx.min(dy), hash(seed, column, row))
}

/// Bricks or dressed stone in courses.
pub(crate) fn courses(stone: Rgb, joint: Rgb, (columns, rows): (u32, u32), seed: u32) -> Image {
    let (grain, wear) = (Fractal::new(seed, 16, 3), Fractal::new(seed + 3, 5, 3));
    Image::opaque(128, move |u, v| {
        let wobble = (wear.at(u, v) - 0.5) * 0.08;
        let (edge, tone) = block_at(u, v, columns, rows, seed);
        let body = shade(stone, 0.72 + 0.3 * tone + 0.22 * (grain.at(u, v) - 0.5));
        // Light from above: the upper rim of a block is brighter.
        mix(shade(joint, 0.8 + 0.3 * grain.at(u, v)), body, ramp(0.03, 0.1, edge + wobble))
    })
}

/// Irregular flat stones: floors of yards, cellars and dungeons.
pub(crate) fn flagstones(stone: Rgb, joint: Rgb, cells: u32, seed: u32) -> Image {
    let (scatter, grain) = (Scatter::new(seed, cells, cells), Fractal::new(seed + 1, 12, 4));
    Image::opaque(128, move |u, v| {
        let near = scatter.at(u, v);
        let body = shade(stone, 0.7 + 0.3 * near.tone + 0.3 * (grain.at(u, v) - 0.5));
        mix(shade(joint, 0.9), body, ramp(0.03, 0.12, near.second - near.first))
    })
}

/// Living rock.
pub(crate) fn rock(color: Rgb, seed: u32) -> Image {
    let (broad, fine) = (Fractal::new(seed, 3, 5), Fractal::new(seed + 5, 6, 4));
    let cracks = Scatter::new(seed + 2, 4, 5);
    Image::opaque(128, move |u, v| {
        let bend = (broad.at(u, v) - 0.5) * 0.25;
        let near = cracks.at(u + bend, v + bend * 0.6);
        let edge = ramp(0.0, 0.14, near.second - near.first);
        shade(color, (0.5 + 0.6 * broad.at(u, v)) * (0.72 + 0.28 * edge) + 0.25 * (fine.at(u, v) - 0.5))
    })
}

/// Grey slates in rows.
pub(crate) fn slates(color: Rgb, seed: u32) -> Image {
    let grain = Fractal::new(seed, 20, 3);
    Image::opaque(128, move |u, v| {
        let rows = 8;
        let y = v * rows as f32;
        let row = y.floor() as u32 % rows;
        let x = u * 6.0 + if row % 2 == 1 { 0.5 } else { 0.0 };
        let tone = hash(seed, x.floor() as u32 % 6, row);
        let side = ramp(0.0, 0.08, 0.5 - (x.fract() - 0.5).abs());
        // Each slate lies over the one below: its lower rim is bright, under it is shadow.
        let rim = 0.65 + 0.35 * ramp(0.0, 0.25, y.fract());
        shade(color, (0.7 + 0.3 * tone) * rim * (0.6 + 0.4 * side) + 0.15 * (grain.at(u, v) - 0.5))
    })
}
