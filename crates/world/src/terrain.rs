//! Terrain of a block: heights, triangles, water, roads.

use crate::{
    BlockId,
    coords::{CELL_SIDE, CELLS_PER_BLOCK},
    geometry::{Plane, polygon_plane},
};
use glam::Vec3;

/// Height samples along one side of a block.
pub const SAMPLES_PER_SIDE: usize = 9;

/// Smallest upward component of the normal of ground one can stand on: cos(60·180/π), as the original computes it.
pub const FLOOR_Z: f32 = 0.664_174_14;

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
    planes: Box<[[Plane; 2]; 64]>,
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
            planes: Box::new([[Plane::default(); 2]; 64]),
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

    /// Plane of one of a cell's two triangles.
    #[inline]
    pub fn plane(&self, cell: usize, half: usize) -> &Plane {
        &self.planes[cell][half]
    }

    /// Which of a cell's triangles lies under a point in plan view, edges included; triangle 0 is tried first.
    /// Spec: physics-cells §4.2.
    #[inline]
    pub fn triangle_under(&self, cell: usize, p: Vec3) -> Option<usize> {
        (0..2).find(|&half| contains_in_plan(&self.triangle(cell, half), p))
    }

    /// Depth of the water over the ground at a point of a cell. Spec: physics-cells §4.3.
    pub fn water_depth(&self, cell: usize, p: Vec3) -> f32 {
        match self.water(cell) {
            WaterClass::Dry => 0.0,
            WaterClass::Full => 0.9,
            WaterClass::Partial => {
                let far = |v: f32| usize::from(v - CELL_SIDE * (v / CELL_SIDE).floor() > CELL_SIDE / 2.0);
                let corner = self.corner_samples(cell)[far(p.x) + 2 * far(p.y)];
                if is_water(self.terrain_type(corner)) { 0.45 } else { 0.1 }
            }
        }
    }
}

/// Terrain types that are water.
pub fn is_water(terrain_type: u8) -> bool {
    (16..=20).contains(&terrain_type)
}

/// Plan-view containment, edges included, for counter-clockwise loops. Retail: `CPolygon::point_in_poly2D`.
#[inline]
pub fn contains_in_plan(vertices: &[Vec3], p: Vec3) -> bool {
    let Some(mut previous) = vertices.first().copied() else { return false };
    for &current in vertices.iter().rev() {
        let area =
            (current.x - previous.x) * (p.y - current.y) + (previous.y - current.y) * (p.x - current.x);
        if area > 0.0 {
            return false;
        }
        previous = current;
    }
    true
}

/// Outdoor cell index of block-local coordinates, when they lie in the block.
pub fn cell_index_at(p: Vec3) -> Option<usize> {
    let index = |v: f32| {
        let cell = (v / CELL_SIDE).floor();
        (0.0..CELLS_PER_BLOCK as f32).contains(&cell).then_some(cell as usize)
    };
    Some(index(p.x)? * 8 + index(p.y)?)
}
