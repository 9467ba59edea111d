//! What is visible from a viewpoint, and in which order it is drawn: one decision per frame over the same cells
//! that physics uses.
//!
//! The result is a [`FramePlan`]: plain data that any renderer can execute and any test can check.

mod plan;
mod projection;

pub use plan::{
    Aperture, FloodSource, FramePlan, LightSet, PUNCH_DEPTH, Part, Root, SeenBuilding, SeenCell, SeenFlood,
    Span, Step, Via, View,
};
pub use projection::{Lens, Projection, Z_FAR, Z_NEAR, retail_fov};
