//! Worlds authored in code and written as genuine dat files.

pub mod bsp;
pub mod geom;
