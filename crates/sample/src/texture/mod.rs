//! Textures made by arithmetic, in the pixel formats of records.

mod dxt;
mod encode;
mod image;
mod noise;
pub(crate) mod paint;
mod palette;

pub use image::Image;
pub(crate) use image::{Rgb, mix, shade};
pub(crate) use noise::{Fractal, Scatter, hash, ramp, smooth};

pub(crate) use encode::{Encoded, encode};
