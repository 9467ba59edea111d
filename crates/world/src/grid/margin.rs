//! How deep in a polygon a sphere must be for every walk of the tree to come to the polygon.
//!
//! A walk leaves out what lies behind a splitting plane farther away than the sphere reaches, and what has its bounds out of reach.
//! Polygons are stored in each leaf that they extend into, up to rounding, so a sphere that is deep enough in one is led there.

use super::reach::tips_of;
use crate::{
    bsp::{PhysicsNode, PhysicsTree},
    geometry::{Plane, PolygonSet},
};
use glam::Vec3;

/// How much deeper than just touching is known to be enough in a tree without rounding.
const LEAST: f32 = 1e-3;
/// A polygon that is not farther from a plane counts as lying in it.
const IN_PLANE: f32 = 5e-3;
/// Pieces of polygons that are followed down a tree, and how far; hostile trees ask for more.
const MAX_PIECES: usize = 1 << 18;
pub(super) const MAX_DEPTH: usize = 100;
/// What coordinates are rounded by, for each metre.
const ROUNDING: f32 = 1e-6;

/// A sphere that overlaps any of the polygons even when its radius is smaller by this is led to it by every walk; infinite where
/// that cannot be told.
pub(crate) fn margin_of(set: &PolygonSet, tree: &PhysicsTree) -> f32 {
    let mut descent = Descent { tree, index: 0, left: MAX_PIECES, corners: Vec::new() };
    let mut most = 0.0_f32;
    for (index, polygon) in set.polygons().iter().enumerate() {
        let Plane { normal, .. } = polygon.plane;
        let (mut off, mut largest) = (0.0_f32, 0.0_f32);
        descent.index = index as u16;
        descent.corners.clear();
        for corner in set.vertices(polygon) {
            let height = polygon.plane.distance(corner);
            off = off.max(height.abs());
            largest = largest.max(corner.abs().max_element());
            descent.corners.push(corner - normal * height);
        }
        let astray = descent.astray(0, MAX_DEPTH, 0);
        let margin = astray + off + tips_of(set, polygon) + ROUNDING * largest;
        if !margin.is_finite() {
            return f32::INFINITY;
        }
        most = most.max(margin);
    }
    most + LEAST
}

/// The way of a polygon down a tree.
struct Descent<'a> {
    tree: &'a PhysicsTree,
    index: u16,
    /// Pieces that may still be followed.
    left: usize,
    /// The corners of the piece that is followed, after those of the pieces it was cut from.
    corners: Vec<Vec3>,
}

impl Descent<'_> {
    /// How far the last piece, which begins with a corner, is at most from where walks look for it; infinite when they do not find it.
    fn astray(&mut self, number: u32, depth: usize, begin: usize) -> f32 {
        let node = self.tree.nodes.get(number as usize);
        let (Some(node), Some(left), Some(depth)) = (node, self.left.checked_sub(1), depth.checked_sub(1))
        else {
            return f32::INFINITY;
        };
        self.left = left;
        let piece = &self.corners[begin..];
        let (PhysicsNode::Inner { sphere, .. } | PhysicsNode::Leaf { sphere, .. }) = node;
        let farthest_sq =
            piece.iter().map(|corner| corner.distance_squared(sphere.center)).fold(0.0, f32::max);
        let is_in = farthest_sq <= sphere.radius * sphere.radius && sphere.radius >= 0.0;
        let out = if is_in { 0.0 } else { farthest_sq.sqrt() - sphere.radius };
        out + match node {
            PhysicsNode::Leaf { first, count, .. } => {
                let listed = self.tree.leaf_polygons.iter().skip(*first as usize).take(*count as usize);
                if listed.copied().any(|listed| listed == self.index) { 0.0 } else { f32::INFINITY }
            }
            PhysicsNode::Inner { plane, positive, negative, .. } => {
                let length = plane.normal.length();
                if !(length.is_finite() && plane.d.is_finite()) {
                    return f32::INFINITY;
                }
                let (mut low, mut high) = (0.0_f32, 0.0_f32);
                for corner in piece {
                    let distance = plane.distance(*corner);
                    (low, high) = (low.min(distance), high.max(distance));
                }
                let (is_ahead, is_behind) = (low >= -IN_PLANE, high <= IN_PLANE);
                (length - 1.0).max(0.0)
                    + match (is_ahead, is_behind) {
                        // It may be kept on either side.
                        (true, true) => {
                            let ahead = self.astray(*positive, depth, begin);
                            high - low
                                + if ahead.is_finite() { ahead } else { self.astray(*negative, depth, begin) }
                        }
                        (true, false) => self.astray(*positive, depth, begin) - low,
                        (false, true) => self.astray(*negative, depth, begin) + high,
                        (false, false) => {
                            let front = self.part_astray(*positive, depth, begin, plane, |d| d >= 0.0);
                            front.max(self.part_astray(*negative, depth, begin, plane, |d| d < 0.0))
                        }
                    }
            }
        }
    }

    /// [`Descent::astray`] for the part of the last piece on one side of a plane.
    fn part_astray(
        &mut self,
        number: u32,
        depth: usize,
        begin: usize,
        plane: &Plane,
        is_part: impl Fn(f32) -> bool,
    ) -> f32 {
        let end = self.corners.len();
        let Some(&last) = self.corners[begin..].last() else { return f32::INFINITY };
        let (mut previous, mut before) = (last, plane.distance(last));
        for i in begin..end {
            let corner = self.corners[i];
            let here = plane.distance(corner);
            if is_part(before) != is_part(here) {
                self.corners.push(previous + (corner - previous) * (before / (before - here)));
            }
            if is_part(here) {
                self.corners.push(corner);
            }
            (previous, before) = (corner, here);
        }
        let astray = self.astray(number, depth, end);
        self.corners.truncate(end);
        astray
    }
}
