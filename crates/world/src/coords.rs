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
    #[inline]
    pub fn in_bounds(self) -> bool {
        (0..MAP_CELLS).contains(&self.x) && (0..MAP_CELLS).contains(&self.y)
    }

    /// South-west cell of the block that `id` belongs to; `None` for id 0 and off the map.
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

    /// The outdoor cell at this place; `None` off the map. Retail: `LandDefs::lcoord_to_gid` (0x004A19A0).
    #[inline]
    pub fn cell(self) -> Option<CellId> {
        self.in_bounds().then(|| {
            let block = (self.x >> 3) << 8 | self.y >> 3;
            CellId((block << 16 | (1 + (self.x & 7) * 8 + (self.y & 7))) as u32)
        })
    }

    /// The outdoor cell under a point given in the block coordinates of `id` (indoor ids serve too).
    /// Retail: `LandDefs::get_outside_lcoord` (0x005A9B00).
    #[inline]
    pub fn under(id: CellId, point: Vec3) -> Option<LandCoord> {
        if !id.has_valid_low() {
            return None;
        }
        // The block itself may lie off the map, as long as the point does not.
        let base = block_base(id);
        let (dx, dy) = (point.x / CELL_SIDE, point.y / CELL_SIDE);
        if !(dx.abs() < 1e6 && dy.abs() < 1e6) {
            return None;
        }
        Some(LandCoord { x: base.x + floor(dx) as i32, y: base.y + floor(dy) as i32 })
            .filter(|c| c.in_bounds())
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
    let (place, point) = outside_place(id, point)?;
    Some((place.cell()?, point))
}

/// Like [`adjust_to_outside`], returning the cell's grid position instead of its id.
#[inline]
pub fn outside_place(id: CellId, point: Vec3) -> Option<(LandCoord, Vec3)> {
    let snap = |v: f32| if v.abs() < EPSILON { 0.0 } else { v };
    let point = Vec3::new(snap(point.x), snap(point.y), point.z);
    let place = LandCoord::under(id, point)?;
    let wrap = |v: f32| v - BLOCK_SIDE * floor(v / BLOCK_SIDE);
    Some((place, Vec3::new(wrap(point.x), wrap(point.y), point.z)))
}

/// A coordinate within its outdoor cell, 0…24.
#[inline]
pub fn within_cell(v: f32) -> f32 {
    v - CELL_SIDE * floor(v / CELL_SIDE)
}

/// The whole number below a coordinate of less than four million. Inline, where `f32::floor` is a library call on
/// baseline x86-64: next to a number this large a float has no room for a fraction.
#[inline]
fn floor(v: f32) -> f32 {
    const WHOLE: f32 = 12_582_912.0;
    let nearest = (v + WHOLE) - WHOLE;
    if nearest > v { nearest - 1.0 } else { nearest }
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

#[inline]
fn block_base(id: CellId) -> LandCoord {
    let block = id.block();
    LandCoord { x: i32::from(block.x()) * CELLS_PER_BLOCK, y: i32::from(block.y()) * CELLS_PER_BLOCK }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn id(id: u32) -> CellId {
        CellId(id)
    }

    /// Spec: physics-tests A.
    #[test]
    fn worked_examples_of_the_land_grid() {
        assert_eq!(LandCoord::of_block(id(0xA9B4_0031)), Some(LandCoord { x: 1352, y: 1440 }));
        assert_eq!(LandCoord::of_cell(id(0xA9B4_0031)), Some(LandCoord { x: 1358, y: 1440 }));
        assert_eq!(LandCoord { x: 1358, y: 1440 }.cell(), Some(id(0xA9B4_0031)));
        assert_eq!(LandCoord { x: 1358, y: 1439 }.cell(), Some(id(0xA9B3_0038)));
        assert_eq!(LandCoord { x: -1, y: 5 }.cell(), None);
        assert_eq!(LandCoord { x: 2040, y: 0 }.cell(), None);
        assert_eq!(block_offset(id(0xA9B4_0001), id(0xA9B5_0001)), Vec3::new(0.0, 192.0, 0.0));
        assert_eq!(block_offset(id(0xAAB4_0001), id(0xA9B4_0170)), Vec3::new(-192.0, 0.0, 0.0));
        assert_eq!(block_offset(id(0xA9B4_0001), id(0xA9B4_0170)), Vec3::ZERO);
    }

    #[test]
    fn worked_examples_of_leaving_a_block() {
        let outside = |cell: u32, x: f32, y: f32| adjust_to_outside(id(cell), Vec3::new(x, y, 7.0));
        let at = |cell: u32, x: f32, y: f32| Some((id(cell), Vec3::new(x, y, 7.0)));
        assert_eq!(outside(0xA9B4_0031, 150.0, -1.0), at(0xA9B3_0038, 150.0, 191.0));
        let (cell, point) = outside(0xA9B4_0031, 150.0, -109.65).unwrap();
        assert_eq!(cell, id(0xA9B3_0034));
        assert!((point - Vec3::new(150.0, 82.35, 7.0)).length() < 1e-4);
        assert_eq!(outside(0xA9B3_0038, 150.0, 193.0), at(0xA9B4_0031, 150.0, 1.0));
        assert_eq!(outside(0xA9B4_0170, 10.0, 10.0), at(0xA9B4_0001, 10.0, 10.0));
        assert_eq!(outside(0xA9B4_0001, -0.0001, 5.0), at(0xA9B4_0001, 0.0, 5.0));
        for low in [0, 0x41, 0xFF, 0xFFFE] {
            assert_eq!(outside(0xA9B4_0000 | low, 10.0, 10.0), None, "{low:#x}");
        }
        assert_eq!(outside(0xFF00_0001, 10.0, 10.0), None);
        assert_eq!(outside(0xFEFF_0001, 10.0, -1.0), at(0xFEFE_0008, 10.0, 191.0));
        assert_eq!(outside(0xA9B4_0001, f32::NAN, 10.0), None);
        assert_eq!(outside(0xA9B4_0001, f32::INFINITY, 10.0), None);
    }

    #[test]
    fn cells_and_grid_places_are_inverse_over_the_whole_map() {
        for x in 0..MAP_CELLS {
            for y in 0..MAP_CELLS {
                let place = LandCoord { x, y };
                let cell = place.cell().unwrap();
                assert_eq!(LandCoord::of_cell(cell), Some(place));
                assert!(cell.is_outdoor() && is_valid_cell_id(cell));
            }
        }
    }

    #[test]
    fn every_block_on_the_map_is_where_its_first_cell_is() {
        for block in 0..=u16::MAX {
            let block = crate::BlockId(block);
            let first = LandCoord::of_cell(block.cell(1));
            // Block 0 exists; only the id zero as a whole means "no cell".
            assert_eq!(LandCoord::of_block(block.cell(0xFFFF)), first);
            assert_eq!(first.is_some(), block.x() < 0xFF && block.y() < 0xFF, "{block}");
        }
        assert_eq!(LandCoord::of_block(CellId::NONE), None);
    }

    #[test]
    fn the_edges_of_the_map_end_it() {
        let last = MAP_CELLS - 1;
        for (x, y) in [(-1, 0), (0, -1), (MAP_CELLS, last), (last, MAP_CELLS)] {
            assert_eq!(LandCoord { x, y }.cell(), None, "({x}, {y})");
        }
        let corner = LandCoord { x: last, y: last }.cell().unwrap();
        assert_eq!(corner, id(0xFEFE_0040));
        assert_eq!(adjust_to_outside(corner, Vec3::new(191.9, 192.0, 0.0)), None);
        assert_eq!(adjust_to_outside(id(0x0000_0001), Vec3::new(-0.001, 0.0, 0.0)), None);
        assert_eq!(
            adjust_to_outside(id(0x0000_0001), Vec3::new(-0.0001, 0.0, 0.0)).unwrap().0,
            id(0x0000_0001)
        );
    }

    proptest! {
        #[test]
        fn leaving_a_block_keeps_the_place_on_the_map(
            x in 0u8..255, y in 0u8..255, px in -400.0f32..600.0, py in -400.0f32..600.0,
        ) {
            let from = crate::BlockId::new(x, y).cell(0x123);
            let p = Vec3::new(px, py, 3.0);
            let whole = |v: f32, block: u8| f64::from(block) * 192.0 + f64::from(v);
            match adjust_to_outside(from, p) {
                Some((cell, q)) => {
                    prop_assert!((0.0..=192.0).contains(&q.x) && (0.0..=192.0).contains(&q.y), "{q}");
                    prop_assert!((whole(px, x) - whole(q.x, cell.block().x())).abs() < 3e-4);
                    prop_assert!((whole(py, y) - whole(q.y, cell.block().y())).abs() < 3e-4);
                    prop_assert!((q + block_offset(from, cell) - p).length() < 3e-4);
                    // Once normalised, a point stays in its block.
                    prop_assert_eq!(LandCoord::under(cell, q).and_then(LandCoord::cell).map(|c| c.block()), Some(cell.block()));
                }
                None => prop_assert!(
                    !(0.0..48960.0).contains(&whole(px, x)) || !(0.0..48960.0).contains(&whole(py, y))
                ),
            }
        }

        #[test]
        fn offsets_between_blocks_are_antisymmetric_and_add_up(a: u32, b: u32, c: u32) {
            let (a, b, c) = (id(a), id(b), id(c));
            prop_assert_eq!(block_offset(a, b), -block_offset(b, a));
            prop_assert_eq!(block_offset(a, b) + block_offset(b, c), block_offset(a, c));
        }

        #[test]
        fn positions_in_different_blocks_measure_as_on_one_map(
            ids in prop::array::uniform2(0u32..0xFFFF_FFFF),
            origins in prop::array::uniform2(prop::array::uniform3(-200.0f32..400.0)),
        ) {
            use crate::{Frame, Position};
            let p = [0, 1].map(|i| Position::new(id(ids[i]), Frame::at(origins[i].into())));
            let there = p[0].offset_to(&p[1]);
            prop_assert!((there + p[1].offset_to(&p[0])).length() < 0.02);
            prop_assert!((p[0].distance_to(&p[1]) - there.length()).abs() < 1e-3);
            let local = p[0].local_point_of(&p[1], Vec3::ZERO);
            prop_assert!((local - there).length() < 0.02);
        }
    }
}
