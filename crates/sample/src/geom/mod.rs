//! The solid geometry that worlds are authored in: planes, convex polygons, convex solids.
//!
//! Everything is double precision and in metres. Coordinates are rounded once, when records are made, so polygons that
//! were the same here are the same to the bit in the files.

mod convex;
mod outline;
mod plane;
mod polygon;

pub(crate) use convex::outside_of;
pub use convex::{Convex, Facet, union_surface};
pub use outline::{OutlineError, convex_parts};
pub use plane::{ON_PLANE, Plane};
pub use polygon::{Polygon, Side};
