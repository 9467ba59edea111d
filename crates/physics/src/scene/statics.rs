//! Objects that belong to blocks and cells: there as long as what lists them is. Spec: physics-objects §8.14.

use super::{EntityKey, Facts, Scene, Spawn};
use crate::flags::State;
use std::sync::Arc;
use threshold_dat::DatId;
use threshold_world::{
    BlockId, CellId, Frame, Position, World, cell::StaticObject, coords::adjust_to_outside, model::Model,
};

/// Finds the model of a static object; none when it is missing or broken.
pub type Models<'a> = dyn FnMut(DatId) -> Option<Arc<Model>> + 'a;

/// What lists a block's outdoor statics stands under this number.
const LANDSCAPE: u16 = 0;

impl Scene {
    /// Brings in the static objects of a block's info record; those whose model is unknown are left out.
    pub fn spawn_outdoor_statics(&mut self, world: &World, block: BlockId, models: &mut Models<'_>) {
        let Some(data) = world.block_data(block).cloned() else { return };
        for object in &data.statics {
            if let Some((cell, origin)) = adjust_to_outside(block.cell(1), object.frame.origin) {
                let position = Position::new(cell, Frame::new(origin, object.frame.rotation()));
                self.spawn_static(world, block.cell(LANDSCAPE), object, position, models);
            }
        }
    }

    /// Brings in the static objects of all interior cells of a block; those whose model is unknown are left out.
    pub fn spawn_indoor_statics(&mut self, world: &World, block: BlockId, models: &mut Models<'_>) {
        let Some(data) = world.block_data(block).cloned() else { return };
        for cell in data.env_cells.iter().flatten() {
            self.spawn_cell_statics(world, cell.id(), models);
        }
    }

    /// Brings in the static objects of one interior cell.
    pub(super) fn spawn_cell_statics(&mut self, world: &World, cell: CellId, models: &mut Models<'_>) {
        let Some(data) = world.block_data(cell.block()).cloned() else { return };
        for object in data.env_cell(cell.low()).iter().flat_map(|cell| &cell.statics) {
            self.spawn_static(world, cell, object, Position::new(cell, object.frame), models);
        }
    }

    pub(super) fn despawn_outdoor_statics(&mut self, world: &World, block: BlockId) {
        self.despawn_cell_statics(world, block.cell(LANDSCAPE));
    }

    pub(super) fn despawn_cell_statics(&mut self, world: &World, cell: CellId) {
        let Some(keys) = self.statics.remove(&cell) else { return };
        self.entities.note_static_change();
        for key in keys {
            // One that the owner of the scene has taken out already is gone.
            let _ = self.despawn(world, key);
        }
    }

    fn spawn_static(
        &mut self,
        world: &World,
        owner: CellId,
        object: &StaticObject,
        position: Position,
        models: &mut Models<'_>,
    ) -> Option<EntityKey> {
        let model = models(object.model)?;
        let mut state = State::STATIC;
        state.set(State::HAS_PHYSICS_BSP, model.has_physics_mesh());
        let facts = Facts { has_game_object: false, ..Facts::default() };
        // Refused only for positions off the map or not finite: then there is nothing to stand on either.
        let key = self.spawn(world, Spawn { guid: None, model, position, state, scale: 1.0, facts }).ok()?;
        self.statics.entry(owner).or_default().push(key);
        Some(key)
    }
}
