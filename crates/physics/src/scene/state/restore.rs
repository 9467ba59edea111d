//! A scene from its state.

use super::{LastSaved, SceneState, object::ObjectError};
use crate::scene::{Entity, EntityKey, Scene, entities::Entities, viewers::Viewers};
use std::collections::BTreeMap;
use threshold_world::{CellId, Library, World};

/// Why a state cannot be restored; the scene is then unchanged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// An object is not as any object can be, or its model is not there.
    #[error("object {key:?} cannot be restored: {source}")]
    Object {
        /// Which.
        key: EntityKey,
        /// What is wrong with it.
        source: ObjectError,
    },
    /// A static object is among the others, or the other way round.
    #[error("object {0:?} is in the wrong part of the state")]
    Misplaced(EntityKey),
    /// Two objects have the same key or a key is missing.
    #[error("the object keys are inconsistent")]
    Keys,
    /// Two objects have the same id.
    #[error("two objects have the id {0:#010x}")]
    DuplicateGuid(u32),
    /// Parents and children contradict each other, or go round in circles.
    #[error("object {0:?} and its parent are inconsistent")]
    Family(EntityKey),
    /// A cell that was loaded is not.
    #[error("cell {0} is not loaded")]
    NotLoaded(CellId),
    /// The list of a cell names an object that is not registered there, or twice.
    #[error("the list of cell {cell} names object {key:?}, which is not registered there")]
    List {
        /// The cell.
        cell: CellId,
        /// The object.
        key: EntityKey,
    },
    /// An object is registered in a cell whose list does not name it.
    #[error("object {0:?} is missing from the list of a cell it is registered in")]
    Unlisted(EntityKey),
    /// The clock shows no time.
    #[error("the time is not finite")]
    Clock,
}

impl Scene {
    /// Restores a saved scene; on error the scene is unchanged.
    ///
    /// `world` must have the cells that the saved scene had followed; `library` the models, motion tables and
    /// animations that objects had.
    pub fn restore(
        &mut self,
        world: &World,
        state: &SceneState,
        library: &Library,
    ) -> Result<(), RestoreError> {
        if !state.now.is_finite() {
            return Err(RestoreError::Clock);
        }
        let mut restored = Scene {
            now: state.now,
            arrivals: state.arrivals,
            entities: restore_entities(state, library)?,
            viewers: Viewers::restored(state.viewers.clone(), state.located.iter().copied()),
            events: state.events.clone(),
            statics: state.statics.owners.iter().cloned().collect(),
            ..Scene::default()
        };
        restored.index_objects(world)?;
        restored.check_families()?;
        restored.restore_lists(world, state)?;
        let changes = restored.entities.static_changes();
        restored.last_saved = LastSaved::new(changes, state);
        restored.sweeper = self.sweeper.take();
        restored.crowd = std::mem::take(&mut self.crowd);
        restored.flood = std::mem::take(&mut self.flood);
        *self = restored;
        Ok(())
    }

    /// Finds objects by id, by cell and by what they wait for.
    fn index_objects(&mut self, world: &World) -> Result<(), RestoreError> {
        for (key, entity) in self.entities.iter() {
            if let Some(guid) = entity.guid
                && self.by_guid.insert(guid, key).is_some()
            {
                return Err(RestoreError::DuplicateGuid(guid));
            }
            if let Some(cell) = entity.cell {
                if world.cell(cell).is_none() {
                    return Err(RestoreError::NotLoaded(cell));
                }
                self.residents.insert((cell, key));
            }
            if !entity.is_static() {
                self.movers.insert(key, entity);
            } else if entity.plays_as_static() {
                self.playing_statics.insert(key);
            }
            for &cell in entity.awaits() {
                self.shadows.wait(cell, key);
            }
        }
        Ok(())
    }

    /// Whether every parent has its children, once, and the other way round, and none is carried by what it carries.
    fn check_families(&self) -> Result<(), RestoreError> {
        let mut carried: Vec<EntityKey> = Vec::new();
        for (key, entity) in self.entities.iter() {
            let fits = |&child: &EntityKey| self.get(child).is_some_and(|child| child.parent == Some(key));
            if !entity.children().iter().all(fits) || self.count_carriers(key, entity.parent).is_err() {
                return Err(RestoreError::Family(key));
            }
            carried.extend(entity.children());
        }
        carried.sort_unstable();
        if let Some(twice) = carried.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(RestoreError::Family(twice[0]));
        }
        let is_known = |key: &EntityKey| carried.binary_search(key).is_ok();
        let mut children = self.entities.iter().filter(|(_, entity)| entity.parent.is_some());
        match children.find(|(key, _)| !is_known(key)) {
            Some((key, _)) => Err(RestoreError::Family(key)),
            None => Ok(()),
        }
    }

    fn restore_lists(&mut self, world: &World, state: &SceneState) -> Result<(), RestoreError> {
        let mut lists: BTreeMap<CellId, &[EntityKey]> = BTreeMap::new();
        let usual = &state.statics.lists;
        lists.extend(usual.iter().map(|(cell, list)| (*cell, list.as_slice())));
        lists.extend(state.lists.iter().map(|(cell, list)| (*cell, list.as_slice())));
        for (cell, list) in lists {
            if world.cell(cell).is_none() {
                return Err(RestoreError::NotLoaded(cell));
            }
            for &key in list {
                let entries = self.entities.shadows_mut(key).unwrap_or_default();
                let entry = entries.iter_mut().find(|entry| entry.cell == cell && !entry.joined);
                let entry = entry.ok_or(RestoreError::List { cell, key })?;
                entry.joined = self.shadows.add(cell, key);
            }
        }
        for object in state.statics.objects.iter().chain(&state.movers) {
            let listed = self.get(object.key).map_or(&[][..], Entity::shadows);
            let joined = listed.iter().map(|shadow| (shadow.cell, shadow.is_joined()));
            if !joined.eq(object.shadows()) {
                return Err(RestoreError::Unlisted(object.key));
            }
        }
        Ok(())
    }
}

fn restore_entities(state: &SceneState, library: &Library) -> Result<Entities, RestoreError> {
    let statics = state.statics.objects.iter().map(|object| (object, true));
    let movers = state.movers.iter().map(|object| (object, false));
    let mut taken = Vec::with_capacity(state.statics.objects.len() + state.movers.len());
    for (object, is_static) in statics.chain(movers) {
        let key = object.key;
        let entity = object.entity(library).map_err(|source| RestoreError::Object { key, source })?;
        if (entity.is_static() && !entity.plays_as_static()) != is_static {
            return Err(RestoreError::Misplaced(key));
        }
        taken.push((key, entity));
    }
    Entities::restored(taken, state.free.to_vec()).ok_or(RestoreError::Keys)
}
