//! Random life in a world, with everything that must hold checked after every step.
//!
//! [`populate`] brings in a crowd that walks about; [`Soak::step`] does everything a game may do to a scene, in random
//! order; [`Soak::play`] lets players run about in a world with doors, portals and blocks that come and go. Both know
//! independently of the scene what must come of it. The same seed gives the same run.

mod crowd;
mod doors;
mod model;
mod players;
mod run;
#[cfg(test)]
mod tests;
mod tick;

pub use crowd::{populate, scatter};
pub use run::{Soak, SoakStats, Violation};
