//! Checks that no player walks through a closed door.

use glam::Vec3;
use std::collections::BTreeMap;
use threshold_physics::{
    State,
    scene::{Entity, EntityKey, Scene},
};
use threshold_world::geometry::Aabb;

/// How deep in front of a door somebody may stand and still be held by it.
const GIVE: f32 = 0.05;

/// A door, and for everybody in front of its leaf on which side.
#[derive(Debug)]
pub(super) struct Door {
    pub(super) key: EntityKey,
    /// The leaf in the door's own space, not scaled.
    leaf: Aabb,
    /// Whether the leaf is thinner along x than along y.
    along_x: bool,
    sides: BTreeMap<EntityKey, bool>,
}

impl Door {
    /// A door of the scene. Its leaf is the widest and thinnest part that can be hit; `None` for what has no such part.
    pub(super) fn new(scene: &Scene, key: EntityKey) -> Option<Door> {
        let parts = scene.get(key)?.model.parts.iter();
        let boxes = parts.filter_map(|part| {
            let mesh = part.mesh.as_ref().filter(|mesh| mesh.physics.is_some())?;
            Some(mesh.bounds.transformed(|p| part.frame.apply(p * part.scale)))
        });
        let thin = |b: &Aabb| (b.max - b.min).truncate().min_element();
        let area = |b: &Aabb| (b.max - b.min).truncate().max_element() * (b.max.z - b.min.z);
        let leaf = boxes.max_by(|a, b| (area(a) / thin(a)).total_cmp(&(area(b) / thin(b))))?;
        let extent = leaf.max - leaf.min;
        Some(Door { key, leaf, along_x: extent.x < extent.y, sides: BTreeMap::new() })
    }

    /// Somebody has been put elsewhere.
    pub(super) fn forget(&mut self, who: EntityKey) {
        self.sides.remove(&who);
    }

    /// Looks where everybody is; says who came through while the door was closed.
    pub(super) fn check(&mut self, scene: &Scene, people: &[EntityKey]) -> Result<(), String> {
        let Some(door) = scene.get(self.key) else { return Ok(()) };
        if door.cell.is_none() || door.state.contains(State::ETHEREAL) {
            self.sides.clear();
            return Ok(());
        }
        for &who in people {
            let Some(person) = scene.get(who) else { continue };
            if person.cell.is_none() || !self.is_in_front(door, person) {
                self.sides.remove(&who);
                continue;
            }
            let Some(side) = self.side(door, person) else { continue };
            if self.sides.insert(who, side).is_some_and(|before| before != side) {
                return Err(format!("{who:?} walked through the closed door {:?}", self.key));
            }
        }
        Ok(())
    }

    /// Somebody's feet in the door's own space: along the leaf, through it, up.
    fn local(&self, door: &Entity, person: &Entity) -> Vec3 {
        let offset = door.position.offset_to(&person.position);
        let local = door.position.frame.rotate_inverse(offset) / door.scale;
        self.turned(local)
    }

    fn turned(&self, p: Vec3) -> Vec3 {
        if self.along_x { Vec3::new(p.y, p.x, p.z) } else { p }
    }

    fn is_in_front(&self, door: &Entity, person: &Entity) -> bool {
        let at = self.local(door, person);
        let (min, max) = (self.turned(self.leaf.min), self.turned(self.leaf.max));
        let near = 1.0 + person.velocity.length() / 10.0;
        at.x > min.x && at.x < max.x && at.z > min.z - 0.5 && at.z < max.z && at.y.abs() < near
    }

    /// The side somebody is on; `None` while the leaf and the body overlap by more than a collision leaves.
    fn side(&self, door: &Entity, person: &Entity) -> Option<bool> {
        let (min, max) = (self.turned(self.leaf.min).y, self.turned(self.leaf.max).y);
        let radius = person.model.spheres.first()?.radius * person.scale / door.scale;
        let through = self.local(door, person).y - (min + max) / 2.0;
        let clear = through.abs() >= (max - min) / 2.0 + radius - GIVE;
        clear.then_some(through > 0.0)
    }
}
