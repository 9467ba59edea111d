//! Terrain of a block: heights, triangles, water, roads.

use crate::{
    BlockId, EPSILON,
    coords::{CELL_SIDE, CELLS_PER_BLOCK, within_cell},
    geometry::{Plane, polygon_plane},
};
use glam::Vec3;
use threshold_dat::prefetch;

/// Height samples along one side of a block.
pub const SAMPLES_PER_SIDE: usize = 9;

/// Smallest upward component of the normal of ground one can stand on: cos(60·180/π), as the original computes it.
pub const FLOOR_Z: f32 = 0.664_174_14;

/// Half the width of a road, and how far it reaches from a corner that has one.
const ROAD_WIDTH: f32 = 5.0;

/// The ground under a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Which of the cell's triangles.
    pub half: usize,
    /// Its plane in block coordinates.
    pub plane: Plane,
    /// Height of the plane at the point.
    pub height: f32,
}

impl Ground {
    /// Whether it is flat enough to stand on.
    pub fn is_walkable(&self) -> bool {
        self.plane.normal.z >= FLOOR_Z
    }
}

/// How much of a cell or block is water. Spec: physics-cells §4.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum WaterClass {
    /// None of it.
    #[default]
    Dry,
    /// Some of it.
    Partial,
    /// All of it.
    Full,
}

/// Whether the diagonal of the cell at global grid coordinates runs from south-west to north-east.
/// Spec: physics-cells §4.2.
pub fn splits_sw_ne(x: u32, y: u32) -> bool {
    let h = y
        .wrapping_mul(214_614_067u32.wrapping_mul(x).wrapping_add(1_813_693_831))
        .wrapping_sub(1_109_124_029u32.wrapping_mul(x))
        .wrapping_sub(1_369_149_221);
    f64::from(h) * f64::from(2.328_306_4e-10_f32) >= 0.5
}

/// Terrain of one block.
#[derive(Clone, Debug)]
pub struct Terrain {
    heights: [f32; 81],
    words: [u16; 81],
    planes: [[Plane; 2]; 64],
    /// Bit per cell: diagonal from south-west to north-east.
    splits: u64,
    water: [WaterClass; 64],
    /// Water class of the whole block.
    pub block_water: WaterClass,
}

impl Terrain {
    /// Terrain from heights and terrain words, both indexed `column × 9 + row`.
    pub fn new(block: BlockId, heights: [f32; 81], words: [u16; 81]) -> Terrain {
        let mut terrain = Terrain {
            heights,
            words,
            planes: [[Plane::default(); 2]; 64],
            splits: 0,
            water: [WaterClass::Dry; 64],
            block_water: WaterClass::Dry,
        };
        let base = (u32::from(block.x()) * 8, u32::from(block.y()) * 8);
        for cell in 0..64 {
            let (i, j) = (cell as u32 >> 3, cell as u32 & 7);
            if splits_sw_ne(base.0 + i, base.1 + j) {
                terrain.splits |= 1 << cell;
            }
            for half in 0..2 {
                let up = Plane { normal: Vec3::Z, d: 0.0 };
                terrain.planes[cell][half] = polygon_plane(&terrain.triangle(cell, half)).unwrap_or(up);
            }
            let wet =
                terrain.corner_samples(cell).iter().filter(|&&s| is_water(terrain.terrain_type(s))).count();
            terrain.water[cell] = match wet {
                0 => WaterClass::Dry,
                4 => WaterClass::Full,
                _ => WaterClass::Partial,
            };
        }
        terrain.block_water = if terrain.water.iter().all(|&w| w == WaterClass::Dry) {
            WaterClass::Dry
        } else if terrain.water.iter().all(|&w| w == WaterClass::Full) {
            WaterClass::Full
        } else {
            WaterClass::Partial
        };
        terrain
    }

    /// Height of a sample, `column × 9 + row`.
    pub fn height(&self, sample: usize) -> f32 {
        self.heights[sample]
    }

    /// Terrain type 0…31 of a sample.
    pub fn terrain_type(&self, sample: usize) -> u8 {
        (self.words[sample] >> 2 & 0x1F) as u8
    }

    /// Road code 0…3 of a sample.
    pub fn road(&self, sample: usize) -> u8 {
        (self.words[sample] & 3) as u8
    }

    /// Scenery code 0…31 of a sample.
    pub fn scenery(&self, sample: usize) -> u8 {
        (self.words[sample] >> 11) as u8
    }

    /// Whether a cell's diagonal runs from south-west to north-east.
    #[inline]
    pub fn splits_sw_ne(&self, cell: usize) -> bool {
        self.splits >> cell & 1 == 1
    }

    /// Water class of a cell.
    #[inline]
    pub fn water(&self, cell: usize) -> WaterClass {
        self.water[cell]
    }

    /// Samples of a cell's corners: south-west, south-east, north-west, north-east.
    pub fn corner_samples(&self, cell: usize) -> [usize; 4] {
        let (i, j) = (cell >> 3, cell & 7);
        let at = |i: usize, j: usize| i * SAMPLES_PER_SIDE + j;
        [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)]
    }

    /// A vertex in block coordinates.
    pub fn vertex(&self, sample: usize) -> Vec3 {
        let (i, j) = (sample / SAMPLES_PER_SIDE, sample % SAMPLES_PER_SIDE);
        Vec3::new(i as f32 * CELL_SIDE, j as f32 * CELL_SIDE, self.heights[sample])
    }

    /// Vertices of one of a cell's two triangles, counter-clockwise seen from above. Spec: physics-cells §4.2.
    pub fn triangle(&self, cell: usize, half: usize) -> [Vec3; 3] {
        let [sw, se, nw, ne] = self.corner_samples(cell);
        let samples = match (self.splits_sw_ne(cell), half) {
            (true, 0) => [sw, se, ne],
            (true, _) => [sw, ne, nw],
            (false, 0) => [sw, se, nw],
            (false, _) => [ne, nw, se],
        };
        samples.map(|s| self.vertex(s))
    }

    /// Asks for what a sweep reads of a cell first.
    pub(crate) fn prefetch(&self, cell: usize) {
        prefetch(&self.planes[cell]);
        prefetch(&self.splits);
        prefetch(&self.water[cell]);
    }

    /// Plane of one of a cell's two triangles.
    #[inline]
    pub fn plane(&self, cell: usize, half: usize) -> &Plane {
        &self.planes[cell][half]
    }

    /// Which of a cell's triangles lies under a point in plan view, edges included; triangle 0 is tried first.
    /// Retail: `CPolygon::point_in_poly2D`. Spec: physics-cells §4.2.
    #[inline]
    pub fn triangle_under(&self, cell: usize, p: Vec3) -> Option<usize> {
        let (column, row) = (cell as i32 >> 3, cell as i32 & 7);
        let from = |index: i32, v: f32| [v - index as f32 * CELL_SIDE, v - (index + 1) as f32 * CELL_SIDE];
        let ([west, east], [south, north]) = (from(column, p.x), from(row, p.y));
        // Two edges of each triangle run along an axis; what is left of their tests is one comparison each. The third is
        // the diagonal, whose sides along the axes are as long as the cell's.
        let [west_of, east_of] = [west < 0.0, east > 0.0];
        let ([beside_first, beside_second], is_past_first, is_past_second) = if self.splits_sw_ne(cell) {
            ([east_of, west_of], is_larger(north, east), is_larger(west, south))
        } else {
            ([west_of, east_of], is_larger(south, -east), is_larger(-west, north))
        };
        if !(south < 0.0 || beside_first || is_past_first) {
            Some(0)
        } else if !(north > 0.0 || beside_second || is_past_second) {
            Some(1)
        } else {
            None
        }
    }

    /// The ground under a point of a cell; `None` when the point is not over the cell.
    pub fn ground(&self, cell: usize, p: Vec3) -> Option<Ground> {
        let half = self.triangle_under(cell, p)?;
        let plane = *self.plane(cell, half);
        let n = plane.normal;
        Some(Ground { half, plane, height: -(n.x * p.x + n.y * p.y + plane.d) / n.z })
    }

    /// The ground under a point in block coordinates; `None` outside the block.
    pub fn ground_at(&self, p: Vec3) -> Option<Ground> {
        self.ground(cell_index_at(p)?, p)
    }

    /// Normal of the ground at a sample: the mean of this block's own triangles that touch it.
    /// Retail: `CLandBlockStruct::calc_lighting` (0x00531700). Spec: render-data §9.4.
    pub fn vertex_normal(&self, sample: usize) -> Vec3 {
        let (i, j) = (sample / SAMPLES_PER_SIDE, sample % SAMPLES_PER_SIDE);
        let vertex = self.vertex(sample);
        let around = |v: usize| v.saturating_sub(1)..(v + 1).min(CELLS_PER_BLOCK as usize);
        let mut sum = Vec3::ZERO;
        for cell in around(i).flat_map(|i| around(j).map(move |j| i * 8 + j)) {
            for half in 0..2 {
                if self.triangle(cell, half).contains(&vertex) {
                    sum += self.plane(cell, half).normal;
                }
            }
        }
        let length = sum.length();
        if length < EPSILON { Vec3::Z } else { sum / length }
    }

    /// The sample nearest to a point, which gives it its terrain type; points outside count to the edge.
    pub fn nearest_sample(p: Vec3) -> usize {
        let index = |v: f32| (v / CELL_SIDE).round().clamp(0.0, CELLS_PER_BLOCK as f32) as usize;
        index(p.x) * SAMPLES_PER_SIDE + index(p.y)
    }

    /// Whether a point of a cell is on a road. Spec: render-data §10.1.
    pub fn is_on_road(&self, cell: usize, p: Vec3) -> bool {
        let (i, j) = (cell >> 3, cell & 7);
        let (u, v) = (p.x - i as f32 * CELL_SIDE, p.y - j as f32 * CELL_SIDE);
        let (near, far, side) = (ROAD_WIDTH, CELL_SIDE - ROAD_WIDTH, CELL_SIDE);
        let [sw, se, nw, ne] = self.corner_samples(cell).map(|s| self.road(s) != 0);
        match (sw, nw, se, ne) {
            (true, true, true, true) => true,
            (true, true, true, false) => u < near || v < near,
            (true, true, false, true) => u < near || v > far,
            (true, false, true, true) => u > far || v < near,
            (false, true, true, true) => u > far || v > far,
            (true, true, false, false) => u < near,
            (true, false, true, false) => v < near,
            (false, true, false, true) => v > far,
            (false, false, true, true) => u > far,
            (true, false, false, true) => (u - v).abs() < near,
            (false, true, true, false) => (u + v - side).abs() < near,
            (true, false, false, false) => u + v < near,
            (false, true, false, false) => side + u - v < near,
            (false, false, true, false) => side - u + v < near,
            (false, false, false, true) => 2.0 * side - u - v < near,
            (false, false, false, false) => false,
        }
    }

    /// Depth of the water over the ground at a point of a cell. Spec: physics-cells §4.3.
    #[inline]
    pub fn water_depth(&self, cell: usize, p: Vec3) -> f32 {
        match self.water(cell) {
            WaterClass::Dry => 0.0,
            WaterClass::Full => 0.9,
            WaterClass::Partial => {
                let far = |v: f32| usize::from(within_cell(v) > CELL_SIDE / 2.0);
                let corner = self.corner_samples(cell)[far(p.x) + 2 * far(p.y)];
                if is_water(self.terrain_type(corner)) { 0.45 } else { 0.1 }
            }
        }
    }
}

/// Compares two distances as the original does, which multiplies them by the side of a cell first.
#[inline]
fn is_larger(a: f32, b: f32) -> bool {
    a * CELL_SIDE > b * CELL_SIDE
}

/// Terrain types that are water.
pub fn is_water(terrain_type: u8) -> bool {
    (16..=20).contains(&terrain_type)
}

/// Outdoor cell index of block-local coordinates, when they lie in the block.
pub fn cell_index_at(p: Vec3) -> Option<usize> {
    let index = |v: f32| {
        let cell = (v / CELL_SIDE).floor();
        (0.0..CELLS_PER_BLOCK as f32).contains(&cell).then_some(cell as usize)
    };
    Some(index(p.x)? * 8 + index(p.y)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec: physics-tests 24, render-data §9.2 and §9.6.
    #[test]
    fn diagonals_follow_the_hash_of_the_global_cell() {
        for (x, y, sw_ne) in [
            (0, 0, true),
            (1, 0, false),
            (0, 1, false),
            (1, 1, true),
            (1352, 1440, true),
            (1358, 1440, true),
            (1355, 1442, false),
            (1355, 1445, false),
            (1000, 1000, false),
            (42, 314, false),
            (2039, 0, false),
            (0, 2039, true),
            (2039, 2039, false),
            (1359, 1447, true),
            (7, 7, false),
        ] {
            assert_eq!(splits_sw_ne(x, y), sw_ne, "({x}, {y})");
        }
        for (block, columns) in [
            (0x0000, [0xAD, 0xAA, 0xAA, 0xA9, 0x2D, 0x24, 0x26, 0x73]),
            (0x0102, [0xE3, 0x78, 0x1F, 0x00, 0x0F, 0xFE, 0xF0, 0xC7]),
            (0xC6A9, [0x2B, 0x96, 0x6D, 0xB3, 0xCE, 0x38, 0x87, 0xFC]),
        ] {
            let terrain = Terrain::new(BlockId(block), [0.0; 81], [0; 81]);
            let found: [u8; 8] =
                std::array::from_fn(|i| (0..8).map(|j| u8::from(terrain.splits_sw_ne(i * 8 + j)) << j).sum());
            assert_eq!(found, columns, "{block:04X}");
        }
    }

    /// A block whose ground rises one metre per metre to the east.
    fn slope() -> Terrain {
        let heights = std::array::from_fn(|s| (s / SAMPLES_PER_SIDE) as f32 * CELL_SIDE);
        Terrain::new(BlockId(0xA9B4), heights, [0; 81])
    }

    #[test]
    fn the_ground_under_a_point_is_on_the_triangles_plane() {
        let terrain = slope();
        let ground = terrain.ground_at(Vec3::new(30.0, 100.0, 500.0)).unwrap();
        assert!((ground.height - 30.0).abs() < 1e-3, "{ground:?}");
        assert!(ground.is_walkable(), "45 degrees are below the limit of 48");
        assert_eq!(terrain.ground_at(Vec3::new(-0.1, 3.0, 0.0)), None);
        assert_eq!(terrain.ground(0, Vec3::new(30.0, 3.0, 0.0)), None);
        let steep = Terrain::new(BlockId(0), std::array::from_fn(|s| (s / 9) as f32 * 30.0), [0; 81]);
        assert!(!steep.ground_at(Vec3::new(1.0, 1.0, 0.0)).unwrap().is_walkable());
    }

    /// The routine of the original on both triangles, for points that rounding could put to either side of an edge.
    #[test]
    fn a_point_is_over_the_triangle_whose_edges_it_is_within() {
        let within = |vertices: [Vec3; 3], p: Vec3| {
            let mut previous = vertices[0];
            vertices.iter().rev().all(|&current| {
                let area = (current.x - previous.x) * (p.y - current.y)
                    + (previous.y - current.y) * (p.x - current.x);
                previous = current;
                area <= 0.0
            })
        };
        let terrain = slope();
        let near = |v: f32| [v - 5.0, v - 1e-4, v.next_down(), v, v.next_up(), v + 1e-6, v + 1e-4, v + 5.0];
        let places = |v: f32| [v, v + CELL_SIDE / 3.0, v + CELL_SIDE].into_iter().flat_map(near);
        for cell in 0..64 {
            let (x, y) = ((cell >> 3) as f32 * CELL_SIDE, (cell & 7) as f32 * CELL_SIDE);
            for p in places(x).flat_map(|px| places(y).map(move |py| Vec3::new(px, py, 0.0))) {
                let half = (0..2).find(|&half| within(terrain.triangle(cell, half), p));
                assert_eq!(terrain.triangle_under(cell, p), half, "{cell} {p}");
            }
        }
    }

    #[test]
    fn vertex_normals_are_means_of_the_triangles_around() {
        let terrain = slope();
        let tilted = Vec3::new(-1.0, 0.0, 1.0).normalize();
        for sample in 0..81 {
            assert!((terrain.vertex_normal(sample) - tilted).length() < 1e-6, "{sample}");
        }
        let mut heights = [0.0; 81];
        heights[4 * 9 + 4] = 10.0;
        let peak = Terrain::new(BlockId(0xA9B4), heights, [0; 81]);
        let east = peak.vertex_normal(5 * 9 + 4);
        assert!(east.x > 0.05, "the ground falls to the east there: {east}");
        assert_eq!(peak.vertex_normal(0), Vec3::Z);
    }

    /// Spec: render-data §10.3, last lines.
    #[test]
    fn roads_run_between_the_corners_that_have_them() {
        let with_roads = |corners: &[usize]| {
            let mut words = [0u16; 81];
            corners.iter().for_each(|&s| words[s] = 1);
            Terrain::new(BlockId(0xA9B4), [0.0; 81], words)
        };
        let (sw, nw, se, ne) = (0, 1, 9, 10);
        let on = |terrain: &Terrain, u: f32, v: f32| terrain.is_on_road(0, Vec3::new(u, v, 0.0));
        let west = with_roads(&[sw, nw]);
        assert!(on(&west, 4.99, 12.0) && !on(&west, 5.0, 12.0));
        let all = with_roads(&[sw, nw, se, ne]);
        assert!(on(&all, 12.0, 12.0));
        let diagonal = with_roads(&[sw, ne]);
        assert!(on(&diagonal, 10.0, 14.9) && !on(&diagonal, 10.0, 15.0));
        let corner = with_roads(&[ne]);
        assert!(on(&corner, 22.0, 21.1) && !on(&corner, 22.0, 21.0));
        assert!(!on(&with_roads(&[]), 0.0, 0.0));
    }

    #[test]
    fn the_nearest_sample_gives_the_terrain_type() {
        assert_eq!(Terrain::nearest_sample(Vec3::new(11.9, 12.1, 0.0)), 1);
        assert_eq!(Terrain::nearest_sample(Vec3::new(500.0, -5.0, 0.0)), 72);
    }
}
