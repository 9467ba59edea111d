//! Appearance of an object. Spec: wire §8.2.

use crate::{
    codec::{Codec, Layout, Result},
    error::Reason,
};
use threshold_dat::DatId;

const PALETTE: u32 = 0x0400_0000;
const TEXTURE: u32 = 0x0500_0000;
const MODEL: u32 = 0x0100_0000;
/// The one version there is.
const VERSION: u8 = 0x11;

/// Palettes, textures and models in place of a setup's own. Retail: `ObjDesc::UnPack`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Appearance {
    /// The palette that is changed; sent when there are changes.
    pub palette: DatId,
    /// Ranges of colours out of other palettes.
    pub subpalettes: Vec<Subpalette>,
    /// Textures in place of others.
    pub textures: Vec<TextureChange>,
    /// Models in place of others.
    pub parts: Vec<PartChange>,
}

impl Appearance {
    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.subpalettes.is_empty() && self.textures.is_empty() && self.parts.is_empty()
    }
}

impl Layout for Appearance {
    const MIN: usize = 4;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        let mut version = VERSION;
        c.value(&mut version, "appearance version")?;
        if version != VERSION {
            return Err(c.fault(Reason::Value, "appearance version"));
        }
        let subpalettes = c.count::<1>(self.subpalettes.len(), "subpalettes")?;
        let textures = c.count::<1>(self.textures.len(), "textures")?;
        let parts = c.count::<1>(self.parts.len(), "parts")?;
        if subpalettes > 0 {
            c.known(&mut self.palette, PALETTE, "palette")?;
        }
        c.few(subpalettes, &mut self.subpalettes, "subpalettes")?;
        c.few(textures, &mut self.textures, "textures")?;
        c.few(parts, &mut self.parts, "parts")?;
        c.align();
        Ok(())
    }
}

/// A range of colours. Offset and count are in units of eight colours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subpalette {
    /// Where the colours come from.
    pub palette: DatId,
    /// First colour, divided by eight.
    pub offset: u8,
    /// Colours, divided by eight; 0 means 256.
    pub count: u8,
}

impl Subpalette {
    /// The first colour.
    pub fn first_color(&self) -> u32 {
        u32::from(self.offset) * 8
    }

    /// How many colours.
    pub fn colors(&self) -> u32 {
        if self.count == 0 { 2048 } else { u32::from(self.count) * 8 }
    }
}

impl Layout for Subpalette {
    const MIN: usize = 4;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        c.known(&mut self.palette, PALETTE, "subpalette")?;
        c.value(&mut self.offset, "subpalette offset")?;
        c.value(&mut self.count, "subpalette count")
    }
}

/// A texture in place of another one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextureChange {
    /// Part of the setup.
    pub part: u8,
    /// The texture of its model.
    pub old: DatId,
    /// Its replacement.
    pub new: DatId,
}

impl Layout for TextureChange {
    const MIN: usize = 5;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        c.value(&mut self.part, "texture part")?;
        c.known(&mut self.old, TEXTURE, "old texture")?;
        c.known(&mut self.new, TEXTURE, "new texture")
    }
}

/// A model in place of a part's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartChange {
    /// Part of the setup.
    pub part: u8,
    /// Its replacement.
    pub model: DatId,
}

impl Layout for PartChange {
    const MIN: usize = 3;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        c.value(&mut self.part, "part")?;
        c.known(&mut self.model, MODEL, "part model")
    }
}
