//! Convex planar polygons and how planes cut them.

use super::plane::{ON_PLANE, Plane};
use glam::DVec3;

/// A convex planar polygon; counter-clockwise seen from the front.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    /// Corners in order.
    pub points: Vec<DVec3>,
}

/// Where a polygon lies with respect to a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Wholly in front.
    Front,
    /// Wholly behind.
    Back,
    /// In the plane.
    On,
    /// On both sides.
    Across,
}

impl Polygon {
    /// A polygon from its corners.
    pub fn new(points: impl Into<Vec<DVec3>>) -> Polygon {
        Polygon { points: points.into() }
    }

    /// Twice the area, as a vector along the normal (Newell's sum).
    fn area_vector(&self) -> DVec3 {
        let Some(&first) = self.points.first() else { return DVec3::ZERO };
        self.points.windows(2).fold(DVec3::ZERO, |sum, pair| sum + (pair[0] - first).cross(pair[1] - first))
    }

    /// Area in square metres.
    pub fn area(&self) -> f64 {
        self.area_vector().length() / 2.0
    }

    /// Its plane; `None` for a polygon without area.
    pub fn plane(&self) -> Option<Plane> {
        let normal = self.area_vector().try_normalize()?;
        let mean = self.points.iter().map(|p| normal.dot(*p)).sum::<f64>() / self.points.len() as f64;
        Some(Plane { normal, d: -mean })
    }

    /// Mean of the corners: a point inside.
    pub fn center(&self) -> DVec3 {
        self.points.iter().sum::<DVec3>() / self.points.len().max(1) as f64
    }

    /// The same polygon seen from behind.
    pub fn flipped(&self) -> Polygon {
        Polygon { points: self.points.iter().rev().copied().collect() }
    }

    /// The polygon with every corner moved by `f`.
    pub fn map(&self, f: impl FnMut(DVec3) -> DVec3) -> Polygon {
        Polygon { points: self.points.iter().copied().map(f).collect() }
    }

    /// On which side of a plane it lies; touching does not count as crossing.
    pub fn side(&self, plane: &Plane) -> Side {
        let (mut front, mut back) = (false, false);
        for p in &self.points {
            let t = plane.distance(*p);
            front |= t > ON_PLANE;
            back |= t < -ON_PLANE;
        }
        match (front, back) {
            (true, true) => Side::Across,
            (true, false) => Side::Front,
            (false, true) => Side::Back,
            (false, false) => Side::On,
        }
    }

    /// The parts in front of and behind a plane. A polygon that only touches the plane stays whole; one in the plane
    /// is on neither side.
    pub fn split(&self, plane: &Plane) -> (Option<Polygon>, Option<Polygon>) {
        match self.side(plane) {
            Side::Front => (Some(self.clone()), None),
            Side::Back => (None, Some(self.clone())),
            Side::On => (None, None),
            Side::Across => (self.part(plane), self.part(&plane.flipped())),
        }
    }

    /// The part in front of a plane that crosses the polygon.
    fn part(&self, plane: &Plane) -> Option<Polygon> {
        let mut points: Vec<DVec3> = Vec::with_capacity(self.points.len() + 1);
        let mut push = |p: DVec3| {
            if points.last().is_none_or(|&last| last.distance_squared(p) > 1e-10) {
                points.push(p);
            }
        };
        let mut previous = *self.points.last()?;
        let mut before = plane.distance(previous);
        for &p in &self.points {
            let t = plane.distance(p);
            if (before > ON_PLANE && t < -ON_PLANE) || (before < -ON_PLANE && t > ON_PLANE) {
                push(cross_point(previous, before, p, t));
            }
            if t >= -ON_PLANE {
                push(p);
            }
            (previous, before) = (p, t);
        }
        if points.len() > 1 && points[0].distance_squared(points[points.len() - 1]) <= 1e-10 {
            points.pop();
        }
        let part = Polygon { points };
        (part.points.len() >= 3 && part.area() > 1e-8).then_some(part)
    }

    /// The part in front of all planes.
    pub fn clipped(&self, planes: &[Plane]) -> Option<Polygon> {
        let mut rest = self.clone();
        for plane in planes {
            match rest.side(plane) {
                Side::Front | Side::On => {}
                Side::Back => return None,
                Side::Across => rest = rest.part(plane)?,
            }
        }
        Some(rest)
    }

    /// Planes through the edges, at right angles to the polygon, facing inwards.
    pub fn edge_planes(&self) -> Vec<Plane> {
        let Some(plane) = self.plane() else { return Vec::new() };
        let next = self.points.iter().cycle().skip(1);
        let edges = self.points.iter().zip(next);
        edges
            .filter_map(|(&a, &b)| Some(Plane::through(plane.normal.cross(b - a).try_normalize()?, a)))
            .collect()
    }

    /// The rest of it when `hole`, a convex polygon in the same plane, is cut out. The cuts run along the hole's
    /// edges; the hole's winding does not matter.
    pub fn without(&self, hole: &Polygon) -> Vec<Polygon> {
        let mut left = Vec::new();
        let mut rest = self.clone();
        for edge in hole.edge_planes() {
            match rest.side(&edge) {
                Side::Front => {}
                Side::Back | Side::On => return vec![self.clone()],
                Side::Across => {
                    left.extend(rest.part(&edge.flipped()));
                    match rest.part(&edge) {
                        Some(inner) => rest = inner,
                        None => return vec![self.clone()],
                    }
                }
            }
        }
        left
    }

    /// The common part of two polygons in the same plane, facing as `self`.
    pub fn overlap(&self, other: &Polygon) -> Option<Polygon> {
        let mut rest = self.clone();
        for edge in other.edge_planes() {
            match rest.side(&edge) {
                Side::Front => {}
                Side::Back | Side::On => return None,
                Side::Across => rest = rest.part(&edge)?,
            }
        }
        Some(rest)
    }

    /// Whether a point of its plane lies inside or on an edge.
    pub fn covers(&self, p: DVec3) -> bool {
        self.edge_planes().iter().all(|edge| edge.distance(p) >= -ON_PLANE)
    }
}

/// Where the way from `a` (distance `ta`) to `b` (distance `tb`) meets the plane. Computed in the same direction
/// whichever way the edge runs, so that both parts of a cut and both neighbours of an edge get the same point.
fn cross_point(a: DVec3, ta: f64, b: DVec3, tb: f64) -> DVec3 {
    let (from, t0, to, t1) = if lexical(a, b) { (a, ta, b, tb) } else { (b, tb, a, ta) };
    from + (to - from) * (t0 / (t0 - t1))
}

fn lexical(a: DVec3, b: DVec3) -> bool {
    (a.x, a.y, a.z) < (b.x, b.y, b.z)
}
