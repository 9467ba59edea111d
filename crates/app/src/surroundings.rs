//! The part of a world around a place, with its static objects.

use crate::dats::DatsArg;
use anyhow::Result;
use rayon::prelude::*;
use std::collections::HashMap;
use threshold_physics::{Entity, EntityKey, Scene};
use threshold_view::{Candidate, Contents};
use threshold_world::{
    BlockId, CellId, World, block_ids, coords::block_offset, geometry::Sphere, load_block,
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
    pub(crate) fn load(dats: &DatsArg, middle: BlockId, radius: u8) -> Result<Surroundings> {
        let library = dats.library()?;
        let near = |id: &BlockId, rings: u8| {
            id.x().abs_diff(middle.x()) <= rings && id.y().abs_diff(middle.y()) <= rings
        };
        let ids: Vec<BlockId> =
            block_ids(&**library.source()).into_iter().filter(|id| near(id, radius)).collect();
        let loaded: Vec<_> = ids.par_iter().map(|&id| load_block(&library, id)).collect::<Result<_, _>>()?;
        let mut world = World::new();
        for block in loaded {
            let id = block.block.id;
            world.insert_resident(block.block);
            world.set_landscape_resident(id, block.has_terrain);
        }
        let mut scene = Scene::new();
        let mut model = |id| library.model(id).ok().flatten();
        let near: Vec<BlockId> = ids.into_iter().filter(|id| near(id, OBJECT_RINGS)).collect();
        near.iter().for_each(|&id| scene.spawn_outdoor_statics(&world, id, &mut model));
        near.iter().for_each(|&id| scene.spawn_indoor_statics(&world, id, &mut model));
        let numbers = scene.entities().enumerate().map(|(number, (key, _))| (key, number as u32)).collect();
        Ok(Surroundings { world, scene, numbers })
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
    let frame = &entity.position.frame;
    let offset = block_offset(cell, entity.position.cell);
    for (index, part) in entity.model.parts.iter().enumerate() {
        let Some(mesh) = &part.mesh else { continue };
        let largest = part.scale.abs().max_element() * entity.scale;
        let place = |p| frame.apply(part.frame.apply(p * largest)) + offset;
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
