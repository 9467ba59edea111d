//! The CPU reference: a tiled rasterizer whose pixels do not depend on the machine or on the number of threads.
//!
//! Drawing has two stages. The vertex stage runs in a fixed number of batches, each of which sorts its triangles
//! into the tiles they touch. Then every tile goes through all batches in order. Edges are exact integers,
//! attributes are evaluated from the tile's corner, and no sum depends on where a span begins, so the picture is
//! the same however the work is spread.

mod clip;
mod cover;
mod light;
mod shade;
mod state;
mod tile;
mod triangle;

use crate::texture::Texture;
pub use clip::ScreenVertex;
pub use state::{Blend, Depth, DrawState};
use threshold_world::parallel;
use tile::{Sources, Tile};
use triangle::{Facing, Outline, Triangle};

/// Side of a tile in pixels: colour and depth of one fit into the nearest cache.
const TILE: usize = 64;
/// Largest side of a picture.
pub const MAX_SIDE: u32 = 8192;
/// Distance of the near plane in metres. Spec: visibility §1.
pub const Z_NEAR: f32 = 0.1;
/// Portal polygons count up to the eye itself. Spec: visibility §1 (EYE_W).
const EYE_W: f32 = 0.0002;
/// Depth of a punched opening: that of a plane 3844 m away. Spec: visibility §8.
pub const PUNCH_DEPTH: f32 = 1.0 / 3844.0;

/// Index of a texture in the list that is handed to [`Raster::draw`].
pub type TextureIndex = u32;

/// How the following triangles change the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fill {
    /// Draws a surface.
    Surface {
        /// Its texture.
        texture: TextureIndex,
        /// Its state.
        state: DrawState,
    },
    /// Sets depth to a constant, whatever is there. Spec: visibility §8.
    Punch {
        /// The constant as 1/w.
        depth: f32,
    },
    /// Sets depth to the polygon's own, whatever is there. Spec: visibility §8.
    Seal,
}

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// First column and row.
    pub min: (i32, i32),
    /// Last column and row.
    pub max: (i32, i32),
}

impl Rect {
    /// No limit at all.
    pub const ALL: Rect = Rect { min: (0, 0), max: (i32::MAX, i32::MAX) };
    /// No pixel at all.
    pub const NOTHING: Rect = Rect { min: (i32::MAX, i32::MAX), max: (-1, -1) };

    /// The smallest rectangle around both.
    pub fn around(self, other: Rect) -> Rect {
        Rect {
            min: (self.min.0.min(other.min.0), self.min.1.min(other.min.1)),
            max: (self.max.0.max(other.max.0), self.max.1.max(other.max.1)),
        }
    }

    /// The intersection.
    pub fn within(self, other: Rect) -> Rect {
        Rect {
            min: (self.min.0.max(other.min.0), self.min.1.max(other.min.1)),
            max: (self.max.0.min(other.max.0), self.max.1.min(other.max.1)),
        }
    }

    /// Whether there is no pixel in it.
    pub fn is_empty(self) -> bool {
        self.min.0 > self.max.0 || self.min.1 > self.max.1
    }
}

/// Marks a bin entry that clears depth instead of naming a triangle.
const CLEAR_DEPTH: u32 = u32::MAX;

/// The output of the vertex stage: triangles in drawing order, sorted into tiles.
#[derive(Debug)]
pub struct Batch {
    size: (i32, i32),
    bounds: Rect,
    columns: usize,
    fills: Vec<Fill>,
    triangles: Vec<Triangle>,
    bins: Vec<Vec<u32>>,
    vertices: Vec<ScreenVertex>,
}

impl Default for Batch {
    fn default() -> Self {
        Batch {
            size: (0, 0),
            bounds: Rect::NOTHING,
            columns: 0,
            fills: Vec::new(),
            triangles: Vec::new(),
            bins: Vec::new(),
            vertices: Vec::new(),
        }
    }
}

impl Batch {
    fn reset(&mut self, size: (i32, i32), columns: usize, tiles: usize) {
        self.size = size;
        self.set_bounds(Rect::ALL);
        self.columns = columns;
        self.fills.clear();
        self.triangles.clear();
        self.bins.resize_with(tiles, Vec::new);
        self.bins.iter_mut().for_each(Vec::clear);
    }

    /// Sets the fill of the following triangles.
    pub fn set_fill(&mut self, fill: Fill) {
        if self.fills.last() != Some(&fill) {
            self.fills.push(fill);
        }
    }

    /// Limits the following triangles to a rectangle.
    pub fn set_bounds(&mut self, bounds: Rect) {
        self.bounds = bounds.within(Rect { min: (0, 0), max: (self.size.0 - 1, self.size.1 - 1) });
    }

    /// Memory for transformed vertices, kept from frame to frame; give it back with [`Batch::return_vertices`].
    pub fn take_vertices(&mut self) -> Vec<ScreenVertex> {
        std::mem::take(&mut self.vertices)
    }

    /// Returns what [`Batch::take_vertices`] lent.
    pub fn return_vertices(&mut self, vertices: Vec<ScreenVertex>) {
        self.vertices = vertices;
    }

    /// Forgets all depth drawn so far. Spec: visibility §8 (interior Z clear).
    pub fn clear_depth(&mut self) {
        self.bins.iter_mut().for_each(|bin| bin.push(CLEAR_DEPTH));
    }

    /// Adds a triangle that is seen from its counter-clockwise side only.
    pub fn triangle(&mut self, corners: [ScreenVertex; 3]) {
        self.add(corners.each_ref(), Facing::Front, Z_NEAR);
    }

    /// Adds a triangle like [`Batch::triangle`] of some vertices, whose attributes are computed when they are first needed.
    #[inline(always)]
    pub(crate) fn indexed_triangle(
        &mut self,
        vertices: &mut [ScreenVertex],
        indices: [usize; 3],
        mut finish: impl FnMut(usize, &mut ScreenVertex),
    ) {
        let [a, b, c] = indices;
        let corners = [&vertices[a], &vertices[b], &vertices[c]];
        let mut outline = None;
        if clip::is_inside(corners, Z_NEAR) {
            outline = Outline::new(corners, Facing::Front, self.bounds);
            if outline.is_none() {
                return;
            }
        }
        for i in indices {
            finish(i, &mut vertices[i]);
        }
        let corners = [&vertices[a], &vertices[b], &vertices[c]];
        match outline {
            Some(outline) => self.add_outlined(&outline, corners),
            None => self.add_clipped(corners, Facing::Front, Z_NEAR),
        }
    }

    /// Adds a convex polygon, whichever way it turns and however near it is: portals.
    pub fn polygon(&mut self, corners: &[ScreenVertex]) {
        for pair in corners.windows(2).skip(1) {
            self.add([&corners[0], &pair[0], &pair[1]], Facing::Both, EYE_W);
        }
    }

    #[inline(always)]
    fn add(&mut self, corners: [&ScreenVertex; 3], facing: Facing, near: f32) {
        if clip::is_inside(corners, near) {
            self.add_inside(corners, facing);
        } else {
            self.add_clipped(corners, facing, near);
        }
    }

    #[inline(never)]
    fn add_clipped(&mut self, corners: [&ScreenVertex; 3], facing: Facing, near: f32) {
        let clipped = clip::clip(corners, near);
        let corners = clipped.corners();
        for i in 2..corners.len() {
            self.add_inside([&corners[0], &corners[i - 1], &corners[i]], facing);
        }
    }

    #[inline(always)]
    fn add_inside(&mut self, corners: [&ScreenVertex; 3], facing: Facing) {
        if let Some(outline) = Outline::new(corners, facing, self.bounds) {
            self.add_outlined(&outline, corners);
        }
    }

    fn add_outlined(&mut self, outline: &Outline, corners: [&ScreenVertex; 3]) {
        let Some(last_fill) = self.fills.len().checked_sub(1) else { return };
        if let Some(triangle) = Triangle::new(outline, corners, last_fill as u32) {
            self.bin(triangle);
        }
    }

    fn bin(&mut self, triangle: Triangle) {
        let index = self.triangles.len() as u32;
        let tile = |c: i32| c as usize / TILE;
        let (x0, x1) = (tile(triangle.min.0), tile(triangle.max.0));
        for row in tile(triangle.min.1)..=tile(triangle.max.1) {
            for bin in &mut self.bins[row * self.columns + x0..=row * self.columns + x1] {
                bin.push(index);
            }
        }
        self.triangles.push(triangle);
    }
}

/// A picture of fixed size and everything needed to draw into it again and again without allocating.
#[derive(Debug)]
pub struct Raster {
    width: u32,
    height: u32,
    columns: usize,
    tiles: Vec<Tile>,
    batches: Vec<Batch>,
}

impl Raster {
    /// A picture; sides are brought into 1…[`MAX_SIDE`].
    pub fn new(width: u32, height: u32) -> Raster {
        let (width, height) = (width.clamp(1, MAX_SIDE), height.clamp(1, MAX_SIDE));
        let columns = (width as usize).div_ceil(TILE);
        let rows = (height as usize).div_ceil(TILE);
        Raster { width, height, columns, tiles: vec![Tile::new(); columns * rows], batches: Vec::new() }
    }

    /// Columns of pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows of pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Draws a picture. `vertex_stage` is called for each batch number below `batches`, in parallel; batches are
    /// painted in the order of their numbers.
    pub fn draw<'t>(
        &mut self,
        clear: u32,
        fog_color: u32,
        batches: usize,
        textures: impl Fn(TextureIndex) -> &'t Texture + Sync,
        vertex_stage: impl Fn(usize, &mut Batch) + Sync,
    ) {
        let size = (self.width as i32, self.height as i32);
        let (columns, tiles) = (self.columns, self.tiles.len());
        if self.batches.len() < batches {
            self.batches.resize_with(batches, Batch::default);
        }
        let used = &mut self.batches[..batches];
        parallel::each_mut(used, |i, batch| {
            batch.reset(size, columns, tiles);
            vertex_stage(i, batch);
        });
        let sources = Sources { batches: &self.batches[..batches], textures: &textures, fog_color };
        parallel::each_mut(&mut self.tiles, |i, tile| {
            let origin = ((i % columns * TILE) as i32, (i / columns * TILE) as i32);
            tile.draw(i, origin, clear, &sources);
        });
    }

    /// Copies the picture into rows of RGBA bytes, top to bottom.
    pub fn copy_rgba(&self, out: &mut Vec<u8>) {
        out.clear();
        out.resize(self.width as usize * self.height as usize * 4, 255);
        parallel::each_chunk_mut(out, self.width as usize * 4, |y, row| {
            for (column, pixels) in row.chunks_mut(TILE * 4).enumerate() {
                let tile = &self.tiles[y / TILE * self.columns + column];
                let line = &tile.color[y % TILE * TILE..];
                for (pixel, color) in pixels.chunks_exact_mut(4).zip(line) {
                    pixel.copy_from_slice(&color.to_le_bytes());
                }
            }
        });
    }

    /// Distance of a pixel along the view direction; infinite where nothing was drawn, `None` outside.
    pub fn distance_at(&self, x: u32, y: u32) -> Option<f32> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let (x, y) = (x as usize, y as usize);
        let tile = &self.tiles[y / TILE * self.columns + x / TILE];
        Some(1.0 / tile.depth[y % TILE * TILE + x % TILE])
    }
}

#[cfg(test)]
mod tests;
