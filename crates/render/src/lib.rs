//! Pictures of the cell world: meshes and textures made from records, and two backends that execute a frame plan.
//!
//! The CPU reference ([`raster`]) needs no driver and draws the same pixels on every machine, with any number of
//! threads. With the feature `gpu`, a graphics card executes the same draw lists (`gpu`).

pub mod assets;
mod backend;
pub mod cpu;
pub mod draw;
pub mod frame;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod light;
pub mod map;
pub mod material;
pub mod mesh;
pub mod overlay;
pub mod particles;
#[cfg(feature = "png")]
pub mod picture;
pub mod raster;
pub mod sky;
pub mod stage;
pub mod studio;
pub mod terrain;
pub mod texture;

pub use backend::{Backend, BackendError};
