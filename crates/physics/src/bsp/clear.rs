//! Whether there is anything of a mesh where a sphere is: the answer to most questions, and it needs no walk.

use super::{node, overlap};
use glam::Vec3;
use threshold_world::{
    EPSILON,
    bsp::{PhysicsMesh, PhysicsNode},
    geometry::Sphere,
};

/// Of more polygons a walk finds the near ones with less work.
const FEW_POLYGONS: usize = 16;

/// Whether a mesh is so small that looking at all polygons costs less than a walk.
#[inline]
pub(crate) fn is_small(mesh: &PhysicsMesh) -> bool {
    mesh.polygons.polygons().len() <= FEW_POLYGONS
}

/// Whether the sphere certainly overlaps no polygon, so that no walk would find one.
#[inline]
pub(crate) fn is_clear(mesh: &PhysicsMesh, sphere: &Sphere) -> bool {
    let set = &mesh.polygons;
    sphere.radius > EPSILON
        && !set.any_near_plane(sphere.center, sphere.radius - EPSILON, |polygon| {
            overlap(set, polygon, sphere).is_some()
        })
}

/// Whether [`super::hits_solid`] may find the middle of a sphere in a solid leaf.
pub(crate) fn is_in_solid(mesh: &PhysicsMesh, center: Vec3) -> bool {
    let mut index = 0;
    loop {
        match node(mesh, index) {
            None => return false,
            Some(PhysicsNode::Inner { plane, positive, negative, .. }) => {
                index = if plane.distance(center) >= 0.0 { *positive } else { *negative };
            }
            Some(PhysicsNode::Leaf { solid, count, .. }) => return *solid && *count > 0,
        }
    }
}
