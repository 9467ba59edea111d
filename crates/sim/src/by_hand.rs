//! Blocks that the host loads and unloads itself, immediately and without observers: for single moves anywhere in a large
//! world, for worlds made in memory, and to test what happens where something is not loaded.

use crate::{Event, SimError, Simulation};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, sync::Arc};
use threshold_physics::Scene;
use threshold_world::{
    BlockId, CellId, Position, cell::EnvCell, coords::BLOCK_SIDE, landblock::Landblock, load_block,
    stream::StreamEvent,
};

/// Blocks between the ends of a move that are loaded for it, to each side; farther ends are loaded by themselves.
const MAX_SPAN: i32 = 40;

/// Whether scenery (trees, rocks, flowers) is generated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scenery {
    /// As in the client.
    #[default]
    Grown,
    /// None: a scenario turns it off, or a capture lists the objects around its mover.
    Absent,
}

/// What the host has said of what is loaded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ByHand {
    /// Blocks that are loaded when something reaches them.
    waiting: Arc<BTreeSet<BlockId>>,
    /// Cells that were taken out; the outdoor cells of a block go together and stand under their first.
    taken_out: BTreeSet<CellId>,
    scenery: Scenery,
}

impl ByHand {
    /// Nothing is loaded yet of these blocks.
    pub(crate) fn waiting_for(blocks: &BTreeSet<BlockId>) -> ByHand {
        ByHand { waiting: Arc::new(blocks.clone()), ..ByHand::default() }
    }
}

/// What a cell is taken out as.
fn name_of(cell: CellId) -> CellId {
    if cell.is_interior() { cell } else { cell.block().cell(1) }
}

/// The block that a place is in by its coordinates.
fn block_at(position: &Position) -> (i32, i32) {
    let (id, origin) = (position.cell.block(), position.frame.origin);
    let index = |first: u8, metres: f32| {
        i32::from(first).saturating_add((metres / BLOCK_SIDE).floor() as i32).clamp(0, 0xFF)
    };
    (index(id.x(), origin.x), index(id.y(), origin.y))
}

/// The blocks of a rectangle and of the ring around it.
fn blocks_around(a: (i32, i32), b: (i32, i32)) -> impl Iterator<Item = BlockId> {
    let side = |a: i32, b: i32| (a.min(b) - 1..=a.max(b) + 1).filter_map(|index| u8::try_from(index).ok());
    side(a.0, b.0).flat_map(move |x| side(a.1, b.1).map(move |y| BlockId::new(x, y)))
}

impl Simulation {
    /// Permanently loads what a move between two places may touch. Does something only with
    /// [`Residency::Reached`](crate::Residency::Reached), or where blocks were dropped.
    #[inline]
    pub fn reach(&mut self, from: &Position, to: &Position) -> Result<(), SimError> {
        if self.loading.by_hand.waiting.is_empty() { Ok(()) } else { self.load_between(from, to) }
    }

    fn load_between(&mut self, from: &Position, to: &Position) -> Result<(), SimError> {
        let (a, b) = (block_at(from), block_at(to));
        if (a.0 - b.0).abs().max((a.1 - b.1).abs()) > MAX_SPAN {
            self.load_blocks(blocks_around(a, a).chain(blocks_around(b, b)))
        } else {
            self.load_blocks(blocks_around(a, b))
        }
    }

    /// Loads those of some blocks that are not, with all their cells.
    pub fn load_blocks(&mut self, blocks: impl IntoIterator<Item = BlockId>) -> Result<(), SimError> {
        let (mut loaded, mut result) = (Vec::new(), Ok(()));
        for id in blocks {
            if !self.loading.by_hand.waiting.contains(&id) {
                continue;
            }
            match load_block(&self.library, id) {
                Ok(block) => {
                    Arc::make_mut(&mut self.loading.by_hand.waiting).remove(&id);
                    self.events.extend(block.problems.into_iter().map(Event::Problem));
                    self.world.insert_resident(block.block);
                    loaded.push(id);
                }
                Err(error) => {
                    result = Err(error.into());
                    break;
                }
            }
        }
        self.enter_blocks(&loaded);
        let has_land = |id: &BlockId| self.world.landscape(*id).is_some();
        self.events.extend(loaded.into_iter().filter(has_land).map(Event::BlockLoaded));
        self.events.extend(self.library.take_problems().into_iter().map(Event::Problem));
        result
    }

    /// Inserts a block that was made elsewhere, with all its cells, replacing an existing one.
    pub fn insert_block(&mut self, block: Arc<Landblock>) -> Result<(), SimError> {
        let id = block.id;
        self.drop_block(id)?;
        Arc::make_mut(&mut self.loading.by_hand.waiting).remove(&id);
        self.world.insert_resident(block);
        self.enter_blocks(&[id]);
        Ok(())
    }

    /// Drops a block with its data and all its cells; objects in it are lost until the block is loaded again.
    pub fn drop_block(&mut self, id: BlockId) -> Result<(), SimError> {
        self.check_by_hand()?;
        let Some(block) = self.world.remove(id) else { return Ok(()) };
        let rooms = block.env_cells.iter().flatten().map(|room| StreamEvent::CellUnloaded(room.id()));
        let events: Vec<StreamEvent> = rooms.chain([StreamEvent::LandscapeUnloaded(id)]).collect();
        self.loading.by_hand.taken_out.retain(|cell| cell.block() != id);
        if self.blocks().contains(&id) {
            Arc::make_mut(&mut self.loading.by_hand.waiting).insert(id);
        }
        self.follow(&events);
        Ok(())
    }

    /// Brings in what belongs to blocks that have just become resident.
    pub(crate) fn enter_blocks(&mut self, blocks: &[BlockId]) {
        self.scene.blocks_loaded(&self.world, blocks);
        if self.loading.by_hand.scenery == Scenery::Absent {
            self.scene.remove_scenery(&self.world);
        }
        self.scene.begin_static_motions(&self.library);
        blocks.iter().for_each(|&block| self.seat_placed(block));
    }

    /// Whether a cell is loaded, or would be if it had not been taken out.
    pub fn has_loaded(&self, cell: CellId) -> bool {
        let is_out = || cell.has_valid_low() && self.loading.by_hand.taken_out.contains(&name_of(cell));
        self.world.cell(cell).is_some() || is_out()
    }

    /// Unloads an interior cell, or the outdoors of a land cell's block, as if it had not been loaded yet, until it is
    /// brought back or the simulation is cleared.
    pub fn take_out(&mut self, cell: CellId) -> Result<(), SimError> {
        self.check_by_hand()?;
        if self.world.cell(cell).is_none() {
            return if self.has_loaded(cell) { Ok(()) } else { Err(SimError::NoCell(cell)) };
        }
        let cell = name_of(cell);
        self.set_resident(cell, false);
        self.loading.by_hand.taken_out.insert(cell);
        self.follow(&[match cell.is_interior() {
            true => StreamEvent::CellUnloaded(cell),
            false => StreamEvent::LandscapeUnloaded(cell.block()),
        }]);
        Ok(())
    }

    /// Like [`Simulation::take_out`] for a whole block, indoors first.
    pub fn take_out_block(&mut self, block: BlockId) -> Result<(), SimError> {
        let data = self.world.block_data(block).ok_or(SimError::NoBlock(block))?;
        let rooms: Vec<CellId> = data.env_cells.iter().flatten().map(EnvCell::id).collect();
        rooms.into_iter().try_for_each(|room| self.take_out(room))?;
        if self.world.landscape(block).is_some() { self.take_out(block.cell(1)) } else { Ok(()) }
    }

    /// Brings back what was taken out with this cell id. Returns whether there was anything.
    pub fn bring_back(&mut self, cell: CellId) -> bool {
        let cell = name_of(cell);
        if !self.loading.by_hand.taken_out.remove(&cell) {
            return false;
        }
        self.set_resident(cell, true);
        let block = cell.block();
        if cell.is_interior() {
            self.follow(&[StreamEvent::CellLoaded(cell)]);
        } else if self.loading.by_hand.scenery == Scenery::Absent {
            self.follow(&[StreamEvent::LandscapeLoaded(block)]);
        } else {
            self.follow(&[StreamEvent::LandscapeLoaded(block), StreamEvent::SceneryLoaded(block)]);
        }
        true
    }

    fn set_resident(&mut self, cell: CellId, resident: bool) {
        if cell.is_interior() {
            self.world.set_cell_resident(cell, resident);
        } else {
            self.world.set_landscape_resident(cell.block(), resident);
        }
    }

    /// Turns scenery on or off. Turning it on starts over as with [`Simulation::clear`], because the lists of cells are in
    /// order of arrival.
    pub fn set_scenery(&mut self, scenery: Scenery) -> Result<(), SimError> {
        self.check_by_hand()?;
        if std::mem::replace(&mut self.loading.by_hand.scenery, scenery) == scenery {
            return Ok(());
        }
        match scenery {
            Scenery::Absent => self.scene.remove_scenery(&self.world),
            Scenery::Grown => self.begin_anew(),
        }
        Ok(())
    }

    /// Resets the simulation to the objects of the blocks and to time zero, and brings back everything that was taken out.
    /// Blocks loaded by hand stay loaded; observers, players and placed objects are removed.
    pub fn clear(&mut self) {
        if self.loading.by_hand.taken_out.is_empty() {
            self.scene.clear_guests(&self.world);
            self.forget_guests();
        } else {
            self.begin_anew();
        }
    }

    /// What comes back would stand elsewhere in the lists of cells, so that all of it comes in again.
    fn begin_anew(&mut self) {
        for cell in std::mem::take(&mut self.loading.by_hand.taken_out) {
            self.set_resident(cell, true);
        }
        self.scene = Scene::new();
        self.forget_guests();
        let blocks: Vec<BlockId> = self.world.block_ids().collect();
        self.enter_blocks(&blocks);
    }

    fn forget_guests(&mut self) {
        self.loading.clear();
        self.scene.set_viewers([]);
        self.has_new_viewers = false;
        self.doors.clear();
        self.doings = Default::default();
        self.known = Default::default();
        self.unseated.clear();
        self.players.clear();
        self.placed = Arc::default();
        self.told = Arc::default();
        self.clock = Default::default();
        self.events.clear();
        self.recent_hooks.clear();
    }

    /// Has that loaded by hand which was when a snapshot was taken.
    pub(crate) fn load_by_hand(&mut self, wanted: &ByHand) -> Result<(), SimError> {
        let own = self.loading.by_hand.clone();
        if own == *wanted {
            return Ok(());
        }
        self.check_by_hand()?;
        wanted.waiting.iter().try_for_each(|&block| self.check_block(block))?;
        wanted.waiting.difference(&own.waiting).try_for_each(|&block| self.drop_block(block))?;
        self.load_blocks(own.waiting.difference(&wanted.waiting).copied())?;
        for &cell in own.taken_out.difference(&wanted.taken_out) {
            self.bring_back(cell);
        }
        wanted.taken_out.difference(&own.taken_out).try_for_each(|&cell| self.take_out(cell))?;
        self.loading.by_hand.scenery = wanted.scenery;
        Ok(())
    }
}
