//! Pictures in the pixel formats of records. Spec: dat-portal §7.4.

use super::{Image, dxt, palette};
use threshold_dat::records::{Blob, Palette, PixelFormat, RenderSurface};

/// A picture ready to be stored; indexed formats bring their colours along.
pub(crate) struct Encoded {
    pub(crate) surface: RenderSurface,
    pub(crate) palette: Option<Palette>,
}

/// Stores a picture in a format; formats that the builder does not write become A8R8G8B8.
pub(crate) fn encode(image: &Image, format: PixelFormat) -> Encoded {
    let mut colors = None;
    let (format, pixels) = match format {
        PixelFormat::R8G8B8 | PixelFormat::LSCAPE_R8G8B8 => (format, each(image, |[r, g, b, _]| [b, g, r])),
        PixelFormat::X8R8G8B8 => (format, each(image, |[r, g, b, _]| [b, g, r, 0])),
        PixelFormat::R5G6B5 => (format, each(image, |p| word(p, [5, 6, 5], 0))),
        PixelFormat::A4R4G4B4 => (format, each(image, |p| word(p, [4, 4, 4], 4))),
        PixelFormat::A8 | PixelFormat::LSCAPE_ALPHA => (format, each(image, |p| [p[3]])),
        PixelFormat::DXT1 => (format, dxt::dxt1(image)),
        PixelFormat::DXT5 => (format, dxt::dxt5(image)),
        PixelFormat::P8 | PixelFormat::INDEX16 => {
            let wide = format == PixelFormat::INDEX16;
            let reduced = palette::reduce(image, if wide { 2048 } else { 256 });
            colors = Some(Palette { colors: reduced.colors });
            let bytes = reduced.indices.iter();
            let bytes = if wide {
                bytes.flat_map(|i| i.to_le_bytes()).collect()
            } else {
                bytes.map(|&i| i as u8).collect()
            };
            (format, bytes)
        }
        _ => (PixelFormat::A8R8G8B8, each(image, |[r, g, b, a]| [b, g, r, a])),
    };
    let surface = RenderSurface {
        category: 6,
        width: image.width as i32,
        height: image.height as i32,
        format,
        pixels: Blob(pixels),
        palette: None,
    };
    Encoded { surface, palette: colors }
}

fn each<const N: usize>(image: &Image, f: impl Fn([u8; 4]) -> [u8; N]) -> Vec<u8> {
    image.pixels.iter().flat_map(|&p| f(p)).collect()
}

/// A pixel in sixteen bits: alpha above, then red, green, blue of the given widths.
fn word(p: [u8; 4], widths: [u32; 3], alpha: u32) -> [u8; 2] {
    let cut = |value: u8, bits: u32| u16::from(value) >> (8 - bits);
    let mut word = if alpha > 0 { cut(p[3], alpha) } else { 0 };
    for (value, bits) in p.into_iter().zip(widths) {
        word = word << bits | cut(value, bits);
    }
    word.to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Image {
        Image::from_fn(8, 8, |u, v| [u, v, 0.5, if u > 0.5 { 1.0 } else { 0.2 }])
    }

    #[test]
    fn every_format_has_its_expected_length() {
        for format in [
            PixelFormat::R8G8B8,
            PixelFormat::A8R8G8B8,
            PixelFormat::X8R8G8B8,
            PixelFormat::R5G6B5,
            PixelFormat::A4R4G4B4,
            PixelFormat::A8,
            PixelFormat::P8,
            PixelFormat::INDEX16,
            PixelFormat::LSCAPE_R8G8B8,
            PixelFormat::LSCAPE_ALPHA,
            PixelFormat::DXT1,
            PixelFormat::DXT5,
        ] {
            let encoded = encode(&sample(), format);
            assert_eq!(encoded.surface.format, format);
            assert_eq!(Some(encoded.surface.pixels.0.len() as u64), format.expected_len(8, 8), "{format}");
            assert_eq!(encoded.palette.is_some(), format.has_palette(), "{format}");
        }
    }

    #[test]
    fn sixteen_bit_pixels_have_red_on_top() {
        assert_eq!(word([255, 0, 0, 255], [5, 6, 5], 0), 0xF800u16.to_le_bytes());
        assert_eq!(word([0, 255, 0, 128], [4, 4, 4], 4), 0x80F0u16.to_le_bytes());
    }

    #[test]
    fn transparent_pixels_use_an_entry_that_clip_maps_hide() {
        let encoded = encode(&sample(), PixelFormat::P8);
        let opaque = |i: usize| encoded.surface.pixels.0[i] >= 8;
        assert!(!opaque(0) && opaque(7));
    }
}
