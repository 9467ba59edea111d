//! Whether a sphere is inside matter or touches its surface. Spec: physics-bsp §5.4.

use super::{Overlapped, leaf_polygons, node, overlap};
use glam::Vec3;
use threshold_world::{
    EPSILON,
    bsp::{PhysicsMesh, PhysicsNode, Reached},
    geometry::Sphere,
};

/// Whether the sphere touches a polygon or, when `center` is set, its centre lies in a solid leaf.
/// Retail: `BSPTREE::sphere_intersects_solid`.
pub fn hits_solid(mesh: &PhysicsMesh, sphere: &Sphere, center: bool) -> bool {
    Overlapped::of(mesh, sphere).hits_solid(mesh, sphere, center)
}

impl Overlapped {
    /// [`hits_solid`] for the sphere that this is known of.
    #[inline]
    pub(crate) fn hits_solid(self, mesh: &PhysicsMesh, sphere: &Sphere, center: bool) -> bool {
        match self.0 {
            Reached::Space => false,
            Reached::Nothing => {
                center && may_be_in_solid(mesh, sphere.center) && walk_solid(mesh, 0, sphere, center)
            }
            Reached::One(_) | Reached::Two(_) | Reached::Three(_) => true,
            Reached::Unclear => walk_solid(mesh, 0, sphere, center),
        }
    }
}

/// Whether a walk that leaves nothing out finds a point in a solid leaf.
fn may_be_in_solid(mesh: &PhysicsMesh, point: Vec3) -> bool {
    let mut index = 0;
    loop {
        match node(mesh, index) {
            None => return false,
            Some(PhysicsNode::Inner { plane, positive, negative, .. }) => {
                index = if plane.distance(point) >= 0.0 { *positive } else { *negative };
            }
            Some(PhysicsNode::Leaf { solid, count, .. }) => return *solid && *count > 0,
        }
    }
}

fn walk_solid(mesh: &PhysicsMesh, mut index: u32, sphere: &Sphere, mut center: bool) -> bool {
    let reach = sphere.radius - EPSILON;
    loop {
        match node(mesh, index) {
            None => return false,
            Some(PhysicsNode::Inner { sphere: bounds, plane, positive, negative }) => {
                if !bounds.is_near(sphere) {
                    return false;
                }
                let t = plane.distance(sphere.center);
                if t >= reach {
                    index = *positive;
                } else if t <= -reach {
                    index = *negative;
                } else {
                    let in_front = t >= 0.0;
                    if walk_solid(mesh, *positive, sphere, center && in_front) {
                        return true;
                    }
                    index = *negative;
                    center &= !in_front;
                }
            }
            Some(PhysicsNode::Leaf { sphere: bounds, solid, first, count }) => {
                if *count == 0 {
                    return false;
                }
                if center && *solid {
                    return true;
                }
                return bounds.is_near(sphere)
                    && leaf_polygons(mesh, *first, *count)
                        .any(|(_, polygon)| overlap(&mesh.polygons, polygon, sphere).is_some());
            }
        }
    }
}

/// Running answers of [`hits_solid_polygon`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolidSearch {
    /// The centre was found in a solid leaf.
    pub inside: bool,
    /// The polygon that was touched.
    pub polygon: Option<u16>,
}

/// Like [`hits_solid`], but returns the polygon and traverses with its own reach.
/// Retail: `BSPTREE::sphere_intersects_solid_poly`.
pub fn hits_solid_polygon(
    mesh: &PhysicsMesh,
    sphere: &Sphere,
    reach: f32,
    center: bool,
    found: &mut SolidSearch,
) -> bool {
    walk_polygon(mesh, 0, sphere, reach - EPSILON, center, found)
}

fn walk_polygon(
    mesh: &PhysicsMesh,
    index: u32,
    sphere: &Sphere,
    reach: f32,
    center: bool,
    found: &mut SolidSearch,
) -> bool {
    match node(mesh, index) {
        None => false,
        Some(PhysicsNode::Inner { sphere: bounds, plane, positive, negative }) => {
            if !bounds.is_near(sphere) {
                return false;
            }
            let t = plane.distance(sphere.center);
            if t >= reach {
                return walk_polygon(mesh, *positive, sphere, reach, center, found);
            }
            if t <= -reach {
                return walk_polygon(mesh, *negative, sphere, reach, center, found);
            }
            let (near, far) = if t < 0.0 { (negative, positive) } else { (positive, negative) };
            walk_polygon(mesh, *near, sphere, reach, center, found);
            if found.polygon.is_some() {
                return found.inside;
            }
            walk_polygon(mesh, *far, sphere, reach, false, found)
        }
        Some(PhysicsNode::Leaf { sphere: bounds, solid, first, count }) => {
            if *count == 0 {
                return false;
            }
            if center && *solid {
                found.inside = true;
            }
            if !bounds.is_near(sphere) {
                return found.inside;
            }
            let mut polygons = leaf_polygons(mesh, *first, *count);
            match polygons.find(|(_, polygon)| overlap(&mesh.polygons, polygon, sphere).is_some()) {
                Some((i, _)) => {
                    found.polygon = Some(i);
                    true
                }
                None => found.inside,
            }
        }
    }
}

/// Whether a point lies in a leaf that has polygons. Retail: `BSPTREE::point_intersects_solid`.
pub fn contains_in_solid(mesh: &PhysicsMesh, point: Vec3) -> bool {
    let mut index = 0;
    loop {
        match node(mesh, index) {
            None => return false,
            Some(PhysicsNode::Inner { plane, positive, negative, .. }) => {
                index = if plane.distance(point) < 0.0 { *negative } else { *positive };
            }
            Some(PhysicsNode::Leaf { count, .. }) => return *count > 0,
        }
    }
}
