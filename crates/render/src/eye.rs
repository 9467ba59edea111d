//! Where a player's eye is, and in which cell: both come from the camera's sweep.

use glam::Vec3;
use threshold_physics::{EntityKey, Scene, Sweeper, scene::camera, sweep::SweepInput};
use threshold_view::camera::PIVOT_HEIGHT;
use threshold_world::{Position, World};

/// Height above the feet from which the eye is carried up: clear of the ground, below every ceiling that one can stand
/// under.
const START_HEIGHT: f32 = 0.5;

/// The eye of a player who stands at a place: carried up to eye height by the camera's sweep, so that its cell is the one
/// the sweep held. If the sweep fails the eye is re-seated, and failing that it stays in the player's cell.
/// Spec: visibility §14 steps 4 and 5.
pub fn eye_above(world: &World, scene: &Scene, player: Option<EntityKey>, at: &Position) -> Position {
    let lifted = |height: f32| {
        let mut position = *at;
        position.frame.origin.z += height;
        position
    };
    let eye = lifted(PIVOT_HEIGHT);
    let reseated = |position: &Position| world.reseat(position, Vec3::ZERO);
    let start = lifted(START_HEIGHT);
    let start = if at.cell.is_outdoor() { start } else { reseated(&start).unwrap_or(start) };
    carry(world, scene, player, &start, &eye).or_else(|| reseated(&eye)).unwrap_or(eye)
}

/// Sweeps the camera's sphere from one place towards another, through its own player; none when it found no valid
/// position.
pub fn carry(
    world: &World,
    scene: &Scene,
    player: Option<EntityKey>,
    from: &Position,
    to: &Position,
) -> Option<Position> {
    let mut sweeper = Sweeper::new();
    let mover = player.map_or_else(camera, |player| scene.camera_of(player));
    let swept = sweeper.sweep(world, scene, SweepInput::new(mover, from, to), None).ok()?;
    (swept.ok && swept.cell.is_some()).then_some(swept.position)
}
