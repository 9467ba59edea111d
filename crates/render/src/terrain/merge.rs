//! Blending terrain textures into the texture of one cell. Spec: render-data §9.3.

use super::code::{CellCode, ROAD, rotations};
use crate::texture::Texture;
use threshold_dat::{DatId, records::TextureMerge};

/// A square mask; 255 keeps what is below, 0 shows the overlay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    side: usize,
    bytes: Vec<u8>,
}

impl Mask {
    /// A mask from its bytes; one that is not square is cut to its shorter side.
    pub fn new(width: u32, height: u32, bytes: &[u8]) -> Mask {
        let side = width.min(height) as usize;
        let rows = bytes.chunks(width.max(1) as usize).take(side);
        let mut bytes: Vec<u8> = rows.flat_map(|row| row.iter().copied().take(side)).collect();
        bytes.resize(side * side, 255);
        Mask { side, bytes }
    }

    /// The byte at a texel of a map of `side` texels, turned counter-clockwise by quarters.
    fn at(&self, x: usize, y: usize, side: usize, turns: u32) -> u8 {
        if self.side == 0 {
            return 255;
        }
        let (x, y) = rotated(x * self.side / side, y * self.side / side, self.side, turns);
        self.bytes[y * self.side + x]
    }
}

/// Where a turned map is read. Retail: `ImgTex::MergeTexture`.
fn rotated(x: usize, y: usize, side: usize, turns: u32) -> (usize, usize) {
    match turns {
        0 => (x, y),
        1 => (side - 1 - y, x),
        2 => (side - 1 - x, side - 1 - y),
        _ => (y, side - 1 - x),
    }
}

/// Mixes one channel the way the original does.
fn blend(below: u8, overlay: u8, a: u8) -> u8 {
    if a == 255 {
        return below;
    }
    let a = u32::from(a) + u32::from(a > 128);
    ((a * u32::from(below) + (256 - a) * u32::from(overlay)) >> 8) as u8
}

/// The texture of a terrain type and how often it repeats across a cell.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// Its texels.
    pub texture: &'a Texture,
    /// Repetitions per cell.
    pub tiling: u32,
}

/// What a merge draws from.
pub trait MergeSource {
    /// The texture of a terrain type; type 32 is the road.
    fn ground(&self, kind: u8) -> Option<Ground<'_>>;
    /// A loaded mask by the id of its texture.
    fn mask(&self, texture: DatId) -> Option<&Mask>;
}

/// The mask for an overlay's corners, and its turns. Retail: `TexMerge::FindTerrainAlpha`.
pub fn terrain_mask(merge: &TextureMerge, code: CellCode, mask: u8) -> Option<(DatId, u32)> {
    let list = if mask.is_power_of_two() { &merge.corner_maps } else { &merge.side_maps };
    let map = list.get(code.pick(list.len()))?;
    Some((map.texture, rotations(u8::try_from(map.code).ok()?, mask)?))
}

/// The mask for a road code, and its turns. Retail: `TexMerge::FindRoadAlpha`.
pub fn road_mask(merge: &TextureMerge, code: CellCode, road: u8) -> Option<(DatId, u32)> {
    let (count, first) = (merge.road_maps.len(), code.pick(merge.road_maps.len()));
    (0..count).find_map(|i| {
        let map = merge.road_maps.get((first + i) % count)?;
        Some((map.texture, rotations(u8::try_from(map.code).ok()?, road)?))
    })
}

/// Texels of a cell's texture with `side` texels a side; none when its base is unknown.
///
/// An overlay without a fitting mask is skipped. Retail: `ImgTex::TileCSI`, `MergeTexture`.
pub fn merge_cell(
    code: CellCode,
    side: usize,
    merge: &TextureMerge,
    source: &impl MergeSource,
) -> Option<Vec<u32>> {
    let layers = code.layers(source.ground(ROAD).is_some());
    let base = Tiled::new(source.ground(layers.base)?, side);
    let mut texels = Vec::with_capacity(side * side);
    for y in 0..side {
        texels.extend((0..side).map(|x| base.at(x, y)));
    }
    let terrain = layers.overlays.iter().flatten().map(|o| (o.kind, terrain_mask(merge, code, o.mask)));
    let roads = layers.roads.iter().flatten().map(|&r| (ROAD, road_mask(merge, code, r)));
    for (kind, found) in terrain.chain(roads) {
        let Some((mask, turns)) = found.and_then(|(id, turns)| Some((source.mask(id)?, turns))) else {
            continue;
        };
        let Some(over) = source.ground(kind).map(|ground| Tiled::new(ground, side)) else { continue };
        for (i, texel) in texels.iter_mut().enumerate() {
            let (x, y) = (i % side, i / side);
            let a = mask.at(x, y, side, turns);
            let (below, over) = (texel.to_le_bytes(), over.at(x, y).to_le_bytes());
            *texel = u32::from_le_bytes(std::array::from_fn(|c| blend(below[c], over[c], a)));
        }
    }
    Some(texels)
}

/// A ground texture laid over a merged one, texel for texel.
struct Tiled<'a> {
    texels: &'a [u32],
    size: (usize, usize),
    /// Merged texels from one repetition to the next.
    span: usize,
}

impl<'a> Tiled<'a> {
    /// Takes the mip level whose texels are as large as the merged texture's, or the finest there is.
    fn new(ground: Ground<'a>, side: usize) -> Tiled<'a> {
        let span = (side / ground.tiling.max(1) as usize).max(1);
        let fits = |level: &usize| ground.texture.level(*level).is_some_and(|l| l.0 as usize >= span);
        let level = (0..ground.texture.level_count()).take_while(fits).last().unwrap_or(0);
        let (w, h, texels) = ground.texture.level(level).unwrap_or((1, 1, &[0]));
        Tiled { texels, size: (w as usize, h as usize), span }
    }

    fn at(&self, x: usize, y: usize) -> u32 {
        let place = |c: usize, size: usize| c % self.span * size / self.span;
        self.texels[place(y, self.size.1) * self.size.0 + place(x, self.size.0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{terrain::code::Corners, texture::pack};
    use threshold_dat::records::AlphaMap;

    #[test]
    fn spec_9_6_rotated_reads_and_blends() {
        let expected = [(10, 20), (491, 10), (501, 491), (20, 501)];
        for (turns, place) in (0..4).zip(expected) {
            assert_eq!(rotated(10, 20, 512, turns), place);
        }
        for (a, value) in [(0, 100), (1, 100), (128, 150), (129, 150), (254, 199), (255, 200)] {
            assert_eq!(blend(200, 100, a), value, "a = {a}");
        }
    }

    struct Two {
        grounds: Vec<(u8, Texture)>,
        mask: Mask,
    }

    impl MergeSource for Two {
        fn ground(&self, kind: u8) -> Option<Ground<'_>> {
            let (_, texture) = self.grounds.iter().find(|(k, _)| *k == kind)?;
            Some(Ground { texture, tiling: 1 })
        }

        fn mask(&self, _: DatId) -> Option<&Mask> {
            Some(&self.mask)
        }
    }

    #[test]
    fn a_corner_overlay_shows_in_its_corner_only() {
        // The map for code 8 (north-west): its top left quarter shows the overlay.
        let bytes: Vec<u8> = (0..16).map(|i| if i % 4 < 2 && i / 4 < 2 { 0 } else { 255 }).collect();
        let source = Two {
            grounds: vec![
                (1, Texture::solid(pack(0, 200, 0, 255))),
                (9, Texture::solid(pack(200, 0, 0, 255))),
            ],
            mask: Mask::new(4, 4, &bytes),
        };
        let map = AlphaMap { code: 8, texture: DatId(0x0500_0001) };
        let lists = TextureMerge { corner_maps: vec![map], ..TextureMerge::default() };
        let red_quarters = |types: [u8; 4]| {
            let code = CellCode::new(Corners { roads: [0; 4], types }, true);
            let texels = merge_cell(code, 8, &lists, &source).unwrap();
            let red = |x: usize, y: usize| texels[y * 8 + x] == pack(200, 0, 0, 255);
            // South-west, south-east, north-east, north-west; the first row is north.
            [red(1, 6), red(6, 6), red(6, 1), red(1, 1)]
        };
        assert_eq!(red_quarters([1, 1, 1, 9]), [false, false, false, true]);
        assert_eq!(red_quarters([9, 1, 1, 1]), [true, false, false, false]);
        assert_eq!(red_quarters([1, 9, 1, 1]), [false, true, false, false]);
        assert_eq!(red_quarters([1, 1, 9, 1]), [false, false, true, false]);
        assert_eq!(red_quarters([1, 1, 9, 9]), [false; 4], "no side map: the overlay is skipped");
    }

    #[test]
    fn the_base_repeats_and_an_unknown_base_is_nothing() {
        let checks = Texture::from_texels(2, 2, vec![1, 2, 3, 4]);
        let ground = Ground { texture: &checks, tiling: 2 };
        let row: Vec<u32> = (0..4).map(|x| Tiled::new(ground, 4).at(x, 0)).collect();
        assert_eq!(row, [1, 2, 1, 2]);
        let row: Vec<u32> = (0..8).map(|x| Tiled::new(ground, 8).at(x, 7)).collect();
        assert_eq!(row, [3, 3, 4, 4, 3, 3, 4, 4]);
        let source = Two { grounds: Vec::new(), mask: Mask::new(0, 0, &[]) };
        assert_eq!(merge_cell(CellCode(0x1000_8421), 4, &TextureMerge::default(), &source), None);
    }
}
