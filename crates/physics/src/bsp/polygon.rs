//! A sphere against one polygon. Spec: physics-bsp §5.5, §5.6.

use glam::Vec3;
use threshold_world::{
    EPSILON,
    geometry::{Edge, Plane, Polygon, PolygonSet, Sphere},
};

/// The point of the polygon's plane nearest to the sphere when they overlap, else none.
/// Retail: `CPolygon::polygon_hits_sphere_slow_but_sure`.
#[inline]
pub fn overlap(set: &PolygonSet, polygon: &Polygon, sphere: &Sphere) -> Option<Vec3> {
    let height = polygon.plane.distance(sphere.center);
    let reach = sphere.radius - EPSILON;
    if height.abs() > reach {
        return None;
    }
    let point = sphere.center - polygon.plane.normal * height;
    let rest = reach * reach - height * height;
    let edges = set.edges(polygon);
    if edges.iter().all(|edge| (point - edge.start).dot(edge.inward) >= 0.0) {
        return Some(point);
    }
    for edge in edges {
        match near_edge(edge, point, rest) {
            EdgeAnswer::TooFar => return None,
            EdgeAnswer::Touches => return Some(point),
            EdgeAnswer::Inside | EdgeAnswer::Beyond => {}
        }
    }
    None
}

enum EdgeAnswer {
    /// Outside the edge's line by more than the reach.
    TooFar,
    /// The edge or its first vertex is within reach.
    Touches,
    /// Inside the edge's line.
    Inside,
    /// Outside the edge's line, past its ends.
    Beyond,
}

#[inline]
fn near_edge(edge: &Edge, point: Vec3, reach_sq: f32) -> EdgeAnswer {
    let from_start = point - edge.start;
    let s = from_start.dot(edge.inward);
    let mut answer = EdgeAnswer::Inside;
    if s < 0.0 {
        if edge.inward_sq * reach_sq < s * s {
            return EdgeAnswer::TooFar;
        }
        let along = from_start.dot(edge.along);
        if (0.0..=edge.along_sq).contains(&along) {
            return EdgeAnswer::Touches;
        }
        answer = EdgeAnswer::Beyond;
    }
    if from_start.length_squared() <= reach_sq { EdgeAnswer::Touches } else { answer }
}

/// Whether the polygon is level enough to be a floor and the sphere overlaps it.
/// Retail: `CPolygon::walkable_hits_sphere`.
#[inline]
pub fn is_floor_for(set: &PolygonSet, polygon: &Polygon, sphere: &Sphere, up: Vec3, min_up: f32) -> bool {
    is_level(polygon, up, min_up) && overlap(set, polygon, sphere).is_some()
}

/// Whether the polygon is level enough to be a floor.
#[inline]
pub(super) fn is_level(polygon: &Polygon, up: Vec3, min_up: f32) -> bool {
    polygon.plane.normal.dot(up) > min_up
}

/// Where the sphere's centre falls on the plane when moved along `up`; `None` for a plane parallel to it.
fn drop_along(plane: &Plane, center: Vec3, up: Vec3) -> Option<Vec3> {
    let slope = plane.normal.dot(up);
    (slope.abs() >= EPSILON).then(|| center - up * (plane.distance(center) / slope))
}

fn footprint_within(set: &PolygonSet, polygon: &Polygon, center: Vec3, up: Vec3, reach_sq: f32) -> bool {
    let Some(point) = drop_along(&polygon.plane, center, up) else { return false };
    let mut inside = true;
    for edge in set.edges(polygon) {
        match near_edge(edge, point, reach_sq) {
            EdgeAnswer::TooFar => return false,
            EdgeAnswer::Touches => return true,
            EdgeAnswer::Beyond => inside = false,
            EdgeAnswer::Inside => {}
        }
    }
    inside
}

/// Whether the polygon is under the sphere. Retail: `CPolygon::check_walkable`.
pub fn footprint(set: &PolygonSet, polygon: &Polygon, sphere: &Sphere, up: Vec3) -> bool {
    footprint_within(set, polygon, sphere.center, up, sphere.radius * sphere.radius)
}

/// Whether the polygon is under the sphere's inner half. Retail: `CPolygon::check_small_walkable`.
pub fn quarter_footprint(set: &PolygonSet, polygon: &Polygon, sphere: &Sphere, up: Vec3) -> bool {
    footprint_within(set, polygon, sphere.center, up, sphere.radius * sphere.radius * 0.25)
}

/// Inward unit normal of the first edge that the sphere's centre, dropped along `up`, lies outside of.
/// Retail: `CPolygon::find_crossed_edge`.
pub fn crossed_edge(set: &PolygonSet, polygon: &Polygon, center: Vec3, up: Vec3) -> Option<Vec3> {
    let point = drop_along(&polygon.plane, center, up)?;
    let edge = set.edges(polygon).iter().find(|edge| (point - edge.start).dot(edge.inward) < 0.0)?;
    Some(edge.inward / edge.inward_sq.sqrt())
}

/// Moves the sphere back along `movement` until it rests on the plane, using up `budget`; false leaves both alone.
/// Retail: `CPolygon::adjust_sphere_to_plane`.
pub fn seat_on_plane(plane: &Plane, sphere: &mut Sphere, movement: Vec3, budget: &mut f32) -> bool {
    let height = plane.distance(sphere.center);
    let speed = plane.normal.dot(movement);
    if speed.abs() <= EPSILON {
        return false;
    }
    let t = if speed > 0.0 { (-sphere.radius - height) / speed } else { (height - sphere.radius) / speed };
    let rest = (1.0 - t) * *budget;
    if rest >= *budget || rest < -0.5 {
        return false;
    }
    sphere.center -= movement * t;
    *budget = rest;
    true
}

/// Fraction of `movement` from `start` at which a sphere touches the plane; 1 when it overlaps at the start, 0 when it
/// moves along it. Retail: `CPolygon::adjust_sphere_to_poly`.
pub fn touch_fraction(plane: &Plane, radius: f32, start: Vec3, movement: Vec3) -> f32 {
    let height = plane.distance(start);
    if height.abs() < radius {
        return 1.0;
    }
    let speed = plane.normal.dot(movement);
    if speed.abs() < EPSILON {
        return 0.0;
    }
    let target = if height > 0.0 { radius } else { -radius };
    (target - height) / speed
}
