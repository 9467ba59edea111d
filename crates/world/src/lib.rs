//! One cell graph: ids and coordinates, terrain, cells, portals, buildings, and which of them are loaded.
//!
//! Physics, visibility, streaming and drawing all resolve the same [`CellId`] in the same [`World`].

pub mod bsp;
mod build;
pub mod cell;
pub mod check;
pub mod coords;
mod frame;
pub mod geometry;
mod grid;
mod ids;
pub mod ladder;
pub mod landblock;
mod library;
mod load;
pub mod loc;
pub mod model;
pub mod motion;
pub mod parallel;
pub mod placed;
mod problem;
pub mod scenery;
pub mod source;
pub mod stream;
pub mod terrain;
pub mod visible;
mod world;

pub use frame::{Frame, Position, Quat, heading_of, heading_or_north};
pub use ids::{BlockId, BlockIdError, CellId};
pub use library::{LadderRecord, Library, REGION};
pub use load::{LoadedBlock, SMALL_WORLD, block_ids, load_all, load_block};
pub use problem::Problem;
pub use world::{Cell, SearchedCells, World};

/// The universal distance epsilon of the original; as f32 it is 0.000199999995.
pub const EPSILON: f32 = 0.000_2;
