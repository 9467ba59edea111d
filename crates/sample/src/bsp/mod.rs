//! Compiles polygons into the three kinds of tree that records carry.
//!
//! | Tree | Made by | From | Used for |
//! | --- | --- | --- | --- |
//! | cell | [`cell_tree`] | the planes of a convex room | is a point, sphere or box in this cell? |
//! | physics | [`physics_tree`] | walls, openings and seals | what does a sphere hit, is it inside matter? |
//! | drawing | [`drawing_tree`] | all drawn polygons and a shell's openings | bounds, and the openings of a building |
//!
//! # For world builders
//!
//! * A cell's volume is the intersection of half-spaces, so a cell is convex. A room that is not falls into several
//!   cells joined by portals ([`crate::geom::convex_parts`] cuts outlines); [`cell_tree`] refuses anything else.
//! * Physics polygons face free space; matter lies behind them. Walls of a room face into it, sides of a chest away from
//!   it. Nothing needs to be convex, but the surface must be closed: close a room's portals with [`Role::Opening`] (free
//!   on both sides) and a shell's openings with [`Role::Seal`] (matter behind, nothing to hit).
//! * Only leaves that hold polygons count as matter, so every solid leaf lists the polygons that bound it. A polygon may
//!   be listed in several leaves; it is never cut.
//! * Keep walls between unconnected rooms at least a few centimetres thick: two rooms whose walls lie in one plane block
//!   each other's visitors, because a sphere that touches the wall from one side also touches the volume behind it.

mod cell;
mod drawing;
mod physics;
mod splitter;

pub use cell::cell_tree;
pub use drawing::{Drawn, drawing_tree};
pub use physics::{Role, Surface, physics_tree};

use crate::geom::Polygon;
use glam::DVec3;
use threshold_dat::records;

/// Deepest tree that is written. Readers accept 1024 levels; no sensible shape needs a quarter of that.
pub const MAX_DEPTH: usize = 256;

/// Most polygons of one structure or mesh: their ids are 16 bits wide.
pub const MAX_POLYGONS: usize = 1 << 16;

/// Why polygons cannot be compiled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BspError {
    /// Ids would not fit.
    #[error("{0} polygons are more than the {MAX_POLYGONS} one structure can have")]
    TooManyPolygons(usize),
    /// The tree exceeds [`MAX_DEPTH`].
    #[error("the tree is deeper than {MAX_DEPTH} levels")]
    TooDeep,
    /// A polygon has no area.
    #[error("polygon {0} has no area")]
    Flat(usize),
    /// A polygon is bent or not convex.
    #[error("polygon {0} is not flat and convex")]
    Bent(usize),
    /// A cell's volume is not convex.
    #[error(
        "the cell is not convex: a corner of polygon {polygon} lies {by:.3} m behind polygon {behind}; split it into several cells"
    )]
    NotConvex {
        /// The polygon with the corner.
        polygon: usize,
        /// The polygon it lies behind.
        behind: usize,
        /// By how many metres.
        by: f64,
    },
    /// A cell's polygons do not enclose a volume.
    #[error("the cell is open: its planes also enclose the point {0:.2}, beyond its polygons")]
    Open(DVec3),
}

/// Refuses polygons that no tree could describe.
fn check_polygons<'a>(polygons: impl ExactSizeIterator<Item = &'a Polygon>) -> Result<(), BspError> {
    if polygons.len() > MAX_POLYGONS {
        return Err(BspError::TooManyPolygons(polygons.len()));
    }
    for (i, polygon) in polygons.enumerate() {
        let plane = polygon.plane().filter(|_| polygon.area() > 1e-9).ok_or(BspError::Flat(i))?;
        let flat = polygon.points.iter().all(|p| plane.distance(*p).abs() < 2e-3);
        let edges = polygon.edge_planes();
        let convex = edges.iter().all(|edge| polygon.points.iter().all(|p| edge.distance(*p) > -2e-3));
        if !flat || !convex {
            return Err(BspError::Bent(i));
        }
    }
    Ok(())
}

fn stored_vec(v: DVec3) -> records::Vec3 {
    v.as_vec3().to_array()
}

fn stored_plane(plane: &crate::geom::Plane) -> records::Plane {
    records::Plane { normal: stored_vec(plane.normal), d: plane.d as f32 }
}

/// A sphere around points: the middle of their box, rounded up a little so that rounding never leaves a corner outside.
fn bounding_sphere(points: impl Iterator<Item = DVec3> + Clone) -> records::Sphere {
    let (lo, hi) =
        points.clone().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(lo, hi), p| (lo.min(p), hi.max(p)));
    if lo.x > hi.x {
        return records::Sphere::default();
    }
    let center = (lo + hi) / 2.0;
    let radius = points.map(|p| p.distance(center)).fold(0.0, f64::max);
    records::Sphere { center: stored_vec(center), radius: (radius * 1.00001 + 1e-4) as f32 }
}
