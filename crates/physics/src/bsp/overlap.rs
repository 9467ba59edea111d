//! The first polygon a moving sphere runs into.

use super::{Overlapped, leaf_polygons, node, overlap};
use glam::Vec3;
use threshold_world::{
    EPSILON,
    bsp::{PhysicsMesh, PhysicsNode, Reached},
    geometry::{Polygon, Sphere},
};

/// Whether the sphere, moving by `movement`, overlaps a polygon that faces it.
///
/// `met` takes every overlapped polygon on the way: after `true` it names the hit, after `false` the last overlapped
/// polygon that faces away, if any. Retail: `BSPTREE::sphere_intersects_poly`. Spec: physics-bsp §5.4.
pub fn first_facing(mesh: &PhysicsMesh, sphere: &Sphere, movement: Vec3, met: &mut Option<u16>) -> bool {
    Overlapped::of(mesh, sphere).first_facing(mesh, sphere, movement, met)
}

impl Overlapped {
    /// [`first_facing`] for the sphere that this is known of.
    #[inline]
    pub(crate) fn first_facing(
        self,
        mesh: &PhysicsMesh,
        sphere: &Sphere,
        movement: Vec3,
        met: &mut Option<u16>,
    ) -> bool {
        match self.0 {
            Reached::Space | Reached::Nothing => false,
            Reached::One(index) => {
                *met = Some(index);
                faces(movement, &mesh.polygons.polygons()[usize::from(index)])
            }
            Reached::Two(_) | Reached::Three(_) => {
                let polygons = mesh.polygons.polygons();
                let is_faced = |index: &&u16| faces(movement, &polygons[usize::from(**index)]);
                let mut faced = self.0.polygons().iter().filter(is_faced);
                if let (Some(&index), None) = (faced.next(), faced.next()) {
                    *met = Some(index);
                    return true;
                }
                // It depends on which of them a walk comes to first.
                walk(mesh, 0, sphere, movement, met)
            }
            Reached::Unclear => walk(mesh, 0, sphere, movement, met),
        }
    }
}

/// Whether a movement leads against a polygon.
#[inline]
fn faces(movement: Vec3, polygon: &Polygon) -> bool {
    movement.dot(polygon.plane.normal) < 0.0
}

fn walk(mesh: &PhysicsMesh, index: u32, sphere: &Sphere, movement: Vec3, met: &mut Option<u16>) -> bool {
    let mut index = index;
    loop {
        match node(mesh, index) {
            None => return false,
            Some(PhysicsNode::Inner { sphere: bounds, plane, positive, negative }) => {
                if !bounds.is_near(sphere) {
                    return false;
                }
                let t = plane.distance(sphere.center);
                let reach = sphere.radius - EPSILON;
                if t >= reach {
                    index = *positive;
                } else if t <= -reach {
                    index = *negative;
                } else {
                    if walk(mesh, *positive, sphere, movement, met) {
                        return true;
                    }
                    index = *negative;
                }
            }
            Some(PhysicsNode::Leaf { sphere: bounds, first, count, .. }) => {
                if *count == 0 || !bounds.is_near(sphere) {
                    return false;
                }
                return leaf_polygons(mesh, *first, *count).any(|(i, polygon)| {
                    if overlap(&mesh.polygons, polygon, sphere).is_none() {
                        return false;
                    }
                    *met = Some(i);
                    faces(movement, polygon)
                });
            }
        }
    }
}
