//! Objects that belong to blocks and cells, and exist as long as these are loaded. Spec: physics-objects §8.14.

use super::{EntityKey, EntityRole, Scene, Spawn};
use crate::flags::State;
use std::sync::Arc;
use threshold_world::{
    BlockId, CellId, Frame, Position, World,
    coords::adjust_to_outside,
    model::{Model, ModelMotion},
};

/// Numbers, which no cell has, under which a block's own statics and its scenery are kept.
const LANDSCAPE: u16 = 0;
const SCENERY: u16 = 0xFFFF;

/// An object that belongs to a block or cell.
struct Static {
    /// What it comes and goes with.
    owner: CellId,
    model: Option<Arc<Model>>,
    position: Position,
    scale: f32,
}

impl Scene {
    /// Brings in the static objects of a block's info record. Those without a model are left out.
    pub(super) fn spawn_listed_statics(&mut self, world: &World, block: BlockId) {
        let Some(data) = world.block_data(block).cloned() else { return };
        for object in &data.statics {
            if let Some((cell, origin)) = adjust_to_outside(block.cell(1), object.frame.origin) {
                let position = Position::new(cell, Frame::new(origin, object.frame.rotation()));
                let owner = block.cell(LANDSCAPE);
                let model = object.model.clone();
                self.spawn_static(world, Static { owner, model, position, scale: 1.0 });
            }
        }
    }

    /// Brings in what grows on a block.
    pub(super) fn spawn_scenery(&mut self, world: &World, block: BlockId) {
        let Some(data) = world.block_data(block).cloned() else { return };
        for growth in &data.scenery {
            let (owner, position) = (block.cell(SCENERY), growth.position());
            let model = Some(growth.model.clone());
            self.spawn_static(world, Static { owner, model, position, scale: growth.scale });
        }
    }

    /// Brings in the static objects of one interior cell.
    pub(super) fn spawn_cell_statics(&mut self, world: &World, cell: CellId) {
        let Some(data) = world.block_data(cell.block()).cloned() else { return };
        for object in data.env_cell(cell.low()).iter().flat_map(|cell| &cell.statics) {
            let position = Position::new(cell, object.frame);
            let model = object.model.clone();
            self.spawn_static(world, Static { owner: cell, model, position, scale: 1.0 });
        }
    }

    /// All scenery, block by block.
    pub fn scenery(&self) -> impl Iterator<Item = EntityKey> + '_ {
        let grown = self.statics.iter().filter(|(owner, _)| owner.low() == SCENERY);
        grown.flat_map(|(_, keys)| keys).copied()
    }

    /// Removes all scenery.
    pub fn remove_scenery(&mut self, world: &World) {
        let blocks: Vec<CellId> =
            self.statics.keys().copied().filter(|owner| owner.low() == SCENERY).collect();
        blocks.into_iter().for_each(|owner| self.despawn_cell_statics(world, owner));
    }

    /// Takes out everything that stands outdoors in a block.
    pub(super) fn despawn_outdoor_statics(&mut self, world: &World, block: BlockId) {
        self.despawn_cell_statics(world, block.cell(LANDSCAPE));
        self.despawn_scenery(world, block);
    }

    pub(super) fn despawn_scenery(&mut self, world: &World, block: BlockId) {
        self.despawn_cell_statics(world, block.cell(SCENERY));
    }

    pub(super) fn despawn_cell_statics(&mut self, world: &World, cell: CellId) {
        let Some(keys) = self.statics.remove(&cell) else { return };
        self.entities.note_static_change();
        for key in keys {
            // One that the owner of the scene has taken out already is gone.
            let _ = self.despawn(world, key);
        }
    }

    fn spawn_static(&mut self, world: &World, object: Static) {
        let Static { owner, model, position, scale } = object;
        let Some(model) = model else { return };
        let mut state = State::STATIC;
        state.set(State::HAS_PHYSICS_BSP, model.has_physics_mesh());
        let role = EntityRole { has_game_object: false, ..EntityRole::default() };
        // Refused only for positions off the map or not finite: then there is nothing to stand on either.
        let plays = model.motion != ModelMotion::None;
        if let Ok(key) = self.spawn(world, Spawn { guid: None, model, position, state, scale, role }) {
            self.statics.entry(owner).or_default().push(key);
            if plays {
                self.new_statics.push(key);
            }
        }
    }
}
