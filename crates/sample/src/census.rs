//! A world as large as Dereth, made up: as many blocks, cells and structures as the real one, of typical sizes. It exists
//! only as the rule by which its records are generated while it is loaded, and takes no space on disk.

use std::{borrow::Cow, ops::RangeInclusive};
use threshold_dat::{
    DatId, Error, IdScheme,
    records::{
        BspInner, BspLeaf, BspNode, BspTag, BspTree, CellPortal, CellStruct, DatRecord, EnvCell, Environment,
        Frame, LandBlock, LandBlockInfo, LandHeights, PlacedObject, Plane, Polygon, PortalFlags, Region,
        Span, Sphere, Vertex, VertexArray,
    },
};
use threshold_world::source::{Listing, Source};

/// Cell structures that all rooms are made of.
pub const STRUCTURES: u32 = 3_000;
/// Polygons of a structure.
pub const POLYGONS: u16 = 40;
const PER_ENVIRONMENT: u32 = 10;
const PORTALS: u32 = 3;
const VISIBLE: u32 = 30;
const STATICS: u32 = 2;

/// A square map of rolling hills, with rooms in blocks that are spread over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Census {
    /// Blocks a side, from the south-west corner; at most 255.
    pub side: u32,
    /// Interior cells.
    pub cells: u32,
    /// Blocks that have them.
    pub places: u32,
}

impl Census {
    /// As large as Dereth, with as many dungeons and towns.
    pub const DERETH: Census = Census { side: 255, cells: 735_000, places: 5_000 };

    /// Hills alone.
    pub fn hills(side: u32) -> Census {
        Census { side, cells: 0, places: 0 }
    }

    /// Interior cells of a block.
    fn cells_of(&self, block: u32) -> u32 {
        let step = (self.side * self.side).checked_div(self.places).unwrap_or(0);
        let (Some(index), Some(rest)) = (block.checked_div(step), block.checked_rem(step)) else { return 0 };
        if rest != 0 || index >= self.places {
            return 0;
        }
        self.cells / self.places + u32::from(index < self.cells % self.places)
    }

    /// The number of the block that a record belongs to; `None` off the map.
    fn block_of(&self, id: DatId) -> Option<u32> {
        let (x, y) = (id.0 >> 24, id.0 >> 16 & 0xFF);
        (x < self.side && y < self.side).then_some(x * self.side + y)
    }
}

/// The heights of a block: hills that go on across its borders.
fn heights() -> [u8; 81] {
    let wave = |at: usize| 4 - 4_u8.abs_diff(at as u8 % 8);
    std::array::from_fn(|i| wave(i / 9) + wave(i % 9))
}

fn env_cell(id: DatId, count: u32) -> EnvCell {
    let number = (id.0 & 0xFFFF) - 0x100;
    let structure = (id.0.wrapping_mul(2_654_435_761) >> 8) % STRUCTURES;
    let near = |offset: u32| 0x100 + ((number + offset) % count) as u16;
    let portal = |i: u32| CellPortal {
        flags: PortalFlags(3),
        polygon: i as u16,
        other_cell: near(i + 1),
        other_portal: i as i16,
    };
    let origin = [(number % 16) as f32 * 10.0, (number / 16) as f32 * 10.0, -20.0];
    let object = PlacedObject { model: DatId(0x0200_0001), frame: Frame { origin, ..Frame::IDENTITY } };
    EnvCell {
        surfaces: vec![1, 2, 3, 4, 5],
        environment: (structure / PER_ENVIRONMENT) as u16,
        structure: (structure % PER_ENVIRONMENT) as u16,
        frame: Frame { origin, ..Frame::IDENTITY },
        portals: (0..PORTALS).map(portal).collect(),
        visible_cells: (1..=VISIBLE).map(near).collect(),
        statics: vec![object; STATICS as usize],
        ..EnvCell::default()
    }
}

/// A room of rectangles, with a physics tree of one node and one leaf for each of them.
fn structure() -> CellStruct {
    let mut structure = CellStruct::default();
    let mut vertices = Vec::new();
    let plane = |z: f32| Plane { normal: [0.0, 0.0, 1.0], d: -z };
    let sphere = Sphere { center: [2.0, 2.0, 2.0], radius: 6.0 };
    for i in 0..POLYGONS {
        let z = f32::from(i) * 0.1;
        for (k, [x, y]) in [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]].into_iter().enumerate() {
            vertices.push((
                i * 4 + k as u16,
                Vertex { origin: [x, y, z], normal: [0.0, 0.0, 1.0], uvs: vec![[0.0; 2]] },
            ));
        }
        let corners: Vec<u16> = (0..4).map(|k| i * 4 + k).collect();
        let polygon = Polygon { stippling: Polygon::NO_POS_UVS, vertices: corners, ..Polygon::default() };
        structure.polygons.push((i, polygon.clone()));
        structure.physics_polygons.push((i, polygon));
    }
    structure.vertices = VertexArray { vertices };
    structure.portals = (0..PORTALS as u16).collect();
    let inner = |tag, positive, negative, plane| {
        BspNode::Inner(BspInner { tag, plane, positive, negative, sphere, ..BspInner::default() })
    };
    let volume = |i: u32| inner(BspTag::BPnn, Some(i + 1), None, plane(0.0));
    structure.cell_bsp.nodes = (0..6).map(volume).chain([BspNode::Leaf(BspLeaf::default())]).collect();
    let mut tree = BspTree { polygons: (0..POLYGONS).collect(), ..BspTree::default() };
    for i in 0..u32::from(POLYGONS) {
        tree.nodes.push(inner(BspTag::BPIN, Some(i * 2 + 1), Some(i * 2 + 2), plane(i as f32 * 0.1)));
        let polygons = Span { start: i, len: 1 };
        tree.nodes.push(BspNode::Leaf(BspLeaf { index: i as i32, solid: 1, sphere, polygons }));
    }
    tree.nodes.push(BspNode::Leaf(BspLeaf { sphere, ..BspLeaf::default() }));
    structure.physics_bsp = tree;
    structure
}

impl Source for Census {
    fn record(&self, scheme: IdScheme, id: DatId) -> Result<Option<Cow<'_, [u8]>>, Error> {
        let block = self.block_of(id);
        let cells = block.map_or(0, |block| self.cells_of(block));
        let bytes = match (scheme, id.0 & 0xFFFF, id.0 >> 24) {
            (IdScheme::Cell, 0xFFFF, _) if block.is_some() => {
                LandBlock { heights: heights(), ..LandBlock::default() }.encode(id)?
            }
            (IdScheme::Cell, 0xFFFE, _) if cells > 0 => {
                LandBlockInfo { cell_count: cells, ..LandBlockInfo::default() }.encode(id)?
            }
            (IdScheme::Cell, low @ 0x100.., _) if low - 0x100 < cells => env_cell(id, cells).encode(id)?,
            (IdScheme::Portal, _, 0x0D) => {
                Environment { structures: (0..PER_ENVIRONMENT).map(|key| (key, structure())).collect() }
                    .encode(id)?
            }
            (IdScheme::Portal, _, 0x13) => {
                let mut region = Region::default();
                region.land.heights = LandHeights(Box::new(std::array::from_fn(|i| i as f32 * 2.0)));
                region.encode(id)?
            }
            _ => return Ok(None),
        };
        Ok(Some(Cow::Owned(bytes)))
    }

    fn ids(&self, scheme: IdScheme, range: RangeInclusive<DatId>) -> Result<Listing, Error> {
        if scheme == IdScheme::Portal {
            return Ok(Listing::default());
        }
        let of_block = |high: u32| {
            let base = high << 16;
            let block = self.block_of(DatId(base));
            let cells = block.map_or(0, |block| self.cells_of(block));
            let info = (cells > 0).then_some(base | 0xFFFE);
            let land = block.map(|_| base | 0xFFFF);
            (0..cells).map(move |i| base | (0x100 + i)).chain(info).chain(land)
        };
        let blocks = range.start().0 >> 16..=range.end().0 >> 16;
        let ids = blocks.flat_map(of_block).map(DatId).filter(|id| range.contains(id));
        Ok(ids.collect::<Vec<_>>().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(census: Census, wanted: impl Fn(u32) -> bool) -> usize {
        let all = census.ids(IdScheme::Cell, DatId(0)..=DatId(u32::MAX)).unwrap();
        all.ids.iter().filter(|id| wanted(id.0 & 0xFFFF)).count()
    }

    #[test]
    fn it_has_as_many_blocks_and_cells_as_dereth() {
        assert_eq!(count(Census::DERETH, |low| low == 0xFFFF), 65_025);
        assert_eq!(count(Census::DERETH, |low| (0x100..0xFFFE).contains(&low)), 735_000);
        assert_eq!(count(Census::hills(3), |_| true), 9);
    }

    #[test]
    fn every_record_that_is_listed_is_there_and_no_other() {
        let census = Census { side: 4, cells: 20, places: 3 };
        let all = census.ids(IdScheme::Cell, DatId(0)..=DatId(u32::MAX)).unwrap().ids;
        assert_eq!(all.len(), 16 + 3 + 20);
        assert!(all.iter().all(|&id| census.record(IdScheme::Cell, id).unwrap().is_some()));
        assert_eq!(census.record(IdScheme::Cell, DatId(0x0400_FFFF)).unwrap(), None);
    }

    #[test]
    fn hills_meet_at_the_borders_of_blocks() {
        let heights = heights();
        for i in 0..9 {
            assert_eq!((heights[i], heights[i * 9]), (heights[72 + i], heights[i * 9 + 8]));
        }
    }
}
