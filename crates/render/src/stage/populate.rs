//! Bringing a block's own objects on the stage: statics of the block and its cells, and what grows on it.

use super::{Object, ShellLevels, Spawn, Stage, cells_touched};
use crate::{assets::Assets, scenery::grow};
use threshold_world::{
    BlockId, CellId, Position, World,
    cell::StaticObject,
    coords::adjust_to_outside,
    landblock::{Building, Landblock},
};

impl Stage {
    /// Brings the objects of a block on the stage, if they are not there yet. Landblock statics come first, then
    /// scenery, then the statics of interior cells, each in stored order.
    pub fn populate(&mut self, world: &World, assets: &mut Assets, id: BlockId) {
        if self.blocks.contains_key(&id) {
            return;
        }
        let Some(block) = world.block_data(id).cloned() else { return };
        let mut ids = Vec::new();
        for object in &block.statics {
            if let Some((cell, origin)) = adjust_to_outside(id.cell(1), object.frame.origin) {
                let mut frame = object.frame;
                frame.origin = origin;
                ids.push(self.spawn_static(world, assets, object, Position::new(cell, frame)));
            }
        }
        if let Some(region) = assets.terrain.region().cloned() {
            let library = assets.library().clone();
            let model = |id| library.model(id).ok().flatten();
            for growth in grow(&block, &region, |id| assets.scene(id), model) {
                let spawn = Spawn {
                    scale: growth.scale,
                    is_fixed: true,
                    ..Spawn::new(growth.model, Position::new(growth.cell, growth.frame))
                };
                ids.push(self.spawn_touching(world, assets, &spawn));
            }
        }
        for cell in block.env_cells.iter().flatten() {
            for object in &cell.statics {
                let position = Position::new(cell.id(), object.frame);
                ids.push(self.spawn_static(world, assets, object, position));
            }
        }
        self.load_shells(assets, &block);
        self.blocks.insert(id, ids);
    }

    /// Takes the objects that came with a block off the stage.
    pub fn release(&mut self, id: BlockId) {
        for object in self.blocks.remove(&id).unwrap_or_default() {
            self.remove(object);
        }
    }

    /// Blocks whose objects are on the stage.
    pub fn populated(&self) -> impl Iterator<Item = BlockId> + '_ {
        self.blocks.keys().copied()
    }

    fn spawn_static(
        &mut self,
        world: &World,
        assets: &mut Assets,
        object: &StaticObject,
        position: Position,
    ) -> u32 {
        self.spawn_touching(world, assets, &Spawn { is_fixed: true, ..Spawn::new(object.model, position) })
    }

    /// Puts an object on the stage in every cell that its bounds reach.
    pub fn spawn_touching(&mut self, world: &World, assets: &mut Assets, spawn: &Spawn) -> u32 {
        let object = Object::new(assets, spawn, self.now);
        let cells: Vec<CellId> = cells_touched(world, &spawn.position, &object.bounds());
        self.insert(object, &cells)
    }

    /// Loads the levels of detail of a block's buildings.
    fn load_shells(&mut self, assets: &mut Assets, block: &Landblock) {
        let shell = |building: &Building| Some(building.model.as_ref()?.parts.first()?.mesh.as_ref()?.id);
        for id in block.buildings.iter().filter_map(shell) {
            if self.shells.contains_key(&id) {
                continue;
            }
            let Some(lod) = assets.lod(id) else { continue };
            // The planner asks the meshes of all levels for their openings.
            let mesh = |level: Option<_>| assets.library().mesh(level?).ok().flatten();
            let meshes = assets.lod_ids(id).into_iter().map(mesh).collect();
            self.shells.insert(id, ShellLevels { lod, meshes });
        }
    }
}
