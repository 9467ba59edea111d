//! Random life in a world, with everything that must hold checked after every step.
//!
//! [`populate`] brings in a crowd that walks about; [`Soak`] does everything a game may do to a scene, in random order,
//! and knows independently of it what must come of it. The same seed gives the same run.

mod crowd;
mod model;
mod run;

pub use crowd::{populate, scatter};
pub use run::{Soak, SoakStats, Violation};
