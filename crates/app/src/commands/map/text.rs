//! Writing on maps.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use threshold_render::map::{Canvas, Color};

/// Pixels that a line of text is high.
pub(super) const HEIGHT: i32 = 16;
/// For characters that the font lacks.
const UNKNOWN: char = '?';

/// Pixels that a text is wide.
pub(super) fn width(text: &str) -> i32 {
    let one = get_raster_width(FontWeight::Bold, RasterHeight::Size16);
    text.chars().count().saturating_mul(one).min(1 << 20) as i32
}

/// Writes a line with its upper left corner at a pixel; a halo lets it stand out from what is below it.
pub(super) fn write(
    canvas: &mut Canvas,
    (left, top): (i32, i32),
    text: &str,
    color: Color,
    halo: Option<Color>,
) {
    if let Some(halo) = halo {
        for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
            stamp(canvas, (left + dx, top + dy), text, halo, 0.6);
        }
    }
    stamp(canvas, (left, top), text, color, 1.0);
}

fn stamp(canvas: &mut Canvas, (mut left, top): (i32, i32), text: &str, color: Color, strength: f32) {
    for character in text.chars() {
        let glyph = |character| get_raster(character, FontWeight::Bold, RasterHeight::Size16);
        let Some(glyph) = glyph(character).or_else(|| glyph(UNKNOWN)) else { continue };
        for (y, row) in (0..).zip(glyph.rows()) {
            for (x, coverage) in (0..).zip(row).filter(|(_, coverage)| **coverage > 0) {
                canvas.tint(left + x, top + y, color, f32::from(*coverage) / 255.0 * strength);
            }
        }
        left += glyph.width() as i32;
    }
}
