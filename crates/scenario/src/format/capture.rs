//! Recorded sweeps.

use super::{
    EntitySpec, MoverSpec,
    fields::{finite, finite_option, identity, rotation, rotation_option},
};
use serde::{Deserialize, Serialize};
use std::ops::Not;
use threshold_world::{CellId, Quat};

/// State of a mover before a recorded sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Before {
    /// The cell.
    pub cell: CellId,
    /// Block coordinates.
    #[serde(deserialize_with = "finite")]
    pub origin: [f32; 3],
    /// Orientation, w first.
    #[serde(default = "identity", deserialize_with = "rotation")]
    pub rotation: Quat,
    /// On the ground.
    pub contact: bool,
    /// On walkable ground.
    pub on_walkable: bool,
    /// The ground.
    #[serde(default, deserialize_with = "finite_option")]
    pub contact_plane: Option<[f32; 4]>,
    /// The cell the ground was found in.
    #[serde(default)]
    pub contact_plane_cell: Option<CellId>,
    /// The ground is under water.
    #[serde(default)]
    pub water: bool,
    /// Normal of the surface that the mover slides along.
    #[serde(default, deserialize_with = "finite_option")]
    pub sliding_normal: Option<[f32; 3]>,
    /// Rung of the stationary ladder.
    #[serde(default)]
    pub stationary: u8,
    /// Velocity.
    #[serde(default, deserialize_with = "finite")]
    pub velocity: [f32; 3],
}

/// Where a recorded sweep was to go, in the frame of the start's block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// Block coordinates.
    #[serde(deserialize_with = "finite")]
    pub origin: [f32; 3],
    /// Orientation, w first.
    #[serde(default = "identity", deserialize_with = "rotation")]
    pub rotation: Quat,
}

/// The result of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct After {
    /// A valid position was found.
    pub ok: bool,
    /// The cell.
    pub cell: CellId,
    /// Block coordinates.
    #[serde(deserialize_with = "finite")]
    pub origin: [f32; 3],
    /// Orientation, w first; compared where it is given.
    #[serde(default, deserialize_with = "rotation_option", skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Quat>,
    /// On the ground.
    pub contact: bool,
    /// On walkable ground.
    pub on_walkable: bool,
    /// The ground.
    #[serde(default, deserialize_with = "finite_option")]
    pub contact_plane: Option<[f32; 4]>,
    /// Normal of the surface that the mover slides along.
    #[serde(default, deserialize_with = "finite_option")]
    pub sliding_normal: Option<[f32; 3]>,
    /// Normal of the hit surface; absent in the lines of scenarios.
    #[serde(default, deserialize_with = "finite_option")]
    pub collision_normal: Option<[f32; 3]>,
    /// The environment was hit.
    #[serde(default)]
    pub collided_env: bool,
    /// Objects touched, in order.
    #[serde(default)]
    pub collided_with: Vec<u32>,
    /// Cells the sweep ended with, in order.
    #[serde(default)]
    pub cell_array: Vec<CellId>,
    /// The mover ended in no cell.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub lost: bool,
}

/// A recorded sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Name.
    pub id: String,
    /// World it was recorded in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<String>,
    /// The mover.
    pub mover: MoverSpec,
    /// Objects; left out when the same as in the record above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entities: Option<Vec<EntitySpec>>,
    /// State before.
    pub before: Before,
    /// Where to.
    pub target: Target,
    /// The result.
    pub after: After,
    /// The outcome depends on arithmetic noise or an open point.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub fragile: bool,
    /// Only the cell set does.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub fragile_cells: bool,
}
