//! Cell trees: the volume of a room.

use super::{BspError, check_polygons, stored_plane};
use crate::geom::{Plane, Polygon};
use glam::DVec3;
use threshold_dat::records::{BspInner, BspNode, BspTag, BspTree};

/// Corners may lie this far behind a side before a room counts as not convex.
const TOLERANCE: f64 = 2e-3;

/// Compiles the sides of a convex room, which face into it, into its volume. Spec: physics-bsp §5.1, §5.2.
///
/// The tree is a chain: only positive children are ever followed, so the volume is the intersection of the half-spaces
/// in front of the sides. Several polygons may make up one side.
pub fn cell_tree(sides: &[Polygon]) -> Result<BspTree, BspError> {
    check_polygons(sides.iter())?;
    let planes = distinct_planes(sides);
    for (behind, plane) in &planes {
        for (polygon, side) in sides.iter().enumerate() {
            let by = side.points.iter().map(|p| -plane.distance(*p)).fold(0.0, f64::max);
            if by > TOLERANCE {
                return Err(BspError::NotConvex { polygon, behind: *behind, by });
            }
        }
    }
    check_closed(sides, &planes)?;
    let last = planes.len().saturating_sub(1);
    let nodes = planes.iter().enumerate().map(|(i, (_, plane))| {
        BspNode::Inner(BspInner {
            tag: if i < last { BspTag::BPnn } else { BspTag::Bpnn },
            plane: stored_plane(plane),
            positive: (i < last).then_some(i as u32 + 1),
            ..BspInner::default()
        })
    });
    Ok(BspTree { nodes: nodes.collect(), ..BspTree::default() })
}

/// Each plane once, with the first polygon that lies in it.
fn distinct_planes(sides: &[Polygon]) -> Vec<(usize, Plane)> {
    let mut planes: Vec<(usize, Plane)> = Vec::new();
    for (i, side) in sides.iter().enumerate() {
        let Some(plane) = side.plane() else { continue };
        let center = side.center();
        if !planes.iter().any(|(_, p)| p.coincides(&plane, center)) {
            planes.push((i, plane));
        }
    }
    planes
}

/// The half-spaces must not reach beyond the box of the corners.
fn check_closed(sides: &[Polygon], planes: &[(usize, Plane)]) -> Result<(), BspError> {
    let corners = sides.iter().flat_map(|s| s.points.iter().copied());
    let (lo, hi) = corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(lo, hi), p| (lo.min(p), hi.max(p)));
    if sides.is_empty() {
        return Err(BspError::Open(DVec3::ZERO));
    }
    let (lo, hi) = (lo - 1.0, hi + 1.0);
    let planes: Vec<Plane> = planes.iter().map(|(_, p)| *p).collect();
    for (axis, bound) in
        [(DVec3::X, hi), (DVec3::Y, hi), (DVec3::Z, hi), (-DVec3::X, lo), (-DVec3::Y, lo), (-DVec3::Z, lo)]
    {
        // A side of a box one metre larger than the room: nothing of it may lie in the volume.
        let (u, v) = axis.any_orthonormal_pair();
        let center = (lo + hi) / 2.0;
        let far = center + axis * (bound - center).dot(axis);
        let size = (hi - lo).length();
        let wall = Polygon::new([
            far - u * size - v * size,
            far + u * size - v * size,
            far + u * size + v * size,
            far - u * size + v * size,
        ]);
        if let Some(rest) = wall.clipped(&planes) {
            return Err(BspError::Open(rest.center()));
        }
    }
    Ok(())
}
