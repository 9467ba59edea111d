//! The ground: samples every 24 m, given by a function of the map-wide grid.

use threshold_dat::records::{LandBlock, LandHeights, TerrainWord};
use threshold_world::{BlockId, terrain::Terrain};

/// Metres between two neighbouring entries of the height table.
pub const HEIGHT_STEP: f64 = 0.5;

/// One sample of the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Sample {
    /// Index into the height table; [`HEIGHT_STEP`] metres each.
    pub height: u8,
    /// Terrain type 0…31.
    pub kind: u8,
    /// On a road.
    pub road: bool,
    /// Which of the terrain type's scenes grows here.
    pub scenery: u8,
}

impl Sample {
    fn word(self) -> TerrainWord {
        TerrainWord(
            u16::from(self.road) | u16::from(self.kind & 31) << 2 | u16::from(self.scenery & 31) << 11,
        )
    }
}

/// The height table that [`Sample::height`] refers to.
pub fn height_table() -> LandHeights {
    LandHeights(Box::new(std::array::from_fn(|i| (i as f64 * HEIGHT_STEP) as f32)))
}

/// The ground of a block.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    pub(crate) samples: [Sample; LandBlock::SAMPLES],
}

impl Ground {
    /// Samples a function of grid coordinates; neighbours agree on their common edge because it is the same function.
    pub(crate) fn sample(block: BlockId, ground: impl Fn(u32, u32) -> Sample) -> Ground {
        let (x, y) = (u32::from(block.x()) * 8, u32::from(block.y()) * 8);
        Ground { samples: std::array::from_fn(|i| ground(x + i as u32 / 9, y + i as u32 % 9)) }
    }

    pub(crate) fn terrain(&self, block: BlockId) -> Terrain {
        let heights = self.samples.map(|s| (f64::from(s.height) * HEIGHT_STEP) as f32);
        Terrain::new(block, heights, self.samples.map(|s| s.word().0))
    }

    pub(crate) fn record(&self, has_info: bool) -> LandBlock {
        LandBlock {
            has_info,
            terrain: self.samples.map(Sample::word),
            heights: self.samples.map(|s| s.height),
        }
    }
}
