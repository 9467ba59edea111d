//! Planes in double precision.

use glam::DVec3;

/// Points closer than this to a plane lie on it, in metres. Far above the rounding of stored coordinates, far below
/// anything an author means.
pub const ON_PLANE: f64 = 5e-4;

/// A plane: points with `normal · p + d > 0` are in front of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit normal.
    pub normal: DVec3,
    /// Minus the distance of the plane from the origin along the normal.
    pub d: f64,
}

impl Plane {
    /// The plane with a unit normal through a point.
    pub fn through(normal: DVec3, point: DVec3) -> Plane {
        Plane { normal, d: -normal.dot(point) }
    }

    /// Signed distance of a point.
    pub fn distance(&self, p: DVec3) -> f64 {
        self.normal.dot(p) + self.d
    }

    /// The same points, seen from the other side.
    pub fn flipped(&self) -> Plane {
        Plane { normal: -self.normal, d: -self.d }
    }

    /// Whether both are the same plane facing the same way, judged around the point `near`.
    pub fn coincides(&self, other: &Plane, near: DVec3) -> bool {
        self.normal.dot(other.normal) > 1.0 - 1e-7
            && (self.distance(near) - other.distance(near)).abs() < ON_PLANE
    }
}
