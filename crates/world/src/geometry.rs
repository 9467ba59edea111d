//! Planes, spheres, boxes and polygons.

use crate::{EPSILON, Position};
use glam::{Vec3, Vec4};
#[cfg(feature = "serde")]
use serde::Serialize;
use std::ops::Range;

/// A plane: points with `normal · p + d > 0` are on its positive side.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Plane {
    /// Unit normal.
    pub normal: Vec3,
    /// Offset; minus the distance of the plane from the origin along the normal.
    pub d: f32,
}

/// Where a point or box lies with respect to a plane. Spec: physics §1.8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// In front.
    Positive,
    /// Behind.
    Negative,
    /// Within the tolerance.
    InPlane,
    /// A box with corners on both sides, or in the plane.
    Crossing,
}

impl Plane {
    /// The plane with the given normal through a point.
    pub fn through(normal: Vec3, point: Vec3) -> Plane {
        Plane { normal, d: -normal.dot(point) }
    }

    /// Signed distance of a point.
    #[inline]
    pub fn distance(&self, p: Vec3) -> f32 {
        self.normal.dot(p) + self.d
    }

    /// Side of a point with the universal tolerance. Retail: `Plane::which_side`.
    pub fn side(&self, p: Vec3) -> Side {
        let t = self.distance(p);
        if t > EPSILON {
            Side::Positive
        } else if t < -EPSILON {
            Side::Negative
        } else {
            Side::InPlane
        }
    }

    /// Side of a box; a corner in the plane makes it a crossing. Retail: `Plane::intersect_box`. Spec: physics §2.9.
    pub fn side_of_box(&self, bounds: &Aabb) -> Side {
        let first = self.side(bounds.min);
        if first == Side::InPlane || bounds.corners().iter().any(|&c| self.side(c) != first) {
            return Side::Crossing;
        }
        first
    }

    /// The plane of `from`'s space in `to`'s block coordinates. Retail: `Plane::localtoglobal`. Spec: physics §2.9.
    pub fn to_block(&self, from: &Position, to: &Position) -> Plane {
        let normal = from.frame.rotate(self.normal);
        Plane::through(normal, to.block_point_of(from, self.normal * -self.d))
    }
}

/// Four planes a coordinate at a time, so that a point is measured from all of them at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlaneQuad {
    x: Vec4,
    y: Vec4,
    z: Vec4,
    d: Vec4,
}

impl PlaneQuad {
    pub(crate) const LANES: usize = 4;

    /// Planes that all of space is in front of, infinitely far.
    const EMPTY: PlaneQuad = PlaneQuad { x: Vec4::ZERO, y: Vec4::ZERO, z: Vec4::ZERO, d: Vec4::INFINITY };

    /// Up to four planes; the others are infinitely far.
    pub(crate) fn new(planes: &[Plane]) -> PlaneQuad {
        let mut quad = PlaneQuad::EMPTY;
        planes.iter().enumerate().for_each(|(lane, plane)| quad.set(lane, plane));
        quad
    }

    fn set(&mut self, lane: usize, plane: &Plane) {
        self.x[lane] = plane.normal.x;
        self.y[lane] = plane.normal.y;
        self.z[lane] = plane.normal.z;
        self.d[lane] = plane.d;
    }

    /// [`Plane::distance`] of each.
    #[inline]
    pub(crate) fn distances(&self, p: Vec3) -> Vec4 {
        self.x * p.x + self.y * p.y + self.z * p.z + self.d
    }

    /// The normal of each.
    #[inline]
    pub(crate) fn normals(&self) -> [Vec3; PlaneQuad::LANES] {
        std::array::from_fn(|i| Vec3::new(self.x[i], self.y[i], self.z[i]))
    }
}

/// A ball.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Sphere {
    /// Centre.
    pub center: Vec3,
    /// Radius.
    pub radius: f32,
}

impl Sphere {
    /// From centre and radius side by side. In loops it pays to write a sphere as a whole where it is read as a whole soon after.
    #[inline]
    pub fn from_vec4(v: Vec4) -> Sphere {
        Sphere { center: v.truncate(), radius: v.w }
    }

    /// Centre and radius side by side.
    #[inline]
    pub fn to_vec4(&self) -> Vec4 {
        self.center.extend(self.radius)
    }

    /// The coarse test that starts every walk of a physics tree. Retail: `CSphere::intersects`. Spec: physics-bsp §5.3.
    #[inline]
    pub fn is_near(&self, other: &Sphere) -> bool {
        let reach = self.radius + other.radius;
        (self.center - other.center).length_squared() - reach * reach < EPSILON
    }
}

/// An upright cylinder: the low point of its axis, radius and height.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Cylinder {
    /// Lowest point of the axis.
    pub low: Vec3,
    /// Radius.
    pub radius: f32,
    /// Height.
    pub height: f32,
}

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Aabb {
    /// Smallest coordinates.
    pub min: Vec3,
    /// Largest coordinates.
    pub max: Vec3,
}

impl Aabb {
    /// The box around some points; `None` for no points.
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Option<Aabb> {
        let mut points = points.into_iter();
        let first = points.next()?;
        Some(
            points
                .fold(Aabb { min: first, max: first }, |b, p| Aabb { min: b.min.min(p), max: b.max.max(p) }),
        )
    }

    /// The eight corners.
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|i| {
            let pick = |bit: usize, lo: f32, hi: f32| if i >> bit & 1 == 0 { lo } else { hi };
            Vec3::new(
                pick(0, self.min.x, self.max.x),
                pick(1, self.min.y, self.max.y),
                pick(2, self.min.z, self.max.z),
            )
        })
    }

    /// The box around this one after moving its corners.
    pub fn transformed(&self, f: impl Fn(Vec3) -> Vec3) -> Aabb {
        let corners = self.corners().map(f);
        let (mut min, mut max) = (corners[0], corners[0]);
        for &c in &corners[1..] {
            min = min.min(c);
            max = max.max(c);
        }
        Aabb { min, max }
    }
}

/// One edge of a polygon with the values that the sphere tests derive from it.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Edge {
    /// Vertex the edge starts from.
    pub start: Vec3,
    /// From the start to the next vertex.
    pub along: Vec3,
    /// Normal of the edge in the polygon's plane, pointing inwards; as long as the edge.
    pub inward: Vec3,
    /// Squared length of `along`.
    pub along_sq: f32,
    /// Squared length of `inward`.
    pub inward_sq: f32,
}

/// A planar polygon of a [`PolygonSet`].
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    /// Its plane; vertices run counter-clockwise seen from the positive side.
    pub plane: Plane,
    /// The number it is stored under in its record.
    pub id: u16,
    edges: Range<u32>,
}

/// Polygons with their edges side by side in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolygonSet {
    polygons: Vec<Polygon>,
    edges: Vec<Edge>,
}

/// Plane of a vertex loop: normalised sum of the fan's cross products, offset averaged over the vertices. None for a
/// loop without area. Retail: `CPolygon::make_plane`. Spec: physics-bsp §5.5.
pub fn polygon_plane(vertices: &[Vec3]) -> Option<Plane> {
    let first = *vertices.first()?;
    let mut sum = Vec3::ZERO;
    for pair in vertices.windows(2).skip(1) {
        sum += (pair[0] - first).cross(pair[1] - first);
    }
    let length = sum.length();
    if !(length.is_finite() && length >= 1e-6) {
        return None;
    }
    let normal = sum / length;
    let total: f32 = vertices.iter().map(|v| normal.dot(*v)).sum();
    Some(Plane { normal, d: -(total / vertices.len() as f32) })
}

impl PolygonSet {
    /// Adds a vertex loop; one without area is left out. Returns its index.
    pub fn push(&mut self, id: u16, vertices: &[Vec3]) -> Option<usize> {
        let plane = polygon_plane(vertices)?;
        let start = self.edges.len() as u32;
        let mut previous = *vertices.last()?;
        for &vertex in vertices {
            let along = vertex - previous;
            let inward = plane.normal.cross(along);
            self.edges.push(Edge {
                start: previous,
                along,
                inward,
                along_sq: along.length_squared(),
                inward_sq: inward.length_squared(),
            });
            previous = vertex;
        }
        self.polygons.push(Polygon { plane, id, edges: start..self.edges.len() as u32 });
        Some(self.polygons.len() - 1)
    }

    /// All polygons in stored order.
    pub fn polygons(&self) -> &[Polygon] {
        &self.polygons
    }

    /// Index of the polygon stored under `id`.
    pub fn index_of(&self, id: u16) -> Option<usize> {
        // Ids usually count from zero.
        let guess = usize::from(id);
        if self.polygons.get(guess).is_some_and(|p| p.id == id) {
            return Some(guess);
        }
        self.polygons.iter().position(|p| p.id == id)
    }

    /// Edges of a polygon; the first one runs from the last vertex to the first.
    #[inline]
    pub fn edges(&self, polygon: &Polygon) -> &[Edge] {
        &self.edges[polygon.edges.start as usize..polygon.edges.end as usize]
    }

    /// Vertices of a polygon in stored order.
    pub fn vertices(&self, polygon: &Polygon) -> impl ExactSizeIterator<Item = Vec3> + '_ {
        let edges = self.edges(polygon);
        (0..edges.len()).map(move |i| edges[(i + 1) % edges.len()].start)
    }

    /// Gives back memory that growing left unused.
    pub fn shrink(&mut self) {
        self.polygons.shrink_to_fit();
        self.edges.shrink_to_fit();
    }
}
