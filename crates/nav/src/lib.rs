//! Navigation: where a body can stand, and routes that it has walked.
//!
//! Everything here is found with the real sweep ([`threshold_physics`]): meshes consist of places that a body has reached
//! by walking, and a [`Route`] is returned only after a body has walked every leg of it.

mod agent;
mod behind;
mod build;
mod check;
mod flood;
mod keep;
mod lattice;
mod merge;
mod mesh;
mod nav;
mod policy;
mod portals;
mod prove;
mod pull;
mod reach;
mod route;
mod seam;
mod search;
mod seeds;
mod signature;
mod surroundings;
mod vtank;
mod walk;

pub use agent::Agent;
pub use check::{RouteCheck, check_route};
pub use keep::{KeptError, KeptMeshes};
pub use mesh::{BlockMesh, Patch, PatchKind};
pub use nav::{Marks, Nav, PatchId};
pub use policy::{DoorPolicy, Policy};
pub use reach::{PatchArea, Region};
pub use route::{Attempt, Obstruction, Passage, Query, Request, Route, Unreachable};
pub use surroundings::{Gateway, Surroundings};
pub use vtank::{NavFile, NavFileError, NavKind, NavPoint};
pub use walk::LegFailure;

use threshold_physics::SceneError;

/// Errors of navigation.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NavError {
    /// The scene refused a body.
    #[error(transparent)]
    Scene(#[from] SceneError),
}
