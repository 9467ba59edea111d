//! The world from above: terrain with its slopes, water and roads; buildings, the floor plans of their rooms and objects.
//!
//! ```
//! # let source = threshold_sample::build()?;
//! # use threshold_dat::container::DatFile;
//! # use threshold_world::{Library, source::DatSource};
//! # let source = DatSource::new(DatFile::from_bytes(source.portal)?, DatFile::from_bytes(source.cell)?)?;
//! # let library = Library::new(std::sync::Arc::new(source));
//! use threshold_render::map::{Tile, tile};
//! use threshold_world::BlockId;
//!
//! let picture = tile(&library, &Tile { pixels: Some(256), ..Tile::new(BlockId(0x8080)) })?;
//! assert_eq!((picture.size(), picture.rgba().len()), ((256, 256), 256 * 256 * 4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod buildings;
mod canvas;
mod ground;

pub use canvas::{Canvas, Color};

use crate::raster::MAX_SIDE;
use buildings::Buildings;
use glam::Vec2;
use ground::Ground;
use std::collections::BTreeMap;
use threshold_dat::Error;
use threshold_world::{BlockId, Library, LoadedBlock, block_ids, coords::BLOCK_SIDE, load_block, parallel};

/// Longest side of a picture whose size was not asked for.
const COMFORTABLE: usize = 4096;
/// Pixels per metre from which rooms and objects can be told apart.
const DETAILED_SCALE: f32 = 0.5;
/// Maximum number of blocks around that of a [`Tile`].
pub const MAX_AROUND: u8 = 16;
/// What there is beyond the land.
pub const VOID: Color = [0.09, 0.09, 0.11];
const GRID: Color = [0.0, 0.0, 0.0];

/// Loaded blocks by their ids: what a map shows.
pub type Blocks = BTreeMap<BlockId, LoadedBlock>;

/// A rectangle of the map, in metres from the map's south-west corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    /// South-west corner.
    pub min: Vec2,
    /// North-east corner.
    pub max: Vec2,
}

impl Rectangle {
    /// A rectangle in metres from a block's south-west corner; `None` unless it is at least a metre wide and high.
    pub fn in_block(block: BlockId, [west, south, east, north]: [f32; 4]) -> Option<Rectangle> {
        let numbers = [west, south, east, north];
        let is_good = numbers.iter().all(|v| v.abs() <= 1e5) && east - west >= 1.0 && north - south >= 1.0;
        let at = |x, y| block_origin(block) + Vec2::new(x, y);
        is_good.then(|| Rectangle { min: at(west, south), max: at(east, north) })
    }

    /// All of some blocks; of a single dungeon, where its rooms are.
    pub fn around(blocks: &Blocks) -> Rectangle {
        let single = blocks.len() == 1;
        let (mut min, mut max) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for (&id, block) in blocks {
            let origin = block_origin(id);
            // Among other blocks a dungeon takes its place on the map.
            let (low, high) = match rooms(block).filter(|_| single && is_dungeon(block)) {
                Some((low, high)) => (low - 2.0, high + 2.0),
                None => (Vec2::ZERO, Vec2::splat(BLOCK_SIDE)),
            };
            (min, max) = (min.min(origin + low), max.max(origin + high));
        }
        Rectangle { min, max }
    }

    fn longest(&self) -> f32 {
        (self.max - self.min).max_element().max(1.0)
    }
}

/// The part of the world that a map shows, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Map {
    /// The part of the plane.
    pub rectangle: Rectangle,
    /// Pixels per metre.
    pub scale: f32,
    /// Everything above this height is omitted; infinity omits nothing.
    pub cut: f32,
    /// It is drawn at twice the size and smoothed.
    pub smooth: bool,
    /// The borders of the blocks are drawn where rooms are.
    pub grid: bool,
}

impl Map {
    /// A map of a rectangle; without a wanted number of pixels along the longer side it is 1024 for a single block and
    /// up to 4096 for more. Pictures of moderate size are smoothed.
    pub fn new(blocks: &Blocks, rectangle: Rectangle, pixels: Option<u32>) -> Map {
        let longest = rectangle.longest();
        let comfortable = if blocks.len() == 1 { 1024 } else { (longest as usize).clamp(1024, COMFORTABLE) };
        let pixels = pixels.map_or(comfortable, |pixels| pixels as usize);
        let smooth = pixels <= 2048;
        Map { rectangle, scale: pixels as f32 / longest, cut: f32::INFINITY, smooth, grid: true }
    }

    /// Draws the blocks, and whatever `marks` adds to the canvas; it is told how many pixels make one of the picture.
    pub fn draw(&self, blocks: &Blocks, marks: impl FnOnce(&mut Canvas, f32)) -> Canvas {
        let oversampling = if self.smooth { 2.0 } else { 1.0 };
        let Rectangle { min, max } = self.rectangle;
        let mut canvas = Canvas::new(min, max, self.scale * oversampling, VOID);
        draw_ground(&mut canvas, blocks);
        if self.scale >= DETAILED_SCALE {
            for block in blocks.values() {
                let origin = block_origin(block.block.id);
                Buildings { canvas: &mut canvas, origin, cut: self.cut }.draw(&block.block);
            }
            if self.grid {
                draw_grid(&mut canvas, blocks);
            }
        }
        marks(&mut canvas, oversampling);
        if self.smooth { canvas.halved() } else { canvas }
    }
}

/// A picture of a block and its surroundings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tile {
    /// The block.
    pub block: BlockId,
    /// Also this many blocks in every direction, up to [`MAX_AROUND`].
    pub around: u8,
    /// Only this part, in metres from the block's south-west corner: west, south, east, north.
    pub window: Option<[f32; 4]>,
    /// Pixels along the longer side.
    pub pixels: Option<u32>,
    /// Everything above this height is omitted, to show lower floors.
    pub cut: Option<f32>,
}

/// Why a tile cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum TileError {
    /// The data files have no such block.
    #[error("there is no landblock {0} in these data files")]
    NoBlock(BlockId),
    /// A number is out of its range.
    #[error(
        "a tile has 16 to {MAX_SIDE} pixels a side, up to {MAX_AROUND} blocks around, and a window of at least a metre each way"
    )]
    BadSize,
    /// A record cannot be read now.
    #[error(transparent)]
    Dat(#[from] Error),
}

impl Tile {
    /// All of a block, or of a dungeon's rooms.
    pub fn new(block: BlockId) -> Tile {
        Tile { block, around: 0, window: None, pixels: None, cut: None }
    }
}

/// Draws a tile. It is the same on every machine, whatever is loaded elsewhere.
pub fn tile(library: &Library, tile: &Tile) -> Result<Canvas, TileError> {
    let is_good = tile.around <= MAX_AROUND
        && tile.pixels.is_none_or(|pixels| (16..=MAX_SIDE).contains(&pixels))
        && tile.cut.is_none_or(|cut| !cut.is_nan());
    if !is_good {
        return Err(TileError::BadSize);
    }
    let window = tile.window.map(|window| Rectangle::in_block(tile.block, window).ok_or(TileError::BadSize));
    let window = window.transpose()?;
    let known = block_ids(&**library.source())?.0;
    if known.binary_search(&tile.block).is_err() {
        return Err(TileError::NoBlock(tile.block));
    }
    let near = known.into_iter().filter(|id| id.rings_to(tile.block) <= tile.around);
    let ids: Vec<BlockId> = near.collect();
    let loaded = parallel::map(&ids, |&id| Ok((id, load_block(library, id)?)));
    let blocks: Result<Blocks, Error> = loaded.into_iter().collect();
    let blocks = blocks?;
    let rectangle = window.unwrap_or_else(|| Rectangle::around(&blocks));
    let map = Map { cut: tile.cut.unwrap_or(f32::INFINITY), ..Map::new(&blocks, rectangle, tile.pixels) };
    Ok(map.draw(&blocks, |_, _| ()))
}

/// South-west corner of a block on the map.
pub fn block_origin(id: BlockId) -> Vec2 {
    Vec2::new(f32::from(id.x()), f32::from(id.y())) * BLOCK_SIDE
}

/// Rooms without buildings: the ground above them has nothing to do with them.
pub fn is_dungeon(block: &LoadedBlock) -> bool {
    block.block.buildings.is_empty() && block.block.env_cells.iter().any(Option::is_some)
}

/// Extent of a block's rooms in block coordinates.
fn rooms(block: &LoadedBlock) -> Option<(Vec2, Vec2)> {
    let boxes = block.block.env_cells.iter().flatten().map(|cell| {
        let bounds = cell.structure.bounds.transformed(|p| cell.position.frame.apply(p));
        (bounds.min.truncate(), bounds.max.truncate())
    });
    boxes.reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))
}

fn draw_ground(canvas: &mut Canvas, blocks: &Blocks) {
    let with_ground = blocks.iter().filter(|(_, block)| block.has_terrain && !is_dungeon(block));
    let grounds: BTreeMap<BlockId, Ground<'_>> =
        with_ground.map(|(&id, block)| (id, Ground::new(&block.block))).collect();
    let (mut rows, step) = canvas.rows_mut();
    parallel::each_mut(&mut rows, |_, (start, pixels)| {
        for (i, pixel) in pixels.iter_mut().enumerate() {
            let p = *start + Vec2::new(i as f32 * step, 0.0);
            let block = p / BLOCK_SIDE;
            let id = BlockId::new(block.x.floor() as u8, block.y.floor() as u8);
            if let Some(ground) = grounds.get(&id) {
                *pixel = ground.color(p - block_origin(id));
            }
        }
    });
}

/// Borders of the blocks.
fn draw_grid(canvas: &mut Canvas, blocks: &Blocks) {
    if blocks.len() < 2 {
        return;
    }
    for &id in blocks.keys() {
        let corner = block_origin(id);
        canvas.line(corner, corner + Vec2::new(BLOCK_SIDE, 0.0), 1.0, GRID, 0.25);
        canvas.line(corner, corner + Vec2::new(0.0, BLOCK_SIDE), 1.0, GRID, 0.25);
    }
}
