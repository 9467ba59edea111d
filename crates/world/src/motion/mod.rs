//! Motion tables and their sequences, for everything that plays animations: physics uses the root motion
//! and hooks, drawing uses the poses. Spec: motion §1–6.
//!
//! A [`MotionTable`] is immutable and shared. An [`Animator`] is the animation state of one object: its [`Sequence`] of
//! animations, its [`MotionState`] and the motions that have not finished.

mod advance;
mod animation;
mod animator;
mod command;
mod index;
mod pending;
mod repeat_queue;
mod request;
mod saved;
mod sequence;
mod table;
#[cfg(test)]
mod tests;

pub use advance::{MAX_FRAMES_PER_ADVANCE, QueuedHook};
pub use animation::Animation;
pub use animator::{Animator, DEFAULT_RATE, Refusal};
pub use command::{Command, WIRE_COMMANDS};
pub use pending::{Pending, PendingMotion};
pub use repeat_queue::{MAX_REPEATS, RepeatQueue};
pub use request::{MAX_ACTIONS, MAX_MODIFIERS, MotionState};
pub use saved::{SavedAnimator, SavedAnimatorError};
pub use sequence::{MAX_NODES, Node, Sequence};
pub use table::{Clip, MotionData, MotionTable};
