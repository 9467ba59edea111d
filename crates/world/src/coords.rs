//! The land grid: one flat grid of 2040 × 2040 outdoor cells, so that a landblock border is never special.
//!
//! Retail: `LandDefs`. Spec: physics-cells §3.2.

use crate::{CellId, EPSILON};
use glam::Vec3;

/// Side of an outdoor cell in metres.
pub const CELL_SIDE: f32 = 24.0;
/// Side of a landblock in metres.
pub const BLOCK_SIDE: f32 = 192.0;
/// Outdoor cells along one side of a landblock.
pub const CELLS_PER_BLOCK: i32 = 8;
/// Outdoor cells along one side of the map.
pub const MAP_CELLS: i32 = 2040;

/// An outdoor cell by its place in the map-wide grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LandCoord {
    /// West to east.
    pub x: i32,
    /// South to north.
    pub y: i32,
}

impl LandCoord {
    /// Whether the coordinate lies on the map. Retail: `LandDefs::in_bounds` (0x0043D650).
    pub fn in_bounds(self) -> bool {
        (0..MAP_CELLS).contains(&self.x) && (0..MAP_CELLS).contains(&self.y)
    }

    /// South-west cell of the block that `id` belongs to; none for id 0 and off the map.
    /// Retail: `LandDefs::blockid_to_lcoord` (0x0043D680).
    pub fn of_block(id: CellId) -> Option<LandCoord> {
        let base = block_base(id);
        (id != CellId::NONE && base.in_bounds()).then_some(base)
    }

    /// The place of an outdoor cell. Retail: `LandDefs::gid_to_lcoord` (0x00497A90).
    pub fn of_cell(id: CellId) -> Option<LandCoord> {
        if !is_valid_cell_id(id) || id.is_interior() {
            return None;
        }
        let base = block_base(id);
        let index = i32::from(id.low()) - 1;
        Some(LandCoord { x: base.x + (index >> 3), y: base.y + (index & 7) })
    }

    /// The outdoor cell at this place; none off the map. Retail: `LandDefs::lcoord_to_gid` (0x004A19A0).
    pub fn cell(self) -> Option<CellId> {
        self.in_bounds().then(|| {
            let block = (self.x >> 3) << 8 | self.y >> 3;
            CellId((block << 16 | (1 + (self.x & 7) * 8 + (self.y & 7))) as u32)
        })
    }

    /// The outdoor cell under a point given in the block coordinates of `id` (indoor ids serve too).
    /// Retail: `LandDefs::get_outside_lcoord` (0x005A9B00).
    pub fn under(id: CellId, point: Vec3) -> Option<LandCoord> {
        if !id.has_valid_low() {
            return None;
        }
        let base = LandCoord::of_block(id)?;
        let cells = |v: f32| (v / CELL_SIDE).floor();
        let (dx, dy) = (cells(point.x), cells(point.y));
        if !(dx.abs() < 1e6 && dy.abs() < 1e6) {
            return None;
        }
        Some(LandCoord { x: base.x + dx as i32, y: base.y + dy as i32 }).filter(|c| c.in_bounds())
    }
}

/// Whether the id names an existing kind of cell on the map, on both axes.
/// Retail: `LandDefs::inbound_valid_cellid` (0x004979A0).
pub fn is_valid_cell_id(id: CellId) -> bool {
    id.has_valid_low() && LandCoord::of_block(id).is_some()
}

/// Re-expresses a point of `id`'s block in the block that lies under it and names the outdoor cell there.
///
/// Coordinates closer to zero than the epsilon are snapped first, so that a point on a seam does not fall into
/// the neighbour. Height is left alone. Retail: `LandDefs::adjust_to_outside` (0x005A9BC0).
pub fn adjust_to_outside(id: CellId, point: Vec3) -> Option<(CellId, Vec3)> {
    let snap = |v: f32| if v.abs() < EPSILON { 0.0 } else { v };
    let point = Vec3::new(snap(point.x), snap(point.y), point.z);
    let cell = LandCoord::under(id, point)?.cell()?;
    let wrap = |v: f32| v - BLOCK_SIDE * (v / BLOCK_SIDE).floor();
    Some((cell, Vec3::new(wrap(point.x), wrap(point.y), point.z)))
}

/// Vector from the origin of `from`'s block to the origin of `to`'s block.
/// Retail: `LandDefs::get_block_offset`.
#[inline]
pub fn block_offset(from: CellId, to: CellId) -> Vec3 {
    if from.block() == to.block() {
        return Vec3::ZERO;
    }
    let (a, b) = (block_base(from), block_base(to));
    Vec3::new((b.x - a.x) as f32 * CELL_SIDE, (b.y - a.y) as f32 * CELL_SIDE, 0.0)
}

fn block_base(id: CellId) -> LandCoord {
    let block = id.block();
    LandCoord { x: i32::from(block.x()) * CELLS_PER_BLOCK, y: i32::from(block.y()) * CELLS_PER_BLOCK }
}
