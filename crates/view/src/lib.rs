//! What is visible from a viewpoint, and in which order it is drawn: one decision per frame over the same cells
//! that physics uses.
//!
//! The result is a [`FramePlan`]: plain data that any renderer can execute and any test can check. The root of
//! visibility is the viewer's cell, which comes from the camera's sweep; nothing here derives a cell from a point.

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
