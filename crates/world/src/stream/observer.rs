//! Observers, for which the world is loaded.

use super::{ResidentSet, StreamConfig, StreamStatus, on_map, rule::square};
use crate::{BlockId, CellId, Position, World, landblock::Landblock};
use std::{collections::BTreeSet, sync::Arc};

/// Number of an observer of a streamer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObserverId(pub(super) u32);

/// What an observer needs of the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Observer {
    /// Nothing.
    #[default]
    Nowhere,
    /// What a player or camera at this position needs: the window around it and the interiors it sees.
    At(Position),
    /// Blocks with all their cells and scenery, as a server holds them open.
    Area(BTreeSet<BlockId>),
    /// Exactly these, as they were at another time.
    Exactly(Arc<ResidentSet>),
}

impl From<Option<&Position>> for Observer {
    fn from(position: Option<&Position>) -> Observer {
        position.map_or(Observer::Nowhere, |position| Observer::At(*position))
    }
}

impl Observer {
    /// The cell it is in.
    pub(super) fn cell(&self) -> Option<CellId> {
        match self {
            Observer::At(position) if on_map(position) => Some(position.cell),
            _ => None,
        }
    }

    /// What should be resident for it; `None` while that depends on a cell that is not there.
    pub(super) fn wanted<'b>(
        &self,
        config: &StreamConfig,
        block: impl Fn(BlockId) -> Option<&'b Landblock>,
    ) -> Option<ResidentSet> {
        match self {
            Observer::Nowhere => Some(ResidentSet::default()),
            Observer::At(position) => ResidentSet::around(Some(position), config, block),
            Observer::Area(blocks) => Some(ResidentSet::area(blocks, block)),
            Observer::Exactly(set) => Some(ResidentSet::clone(set)),
        }
    }

    /// Distance of a block in rings; those of an area are all as near.
    pub(super) fn rings_to(&self, block: BlockId) -> u8 {
        self.cell().map_or(0, |cell| cell.block().rings_to(block))
    }

    /// Blocks whose data is kept although nothing of them is resident.
    pub(super) fn margin(&self, config: &StreamConfig) -> impl Iterator<Item = BlockId> + use<> {
        let reach = config.radius.saturating_add(config.margin);
        self.cell().into_iter().flat_map(move |cell| square(cell.block(), reach))
    }
}

/// An observer and what it holds.
pub(super) struct Watch {
    pub(super) observer: Observer,
    pub(super) status: StreamStatus,
    /// What its rule asked for when it could last be evaluated.
    pub(super) wanted: ResidentSet,
    /// What it keeps resident.
    pub(super) held: ResidentSet,
    /// Blocks whose data it keeps.
    pub(super) data: BTreeSet<BlockId>,
    /// Blocks that it waits for.
    pub(super) missing: BTreeSet<BlockId>,
}

impl Watch {
    pub(super) fn new(observer: Observer) -> Watch {
        let status = match &observer {
            Observer::Nowhere => StreamStatus::Settled,
            Observer::At(_) => StreamStatus::Holding,
            Observer::Area(blocks) => StreamStatus::Loading(blocks.len()),
            Observer::Exactly(set) => StreamStatus::Loading(set.blocks.len()),
        };
        Watch {
            observer,
            status,
            wanted: ResidentSet::default(),
            held: ResidentSet::default(),
            data: BTreeSet::new(),
            missing: BTreeSet::new(),
        }
    }

    /// Says whether there is anything to decide anew: within a cell, moving changes nothing.
    pub(super) fn turn_to(&mut self, observer: Observer) -> bool {
        let is_same = match (&self.observer, &observer) {
            (Observer::At(_), Observer::At(_)) => self.observer.cell() == observer.cell(),
            (old, new) => old == new,
        };
        self.observer = observer;
        !is_same
    }

    /// Blocks whose data it needs.
    pub(super) fn needed_blocks(&self) -> BTreeSet<BlockId> {
        let own = self.observer.cell().map(|cell| cell.block());
        let area = match &self.observer {
            Observer::Area(blocks) => Some(blocks),
            _ => None,
        };
        let cells = self.wanted.cells.iter().map(|cell| cell.block());
        let mut needed = self.wanted.blocks.clone();
        needed.extend(own.into_iter().chain(area.into_iter().flatten().copied()).chain(cells));
        needed
    }

    /// What it wants and is there.
    pub(super) fn present(&self, world: &World) -> ResidentSet {
        let has_cell =
            |id: CellId| world.block_data(id.block()).is_some_and(|block| block.env_cell(id.low()).is_some());
        let has_land = |id: &BlockId| world.block_data(*id).is_some_and(|block| block.has_land);
        ResidentSet {
            blocks: self.wanted.blocks.iter().copied().filter(has_land).collect(),
            cells: self.wanted.cells.iter().copied().filter(|&id| has_cell(id)).collect(),
            scenery: self.wanted.scenery.iter().copied().filter(has_land).collect(),
        }
    }
}
