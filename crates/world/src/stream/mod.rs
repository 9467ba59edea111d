//! Keeps the resident set of a [`World`] for any number of observers.
//!
//! What should be resident follows from an observer's position ([`ResidentSet`]), or is an area that a server holds open.
//! A cell is resident as long as any observer needs it. Blocks are loaded by background threads, or a few in each tick
//! ([`Loading`]); finished blocks enter the world only in [`Streamer::tick`], so nothing changes while a tick of
//! anything else runs, and a block is present with all of its data or not at all.
//!
//! An observer is re-evaluated only when its cell changes or when something it waits for arrives: a thousand stationary
//! observers cost nothing.

mod counts;
mod loader;
mod observer;
mod rule;
#[cfg(feature = "parallel")]
mod worker;

pub use loader::Loading;
pub use observer::{Observer, ObserverId};
pub use rule::{ResidentSet, StreamConfig};

use crate::{BlockId, CellId, Library, Position, Problem, World, load::LoadedBlock};
use counts::Holds;
use loader::{Finished, Loader};
use observer::Watch;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use threshold_dat::{DatId, Error};

/// A change of the resident set, so that other systems can attach and detach their per-cell data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StreamEvent {
    /// The outdoor cells of a block became resident.
    LandscapeLoaded(BlockId),
    /// An interior cell became resident.
    CellLoaded(CellId),
    /// The scenery of a block became resident.
    SceneryLoaded(BlockId),
    /// The scenery of a block is gone.
    SceneryUnloaded(BlockId),
    /// An interior cell is gone.
    CellUnloaded(CellId),
    /// The outdoor cells of a block are gone.
    LandscapeUnloaded(BlockId),
}

/// How far the world is, for one observer or for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StreamStatus {
    /// The resident set is the rule's set, save for blocks that cannot be loaded.
    Settled,
    /// Number of blocks still being loaded; the previous resident set stays until then.
    Loading(usize),
    /// The observer's own cell is not there: its game waits. Retail: the portal-space state.
    Holding,
}

/// What a tick did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamReport {
    /// Changes in the order they were made: everything loaded, then everything unloaded, each ascending.
    pub events: Vec<StreamEvent>,
    /// Problems with data; each block and shared record is reported once.
    pub problems: Vec<Problem>,
    /// The worst status of any observer; [`Streamer::status`] returns that of one.
    pub status: StreamStatus,
}

/// A block that could not be loaded.
struct Failure {
    attempts: u32,
    /// When to try again; `None` while it is being tried.
    retry_at: Option<u64>,
}

/// A block that is needed and not there.
#[derive(Default)]
struct Wait {
    /// Distance from the nearest observer that needs it.
    ring: u8,
    observers: BTreeSet<ObserverId>,
}

/// Loads and unloads around observers. Retail: `CellManager::ChangePosition` (0x004559B0). Spec: visibility §13.
///
/// One world belongs to one streamer: nothing else may change its contents.
pub struct Streamer {
    library: Arc<Library>,
    config: StreamConfig,
    loader: Loader,
    ticks: u64,
    observers: BTreeMap<ObserverId, Watch>,
    next_observer: u32,
    /// Observers for which something has changed since they were looked at.
    changed: BTreeSet<ObserverId>,
    holds: Holds,
    waits: BTreeMap<BlockId, Wait>,
    /// What is waited for is no longer what the loader was asked for.
    asks_anew: bool,
    resident: ResidentSet,
    /// Blocks whose data is in the world.
    loaded: BTreeSet<BlockId>,
    failures: BTreeMap<BlockId, Failure>,
    reported: BTreeSet<BlockId>,
    /// Data has been dropped that others may keep until they have heard of it.
    has_dropped: bool,
    /// All that the last tick tried to load is on its way.
    waits_for_source: bool,
}

impl Streamer {
    /// A streamer over a library, without observers yet.
    pub fn new(library: Arc<Library>, config: StreamConfig) -> Streamer {
        Streamer {
            loader: Loader::start(&library, config.loading),
            library,
            config,
            ticks: 0,
            observers: BTreeMap::new(),
            next_observer: 0,
            changed: BTreeSet::new(),
            holds: Holds::default(),
            waits: BTreeMap::new(),
            asks_anew: false,
            resident: ResidentSet::default(),
            loaded: BTreeSet::new(),
            failures: BTreeMap::new(),
            reported: BTreeSet::new(),
            has_dropped: false,
            waits_for_source: false,
        }
    }

    /// The settings in use.
    pub fn config(&self) -> &StreamConfig {
        &self.config
    }

    /// Has everything resident within so many blocks of each observer from the next tick on ([`StreamConfig::radius`]).
    pub fn set_radius(&mut self, radius: u8) {
        if self.config.radius != radius {
            self.config.radius = radius;
            self.changed.extend(self.observers.keys());
        }
    }

    /// Whether nothing more can be loaded before the source has answered: what the last tick asked for is on its way
    /// ([`Error::is_pending`]).
    pub fn waits_for_source(&self) -> bool {
        self.waits_for_source
    }

    /// What is resident since the last tick.
    pub fn resident(&self) -> &ResidentSet {
        &self.resident
    }

    /// Adds an observer; the next tick takes it into account.
    pub fn add(&mut self, observer: Observer) -> ObserverId {
        let id = ObserverId(self.next_observer);
        self.next_observer += 1;
        self.observers.insert(id, Watch::new(observer));
        self.changed.insert(id);
        id
    }

    /// Replaces what an observer needs. False when there is no such observer.
    pub fn set(&mut self, id: ObserverId, observer: Observer) -> bool {
        let Some(watch) = self.observers.get_mut(&id) else { return false };
        if watch.turn_to(observer) {
            self.changed.insert(id);
        }
        true
    }

    /// Removes an observer; what only it needed is unloaded in the next tick. False when there is no such observer.
    pub fn remove(&mut self, id: ObserverId) -> bool {
        let Some(mut watch) = self.observers.remove(&id) else { return false };
        self.changed.remove(&id);
        self.forget_waits(id, &watch.missing);
        self.holds.replace(&mut watch.held, ResidentSet::default());
        self.holds.replace_data(&mut watch.data, BTreeSet::new());
        true
    }

    /// How far the world is for an observer since the last tick; `None` when there is no such observer.
    pub fn status(&self, id: ObserverId) -> Option<StreamStatus> {
        self.observers.get(&id).map(|watch| watch.status)
    }

    /// Takes over loaded blocks, decides what should be resident for all observers, and requests what is missing.
    /// Never waits for a thread.
    pub fn tick(&mut self, world: &mut World) -> StreamReport {
        self.ticks += 1;
        // By now the owner has dropped what left with the last tick's events.
        if std::mem::take(&mut self.has_dropped) {
            self.library.release_unused();
        }
        let mut problems = self.receive(world);
        problems.extend(self.library.take_problems());
        while let Some(id) = self.changed.pop_first() {
            self.look_after(world, id);
        }
        self.request();
        let events = self.apply(world);
        self.drop_data(world);
        let status = self.observers.values().map(|watch| watch.status).max().unwrap_or(StreamStatus::Settled);
        StreamReport { events, problems, status }
    }

    /// Puts finished blocks into their slots; nothing of them is resident yet.
    fn receive(&mut self, world: &mut World) -> Vec<Problem> {
        let mut problems = Vec::new();
        let finished = self.loader.finished(&self.library);
        let is_pending = |(_, result): &Finished| result.as_ref().is_err_and(Error::is_pending);
        self.waits_for_source = !finished.is_empty() && finished.iter().all(is_pending);
        for (id, result) in finished {
            // Nobody has anything new, and the block is asked for again with the next tick.
            if result.as_ref().is_err_and(Error::is_pending) {
                self.asks_anew = true;
                continue;
            }
            if let Some(wait) = self.waits.get(&id) {
                self.changed.extend(&wait.observers);
            }
            match result {
                Ok(LoadedBlock { block, problems: own, .. }) => {
                    self.failures.remove(&id);
                    self.waits.remove(&id);
                    if self.reported.insert(id) {
                        problems.extend(own);
                    }
                    if self.loaded.insert(id) {
                        world.insert(block);
                    }
                    self.holds.check_data(id);
                }
                Err(error) => problems.extend(self.note_failure(id, &error)),
            }
        }
        problems
    }

    /// Waits longer after every failure; reports the first.
    fn note_failure(&mut self, id: BlockId, error: &Error) -> Option<Problem> {
        let failure = self.failures.entry(id).or_insert(Failure { attempts: 0, retry_at: None });
        failure.attempts += 1;
        let wait = u64::from(self.config.retry_ticks) << (failure.attempts - 1).min(6);
        failure.retry_at = Some(self.ticks + wait);
        let what = || format!("cannot be loaded now and is tried again later: {error}");
        (failure.attempts == 1).then(|| Problem::new(DatId(id.cell(0xFFFF).0), what()))
    }

    /// Decides what an observer needs, holds what is there of it, and waits for the rest.
    fn look_after(&mut self, world: &World, id: ObserverId) {
        let Some(mut watch) = self.observers.remove(&id) else { return };
        let block = |id| world.block_data(id).map(|block| &**block);
        // While the rule depends on a cell that is not here, what was wanted before stays.
        if let Some(wanted) = watch.observer.wanted(&self.config, block) {
            watch.wanted = wanted;
        }
        let needed = watch.needed_blocks();
        let missing: BTreeSet<BlockId> =
            needed.iter().copied().filter(|id| !self.loaded.contains(id)).collect();
        // A block that failed before may come or not: nothing waits for it.
        let expected = missing.iter().filter(|id| !self.failures.contains_key(id)).count();
        let is_here = watch.observer.cell().is_none_or(|cell| block_holds(world, cell));
        let complete = is_here && expected == 0;
        watch.status = match expected {
            _ if !is_here => StreamStatus::Holding,
            0 => StreamStatus::Settled,
            n => StreamStatus::Loading(n),
        };
        self.replace_waits(id, &mut watch, missing);
        // What was held before stays until the new set is complete: the set is never empty in between.
        let mut held = watch.present(world);
        let mut data = needed;
        match complete {
            true => data.extend(watch.observer.margin(&self.config)),
            false => {
                held.extend(&watch.held);
                data.extend(&watch.data);
            }
        }
        self.holds.replace(&mut watch.held, held);
        self.holds.replace_data(&mut watch.data, data);
        self.observers.insert(id, watch);
    }

    fn replace_waits(&mut self, id: ObserverId, watch: &mut Watch, missing: BTreeSet<BlockId>) {
        let given_up: BTreeSet<BlockId> = watch.missing.difference(&missing).copied().collect();
        self.forget_waits(id, &given_up);
        for &block in &missing {
            let ring = watch.observer.rings_to(block);
            let wait = self.waits.entry(block).or_insert_with(|| {
                self.asks_anew = true;
                Wait { ring, ..Wait::default() }
            });
            wait.observers.insert(id);
            if ring < wait.ring {
                wait.ring = ring;
                self.asks_anew = true;
            }
        }
        watch.missing = missing;
    }

    fn forget_waits(&mut self, id: ObserverId, blocks: &BTreeSet<BlockId>) {
        for block in blocks {
            let Some(wait) = self.waits.get_mut(block) else { continue };
            wait.observers.remove(&id);
            if wait.observers.is_empty() {
                self.waits.remove(block);
                self.asks_anew = true;
            }
        }
    }

    /// Asks for every block that is waited for, nearest first, when that has changed.
    fn request(&mut self) {
        let (waits, ticks) = (&self.waits, self.ticks);
        for (_, failure) in self.failures.iter_mut().filter(|(id, _)| waits.contains_key(id)) {
            if failure.retry_at.is_some_and(|at| at <= ticks) {
                failure.retry_at = None;
                self.asks_anew = true;
            }
        }
        if !std::mem::take(&mut self.asks_anew) {
            return;
        }
        let is_due = |id: &BlockId| self.failures.get(id).is_none_or(|failure| failure.retry_at.is_none());
        let mut wanted: Vec<(u8, BlockId)> =
            self.waits.iter().filter(|(id, _)| is_due(id)).map(|(&id, wait)| (wait.ring, id)).collect();
        wanted.sort_unstable();
        self.loader.request(wanted.into_iter().map(|(_, id)| id));
    }

    /// Makes resident what is held from now on, and takes back what is not any more.
    fn apply(&mut self, world: &mut World) -> Vec<StreamEvent> {
        let changes = self.holds.take_changes(&self.resident);
        let mut events = Vec::new();
        for id in changes.come.blocks {
            world.set_landscape_resident(id, true);
            self.resident.blocks.insert(id);
            events.push(StreamEvent::LandscapeLoaded(id));
        }
        for id in changes.come.cells {
            world.set_cell_resident(id, true);
            self.resident.cells.insert(id);
            events.push(StreamEvent::CellLoaded(id));
        }
        for id in changes.come.scenery {
            self.resident.scenery.insert(id);
            events.push(StreamEvent::SceneryLoaded(id));
        }
        for id in changes.go.scenery {
            self.resident.scenery.remove(&id);
            events.push(StreamEvent::SceneryUnloaded(id));
        }
        for id in changes.go.cells {
            world.set_cell_resident(id, false);
            self.resident.cells.remove(&id);
            events.push(StreamEvent::CellUnloaded(id));
        }
        for id in changes.go.blocks {
            world.set_landscape_resident(id, false);
            self.resident.blocks.remove(&id);
            events.push(StreamEvent::LandscapeUnloaded(id));
        }
        events
    }

    /// Empties slots that nobody needs and that no margin covers.
    fn drop_data(&mut self, world: &mut World) {
        for id in self.holds.take_unused_data() {
            if self.loaded.remove(&id) {
                world.remove(id);
                self.has_dropped = true;
            }
        }
    }
}

/// Whether the data of a cell is there, resident or not.
fn block_holds(world: &World, cell: CellId) -> bool {
    let Some(block) = world.block_data(cell.block()) else { return false };
    if cell.is_interior() {
        block.env_cell(cell.low()).is_some()
    } else {
        block.has_land && block.land_cell(cell.low()).is_some()
    }
}

/// The position, when it is one.
fn on_map(position: &Position) -> bool {
    crate::coords::is_valid_cell_id(position.cell)
}
