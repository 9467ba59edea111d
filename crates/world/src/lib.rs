//! One cell graph: ids and coordinates, terrain, cells, portals, buildings, and which of them are loaded.
//!
//! Physics, visibility, streaming and drawing all resolve the same [`CellId`] in the same [`World`].

pub mod bsp;
pub mod cell;
pub mod coords;
mod frame;
pub mod geometry;
mod ids;
pub mod landblock;
pub mod loc;
pub mod model;
pub mod terrain;
mod world;

pub use frame::{Frame, Position, Quat};
pub use ids::{BlockId, CellId};
pub use world::{Cell, World};

/// The universal distance epsilon of the original.
pub const EPSILON: f32 = 0.000_199_999_99;
