//! What a ray from the eye meets first: objects by the shapes they are hit by, walls, shells and the ground.

use glam::Vec3;
use threshold_physics::{Entity, EntityKey, Scene, State};
use threshold_world::{
    CellId, Frame, Position, World,
    coords::block_offset,
    geometry::{PolygonSet, Sphere},
};

/// How far one can point.
const REACH: f32 = 200.0;

/// What was pointed at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// An object.
    Entity(EntityKey),
    /// A wall, floor or ceiling of an interior cell.
    Room(CellId),
    /// The outside of a building that stands in a land cell.
    Shell(CellId),
    /// The ground of a land cell.
    Ground(CellId),
}

/// What was pointed at, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pick {
    /// What.
    pub target: Target,
    /// Metres from the eye.
    pub distance: f32,
    /// Where, in the coordinates of the eye's block.
    pub point: Vec3,
}

/// A ray in the coordinates of one block; the direction is a unit vector.
#[derive(Clone, Copy)]
struct Ray {
    origin: Vec3,
    direction: Vec3,
}

impl Ray {
    /// The ray in the space of something that is placed and scaled in the same coordinates; distances shrink by the
    /// scale.
    fn within(self, frame: &Frame, scale: f32) -> Ray {
        Ray {
            origin: frame.apply_inverse(self.origin) / scale,
            direction: frame.rotate_inverse(self.direction),
        }
    }

    fn sphere(&self, sphere: &Sphere) -> Option<f32> {
        let to = sphere.center - self.origin;
        let along = to.dot(self.direction);
        let miss = to.length_squared() - along * along;
        let half = (sphere.radius * sphere.radius - miss).max(0.0).sqrt();
        (miss <= sphere.radius * sphere.radius && along + half >= 0.0).then(|| (along - half).max(0.0))
    }

    /// An upright cylinder, by its mantle and its top.
    fn cylinder(&self, low: Vec3, radius: f32, height: f32) -> Option<f32> {
        let (from, way) = ((self.origin - low).truncate(), self.direction.truncate());
        let (a, b, c) = (way.length_squared(), from.dot(way), from.length_squared() - radius * radius);
        let root = (b * b - a * c).max(0.0).sqrt();
        let mantle = (a > 1e-9 && b * b >= a * c).then(|| (-b - root) / a).filter(|t| {
            let z = self.origin.z + self.direction.z * t - low.z;
            *t >= 0.0 && (0.0..=height).contains(&z)
        });
        let top = (self.direction.z < -1e-6)
            .then(|| (low.z + height - self.origin.z) / self.direction.z)
            .filter(|t| *t >= 0.0 && (from + way * *t).length() <= radius);
        nearest(mantle, top)
    }

    /// The nearest polygon that faces the ray.
    fn polygons(&self, set: &PolygonSet) -> Option<f32> {
        let mut best = None;
        for polygon in set.polygons() {
            let towards = polygon.plane.normal.dot(self.direction);
            if towards > -1e-6 {
                continue;
            }
            let t = -polygon.plane.distance(self.origin) / towards;
            let p = self.origin + self.direction * t;
            let inside = set.edges(polygon).iter().all(|edge| (p - edge.start).dot(edge.inward) >= -1e-4);
            if t >= 0.0 && inside {
                best = nearest(best, Some(t));
            }
        }
        best
    }
}

fn nearest(a: Option<f32>, b: Option<f32>) -> Option<f32> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// The first thing on the way from the eye; `ignored` is the player himself.
pub(super) fn pick(
    world: &World,
    scene: &Scene,
    eye: &Position,
    direction: Vec3,
    ignored: EntityKey,
) -> Option<Pick> {
    let direction = direction.try_normalize()?;
    let ray = Ray { origin: eye.frame.origin, direction };
    let mut best: Option<(f32, Target)> = None;
    let mut meet = |distance: Option<f32>, target: Target| {
        if let Some(d) = distance.filter(|d| *d <= best.map_or(REACH, |(known, _)| known)) {
            best = Some((d, target));
        }
    };
    for (key, entity) in scene.entities().filter(|(key, entity)| *key != ignored && entity.cell.is_some()) {
        let shift = block_offset(eye.cell, entity.position.cell);
        if (entity.position.frame.origin + shift - ray.origin).length() <= REACH {
            let local = Ray { origin: ray.origin - shift, ..ray };
            meet(on_entity(&local, entity), Target::Entity(key));
        }
    }
    for block in world.block_ids() {
        let shift = block_offset(eye.cell, block.cell(1));
        let local = Ray { origin: ray.origin - shift, ..ray };
        let middle = Vec3::new(96.0, 96.0, local.origin.z);
        if (local.origin - middle).length() > REACH + 136.0 {
            continue;
        }
        let Some(data) = world.block_data(block) else { continue };
        for cell in data.env_cells.iter().flatten().filter(|cell| world.env_cell(cell.id()).is_some()) {
            if let Some(mesh) = &cell.structure.physics {
                let inner = local.within(&cell.position.frame, 1.0);
                meet(inner.polygons(&mesh.polygons), Target::Room(cell.id()));
            }
        }
        let Some(land) = world.landscape(block) else { continue };
        for building in &land.buildings {
            let shell = building.model.as_ref().and_then(|model| model.parts.first()?.mesh.as_ref());
            if let Some(mesh) = shell.and_then(|mesh| mesh.physics.as_ref()) {
                let inner = local.within(&building.shell.frame, 1.0);
                meet(inner.polygons(&mesh.polygons), Target::Shell(building.position.cell));
            }
        }
        for cell in 0..64usize {
            for half in 0..2 {
                let plane = land.terrain.plane(cell, half);
                let towards = plane.normal.dot(ray.direction);
                if towards < -1e-6 {
                    let t = -plane.distance(local.origin) / towards;
                    let p = local.origin + local.direction * t;
                    let hit = t >= 0.0 && land.terrain.triangle_under(cell, p) == Some(half);
                    meet(hit.then_some(t), Target::Ground(block.cell(cell as u16 + 1)));
                }
            }
        }
    }
    best.map(|(distance, target)| Pick { target, distance, point: ray.origin + direction * distance })
}

/// Distance to an object in the coordinates of its block.
fn on_entity(ray: &Ray, entity: &Entity) -> Option<f32> {
    if entity.state.intersects(State::NO_DRAW | State::HIDDEN) {
        return None;
    }
    let (frame, scale, model) = (&entity.position.frame, entity.scale, &entity.model);
    let mut best = None;
    for part in &model.parts {
        let Some(mesh) = part.mesh.as_ref().and_then(|mesh| mesh.physics.as_ref()) else { continue };
        let mut inner = part.frame;
        inner.origin *= scale;
        let size = part.scale.z * scale;
        let hit = ray.within(&frame.compose(&inner), size).polygons(&mesh.polygons);
        best = nearest(best, hit.map(|t| t * size));
    }
    let local = ray.within(frame, scale);
    for cylinder in &model.cylinders {
        best =
            nearest(best, local.cylinder(cylinder.low, cylinder.radius, cylinder.height).map(|t| t * scale));
    }
    if best.is_none() && !model.has_physics_mesh() {
        let spheres = model.spheres.iter().filter_map(|sphere| local.sphere(sphere));
        best = spheres.fold(None, |best, t| nearest(best, Some(t * scale)));
    }
    best
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
}
