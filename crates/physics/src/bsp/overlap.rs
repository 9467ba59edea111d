//! The first polygon a moving sphere runs into.

use super::{
    leaf_polygons, overlap,
    walk::{Leaf, Sides, Visitor, walk},
};
use glam::Vec3;
use threshold_world::{EPSILON, bsp::PhysicsMesh, geometry::Sphere};

/// Whether the sphere, moving by `movement`, overlaps a polygon that faces it.
///
/// `met` takes every overlapped polygon on the way: after `true` it names the hit, after `false` the last overlapped
/// polygon that faces away, if any. Retail: `BSPTREE::sphere_intersects_poly`. Spec: physics-bsp §5.4.
#[inline]
pub fn first_facing(mesh: &PhysicsMesh, sphere: &Sphere, movement: Vec3, met: &mut Option<u16>) -> bool {
    walk(mesh, 0, sphere.radius - EPSILON, false, &mut FirstFacing { sphere, movement, met })
}

struct FirstFacing<'s> {
    sphere: &'s Sphere,
    movement: Vec3,
    met: &'s mut Option<u16>,
}

impl Visitor for FirstFacing<'_> {
    #[inline(always)]
    fn sphere(&self) -> &Sphere {
        self.sphere
    }

    #[inline(always)]
    fn sides(distance: f32, reach: f32) -> Sides {
        Sides::touched(distance, reach)
    }

    #[inline(always)]
    fn visit(&mut self, mesh: &PhysicsMesh, leaf: &Leaf<'_>) -> bool {
        if leaf.count == 0 || !leaf.bounds.is_near(self.sphere) {
            return false;
        }
        leaf_polygons(mesh, leaf.first, leaf.count).any(|(i, polygon)| {
            if overlap(&mesh.polygons, polygon, self.sphere).is_none() {
                return false;
            }
            *self.met = Some(i);
            self.movement.dot(polygon.plane.normal) < 0.0
        })
    }
}
