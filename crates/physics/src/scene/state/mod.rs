//! The state of a scene as plain data: everything that can change, bit for bit.
//!
//! A state contains no geometry: it refers to models by id, and the world it is restored into must have the cells that
//! the scene had when it was saved.

mod object;
mod restore;
mod shared;

pub use object::ObjectError;
pub use restore::RestoreError;

use super::{EntityKey, Event, Scene, Viewer};
use object::ObjectState;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use shared::Shared;
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
    /// Keys that the next objects get, the last one first. States share them as long as they do not change.
    free: Arc<[EntityKey]>,
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
    objects: Shared<ObjectState>,
    /// Lists as they would be with nothing but static objects.
    lists: Shared<(CellId, Vec<EntityKey>)>,
    /// What lists which objects.
    owners: Shared<(CellId, Vec<EntityKey>)>,
}

/// What the next state shares with the last one if it has not changed.
#[derive(Debug, Default)]
pub(super) struct LastSaved(Mutex<Saved>);

#[derive(Debug, Default)]
struct Saved {
    /// The number of changes that the static part was made after.
    changes: Option<u64>,
    statics: Arc<StaticState>,
    free: Arc<[EntityKey]>,
}

impl LastSaved {
    fn new(changes: u64, state: &SceneState) -> LastSaved {
        let (statics, free) = (state.statics.clone(), state.free.clone());
        LastSaved(Mutex::new(Saved { changes: Some(changes), statics, free }))
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
        self.movers.binary_search_by_key(&key, |object| object.key).is_ok()
            || self.statics.objects.has(&key, |object| object.key)
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
        let (statics, free) = self.save_shared();
        // As much room as they need: states are kept.
        let mut movers = Vec::with_capacity(self.restless().count());
        movers.extend(self.restless().filter_map(|key| {
            let entity = self.entities.get(key)?;
            Some(ObjectState::of(key, entity).updated_at(self.entities.sleepers().last_update(entity)))
        }));
        SceneState {
            now: self.now,
            arrivals: self.arrivals,
            movers,
            free,
            lists: self.lists_unlike(&statics.lists),
            viewers: self.viewers().to_vec(),
            located: self.viewers.located().copied().collect(),
            events: self.events.clone(),
            statics,
        }
    }

    /// The lists of cells that differ from those of the static objects alone.
    fn lists_unlike(&self, usual: &Shared<(CellId, Vec<EntityKey>)>) -> Lists {
        let mut usual = usual.iter().peekable();
        let differs = |(cell, list): &(CellId, &[EntityKey])| {
            while usual.next_if(|(other, _)| other < cell).is_some() {}
            usual.next_if(|(other, _)| other == cell).is_none_or(|(_, other)| other != list)
        };
        self.shadows.filled().filter(differs).map(|(cell, list)| (cell, list.to_vec())).collect()
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

    /// The static objects and the free keys.
    fn save_shared(&self) -> (Arc<StaticState>, Arc<[EntityKey]>) {
        let mut last = self.last_saved.0.lock().unwrap_or_else(PoisonError::into_inner);
        let changes = Some(self.entities.static_changes());
        if last.changes != changes {
            last.statics = Arc::new(self.list_statics(&last.statics));
            last.changes = changes;
        }
        if !self.entities.free_keys().eq(last.free.iter().copied()) {
            last.free = self.entities.free_keys().collect();
        }
        (last.statics.clone(), last.free.clone())
    }

    fn list_statics(&self, earlier: &StaticState) -> StaticState {
        let is_static = |key: &EntityKey| self.entities.get(*key).is_some_and(|entity| entity.is_static());
        let objects =
            self.entities.iter().filter(|(_, entity)| entity.is_static() && !entity.plays_as_static());
        let lists = self.shadows.filled().map(|(cell, list)| {
            let statics: Vec<EntityKey> = list.iter().copied().filter(is_static).collect();
            (cell, statics)
        });
        let owners = self.statics.iter().map(|(&cell, list)| (cell, list.clone()));
        StaticState {
            objects: Shared::new(objects.map(|(key, entity)| ObjectState::of(key, entity)), &earlier.objects),
            lists: Shared::new(lists.filter(|(_, list)| !list.is_empty()), &earlier.lists),
            owners: Shared::new(owners, &earlier.owners),
        }
    }
}
