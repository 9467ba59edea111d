//! What a sphere overlaps, without a walk: mostly nothing of a mesh, or a polygon or two.

use super::overlap;
use threshold_world::{
    bsp::{PhysicsMesh, Reached},
    geometry::{Polygon, Sphere},
};

/// What a sphere overlaps of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overlapped(pub(super) Reached);

impl Overlapped {
    /// Of all polygons.
    pub(crate) fn of(mesh: &PhysicsMesh, sphere: &Sphere) -> Overlapped {
        Overlapped::among(mesh, sphere, |_| true)
    }

    /// Of those polygons that are wanted.
    #[inline]
    pub(super) fn among(mesh: &PhysicsMesh, sphere: &Sphere, wants: impl Fn(&Polygon) -> bool) -> Overlapped {
        Overlapped(
            mesh.reached(sphere, wants, |polygon, sphere| overlap(&mesh.polygons, polygon, sphere).is_some()),
        )
    }

    /// Only a walk can tell.
    #[inline]
    pub(super) fn is_unclear(self) -> bool {
        self.0 == Reached::Unclear
    }

    /// Certainly no polygon, so no walk would find one.
    #[inline]
    pub(crate) fn is_nothing(self) -> bool {
        matches!(self.0, Reached::Space | Reached::Nothing)
    }
}
