//! How much memory the whole of a world as large as Dereth takes when all of it is resident for collision.
//!
//! The world is made up: as many blocks, cells and structures as the real one, of typical sizes, generated record by
//! record while it is loaded. Linux only, because of how memory is measured.
//!
//! `cargo bench -p threshold-world --bench census`

use std::{borrow::Cow, ops::RangeInclusive, sync::Arc, time::Instant};
use threshold_dat::{
    DatId, Error, IdScheme,
    records::{
        BspInner, BspLeaf, BspNode, BspTag, BspTree, CellPortal, CellStruct, DatRecord, EnvCell, Environment,
        Frame, LandBlock, LandBlockInfo, LandHeights, PlacedObject, Plane, Polygon, PortalFlags, Region,
        Span, Sphere, Vertex, VertexArray,
    },
};
use threshold_world::{
    Library, cell, landblock, load_all,
    source::{Listing, Source},
};

const SIDE: u32 = 255;
const CELLS: u32 = 735_000;
const STRUCTURES: u32 = 3_000;
const PER_ENVIRONMENT: u32 = 10;
const DUNGEONS: u32 = 1_800;
const TOWNS: u32 = 3_200;
/// Typical sizes of a real room.
const POLYGONS: u16 = 40;
const PORTALS: u32 = 3;
const VISIBLE: u32 = 30;
const STATICS: u32 = 2;

/// A world that exists only as the rule by which its records are made.
struct Census;

/// Interior cells of a block: dungeons and towns are spread over the map.
fn cells_of(block: u32) -> u32 {
    let special = DUNGEONS + TOWNS;
    let step = SIDE * SIDE / special;
    let (index, rest) = (block / step, block % step);
    if rest != 0 || index >= special {
        return 0;
    }
    CELLS / special + u32::from(index < CELLS % special)
}

fn index_of(id: DatId) -> u32 {
    (id.0 >> 24) * SIDE + (id.0 >> 16 & 0xFF)
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
        let cells = cells_of(index_of(id));
        let bytes = match (scheme, id.0 & 0xFFFF, id.0 >> 24) {
            (IdScheme::Cell, 0xFFFF, _) => {
                let mut block = LandBlock::default();
                block.heights.iter_mut().enumerate().for_each(|(i, h)| *h = (id.0 >> 16) as u8 ^ i as u8);
                block.encode(id)?
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
        let of_block = |base: u32| {
            let cells = cells_of(index_of(DatId(base)));
            let info = (cells > 0).then_some(base | 0xFFFE);
            (0..cells).map(move |i| base | (0x100 + i)).chain(info).chain([base | 0xFFFF])
        };
        let blocks = index_of(*range.start())..=index_of(*range.end()).min(SIDE * SIDE - 1);
        let blocks = blocks.map(|block| (block / SIDE) << 24 | (block % SIDE) << 16);
        let ids = blocks.flat_map(of_block).map(DatId).filter(|id| range.contains(id));
        Ok(ids.collect::<Vec<_>>().into())
    }
}

/// Resident memory of this process in bytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap_or(0) * 1024
}

fn main() -> Result<(), Error> {
    let before = resident();
    let started = Instant::now();
    let library = Library::new(Arc::new(Census));
    let (world, problems) = load_all(&library)?;
    let (elapsed, used) = (started.elapsed(), resident() - before);
    let blocks = world.block_ids().count();
    let cells: usize = world
        .block_ids()
        .filter_map(|id| world.block_data(id))
        .map(|b| b.env_cells.iter().flatten().count())
        .sum();
    assert_eq!(problems.first().map(ToString::to_string), None);
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    println!("blocks                 {blocks:>10}");
    println!("interior cells         {cells:>10}  of {STRUCTURES} structures with {POLYGONS} polygons each");
    println!("made and loaded in     {:>10.1} s", elapsed.as_secs_f64());
    println!("resident               {:>10.0} MB", megabytes(used));
    let bare_block = std::mem::size_of::<landblock::Landblock>() as u64 + 64 * 32;
    let per_cell = used.saturating_sub(bare_block * blocks as u64) / cells as u64;
    println!(
        "per cell               {per_cell:>10} bytes ({} of them the cell itself)",
        std::mem::size_of::<cell::EnvCell>()
    );
    println!("per block, without     {bare_block:>10} bytes");
    Ok(())
}
