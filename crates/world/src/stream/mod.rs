//! Keeps the resident set of a [`World`] around the player, loading on background threads.
//!
//! What should be resident is a rule of the player's position ([`ResidentSet`]). Threads load whole blocks; what
//! they finished enters the world only in [`Streamer::tick`], so nothing changes while a tick of anything else runs,
//! and a block is there with all of its data or not at all.

mod rule;
mod worker;

pub use rule::{ResidentSet, StreamConfig};

use crate::{
    BlockId, CellId, Library, Position, Problem, World, coords::is_valid_cell_id, load::LoadedBlock,
    model::Model,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use threshold_dat::{DatId, Error};
use worker::{Furnished, Workers};

/// A change of the resident set, so that others can attach and detach what they keep per cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StreamEvent {
    /// The outdoor cells of a block are there from now on.
    LandscapeLoaded(BlockId),
    /// An interior cell is there from now on.
    CellLoaded(CellId),
    /// The scenery of a block stands from now on.
    SceneryLoaded(BlockId),
    /// The scenery of a block is gone.
    SceneryUnloaded(BlockId),
    /// An interior cell is gone.
    CellUnloaded(CellId),
    /// The outdoor cells of a block are gone.
    LandscapeUnloaded(BlockId),
}

/// How far the world is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamStatus {
    /// The resident set is the rule's set, save for blocks that cannot be loaded.
    Settled,
    /// So many blocks are still to come; what was resident before stays until then.
    Loading(usize),
    /// The player's own cell is not there: the game waits. Retail: the portal-space state.
    Holding,
}

/// What a tick did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamReport {
    /// Changes in the order they were made: everything loaded, then everything unloaded, each ascending.
    pub events: Vec<StreamEvent>,
    /// What could not be used; each block and shared record is reported once.
    pub problems: Vec<Problem>,
    /// How far the world is.
    pub status: StreamStatus,
}

/// A block that could not be loaded.
struct Failure {
    attempts: u32,
    retry_at: u64,
}

/// Loads and unloads around the player. Retail: `CellManager::ChangePosition` (0x004559B0). Spec: visibility §13.
///
/// One world belongs to one streamer: nothing else may change what is in it.
pub struct Streamer {
    library: Arc<Library>,
    config: StreamConfig,
    workers: Workers,
    ticks: u64,
    /// What the rule asked for when it could last be evaluated.
    wanted: ResidentSet,
    resident: ResidentSet,
    /// Blocks whose data is in the world, each with the models of its objects, which stay as long as it does.
    loaded: BTreeMap<BlockId, Vec<Arc<Model>>>,
    /// The player's cell for which nothing is left to do.
    settled_at: Option<Option<CellId>>,
    failures: BTreeMap<BlockId, Failure>,
    reported: BTreeSet<BlockId>,
    /// Data has been dropped that others may hold on to until they have heard of it.
    has_dropped: bool,
}

impl Streamer {
    /// A streamer over a library, with its threads started.
    pub fn new(library: Arc<Library>, config: StreamConfig) -> Streamer {
        Streamer {
            workers: Workers::start(&library, config.threads),
            library,
            config,
            ticks: 0,
            wanted: ResidentSet::default(),
            resident: ResidentSet::default(),
            loaded: BTreeMap::new(),
            settled_at: None,
            failures: BTreeMap::new(),
            reported: BTreeSet::new(),
            has_dropped: false,
        }
    }

    /// The settings in use.
    pub fn config(&self) -> &StreamConfig {
        &self.config
    }

    /// What is resident since the last tick.
    pub fn resident(&self) -> &ResidentSet {
        &self.resident
    }

    /// Takes over what was loaded, decides what should be resident for a player at `player` (none: nothing), and
    /// asks for what is missing. Never waits for a load.
    pub fn tick(&mut self, world: &mut World, player: Option<&Position>) -> StreamReport {
        self.ticks += 1;
        // By now the owner has let go of what left with the last tick's events.
        if std::mem::take(&mut self.has_dropped) {
            self.library.release_unused();
        }
        let player = player.filter(|p| is_valid_cell_id(p.cell));
        let (received, mut problems) = self.receive(world);
        problems.extend(self.library.take_problems());
        let cell = player.map(|p| p.cell);
        let retries = self
            .failures
            .iter()
            .any(|(id, failure)| failure.retry_at <= self.ticks && self.wanted.needs(*id));
        if self.settled_at == Some(cell) && !received && !retries {
            return StreamReport { events: Vec::new(), problems, status: StreamStatus::Settled };
        }
        let block = |id| world.block_data(id).map(|block| &**block);
        // While the rule hangs on a cell that is not here, what was wanted before stays.
        if let Some(wanted) = ResidentSet::around(player, &self.config, block) {
            self.wanted = wanted;
        }
        let missing = self.request(player);
        let is_here = cell.is_none_or(|cell| block_holds(world, cell));
        let complete = is_here && missing == 0;
        let events = self.apply(world, complete);
        if complete {
            self.drop_data(world, player);
        }
        self.settled_at = complete.then_some(cell);
        let status = match missing {
            _ if !is_here => StreamStatus::Holding,
            0 => StreamStatus::Settled,
            n => StreamStatus::Loading(n),
        };
        StreamReport { events, problems, status }
    }

    /// Puts finished blocks into their slots; nothing of them is resident yet.
    fn receive(&mut self, world: &mut World) -> (bool, Vec<Problem>) {
        let mut problems = Vec::new();
        let finished = self.workers.finished();
        let received = !finished.is_empty();
        for (id, result) in finished {
            match result {
                Ok(Furnished { loaded: LoadedBlock { block, problems: own, .. }, models }) => {
                    self.failures.remove(&id);
                    if self.reported.insert(id) {
                        problems.extend(own);
                    }
                    if self.loaded.insert(id, models).is_none() {
                        world.insert(block);
                    }
                }
                Err(error) => problems.extend(self.note_failure(id, &error)),
            }
        }
        (received, problems)
    }

    /// Waits longer after every failure; reports the first.
    fn note_failure(&mut self, id: BlockId, error: &Error) -> Option<Problem> {
        let failure = self.failures.entry(id).or_insert(Failure { attempts: 0, retry_at: 0 });
        failure.attempts += 1;
        let wait = u64::from(self.config.retry_ticks) << (failure.attempts - 1).min(6);
        failure.retry_at = self.ticks + wait;
        let what = || format!("cannot be loaded now and is tried again later: {error}");
        (failure.attempts == 1).then(|| Problem::new(DatId(id.cell(0xFFFF).0), what()))
    }

    /// Asks the threads for every block that is needed and not there, nearest first. Returns how many will come.
    fn request(&mut self, player: Option<&Position>) -> usize {
        let own = player.map(|p| p.cell.block());
        let cells = self.wanted.cells.iter().map(|cell| cell.block());
        let needed: BTreeSet<BlockId> =
            own.into_iter().chain(self.wanted.blocks.iter().copied()).chain(cells).collect();
        let is_due =
            |id: &BlockId| self.failures.get(id).is_none_or(|failure| failure.retry_at <= self.ticks);
        let mut missing: Vec<BlockId> =
            needed.into_iter().filter(|id| !self.loaded.contains_key(id)).filter(is_due).collect();
        missing.sort_by_key(|&id| own.map_or(0, |own| own.rings_to(id)));
        // A block that failed before may come or not: nothing waits for it.
        let expected = missing.iter().filter(|id| !self.failures.contains_key(id)).count();
        self.workers.request(missing);
        expected
    }

    /// Makes everything resident that is wanted and here; when all of it is, lets the rest go.
    fn apply(&mut self, world: &mut World, complete: bool) -> Vec<StreamEvent> {
        let mut events = Vec::new();
        for &id in self.wanted.blocks.difference(&self.resident.blocks) {
            if world.set_landscape_resident(id, true) {
                events.push(StreamEvent::LandscapeLoaded(id));
            }
        }
        for &id in self.wanted.cells.difference(&self.resident.cells) {
            if world.set_cell_resident(id, true) {
                events.push(StreamEvent::CellLoaded(id));
            }
        }
        for &id in self.wanted.scenery.difference(&self.resident.scenery) {
            if world.landscape(id).is_some() {
                events.push(StreamEvent::SceneryLoaded(id));
            }
        }
        if complete {
            for &id in self.resident.scenery.difference(&self.wanted.scenery) {
                events.push(StreamEvent::SceneryUnloaded(id));
            }
            for &id in self.resident.cells.difference(&self.wanted.cells) {
                world.set_cell_resident(id, false);
                events.push(StreamEvent::CellUnloaded(id));
            }
            for &id in self.resident.blocks.difference(&self.wanted.blocks) {
                world.set_landscape_resident(id, false);
                events.push(StreamEvent::LandscapeUnloaded(id));
            }
        }
        for event in &events {
            match *event {
                StreamEvent::LandscapeLoaded(id) => self.resident.blocks.insert(id),
                StreamEvent::CellLoaded(id) => self.resident.cells.insert(id),
                StreamEvent::SceneryLoaded(id) => self.resident.scenery.insert(id),
                StreamEvent::SceneryUnloaded(id) => self.resident.scenery.remove(&id),
                StreamEvent::CellUnloaded(id) => self.resident.cells.remove(&id),
                StreamEvent::LandscapeUnloaded(id) => self.resident.blocks.remove(&id),
            };
        }
        events
    }

    /// Empties slots that are not needed and farther away than the margin.
    fn drop_data(&mut self, world: &mut World, player: Option<&Position>) {
        let own = player.map(|p| p.cell.block());
        let reach = self.config.radius.saturating_add(self.config.margin);
        let is_near = |id: BlockId| own.is_some_and(|own| own.rings_to(id) <= reach);
        let is_needed = |id: &BlockId| self.resident.needs(*id) || is_near(*id);
        let far: Vec<BlockId> = self.loaded.keys().copied().filter(|id| !is_needed(id)).collect();
        for id in &far {
            world.remove(*id);
            self.loaded.remove(id);
        }
        self.has_dropped |= !far.is_empty();
    }
}

/// Whether the data of a cell is there, resident or not.
fn block_holds(world: &World, cell: CellId) -> bool {
    let Some(block) = world.block_data(cell.block()) else { return false };
    if cell.is_interior() {
        block.env_cell(cell.low()).is_some()
    } else {
        block.land_cell(cell.low()).is_some()
    }
}
