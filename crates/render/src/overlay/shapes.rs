//! Lines of simple shapes.

use super::{Color, Segment};
use glam::Vec3;
use threshold_world::geometry::{Aabb, Plane};

/// Corners of a circle.
const ROUND: usize = 20;

/// The outline of a polygon.
pub(super) fn outline(corners: &[Vec3], color: Color, out: &mut Vec<Segment>) {
    for (i, &a) in corners.iter().enumerate() {
        out.push(Segment { a, b: corners[(i + 1) % corners.len()], color });
    }
}

/// A box through a placement of its corners.
pub(super) fn box_of(bounds: &Aabb, place: impl Fn(Vec3) -> Vec3, color: Color, out: &mut Vec<Segment>) {
    let corner = |bits: usize| {
        let pick = |axis: usize, low: f32, high: f32| if bits >> axis & 1 == 1 { high } else { low };
        let (min, max) = (bounds.min, bounds.max);
        place(Vec3::new(pick(0, min.x, max.x), pick(1, min.y, max.y), pick(2, min.z, max.z)))
    };
    for from in 0..8usize {
        for axis in (0..3).filter(|axis| from >> axis & 1 == 0) {
            out.push(Segment { a: corner(from), b: corner(from | 1 << axis), color });
        }
    }
}

fn circle(center: Vec3, x: Vec3, y: Vec3, color: Color, out: &mut Vec<Segment>) {
    let at = |i: usize| {
        let angle = i as f32 * std::f32::consts::TAU / ROUND as f32;
        center + x * libm::cosf(angle) + y * libm::sinf(angle)
    };
    out.extend((0..ROUND).map(|i| Segment { a: at(i), b: at(i + 1), color }));
}

/// Three circles around a point.
pub(super) fn sphere(center: Vec3, radius: f32, color: Color, out: &mut Vec<Segment>) {
    let (x, y, z) = (Vec3::X * radius, Vec3::Y * radius, Vec3::Z * radius);
    circle(center, x, y, color, out);
    circle(center, y, z, color, out);
    circle(center, z, x, color, out);
}

/// An upright cylinder.
pub(super) fn cylinder(foot: Vec3, radius: f32, height: f32, color: Color, out: &mut Vec<Segment>) {
    let (x, y, up) = (Vec3::X * radius, Vec3::Y * radius, Vec3::Z * height);
    circle(foot, x, y, color, out);
    circle(foot + up, x, y, color, out);
    for side in [x, y, -x, -y] {
        out.push(Segment { a: foot + side, b: foot + side + up, color });
    }
}

/// The part of a plane within a box: up to six corners.
pub(super) fn plane_in_box(plane: &Plane, bounds: &Aabb) -> Vec<Vec3> {
    let center = (bounds.min + bounds.max) / 2.0;
    let reach = (bounds.max - bounds.min).length();
    let (x, y) = plane.normal.any_orthonormal_pair();
    let middle = center - plane.normal * plane.distance(center);
    let mut corners: Vec<Vec3> = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .map(|(u, v)| middle + (x * u + y * v) * reach)
        .into();
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        corners = cut(&corners, &Plane::through(axis, bounds.min));
        corners = cut(&corners, &Plane::through(-axis, bounds.max));
    }
    corners
}

/// What lies in front of a plane.
pub(super) fn cut(corners: &[Vec3], plane: &Plane) -> Vec<Vec3> {
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (i, &a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        let (da, db) = (plane.distance(a), plane.distance(b));
        if da >= 0.0 {
            kept.push(a);
        }
        if (da >= 0.0) != (db >= 0.0) {
            kept.push(a + (b - a) * (da / (da - db)));
        }
    }
    kept
}
