//! Steering: which way to face and how fast to go, tick by tick.

use glam::Vec3;
use threshold_physics::{
    movement::{RUN_SPEED, WALK_SPEED},
    scene::Motion,
};
use threshold_world::Position;

/// Seconds of a tick.
pub(super) const TICK: f64 = 1.0 / 30.0;

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

/// What the legs should do to get from one place within some distance of another; none on arrival.
pub(super) fn steer(from: &Position, to: &Position, arrival: f32) -> Option<Motion> {
    let way = from.offset_to(to);
    let distance = way.truncate().length();
    if distance < arrival {
        return None;
    }
    let turn = turn_towards(from, way);
    let speed = if distance > RUN_FROM && !from.cell.is_interior() { RUN_SPEED } else { WALK_SPEED };
    // Never so fast that a tick leads past the target.
    let speed = speed.min(distance / TICK as f32);
    let ahead = if turn.abs() < FACING { speed } else { 0.0 };
    Some(Motion { velocity: Vec3::new(0.0, ahead, 0.0), turn: to_rate(turn) })
}

/// Turns in place; none when the direction is reached.
pub(super) fn face(from: &Position, heading: f32) -> Option<Motion> {
    let radians = heading.to_radians();
    let direction = Vec3::new(libm::sinf(radians), libm::cosf(radians), 0.0);
    let turn = turn_towards(from, direction);
    (turn.abs() > 0.01).then(|| Motion { velocity: Vec3::ZERO, turn: to_rate(turn) })
}

/// Signed angle, clockwise positive, from the way the mover faces to a direction.
fn turn_towards(from: &Position, direction: Vec3) -> f32 {
    let forward = from.frame.rotate(Vec3::Y).truncate();
    let direction = direction.truncate();
    let (cross, dot) = (forward.perp_dot(direction), forward.dot(direction));
    -libm::atan2f(cross, dot)
}

fn to_rate(turn: f32) -> f32 {
    (turn / TICK as f32).clamp(-TURN, TURN)
}
