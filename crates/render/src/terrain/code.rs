//! The texture of a land cell, from the types and roads of its four corners. Spec: render-data §9.3.

/// Terrain type number of the road texture.
pub const ROAD: u8 = 32;

/// Roads and types of a cell's corners in the order south-west, south-east, north-east, north-west.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corners {
    /// Road codes, 0…3.
    pub roads: [u8; 4],
    /// Terrain types, 0…31.
    pub types: [u8; 4],
}

/// A cell's appearance as one number; cells with the same code look the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellCode(pub u32);

impl CellCode {
    /// The code of a cell. Retail: `CLandBlockStruct::GetCellRotation` (0x00532170).
    pub fn new(corners: Corners, full_resolution: bool) -> CellCode {
        let scale = if full_resolution { 1 } else { 4 };
        let roads = corners.roads.iter().fold(0, |code, &r| code << 2 | u32::from(r & 3));
        let types = corners.types.iter().fold(0, |code, &t| code << 5 | u32::from(t & 31));
        CellCode(scale << 28 | roads << 20 | types)
    }

    /// The corners that the code was made from.
    pub fn corners(self) -> Corners {
        let field = |shift: u32, mask: u32| (self.0 >> shift & mask) as u8;
        Corners {
            roads: [26, 24, 22, 20].map(|shift| field(shift, 3)),
            types: [15, 10, 5, 0].map(|shift| field(shift, 31)),
        }
    }

    /// Whether the cell belongs to a block of full resolution.
    pub fn full_resolution(self) -> bool {
        self.0 >> 28 == 1
    }

    /// One of `n` things, at random but always the same for the same code; 0 when there are none.
    pub fn pick(self, n: usize) -> usize {
        let u = 1_379_576_222u32.wrapping_mul(self.0).wrapping_sub(1_372_186_442);
        let index = (f64::from(u) / 4_294_967_296.0 * n as f64) as usize;
        if index < n { index } else { 0 }
    }

    /// The layers of the cell's texture. Retail: `TexMerge::GetTerrain`, `GetRoadCode`.
    pub fn layers(self, has_road_texture: bool) -> Layers {
        let Corners { roads, types } = self.corners();
        let mask = (0..4).fold(0u8, |mask, k| mask | u8::from(roads[k] != 0) << k);
        if mask == 15 && has_road_texture {
            return Layers { base: ROAD, ..Layers::default() };
        }
        let mut layers = terrain_layers(types);
        layers.roads = match mask {
            0 => [None, None],
            14 => [Some(6), Some(12)],
            13 => [Some(9), Some(12)],
            11 => [Some(9), Some(3)],
            7 => [Some(3), Some(6)],
            code => [Some(code), None],
        };
        layers
    }

    /// Whether the texture repeats across the cell's edges.
    pub fn wraps(self) -> bool {
        let Corners { roads, types } = self.corners();
        let equal = |values: [u8; 4]| values.iter().all(|&v| v == values[0]);
        equal(roads) && (roads[0] != 0 || equal(types))
    }
}

/// A terrain type laid over the base where its mask says; the mask has a bit per corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// Terrain type.
    pub kind: u8,
    /// Corners, bit 0 south-west, then counter-clockwise.
    pub mask: u8,
}

/// The layers of a cell's texture, from the bottom up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Layers {
    /// Terrain type below everything.
    pub base: u8,
    /// Other types.
    pub overlays: [Option<Overlay>; 3],
    /// Roads: codes of the masks to be found among the road maps.
    pub roads: [Option<u8>; 2],
}

impl Layers {
    /// Whether only the base is visible.
    pub fn is_plain(&self) -> bool {
        self.overlays.iter().all(Option::is_none) && self.roads.iter().all(Option::is_none)
    }
}

fn terrain_layers(types: [u8; 4]) -> Layers {
    let overlay = |k: usize| Overlay { kind: types[k], mask: 1 << k };
    let repeated = (0..3).find(|&k| types[k + 1..].contains(&types[k]));
    let Some(first) = repeated else {
        let overlays = [1, 2, 3].map(|k| Some(overlay(k)));
        return Layers { base: types[0], overlays, ..Layers::default() };
    };
    let base = types[first];
    let mut layers = Layers { base, ..Layers::default() };
    for k in (0..4).filter(|&k| types[k] != base) {
        match &mut layers.overlays[0] {
            none @ None => *none = Some(overlay(k)),
            Some(a) => {
                if a.kind == types[k] && k > 0 && a.mask == 1 << (k - 1) {
                    a.mask |= 1 << k;
                } else {
                    layers.overlays[1] = Some(overlay(k));
                }
                break;
            }
        }
    }
    layers
}

/// Quarter turns after which a map with code `from` covers the corners of `wanted`; `None` when it never does.
/// Retail: `TexMerge::FindTerrainAlpha`.
pub fn rotations(from: u8, wanted: u8) -> Option<u32> {
    let mut code = u32::from(from);
    for turns in 0..4 {
        if code == u32::from(wanted) {
            return Some(turns);
        }
        code *= 2;
        if code >= 16 {
            code -= 15;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(roads: [u8; 4], types: [u8; 4]) -> CellCode {
        CellCode::new(Corners { roads, types }, true)
    }

    #[test]
    fn spec_9_6_codes_picks_and_layers() {
        type Row = ([u8; 4], [u8; 4], u32, usize, u8, &'static [(u8, u8)], &'static [u8]);
        let rows: [Row; 16] = [
            ([0, 0, 0, 0], [1, 1, 1, 1], 0x1000_8421, 1, 1, &[], &[]),
            ([0, 0, 0, 0], [9, 1, 1, 9], 0x1004_8429, 2, 9, &[(1, 6)], &[]),
            ([0, 0, 0, 0], [9, 1, 1, 1], 0x1004_8421, 0, 1, &[(9, 1)], &[]),
            ([0, 0, 0, 0], [1, 9, 9, 9], 0x1000_A529, 2, 9, &[(1, 1)], &[]),
            ([0, 0, 0, 0], [1, 9, 2, 1], 0x1000_A441, 0, 1, &[(9, 2), (2, 4)], &[]),
            ([0, 0, 0, 0], [1, 9, 1, 9], 0x1000_A429, 1, 1, &[(9, 2), (9, 8)], &[]),
            ([0, 0, 0, 0], [9, 1, 9, 2], 0x1004_8522, 2, 9, &[(1, 2), (2, 8)], &[]),
            ([0, 0, 0, 0], [1, 2, 3, 2], 0x1000_8862, 0, 2, &[(1, 1), (3, 4)], &[]),
            ([0, 0, 0, 0], [1, 2, 3, 4], 0x1000_8864, 3, 1, &[(2, 2), (3, 4), (4, 8)], &[]),
            ([1, 1, 0, 0], [1, 1, 1, 1], 0x1500_8421, 1, 1, &[], &[3]),
            ([1, 0, 1, 0], [1, 1, 1, 1], 0x1440_8421, 1, 1, &[], &[5]),
            ([1, 1, 1, 0], [16, 16, 1, 1], 0x1548_4021, 2, 16, &[(1, 12)], &[3, 6]),
            ([0, 1, 1, 1], [1, 1, 1, 1], 0x1150_8421, 0, 1, &[], &[6, 12]),
            ([1, 0, 1, 1], [1, 1, 1, 1], 0x1450_8421, 3, 1, &[], &[9, 12]),
            ([1, 1, 0, 1], [1, 1, 1, 1], 0x1510_8421, 0, 1, &[], &[9, 3]),
            ([1, 2, 3, 1], [1, 2, 3, 4], 0x16D0_8864, 1, ROAD, &[], &[]),
        ];
        for (roads, types, expected, of_four, base, overlays, road_codes) in rows {
            let code = code(roads, types);
            assert_eq!(code.0, expected, "{roads:?} {types:?}");
            assert_eq!(code.corners(), Corners { roads, types });
            assert_eq!(code.pick(4), of_four, "{code:?}");
            let layers = code.layers(true);
            assert_eq!(layers.base, base, "{code:?}");
            let found: Vec<_> = layers.overlays.iter().flatten().map(|o| (o.kind, o.mask)).collect();
            assert_eq!(found, overlays, "{code:?}");
            assert_eq!(layers.roads.iter().flatten().copied().collect::<Vec<_>>(), road_codes, "{code:?}");
        }
    }

    #[test]
    fn a_reduced_block_has_its_own_codes() {
        let reduced = CellCode::new(Corners { roads: [0; 4], types: [1, 1, 9, 9] }, false);
        assert_eq!((reduced.0, reduced.pick(4)), (0x4000_8529, 3));
        assert_eq!(code([0; 4], [1, 1, 9, 9]).pick(4), 0);
        assert_eq!(code([0; 4], [1; 4]).pick(3), 1);
        assert_eq!(code([0; 4], [1; 4]).pick(0), 0);
    }

    #[test]
    fn spec_9_6_rotations() {
        let expected = [(8, 8, Some(0)), (8, 1, Some(1)), (8, 2, Some(2)), (8, 4, Some(3)), (9, 3, Some(1))];
        for (from, wanted, turns) in expected {
            assert_eq!(rotations(from, wanted), turns);
        }
        assert_eq!((rotations(9, 6), rotations(9, 12)), (Some(2), Some(3)));
        assert_eq!((rotations(10, 5), rotations(5, 9), rotations(255, 3)), (Some(1), None, None));
    }

    #[test]
    fn only_uniform_cells_wrap() {
        assert!(code([0; 4], [3; 4]).wraps());
        assert!(code([2; 4], [1, 2, 3, 4]).wraps());
        assert!(!code([0; 4], [3, 3, 3, 4]).wraps());
        assert!(!code([1, 0, 0, 0], [3; 4]).wraps());
        assert!(code([0; 4], [3; 4]).layers(true).is_plain());
    }
}
