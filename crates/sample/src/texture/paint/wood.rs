//! Boards, beams, bark, thatch.

use super::{Fractal, Image, Rgb, hash, mix, radius, ramp, shade};

/// Boards side by side; the grain runs along v.
pub(crate) fn boards(wood: Rgb, gap: Rgb, count: u32, seed: u32) -> Image {
    let (grain, knots) = (Fractal::new(seed, 4, 4), Fractal::new(seed + 7, 3, 3));
    Image::opaque(128, move |u, v| {
        let x = u * count as f32;
        let board = x.floor() as u32 % count;
        let tone = hash(seed, board, 0);
        let shift = hash(seed, board, 1);
        let rings =
            (u * 18.0 + 3.0 * knots.at(u * 0.5, v + shift) + 0.6 * grain.at(u, v * 0.5 + shift)) * 3.0;
        let line = 0.5 + 0.5 * (2.0 * (rings.fract() - 0.5)).abs();
        // Each board ends somewhere.
        let butt = ((v + shift).fract() - 0.5).abs();
        let edge = ramp(0.0, 0.07, 0.5 - (x.fract() - 0.5).abs()) * ramp(0.0, 0.008, butt);
        mix(gap, shade(wood, 0.68 + 0.22 * tone + 0.2 * line + 0.12 * grain.at(u, v)), edge)
    })
}

/// A single dark beam.
pub(crate) fn beam(wood: Rgb, seed: u32) -> Image {
    let (grain, broad) = (Fractal::new(seed, 8, 4), Fractal::new(seed + 2, 2, 3));
    Image::opaque(64, move |u, v| {
        shade(wood, 0.6 + 0.35 * grain.at(u * 2.0, v * 0.25) + 0.3 * broad.at(u, v))
    })
}

/// Bark of a tree; ridges run along v.
pub(crate) fn bark(wood: Rgb, seed: u32) -> Image {
    let (ridge, fine) = (Fractal::new(seed, 4, 3), Fractal::new(seed + 4, 16, 3));
    Image::opaque(64, move |u, v| {
        let r = (u * 7.0 + 2.0 * ridge.at(u, v)).fract();
        shade(wood, 0.72 + 0.3 * (2.0 * (r - 0.5)).abs() + 0.4 * (fine.at(u, v) - 0.5))
    })
}

/// Straw thatch; stalks run along v.
pub(crate) fn thatch(straw: Rgb, seed: u32) -> Image {
    let (stalks, broad) = (Fractal::new(seed, 32, 2), Fractal::new(seed + 6, 3, 3));
    Image::opaque(128, move |u, v| {
        let rows = (v * 4.0 + 0.35 * broad.at(u, v)).fract();
        let shadow = 0.62 + 0.38 * ramp(0.0, 0.3, rows);
        shade(straw, shadow * (0.55 + 0.35 * stalks.at(u, v * 0.08) + 0.25 * broad.at(u, v)))
    })
}

/// A door: upright boards with two iron bands and studs. Shows one thing; does not repeat.
pub(crate) fn door(wood: Rgb, iron: Rgb, seed: u32) -> Image {
    let planks = boards(wood, shade(wood, 0.3), 5, seed);
    let grain = Fractal::new(seed + 11, 16, 2);
    Image::from_fn(128, 128, move |u, v| {
        let pixel = planks.pixels[((v * 128.0) as usize * 128 + (u * 128.0) as usize).min(128 * 128 - 1)];
        let [r, g, b] = [0, 1, 2].map(|i| f32::from(pixel[i]) / 255.0);
        let band = (v - 0.2).abs().min((v - 0.8).abs());
        let stud = radius((u * 7.0).fract() - 0.5, band * 7.0 * 1.3);
        let metal = shade(iron, 0.7 + 0.5 * grain.at(u, v) + if stud < 0.22 { 0.5 } else { 0.0 });
        let rim = u.min(1.0 - u).min(v.min(1.0 - v));
        let [r, g, b] = mix([r, g, b], metal, 1.0 - ramp(0.032, 0.04, band));
        let dark = 0.55 + 0.45 * ramp(0.0, 0.03, rim);
        [r * dark, g * dark, b * dark, 1.0]
    })
}

/// Boards with lettering burnt in: a sign. Rows of `text` are drawn with a 5 × 7 pixel alphabet.
pub(crate) fn sign(wood: Rgb, text: &'static [&'static str], seed: u32) -> Image {
    let planks = boards(wood, shade(wood, 0.4), 1, seed);
    let columns = text.iter().map(|row| row.len()).max().unwrap_or(1) * 6 + 5;
    let rows = text.len() * 9 + 5;
    Image::from_fn(128, 64, move |u, v| {
        let pixel = planks.pixels[((v * 64.0) as usize * 128 + (u * 128.0) as usize).min(128 * 128 - 1)];
        let [r, g, b] = [0, 1, 2].map(|i| f32::from(pixel[i]) / 255.0);
        let (x, y) = ((u * columns as f32) as i32 - 3, (v * rows as f32) as i32 - 3);
        let line = text.get(y.div_euclid(9).max(0) as usize).filter(|_| y >= 0);
        let ink = line.is_some_and(|line| {
            let indent = (columns as i32 - 5 - line.len() as i32 * 6) / 2;
            let x = x - indent;
            let letter = line.as_bytes().get(x.div_euclid(6).max(0) as usize).filter(|_| x >= 0);
            letter.is_some_and(|&c| super::things::letter(c, (x % 6) as u32, (y % 9) as u32))
        });
        let by = if ink { 0.25 } else { 1.0 };
        [r * by, g * by, b * by, 1.0]
    })
}
