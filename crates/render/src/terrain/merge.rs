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

    /// Where the texels of a map of `side` texels are read when the mask is turned counter-clockwise by quarters: the byte
    /// of texel (x, y) is at `columns[x] + rows[y]`. Retail: `ImgTex::MergeTexture`.
    fn lay(&self, side: usize, turns: u32) -> Lookup {
        let (w, last) = (self.side, self.side.saturating_sub(1));
        let along = |place: fn(usize, usize, usize) -> usize| {
            (0..side).map(|i| place(i * w / side, w, last) as u32).collect()
        };
        let (columns, rows) = match turns {
            0 => (along(|x, _, _| x), along(|y, w, _| y * w)),
            1 => (along(|x, w, _| x * w), along(|y, _, last| last - y)),
            2 => (along(|x, _, last| last - x), along(|y, w, last| (last - y) * w)),
            _ => (along(|x, w, last| (last - x) * w), along(|y, _, _| y)),
        };
        Lookup { columns, rows }
    }
}

/// Where a picture laid over a square map is read: at the sum of a column's and a row's part.
struct Lookup {
    columns: Vec<u32>,
    rows: Vec<u32>,
}

/// Mixes two texels the way the original does, two channels at a time; 255 keeps what is below.
fn blend(below: u32, over: u32, a: u8) -> u32 {
    let a = u32::from(a) + u32::from(a > 128);
    let mix = |below: u32, over: u32| (below & 0xFF_00FF) * a + (over & 0xFF_00FF) * (256 - a);
    (mix(below, over) >> 8 & 0xFF_00FF) | (mix(below >> 8, over >> 8) & 0xFF00_FF00)
}

/// The texture of a terrain type and how often it repeats across a cell.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// Its texels.
    pub texture: &'a Texture,
    /// Repetitions per cell.
    pub tiling: u32,
}

/// The source of textures and masks for a merge.
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

/// The texture of a cell with `side` texels a side; `None` when its base is unknown.
///
/// An overlay without a fitting mask is skipped. Retail: `ImgTex::TileCSI`, `MergeTexture`.
///
/// In the original nothing is filtered across the border of two cells, and stones are cut there. Here the texels at the rim, of
/// every mip level, are the mean of what lies on both sides: neighbours show the same ground there, as they share its
/// samples, and grounds repeat.
pub fn merge_cell(
    code: CellCode,
    side: usize,
    merge: &TextureMerge,
    source: &impl MergeSource,
) -> Option<Texture> {
    let whole = Merge::new(code, side, merge, source)?;
    let mut texels = whole.base.lay();
    whole.cover(&mut texels, 0);
    let mut texture = Texture::from_texels(side as u32, side as u32, texels);
    mix_rims(&mut texture, code, side, merge, source)?;
    Some(texture)
}

/// Mixes the rim of every level with what lies beyond it.
fn mix_rims(
    texture: &mut Texture,
    code: CellCode,
    side: usize,
    merge: &TextureMerge,
    source: &impl MergeSource,
) -> Option<()> {
    for level in 0..texture.level_count() {
        let merge = Merge::new(code, side >> level, merge, source)?;
        texture.mix_rim(level, |x, y| merge.texel(x, y));
    }
    Some(())
}

/// Texels that one slice of a [`SlicedMerge`] covers with its overlays.
const SLICE: usize = 1 << 15;

/// What [`merge_cell`] does, in slices of a fraction of a millisecond, for frames that must not wait for all of it.
pub(crate) struct SlicedMerge {
    code: CellCode,
    side: usize,
    texels: Vec<u32>,
    /// Rows that have their overlays.
    covered: usize,
    texture: Option<Texture>,
}

/// What a slice of a merge led to.
pub(crate) enum Slice {
    /// There is more to do.
    More,
    /// The texture; `None` when its base is unknown.
    Done(Option<Texture>),
}

impl SlicedMerge {
    /// A merge of which nothing is done yet.
    pub(crate) fn new(code: CellCode, side: usize) -> SlicedMerge {
        SlicedMerge { code, side, texels: Vec::new(), covered: 0, texture: None }
    }

    /// The code whose texture it is.
    pub(crate) fn code(&self) -> CellCode {
        self.code
    }

    /// Does the next slice.
    pub(crate) fn go_on(&mut self, merge: &TextureMerge, source: &impl MergeSource) -> Slice {
        let side = self.side;
        if let Some(mut texture) = self.texture.take() {
            let mixed = mix_rims(&mut texture, self.code, side, merge, source);
            return Slice::Done(mixed.map(|()| texture));
        }
        let Some(whole) = Merge::new(self.code, side, merge, source) else { return Slice::Done(None) };
        if self.texels.is_empty() {
            self.texels = whole.base.lay();
        } else if self.covered < side {
            let rows = (SLICE / side).clamp(1, side - self.covered);
            let some = &mut self.texels[self.covered * side..][..rows * side];
            whole.cover(some, self.covered);
            self.covered += rows;
        } else {
            let texels = std::mem::take(&mut self.texels);
            self.texture = Some(Texture::from_texels(side as u32, side as u32, texels));
        }
        Slice::More
    }
}

/// What a cell shows, from the ground up: the base, and what is laid over it.
struct Merge<'a> {
    side: usize,
    base: Tiled<'a>,
    overlays: Vec<(Tiled<'a>, &'a Mask, Lookup)>,
}

impl<'a> Merge<'a> {
    fn new(
        code: CellCode,
        side: usize,
        merge: &TextureMerge,
        source: &'a impl MergeSource,
    ) -> Option<Merge<'a>> {
        let layers = code.layers(source.ground(ROAD).is_some());
        let base = Tiled::new(source.ground(layers.base)?, side);
        let terrain = layers.overlays.iter().flatten().map(|o| (o.kind, terrain_mask(merge, code, o.mask)));
        let roads = layers.roads.iter().flatten().map(|&r| (ROAD, road_mask(merge, code, r)));
        let overlays = terrain.chain(roads).filter_map(|(kind, found)| {
            let (id, turns) = found?;
            let mask = source.mask(id).filter(|mask| mask.side > 0)?;
            Some((Tiled::new(source.ground(kind)?, side), mask, mask.lay(side, turns)))
        });
        Some(Merge { side, base, overlays: overlays.collect() })
    }

    /// Lays the overlays over rows of the base, of which the first one has a number.
    fn cover(&self, rows: &mut [u32], first: usize) {
        let Merge { side, overlays, .. } = self;
        for (over, mask, lookup) in overlays {
            for (y, row) in (first..).zip(rows.chunks_exact_mut(*side)) {
                let (mask_row, over_row) = (lookup.rows[y], over.lookup.rows[y]);
                let columns = lookup.columns.iter().zip(&over.lookup.columns);
                for (texel, (&mask_column, &over_column)) in row.iter_mut().zip(columns) {
                    // Most of a mask is one or the other; blending would give the same.
                    let over = || over.texels[(over_row + over_column) as usize];
                    match mask.bytes[(mask_row + mask_column) as usize] {
                        255 => {}
                        0 => *texel = over(),
                        a => *texel = blend(*texel, over(), a),
                    }
                }
            }
        }
    }

    /// A texel that may lie beyond the cell: grounds go on, and so does what masks have at their rim.
    fn texel(&self, x: i32, y: i32) -> u32 {
        let side = self.side as i32;
        let on = |tiled: &Tiled<'_>| {
            let (column, row) = (x.rem_euclid(side) as usize, y.rem_euclid(side) as usize);
            tiled.texels[(tiled.lookup.rows[row] + tiled.lookup.columns[column]) as usize]
        };
        let (column, row) = (x.clamp(0, side - 1) as usize, y.clamp(0, side - 1) as usize);
        self.overlays.iter().fold(on(&self.base), |below, (over, mask, lookup)| {
            let a = mask.bytes[(lookup.rows[row] + lookup.columns[column]) as usize];
            blend(below, on(over), a)
        })
    }
}

/// A ground texture laid over a merged one, texel for texel.
struct Tiled<'a> {
    texels: &'a [u32],
    lookup: Lookup,
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
        let place = |i: usize, size: u32| (i % span * size as usize / span) as u32;
        let lookup = Lookup {
            columns: (0..side).map(|x| place(x, w)).collect(),
            rows: (0..side).map(|y| place(y, h) * w).collect(),
        };
        Tiled { texels, lookup, span }
    }

    /// The texels of the whole map. One repetition is looked up, the others are copies of it.
    fn lay(&self) -> Vec<u32> {
        let Lookup { columns, rows } = &self.lookup;
        let (side, span) = (columns.len(), self.span);
        // With room for mip levels, so that nothing is copied for them.
        let mut texels = Vec::with_capacity(Texture::texel_count(side as u32, rows.len() as u32));
        for (y, row) in rows.iter().enumerate() {
            let start = texels.len();
            if y >= span {
                let above = start - span * side;
                texels.extend_from_within(above..above + side);
                continue;
            }
            let first = columns.iter().take(span);
            texels.extend(first.map(|column| self.texels[(row + column) as usize]));
            while texels.len() < start + side {
                let missing = start + side - texels.len();
                texels.extend_from_within(start..start + span.min(missing));
            }
        }
        texels
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{terrain::code::Corners, texture::pack};
    use threshold_dat::records::AlphaMap;

    #[test]
    fn spec_9_6_rotated_reads_and_blends() {
        let mask = Mask::new(512, 512, &[0; 512 * 512]);
        let expected = [(10, 20), (491, 10), (501, 491), (20, 501)];
        for (turns, (x, y)) in (0..4).zip(expected) {
            let lookup = mask.lay(512, turns);
            assert_eq!(lookup.columns[10] + lookup.rows[20], y * 512 + x);
        }
        for (a, value) in [(0, 100), (1, 100), (128, 150), (129, 150), (254, 199), (255, 200)] {
            let (below, over) = (pack(200, 0, 200, 200), pack(100, 0, 100, 100));
            assert_eq!(blend(below, over, a), pack(value, 0, value, value), "a = {a}");
        }
        assert_eq!(blend(u32::MAX, u32::MAX, 128), u32::MAX);
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
            let texture = merge_cell(code, 8, &lists, &source).unwrap();
            let (_, _, texels) = texture.level(0).unwrap();
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
    fn cells_with_a_ground_in_common_meet_without_a_cut() {
        // Stones that repeat across a cell; the road runs along the border of two cells.
        let stones: Vec<u32> =
            (0..256).map(|i| pack((i * 37 % 251) as u8, (i * 91 % 239) as u8, 0, 255)).collect();
        let source = Two {
            grounds: vec![
                (1, Texture::solid(pack(0, 200, 0, 255))),
                (ROAD, Texture::from_texels(16, 16, stones)),
            ],
            mask: Mask::new(4, 4, &[0, 0, 255, 255].repeat(4)),
        };
        let map = AlphaMap { code: 9, texture: DatId(0x0500_0001) };
        let lists = TextureMerge { road_maps: vec![map], ..TextureMerge::default() };
        let cell = |roads: [u8; 4]| {
            let code = CellCode::new(Corners { roads, types: [1; 4] }, true);
            merge_cell(code, 16, &lists, &source).unwrap()
        };
        // South of the road and north of it.
        let (south, north) = (cell([0, 0, 1, 1]), cell([1, 1, 0, 0]));
        // The last level has one texel for everything.
        for level in 0..south.level_count() - 1 {
            let (side, _, above) = north.level(level).unwrap();
            let (_, _, below) = south.level(level).unwrap();
            let side = side as usize;
            assert_eq!(above[side * (side - 1)..], below[..side], "level {level}");
        }
    }

    #[test]
    fn a_merge_in_slices_is_the_same_as_one_at_once() {
        let stones: Vec<u32> =
            (0..1 << 16).map(|i| pack((i * 37 % 251) as u8, (i * 91 % 239) as u8, 0, 255)).collect();
        let bytes: Vec<u8> = (0..1 << 16).map(|i| (i * 13 % 256) as u8).collect();
        let source = Two {
            grounds: vec![
                (1, Texture::solid(pack(0, 200, 0, 255))),
                (9, Texture::from_texels(256, 256, stones)),
            ],
            mask: Mask::new(256, 256, &bytes),
        };
        let map = AlphaMap { code: 8, texture: DatId(0x0500_0001) };
        let lists = TextureMerge { corner_maps: vec![map], ..TextureMerge::default() };
        let code = CellCode::new(Corners { roads: [0; 4], types: [1, 1, 1, 9] }, true);
        for (side, slices) in [(8, 4), (512, 11)] {
            let mut sliced = SlicedMerge::new(code, side);
            let mut count = 1;
            let texture = loop {
                match sliced.go_on(&lists, &source) {
                    Slice::More => count += 1,
                    Slice::Done(texture) => break texture,
                }
            };
            assert_eq!(count, slices, "slices of {side} × {side} texels");
            assert!(texture.is_some() && texture == merge_cell(code, side, &lists, &source));
        }
    }

    #[test]
    fn the_base_repeats_and_an_unknown_base_is_nothing() {
        let checks = Texture::from_texels(2, 2, vec![1, 2, 3, 4]);
        let ground = Ground { texture: &checks, tiling: 2 };
        let row = |side: usize, y: usize| -> Vec<u32> {
            Tiled::new(ground, side).lay().chunks_exact(side).nth(y).unwrap().to_vec()
        };
        assert_eq!(row(4, 0), [1, 2, 1, 2]);
        assert_eq!(row(5, 4), [1, 2, 1, 2, 1], "the last repetition is cut");
        assert_eq!(row(8, 7), [3, 3, 4, 4, 3, 3, 4, 4]);
        let source = Two { grounds: Vec::new(), mask: Mask::new(0, 0, &[]) };
        assert_eq!(merge_cell(CellCode(0x1000_8421), 4, &TextureMerge::default(), &source), None);
    }
}
