//! Textures: the list of sizes, and the pixels. Spec: dat-portal §7.2–7.4.

use super::{Blob, DatRecord};
use crate::codec::{Reader, Result, Wire, Writer, wire_struct};
use crate::{DatId, RecordKind};
#[cfg(feature = "serde")]
use serde::{Serialize, Serializer};
use std::fmt;

wire_struct! {
    /// The sizes in which a texture exists.
    #[derive(Eq, Default)]
    pub struct SurfaceTexture {
        /// Only kept.
        pub category: u32,
        /// 2 for a plain picture.
        pub texture_type: u8,
        /// RenderSurfaces, largest first; the first may be in the highres file only.
        pub levels: Vec<DatId>,
    }
}

impl DatRecord for SurfaceTexture {
    const KIND: RecordKind = RecordKind::SurfaceTexture;
}

wire_struct! {
    /// The same as a [`SurfaceTexture`] for render materials.
    #[derive(Eq, Default)]
    pub struct RenderTexture {
        /// Only kept.
        pub category: u32,
        /// 2 for a plain picture.
        pub texture_type: u8,
        /// RenderSurfaces, largest first.
        pub levels: Vec<DatId>,
    }
}

impl DatRecord for RenderTexture {
    const KIND: RecordKind = RecordKind::RenderTexture;
}

/// How pixels are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PixelFormat(pub u32);

#[allow(missing_docs)] // The names of the format.
impl PixelFormat {
    pub const R8G8B8: Self = Self(0x14);
    pub const A8R8G8B8: Self = Self(0x15);
    pub const X8R8G8B8: Self = Self(0x16);
    pub const R5G6B5: Self = Self(0x17);
    pub const X1R5G5B5: Self = Self(0x18);
    pub const A1R5G5B5: Self = Self(0x19);
    pub const A4R4G4B4: Self = Self(0x1A);
    pub const A8: Self = Self(0x1C);
    pub const P8: Self = Self(0x29);
    pub const L8: Self = Self(0x32);
    pub const INDEX16: Self = Self(0x65);
    pub const LSCAPE_R8G8B8: Self = Self(0xF3);
    pub const LSCAPE_ALPHA: Self = Self(0xF4);
    pub const JPEG: Self = Self(0x1F4);
    pub const DXT1: Self = Self(0x3154_5844);
    pub const DXT3: Self = Self(0x3354_5844);
    pub const DXT5: Self = Self(0x3554_5844);

    /// Whether a palette id follows the pixels.
    pub fn has_palette(self) -> bool {
        matches!(self, Self::INDEX16 | Self::P8)
    }

    /// The format's usual name.
    pub fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::R8G8B8 => "R8G8B8",
            Self::A8R8G8B8 => "A8R8G8B8",
            Self::X8R8G8B8 => "X8R8G8B8",
            Self::R5G6B5 => "R5G6B5",
            Self::X1R5G5B5 => "X1R5G5B5",
            Self::A1R5G5B5 => "A1R5G5B5",
            Self::A4R4G4B4 => "A4R4G4B4",
            Self::A8 => "A8",
            Self::P8 => "P8",
            Self::L8 => "L8",
            Self::INDEX16 => "INDEX16",
            Self::LSCAPE_R8G8B8 => "LSCAPE_R8G8B8",
            Self::LSCAPE_ALPHA => "LSCAPE_ALPHA",
            Self::JPEG => "JPEG",
            Self::DXT1 => "DXT1",
            Self::DXT3 => "DXT3",
            Self::DXT5 => "DXT5",
            _ => return None,
        })
    }

    /// Bytes of a picture of this size; `None` where the format does not determine it.
    pub fn expected_len(self, width: u32, height: u32) -> Option<u64> {
        let (width, height) = (u64::from(width), u64::from(height));
        let (pixels, blocks) = (width * height, width.div_ceil(4) * height.div_ceil(4));
        let (units, bytes) = match self {
            Self::R8G8B8 | Self::LSCAPE_R8G8B8 => (pixels, 3),
            Self::A8R8G8B8 | Self::X8R8G8B8 => (pixels, 4),
            Self::R5G6B5 | Self::X1R5G5B5 | Self::A1R5G5B5 | Self::A4R4G4B4 | Self::INDEX16 => (pixels, 2),
            Self::A8 | Self::P8 | Self::L8 | Self::LSCAPE_ALPHA => (pixels, 1),
            Self::DXT1 => (blocks, 8),
            Self::DXT3 | Self::DXT5 => (blocks, 16),
            _ => return None,
        };
        units.checked_mul(bytes)
    }
}

impl fmt::Display for PixelFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.pad(name),
            None => write!(f, "{:#x}", self.0),
        }
    }
}

#[cfg(feature = "serde")]
impl Serialize for PixelFormat {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A picture, kept as its stored bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct RenderSurface {
    /// Only kept.
    pub category: u32,
    /// Pixels; meaningless for JPEG.
    pub width: i32,
    /// Pixels; meaningless for JPEG.
    pub height: i32,
    /// How `pixels` is to be read.
    pub format: PixelFormat,
    /// Rows from top to bottom without gaps; possibly shorter than expected, missing ones are zero.
    pub pixels: Blob,
    /// The palette to use unless another is given; only with indexed formats.
    pub palette: Option<DatId>,
}

impl RenderSurface {
    const MAX_SIDE: i32 = 8192;
}

impl DatRecord for RenderSurface {
    const KIND: RecordKind = RecordKind::RenderSurface;
}

impl Wire for RenderSurface {
    const MIN: usize = 20;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let category = r.read("category")?;
        let size_at = r.pos();
        let [width, height]: [i32; 2] = r.read("width and height")?;
        let format = PixelFormat(r.read("format")?);
        let sides = 1..=RenderSurface::MAX_SIDE;
        if format != PixelFormat::JPEG && !(sides.contains(&width) && sides.contains(&height)) {
            return Err(r.error("width and height", size_at, format!("{width} × {height} is no picture")));
        }
        let length_at = r.pos();
        let length = r.count(1, "data length")?;
        let pixels = Blob(r.slice(length, "pixels")?.to_vec());
        let expected = format.expected_len(width.unsigned_abs(), height.unsigned_abs());
        if let Some(expected) = expected {
            let problem = || format!("{length} bytes, {width} × {height} in {format} takes {expected}");
            if (length as u64) < expected {
                r.repair("data length", length_at, problem)?;
            } else if length as u64 > expected {
                r.note("data length", length_at, problem);
            }
        }
        let palette = if format.has_palette() { Some(r.read("palette")?) } else { None };
        Ok(RenderSurface { category, width, height, format, pixels, palette })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        if self.format.has_palette() != self.palette.is_some() {
            return Err(w.error(
                "palette",
                format!("{:?} does not go with the format {}", self.palette, self.format),
            ));
        }
        w.write(&self.category, "category")?;
        w.write(&[self.width, self.height], "width and height")?;
        w.write(&self.format.0, "format")?;
        w.count_as::<u32>(self.pixels.0.len(), "data length")?;
        w.raw(&self.pixels.0);
        match &self.palette {
            Some(palette) => w.write(palette, "palette"),
            None => Ok(()),
        }
    }
}
