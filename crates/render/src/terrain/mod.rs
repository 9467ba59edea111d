//! Terrain: which textures a cell shows, how they blend, and the mesh of a block.

mod block;
mod code;
mod merge;

pub use block::{INDICES_PER_CELL, Neighbours, VERTICES_PER_CELL, block_mesh};
pub use code::{CellCode, Corners, Layers, Overlay, ROAD, rotations};
pub use merge::{Ground, Mask, MergeSource, merge_cell, road_mask, terrain_mask};
pub(crate) use merge::{Slice, SlicedMerge};

/// How much lower than its true height terrain is drawn, so that floors at grade win. Spec: visibility §1.
pub const SINK: f32 = 0.01;
