//! What is visible from a viewpoint, and in which order it is drawn: decided once per frame, on the same cells that
//! physics uses.
//!
//! The result is a [`FramePlan`]: plain data that any renderer can execute and any test can check. The root of
//! visibility is the viewer's cell, which comes from the camera's sweep; nothing here derives a cell from a point.
//!
//! ```
//! use threshold_view::{FramePlan, Lens, Planner, Viewer, report::Tree};
//! use threshold_world::{Position, World};
//!
//! let world = World::new();
//! let position: Position = "0xA9B40019 [84 7.1 94]".parse()?;
//! let lens = Lens::new(60f32.to_radians(), 1280, 720).ok_or("a picture needs pixels")?;
//! let viewer = Viewer { position, lens, player_cell: position.cell };
//!
//! let mut planner = Planner::default();
//! let mut plan = FramePlan::default(); // Both are kept: once warm, a frame allocates nothing.
//! planner.plan(&world, &(), &viewer, &mut plan);
//! assert!(plan.draws_landscape());
//! println!("{}", Tree(&plan));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod building;
pub mod camera;
mod clip;
mod contents;
mod drawing;
mod flood;
mod landscape;
mod observe;
mod options;
mod plan;
mod planner;
mod projection;
pub mod report;

pub use contents::{Candidate, Contents};
pub use observe::{Event, Observer, Outcome};
pub use options::Options;
pub use plan::{
    Aperture, FloodSource, FramePlan, LightSet, PUNCH_DEPTH, Part, Root, SeenBuilding, SeenCell, SeenFlood,
    Span, Step, Via, View,
};
pub use planner::{Planner, Viewer};
pub use projection::{Lens, Projection, Z_FAR, Z_NEAR, retail_fov};
