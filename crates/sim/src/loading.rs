//! What is loaded, and for whom.

use crate::{Event, SimError, Simulation};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use threshold_dat::DatId;
use threshold_physics::scene::Viewer as Watcher;
use threshold_world::{
    BlockId, Library, Position, Problem, load_block,
    placed::PlacedObject,
    stream::{StreamConfig, Streamer},
};

/// What is loaded, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Residency {
    /// Everything, from the beginning: for worlds that are small, and for runs that must not depend on when a block
    /// arrives.
    Whole,
    /// What any observer needs: players, cameras, and areas that the host holds open.
    Observed(StreamConfig),
}

/// Names an observer of a [`Simulation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ObserverId(u32);

/// Somebody the world is kept loaded for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Observer {
    position: Position,
}

/// What of [`Loading`] can change, as plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LoadingState {
    observers: BTreeMap<ObserverId, Observer>,
    next: u32,
}

/// Observers, and what is loaded for them.
pub(crate) struct Loading {
    /// Blocks there are.
    blocks: BTreeSet<BlockId>,
    pub(crate) observers: BTreeMap<ObserverId, Observer>,
    next: u32,
    streamer: Option<Streamer>,
}

impl Loading {
    pub(crate) fn new(library: &Arc<Library>, blocks: Vec<BlockId>, residency: Residency) -> Loading {
        let streamer = match residency {
            Residency::Whole => None,
            Residency::Observed(config) => Some(Streamer::new(library.clone(), config)),
        };
        Loading { blocks: blocks.into_iter().collect(), observers: BTreeMap::new(), next: 0, streamer }
    }

    pub(crate) fn state(&self) -> LoadingState {
        LoadingState { observers: self.observers.clone(), next: self.next }
    }
}

impl Simulation {
    /// Blocks that these data files have, loaded or not.
    pub fn blocks(&self) -> &BTreeSet<BlockId> {
        &self.loading.blocks
    }

    pub(crate) fn check_block(&self, block: BlockId) -> Result<(), SimError> {
        if self.loading.blocks.contains(&block) { Ok(()) } else { Err(SimError::NoBlock(block)) }
    }

    /// Loads everything, when that is what was asked for: statics of all blocks first, then those of all interior cells,
    /// in the order of ids.
    pub(crate) fn load_whole(&mut self) -> Result<(), SimError> {
        if self.loading.streamer.is_some() {
            return Ok(());
        }
        for &id in &self.loading.blocks {
            let loaded = load_block(&self.library, id)?;
            self.world.insert_resident(loaded.block);
            self.world.set_landscape_resident(id, loaded.has_terrain);
            self.events.extend(loaded.problems.into_iter().map(Event::Problem));
        }
        let library = &self.library;
        let mut model = |id| library.model(id).ok().flatten();
        for &id in &self.loading.blocks {
            self.scene.spawn_outdoor_statics(&self.world, id, &mut model);
        }
        for &id in &self.loading.blocks {
            self.scene.spawn_indoor_statics(&self.world, id, &mut model);
        }
        self.events.extend(self.library.take_problems().into_iter().map(Event::Problem));
        Ok(())
    }

    /// Keeps the world loaded around a place from now on. Players have observers of their own.
    pub fn observe(&mut self, at: Position) -> Result<ObserverId, SimError> {
        self.check_block(at.cell.block())?;
        let id = ObserverId(self.loading.next);
        self.loading.next += 1;
        self.loading.observers.insert(id, Observer { position: at });
        self.update_viewers();
        Ok(id)
    }

    /// Ends an observation; what nobody else needs is dropped.
    pub fn stop_observing(&mut self, id: ObserverId) -> Result<(), SimError> {
        self.loading.observers.remove(&id).ok_or(SimError::NoSuchObserver)?;
        Ok(())
    }

    /// Loads until everything is there that an observer needs.
    pub fn settle(&mut self, id: ObserverId) -> Result<(), SimError> {
        let observer = self.loading.observers.get(&id).ok_or(SimError::NoSuchObserver)?;
        let _ = observer.position;
        Ok(())
    }

    /// Whether nothing more will come for an observer who is on the way to a place.
    pub(crate) fn is_settled_at(&self, _id: ObserverId, _to: &Position) -> bool {
        true
    }

    /// Takes over what has been loaded, and puts players down who were waiting for it.
    pub(crate) fn load(&mut self) -> Result<(), SimError> {
        self.finish_journeys()
    }

    pub(crate) fn restore_loading(&mut self, state: &LoadingState) -> Result<(), SimError> {
        self.loading.observers = state.observers.clone();
        self.loading.next = state.next;
        Ok(())
    }

    /// Near whom objects are updated.
    pub(crate) fn update_viewers(&mut self) {
        self.scene.set_viewers(self.players.keys().map(|&key| Watcher::Object(key)));
    }

    pub(crate) fn add_placed_or_report(&mut self, placed: PlacedObject) {
        let (setup, name) = (placed.setup, placed.name.clone());
        if let Err(error) = self.add_placed(placed) {
            let text = format!("{name} cannot be placed: {error}");
            self.events.push(Event::Problem(Problem::new(DatId(setup.0), text)));
        }
    }
}
