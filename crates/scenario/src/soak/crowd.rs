//! Bodies all over a world.

use glam::Vec3;
use std::sync::Arc;
use threshold_physics::Transient;
use threshold_physics::{
    movement::WALK_SPEED,
    random::Random,
    scene::{EntityKey, Motion, PlaceOptions, Placement, Scene, Spawn},
};
use threshold_world::{CellId, Frame, Position, Quat, World, cell::EnvCell, coords::CELL_SIDE, model::Model};

/// Spots tried for every body.
const TRIES: usize = 16;

/// Brings in up to `count` creatures that walk in circles of all sizes, on solid ground anywhere in the loaded world.
/// The same seed puts them into the same places. Their game ids begin at `first_guid`.
pub fn populate(
    world: &World,
    scene: &mut Scene,
    model: &Arc<Model>,
    count: usize,
    first_guid: u32,
    seed: u64,
) -> Vec<EntityKey> {
    let mut random = Random::new(seed);
    let cells = loaded_cells(world);
    let mut keys = Vec::with_capacity(count);
    for i in 0..count as u32 {
        let Some(spot) = random_spot(world, &cells, &mut random) else { continue };
        let guid = Some(first_guid.wrapping_add(i));
        let spawn = Spawn { guid, ..Spawn::walker(model.clone(), spot) };
        let Ok(key) = scene.spawn(world, spawn) else { continue };
        if settle(world, scene, key, &cells, spot, &mut random) {
            let velocity = Vec3::new(0.0, WALK_SPEED, 0.0);
            // The key is there and the numbers are finite.
            let _ = scene.set_motion(key, Motion { velocity, turn: random.signed() });
            keys.push(key);
        } else {
            let _ = scene.despawn(world, key);
        }
    }
    keys
}

/// Random spots on or above the ground, all over the loaded world.
pub fn scatter(world: &World, count: usize, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let cells = loaded_cells(world);
    (0..count).filter_map(|_| random_spot(world, &cells, &mut random)).collect()
}

/// Finds a place where the body stands on walkable ground.
pub(super) fn settle(
    world: &World,
    scene: &mut Scene,
    key: EntityKey,
    cells: &[CellId],
    spot: Position,
    random: &mut Random,
) -> bool {
    let mut spot = Some(spot);
    for _ in 0..TRIES {
        let placed = spot.and_then(|spot| scene.place(world, key, &spot, PlaceOptions::default()).ok());
        let stands = scene.get(key).is_some_and(|e| e.cell.is_some() && e.has(Transient::ON_WALKABLE));
        if matches!(placed, Some((Placement::Placed, _))) && stands {
            return true;
        }
        spot = random_spot(world, cells, random);
    }
    false
}

/// All cells that are loaded, in order of ids.
pub(super) fn loaded_cells(world: &World) -> Vec<CellId> {
    let mut cells = Vec::new();
    for id in world.block_ids() {
        if world.landscape(id).is_some() {
            cells.extend((1..=0x40).map(|low| id.cell(low)));
        }
        let Some(block) = world.block_data(id) else { continue };
        let interiors = block.env_cells.iter().flatten().map(EnvCell::id);
        cells.extend(interiors.filter(|&id| world.env_cell(id).is_some()));
    }
    cells
}

/// A point above the ground of a random cell.
pub(super) fn random_spot(world: &World, cells: &[CellId], random: &mut Random) -> Option<Position> {
    let cell = *random.pick(cells)?;
    let rotation = Quat::from_heading(180.0 * random.signed());
    let Some(interior) = world.env_cell(cell) else {
        let land = world.land_cell(cell)?;
        let mut origin = land.position().frame.origin;
        origin.x += random.signed() * CELL_SIDE / 2.0;
        origin.y += random.signed() * CELL_SIDE / 2.0;
        origin.z = land.block.terrain.ground(land.index(), origin)?.height + 0.01;
        return Some(Position::new(cell, Frame::new(origin, rotation)));
    };
    let bounds = interior.structure.bounds;
    let (middle, half) = ((bounds.min + bounds.max) / 2.0, (bounds.max - bounds.min) / 2.0);
    let local =
        Vec3::new(middle.x + half.x * random.signed(), middle.y + half.y * random.signed(), bounds.min.z);
    let origin = interior.position.frame.apply(local) + Vec3::new(0.0, 0.0, 0.5);
    Some(Position::new(cell, Frame::new(origin, rotation)))
}
