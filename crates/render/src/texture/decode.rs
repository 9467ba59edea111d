//! Stored pixels to texels. Spec: render-data §4; dat-portal §7.4.

use super::pack;
use threshold_dat::records::{Color, Palette, PixelFormat, RenderSurface};
use zune_jpeg::{
    JpegDecoder,
    zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions},
};

/// Most texels of a decoded picture: 4096 × 4096, four times the largest shipped one.
const MAX_TEXELS: u64 = 1 << 24;
/// Largest side of a decoded picture.
const MAX_SIDE: u32 = 8192;

/// Why a picture could not be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// A format that no shipped picture has.
    #[error("pixel format {0} cannot be decoded")]
    Format(PixelFormat),
    /// No texels, or more than a picture may have.
    #[error("unusable size: {width} × {height} pixels")]
    Size {
        /// As stored.
        width: i64,
        /// As stored.
        height: i64,
    },
    /// The JPEG decoder's own words.
    #[error("JPEG: {0}")]
    Jpeg(String),
}

/// How the surface uses the picture; it decides the meaning of some formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Usage {
    /// Palette indices 0–7 are transparent, and the palette's alpha counts.
    pub clip_map: bool,
    /// An alpha picture is its own colour.
    pub additive: bool,
}

/// A decoded picture: rows from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Texels as [`pack`] makes them.
    pub texels: Vec<u32>,
}

/// Decodes a picture. `palette` is asked for indexed formats only; without one they show a grey ramp.
///
/// Missing bytes count as zero. Retail: `ImgTex::CopyIntoData`, `Combine`.
pub fn decode(
    surface: &RenderSurface,
    palette: Option<&Palette>,
    usage: Usage,
) -> Result<Picture, DecodeError> {
    if surface.format == PixelFormat::JPEG {
        return decode_jpeg(&surface.pixels.0);
    }
    let (width, height) = size(surface)?;
    let count = (width * height) as usize;
    let data = surface.pixels.0.as_slice();
    let texels = match surface.format {
        // The byte order of the landscape format is disputed; the client's own format table says B, G, R.
        PixelFormat::R8G8B8 | PixelFormat::LSCAPE_R8G8B8 => each(data, count, |[b, g, r]| pack(r, g, b, 255)),
        PixelFormat::A8R8G8B8 => each(data, count, |[b, g, r, a]| pack(r, g, b, a)),
        PixelFormat::X8R8G8B8 => each(data, count, |[b, g, r, _]| pack(r, g, b, 255)),
        PixelFormat::R5G6B5 => each(data, count, |v| {
            let v = u16::from_le_bytes(v);
            pack(widen(v >> 11, 5), widen(v >> 5, 6), widen(v, 5), 255)
        }),
        PixelFormat::X1R5G5B5 | PixelFormat::A1R5G5B5 => {
            let opaque = surface.format == PixelFormat::X1R5G5B5;
            each(data, count, |v| {
                let v = u16::from_le_bytes(v);
                let a = if opaque || v & 0x8000 != 0 { 255 } else { 0 };
                pack(widen(v >> 10, 5), widen(v >> 5, 5), widen(v, 5), a)
            })
        }
        PixelFormat::A4R4G4B4 => each(data, count, |v| {
            let v = u16::from_le_bytes(v);
            pack(widen(v >> 8, 4), widen(v >> 4, 4), widen(v, 4), widen(v >> 12, 4))
        }),
        PixelFormat::A8 | PixelFormat::LSCAPE_ALPHA => {
            each(data, count, |[v]| if usage.additive { pack(v, v, v, v) } else { pack(255, 255, 255, v) })
        }
        PixelFormat::L8 => each(data, count, |[v]| pack(v, v, v, 255)),
        PixelFormat::P8 => {
            let colors = Colors::new(palette, usage, 256);
            each(data, count, |[v]| colors.get(u16::from(v)))
        }
        PixelFormat::INDEX16 => {
            let colors = Colors::new(palette, usage, 2048);
            each(data, count, |v| colors.get(u16::from_le_bytes(v)))
        }
        PixelFormat::DXT1 => blocks::<8>(width, height, data, bcdec_rs::bc1),
        PixelFormat::DXT3 => blocks::<16>(width, height, data, bcdec_rs::bc2),
        PixelFormat::DXT5 => blocks::<16>(width, height, data, bcdec_rs::bc3),
        format => return Err(DecodeError::Format(format)),
    };
    Ok(Picture { width, height, texels })
}

/// The bytes of a terrain mask, whatever format it is stored in: alpha of pictures that have one, else brightness.
pub fn decode_mask(surface: &RenderSurface) -> Result<(u32, u32, Vec<u8>), DecodeError> {
    let picture = decode(surface, None, Usage::default())?;
    let alpha = !matches!(
        surface.format,
        PixelFormat::R8G8B8
            | PixelFormat::X8R8G8B8
            | PixelFormat::R5G6B5
            | PixelFormat::L8
            | PixelFormat::JPEG
            | PixelFormat::P8
            | PixelFormat::INDEX16
    );
    let channel = if alpha { 3 } else { 1 };
    Ok((picture.width, picture.height, picture.texels.iter().map(|t| t.to_le_bytes()[channel]).collect()))
}

fn size(surface: &RenderSurface) -> Result<(u32, u32), DecodeError> {
    let error = DecodeError::Size { width: surface.width.into(), height: surface.height.into() };
    match (u32::try_from(surface.width), u32::try_from(surface.height)) {
        (Ok(w @ 1..=MAX_SIDE), Ok(h @ 1..=MAX_SIDE)) if u64::from(w) * u64::from(h) <= MAX_TEXELS => {
            Ok((w, h))
        }
        _ => Err(error),
    }
}

/// Texels of `N` bytes each; what the data lacks is zero.
fn each<const N: usize>(data: &[u8], count: usize, texel: impl Fn([u8; N]) -> u32) -> Vec<u32> {
    let whole = |chunk: &[u8]| {
        let mut bytes = [0; N];
        bytes[..chunk.len()].copy_from_slice(chunk);
        texel(bytes)
    };
    let mut texels: Vec<u32> = data.chunks(N).take(count).map(whole).collect();
    texels.resize(count, texel([0; N]));
    texels
}

/// Widens a channel by repeating its high bits, so that full stays full.
fn widen(value: u16, bits: u32) -> u8 {
    let v = u32::from(value) & ((1 << bits) - 1);
    let high = v << (8 - bits);
    (high | high >> bits) as u8
}

/// Palette entries as a surface sees them.
struct Colors(Vec<u32>);

impl Colors {
    fn new(palette: Option<&Palette>, usage: Usage, ramp: usize) -> Colors {
        let grey = |i: usize| {
            let v = (i * 256 / ramp) as u8;
            Color { red: v, green: v, blue: v, alpha: 255 }
        };
        let given = palette.map(|p| p.colors.as_slice()).filter(|colors| !colors.is_empty());
        let entry = |(i, color): (usize, Color)| match usage.clip_map {
            true if i < 8 => 0,
            true => pack(color.red, color.green, color.blue, color.alpha),
            false => pack(color.red, color.green, color.blue, 255),
        };
        Colors(match given {
            Some(colors) => colors.iter().copied().enumerate().map(entry).collect(),
            None => (0..ramp).map(|i| entry((i, grey(i)))).collect(),
        })
    }

    fn get(&self, index: u16) -> u32 {
        self.0.get(usize::from(index)).unwrap_or(&self.0[0]).to_owned()
    }
}

fn blocks<const N: usize>(
    width: u32,
    height: u32,
    data: &[u8],
    decode: fn(&[u8], &mut [u8], usize),
) -> Vec<u32> {
    let (columns, rows) = (width.div_ceil(4) as usize, height.div_ceil(4) as usize);
    let pitch = columns * 16;
    let mut out = vec![0u8; pitch * rows * 4];
    for (i, block) in data.chunks(N).take(columns * rows).enumerate() {
        let mut whole = [0u8; N];
        whole[..block.len()].copy_from_slice(block);
        decode(&whole, &mut out[(i / columns) * 4 * pitch + (i % columns) * 16..], pitch);
    }
    let row = |y: usize| out[y * pitch..][..width as usize * 4].chunks_exact(4);
    (0..height as usize).flat_map(row).map(|t| pack(t[0], t[1], t[2], t[3])).collect()
}

fn decode_jpeg(data: &[u8]) -> Result<Picture, DecodeError> {
    let options = DecoderOptions::default()
        .set_max_width(MAX_SIDE as usize)
        .set_max_height(MAX_SIDE as usize)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(data), options);
    let jpeg = |error: zune_jpeg::errors::DecodeErrors| DecodeError::Jpeg(error.to_string());
    decoder.decode_headers().map_err(jpeg)?;
    let (width, height) = decoder.dimensions().unwrap_or_default();
    if width as u64 * height as u64 > MAX_TEXELS {
        return Err(DecodeError::Size { width: width as i64, height: height as i64 });
    }
    let pixels = decoder.decode().map_err(jpeg)?;
    let texels = pixels.chunks_exact(3).map(|p| pack(p[0], p[1], p[2], 255)).collect();
    Ok(Picture { width: width as u32, height: height as u32, texels })
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_dat::records::Blob;

    fn surface(format: PixelFormat, width: i32, height: i32, pixels: &[u8]) -> RenderSurface {
        RenderSurface { width, height, format, pixels: Blob(pixels.to_vec()), ..RenderSurface::default() }
    }

    fn one(format: PixelFormat, pixels: &[u8]) -> [u8; 4] {
        let picture = decode(&surface(format, 1, 1, pixels), None, Usage::default()).unwrap();
        picture.texels[0].to_le_bytes()
    }

    #[test]
    fn channel_orders_and_widths() {
        assert_eq!(one(PixelFormat::R8G8B8, &[1, 2, 3]), [3, 2, 1, 255]);
        assert_eq!(one(PixelFormat::LSCAPE_R8G8B8, &[1, 2, 3]), [3, 2, 1, 255]);
        assert_eq!(one(PixelFormat::A8R8G8B8, &[1, 2, 3, 4]), [3, 2, 1, 4]);
        assert_eq!(one(PixelFormat::X8R8G8B8, &[1, 2, 3, 4]), [3, 2, 1, 255]);
        assert_eq!(one(PixelFormat::R5G6B5, &0xFFFFu16.to_le_bytes()), [255; 4]);
        assert_eq!(one(PixelFormat::R5G6B5, &0x8410u16.to_le_bytes()), [132, 130, 132, 255]);
        assert_eq!(one(PixelFormat::A1R5G5B5, &0x7C00u16.to_le_bytes()), [255, 0, 0, 0]);
        assert_eq!(one(PixelFormat::X1R5G5B5, &0x7C00u16.to_le_bytes()), [255, 0, 0, 255]);
        assert_eq!(one(PixelFormat::A4R4G4B4, &0x1F3Eu16.to_le_bytes()), [255, 51, 238, 17]);
        assert_eq!(one(PixelFormat::L8, &[9]), [9, 9, 9, 255]);
        assert_eq!(one(PixelFormat::A8, &[9]), [255, 255, 255, 9]);
        let additive = Usage { additive: true, ..Usage::default() };
        let picture = decode(&surface(PixelFormat::A8, 1, 1, &[9]), None, additive).unwrap();
        assert_eq!(picture.texels[0].to_le_bytes(), [9; 4]);
    }

    #[test]
    fn an_indexed_picture_is_clear_below_eight_only_on_a_clip_map() {
        let mut colors = vec![Color::default(); 2048];
        colors[5] = Color { red: 1, green: 2, blue: 3, alpha: 255 };
        colors[9] = Color { red: 255, green: 0, blue: 0, alpha: 0x40 };
        let palette = Palette { colors };
        let indexed = surface(PixelFormat::INDEX16, 3, 1, &[5, 0, 9, 0, 0xFF, 0xFF]);
        let texels = |clip_map| {
            let usage = Usage { clip_map, ..Usage::default() };
            decode(&indexed, Some(&palette), usage).unwrap().texels.into_iter().map(u32::to_le_bytes)
        };
        assert!(texels(true).eq([[0; 4], [255, 0, 0, 64], [0; 4]]));
        assert!(texels(false).eq([[1, 2, 3, 255], [255, 0, 0, 255], [0, 0, 0, 255]]));
    }

    #[test]
    fn without_a_palette_indices_are_grey() {
        let picture = decode(&surface(PixelFormat::P8, 2, 1, &[0, 200]), None, Usage::default()).unwrap();
        assert_eq!(picture.texels, [pack(0, 0, 0, 255), pack(200, 200, 200, 255)]);
    }

    #[test]
    fn block_compression_covers_sizes_that_are_no_multiple_of_four() {
        // Colours 0xF800 (red) and 0x001F (blue), all indices 0.
        let block = [0x00, 0xF8, 0x1F, 0x00, 0, 0, 0, 0];
        let data: Vec<u8> = block.iter().copied().cycle().take(8 * 4).collect();
        let picture = decode(&surface(PixelFormat::DXT1, 5, 6, &data), None, Usage::default()).unwrap();
        assert_eq!(picture.texels.len(), 30);
        assert!(picture.texels.iter().all(|&t| t == pack(255, 0, 0, 255)));
        let short = decode(&surface(PixelFormat::DXT5, 8, 8, &[0; 20]), None, Usage::default()).unwrap();
        assert_eq!(short.texels.len(), 64);
    }

    #[test]
    fn missing_bytes_are_zero_and_absurd_sizes_are_refused() {
        let picture = decode(&surface(PixelFormat::A8R8G8B8, 2, 1, &[7]), None, Usage::default()).unwrap();
        assert_eq!(picture.texels, [pack(0, 0, 7, 0), 0]);
        for (w, h) in [(0, 5), (-3, 5), (8193, 1), (8192, 8192)] {
            let refused = decode(&surface(PixelFormat::L8, w, h, &[]), None, Usage::default());
            assert_eq!(refused, Err(DecodeError::Size { width: w.into(), height: h.into() }));
        }
        assert!(decode(&surface(PixelFormat(0x46), 1, 1, &[]), None, Usage::default()).is_err());
        let jpeg = decode(&surface(PixelFormat::JPEG, 0, 0, b"\xFF\xD8junk"), None, Usage::default());
        assert!(matches!(jpeg, Err(DecodeError::Jpeg(_))));
    }

    #[test]
    fn a_mask_is_read_from_alpha_or_brightness() {
        assert_eq!(decode_mask(&surface(PixelFormat::LSCAPE_ALPHA, 1, 1, &[77])).unwrap(), (1, 1, vec![77]));
        assert_eq!(decode_mask(&surface(PixelFormat::L8, 1, 1, &[77])).unwrap(), (1, 1, vec![77]));
        assert_eq!(decode_mask(&surface(PixelFormat::A8, 1, 1, &[77])).unwrap(), (1, 1, vec![77]));
    }
}
