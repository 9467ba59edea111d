//! Hypothetical moves: bodies and spheres sent through the current world without changing it.

mod jump;
mod path;
mod stand;
mod sweep;
mod walker;

pub use jump::{Jump, JumpEnd, JumpReport};
pub use path::{PathCheck, PathReport, PathStop, StopReason};
pub use stand::Area;
pub use sweep::{SphereKind, SphereSweep, Swept, SweptHit};
pub use walker::{Gait, Walker, WalkerBody};
