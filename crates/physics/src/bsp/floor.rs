//! Floors under a sphere. Spec: physics-bsp §5.4.

use super::{Overlapped, is_floor_for, is_level, leaf_polygons, node, quarter_footprint, seat_on_plane};
use glam::Vec3;
use threshold_world::{
    EPSILON,
    bsp::{PhysicsMesh, PhysicsNode, Reached},
    geometry::{Polygon, Sphere},
};

/// Whether any floor lies under the inner half of the sphere. Retail: `BSPTREE::hits_walkable`.
pub fn hits_floor(mesh: &PhysicsMesh, sphere: &Sphere, up: Vec3, min_up: f32) -> bool {
    let polygons = mesh.polygons.polygons();
    let is_under = |index: u16| quarter_footprint(&mesh.polygons, &polygons[usize::from(index)], sphere, up);
    let overlapped = Overlapped::among(mesh, sphere, |polygon| is_level(polygon, up, min_up));
    match overlapped.0 {
        Reached::Space | Reached::Nothing => false,
        Reached::One(index) => is_under(index),
        Reached::Two(_) | Reached::Three(_) => overlapped.0.polygons().iter().any(|&index| is_under(index)),
        Reached::Unclear => walk_any(mesh, 0, sphere, up, min_up),
    }
}

pub(super) fn walk_any(mesh: &PhysicsMesh, mut index: u32, sphere: &Sphere, up: Vec3, min_up: f32) -> bool {
    let reach = sphere.radius - EPSILON;
    loop {
        match node(mesh, index) {
            None => return false,
            Some(PhysicsNode::Inner { sphere: bounds, plane, positive, negative }) => {
                if !bounds.is_near(sphere) {
                    return false;
                }
                let t = plane.distance(sphere.center);
                index = match (t > -reach, t < reach) {
                    (true, true) => {
                        if walk_any(mesh, *positive, sphere, up, min_up) {
                            return true;
                        }
                        *negative
                    }
                    (true, false) => *positive,
                    (false, true) => *negative,
                    (false, false) => return false,
                };
            }
            Some(PhysicsNode::Leaf { first, count, .. }) => {
                return leaf_polygons(mesh, *first, *count).any(|(_, polygon)| {
                    is_floor_for(&mesh.polygons, polygon, sphere, up, min_up)
                        && quarter_footprint(&mesh.polygons, polygon, sphere, up)
                });
            }
        }
    }
}

/// A sphere moving down (or along `movement`), looking for the floor that stops it.
#[derive(Clone, Copy, Debug)]
pub struct FloorSearch {
    /// The sphere; moved back onto every floor it meets.
    pub sphere: Sphere,
    /// The last floor it was seated on.
    pub polygon: Option<u16>,
    /// The rest of the step.
    pub budget: f32,
    /// Its movement.
    pub movement: Vec3,
    /// Up in the mesh's space.
    pub up: Vec3,
    /// Least upward component of a floor's normal.
    pub min_up: f32,
}

/// Seats the sphere on every floor it overlaps, in tree order; true when there was one.
/// Retail: `BSPTREE::find_walkable`.
pub fn find_floor(mesh: &PhysicsMesh, search: &mut FloorSearch) -> bool {
    Overlapped::of(mesh, &search.sphere).find_floor(mesh, search)
}

impl Overlapped {
    /// [`find_floor`] for the sphere that this is known of.
    #[inline]
    pub(crate) fn find_floor(self, mesh: &PhysicsMesh, search: &mut FloorSearch) -> bool {
        if !search.finish_without_walk(mesh, self) {
            walk_floor(mesh, 0, search);
        }
        search.polygon.is_some()
    }
}

impl FloorSearch {
    /// False, with nothing changed, when only a walk can tell what the sphere is seated on.
    #[inline]
    fn finish_without_walk(&mut self, mesh: &PhysicsMesh, overlapped: Overlapped) -> bool {
        let (up, min_up) = (self.up, self.min_up);
        let floors =
            |sphere: &Sphere| Overlapped::among(mesh, sphere, |polygon| is_level(polygon, up, min_up));
        let known = if overlapped.is_unclear() { floors(&self.sphere) } else { overlapped };
        let polygons = mesh.polygons.polygons();
        let is_floor = |index: u16| is_level(&polygons[usize::from(index)], up, min_up);
        let index = match known.0 {
            Reached::Space | Reached::Nothing => return true,
            Reached::One(index) if is_floor(index) => index,
            Reached::One(_) => return true,
            Reached::Two(_) | Reached::Three(_) => {
                let mut found = known.0.polygons().iter().copied().filter(|&index| is_floor(index));
                match (found.next(), found.next()) {
                    (Some(index), None) => index,
                    (None, _) => return true,
                    // It depends on which of them a walk comes to first.
                    _ => return false,
                }
            }
            Reached::Unclear => return false,
        };
        let polygon = &polygons[usize::from(index)];
        let (sphere, budget) = (self.sphere, self.budget);
        if self.try_floor(index, polygon) && !floors(&self.sphere).is_nothing() {
            (self.sphere, self.budget, self.polygon) = (sphere, budget, None);
            return false;
        }
        true
    }

    /// Seats the sphere on a floor that it overlaps, if there is budget enough.
    #[inline]
    fn try_floor(&mut self, index: u16, polygon: &Polygon) -> bool {
        let is_seated = seat_on_plane(&polygon.plane, &mut self.sphere, self.movement, &mut self.budget);
        if is_seated {
            self.polygon = Some(index);
        }
        is_seated
    }
}

pub(super) fn walk_floor(mesh: &PhysicsMesh, mut index: u32, search: &mut FloorSearch) {
    let reach = search.sphere.radius - EPSILON;
    loop {
        match node(mesh, index) {
            None => return,
            Some(PhysicsNode::Inner { sphere: bounds, plane, positive, negative }) => {
                if !bounds.is_near(&search.sphere) {
                    return;
                }
                let t = plane.distance(search.sphere.center);
                index = match (t > -reach, t < reach) {
                    (true, true) => {
                        walk_floor(mesh, *positive, search);
                        *negative
                    }
                    (true, false) => *positive,
                    (false, true) => *negative,
                    (false, false) => return,
                };
            }
            Some(PhysicsNode::Leaf { first, count, .. }) => {
                for (i, polygon) in leaf_polygons(mesh, *first, *count) {
                    if is_floor_for(&mesh.polygons, polygon, &search.sphere, search.up, search.min_up) {
                        search.try_floor(i, polygon);
                    }
                }
                return;
            }
        }
    }
}
