//! What should be resident, as a function of an observer's position or area.

use super::Loading;
use crate::{
    BlockId, CellId, Position,
    coords::{adjust_to_outside, is_valid_cell_id},
    landblock::Landblock,
};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Settings of a streamer.
///
/// ```
/// # use threshold_world::stream::{Loading, StreamConfig};
/// let near = StreamConfig::default().radius(3).loading(Loading::Inline(9));
/// assert_eq!((near.radius, near.margin), (3, StreamConfig::DEFAULT.margin));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StreamConfig {
    /// Blocks around the observer's, in every direction. The original's levels are 3, 5, 8, 11 and 15.
    pub radius: u8,
    /// Blocks around the observer's that are loaded in full, with the interiors of their buildings and their scenery. The
    /// original's value is 1.
    pub detail: u8,
    /// How far beyond the radius a block's data is kept, so that turning back reloads nothing.
    pub margin: u8,
    /// Keeps the landscape even in interiors that do not see it.
    pub keep_landscape: bool,
    /// Ticks until a block that could not be loaded is tried again; doubles with every failure.
    pub retry_ticks: u32,
    /// How blocks are loaded.
    pub loading: Loading,
}

impl StreamConfig {
    /// The original's start-up settings, with blocks loaded in the background where there are threads.
    pub const DEFAULT: StreamConfig = StreamConfig {
        radius: 8,
        detail: 1,
        margin: 2,
        keep_landscape: false,
        retry_ticks: 30,
        loading: Loading::DEFAULT,
    };

    /// Sets [`StreamConfig::radius`].
    pub const fn radius(self, radius: u8) -> StreamConfig {
        StreamConfig { radius, ..self }
    }

    /// Sets [`StreamConfig::detail`].
    pub const fn detail(self, detail: u8) -> StreamConfig {
        StreamConfig { detail, ..self }
    }

    /// Sets [`StreamConfig::margin`].
    pub const fn margin(self, margin: u8) -> StreamConfig {
        StreamConfig { margin, ..self }
    }

    /// Sets [`StreamConfig::keep_landscape`].
    pub const fn keep_landscape(self, keep_landscape: bool) -> StreamConfig {
        StreamConfig { keep_landscape, ..self }
    }

    /// Sets [`StreamConfig::retry_ticks`].
    pub const fn retry_ticks(self, retry_ticks: u32) -> StreamConfig {
        StreamConfig { retry_ticks, ..self }
    }

    /// Sets [`StreamConfig::loading`].
    pub const fn loading(self, loading: Loading) -> StreamConfig {
        StreamConfig { loading, ..self }
    }
}

impl Default for StreamConfig {
    fn default() -> Self {
        StreamConfig::DEFAULT
    }
}

/// Blocks with loaded outdoor cells, loaded interior cells, and blocks with loaded scenery.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct ResidentSet {
    /// Blocks with their outdoor cells.
    pub blocks: BTreeSet<BlockId>,
    /// Interior cells.
    pub cells: BTreeSet<CellId>,
    /// Blocks with loaded scenery; a subset of [`ResidentSet::blocks`].
    pub scenery: BTreeSet<BlockId>,
}

impl ResidentSet {
    /// The set for a player at a position, with blocks seen through `block`; `None` while the player is in an interior
    /// that is not there. Blocks that are missing add no interiors yet. Spec: visibility §13.
    pub fn around<'b>(
        player: Option<&Position>,
        config: &StreamConfig,
        block: impl Fn(BlockId) -> Option<&'b Landblock>,
    ) -> Option<ResidentSet> {
        let mut set = ResidentSet::default();
        let Some(player) = player.filter(|p| is_valid_cell_id(p.cell)) else { return Some(set) };
        if player.cell.is_outdoor() {
            set.add_window(player.cell.block(), config);
            set.add_open_interiors(player.cell.block(), config, &block);
            return Some(set);
        }
        let own = block(player.cell.block())?;
        let cell = own.env_cell(player.cell.low())?;
        set.cells.insert(cell.id());
        set.cells.extend(cell.visible_cells.iter().map(|&low| own.id.cell(low)));
        let below = adjust_to_outside(player.cell, player.frame.origin).map(|(id, _)| id.block());
        match below {
            Some(center) if cell.seen_outside => {
                set.add_window(center, config);
                set.add_open_interiors(center, config, &block);
            }
            Some(center) if config.keep_landscape => set.add_window(center, config),
            _ => {}
        }
        Some(set)
    }

    /// All of some blocks, seen through `block`; those that are missing add no interiors yet.
    pub fn area<'b>(
        blocks: &BTreeSet<BlockId>,
        block: impl Fn(BlockId) -> Option<&'b Landblock>,
    ) -> ResidentSet {
        let there = blocks.iter().copied().filter_map(block);
        let cells = there.flat_map(|block| block.env_cells.iter().flatten()).map(|cell| cell.id());
        ResidentSet { cells: cells.collect(), blocks: blocks.clone(), scenery: blocks.clone() }
    }

    /// Adds everything of another set.
    pub(super) fn extend(&mut self, other: &ResidentSet) {
        self.blocks.extend(&other.blocks);
        self.cells.extend(&other.cells);
        self.scenery.extend(&other.scenery);
    }

    fn add_window(&mut self, center: BlockId, config: &StreamConfig) {
        self.blocks.extend(square(center, config.radius));
        self.scenery.extend(square(center, config.detail.min(config.radius)));
    }

    /// Every cell that can be seen through an opening of a building in the inner rings.
    fn add_open_interiors<'b>(
        &mut self,
        center: BlockId,
        config: &StreamConfig,
        block: impl Fn(BlockId) -> Option<&'b Landblock>,
    ) {
        for block in square(center, config.detail.min(config.radius)).filter_map(block) {
            let portals = block.buildings.iter().flat_map(|building| &building.portals);
            let cells = portals.flat_map(|portal| &portal.visible_cells).map(|&low| block.id.cell(low));
            self.cells.extend(cells);
        }
    }
}

/// Blocks within a distance that are on the map.
pub(super) fn square(center: BlockId, radius: u8) -> impl Iterator<Item = BlockId> {
    let span = move |v: u8| v.saturating_sub(radius)..=v.saturating_add(radius).min(0xFE);
    span(center.x()).flat_map(move |x| span(center.y()).map(move |y| BlockId::new(x, y)))
}
