//! Cloth, metal, glass, fire, the swirl of a portal, letters.

use super::{Fractal, Image, Rgb, hash, mix, radius, ramp, shade};

/// Woven cloth.
pub(crate) fn cloth(color: Rgb, seed: u32) -> Image {
    let broad = Fractal::new(seed, 4, 3);
    Image::opaque(64, move |u, v| {
        let (warp, weft) = ((u * 32.0).fract(), (v * 32.0).fract());
        let thread = if ((u * 32.0) as u32 + (v * 32.0) as u32).is_multiple_of(2) { warp } else { weft };
        shade(color, 0.75 + 0.2 * (1.0 - (2.0 * thread - 1.0).abs()) + 0.2 * broad.at(u, v))
    })
}

/// A carpet with a border; one picture of the whole.
pub(crate) fn carpet(field: Rgb, border: Rgb, seed: u32) -> Image {
    let weave = Fractal::new(seed, 32, 2);
    Image::opaque(64, move |u, v| {
        let rim = u.min(1.0 - u).min(v.min(1.0 - v));
        let diamond = ((u - 0.5).abs() + (v - 0.5).abs() * 1.3) * 6.0;
        let stripe = (0.06..0.1).contains(&rim) || (0.13..0.15).contains(&rim);
        let figure = rim > 0.16 && diamond.fract() < 0.25;
        let base = if stripe || figure || rim < 0.03 { border } else { field };
        shade(base, 0.8 + 0.3 * weave.at(u, v))
    })
}

/// Hammered metal.
pub(crate) fn metal(color: Rgb, seed: u32) -> Image {
    let (broad, fine) = (Fractal::new(seed, 4, 3), Fractal::new(seed + 1, 16, 3));
    Image::opaque(64, move |u, v| shade(color, 0.65 + 0.35 * broad.at(u, v) + 0.35 * (fine.at(u, v) - 0.3)))
}

/// Small round panes with a leaden net; half transparent.
pub(crate) fn glass(tint: Rgb, lead: Rgb, seed: u32) -> Image {
    let streaks = Fractal::new(seed, 4, 4);
    Image::from_fn(64, 64, move |u, v| {
        let (x, y) = ((u + v) * 4.0, (u - v) * 4.0);
        let net = (0.5 - (x.fract() - 0.5).abs()).min(0.5 - (y.rem_euclid(1.0) - 0.5).abs());
        let frame = u.min(1.0 - u).min(v.min(1.0 - v)) < 0.03;
        if net < 0.05 || frame {
            let [r, g, b] = lead;
            return [r, g, b, 1.0];
        }
        let [r, g, b] = shade(tint, 0.8 + 0.4 * streaks.at(u, v));
        [r, g, b, 0.3]
    })
}

/// A flame, brightest low in the middle.
pub(crate) fn flame(seed: u32) -> Image {
    let tongues = Fractal::new(seed, 4, 4);
    Image::from_fn(64, 64, move |u, v| {
        let height = 1.0 - v;
        let sway = 0.25 * (tongues.at(0.3, v) - 0.5) * height;
        let x = (u - 0.5 - sway).abs();
        let width = 0.34 * libm::powf(1.0 - height, 0.7) * (0.75 + 0.5 * tongues.at(u, v));
        let heat = (1.0 - x / width.max(0.01)).clamp(0.0, 1.0) * ramp(0.0, 0.08, height);
        let [r, g, b] = mix([0.9, 0.25, 0.05], [1.0, 0.92, 0.55], ramp(0.2, 0.9, heat));
        [r, g, b, ramp(0.02, 0.4, heat)]
    })
}

/// Light around a lamp or on the ground below it: strongest in the middle, nothing at the edge.
pub(crate) fn halo([r, g, b]: Rgb, strength: f32) -> Image {
    Image::from_fn(64, 64, move |u, v| {
        let left = (1.0 - radius(u - 0.5, v - 0.5) * 2.0).max(0.0);
        [r, g, b, strength * left * left * (3.0 - 2.0 * left)]
    })
}

/// Embers and glowing logs.
pub(crate) fn embers(seed: u32) -> Image {
    let (broad, fine) = (Fractal::new(seed, 5, 4), Fractal::new(seed + 1, 12, 3));
    Image::opaque(64, move |u, v| {
        let heat = ramp(0.4, 0.75, broad.at(u, v) + 0.4 * (fine.at(u, v) - 0.5));
        mix([0.12, 0.08, 0.07], mix([0.8, 0.2, 0.05], [1.0, 0.75, 0.3], heat), heat)
    })
}

/// The spiral of a portal, as light.
pub(crate) fn swirl(inner: Rgb, outer: Rgb, seed: u32) -> Image {
    let haze = Fractal::new(seed, 6, 4);
    Image::from_fn(128, 128, move |u, v| {
        let (x, y) = (u - 0.5, v - 0.5);
        let r = radius(x, y) * 2.0;
        let turn = libm::atan2f(y, x) / std::f32::consts::TAU;
        let arm = (3.0 * turn + 2.2 * r.sqrt() + 0.25 * haze.at(u, v)).rem_euclid(1.0);
        let bright = ramp(0.0, 0.5, 1.0 - (2.0 * arm - 1.0).abs()) * 0.75 + 0.25;
        let [red, green, blue] = mix(inner, outer, r.min(1.0));
        [red * bright, green * bright, blue * bright, (1.0 - ramp(0.8, 1.0, r)) * (0.55 + 0.45 * bright)]
    })
}

/// Smoke: a soft puff.
pub(crate) fn puff(seed: u32) -> Image {
    let haze = Fractal::new(seed, 4, 4);
    Image::from_fn(32, 32, move |u, v| {
        let r = radius(u - 0.5, v - 0.5) * 2.0;
        [0.7, 0.7, 0.7, (1.0 - ramp(0.2, 1.0, r)) * (0.5 + 0.5 * haze.at(u, v))]
    })
}

/// Fur or hide.
pub(crate) fn hide(color: Rgb, seed: u32) -> Image {
    let (fur, spots) = (Fractal::new(seed, 32, 2), Fractal::new(seed + 1, 5, 3));
    Image::opaque(64, move |u, v| {
        let tone = 0.7 + 0.35 * fur.at(u, v * 0.3) + 0.25 * (spots.at(u, v) - 0.5);
        shade(color, tone + 0.05 * hash(seed, (u * 64.0) as u32, 0))
    })
}

/// Whether a pixel of a 5 × 7 capital letter or digit is ink; x 0…4, y 0…6.
pub(crate) fn letter(c: u8, x: u32, y: u32) -> bool {
    let rows: [u8; 7] = match c {
        b'A' => [14, 17, 17, 31, 17, 17, 17],
        b'B' => [30, 17, 17, 30, 17, 17, 30],
        b'C' => [14, 17, 16, 16, 16, 17, 14],
        b'D' => [30, 17, 17, 17, 17, 17, 30],
        b'E' => [31, 16, 16, 30, 16, 16, 31],
        b'F' => [31, 16, 16, 30, 16, 16, 16],
        b'G' => [14, 17, 16, 23, 17, 17, 15],
        b'H' => [17, 17, 17, 31, 17, 17, 17],
        b'I' => [14, 4, 4, 4, 4, 4, 14],
        b'K' => [17, 18, 20, 24, 20, 18, 17],
        b'L' => [16, 16, 16, 16, 16, 16, 31],
        b'M' => [17, 27, 21, 21, 17, 17, 17],
        b'N' => [17, 25, 21, 19, 17, 17, 17],
        b'O' => [14, 17, 17, 17, 17, 17, 14],
        b'P' => [30, 17, 17, 30, 16, 16, 16],
        b'R' => [30, 17, 17, 30, 20, 18, 17],
        b'S' => [15, 16, 16, 14, 1, 1, 30],
        b'T' => [31, 4, 4, 4, 4, 4, 4],
        b'U' => [17, 17, 17, 17, 17, 17, 14],
        b'V' => [17, 17, 17, 17, 17, 10, 4],
        b'W' => [17, 17, 17, 21, 21, 27, 17],
        b'Y' => [17, 17, 10, 4, 4, 4, 4],
        _ => [0; 7],
    };
    x < 5 && y < 7 && rows[y as usize] >> (4 - x) & 1 == 1
}
