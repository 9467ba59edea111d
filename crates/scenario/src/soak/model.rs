//! The expected state, tracked independently of the scene: for each object the cells whose lists contain it and the
//! cells whose loading it waits for.

use std::collections::{BTreeMap, BTreeSet};
use threshold_physics::{
    State,
    cells::{CellEntry, CellSet},
    scene::{EntityKey, Scene},
};
use threshold_world::{CellId, World};

/// How one object is registered.
#[derive(Clone, Debug, Default)]
struct Registration {
    joined: BTreeSet<CellId>,
    awaited: BTreeSet<CellId>,
    /// A flood from scratch must give the same: it came from one, and no cell has been unloaded under it since.
    is_flood: bool,
}

/// Expected registrations.
#[derive(Debug, Default)]
pub(super) struct Expected {
    objects: BTreeMap<EntityKey, Registration>,
    set: CellSet,
}

impl Expected {
    /// An object and what it carries have been registered by a flood.
    pub(super) fn flooded(&mut self, world: &World, scene: &Scene, key: EntityKey) {
        let mut set = std::mem::take(&mut self.set);
        scene.flood_into(world, key, &mut set);
        self.register(scene, key, set.entries(), set.missing(), true);
        self.set = set;
    }

    /// An object has been moved by a sweep that ended with these cells and was committed.
    pub(super) fn swept(
        &mut self,
        world: &World,
        scene: &Scene,
        key: EntityKey,
        cells: &[CellEntry],
        missing: &[CellId],
    ) {
        let Some(entity) = scene.get(key) else { return };
        if entity.cell.is_none() {
            self.lost(world, scene, key);
        } else if entity.state.contains(State::HAS_PHYSICS_BSP) {
            self.flooded(world, scene, key);
        } else if !cells.is_empty() {
            self.register(scene, key, cells, missing, false);
        }
    }

    /// An object is in no cell any more.
    pub(super) fn lost(&mut self, world: &World, scene: &Scene, key: EntityKey) {
        let home = scene.get(key).map(|e| e.position.cell).filter(|&home| world.cell(home).is_none());
        self.register(scene, key, &[], home.as_slice(), false);
    }

    /// What an object floods with may be another shape now; it is used when it is registered the next time.
    pub(super) fn shape_changed(&mut self, key: EntityKey) {
        if let Some(registration) = self.objects.get_mut(&key) {
            registration.is_flood = false;
        }
    }

    pub(super) fn removed(&mut self, key: EntityKey) {
        self.objects.remove(&key);
    }

    /// Forgets objects that left with a cell, and learns of those that came with one.
    pub(super) fn sync_statics(&mut self, world: &World, scene: &Scene) {
        self.objects.retain(|&key, _| scene.get(key).is_some());
        let new: Vec<_> =
            scene.entities().map(|(key, _)| key).filter(|key| !self.objects.contains_key(key)).collect();
        for key in new {
            self.flooded(world, scene, key);
        }
    }

    /// A cell has been unloaded; `residents` were at home in it and carried by nobody.
    pub(super) fn unloaded(&mut self, world: &World, scene: &Scene, cell: CellId, residents: &[EntityKey]) {
        for registration in self.objects.values_mut() {
            if registration.joined.remove(&cell) {
                registration.awaited.insert(cell);
                registration.is_flood = false;
            }
        }
        for &key in residents {
            self.lost(world, scene, key);
        }
    }

    /// A cell has been loaded.
    pub(super) fn loaded(&mut self, world: &World, scene: &Scene, cell: CellId) {
        let waiting = self.objects.iter().filter(|(_, registration)| registration.awaited.contains(&cell));
        let carriers: BTreeSet<EntityKey> = waiting.map(|(&key, _)| carrier_of(scene, key)).collect();
        for key in carriers {
            self.flooded(world, scene, key);
        }
    }

    fn register(
        &mut self,
        scene: &Scene,
        key: EntityKey,
        cells: &[CellEntry],
        missing: &[CellId],
        is_flood: bool,
    ) {
        let Some(entity) = scene.get(key) else { return };
        let joined = if entity.state.contains(State::PARTICLE_EMITTER) {
            entity.cell.into_iter().collect()
        } else {
            cells.iter().filter(|entry| entry.loaded).map(|entry| entry.id).collect()
        };
        let awaited = missing.iter().copied().collect();
        self.objects.insert(key, Registration { joined, awaited, is_flood });
        for &child in entity.children() {
            self.register(scene, child, cells, &[], false);
        }
    }

    /// Compares the scene with what must be; the first difference as text.
    pub(super) fn compare(&mut self, world: &World, scene: &Scene) -> Result<(), String> {
        if self.objects.len() != scene.len() {
            return Err(format!("{} objects instead of {}", scene.len(), self.objects.len()));
        }
        let mut set = std::mem::take(&mut self.set);
        let result = self.objects.iter().try_for_each(|(&key, expected)| {
            let joined: BTreeSet<CellId> = joined_cells(scene, key).collect();
            if joined != expected.joined {
                return Err(format!("{key:?} is in {joined:?} instead of {:?}", expected.joined));
            }
            let is_emitter = scene.get(key).is_some_and(|e| e.state.contains(State::PARTICLE_EMITTER));
            if expected.is_flood && !is_emitter {
                scene.flood_into(world, key, &mut set);
                let loaded = set.entries().iter().filter(|entry| entry.loaded);
                let from_scratch: BTreeSet<CellId> = loaded.map(|entry| entry.id).collect();
                if joined != from_scratch {
                    return Err(format!(
                        "{key:?} is in {joined:?}, a flood from scratch gives {from_scratch:?}"
                    ));
                }
            }
            Ok(())
        });
        self.set = set;
        result?;
        let awaited: usize = self.objects.values().map(|registration| registration.awaited.len()).sum();
        if awaited != scene.waiting() {
            return Err(format!("{} waits for cells instead of {awaited}", scene.waiting()));
        }
        let entries: usize = self.objects.values().map(|registration| registration.joined.len()).sum();
        let listed: usize = scene.shadow_lists().map(|(_, list)| list.len()).sum();
        if entries != listed {
            return Err(format!("{listed} entries in lists instead of {entries}"));
        }
        Ok(())
    }
}

fn joined_cells(scene: &Scene, key: EntityKey) -> impl Iterator<Item = CellId> {
    let shadows = scene.get(key).map_or(&[][..], |entity| entity.shadows());
    shadows.iter().filter(|shadow| shadow.is_joined()).map(|shadow| shadow.cell)
}

/// The object that carries an object and all its carriers.
pub(super) fn carrier_of(scene: &Scene, mut key: EntityKey) -> EntityKey {
    while let Some(parent) = scene.get(key).and_then(|e| e.parent) {
        key = parent;
    }
    key
}
