//! Floors under a sphere. Spec: physics-bsp §5.4.

use super::{
    is_floor_for, leaf_polygons, quarter_footprint, seat_on_plane,
    walk::{Leaf, Sides, Visitor, walk},
};
use glam::Vec3;
use threshold_world::{EPSILON, bsp::PhysicsMesh, geometry::Sphere};

/// Whether any floor lies under the inner half of the sphere. Retail: `BSPTREE::hits_walkable`.
pub fn hits_floor(mesh: &PhysicsMesh, sphere: &Sphere, up: Vec3, min_up: f32) -> bool {
    walk(mesh, 0, sphere.radius - EPSILON, false, &mut HitsFloor { sphere, up, min_up })
}

struct HitsFloor<'s> {
    sphere: &'s Sphere,
    up: Vec3,
    min_up: f32,
}

impl Visitor for HitsFloor<'_> {
    #[inline(always)]
    fn sphere(&self) -> &Sphere {
        self.sphere
    }

    #[inline(always)]
    fn sides(distance: f32, reach: f32) -> Sides {
        Sides::reached(distance, reach)
    }

    #[inline(always)]
    fn visit(&mut self, mesh: &PhysicsMesh, leaf: &Leaf<'_>) -> bool {
        leaf_polygons(mesh, leaf.first, leaf.count).any(|(_, polygon)| {
            is_floor_for(&mesh.polygons, polygon, self.sphere, self.up, self.min_up)
                && quarter_footprint(&mesh.polygons, polygon, self.sphere, self.up)
        })
    }
}

/// A sphere on its way down (or along `movement`), looking for the floor that stops it.
#[derive(Clone, Copy, Debug)]
pub struct FloorSearch {
    /// The sphere; moved back onto every floor it meets.
    pub sphere: Sphere,
    /// The last floor it was seated on.
    pub polygon: Option<u16>,
    /// What is left of the step.
    pub budget: f32,
    /// The way it came.
    pub movement: Vec3,
    /// Up in the mesh's space.
    pub up: Vec3,
    /// Least upward component of a floor's normal.
    pub min_up: f32,
}

/// Seats the sphere on every floor it overlaps, in tree order; true when there was one.
/// Retail: `BSPTREE::find_walkable`.
pub fn find_floor(mesh: &PhysicsMesh, search: &mut FloorSearch) -> bool {
    walk(mesh, 0, search.sphere.radius - EPSILON, false, search);
    search.polygon.is_some()
}

impl Visitor for FloorSearch {
    #[inline(always)]
    fn sphere(&self) -> &Sphere {
        &self.sphere
    }

    #[inline(always)]
    fn sides(distance: f32, reach: f32) -> Sides {
        Sides::reached(distance, reach)
    }

    #[inline(always)]
    fn visit(&mut self, mesh: &PhysicsMesh, leaf: &Leaf<'_>) -> bool {
        for (i, polygon) in leaf_polygons(mesh, leaf.first, leaf.count) {
            if is_floor_for(&mesh.polygons, polygon, &self.sphere, self.up, self.min_up)
                && seat_on_plane(&polygon.plane, &mut self.sphere, self.movement, &mut self.budget)
            {
                self.polygon = Some(i);
            }
        }
        false
    }
}
