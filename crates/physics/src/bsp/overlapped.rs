//! Which polygon a sphere overlaps, without a walk: most overlap nothing of a mesh, or one polygon alone.

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
    pub(crate) fn of(mesh: &PhysicsMesh, sphere: &Sphere) -> Overlapped {
        Overlapped::among(mesh, sphere, |_| true)
    }

    /// Of those polygons that are wanted.
    #[inline]
    pub(super) fn among(mesh: &PhysicsMesh, sphere: &Sphere, wants: impl Fn(&Polygon) -> bool) -> Overlapped {
        match mesh.only_near(sphere, wants) {
            // A sphere of no size overlaps nothing, but is found in matter all the same.
            _ if sphere.radius <= EPSILON => Overlapped::Unclear,
            None => Overlapped::Unclear,
            Some(None) => Overlapped::Nothing,
            Some(Some(index)) => Overlapped::One(index),
        }
    }
}
