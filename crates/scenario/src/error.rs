//! Why a scenario or capture cannot be played.

use threshold_dat::DatId;
use threshold_physics::SceneError;
use threshold_sim::SimError;
use threshold_world::CellId;

/// Why a scenario or capture cannot be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// The world could not be read.
    #[error(transparent)]
    Dat(#[from] threshold_dat::Error),
    /// An error of the simulation.
    #[error(transparent)]
    Sim(#[from] SimError),
    /// A model is missing or broken.
    #[error("{field}: {id} is not a usable Setup or GfxObj of this world")]
    NoModel {
        /// Where it is named.
        field: String,
        /// The model.
        id: DatId,
    },
    /// A motion table is missing or broken.
    #[error("{field}: {id} is not a usable motion table of this world")]
    NoMotionTable {
        /// Where it is named.
        field: String,
        /// The motion table.
        id: DatId,
    },
    /// An error of the scene.
    #[error("{field}: {source}")]
    Scene {
        /// What was being done.
        field: String,
        /// Why not.
        source: SceneError,
    },
    /// A cell is named that the world does not have.
    #[error("{field}: this world has no cell {cell}")]
    NoCell {
        /// Where it is named.
        field: String,
        /// The cell.
        cell: CellId,
    },
    /// A step names an object that is not there.
    #[error("{field}: there is no entity {id}")]
    NoEntity {
        /// Where it is named.
        field: String,
        /// The object.
        id: u32,
    },
    /// A step cannot be understood.
    #[error("{field}: {problem}")]
    BadStep {
        /// Which one.
        field: String,
        /// Why.
        problem: &'static str,
    },
}

impl ScenarioError {
    /// Says where a model is named that cannot be used.
    pub(super) fn in_field(self, field: &str) -> ScenarioError {
        match self {
            ScenarioError::NoModel { id, .. } => ScenarioError::NoModel { field: field.into(), id },
            other => other,
        }
    }

    /// Says which field holds a place that cannot be, where only the object is named that was to be put there.
    pub(super) fn placed_by(self, field: &str) -> ScenarioError {
        match self {
            ScenarioError::Scene {
                source: source @ (SceneError::BadCell(_) | SceneError::OffMap(_)),
                ..
            } => ScenarioError::Scene { field: field.into(), source },
            other => other,
        }
    }
}
