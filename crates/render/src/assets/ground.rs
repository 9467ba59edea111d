//! Ground textures: the region's textures and masks, and the merged textures of cells.

use super::{Assets, Making, SUBSTITUTE, UNMADE};
use crate::{
    raster::TextureIndex,
    terrain::{
        CellCode, Ground, Mask, MergeSource, ROAD, Slice, SlicedMerge, merge_cell, road_mask, terrain_mask,
    },
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
    /// The texture that is being merged in slices.
    merging: Option<SlicedMerge>,
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

/// How many textures may be loaded for a merge.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loads {
    All,
    One,
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
        if is_sure { self.keep_style(code, merged) } else { FALLBACK }
    }

    fn keep_style(&mut self, code: CellCode, merged: Result<Texture, GroundStyle>) -> GroundStyle {
        let (style, bytes) = match merged {
            Ok(texture) => {
                let (bytes, texture) = (texture.bytes(), self.add_texture(texture));
                let address = if code.wraps() { Address::Wrap } else { Address::Clamp };
                (GroundStyle { texture, repeat: 1.0, address }, bytes)
            }
            Err(shared) => (shared, 0),
        };
        let asked = self.terrain.clock;
        self.terrain.merged_bytes += bytes;
        self.terrain.styles.insert(code, Style { style, bytes, asked });
        style
    }

    /// How cells of a code are drawn in this frame: plainly if there is no time to merge a texture for them.
    pub(crate) fn ground_style_now(&mut self, code: CellCode) -> GroundStyle {
        while self.is_hasty() && !self.terrain.styles.contains_key(&code) {
            let may_go_on = self.may_make(Making::Ground);
            if !may_go_on || !self.surely(|assets| assets.merge_slice(code)).1 {
                return self.plain_style(code);
            }
        }
        self.ground_style(code)
    }

    /// Makes the texture of cells before they are drawn: all at once, or a slice where frames may run out of time. True when
    /// there is nothing more to do.
    pub fn prepare_ground(&mut self, code: CellCode) -> bool {
        if !self.is_hasty() || self.terrain.styles.contains_key(&code) {
            self.ground_style(code);
            return true;
        }
        let (_, is_sure) = self.surely(|assets| assets.merge_slice(code));
        !is_sure || self.terrain.styles.contains_key(&code)
    }

    /// Does the next slice of the texture of a code, or of the one that was begun before: a texture that is needed is
    /// loaded, or a part of the merge is done.
    fn merge_slice(&mut self, code: CellCode) {
        let begun = self.terrain.merging.take();
        let code = begun.as_ref().map_or(code, SlicedMerge::code);
        let (side, is_sure) = self.surely(|assets| assets.merge_side(code, Loads::One));
        let Some(side) = side.filter(|_| is_sure) else { return };
        let side = match side {
            Ok(side) => side,
            Err(shared) => {
                self.keep_style(code, Err(shared));
                return;
            }
        };
        let Some(region) = self.terrain.region.clone() else { return };
        let mut merging = begun.unwrap_or_else(|| SlicedMerge::new(code, side));
        let loaded = Loaded { textures: &self.textures, terrain: &self.terrain };
        match merging.go_on(&region.textures, &loaded) {
            Slice::More => self.terrain.merging = Some(merging),
            Slice::Done(texture) => {
                self.keep_style(code, texture.ok_or(FALLBACK));
            }
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
        let side = self.merge_side(code, Loads::All).unwrap_or(Err(FALLBACK))?;
        let region = self.terrain.region.clone().ok_or(FALLBACK)?;
        let loaded = Loaded { textures: &self.textures, terrain: &self.terrain };
        merge_cell(code, side, &region.textures, &loaded).ok_or(FALLBACK)
    }

    /// Loads what the texture of a code is merged from, and says how many texels a side it has; for a code without a texture of
    /// its own the style that all like it share. `None` when only one texture was to be loaded and there may be more.
    fn merge_side(&mut self, code: CellCode, loads: Loads) -> Option<Result<usize, GroundStyle>> {
        if !self.terrain.is_region_sure {
            self.load_terrain();
        }
        let Some(region) = self.terrain.region.clone() else { return Some(Err(FALLBACK)) };
        let (merge, only_one) = (&region.textures, loads == Loads::One);
        if self.load_ground(merge, ROAD) && only_one {
            return None;
        }
        let layers = code.layers(self.has_ground(ROAD));
        if self.load_ground(merge, layers.base) && only_one {
            return None;
        }
        if layers.is_plain() {
            // Repeating the base is the same as merging it with nothing, and sharper.
            return Some(Err(self.base_style(layers.base)));
        }
        for overlay in layers.overlays.iter().flatten() {
            if self.load_ground(merge, overlay.kind) && only_one {
                return None;
            }
            let mask = terrain_mask(merge, code, overlay.mask);
            if mask.is_some_and(|(mask, _)| self.load_mask(mask)) && only_one {
                return None;
            }
        }
        for &road in layers.roads.iter().flatten() {
            let mask = road_mask(merge, code, road);
            if mask.is_some_and(|(mask, _)| self.load_mask(mask)) && only_one {
                return None;
            }
        }
        let scale = if code.full_resolution() { 1 } else { 4 };
        let side = (merge.base_size / scale).clamp(*MERGED_SIDE.start(), *MERGED_SIDE.end());
        Some(Ok(side.next_power_of_two() as usize))
    }

    /// Loads what cells of a code are drawn with until their texture is merged. False when this frame has no time for it.
    pub(crate) fn load_plain_style(&mut self, code: CellCode) -> bool {
        let Some(region) = self.terrain.region.clone() else { return true };
        let base = self.base_of(code);
        if !self.terrain.grounds.contains_key(&base) {
            if !self.may_make(Making::Ground) {
                return false;
            }
            self.load_ground(&region.textures, base);
        }
        true
    }

    /// Loads all masks: there are few, and most places need most of them. False when this frame has no time for it.
    pub(crate) fn load_masks(&mut self) -> bool {
        let Some(region) = self.terrain.region.clone() else { return true };
        let TextureMerge { corner_maps, side_maps, road_maps, .. } = &region.textures;
        corner_maps.iter().chain(side_maps).chain(road_maps).all(|map| {
            let is_known = self.terrain.masks.contains_key(&map.texture);
            let may_load = is_known || self.may_make(Making::Ground);
            if may_load {
                self.load_mask(map.texture);
            }
            may_load
        })
    }

    /// The style of a code as if it were all of its base, until there is time to merge the rest; grey until there is time to
    /// load that.
    fn plain_style(&self, code: CellCode) -> GroundStyle {
        let base = self.base_of(code);
        match self.terrain.region {
            Some(_) if !self.terrain.grounds.contains_key(&base) => {
                GroundStyle { texture: UNMADE, repeat: 1.0, address: Address::Wrap }
            }
            _ => self.base_style(base),
        }
    }

    fn base_of(&self, code: CellCode) -> u8 {
        code.layers(self.has_ground(ROAD)).base
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

    /// Loads the texture of a terrain type; types the region does not know take its first entry. False when it was there.
    fn load_ground(&mut self, merge: &TextureMerge, kind: u8) -> bool {
        if self.terrain.grounds.contains_key(&kind) {
            return false;
        }
        let entry = merge.terrain.iter().find(|entry| entry.terrain == u32::from(kind));
        let entry = entry.or(merge.terrain.first().filter(|_| kind != ROAD));
        let (picture, is_sure) = self.surely(|assets| {
            let (id, picture) = assets.picture(entry?.texture)?;
            let palette = picture.palette.and_then(|palette| assets.load(palette));
            Some((id, picture, palette))
        });
        if !is_sure {
            return true;
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
        true
    }

    /// Loads a mask. False when it was there.
    fn load_mask(&mut self, id: DatId) -> bool {
        if self.terrain.masks.contains_key(&id) {
            return false;
        }
        let (picture, is_sure) = self.surely(|assets| assets.picture(id));
        if !is_sure {
            return true;
        }
        let mask = picture.and_then(|(id, picture)| match decode_mask(&picture) {
            Ok((width, height, bytes)) => Some(Mask::new(width, height, &bytes)),
            Err(error) => {
                self.report(id, error.to_string());
                None
            }
        });
        self.terrain.masks.insert(id, mask);
        true
    }
}
