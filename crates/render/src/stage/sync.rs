//! Keeping the stage like the scene: the picture shows the objects that physics knows, in the cells it lists them in.

use super::{ObjectId, ShellLevels, Spawn, Stage};
use crate::assets::Assets;
use threshold_physics::{Entity, Scene, flags::State};
use threshold_world::landblock::{Building, Landblock};

impl Stage {
    /// Brings on what has come into the scene, moves what has moved, takes off what has gone.
    pub fn sync(&mut self, assets: &mut Assets, scene: &Scene) {
        for (key, entity) in scene.entities() {
            // What waits in cells that are not loaded is not seen, and there may be a whole world of it.
            if entity.cell.is_none() && !entity.shadows().is_empty() {
                continue;
            }
            let object = self.mirror.get(&key).copied().unwrap_or_else(|| {
                let spawn = Spawn {
                    scale: entity.scale,
                    is_fixed: entity.state.contains(State::STATIC),
                    ..Spawn::new(entity.model.id, entity.position)
                };
                let object = self.spawn(assets, &spawn, &[]);
                self.mirror.insert(key, object);
                object
            });
            self.follow(object, entity);
        }
        if self.mirror.keys().any(|&key| scene.get(key).is_none()) {
            let gone: Vec<_> = self.mirror.keys().copied().filter(|&key| scene.get(key).is_none()).collect();
            for key in gone {
                if let Some(object) = self.mirror.remove(&key) {
                    self.remove(object);
                }
            }
        }
    }

    /// The object on the stage that stands for one of the scene.
    pub fn object_of(&self, key: threshold_physics::EntityKey) -> Option<ObjectId> {
        self.mirror.get(&key).copied()
    }

    /// Makes an object like the entity it stands for.
    fn follow(&mut self, id: ObjectId, entity: &Entity) {
        let Some(object) = self.object_mut(id) else { return };
        object.hidden = entity.state.intersects(State::NO_DRAW | State::HIDDEN);
        object.scale = entity.scale;
        let same = object.position == entity.position
            && object.cells.iter().eq(entity.shadows().iter().map(|shadow| &shadow.cell));
        if !same {
            self.unregister(id);
            let mut cells = std::mem::take(&mut self.cell_scratch);
            cells.clear();
            cells.extend(entity.shadows().iter().map(|shadow| shadow.cell));
            if let Some(object) = self.object_mut(id) {
                object.position = entity.position;
            }
            self.register(id, &cells);
            self.cell_scratch = cells;
        }
    }

    /// Loads what the shells of a block's buildings look like from farther away; the planner asks for it.
    pub fn prepare_block(&mut self, assets: &mut Assets, block: &Landblock) {
        let shell = |building: &Building| Some(building.model.as_ref()?.parts.first()?.mesh.as_ref()?.id);
        for id in block.buildings.iter().filter_map(shell) {
            if self.shells.contains_key(&id) {
                continue;
            }
            let Some(lod) = assets.lod(id) else { continue };
            let mesh = |level: Option<_>| assets.library().mesh(level?).ok().flatten();
            let meshes = assets.lod_ids(id).into_iter().map(mesh).collect();
            self.shells.insert(id, ShellLevels { lod, meshes });
        }
    }
}
