//! Random runs in a world that check every invariant after every step.
//!
//! [`populate`] adds a crowd that walks about; [`Soak::step`] does everything a game may do to a scene, in random
//! order; [`Soak::play`] lets players run about in a world with doors, portals and blocks that are loaded and unloaded.
//! Both track the expected state independently of the scene. The same seed gives the same run.

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
