//! Terrain, and the masks that blend it.

use super::{Fractal, Image, Rgb, Scatter, hash, mix, radius, ramp, shade};

/// Texels of a terrain texture; half of what one land cell's merged texture has.
pub(crate) const TERRAIN_SIZE: u32 = 256;

/// Texels of a blending mask: those of the merged texture.
pub(crate) const MASK_SIZE: u32 = 512;

/// Grass, moss, forest floor: blades in two tones with patches of a third.
pub(crate) fn turf(low: Rgb, high: Rgb, patch: Rgb, amount: f32, seed: u32) -> Image {
    let (blades, broad, fine) =
        (Fractal::new(seed, 48, 2), Fractal::new(seed + 1, 5, 4), Fractal::new(seed + 2, 16, 2));
    Image::opaque(TERRAIN_SIZE, move |u, v| {
        let blade = blades.at(u, v * 0.5);
        // Blades one texel wide keep the ground crisp close to the eye.
        let texel = |t: f32, per_blade: f32| (t * TERRAIN_SIZE as f32 / per_blade) as u32;
        let tip = hash(seed, texel(u, 1.0), texel(v, 2.0));
        let base = mix(low, high, ramp(0.1, 0.95, 0.35 * blade + 0.35 * fine.at(u, v) + 0.3 * tip));
        let bare = ramp(0.62 - amount * 0.3, 0.8 - amount * 0.3, broad.at(u, v));
        mix(shade(base, 0.85 + 0.3 * broad.at(v, u)), shade(patch, 0.8 + 0.4 * blade), bare * amount)
    })
}

/// Dirt, mud, sand: grains and pebbles.
pub(crate) fn soil(color: Rgb, pebble: Rgb, pebbles: f32, seed: u32) -> Image {
    let (broad, fine) = (Fractal::new(seed, 4, 4), Fractal::new(seed + 3, 40, 2));
    let scatter = Scatter::new(seed, 14, 14);
    Image::opaque(TERRAIN_SIZE, move |u, v| {
        let base = shade(color, 0.72 + 0.35 * broad.at(u, v) + 0.25 * (fine.at(u, v) - 0.5));
        let near = scatter.at(u, v);
        let size = 0.1 + 0.25 * near.tone * pebbles;
        let stone = if near.tone < pebbles { 1.0 - ramp(size - 0.06, size, near.first) } else { 0.0 };
        mix(base, shade(pebble, 0.7 + 0.5 * near.tone), stone)
    })
}

/// Bare rock.
pub(crate) fn crag(color: Rgb, seed: u32) -> Image {
    let (broad, fine) = (Fractal::new(seed, 4, 6), Fractal::new(seed + 5, 10, 4));
    Image::opaque(TERRAIN_SIZE, move |u, v| {
        let layers = (v * 5.0 + 1.6 * broad.at(u, v)).fract();
        shade(color, 0.5 + 0.45 * broad.at(u, v) + 0.2 * (layers - 0.5).abs() + 0.35 * (fine.at(u, v) - 0.5))
    })
}

/// Water: ripples.
pub(crate) fn water(deep: Rgb, light: Rgb, seed: u32) -> Image {
    let (long, short) = (Fractal::new(seed, 4, 4), Fractal::new(seed + 8, 14, 3));
    Image::opaque(TERRAIN_SIZE, move |u, v| {
        let wave = (long.at(u, v) * 5.0 + 0.5 * short.at(u, v)).fract();
        let crest = ramp(0.75, 1.0, 2.0 * (wave - 0.5).abs());
        mix(shade(deep, 0.85 + 0.3 * long.at(v, u)), light, 0.35 * crest)
    })
}

/// Cobbles of a road, worn in the middle.
pub(crate) fn cobbles(stone: Rgb, earth: Rgb, seed: u32) -> Image {
    let (scatter, broad) = (Scatter::new(seed, 40, 40), Fractal::new(seed + 1, 6, 4));
    Image::opaque(TERRAIN_SIZE, move |u, v| {
        let near = scatter.at(u, v);
        let body = shade(stone, 0.65 + 0.4 * near.tone + 0.2 * (0.5 - near.first));
        let paved = ramp(0.05, 0.2, near.second - near.first) * ramp(0.25, 0.5, broad.at(u, v) + 0.15);
        mix(shade(earth, 0.8 + 0.3 * broad.at(v, u)), body, paved)
    })
}

/// 0 at the rim of a cell, 1 well inside: masks of neighbouring cells meet at the rim and must agree there.
fn within(u: f32, v: f32) -> f32 {
    ramp(0.0, 0.12, u.min(1.0 - u).min(v.min(1.0 - v)))
}

/// A mask: 255 keeps the ground, 0 shows what is laid over it. `cover` says how much of it, 0…1, covers a place;
/// its edge is broken up by noise.
fn mask(seed: u32, cover: impl Fn(f32, f32) -> f32) -> Image {
    let (ragged, fine) = (Fractal::new(seed, 6, 4), Fractal::new(seed + 2, 32, 2));
    Image::from_fn(MASK_SIZE / 2, MASK_SIZE / 2, |u, v| {
        let edge = (0.9 * (ragged.at(u, v) - 0.5) + 0.3 * (fine.at(u, v) - 0.5)) * within(u, v);
        let covered = ramp(0.3, 0.7, cover(u, v) + edge);
        [1.0, 1.0, 1.0, 1.0 - covered]
    })
    .enlarged()
}

/// Covers the north-west corner: code 8. North is the top row.
pub(crate) fn corner_mask(seed: u32) -> Image {
    mask(seed, |u, v| 1.0 - radius(u, v))
}

/// Covers the western half: both corners of the west side, code 9.
pub(crate) fn side_mask(seed: u32) -> Image {
    mask(seed, |u, _| 1.0 - u)
}

/// A road around the north-west corner: code 8. Roads reach 5 m from the corners and edges of a 24 m cell.
pub(crate) fn road_corner_mask(seed: u32) -> Image {
    road(seed, |u, v| u + v)
}

/// A road along the west side: code 9.
pub(crate) fn road_side_mask(seed: u32) -> Image {
    road(seed, |u, _| u)
}

/// A road from corner to corner, south-east to north-west: code 10.
pub(crate) fn road_diagonal_mask(seed: u32) -> Image {
    road(seed, |u, v| (u - v).abs())
}

fn road(seed: u32, distance: impl Fn(f32, f32) -> f32) -> Image {
    let ragged = Fractal::new(seed, 10, 3);
    Image::from_fn(MASK_SIZE / 2, MASK_SIZE / 2, |u, v| {
        let d = distance(u, v) + 0.08 * (ragged.at(u, v) - 0.5) * within(u, v);
        [1.0, 1.0, 1.0, ramp(0.15, 0.21, d)]
    })
    .enlarged()
}
