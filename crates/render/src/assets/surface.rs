//! Surfaces: their textures, palettes and materials. Spec: render-data §3, §4.

use super::{Assets, Making, Refusal, SUBSTITUTE, UNMADE};
use crate::{
    material::{Style, opacity_byte},
    raster::TextureIndex,
    texture::{Texture, Usage, decode, pack},
};
use std::collections::HashMap;
use threshold_dat::{
    DatId,
    records::{Palette, RenderSurface, Surface, SurfaceBase, SurfaceTexture},
};

/// Index of a material.
pub type MaterialIndex = u32;
/// Index of a palette that was put together for an appearance.
pub type PaletteIndex = u32;

/// A surface ready to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Blending, tests, deferral.
    pub style: Style,
    /// Its texture.
    pub texture: TextureIndex,
    /// Light of its own; wins over a run-time value when above zero.
    pub luminosity: f32,
    /// Whether it has an image; shells and cells do not draw surfaces without one. Spec: render-data §3.6.
    pub textured: bool,
}

/// A range of colours that an appearance takes from another palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SubPaletteRange {
    /// Where the colours come from.
    pub palette: DatId,
    /// First colour, in steps of 8.
    pub offset: u8,
    /// Number of colours in steps of 8; 0 means 256 of them.
    pub length: u8,
}

/// How an object's look differs from that of its model. Spec: render-data §4.1–4.3.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Appearance {
    /// Palette that the sub-palettes change; parts that use another one keep theirs.
    pub base_palette: Option<DatId>,
    /// Changes, in order.
    pub sub_palettes: Vec<SubPaletteRange>,
    /// Part, old SurfaceTexture, new SurfaceTexture.
    pub textures: Vec<(u16, DatId, DatId)>,
    /// Part, new GfxObj.
    pub parts: Vec<(u16, DatId)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct MaterialKey {
    surface: DatId,
    texture: Option<DatId>,
    palette: Option<PaletteIndex>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct TextureKey {
    texture: DatId,
    palette: Option<PaletteIndex>,
    usage: Usage,
}

/// What a decoded texture is to its surface.
#[derive(Clone, Copy)]
struct Decoded {
    index: TextureIndex,
    indexed: bool,
}

/// Caches of surfaces and what they need.
#[derive(Default)]
pub(super) struct Surfaces {
    materials: Vec<Material>,
    by_key: HashMap<MaterialKey, MaterialIndex>,
    /// Materials for which something could not be read.
    provisional: Vec<(MaterialKey, MaterialIndex)>,
    textures: HashMap<TextureKey, Decoded>,
    palettes: HashMap<DatId, Option<Palette>>,
    composed: Vec<Palette>,
    by_change: HashMap<(DatId, Vec<SubPaletteRange>), PaletteIndex>,
}

/// Colours of a palette for indexed textures.
const PALETTE_COLORS: usize = 2048;

impl Assets {
    /// A material by its index.
    #[inline]
    pub fn material(&self, index: MaterialIndex) -> &Material {
        &self.surfaces.materials[index as usize]
    }

    /// The material of a surface record.
    pub fn surface(&mut self, id: DatId) -> MaterialIndex {
        self.changed_surface(id, None, None)
    }

    /// The material of a surface with another texture or palette.
    pub fn changed_surface(
        &mut self,
        surface: DatId,
        texture: Option<DatId>,
        palette: Option<PaletteIndex>,
    ) -> MaterialIndex {
        let key = MaterialKey { surface, texture, palette };
        if let Some(&known) = self.surfaces.by_key.get(&key) {
            return known;
        }
        let (material, is_sure) = self.mended(|assets| assets.keyed_material(key));
        self.surfaces.materials.push(material);
        let index = self.surfaces.materials.len() as u32 - 1;
        self.surfaces.by_key.insert(key, index);
        if !is_sure {
            self.surfaces.provisional.push((key, index));
        }
        index
    }

    fn keyed_material(&mut self, key: MaterialKey) -> Material {
        match self.load::<Surface>(key.surface) {
            Some(record) => self.make_material(&record, key.texture, key.palette),
            None => Material {
                style: Style::new(Surface::BASE_IMAGE, 0.0, false),
                texture: SUBSTITUTE,
                luminosity: 0.0,
                textured: true,
            },
        }
    }

    /// Makes materials anew for which something could not be read before.
    pub(super) fn mend_materials(&mut self) {
        for (key, index) in std::mem::take(&mut self.surfaces.provisional) {
            let (material, is_sure) = self.mended(|assets| assets.keyed_material(key));
            self.surfaces.materials[index as usize] = material;
            if !is_sure {
                self.surfaces.provisional.push((key, index));
            }
        }
    }

    fn make_material(
        &mut self,
        record: &Surface,
        texture: Option<DatId>,
        palette: Option<PaletteIndex>,
    ) -> Material {
        let translucency = if record.translucency.is_finite() { record.translucency } else { 0.0 };
        let luminosity = if record.luminosity.is_finite() { record.luminosity } else { 0.0 };
        let (texture, indexed, textured) = match record.base {
            SurfaceBase::Image { texture: own, .. } => {
                let usage = Usage {
                    clip_map: record.flags & Surface::BASE_CLIP_MAP != 0,
                    additive: record.flags & Surface::ADDITIVE != 0,
                };
                let decoded = self.surface_texture(texture.unwrap_or(own), palette, usage);
                (decoded.index, decoded.indexed, true)
            }
            SurfaceBase::Solid(color) => {
                let alpha = opacity_byte(translucency);
                let texel = pack(color.red, color.green, color.blue, alpha);
                (self.add_texture(Texture::solid(texel)), false, false)
            }
        };
        Material { style: Style::new(record.flags, translucency, indexed), texture, luminosity, textured }
    }

    /// The texture a surface names, as the surface uses it.
    fn surface_texture(&mut self, id: DatId, palette: Option<PaletteIndex>, usage: Usage) -> Decoded {
        let key = TextureKey { texture: id, palette, usage };
        if let Some(&known) = self.surfaces.textures.get(&key) {
            return known;
        }
        if !self.may_make(Making::Surface) {
            return Decoded { index: UNMADE, indexed: false };
        }
        let (decoded, is_sure) = self.surely(|assets| match assets.picture(id) {
            Some((picture_id, picture)) => assets.decode_picture(picture_id, &picture, palette, usage),
            None => Decoded { index: SUBSTITUTE, indexed: false },
        });
        if is_sure {
            self.surfaces.textures.insert(key, decoded);
        }
        decoded
    }

    /// The first picture of a texture's list that can be read. Retail: `ImgTex::GetSurfaceDID` (0x0053F0E0).
    pub(super) fn picture(&mut self, id: DatId) -> Option<(DatId, RenderSurface)> {
        let list = self.load::<SurfaceTexture>(id)?;
        for &level in &list.levels {
            match self.try_load::<RenderSurface>(level) {
                Ok(Some(picture)) => return Some((level, picture)),
                // The first level may be in the high-resolution file, which need not be there.
                Ok(None) => {}
                Err(Refusal::Damaged(problem)) => self.report(level, problem),
                // It may be the right one.
                Err(Refusal::NotNow) => return None,
            }
        }
        self.report(id, "none of its pictures can be read; a grey check is shown");
        None
    }

    fn decode_picture(
        &mut self,
        id: DatId,
        picture: &RenderSurface,
        palette: Option<PaletteIndex>,
        usage: Usage,
    ) -> Decoded {
        let indexed = picture.format.has_palette();
        let (colors, is_sure) = self.surely(|assets| match (palette, picture.palette) {
            (Some(index), _) if indexed => assets.surfaces.composed.get(index as usize).cloned(),
            (_, Some(id)) if indexed => assets.palette(id).cloned(),
            _ => None,
        });
        if !is_sure {
            return Decoded { index: SUBSTITUTE, indexed: false };
        }
        if indexed && colors.is_none() {
            self.report(id, "has no palette; its indices are shown as greys");
        }
        match decode(picture, colors.as_ref(), usage) {
            Ok(p) => {
                let texture = Texture::from_texels(p.width, p.height, p.texels);
                Decoded { index: self.add_texture(texture), indexed }
            }
            Err(error) => {
                self.report(id, format!("{error}; a grey check is shown"));
                Decoded { index: SUBSTITUTE, indexed: false }
            }
        }
    }

    fn palette(&mut self, id: DatId) -> Option<&Palette> {
        if !self.surfaces.palettes.contains_key(&id) {
            let (palette, is_sure) = self.surely(|assets| assets.load::<Palette>(id));
            if is_sure {
                self.surfaces.palettes.insert(id, palette);
            }
        }
        self.surfaces.palettes.get(&id)?.as_ref()
    }

    /// The palette of an appearance; `None` when it changes no colours. Retail: `Palette::Modify`.
    pub fn appearance_palette(&mut self, appearance: &Appearance) -> Option<PaletteIndex> {
        let base = appearance.base_palette.filter(|_| !appearance.sub_palettes.is_empty())?;
        let key = (base, appearance.sub_palettes.clone());
        if let Some(&known) = self.surfaces.by_change.get(&key) {
            return Some(known);
        }
        let (palette, is_sure) = self.surely(|assets| {
            let mut palette = assets.palette(base)?.clone();
            for range in &appearance.sub_palettes {
                let Some(from) = assets.palette(range.palette) else { continue };
                overlay(&mut palette, from, range);
            }
            Some(palette)
        });
        self.surfaces.composed.push(palette.filter(|_| is_sure)?);
        let index = self.surfaces.composed.len() as u32 - 1;
        self.surfaces.by_change.insert(key, index);
        Some(index)
    }

    /// The palette that the first indexed texture among some surfaces uses. Retail: `CPartArray::SetPalette`.
    pub fn base_palette(&mut self, surfaces: &[DatId]) -> Option<DatId> {
        surfaces.iter().find_map(|&id| {
            let record = self.load::<Surface>(id)?;
            let SurfaceBase::Image { texture, .. } = record.base else { return None };
            self.picture(texture)?.1.palette
        })
    }

    /// The texture that a surface record names; `None` when it has a colour instead.
    pub fn texture_of(&mut self, surface: DatId) -> Option<DatId> {
        match self.load::<Surface>(surface)?.base {
            SurfaceBase::Image { texture, .. } => Some(texture),
            SurfaceBase::Solid(_) => None,
        }
    }
}

/// Copies a range of colours to the same indices, as far as both palettes reach.
fn overlay(into: &mut Palette, from: &Palette, range: &SubPaletteRange) {
    let start = usize::from(range.offset) * 8;
    let length = if range.length == 0 { 256 } else { usize::from(range.length) } * 8;
    let end = (start + length).min(PALETTE_COLORS).min(into.colors.len()).min(from.colors.len());
    if start < end {
        into.colors[start..end].copy_from_slice(&from.colors[start..end]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use threshold_dat::records::Color;
    use threshold_world::Library;

    #[test]
    fn a_frame_without_time_makes_one_texture_and_later_ones_the_others() {
        let sample = threshold_sample::build().unwrap();
        let library = Arc::new(Library::new(Arc::new(sample.source().unwrap())));
        let images = (0x0800_0000..0x0800_0040).map(DatId).filter(|&id| {
            let record = library.record::<Surface>(id).ok().flatten();
            record.is_some_and(|record| matches!(record.base, SurfaceBase::Image { .. }))
        });
        let images: Vec<DatId> = images.take(6).collect();
        let (mut patient, mut hasty) = (Assets::new(library.clone()), Assets::new(library));
        hasty.make_while(|_| false);
        let made = images.iter().map(|&id| hasty.surface(id)).collect::<Vec<_>>();
        let is_made = |assets: &Assets, index: MaterialIndex| assets.material(index).texture != UNMADE;
        for count in 1..=images.len() {
            assert_eq!(made.iter().filter(|&&index| is_made(&hasty, index)).count(), count);
            hasty.retry();
        }
        for (&id, &index) in images.iter().zip(&made) {
            let expected = patient.surface(id);
            let texture = |assets: &Assets, index| assets.texture(assets.material(index).texture).clone();
            assert_eq!(texture(&hasty, index), texture(&patient, expected));
            assert_eq!(hasty.material(index).style, patient.material(expected).style);
            assert_eq!(hasty.surface(id), index);
        }
        assert_eq!(images.len(), 6);
    }

    #[test]
    fn example_7_later_ranges_win_and_the_base_stays() {
        let of = |blue: u8| Palette { colors: vec![Color { blue, ..Color::default() }; 2048] };
        let (mut palette, first, second) = (of(0), of(1), of(2));
        let range = |length| SubPaletteRange { palette: DatId(0), offset: 1, length };
        overlay(&mut palette, &first, &range(1));
        overlay(&mut palette, &second, &range(2));
        let blues: Vec<u8> = palette.colors.iter().map(|c| c.blue).collect();
        assert!(blues[..8].iter().all(|&b| b == 0));
        assert!(blues[8..24].iter().all(|&b| b == 2));
        assert!(blues[24..].iter().all(|&b| b == 0));
    }

    #[test]
    fn a_range_beyond_a_palette_is_cut() {
        let mut palette = Palette { colors: vec![Color::default(); 100] };
        let white = Color { blue: 9, ..Color::default() };
        let from = Palette { colors: vec![white; 60] };
        overlay(&mut palette, &from, &SubPaletteRange { palette: DatId(0), offset: 6, length: 0 });
        assert_eq!(palette.colors.iter().filter(|c| c.blue == 9).count(), 12);
        overlay(&mut palette, &from, &SubPaletteRange { palette: DatId(0), offset: 255, length: 0 });
        assert_eq!(palette.colors.len(), 100);
    }
}
