//! How far a point is from a room or a land cell.

use glam::Vec3;
use threshold_world::{
    CellId,
    cell::EnvCell,
    coords::{CELL_SIDE, LandCoord},
};

/// Metres from a point to the nearest wall, floor or ceiling of a room, and the direction from there into the room; block
/// coordinates. `None` for a room without walls.
pub(crate) fn nearest_wall(room: &EnvCell, point: Vec3) -> Option<(f32, Vec3)> {
    let local = room.position.frame.apply_inverse(point);
    let set = &room.structure.physics.as_ref()?.polygons;
    let walls = set.polygons().iter().map(|polygon| {
        let corners: Vec<Vec3> = set.vertices(polygon).collect();
        (distance_to_polygon(polygon.plane.normal, &corners, local), polygon.plane.normal)
    });
    // Of those that meet in a corner, the one that the point is behind.
    let behind = |normal: Vec3, distance: f32| distance - normal.z.abs() * 1e-4;
    let nearest = walls.min_by(|a, b| behind(a.1, a.0).total_cmp(&behind(b.1, b.0)))?;
    Some((nearest.0, room.position.frame.rotate(nearest.1)))
}

/// Metres from a point to a convex polygon.
fn distance_to_polygon(normal: Vec3, corners: &[Vec3], point: Vec3) -> f32 {
    let edges = corners.iter().zip(corners.iter().cycle().skip(1));
    let (mut nearest, mut is_over) = (f32::INFINITY, true);
    for (&a, &b) in edges {
        let along = b - a;
        let part = ((point - a).dot(along) / along.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        nearest = nearest.min(point.distance(a + along * part));
        is_over &= normal.cross(along).dot(point - a) >= 0.0;
    }
    match corners.first() {
        Some(&corner) if is_over => normal.dot(point - corner).abs(),
        _ => nearest,
    }
}

/// Metres from a point to the square of a land cell, in the coordinates of its block.
pub(crate) fn distance_to_land_cell(cell: CellId, point: Vec3) -> f32 {
    let Some(place) = LandCoord::of_cell(cell) else { return 0.0 };
    let corner = Vec3::new((place.x & 7) as f32, (place.y & 7) as f32, 0.0) * CELL_SIDE;
    let inside = point.clamp(corner, corner + Vec3::splat(CELL_SIDE));
    point.truncate().distance(inside.truncate())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_as_far_from_a_polygon_as_from_its_nearest_part() {
        let square = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
        let far = |x, y, z| distance_to_polygon(Vec3::Z, &square, Vec3::new(x, y, z));
        assert_eq!((far(0.5, 0.5, 2.0), far(0.5, 0.5, -2.0)), (2.0, 2.0));
        assert_eq!((far(4.0, 0.5, 0.0), far(4.0, 5.0, 0.0)), (3.0, 5.0));
    }

    #[test]
    fn a_land_cell_is_a_square_of_its_block() {
        // Cell 0x2B: column 5, row 2.
        let far = |x, y| distance_to_land_cell(CellId(0x8080_002B), Vec3::new(x, y, 50.0));
        assert_eq!((far(130.0, 60.0), far(117.0, 60.0), far(117.0, 44.0)), (0.0, 3.0, 5.0));
    }
}
