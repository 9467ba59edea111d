//! Registration: which cells an object can be hit in. Spec: physics-objects §8.8, §8.9.

use super::{EntityKey, Scene, Shadow, entity::place_part};
use crate::{
    cells::{self, CellSet, FloodPart},
    flags::State,
};
use threshold_world::{World, geometry::Sphere};

/// Shape of an object that has none.
pub(super) const DUMMY_SPHERE: Sphere = Sphere { center: glam::Vec3::new(0.0, 0.0, 0.1), radius: 0.1 };

impl Scene {
    /// Registers an object anew, by the shape that its kind floods with.
    /// Retail: `CPhysicsObj::calc_cross_cells` (0x00515230), `calc_cross_cells_static` (0x00515160).
    pub(super) fn reflood(&mut self, world: &World, key: EntityKey) {
        let mut set = std::mem::take(&mut self.flood);
        self.flood_into(world, key, &mut set);
        self.replace_shadows(key, &set);
        self.flood = set;
    }

    /// The cells an object's geometry touches from where it is now.
    pub fn flood_into(&self, world: &World, key: EntityKey, set: &mut CellSet) {
        set.clear();
        let Some(entity) = self.entities.get(key) else { return };
        let is_static = entity.state.contains(State::STATIC);
        let by_mesh = entity.state.contains(State::HAS_PHYSICS_BSP);
        let cylinders = &entity.model.cylinders;
        set.no_load = is_static;
        if !by_mesh && !cylinders.is_empty() {
            cells::flood_cylinders(world, set, &entity.position, cylinders);
        } else if by_mesh || is_static {
            let parts: Vec<_> = entity
                .model
                .parts
                .iter()
                .filter_map(|part| {
                    let placed = place_part(part, &entity.position, entity.scale)?;
                    Some(FloodPart { mesh: part.mesh.as_ref()?, position: placed.position })
                })
                .collect();
            cells::flood_boxes(world, set, entity.position.cell, &parts);
        } else {
            cells::flood_sphere(world, set, &entity.position, &entity.model.sorting_sphere);
        }
    }

    /// Takes an object out of every list and puts it into those of the set, and its children with it.
    /// Retail: `remove_shadows_from_cells` (0x00511230), `add_shadows_to_cells` (0x00514AE0).
    pub(super) fn replace_shadows(&mut self, key: EntityKey, set: &CellSet) {
        self.remove_shadows(key);
        self.add_shadows(key, set);
    }

    /// Takes an object and its children out of every list.
    pub(super) fn remove_shadows(&mut self, key: EntityKey) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        let mut shadows = std::mem::take(&mut entity.shadows);
        for shadow in shadows.iter().filter(|shadow| shadow.joined) {
            self.shadows.remove(shadow.cell, key);
        }
        shadows.clear();
        entity.shadows = shadows;
        for i in 0.. {
            let Some(&child) = self.entities.get(key).and_then(|e| e.children.get(i)) else { break };
            self.remove_shadows(child);
        }
    }

    fn add_shadows(&mut self, key: EntityKey, set: &CellSet) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        if entity.state.contains(State::PARTICLE_EMITTER) {
            if let Some(cell) = entity.cell {
                entity.shadows.push(Shadow { cell, joined: true });
                self.shadows.add(cell, key);
            }
        } else {
            for entry in set.entries() {
                entity.shadows.push(Shadow { cell: entry.id, joined: entry.loaded });
                if entry.loaded {
                    self.shadows.add(entry.id, key);
                }
            }
        }
        for i in 0.. {
            let Some(&child) = self.entities.get(key).and_then(|e| e.children.get(i)) else { break };
            self.add_shadows(child, set);
        }
    }
}
