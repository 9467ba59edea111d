//! Pictures of materials. Each repeats seamlessly unless it is a picture of one thing.

pub(crate) mod ground;
pub(crate) mod masonry;
pub(crate) mod plants;
pub(crate) mod sky;
pub(crate) mod things;
pub(crate) mod wood;

use super::{Fractal, Image, Rgb, Scatter, hash, mix, ramp, shade, smooth};

/// Length of a vector; the same on every machine, unlike `hypot`.
fn radius(x: f32, y: f32) -> f32 {
    (x * x + y * y).sqrt()
}
