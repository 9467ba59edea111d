//! What is loaded, and for whom.

use crate::{Event, SimError, Simulation, by_hand::ByHand};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, OnceLock},
};
use threshold_physics::scene::Viewer as Watcher;
use threshold_world::{
    BlockId, Library, Position, Problem, load_all,
    placed::PlacedObject,
    stream::{
        Observer as Watch, ObserverId as WatchId, ResidentSet, StreamConfig, StreamEvent, StreamStatus,
        Streamer,
    },
};

/// Times that a block which does not come is waited for before giving up.
const PATIENCE: u32 = 30_000;
/// How often a source that cannot be read is asked while a simulation is put together.
const ATTEMPTS: u32 = 3;

/// What is loaded, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Residency {
    /// Everything, from the start: for small worlds, and for runs that must not depend on when a block arrives.
    Whole,
    /// What any observer needs: players, cameras, and areas that the host holds open.
    Observed(StreamConfig),
    /// Nothing at first; [`Simulation::reach`] loads blocks permanently, without threads: for single moves anywhere in a large
    /// world.
    Reached,
}

/// Identifies an observer of a [`Simulation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ObserverId(u32);

impl ObserverId {
    /// Its number in this simulation, for callers that can only store numbers.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The observer with a number.
    pub fn from_number(number: u32) -> ObserverId {
        ObserverId(number)
    }
}

/// What somebody needs of the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Need {
    /// What one sees from there.
    Around(Position),
    /// Blocks with all their cells.
    Area(BTreeSet<BlockId>),
}

impl Need {
    fn watch(&self) -> Watch {
        match self {
            Need::Around(position) => Watch::At(*position),
            Need::Area(blocks) => Watch::Area(blocks.clone()),
        }
    }
}

/// What of [`Loading`] can change, as plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LoadingState {
    observers: BTreeMap<ObserverId, Need>,
    next: u32,
    /// What is resident; nothing in a world that is loaded wholly. States share it as long as it does not change.
    resident: Arc<ResidentSet>,
    by_hand: ByHand,
}

/// Observers, and what is loaded for them.
pub(crate) struct Loading {
    /// Blocks there are.
    blocks: BTreeSet<BlockId>,
    observers: BTreeMap<ObserverId, Need>,
    next: u32,
    /// Absent when no observer decides what is loaded.
    stream: Option<Stream>,
    pub(crate) by_hand: ByHand,
}

struct Stream {
    streamer: Streamer,
    watches: BTreeMap<ObserverId, WatchId>,
    /// What is resident, for the states that are saved before it changes.
    saved: OnceLock<Arc<ResidentSet>>,
}

impl Stream {
    fn set(&mut self, id: ObserverId, need: &Need) {
        let Stream { streamer, watches, .. } = self;
        match watches.get(&id) {
            Some(&watch) => {
                streamer.set(watch, need.watch());
            }
            None => {
                watches.insert(id, streamer.add(need.watch()));
            }
        }
    }

    fn remove(&mut self, id: ObserverId) {
        if let Some(watch) = self.watches.remove(&id) {
            self.streamer.remove(watch);
        }
    }

    /// Has all observers look after nothing, so that nothing but what is held otherwise stays.
    fn suspend(&mut self) {
        for &watch in self.watches.values() {
            self.streamer.set(watch, Watch::Nowhere);
        }
    }

    fn status(&self, id: ObserverId) -> StreamStatus {
        let watch = self.watches.get(&id);
        watch.and_then(|watch| self.streamer.status(*watch)).unwrap_or(StreamStatus::Settled)
    }
}

impl Loading {
    pub(crate) fn new(library: &Arc<Library>, blocks: Vec<BlockId>, residency: Residency) -> Loading {
        let stream = match residency {
            Residency::Whole | Residency::Reached => None,
            Residency::Observed(config) => Some(Stream {
                streamer: Streamer::new(library.clone(), config),
                watches: BTreeMap::new(),
                saved: OnceLock::new(),
            }),
        };
        let blocks = blocks.into_iter().collect();
        let by_hand = match residency {
            Residency::Reached => ByHand::waiting_for(&blocks),
            Residency::Whole | Residency::Observed(_) => ByHand::default(),
        };
        Loading { blocks, observers: BTreeMap::new(), next: 0, stream, by_hand }
    }

    pub(crate) fn state(&self) -> LoadingState {
        let resident = self
            .stream
            .as_ref()
            .map(|stream| stream.saved.get_or_init(|| Arc::new(stream.streamer.resident().clone())).clone());
        LoadingState {
            observers: self.observers.clone(),
            next: self.next,
            resident: resident.unwrap_or_default(),
            by_hand: self.by_hand.clone(),
        }
    }

    fn add(&mut self, need: Need) -> ObserverId {
        let id = ObserverId(self.next);
        self.next += 1;
        self.set(id, need);
        id
    }

    /// Has no observers.
    pub(crate) fn clear(&mut self) {
        self.set_all(&BTreeMap::new());
    }

    /// Has these observers and no others.
    fn set_all(&mut self, observers: &BTreeMap<ObserverId, Need>) {
        let gone = self.observers.keys().filter(|id| !observers.contains_key(id));
        for id in gone.copied().collect::<Vec<_>>() {
            self.remove(id);
        }
        for (&id, need) in observers {
            if let Some(stream) = &mut self.stream {
                stream.set(id, need);
            }
            self.observers.insert(id, need.clone());
        }
    }

    fn remove(&mut self, id: ObserverId) -> Option<Need> {
        if let Some(stream) = &mut self.stream {
            stream.remove(id);
        }
        self.observers.remove(&id)
    }

    fn set(&mut self, id: ObserverId, need: Need) {
        if self.observers.get(&id) != Some(&need) {
            if let Some(stream) = &mut self.stream {
                stream.set(id, &need);
            }
            self.observers.insert(id, need);
        }
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

    /// Refuses to load anything by hand where observers decide what is loaded.
    pub(crate) fn check_by_hand(&self) -> Result<(), SimError> {
        if self.loading.stream.is_some() { Err(SimError::Observed) } else { Ok(()) }
    }

    /// Loads everything.
    pub(crate) fn load_whole(&mut self) -> Result<(), SimError> {
        let (world, problems) = load_all(&self.library)?;
        self.world = world;
        let blocks: Vec<BlockId> = self.world.block_ids().collect();
        self.enter_blocks(&blocks);
        let problems = problems.into_iter().chain(self.library.take_problems());
        self.events.extend(problems.map(Event::Problem));
        Ok(())
    }

    /// Starts keeping the world loaded around a place, and the objects there active. Players have their own observers.
    pub fn observe(&mut self, at: Position) -> Result<ObserverId, SimError> {
        self.check_block(at.cell.block())?;
        self.has_new_viewers = true;
        Ok(self.loading.add(Need::Around(at)))
    }

    /// Starts keeping blocks loaded with all their cells, as a server does.
    pub fn hold_open(&mut self, blocks: impl IntoIterator<Item = BlockId>) -> Result<ObserverId, SimError> {
        let blocks: BTreeSet<BlockId> = blocks.into_iter().collect();
        blocks.iter().try_for_each(|&block| self.check_block(block))?;
        Ok(self.loading.add(Need::Area(blocks)))
    }

    /// Moves an observer to another place.
    pub fn move_observer(&mut self, id: ObserverId, at: Position) -> Result<(), SimError> {
        self.check_block(at.cell.block())?;
        if !self.loading.observers.contains_key(&id) {
            return Err(SimError::NoSuchObserver);
        }
        self.loading.set(id, Need::Around(at));
        self.has_new_viewers = true;
        Ok(())
    }

    /// Removes an observer; blocks that no other observer needs are dropped.
    pub fn stop_observing(&mut self, id: ObserverId) -> Result<(), SimError> {
        self.loading.remove(id).ok_or(SimError::NoSuchObserver)?;
        self.has_new_viewers = true;
        Ok(())
    }

    /// The loading status of an observer.
    pub fn status(&self, id: ObserverId) -> Result<StreamStatus, SimError> {
        if !self.loading.observers.contains_key(&id) {
            return Err(SimError::NoSuchObserver);
        }
        Ok(self.loading.stream.as_ref().map_or(StreamStatus::Settled, |stream| stream.status(id)))
    }

    /// Has everything loaded within so many blocks of each observer from now on, where observers decide what is loaded.
    pub fn set_radius(&mut self, radius: u8) {
        if let Some(stream) = &mut self.loading.stream {
            stream.streamer.set_radius(radius);
        }
    }

    /// Whether nothing more can be loaded before the source has answered.
    fn waits_for_source(&self) -> bool {
        self.loading.stream.as_ref().is_some_and(|stream| stream.streamer.waits_for_source())
    }

    /// Loads until everything is there that an observer needs. Waits for threads if they load, and is refused
    /// ([`SimError::is_pending`]) when the source's answers are on their way.
    pub fn settle(&mut self, id: ObserverId) -> Result<(), SimError> {
        for _ in 0..PATIENCE {
            self.take_loaded();
            match self.status(id)? {
                StreamStatus::Settled => return Ok(()),
                // Nothing comes while this thread waits for it.
                _ if self.waits_for_source() => return Err(SimError::on_its_way()),
                StreamStatus::Holding | StreamStatus::Loading(_) => pause(),
            }
            if let Some(Need::Around(at)) = self.loading.observers.get(&id)
                && self.lacks(at)
            {
                return Err(SimError::NoCell(at.cell));
            }
        }
        match self.loading.observers.get(&id) {
            Some(Need::Around(at)) => Err(SimError::NotLoaded(at.cell)),
            _ => Err(SimError::NoSuchObserver),
        }
    }

    /// Whether these data files may have the cell of a place: its block is there, and not loaded without the cell.
    pub(crate) fn has_cell(&self, at: &Position) -> bool {
        self.loading.blocks.contains(&at.cell.block()) && !self.lacks(at)
    }

    /// Whether a place's block is loaded without the cell that the place is in.
    fn lacks(&self, at: &Position) -> bool {
        let Some(block) = self.world.block_data(at.cell.block()) else { return false };
        at.cell.is_interior() && block.env_cell(at.cell.low()).is_none()
    }

    /// Whether the cell that a travelling player is going to will never come.
    pub(crate) fn will_not_come(&self, id: ObserverId, to: &Position) -> bool {
        let settled = self.status(id).is_ok_and(|status| status == StreamStatus::Settled);
        self.lacks(to) || (settled && self.world.cell(to.cell).is_none())
    }

    /// Has every player's observer look where the player looks from: where it is going, else from its flying eye, else
    /// from where it stands.
    fn move_player_observers(&mut self) {
        for (&key, player) in &self.players {
            let flying = player.eye.position().filter(|_| player.eye.is_flying()).copied();
            let going = player.journey.map(|journey| journey.to);
            let standing = self.scene.get(key).map(|entity| entity.position);
            if let Some(at) = going.or(flying).or(standing) {
                self.loading.set(player.observer, Need::Around(at));
            }
        }
    }

    /// Takes over what has been loaded, and places players that were waiting for it; never blocks. Every tick calls it; a host
    /// may call it while time is paused.
    pub fn load(&mut self) -> Result<(), SimError> {
        self.move_player_observers();
        self.take_loaded();
        self.finish_journeys()?;
        self.take_scene_events();
        Ok(())
    }

    /// Takes over what has been loaded, and drops what nobody needs any more; never waits.
    pub(crate) fn take_loaded(&mut self) {
        let Some(stream) = &mut self.loading.stream else { return };
        let report = stream.streamer.tick(&mut self.world);
        if !report.events.is_empty() {
            stream.saved = OnceLock::new();
        }
        self.events.extend(report.problems.into_iter().map(Event::Problem));
        self.follow(&report.events);
        self.scene.begin_static_motions(&self.library);
    }

    pub(crate) fn follow(&mut self, events: &[StreamEvent]) {
        self.scene.follow(&self.world, events);
        for event in events {
            match *event {
                StreamEvent::LandscapeLoaded(block) => self.seat_placed(block),
                StreamEvent::CellLoaded(cell) => self.seat_placed(cell.block()),
                _ => {}
            }
        }
        self.events.extend(events.iter().filter_map(|event| match *event {
            StreamEvent::LandscapeLoaded(block) => Some(Event::BlockLoaded(block)),
            StreamEvent::LandscapeUnloaded(block) => Some(Event::BlockUnloaded(block)),
            _ => None,
        }));
    }

    /// Has exactly that loaded which was loaded when a snapshot was taken, does something with it, and has the snapshot's
    /// observers look after what they need; if it fails, the present ones.
    pub(crate) fn with_loaded<T>(
        &mut self,
        state: &LoadingState,
        restore: impl FnOnce(&mut Simulation) -> Result<T, SimError>,
    ) -> Result<T, SimError> {
        let held = self.load_by_hand(&state.by_hand).and_then(|()| self.hold_exactly(&state.resident));
        let result = held.and_then(|held| {
            let result = restore(self);
            if let (Some(held), Some(stream)) = (held, &mut self.loading.stream) {
                stream.streamer.remove(held);
            }
            result
        });
        if result.is_ok() {
            self.loading.set_all(&state.observers);
            self.loading.next = state.next;
        } else {
            self.loading.set_all(&self.loading.observers.clone());
        }
        result
    }

    /// Loads exactly these, and nothing else, until the watch is removed; nothing to do where they are loaded already.
    fn hold_exactly(&mut self, wanted: &Arc<ResidentSet>) -> Result<Option<WatchId>, SimError> {
        let interiors = wanted.cells.iter().map(|cell| cell.block());
        wanted.blocks.iter().copied().chain(interiors).try_for_each(|block| self.check_block(block))?;
        let Some(stream) = &mut self.loading.stream else { return Ok(None) };
        if stream.streamer.resident() == &**wanted {
            return Ok(None);
        }
        stream.suspend();
        let held = stream.streamer.add(Watch::Exactly(wanted.clone()));
        for _ in 0..PATIENCE {
            self.take_loaded();
            let Some(stream) = &mut self.loading.stream else { break };
            if stream.streamer.resident() == &**wanted {
                return Ok(Some(held));
            }
            if stream.streamer.status(held) == Some(StreamStatus::Settled)
                || stream.streamer.waits_for_source()
            {
                break;
            }
            pause();
        }
        if let Some(stream) = &mut self.loading.stream {
            stream.streamer.remove(held);
        }
        Err(SimError::Snapshot("what was loaded cannot be loaded now".into()))
    }

    /// Near whom objects are updated: players, and places that are observed. Only names them anew when somebody has come,
    /// gone or been moved by the host: the scene itself looks up where they are.
    pub(crate) fn update_viewers(&mut self) {
        if !std::mem::take(&mut self.has_new_viewers) {
            return;
        }
        let own: BTreeSet<ObserverId> = self.players.values().map(|player| player.observer).collect();
        let places = self.loading.observers.iter().filter_map(|(id, need)| match need {
            Need::Around(at) if !own.contains(id) => Some(Watcher::Place(*at)),
            _ => None,
        });
        let players = self.players.keys().map(|&key| Watcher::Object(key));
        self.scene.set_viewers(players.chain(places));
    }

    /// Brings in what a server would place. What cannot be placed is a problem; a source that cannot be read now is an
    /// error after a few attempts.
    pub(crate) fn add_placed_or_report(&mut self, placed: &PlacedObject) -> Result<(), SimError> {
        for attempt in 1..=ATTEMPTS {
            let Err(error) = self.add_placed(placed.clone()) else { break };
            let is_transient = matches!(&error, SimError::Dat(error) if error.is_transient());
            let text = format!("{} cannot be placed: {error}", placed.name);
            self.events.push(Event::Problem(Problem::new(placed.setup, text)));
            match is_transient {
                true if attempt == ATTEMPTS => return Err(error),
                true => {}
                false => break,
            }
        }
        Ok(())
    }
}

/// Leaves the processor to the threads that load, where there are threads.
fn pause() {
    #[cfg(not(target_family = "wasm"))]
    std::thread::sleep(std::time::Duration::from_millis(1));
}
