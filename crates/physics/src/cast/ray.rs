//! A ray against single shapes.

use crate::{flags::State, scene::Entity};
use glam::Vec3;
use threshold_world::{
    Frame,
    geometry::{Edge, Plane, PolygonSet, Sphere},
};

/// Directions closer to parallel with a plane than this never cross it.
const PARALLEL: f32 = 1e-6;
/// How far beside an edge still counts as inside, so that no ray slips between two polygons.
const EDGE_SLACK: f32 = -1e-4;

/// A ray in the coordinates of one block; the direction is a unit vector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    pub(super) origin: Vec3,
    pub(super) direction: Vec3,
}

/// Which way a ray passes through a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Crossing {
    /// From the positive side.
    Against,
    /// From the negative side.
    Along,
}

impl Ray {
    pub(super) fn at(&self, distance: f32) -> Vec3 {
        self.origin + self.direction * distance
    }

    pub(super) fn shifted(self, by: Vec3) -> Ray {
        Ray { origin: self.origin + by, ..self }
    }

    /// The ray in the space of something placed and scaled in the same coordinates; distances shrink by the scale.
    pub(super) fn within(self, frame: &Frame, scale: f32) -> Ray {
        Ray {
            origin: frame.apply_inverse(self.origin) / scale,
            direction: frame.rotate_inverse(self.direction),
        }
    }

    /// Where the ray crosses a plane in a direction.
    pub(super) fn plane(&self, plane: &Plane, crossing: Crossing) -> Option<f32> {
        let towards = plane.normal.dot(self.direction);
        let crosses = match crossing {
            Crossing::Against => towards < -PARALLEL,
            Crossing::Along => towards > PARALLEL,
        };
        crosses.then(|| -plane.distance(self.origin) / towards)
    }

    /// Where the ray crosses a polygon in a direction, before or behind its origin.
    pub(super) fn polygon(&self, plane: &Plane, edges: &[Edge], crossing: Crossing) -> Option<f32> {
        let t = self.plane(plane, crossing)?;
        let p = self.at(t);
        edges.iter().all(|edge| (p - edge.start).dot(edge.inward) >= EDGE_SLACK).then_some(t)
    }

    /// The nearest polygon from a distance on that faces the ray.
    pub(super) fn polygons(&self, set: &PolygonSet, from: f32) -> Option<f32> {
        let hits = set
            .polygons()
            .iter()
            .filter_map(|polygon| self.polygon(&polygon.plane, set.edges(polygon), Crossing::Against));
        hits.filter(|t| *t >= from).reduce(f32::min)
    }

    pub(super) fn sphere(&self, sphere: &Sphere) -> Option<f32> {
        let to = sphere.center - self.origin;
        let along = to.dot(self.direction);
        let miss = to.length_squared() - along * along;
        let half = (sphere.radius * sphere.radius - miss).max(0.0).sqrt();
        (miss <= sphere.radius * sphere.radius && along + half >= 0.0).then(|| (along - half).max(0.0))
    }

    /// An upright cylinder, by its mantle and its top.
    pub(super) fn cylinder(&self, low: Vec3, radius: f32, height: f32) -> Option<f32> {
        let (from, way) = ((self.origin - low).truncate(), self.direction.truncate());
        let (a, b, c) = (way.length_squared(), from.dot(way), from.length_squared() - radius * radius);
        let root = (b * b - a * c).max(0.0).sqrt();
        let mantle = (a > 1e-9 && b * b >= a * c).then(|| (-b - root) / a).filter(|t| {
            let z = self.origin.z + self.direction.z * t - low.z;
            *t >= 0.0 && (0.0..=height).contains(&z)
        });
        let top = (self.direction.z < -PARALLEL)
            .then(|| (low.z + height - self.origin.z) / self.direction.z)
            .filter(|t| *t >= 0.0 && (from + way * *t).length() <= radius);
        [mantle, top].into_iter().flatten().reduce(f32::min)
    }

    /// An object by the shapes it is hit by, in the coordinates of its block; one that is not drawn is never met.
    pub(super) fn entity(&self, entity: &Entity) -> Option<f32> {
        if entity.state.intersects(State::NO_DRAW | State::HIDDEN) {
            return None;
        }
        let (frame, scale, model) = (&entity.position.frame, entity.scale, &entity.model);
        let parts = entity.parts().iter().filter_map(|part| {
            let mesh = part.mesh.physics.as_ref()?;
            let inner = self.within(&part.position.frame, part.scale);
            Some(inner.polygons(&mesh.polygons, 0.0)? * part.scale)
        });
        let local = self.within(frame, scale);
        let cylinders = model.cylinders.iter().filter_map(|c| local.cylinder(c.low, c.radius, c.height));
        let met = parts.chain(cylinders.map(|t| t * scale)).reduce(f32::min);
        if met.is_some() || model.has_physics_mesh() {
            return met;
        }
        model.spheres.iter().filter_map(|sphere| local.sphere(sphere)).reduce(f32::min).map(|t| t * scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_meet_spheres_and_cylinders_where_they_should() {
        let ray = Ray { origin: Vec3::ZERO, direction: Vec3::Y };
        let ball = |x: f32| Sphere { center: Vec3::new(x, 5.0, 0.0), radius: 1.0 };
        assert_eq!(ray.sphere(&ball(0.0)), Some(4.0));
        assert_eq!(ray.sphere(&ball(1.5)), None);
        assert_eq!(ray.sphere(&Sphere { center: Vec3::new(0.0, -5.0, 0.0), radius: 1.0 }), None);
        assert_eq!(ray.cylinder(Vec3::new(0.0, 5.0, -1.0), 1.0, 2.0), Some(4.0));
        assert_eq!(ray.cylinder(Vec3::new(0.0, 5.0, 0.5), 1.0, 2.0), None);
        let down = Ray { origin: Vec3::new(0.0, 0.0, 5.0), direction: -Vec3::Z };
        assert_eq!(down.cylinder(Vec3::ZERO, 1.0, 2.0), Some(3.0));
    }

    #[test]
    fn a_polygon_is_met_from_its_front_alone() {
        let square = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
        let mut set = PolygonSet::default();
        set.push(0, &square);
        let down = |x: f32| Ray { origin: Vec3::new(x, 0.5, 2.0), direction: -Vec3::Z };
        assert_eq!(down(0.5).polygons(&set, 0.0), Some(2.0));
        assert_eq!(down(0.5).polygons(&set, 2.5), None);
        assert_eq!(down(1.5).polygons(&set, 0.0), None);
        let up = Ray { origin: Vec3::new(0.5, 0.5, -2.0), direction: Vec3::Z };
        assert_eq!(up.polygons(&set, 0.0), None);
    }
}
