//! The state of a scene as plain data: everything that can change, bit for bit.
//!
//! A state contains no geometry: it refers to models by id, and the world it is restored into must have the cells that
//! the scene had when it was saved.

mod object;
mod restore;

pub use object::ObjectError;
pub use restore::RestoreError;

use super::{EntityKey, Event, Scene, Viewer};
use object::ObjectState;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};
use threshold_world::{CellId, Position};

/// Objects of cells' lists, in the order they are tested, by ascending cells.
type Lists = Vec<(CellId, Vec<EntityKey>)>;

/// A scene at one moment. See [`Scene::save`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct SceneState {
    statics: Arc<StaticState>,
    now: f64,
    arrivals: u64,
    /// Everything that changes from tick to tick, in the order of keys: what is not static, and statics that play something.
    movers: Vec<ObjectState>,
    /// Keys that the next objects get, the last one first.
    free: Vec<EntityKey>,
    /// The lists that are not as [`StaticState`] has them.
    lists: Lists,
    viewers: Vec<Viewer>,
    /// Where they were when the clock advanced.
    located: Vec<Position>,
    events: Vec<Event>,
}

/// The part of a [`SceneState`] that rarely changes: static objects that play nothing, most of which come and go with blocks.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct StaticState {
    objects: Vec<ObjectState>,
    /// Lists as they would be with nothing but static objects.
    lists: Lists,
    /// What lists which objects.
    owners: Lists,
}

/// The static part of the last state, with the number of changes it was made after.
#[derive(Debug, Default)]
pub(super) struct SavedStatics(Mutex<Option<(u64, Arc<StaticState>)>>);

impl SavedStatics {
    fn new(changes: u64, statics: Arc<StaticState>) -> SavedStatics {
        SavedStatics(Mutex::new(Some((changes, statics))))
    }
}

impl SceneState {
    /// The static objects. As long as none of them is added, removed or changed, the states of a scene share them: the same
    /// allocation ([`Arc::ptr_eq`]) need not be saved again.
    pub fn statics(&self) -> &Arc<StaticState> {
        &self.statics
    }

    /// Shares the static part of another state if they are equal, as after reading both from bytes.
    pub fn share_statics(&mut self, other: &SceneState) {
        if self.statics == other.statics {
            self.statics = other.statics.clone();
        }
    }

    /// Whether an object is in it.
    pub fn contains(&self, key: EntityKey) -> bool {
        let holds = |objects: &[ObjectState]| objects.binary_search_by_key(&key, |object| object.key).is_ok();
        holds(&self.movers) || holds(&self.statics.objects)
    }

    /// Number of objects that change from tick to tick.
    pub fn mover_count(&self) -> usize {
        self.movers.len()
    }
}

impl Scene {
    /// Everything that can change, bit for bit: a scene that this is restored into ([`Scene::restore`]), in this process or
    /// another, continues exactly like this one, down to the keys of future objects.
    pub fn save(&self) -> SceneState {
        let statics = self.save_statics();
        let movers = self.restless().filter_map(|key| {
            let entity = self.entities.get(key)?;
            Some(ObjectState::of(key, entity).updated_at(self.entities.sleepers().last_update(entity)))
        });
        let mut usual = statics.lists.iter().peekable();
        let differs = |(cell, list): &(CellId, &[EntityKey])| {
            while usual.next_if(|(other, _)| other < cell).is_some() {}
            usual.next_if(|(other, _)| other == cell).is_none_or(|(_, other)| other != list)
        };
        SceneState {
            now: self.now,
            arrivals: self.arrivals,
            movers: movers.collect(),
            free: self.entities.free_keys().collect(),
            lists: self.shadows.filled().filter(differs).map(|(cell, list)| (cell, list.to_vec())).collect(),
            viewers: self.viewers().to_vec(),
            located: self.viewers.located().copied().collect(),
            events: self.events.clone(),
            statics,
        }
    }

    /// Everything that changes from tick to tick, in the order of keys.
    fn restless(&self) -> impl Iterator<Item = EntityKey> {
        let (mut movers, mut playing) =
            (self.movers.iter().peekable(), self.playing_statics.iter().copied().peekable());
        std::iter::from_fn(move || match (movers.peek(), playing.peek()) {
            (Some(mover), Some(other)) if other < mover => playing.next(),
            (None, _) => playing.next(),
            _ => movers.next(),
        })
    }

    fn save_statics(&self) -> Arc<StaticState> {
        let changes = self.entities.static_changes();
        let mut saved = self.saved_statics.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*saved {
            Some((then, statics)) if *then == changes => statics.clone(),
            _ => {
                let statics = Arc::new(self.list_statics());
                *saved = Some((changes, statics.clone()));
                statics
            }
        }
    }

    fn list_statics(&self) -> StaticState {
        let is_static = |key: &EntityKey| self.entities.get(*key).is_some_and(|entity| entity.is_static());
        let objects =
            self.entities.iter().filter(|(_, entity)| entity.is_static() && !entity.plays_as_static());
        let lists = self.shadows.filled().map(|(cell, list)| {
            let statics: Vec<EntityKey> = list.iter().copied().filter(is_static).collect();
            (cell, statics)
        });
        StaticState {
            objects: objects.map(|(key, entity)| ObjectState::of(key, entity)).collect(),
            lists: lists.filter(|(_, list)| !list.is_empty()).collect(),
            owners: self.statics.iter().map(|(&cell, list)| (cell, list.clone())).collect(),
        }
    }
}
