//! How people move: skills to speeds, held keys to strides, turns and jumps. Spec: physics-objects §8.12.
//!
//! The displacement of a walk comes from the walking animation; the speeds below count for leaving the ground and as
//! limits. Animations are made to fit them, so that an object without a motion table moves by the speeds themselves.

mod controller;
mod keys;
mod skills;

pub use controller::{Controller, Controls};
pub use keys::own_command;
pub use skills::Skills;

/// Walking forward, metres per second.
pub const WALK_SPEED: f32 = 3.12;
/// Running forward at a run rate of 1, metres per second.
pub const RUN_SPEED: f32 = 4.0;
/// Side-stepping at a command speed of 1, metres per second.
pub const SIDE_STEP_SPEED: f32 = 1.25;
/// Turning in place, radians per second: a quarter turn per second. The value comes from the motion table of people, not
/// from the program.
pub const TURN_SPEED: f32 = std::f32::consts::FRAC_PI_2;

/// Walking backwards against walking forward.
pub(crate) const BACKWARD: f32 = 0.65;
/// Command speed of a side step: half the pace of a walk.
pub(crate) const SIDE_STEP: f32 = WALK_SPEED / SIDE_STEP_SPEED * 0.5;
/// Largest command speed of a side step.
pub(crate) const MAX_SIDE_STEP: f32 = 3.0;
/// Turning while running against turning while walking.
pub(crate) const RUN_TURN: f32 = 1.5;
