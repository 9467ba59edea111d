//! Where a sphere may overlap a polygon, with room for rounding.

use crate::geometry::{Aabb, Plane, PlaneQuad, Polygon, PolygonSet};
use glam::{Vec3, Vec4};

/// The largest sphere that grids know about: a person's and a little more. A larger reach would make longer lists.
pub(super) const GRID_REACH: f32 = 0.5;

/// Room for rounding, in metres.
const SLACK: f32 = 0.01;
/// The same for each metre of a coordinate.
const RELATIVE_SLACK: f32 = 1e-5;
/// The same for each metre of a polygon that is as wide as long. The tests of a narrow one's edges are less precise.
const EDGE_SLACK: f32 = 1e-6;
/// A polygon is convex if no vertex is farther than this outside the line of an edge.
const CONVEX: f32 = 1e-3;

/// What is farther than this inside a rim is inside the polygon in spite of rounding.
const WELL_INSIDE: f32 = 0.04;

/// Room for rounding within a box.
pub(super) fn slack_at(bounds: &Aabb) -> f32 {
    SLACK + RELATIVE_SLACK * bounds.min.abs().max(bounds.max.abs()).max_element()
}

/// A box around all centres from which a sphere reaches a polygon. Vertices need not lie in the polygon's plane, where its
/// tests take place.
pub(super) fn reach_of(set: &PolygonSet, polygon: &Polygon) -> Aabb {
    let bounds = bounds_of(set, polygon);
    let by = GRID_REACH + slack_at(&bounds) + tips_of(set, polygon);
    Aabb { min: bounds.min - by, max: bounds.max + by }
}

fn bounds_of(set: &PolygonSet, polygon: &Polygon) -> Aabb {
    let Plane { normal, .. } = polygon.plane;
    let in_plane = |vertex: Vec3| vertex - normal * polygon.plane.distance(vertex);
    Aabb::around(set.vertices(polygon).flat_map(|vertex| [vertex, in_plane(vertex)])).unwrap_or_default()
}

/// By how much the tests of a polygon's edges may be wrong: the more the narrower it is.
pub(super) fn tips_of(set: &PolygonSet, polygon: &Polygon) -> f32 {
    let first = set.vertices(polygon).next().unwrap_or_default();
    let spokes: Vec<Vec3> = set.vertices(polygon).map(|vertex| vertex - first).collect();
    let double_area = spokes.windows(2).map(|pair| pair[0].cross(pair[1])).sum::<Vec3>().length();
    let longest_sq = set.edges(polygon).iter().map(|edge| edge.along_sq).fold(0.0, f32::max);
    EDGE_SLACK * longest_sq * longest_sq.sqrt() / double_area
}

/// Planes through up to four edges of a convex polygon, upright on it and facing inwards, moved out a little: what is far outside
/// one of them is far from the polygon. A polygon that is not convex has none.
#[derive(Clone, Debug)]
pub(super) struct Rim {
    planes: PlaneQuad,
    /// There are no other edges, and what is well inside all of the planes is inside the polygon.
    is_whole: bool,
}

impl Rim {
    pub(super) fn new(set: &PolygonSet, polygon: &Polygon) -> Rim {
        let slack = slack_at(&bounds_of(set, polygon)) + tips_of(set, polygon);
        let edges = set.edges(polygon).iter().filter(|edge| edge.inward_sq > CONVEX);
        let planes: Vec<Plane> =
            edges.map(|edge| Plane::through(edge.inward / edge.inward_sq.sqrt(), edge.start)).collect();
        let is_convex =
            planes.iter().all(|plane| set.vertices(polygon).all(|v| plane.distance(v) >= -CONVEX));
        if !is_convex {
            return Rim { planes: PlaneQuad::new(&[]), is_whole: false };
        }
        let moved: Vec<Plane> = planes.iter().map(|plane| Plane { d: plane.d + slack, ..*plane }).collect();
        let is_whole = planes.len() == set.edges(polygon).len() && planes.len() <= PlaneQuad::LANES;
        Rim {
            planes: PlaneQuad::new(&moved[..moved.len().min(PlaneQuad::LANES)]),
            is_whole: is_whole && slack < WELL_INSIDE / 2.0,
        }
    }

    /// How far a point is inside each of the planes.
    #[inline]
    pub(super) fn inside(&self, p: Vec3) -> Vec4 {
        self.planes.distances(p)
    }

    /// Whether a sphere whose centre is as far inside is out of reach; its cut through the polygon's plane has this squared radius.
    #[inline]
    pub(super) fn is_beside(&self, inside: Vec4, across_sq: f32) -> bool {
        (inside.cmplt(Vec4::ZERO) & (inside * inside).cmpgt(Vec4::splat(across_sq))).any()
    }

    /// Whether a point that is as far inside is certainly above or below the polygon.
    #[inline]
    pub(super) fn is_over(&self, inside: Vec4) -> bool {
        self.is_whole && inside.cmpge(Vec4::splat(WELL_INSIDE)).all()
    }
}
