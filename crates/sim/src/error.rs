//! Why a simulation refused something.

use std::{io, path::PathBuf};
use threshold_dat::DatId;
use threshold_physics::SceneError;
use threshold_world::{BlockId, CellId, placed::FolderError, source::OpenError};

/// What sort of refusal a [`SimError`] is, for those who translate it: statuses of a C ABI, exceptions of other languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A number makes no sense, or is not on the map.
    Argument,
    /// There is no such object, cell, block or observer.
    NotFound,
    /// The object, or the simulation, cannot do that now.
    NotPossible,
    /// A file cannot be read, or its contents cannot be used.
    Data,
}

impl SimError {
    /// The refusal of a source whose answers are on their way.
    pub(crate) fn on_its_way() -> SimError {
        let (path, source) = (PathBuf::from("the world"), io::ErrorKind::WouldBlock.into());
        SimError::Dat(threshold_dat::Error::Io { path, source })
    }

    /// Whether the source's answer is on its way: trying again soon helps.
    pub fn is_pending(&self) -> bool {
        matches!(self, SimError::Dat(error) if error.is_pending())
    }

    /// What sort of refusal it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            SimError::Scene(SceneError::NoSuchEntity)
            | SimError::NoBlock(_)
            | SimError::NoCell(_)
            | SimError::NoModel(_)
            | SimError::NoSuchObserver => ErrorKind::NotFound,
            SimError::Scene(SceneError::Carried | SceneError::ParentCycle | SceneError::ParentDepth)
            | SimError::NotAPlayer
            | SimError::NoLegs
            | SimError::Observed
            | SimError::OwnPlayer
            | SimError::TooManyUpdates(_) => ErrorKind::NotPossible,
            #[cfg(feature = "render")]
            SimError::NoPicture => ErrorKind::NotPossible,
            SimError::Scene(_) | SimError::BadTime(_) => ErrorKind::Argument,
            _ => ErrorKind::Data,
        }
    }
}

/// Why a simulation refused something; it is then as it was before.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SimError {
    /// The folder does not hold the files it should.
    #[error("{folder}: there is no {file}; a world needs client_portal.dat and client_cell_1.dat")]
    NoFile {
        /// The folder.
        folder: PathBuf,
        /// What is missing.
        file: &'static str,
    },
    /// The dat files cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A file beside the dat files cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A record cannot be read now.
    #[error(transparent)]
    Dat(#[from] threshold_dat::Error),
    /// The sample world cannot be built.
    #[cfg(feature = "sample")]
    #[error("the sample world: {0}")]
    Sample(#[from] threshold_sample::BuildError),
    /// Meshes cannot be kept.
    #[error("{file}: {error}")]
    KeepMeshes {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        error: std::io::Error,
    },
    /// Meshes are kept beside data files.
    #[error("the world has no folder in which meshes could be kept")]
    NoFolder,
    /// A builder was given no records.
    #[error("a simulation needs a source of records")]
    NoSource,
    /// There is no land there.
    #[error("there is no landblock {0} in these data files")]
    NoBlock(BlockId),
    /// There is no such cell.
    #[error("there is no cell {0} in these data files")]
    NoCell(CellId),
    /// What is around a place cannot be loaded.
    #[error("the world around {0} cannot be loaded")]
    NotLoaded(CellId),
    /// A model is missing or broken.
    #[error("{0} is not a usable Setup or GfxObj of this world")]
    NoModel(DatId),
    /// The object is not a player under control.
    #[error("the object is not a player of this simulation")]
    NotAPlayer,
    /// The object is too far away to be used.
    #[error("the object is {distance:.2} m away and can be used from {reach:.2} m")]
    OutOfReach {
        /// Metres between the two.
        distance: f32,
        /// Metres from which it can be used.
        reach: f32,
    },
    /// Only what lives walks and jumps.
    #[error("the object does not live and cannot walk")]
    NoLegs,
    /// Time must be between zero and [`MAX_ADVANCE`](crate::MAX_ADVANCE).
    #[error("{0} seconds cannot pass in one call (0 to {max})", max = crate::MAX_ADVANCE)]
    BadTime(f64),
    /// Observers decide what is loaded, so that the host cannot.
    #[error("what is loaded here depends on the observers")]
    Observed,
    /// The observer is gone.
    #[error("no such observer")]
    NoSuchObserver,
    /// A server names a second own player, or takes the own player away.
    #[error("there is one own player, and it stays")]
    OwnPlayer,
    /// The own player was not named.
    #[error("more than {0} updates came before the own player was named")]
    TooManyUpdates(usize),
    /// The scene refused it.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// There is nothing to take a picture with.
    #[cfg(feature = "render")]
    #[error("a picture has 1 to {max} pixels a side, and is seen by a player with an eye", max = threshold_render::raster::MAX_SIDE)]
    NoPicture,
    /// The bytes are not a snapshot of this version.
    #[error("not a usable snapshot: {0}")]
    Snapshot(String),
}
