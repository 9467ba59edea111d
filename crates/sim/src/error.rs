//! Errors of a simulation.

use std::{io, path::PathBuf};
use threshold_dat::DatId;
use threshold_physics::SceneError;
use threshold_world::{BlockId, CellId, placed::FolderError, source::OpenError};

/// The kind of a [`SimError`], for bindings that translate it to statuses or exceptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// An argument is invalid, or not on the map.
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

/// An error of a simulation, which is then unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SimError {
    /// The folder lacks a file.
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
    /// A file next to the dat files cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A record cannot be read at the moment.
    #[error(transparent)]
    Dat(#[from] threshold_dat::Error),
    /// The sample world cannot be built.
    #[cfg(feature = "sample")]
    #[error("the sample world cannot be built: {0}")]
    Sample(#[from] threshold_sample::BuildError),
    /// Meshes cannot be saved.
    #[error("{file}: {error}")]
    KeepMeshes {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        error: std::io::Error,
    },
    /// Meshes are saved next to the data files, and there are none.
    #[error("meshes cannot be saved: the world was not opened from a folder")]
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
    /// The surroundings of a place cannot be loaded.
    #[error("the world around {0} cannot be loaded")]
    NotLoaded(CellId),
    /// A model is missing or broken.
    #[error("{0} is not a usable Setup or GfxObj of this world")]
    NoModel(DatId),
    /// The object is not a controlled player.
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
    /// Only living objects walk and jump.
    #[error("the object is not alive and cannot walk")]
    NoLegs,
    /// Time must be between zero and [`MAX_ADVANCE`](crate::MAX_ADVANCE).
    #[error("cannot advance by {0} seconds in one call; the limit is 0 to {max}", max = crate::MAX_ADVANCE)]
    BadTime(f64),
    /// Observers decide what is loaded, so the host cannot.
    #[error("observers decide what this simulation loads; blocks cannot be loaded by hand")]
    Observed,
    /// The observer does not exist.
    #[error("no such observer")]
    NoSuchObserver,
    /// A server names a second own player, or deletes the own player.
    #[error("the own player is already named; it cannot be replaced or removed")]
    OwnPlayer,
    /// Too many updates arrived before the own player was named.
    #[error("more than {0} updates arrived before the own player was named")]
    TooManyUpdates(usize),
    /// The scene refused it.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The picture has an unusable size, or the player has no camera.
    #[cfg(feature = "render")]
    #[error("a picture needs 1 to {max} pixels a side and a player with a camera", max = threshold_render::raster::MAX_SIDE)]
    NoPicture,
    /// The bytes are not a snapshot of this version.
    #[error("not a usable snapshot: {0}")]
    Snapshot(String),
}
