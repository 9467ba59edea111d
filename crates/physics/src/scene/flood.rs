//! Registration: which cells an object can be hit in. Spec: physics-objects §8.8, §8.9.

use super::{Entity, EntityKey, Scene, Shadow};
use crate::{
    cells::{self, CellEntry, CellSet},
    flags::State,
};
use threshold_world::{CellId, World, geometry::Sphere};

/// Shape of an object that has none.
pub(super) const DUMMY_SPHERE: Sphere = Sphere { center: glam::Vec3::new(0.0, 0.0, 0.1), radius: 0.1 };

impl Entity {
    /// Whether it alone is in the lists of just these cells already, and waits for none.
    #[inline]
    pub(super) fn stays_in(&self, cells: &[CellEntry], missing: &[CellId]) -> bool {
        self.shadows.len() == cells.len()
            && missing.is_empty()
            && self.is_by_itself()
            && !self.state.contains(State::PARTICLE_EMITTER)
            && self
                .shadows
                .iter()
                .zip(cells)
                .all(|(shadow, entry)| shadow.cell == entry.id && entry.loaded && shadow.joined)
    }
}

impl Scene {
    /// Registers an object anew, by the shape that its kind floods with. One whose own cell is not loaded is in no
    /// list and waits for it.
    /// Retail: `CPhysicsObj::calc_cross_cells` (0x00515230), `calc_cross_cells_static` (0x00515160).
    pub(super) fn reflood(&mut self, world: &World, key: EntityKey) {
        let mut set = std::mem::take(&mut self.flood);
        self.flood_into(world, key, &mut set);
        self.replace_shadows(key, set.entries(), set.missing());
        self.flood = set;
    }

    /// The cells an object's geometry touches from where it is now; only its own id when its cell is not loaded.
    pub fn flood_into(&self, world: &World, key: EntityKey, set: &mut CellSet) {
        set.clear();
        let Some(entity) = self.entities.get(key) else { return };
        let Some(home) = entity.cell else {
            if entity.position.cell != CellId::NONE {
                set.add(entity.position.cell, false);
            }
            return;
        };
        set.no_load = entity.state.contains(State::STATIC);
        let cylinders = &entity.model.cylinders;
        if entity.floods_by_boxes() {
            cells::flood_boxes(world, set, home, entity.parts());
        } else if !cylinders.is_empty() {
            cells::flood_cylinders(world, set, &entity.position, cylinders);
        } else {
            cells::flood_sphere(world, set, &entity.position, &entity.model.sorting_sphere);
        }
    }

    /// Takes an object out of every list and puts it into those of a cell set, and its children with it.
    /// Retail: `remove_shadows_from_cells` (0x00511230), `add_shadows_to_cells` (0x00514AE0).
    pub(super) fn replace_shadows(&mut self, key: EntityKey, cells: &[CellEntry], missing: &[CellId]) {
        if self.entities.get(key).is_some_and(|entity| entity.stays_in(cells, missing)) {
            self.register_last(key, cells);
            return;
        }
        self.remove_shadows(key);
        self.add_shadows(key, cells);
        for &cell in missing {
            self.wait_for(key, cell);
        }
    }

    /// Makes an object the last one in each of its lists, as leaving and joining them all again would.
    #[inline]
    pub(super) fn register_last(&mut self, key: EntityKey, cells: &[CellEntry]) {
        for entry in cells {
            self.shadows.send_last(entry.id, key);
        }
    }

    /// Remembers that an object has to be registered anew when a cell loads.
    pub(super) fn wait_for(&mut self, key: EntityKey, cell: CellId) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        entity.extras_mut().awaits.push(cell);
        self.shadows.wait(cell, key);
    }

    /// Takes an object and its children out of every list.
    pub(super) fn remove_shadows(&mut self, key: EntityKey) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        if !entity.awaits().is_empty() {
            for cell in entity.extras_mut().awaits.drain(..) {
                self.shadows.stop_waiting(cell, key);
            }
        }
        while let Some(shadow) = self.entities.get_mut(key).and_then(|e| e.shadows.pop()) {
            if shadow.joined {
                self.shadows.remove(shadow.cell, key);
            }
        }
        for i in 0.. {
            let Some(&child) = self.entities.get(key).and_then(|e| e.children().get(i)) else { break };
            self.remove_shadows(child);
        }
    }

    fn add_shadows(&mut self, key: EntityKey, cells: &[CellEntry]) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        let own = entity.cell.map(|id| CellEntry { id, loaded: true });
        let is_emitter = entity.state.contains(State::PARTICLE_EMITTER);
        let entries = if is_emitter { own.as_slice() } else { cells };
        for entry in entries {
            let joined = entry.loaded && self.shadows.add(entry.id, key);
            entity.shadows.push(Shadow { cell: entry.id, joined });
        }
        for i in 0.. {
            let Some(&child) = self.entities.get(key).and_then(|e| e.children().get(i)) else { break };
            self.add_shadows(child, cells);
        }
    }
}
