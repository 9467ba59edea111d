//! What depends on the system that the explorer runs on: how it starts, its files, its clock, and what a window may do
//! there. Nothing else in the crate asks the system for anything, or which one it is.
//!
//! Both systems offer the same names: a desktop (`native`), and a page in a browser (`web`).

#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(not(target_arch = "wasm32"))]
pub use native::*;

#[cfg(target_arch = "wasm32")]
mod web;
#[cfg(target_arch = "wasm32")]
pub use web::*;
