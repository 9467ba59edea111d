//! libthreshold: the engine behind a C ABI.
//!
//! The header `include/threshold.h` is generated from this crate and is its documentation. Every function checks its
//! arguments, catches panics and returns a status; handles are numbers in a table, never addresses, so that closed and
//! invalid ones are detected. The caller is responsible only for the addresses and sizes of its own memory: everything that
//! reads or writes it is in [`memory`].
//!
//! The functions are `unsafe` in Rust because they take such addresses. Rust programs use `threshold-sim`.

#![allow(unsafe_code, reason = "a C ABI takes addresses from its callers")]
// The header documents how long memory must be valid, once for all functions.
#![allow(clippy::missing_safety_doc)]

mod ask;
mod camera;
mod check;
mod dat;
mod entities;
mod events;
mod fault;
mod handles;
mod memory;
mod picture;
mod plan;
mod probe;
mod route;
mod types;
mod updates;
mod world;

pub use ask::*;
pub use camera::{ThCamera, ThSeat};
pub use check::*;
pub use dat::*;
pub use entities::*;
pub use events::*;
pub use fault::{TH_ABI, ThStatus, th_abi, th_error};
pub use handles::{ThDat, ThWorld};
pub use picture::*;
pub use plan::*;
pub use probe::*;
pub use route::*;
pub use types::*;
pub use updates::*;
pub use world::*;
