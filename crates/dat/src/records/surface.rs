//! Materials. Spec: dat-portal §7.1.

use super::{Color, DatRecord};
use crate::codec::{Reader, Result, Wire, Writer};
use crate::{DatId, RecordKind};
#[cfg(feature = "serde")]
use serde::Serialize;

/// What a surface is covered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum SurfaceBase {
    /// One colour all over.
    Solid(Color),
    /// A texture.
    Image {
        /// SurfaceTexture.
        texture: DatId,
        /// Kept, but without effect on drawing.
        palette: DatId,
    },
}

/// A material.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Surface {
    /// See the constants; the bits 0x6 must agree with `base`.
    pub flags: u32,
    /// What it is covered with.
    pub base: SurfaceBase,
    /// 0 opaque … 1 invisible.
    pub translucency: f32,
    /// Light of its own.
    pub luminosity: f32,
    /// Light it reflects.
    pub diffuse: f32,
}

#[allow(missing_docs)] // The names of the format.
impl Surface {
    pub const BASE_SOLID: u32 = 0x1;
    pub const BASE_IMAGE: u32 = 0x2;
    /// An image whose palette indices 0–7 are fully transparent.
    pub const BASE_CLIP_MAP: u32 = 0x4;
    pub const TRANSLUCENT: u32 = 0x10;
    pub const DIFFUSE: u32 = 0x20;
    pub const LUMINOUS: u32 = 0x40;
    pub const ALPHA: u32 = 0x100;
    pub const INVERSE_ALPHA: u32 = 0x200;
    pub const ADDITIVE: u32 = 0x1_0000;
    pub const DETAIL: u32 = 0x2_0000;
    pub const GOURAUD: u32 = 0x1000_0000;
    pub const STIPPLED: u32 = 0x4000_0000;
    pub const PERSPECTIVE: u32 = 0x8000_0000;

    const HAS_TEXTURE: u32 = Self::BASE_IMAGE | Self::BASE_CLIP_MAP;
}

impl DatRecord for Surface {
    const KIND: RecordKind = RecordKind::Surface;
    const STARTS_WITH_ID: bool = false;
}

impl Wire for Surface {
    const MIN: usize = 20;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let flags: u32 = r.read("flags")?;
        let base = if flags & Self::HAS_TEXTURE != 0 {
            SurfaceBase::Image { texture: r.read("texture")?, palette: r.read("palette")? }
        } else {
            SurfaceBase::Solid(r.read("color")?)
        };
        Ok(Surface {
            flags,
            base,
            translucency: r.read("translucency")?,
            luminosity: r.read("luminosity")?,
            diffuse: r.read("diffuse")?,
        })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        let has_texture = self.flags & Self::HAS_TEXTURE != 0;
        if has_texture != matches!(self.base, SurfaceBase::Image { .. }) {
            return Err(w.error("flags", format!("{:#x} does not go with {:?}", self.flags, self.base)));
        }
        w.write(&self.flags, "flags")?;
        match &self.base {
            SurfaceBase::Solid(color) => w.write(color, "color")?,
            SurfaceBase::Image { texture, palette } => {
                w.write(texture, "texture")?;
                w.write(palette, "palette")?;
            }
        }
        w.write(&[self.translucency, self.luminosity, self.diffuse], "translucency")
    }
}
