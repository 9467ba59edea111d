//! Ground textures: the region's textures and masks, and the merged textures of cells.

use super::{Assets, Making, SUBSTITUTE};
use crate::{
    raster::TextureIndex,
    terrain::{CellCode, Ground, Mask, MergeSource, ROAD, merge_cell, road_mask, terrain_mask},
    texture::{Address, Texture, Usage, decode, decode_mask},
};
use std::{collections::HashMap, sync::Arc};
use threshold_dat::{
    DatId,
    records::{Region, TextureMerge},
};
use threshold_world::REGION;

/// Largest and smallest side of a merged texture.
const MERGED_SIDE: std::ops::RangeInclusive<u32> = 8..=1024;
/// Frames for which a merged texture that was asked for is kept, whether it is drawn or not.
const KEPT_FRAMES: u64 = 1800;
/// Repetitions of the substitute across a cell.
const SUBSTITUTE_TILING: u32 = 3;

/// How the ground of a cell is textured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundStyle {
    /// The texture.
    pub texture: TextureIndex,
    /// Repetitions across the cell.
    pub repeat: f32,
    /// Addressing.
    pub address: Address,
}

/// How ground is textured of which nothing is known.
const FALLBACK: GroundStyle =
    GroundStyle { texture: SUBSTITUTE, repeat: SUBSTITUTE_TILING as f32, address: Address::Wrap };

/// A loaded texture of a terrain type.
#[derive(Clone, Copy)]
struct GroundTexture {
    texture: TextureIndex,
    tiling: u32,
}

/// The ground as the region describes it.
#[derive(Default)]
pub struct TerrainAssets {
    region: Option<Arc<Region>>,
    /// Whether the region could be read, or is known not to be there.
    is_region_sure: bool,
    grounds: HashMap<u8, Option<GroundTexture>>,
    masks: HashMap<DatId, Option<Mask>>,
    styles: HashMap<CellCode, Style>,
    /// Frames that were drawn.
    clock: u64,
    merged_bytes: usize,
}

/// What is known of a code.
struct Style {
    style: GroundStyle,
    /// Size of a texture that was merged for this code; 0 when it shares one with others.
    bytes: usize,
    /// When it was asked for last.
    asked: u64,
}

impl TerrainAssets {
    /// The region; `None` when its record is missing or broken.
    pub fn region(&self) -> Option<&Arc<Region>> {
        self.region.as_ref()
    }
}

#[cfg(test)]
impl TerrainAssets {
    /// Textures that were merged for cells.
    pub(crate) fn merged_count(&self) -> usize {
        self.styles.values().filter(|style| style.bytes > 0).count()
    }

    /// Whether it is known how cells with a code are textured.
    pub(crate) fn knows(&self, code: &CellCode) -> bool {
        self.styles.contains_key(code)
    }
}

struct Loaded<'a> {
    textures: &'a [Texture],
    terrain: &'a TerrainAssets,
}

impl MergeSource for Loaded<'_> {
    fn ground(&self, kind: u8) -> Option<Ground<'_>> {
        let ground = self.terrain.grounds.get(&kind).copied().flatten()?;
        Some(Ground { texture: self.textures.get(ground.texture as usize)?, tiling: ground.tiling })
    }

    fn mask(&self, texture: DatId) -> Option<&Mask> {
        self.terrain.masks.get(&texture)?.as_ref()
    }
}

impl Assets {
    pub(super) fn load_terrain(&mut self) {
        let (region, is_sure) = self.surely(|assets| {
            let answer = assets.ask(REGION, |library| library.region());
            assets.reported::<Region, _>(REGION, answer)
        });
        (self.terrain.region, self.terrain.is_region_sure) = (region, is_sure);
    }

    /// Asks for the region again if it could not be read before.
    pub(super) fn mend_terrain(&mut self) {
        if !self.terrain.is_region_sure {
            self.load_terrain();
        }
    }

    /// How cells of a code are textured.
    pub fn ground_style(&mut self, code: CellCode) -> GroundStyle {
        let asked = self.terrain.clock;
        if let Some(known) = self.terrain.styles.get_mut(&code) {
            known.asked = asked;
            return known.style;
        }
        let (merged, is_sure) = self.surely(|assets| assets.merge(code));
        if !is_sure {
            return FALLBACK;
        }
        let (style, bytes) = match merged {
            Ok(texture) => {
                let (bytes, texture) = (texture.bytes(), self.add_texture(texture));
                let address = if code.wraps() { Address::Wrap } else { Address::Clamp };
                (GroundStyle { texture, repeat: 1.0, address }, bytes)
            }
            Err(shared) => (shared, 0),
        };
        self.terrain.merged_bytes += bytes;
        self.terrain.styles.insert(code, Style { style, bytes, asked });
        style
    }

    /// How cells of a code are drawn in this frame: plainly if there is no time to merge a texture for them.
    pub(crate) fn ground_style_now(&mut self, code: CellCode) -> GroundStyle {
        if self.terrain.styles.contains_key(&code) || self.may_make(Making::Ground) {
            self.ground_style(code)
        } else {
            self.plain_style(code)
        }
    }

    /// Bytes of all textures that were merged for cells.
    pub fn merged_ground_bytes(&self) -> usize {
        self.terrain.merged_bytes
    }

    /// Another frame is drawn.
    pub(crate) fn tick_ground(&mut self) {
        self.terrain.clock += 1;
    }

    /// Forgets merged textures that are neither in use nor asked for lately.
    pub(crate) fn forget_ground(&mut self, is_used: impl Fn(TextureIndex) -> bool) {
        let TerrainAssets { styles, clock, merged_bytes, .. } = &mut self.terrain;
        let since = clock.saturating_sub(KEPT_FRAMES);
        let mut forgotten = Vec::new();
        styles.retain(|_, Style { style, bytes, asked }| {
            let is_kept = *bytes == 0 || *asked >= since || is_used(style.texture);
            if !is_kept {
                *merged_bytes -= *bytes;
                forgotten.push(style.texture);
            }
            is_kept
        });
        forgotten.into_iter().for_each(|texture| self.remove_texture(texture));
    }

    /// The texture of a cell that has more than one kind of ground; for any other one the style that all like it share.
    fn merge(&mut self, code: CellCode) -> Result<Texture, GroundStyle> {
        if !self.terrain.is_region_sure {
            self.load_terrain();
        }
        let region = self.terrain.region.clone().ok_or(FALLBACK)?;
        let merge = &region.textures;
        self.load_ground(merge, ROAD);
        let layers = code.layers(self.has_ground(ROAD));
        self.load_ground(merge, layers.base);
        if layers.is_plain() {
            // Repeating the base is the same as merging it with nothing, and sharper.
            return Err(self.base_style(layers.base));
        }
        for overlay in layers.overlays.iter().flatten() {
            self.load_ground(merge, overlay.kind);
            if let Some((mask, _)) = terrain_mask(merge, code, overlay.mask) {
                self.load_mask(mask);
            }
        }
        for &road in layers.roads.iter().flatten() {
            if let Some((mask, _)) = road_mask(merge, code, road) {
                self.load_mask(mask);
            }
        }
        let scale = if code.full_resolution() { 1 } else { 4 };
        let side = (merge.base_size / scale).clamp(*MERGED_SIDE.start(), *MERGED_SIDE.end());
        let side = side.next_power_of_two();
        let loaded = Loaded { textures: &self.textures, terrain: &self.terrain };
        merge_cell(code, side as usize, merge, &loaded).ok_or(FALLBACK)
    }

    /// The style of a code as if it were all of its base: until there is time to merge the rest.
    fn plain_style(&mut self, code: CellCode) -> GroundStyle {
        let Some(region) = self.terrain.region.clone() else { return FALLBACK };
        let base = code.layers(self.has_ground(ROAD)).base;
        self.load_ground(&region.textures, base);
        self.base_style(base)
    }

    /// The texture of a terrain type, repeated.
    fn base_style(&self, kind: u8) -> GroundStyle {
        let ground = self.terrain.grounds.get(&kind).copied().flatten();
        ground.map_or(FALLBACK, |ground| GroundStyle {
            texture: ground.texture,
            repeat: ground.tiling as f32,
            address: Address::Wrap,
        })
    }

    fn has_ground(&self, kind: u8) -> bool {
        self.terrain.grounds.get(&kind).is_some_and(Option::is_some)
    }

    /// Loads the texture of a terrain type; types the region does not know take its first entry.
    fn load_ground(&mut self, merge: &TextureMerge, kind: u8) {
        if self.terrain.grounds.contains_key(&kind) {
            return;
        }
        let entry = merge.terrain.iter().find(|entry| entry.terrain == u32::from(kind));
        let entry = entry.or(merge.terrain.first().filter(|_| kind != ROAD));
        let (picture, is_sure) = self.surely(|assets| {
            let (id, picture) = assets.picture(entry?.texture)?;
            let palette = picture.palette.and_then(|palette| assets.load(palette));
            Some((id, picture, palette))
        });
        if !is_sure {
            return;
        }
        let ground = entry.zip(picture).and_then(|(entry, (id, picture, palette))| {
            match decode(&picture, palette.as_ref(), Usage::default()) {
                Ok(p) => {
                    let texture = self.add_texture(Texture::from_texels(p.width, p.height, p.texels));
                    Some(GroundTexture { texture, tiling: entry.tiling.clamp(1, 64) })
                }
                Err(error) => {
                    self.report(id, error.to_string());
                    None
                }
            }
        });
        // Nothing of the kind: what is not a road still has to be seen.
        let substitute = GroundTexture { texture: SUBSTITUTE, tiling: SUBSTITUTE_TILING };
        let ground = ground.or((kind != ROAD).then_some(substitute));
        self.terrain.grounds.insert(kind, ground);
    }

    fn load_mask(&mut self, id: DatId) {
        if self.terrain.masks.contains_key(&id) {
            return;
        }
        let (picture, is_sure) = self.surely(|assets| assets.picture(id));
        if !is_sure {
            return;
        }
        let mask = picture.and_then(|(id, picture)| match decode_mask(&picture) {
            Ok((width, height, bytes)) => Some(Mask::new(width, height, &bytes)),
            Err(error) => {
                self.report(id, error.to_string());
                None
            }
        });
        self.terrain.masks.insert(id, mask);
    }
}
