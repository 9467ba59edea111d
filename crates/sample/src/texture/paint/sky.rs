//! Sky: dome, clouds, sun, moon, stars, rain.

use super::{Fractal, Image, Rgb, Scatter, hash, mix, radius, ramp, smooth};

/// The dome from the zenith (top row) to below the horizon (bottom row).
pub(crate) fn dome(zenith: Rgb, horizon: Rgb) -> Image {
    Image::from_fn(16, 128, move |_, v| {
        let [r, g, b] = mix(zenith, horizon, smooth((v * 1.05).min(1.0)).powi(2));
        [r, g, b, 1.0]
    })
}

/// Drifting clouds: white with opacity.
pub(crate) fn clouds(cover: f32, seed: u32) -> Image {
    let (shape, fine) = (Fractal::new(seed, 4, 6), Fractal::new(seed + 1, 8, 4));
    Image::from_fn(256, 256, move |u, v| {
        let density = shape.at(u, v);
        let opacity = ramp(0.6 - 0.3 * cover, 0.76 - 0.24 * cover, density);
        let shadow = 0.78 + 0.22 * ramp(0.4, 0.7, fine.at(u, v) + 0.2 * (1.0 - density));
        [shadow, shadow, shadow, opacity * 0.9]
    })
}

/// A glowing disc with a halo, as opacity.
pub(crate) fn sun() -> Image {
    Image::from_fn(64, 64, |u, v| {
        let r = radius(u - 0.5, v - 0.5) * 2.0;
        let disc = 1.0 - ramp(0.28, 0.36, r);
        let halo = 0.55 * (1.0 - r).max(0.0).powi(2);
        [1.0, 1.0, 1.0, (disc + halo).min(1.0)]
    })
}

/// The moon, with its seas.
pub(crate) fn moon(seed: u32) -> Image {
    let seas = Fractal::new(seed, 4, 4);
    Image::from_fn(64, 64, move |u, v| {
        let r = radius(u - 0.5, v - 0.5) * 2.0;
        let [red, green, blue] = mix([0.95, 0.94, 0.86], [0.6, 0.62, 0.62], ramp(0.45, 0.65, seas.at(u, v)));
        [red, green, blue, 1.0 - ramp(0.82, 0.9, r)]
    })
}

/// Stars, as opacity.
pub(crate) fn stars(seed: u32) -> Image {
    let scatter = Scatter::new(seed, 24, 24);
    Image::from_fn(256, 256, move |u, v| {
        let near = scatter.at(u, v);
        let size = 0.03 + 0.08 * near.tone.powi(8);
        let bright = if near.tone > 0.35 { 1.0 - ramp(size * 0.4, size, near.first) } else { 0.0 };
        [1.0, 1.0, 1.0, bright * (0.3 + 0.7 * near.tone)]
    })
}

/// Streaks of rain, as opacity: thin, and fading at both ends.
pub(crate) fn rain(seed: u32) -> Image {
    const SIDE: u32 = 128;
    let streaks = (0..48).map(|i| [0, 1, 2, 3].map(|k| hash(seed, i, k))).collect::<Vec<_>>();
    Image::from_fn(SIDE, SIDE, move |u, v| {
        let opacity = |&[x, y, long, strong]: &[f32; 4]| {
            let across = ((u - x).rem_euclid(1.0) - 0.5).abs();
            let texels = (0.5 - across) * SIDE as f32;
            let along = (v + y).fract() / (0.1 + 0.2 * long);
            (1.0 - texels).max(0.0) * (4.0 * along * (1.0 - along)).max(0.0) * (0.2 + 0.4 * strong)
        };
        [0.8, 0.85, 0.95, streaks.iter().map(opacity).fold(0.0, f32::max)]
    })
}
