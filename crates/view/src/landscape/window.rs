//! The square of blocks around the player, and the part of it that is in view.

use super::columns::{Cover, Slab, both, limit, square};
use crate::{Options, contents::Cones};
use threshold_world::{
    BlockId, World,
    coords::{BLOCK_SIDE, CELL_SIDE, CELLS_PER_BLOCK, MAP_CELLS},
    geometry::Plane,
};

/// Blocks along a side of the map.
const MAP_BLOCKS: i32 = MAP_CELLS / CELLS_PER_BLOCK;

/// A block of the window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WindowBlock {
    /// None off the map.
    pub(crate) id: Option<BlockId>,
    /// Cells along its side at the resolution it is drawn with.
    pub(crate) side: u8,
    /// Its buildings and objects are drawn.
    pub(crate) has_objects: bool,
    /// One of the regions shows it.
    pub(crate) seen: bool,
    /// Bit for each cell (at its resolution) whose ground one of the regions shows.
    pub(crate) cells: u64,
    slab: Slab,
    loaded: bool,
    /// What the cone at hand shows of it, and a bit for each plane that cuts it.
    cover: Cover,
    cut_by: u32,
}

/// The window; keeps its memory from frame to frame.
#[derive(Debug, Default)]
pub(crate) struct Window {
    /// South-west block.
    base: (i32, i32),
    /// Blocks along a side.
    count: i32,
    blocks: Vec<WindowBlock>,
    limits: Vec<f32>,
}

impl Window {
    /// Lays the window around a block and looks up what is loaded. True when anything is.
    pub(crate) fn center(&mut self, world: &World, center: BlockId, options: &Options) -> bool {
        let radius = i32::from(options.window_radius);
        self.count = 2 * radius + 1;
        self.base = (i32::from(center.x()) - radius, i32::from(center.y()) - radius);
        self.blocks.clear();
        let mut any = false;
        for index in 0..self.count * self.count {
            let (dx, dy) = (index / self.count - radius, index % self.count - radius);
            let ring = dx.abs().max(dy.abs());
            let (x, y) = (i32::from(center.x()) + dx, i32::from(center.y()) + dy);
            let on_map = (0..MAP_BLOCKS).contains(&x) && (0..MAP_BLOCKS).contains(&y);
            let id = on_map.then(|| BlockId::new(x as u8, y as u8));
            let block = id.and_then(|id| world.landscape(id));
            any |= block.is_some();
            let has_objects = ring <= i32::from(options.detail_rings);
            self.blocks.push(WindowBlock {
                id,
                side: if has_objects { 8 } else { reduced_side(ring) },
                has_objects,
                seen: false,
                cells: 0,
                slab: block.map_or(Slab::ANY, |b| Slab::of_heights((0..81).map(|i| b.terrain.height(i)))),
                loaded: block.is_some(),
                cover: Cover::Out,
                cut_by: 0,
            });
        }
        any
    }

    /// The block at a place of the map, if the window holds it.
    pub(crate) fn get(&self, x: i32, y: i32) -> Option<&WindowBlock> {
        let (i, j) = (x - self.base.0, y - self.base.1);
        let inside = (0..self.count).contains(&i) && (0..self.count).contains(&j);
        inside.then(|| &self.blocks[(i * self.count + j) as usize])
    }

    /// Rings around a block after which the window is exhausted.
    pub(crate) fn reach_from(&self, x: i32, y: i32) -> i32 {
        let far = |v: i32, base: i32| (v - base).abs().max((v - (base + self.count - 1)).abs());
        far(x, self.base.0).max(far(y, self.base.1))
    }

    /// Finds out which blocks and cells the cones show. `origin` is the block that world coordinates count from.
    pub(crate) fn cull(&mut self, cones: &Cones, origin: BlockId) {
        let west = (self.base.0 - i32::from(origin.x())) as f32 * BLOCK_SIDE;
        let south = (self.base.1 - i32::from(origin.y())) as f32 * BLOCK_SIDE;
        for planes in cones.planes() {
            self.cull_blocks(planes, west, south);
            for index in 0..self.blocks.len() {
                let (i, j) = (index as i32 / self.count, index as i32 % self.count);
                let corner = (west + i as f32 * BLOCK_SIDE, south + j as f32 * BLOCK_SIDE);
                self.cull_cells(index, planes, corner);
            }
        }
    }

    /// Sets `cover` of every block for one cone.
    fn cull_blocks(&mut self, planes: &[Plane], west: f32, south: f32) {
        let count = self.count as usize;
        self.blocks.iter_mut().for_each(|block| (block.cover, block.cut_by) = (Cover::In, 0));
        for (number, plane) in planes.iter().enumerate() {
            fill_limits(&mut self.limits, plane, west, south, count + 1, BLOCK_SIDE);
            for (index, block) in self.blocks.iter_mut().enumerate().filter(|(_, b)| b.cover != Cover::Out) {
                let corners = corner_limits(&self.limits, count + 1, index / count, index % count);
                let cover = square(corners, block.slab);
                block.cut_by |= u32::from(cover == Cover::Partial) << number;
                block.cover = both(block.cover, cover);
            }
        }
    }

    /// Unites what one cone shows of a block with what others show.
    fn cull_cells(&mut self, index: usize, planes: &[Plane], (west, south): (f32, f32)) {
        let block = &mut self.blocks[index];
        if block.cover == Cover::Out {
            return;
        }
        block.seen = true;
        let all = u64::MAX >> (64 - u32::from(block.side) * u32::from(block.side));
        if block.cover == Cover::In || block.side != 8 || !block.loaded {
            block.cells = all;
        }
        if block.cells == all {
            return;
        }
        let mut hidden = 0u64;
        for (number, plane) in planes.iter().enumerate() {
            // A plane that leaves the whole block leaves each of its cells.
            if block.cut_by >> number & 1 == 0 {
                continue;
            }
            fill_limits(&mut self.limits, plane, west, south, 9, CELL_SIDE);
            for cell in 0..64 {
                let corners = corner_limits(&self.limits, 9, cell / 8, cell % 8);
                if square(corners, block.slab) == Cover::Out {
                    hidden |= 1 << cell;
                }
            }
        }
        block.cells |= !hidden;
    }
}

/// Cells per side of blocks beyond the detailed rings. Retail: `LScape::get_block_orient`. Spec: visibility §2.3.
fn reduced_side(ring: i32) -> u8 {
    match ring {
        ..=2 => 4,
        3 | 4 => 2,
        _ => 1,
    }
}

fn fill_limits(limits: &mut Vec<f32>, plane: &Plane, west: f32, south: f32, corners: usize, step: f32) {
    limits.clear();
    for i in 0..corners {
        for j in 0..corners {
            limits.push(limit(plane, west + i as f32 * step, south + j as f32 * step));
        }
    }
}

fn corner_limits(limits: &[f32], corners: usize, i: usize, j: usize) -> [f32; 4] {
    let at = |i: usize, j: usize| limits[i * corners + j];
    [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)]
}
