//! Measures of polygons.

use crate::geometry::{Plane, polygon_plane};
use glam::Vec3;

/// Metres that vertices may be off the plane of their polygon.
const FLAT: f32 = 0.005;

/// What keeps a vertex loop from being a flat, convex polygon.
pub(super) fn shape_fault(corners: &[Vec3]) -> Option<String> {
    let Some(plane) = polygon_plane(corners) else { return Some("has no area".into()) };
    let off = corners.iter().map(|&p| plane.distance(p).abs()).fold(0.0, f32::max);
    if off > FLAT {
        return Some(format!("is not flat: a corner is {off:.3} m off its plane"));
    }
    let count = corners.len();
    let turns_back = (0..count).any(|i| {
        let [a, b, c] = [0, 1, 2].map(|k| corners[(i + k) % count]);
        let (u, v) = (b - a, c - b);
        u.cross(v).dot(plane.normal) < -1e-3 * (u.length() * v.length()).max(1e-3)
    });
    turns_back.then(|| "is not convex".into())
}

/// Greatest distance of a corner of one convex polygon from the other polygon, both ways.
pub(super) fn gap(a: &[Vec3], b: &[Vec3]) -> f32 {
    let one_way = |from: &[Vec3], to: &[Vec3]| from.iter().map(|&p| distance(p, to)).fold(0.0, f32::max);
    one_way(a, b).max(one_way(b, a))
}

/// Distance of a point from a filled convex polygon.
fn distance(p: Vec3, corners: &[Vec3]) -> f32 {
    let edges = || (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]));
    if let Some(Plane { normal, d }) = polygon_plane(corners)
        && edges().all(|(a, b)| normal.cross(b - a).dot(p - a) >= 0.0)
    {
        return (normal.dot(p) + d).abs();
    }
    edges().map(|(a, b)| distance_to_segment(p, a, b)).fold(f32::INFINITY, f32::min)
}

fn distance_to_segment(p: Vec3, a: Vec3, b: Vec3) -> f32 {
    let along = b - a;
    let t = if along.length_squared() > 0.0 { (p - a).dot(along) / along.length_squared() } else { 0.0 };
    p.distance(a + along * t.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f32) -> Vec<Vec3> {
        [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)].map(|(y, z)| Vec3::new(x, y, z)).to_vec()
    }

    #[test]
    fn polygons_with_other_corners_can_still_coincide() {
        let mut with_extra_corner = square(1.0);
        with_extra_corner.insert(1, Vec3::new(1.0, 1.0, 0.0));
        with_extra_corner.reverse();
        assert!(gap(&square(1.0), &with_extra_corner) < 1e-6);
        assert!((gap(&square(1.0), &square(1.5)) - 0.5).abs() < 1e-6);
        let half: Vec<Vec3> = square(1.0).into_iter().map(|p| Vec3::new(1.0, p.y / 2.0, p.z)).collect();
        assert!((gap(&square(1.0), &half) - 1.0).abs() < 1e-6, "inside one way, not the other");
    }

    #[test]
    fn bent_and_notched_loops_are_named() {
        assert_eq!(shape_fault(&square(0.0)), None);
        let mut bent = square(0.0);
        bent[2].x = 0.1;
        assert!(shape_fault(&bent).unwrap().contains("not flat"));
        let mut notched = square(0.0);
        notched.insert(2, Vec3::new(0.0, 1.0, 1.0));
        assert_eq!(shape_fault(&notched).unwrap(), "is not convex");
        assert_eq!(shape_fault(&[Vec3::ZERO; 4]).unwrap(), "has no area");
    }
}
