//! Leaves, grass, flowers: pictures with holes.

use super::{Fractal, Image, Rgb, Scatter, hash, mix, radius, shade};

/// Opacity that pictures with holes have in their holes: below the 200 of 255 from which on such a picture is drawn (spec:
/// render-data §3.2), and high enough that the rim of a leaf, half way to it, hides what is behind instead of letting the sky
/// through; from afar, where holes and leaves are one texel, leaves win.
const HOLE: f32 = 150.0 / 255.0;

/// A texel of a picture with holes. Its colour counts as it is, whatever the opacity, so that of a hole is black.
fn leaf([r, g, b]: Rgb, is_leaf: bool) -> [f32; 4] {
    if is_leaf { [r, g, b, 1.0] } else { [0.0, 0.0, 0.0, HOLE] }
}

/// A clump of leaves, round and ragged.
pub(crate) fn leaves(dark: Rgb, light: Rgb, seed: u32) -> Image {
    let (scatter, broad) = (Scatter::new(seed, 9, 9), Fractal::new(seed + 1, 3, 3));
    Image::from_fn(128, 128, move |u, v| {
        let near = scatter.at(u, v);
        let r = radius(u - 0.5, v - 0.5) * 2.0;
        let rim = 1.02 - 0.45 * broad.at(u, v);
        let is_leaf = near.first < 0.34 + 0.3 * (1.0 - r);
        // Brighter above and outside, where the sun reaches.
        let light_on = (0.75 - 0.6 * v + 0.5 * near.tone - 0.4 * near.first).clamp(0.0, 1.0);
        leaf(mix(dark, light, light_on), r < rim && is_leaf)
    })
}

/// A conifer from the side: branches in tiers.
pub(crate) fn fir(dark: Rgb, light: Rgb, seed: u32) -> Image {
    let needles = Fractal::new(seed, 24, 3);
    Image::from_fn(128, 128, move |u, v| {
        let tier = (v * 7.0).fract();
        let half = 0.06 + 0.44 * v * (0.55 + 0.45 * tier);
        let x = (u - 0.5).abs();
        let ragged = 0.07 * (needles.at(u, v) - 0.5);
        let inside = x < half + ragged && needles.at(v, u) > 0.27;
        leaf(mix(dark, light, (0.25 + 0.6 * tier * needles.at(u, v) + 0.5 * x).clamp(0.0, 1.0)), inside)
    })
}

/// Blades of grass from the side, some with a flower.
pub(crate) fn tuft(dark: Rgb, light: Rgb, flower: Option<Rgb>, seed: u32) -> Image {
    Image::from_fn(64, 64, move |u, v| {
        let height = 1.0 - v;
        let mut pixel = [0.0; 4];
        for i in 0..11u32 {
            let root = 0.1 + 0.8 * hash(seed, i, 0);
            let lean = 0.5 * (hash(seed, i, 1) - 0.5);
            let tall = 0.5 + 0.48 * hash(seed, i, 2);
            let t = height / tall;
            let x = root + lean * t * t;
            if t < 1.0 && (u - x).abs() < 0.035 * (1.0 - t) + 0.008 {
                let [r, g, b] = mix(dark, light, t * (0.6 + 0.4 * hash(seed, i, 3)));
                pixel = [r, g, b, 1.0];
            }
            if let Some(flower) = flower
                && i % 3 == 0
                && radius(u - root - lean, height - tall) < 0.055
            {
                let [r, g, b] = shade(flower, 0.8 + 0.3 * hash(seed, i, 4));
                pixel = [r, g, b, 1.0];
            }
        }
        pixel
    })
}
