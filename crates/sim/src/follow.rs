//! The stage follows a simulation: objects, their poses, and the visible effects of their animation hooks.

use crate::{SceneContents, Simulation};
use std::collections::BTreeSet;
use threshold_render::studio::Studio;
use threshold_world::BlockId;

/// Keeps the stage of a studio in step with a simulation.
#[derive(Default)]
pub struct StageFollower {
    /// Ticks, version of the world and number of objects that the stage was last made like.
    synced: Option<(u64, u64, usize)>,
    /// Blocks whose landscape was loaded then.
    blocks: BTreeSet<BlockId>,
}

impl StageFollower {
    /// Whether the stage has followed a simulation yet.
    pub fn has_followed(&self) -> bool {
        self.synced.is_some()
    }

    /// Blocks whose landscape was loaded when the stage last followed the simulation.
    pub fn blocks(&self) -> &BTreeSet<BlockId> {
        &self.blocks
    }

    /// Updates the stage from the simulation, and runs the hooks that its objects have run since.
    pub fn follow(&mut self, studio: &mut Studio, sim: &Simulation) {
        let Studio { assets, stage, .. } = studio;
        let world = sim.world();
        let now = (sim.ticks(), world.version(), sim.scene().len());
        if self.synced == Some(now) {
            stage.draw_between(sim.drawn_part_of_tick());
            return;
        }
        if self.synced.is_none_or(|(_, version, _)| version != now.1) {
            self.blocks = world.block_ids().filter(|&id| world.landscape(id).is_some()).collect();
        }
        stage.sync(assets, &SceneContents(sim.scene()));
        stage.draw_between(sim.drawn_part_of_tick());
        // What ran before the first look, or before time was turned back, nobody saw.
        let seen = self.synced.map_or(now.0, |(tick, ..)| tick);
        for (entity, hook) in sim.hooks_since(seen) {
            if let Some((animation, number)) = hook.source() {
                stage.run_hook(assets, entity.id(), animation, number);
            }
        }
        self.synced = Some(now);
    }
}
