//! Pictures as files.

use anyhow::{Context, Result};
use std::{fs::File, io::BufWriter, path::Path};

/// Writes rows of RGBA bytes, top to bottom, as an opaque PNG.
pub(crate) fn save_rgba(path: &Path, (width, height): (u32, u32), rgba: &[u8]) -> Result<()> {
    let rgb: Vec<u8> = rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    save_rgb(path, (width, height), &rgb)
}

/// Writes rows of RGB bytes, top to bottom, as PNG.
pub(crate) fn save_rgb(path: &Path, (width, height): (u32, u32), rgb: &[u8]) -> Result<()> {
    let context = || path.display().to_string();
    let file = BufWriter::new(File::create(path).with_context(context)?);
    let mut encoder = png::Encoder::new(file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().with_context(context)?;
    writer.write_image_data(rgb).with_context(context)?;
    writer.finish().with_context(context)
}
