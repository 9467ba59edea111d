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
const MAX_DEPTH: usize = 100;
/// What coordinates are rounded by, for each metre.
const ROUNDING: f32 = 1e-6;

/// A sphere that overlaps any of the polygons even when its radius is smaller by this is led to it by every walk; infinite where
/// that cannot be told.
pub(crate) fn margin_of(set: &PolygonSet, tree: &PhysicsTree) -> f32 {
    let mut left = MAX_PIECES;
    let mut most = 0.0_f32;
    for (index, polygon) in set.polygons().iter().enumerate() {
        let Plane { normal, .. } = polygon.plane;
        let corners: Vec<Vec3> = set.vertices(polygon).collect();
        let off = corners.iter().map(|corner| polygon.plane.distance(*corner).abs()).fold(0.0, f32::max);
        let largest = corners.iter().map(|corner| corner.abs().max_element()).fold(0.0, f32::max);
        let piece = corners.iter().map(|corner| corner - normal * polygon.plane.distance(*corner)).collect();
        let astray = Descent { tree, index: index as u16, left: &mut left }.astray(0, MAX_DEPTH, piece);
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
    left: &'a mut usize,
}

impl Descent<'_> {
    /// How far a piece of the polygon is at most from where walks look for it; infinite when they do not find it.
    fn astray(&mut self, number: u32, depth: usize, piece: Vec<Vec3>) -> f32 {
        let node = self.tree.nodes.get(number as usize);
        let (Some(node), Some(left), Some(depth)) = (node, self.left.checked_sub(1), depth.checked_sub(1))
        else {
            return f32::INFINITY;
        };
        *self.left = left;
        let (PhysicsNode::Inner { sphere, .. } | PhysicsNode::Leaf { sphere, .. }) = node;
        let farthest = piece.iter().map(|corner| corner.distance(sphere.center)).fold(0.0, f32::max);
        let out = if farthest <= sphere.radius { 0.0 } else { farthest - sphere.radius };
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
                let stretch = (length - 1.0).max(0.0);
                let distances = || piece.iter().map(|corner| plane.distance(*corner));
                let (low, high) = (distances().fold(0.0, f32::min), distances().fold(0.0, f32::max));
                let (is_ahead, is_behind) = (low >= -IN_PLANE, high <= IN_PLANE);
                stretch
                    + match (is_ahead, is_behind) {
                        // It may be kept on either side.
                        (true, true) => {
                            let ahead = self.astray(*positive, depth, piece.clone());
                            high - low
                                + if ahead.is_finite() { ahead } else { self.astray(*negative, depth, piece) }
                        }
                        (true, false) => self.astray(*positive, depth, piece) - low,
                        (false, true) => self.astray(*negative, depth, piece) + high,
                        (false, false) => {
                            let (front, back) = cut(&piece, plane);
                            self.astray(*positive, depth, front).max(self.astray(*negative, depth, back))
                        }
                    }
            }
        }
    }
}

/// The parts of a piece on both sides of a plane.
fn cut(piece: &[Vec3], plane: &Plane) -> (Vec<Vec3>, Vec<Vec3>) {
    let (mut front, mut back) = (Vec::new(), Vec::new());
    let Some(&last) = piece.last() else { return (front, back) };
    let (mut previous, mut before) = (last, plane.distance(last));
    for &corner in piece {
        let here = plane.distance(corner);
        if (before < 0.0) != (here < 0.0) {
            let crossing = previous + (corner - previous) * (before / (before - here));
            front.push(crossing);
            back.push(crossing);
        }
        if here < 0.0 {
            back.push(corner)
        } else {
            front.push(corner)
        }
        (previous, before) = (corner, here);
    }
    (front, back)
}
