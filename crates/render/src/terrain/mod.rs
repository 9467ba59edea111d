//! Terrain: which textures a cell shows, how they blend, how its vertices are lit.

mod code;
mod light;
mod merge;

pub use code::{CellCode, Corners, Layers, Overlay, ROAD, rotations};
pub use light::{vertex_light, vertex_normals};
pub use merge::{Ground, Mask, MergeSource, merge_cell, road_mask, terrain_mask};

/// How much lower than its true height terrain is drawn, so that floors at grade win. Spec: visibility §1.
pub const SINK: f32 = 0.01;
