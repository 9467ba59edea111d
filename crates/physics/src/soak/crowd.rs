//! Bodies all over a world.

use crate::{State, Transient};
use crate::{
    movement::WALK_SPEED,
    random::Random,
    scene::{EntityKey, Facts, Motion, PlaceOptions, Placement, Scene, Spawn},
};
use glam::Vec3;
use std::sync::Arc;
use threshold_world::{
    CellId, Frame, Position, Quat, World,
    cell::EnvCell,
    coords::{BLOCK_SIDE, adjust_to_outside},
    model::Model,
};

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
        let facts = Facts { creature: true, ..Facts::default() };
        let guid = Some(first_guid.wrapping_add(i));
        let spawn = Spawn { guid, model: model.clone(), position: spot, state: WALKER, scale: 1.0, facts };
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

/// A body that walks: EDGE_SLIDE, GRAVITY, REPORT_COLLISIONS.
pub(super) const WALKER: State = State::from_bits_retain(0x0040_0408);

/// Finds a place where the body stands on walkable ground.
fn settle(
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

/// All cells that are loaded, in order of ids; a block's land counts as one, so that houses are not deserted.
pub(super) fn loaded_cells(world: &World) -> Vec<CellId> {
    let mut cells = Vec::new();
    for id in world.block_ids() {
        if world.landscape(id).is_some() {
            cells.push(id.cell(1));
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
        let mut across = || (random.signed() * 0.5 + 0.5) * BLOCK_SIDE;
        let (cell, mut origin) = adjust_to_outside(cell, Vec3::new(across(), across(), 0.0))?;
        origin.z = world.landscape(cell.block())?.terrain.ground_at(origin)?.height + 0.01;
        return Some(Position::new(cell, Frame::new(origin, rotation)));
    };
    let bounds = interior.structure.bounds;
    let (middle, half) = ((bounds.min + bounds.max) / 2.0, (bounds.max - bounds.min) / 2.0);
    let local =
        Vec3::new(middle.x + half.x * random.signed(), middle.y + half.y * random.signed(), bounds.min.z);
    let origin = interior.position.frame.apply(local) + Vec3::new(0.0, 0.0, 0.5);
    Some(Position::new(cell, Frame::new(origin, rotation)))
}
