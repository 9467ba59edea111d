//! The part of a world around a place, with its static objects.

use anyhow::{Context, Result};
use rayon::prelude::*;
use std::collections::HashMap;
use threshold_physics::{Entity, EntityKey, EntityRole, Scene, Spawn, State};
use threshold_view::{Candidate, Contents};
use threshold_world::{
    BlockId, CellId, Library, World, block_ids, coords::block_offset, geometry::Sphere, load_block,
    placed::PlacedObject,
};

/// Rings of blocks around the middle whose objects matter: farther ones are drawn without.
const OBJECT_RINGS: u8 = 1;

/// Everything that is loaded around a place, and what stands in it.
pub(crate) struct Surroundings {
    pub(crate) world: World,
    pub(crate) scene: Scene,
    /// The numbers that plans give to objects: their places in the scene.
    numbers: HashMap<EntityKey, u32>,
}

impl Surroundings {
    /// Loads the blocks up to `radius` rings around the middle one, with all their cells.
    pub(crate) fn load(library: &Library, middle: BlockId, radius: u8) -> Result<Surroundings> {
        let near = |id: BlockId, rings| middle.rings_to(id) <= rings;
        Surroundings::load_where(library, |id| near(id, radius), |id| near(id, OBJECT_RINGS))
    }

    /// Loads everything.
    pub(crate) fn whole(library: &Library) -> Result<Surroundings> {
        Surroundings::load_where(library, |_| true, |_| true)
    }

    fn load_where(
        library: &Library,
        is_loaded: impl Fn(BlockId) -> bool,
        has_objects: impl Fn(BlockId) -> bool,
    ) -> Result<Surroundings> {
        let ids: Vec<BlockId> =
            block_ids(&**library.source()).into_iter().filter(|&id| is_loaded(id)).collect();
        let loaded: Vec<_> = ids.par_iter().map(|&id| load_block(library, id)).collect::<Result<_, _>>()?;
        let mut world = World::new();
        for block in loaded {
            world.insert_resident(block.block);
        }
        let mut scene = Scene::new();
        let mut model = |id| library.model(id).ok().flatten();
        let near: Vec<BlockId> = ids.into_iter().filter(|&id| has_objects(id)).collect();
        scene.blocks_loaded(&world, &near, &mut model);
        let numbers = scene.entities().enumerate().map(|(number, (key, _))| (key, number as u32)).collect();
        Ok(Surroundings { world, scene, numbers })
    }

    /// Loaded blocks whose objects matter for a place in `middle`.
    pub(crate) fn blocks_with_objects(&self, middle: BlockId) -> Vec<BlockId> {
        self.world.block_ids().filter(|&id| middle.rings_to(id) <= OBJECT_RINGS).collect()
    }

    /// Brings in the things that a server would place, as far as their cells are loaded.
    pub(crate) fn spawn_placed(&mut self, library: &Library, objects: &[PlacedObject]) -> Result<()> {
        for entity in objects {
            if self.world.cell(entity.cell).is_none() {
                continue;
            }
            let model = library.model(entity.setup)?.with_context(|| format!("no model {}", entity.setup))?;
            self.spawn(Spawn {
                guid: Some(entity.id),
                model,
                position: entity.position(),
                state: State::from_bits_retain(entity.state),
                scale: entity.scale,
                role: EntityRole { creature: entity.is_living(), ..EntityRole::default() },
            })?;
        }
        Ok(())
    }

    /// Brings in an object.
    pub(crate) fn spawn(&mut self, spawn: Spawn) -> Result<EntityKey> {
        let key = self.scene.spawn(&self.world, spawn)?;
        self.numbers.insert(key, self.numbers.len() as u32);
        Ok(key)
    }
}

impl Contents for Surroundings {
    fn parts(&self, cell: CellId, visit: &mut dyn FnMut(Candidate)) {
        for key in self.scene.shadows_in(cell) {
            if let (Some(entity), Some(&object)) = (self.scene.get(*key), self.numbers.get(key)) {
                entity_parts(entity, object, cell, visit);
            }
        }
    }
}

/// The parts of an object in the coordinates of a cell's block.
fn entity_parts(entity: &Entity, object: u32, cell: CellId, visit: &mut dyn FnMut(Candidate)) {
    if entity.state.intersects(State::NO_DRAW | State::HIDDEN) {
        return;
    }
    let frame = &entity.position.frame;
    let offset = block_offset(cell, entity.position.cell);
    for (index, part) in entity.model.parts.iter().enumerate() {
        let Some(mesh) = &part.mesh else { continue };
        let largest = part.scale.abs().max_element() * entity.scale;
        let place =
            |p| frame.apply(part.frame.origin * entity.scale + part.frame.rotate(p * largest)) + offset;
        let sphere = mesh.drawing_sphere;
        let placed = sphere.map(|s| Sphere { center: place(s.center), radius: s.radius * largest });
        let origin = frame.origin + offset;
        visit(Candidate {
            object,
            part: index as u16,
            sphere: placed,
            sort_center: placed.map_or(origin, |s| s.center),
            origin,
            emitter: false,
        });
    }
}
