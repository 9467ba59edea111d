//! Which polygon a sphere overlaps, without a walk: most overlap nothing of a mesh, or one polygon alone.

use super::overlap;
use threshold_world::{
    EPSILON,
    bsp::PhysicsMesh,
    geometry::{Polygon, Sphere},
};

/// What a sphere overlaps of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overlapped {
    /// Certainly nothing, so no walk would find anything.
    Nothing,
    /// One polygon, which every walk would find, and certainly no other.
    One(u16),
    /// What a walk finds, and in which order, only a walk can tell.
    Unclear,
}

impl Overlapped {
    /// Of all polygons.
    #[inline(never)]
    pub(crate) fn of(mesh: &PhysicsMesh, sphere: &Sphere) -> Overlapped {
        Overlapped::among(mesh, sphere, |_| true)
    }

    /// Of those polygons that are wanted.
    #[inline(always)]
    pub(super) fn among(mesh: &PhysicsMesh, sphere: &Sphere, wants: impl Fn(&Polygon) -> bool) -> Overlapped {
        let set = &mesh.polygons;
        let mut found = Overlapped::Nothing;
        let is_unclear = mesh.any_near(sphere, |index, is_certain| {
            let polygon = &set.polygons()[usize::from(index)];
            if !wants(polygon) {
                return false;
            }
            if !is_certain {
                // What a smaller sphere overlaps, the sphere does too.
                let smaller = Sphere { radius: sphere.radius - mesh.margin(), ..*sphere };
                if overlap(set, polygon, &smaller).is_none() {
                    return overlap(set, polygon, sphere).is_some();
                }
            }
            std::mem::replace(&mut found, Overlapped::One(index)) != Overlapped::Nothing
        });
        if is_unclear == Some(false) && sphere.radius > EPSILON { found } else { Overlapped::Unclear }
    }
}
