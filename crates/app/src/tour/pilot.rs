//! Steering: which way to turn and which keys to hold, tick by tick.

use glam::Vec3;
use threshold_sim::{Controls, TICK};
use threshold_world::Position;

/// Near enough to a place to count as there, in metres over the ground.
pub(super) const ARRIVAL: f32 = 0.25;
/// The same for a point on the way, where a doorway may be narrow.
pub(super) const PASSING: f32 = 0.1;
/// Fastest turn, radians per second.
const TURN: f32 = 4.0;
/// The pilot walks ahead only when it faces its target within this angle.
const FACING: f32 = 0.35;
/// Distance from which on it is worth running.
const RUN_FROM: f32 = 8.0;

/// What a player does in a tick.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Steering {
    pub(super) controls: Controls,
    /// Degrees to the right.
    pub(super) turn: f32,
}

/// What to do to get from one place within some distance of another; `None` on arrival.
pub(super) fn steer(from: &Position, to: &Position, arrival: f32) -> Option<Steering> {
    let way = from.offset_to(to);
    let distance = way.truncate().length();
    if distance < arrival {
        return None;
    }
    let turn = turn_towards(from, way);
    let runs = distance > RUN_FROM && !from.cell.is_interior();
    let forward = turn.abs() < FACING;
    let controls = Controls { forward, toggle_run: !runs, ..Controls::default() };
    Some(Steering { controls, turn: in_a_tick(turn) })
}

/// Turns in place; `None` when the direction is reached.
pub(super) fn face(from: &Position, heading: f32) -> Option<Steering> {
    let radians = heading.to_radians();
    let direction = Vec3::new(libm::sinf(radians), libm::cosf(radians), 0.0);
    let turn = turn_towards(from, direction);
    (turn.abs() > 0.01).then(|| Steering { controls: Controls::default(), turn: in_a_tick(turn) })
}

/// Signed angle, clockwise positive, from the way the mover faces to a direction.
fn turn_towards(from: &Position, direction: Vec3) -> f32 {
    let forward = from.frame.rotate(Vec3::Y).truncate();
    let direction = direction.truncate();
    let (cross, dot) = (forward.perp_dot(direction), forward.dot(direction));
    -libm::atan2f(cross, dot)
}

/// As much of a turn as a tick allows, in degrees.
fn in_a_tick(turn: f32) -> f32 {
    let most = TURN * TICK as f32;
    turn.clamp(-most, most).to_degrees()
}
