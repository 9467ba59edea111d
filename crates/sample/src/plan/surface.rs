//! The surface of a room: its walls without openings, and the solids in it.

use super::{Plan, RoomId};
use crate::{
    geom::{Convex, Facet, Plane, Polygon, Side, outside_of, union_surface},
    material::Skin,
    mesh::cut_holes,
};

/// The polygons around the free space of a room, facing into it, with holes where `openings` are.
pub(super) fn room_surface(plan: &Plan, room: RoomId, openings: &[Polygon]) -> Vec<Facet<Skin>> {
    let room = &plan.rooms[room.0];
    let solids: Vec<Vec<Plane>> = room.solids.iter().map(Convex::planes).collect();
    let mut surface = Vec::new();
    for side in &room.volume.facets {
        let mut pieces = cut_holes(&side.polygon.flipped(), openings.iter());
        for solid in &solids {
            pieces = pieces.iter().flat_map(|p| outside_of(p, solid, true)).collect();
        }
        surface.extend(pieces.into_iter().map(|polygon| Facet { polygon, skin: side.skin }));
    }
    let inward = room.volume.inward_planes();
    for facet in union_surface(&room.solids) {
        let parts = within(&facet.polygon, &inward, openings);
        surface.extend(parts.into_iter().map(|polygon| Facet { polygon, skin: facet.skin }));
    }
    surface
}

/// The parts of a solid's side that one can see from the room, or through an opening that it lies in: of a side that lies
/// in a wall nothing but what the openings show.
fn within(polygon: &Polygon, inward: &[Plane], openings: &[Polygon]) -> Vec<Polygon> {
    match inward.iter().find(|plane| polygon.side(plane) == Side::On) {
        None => polygon.clipped(inward).into_iter().collect(),
        Some(wall) => {
            let in_wall = openings.iter().filter(|o| o.side(wall) == Side::On);
            in_wall.filter_map(|o| polygon.overlap(o)).collect()
        }
    }
}

/// Cuts a polygon along planes every `step` metres on each axis, so that light, which is computed at corners, has enough
/// of them.
pub(super) fn tiles(polygon: &Polygon, step: f64) -> Vec<Polygon> {
    let mut pieces = vec![polygon.clone()];
    for axis in glam::DMat3::IDENTITY.to_cols_array_2d().map(glam::DVec3::from) {
        let along = |p: &glam::DVec3| p.dot(axis);
        let low = polygon.points.iter().map(along).fold(f64::INFINITY, f64::min);
        let high = polygon.points.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
        let mut at = ((low + 0.01) / step).ceil() * step;
        while at < high - 0.01 {
            let plane = Plane { normal: axis, d: -at };
            let cut = |p: &Polygon| {
                let (front, back) = p.split(&plane);
                if front.is_none() && back.is_none() {
                    vec![p.clone()]
                } else {
                    [front, back].into_iter().flatten().collect()
                }
            };
            pieces = pieces.iter().flat_map(cut).collect();
            at += step;
        }
    }
    pieces
}
