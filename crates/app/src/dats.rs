//! The world that a command works on.

use anyhow::{Result, bail};
use std::{path::PathBuf, sync::Arc};
use threshold_world::{
    Library,
    source::{DatSource, Source},
};

/// The option that every command about the world has.
#[derive(clap::Args)]
pub(crate) struct DatsArg {
    /// Folder with client_portal.dat and client_cell_1.dat
    #[arg(long, value_name = "DIR", env = "THRESHOLD_DATS", hide_env_values = true)]
    dats: Option<PathBuf>,
}

impl DatsArg {
    /// The records of the world.
    pub(crate) fn open(&self) -> Result<Arc<dyn Source>> {
        match &self.dats {
            Some(dir) => Ok(Arc::new(DatSource::open(dir)?)),
            None => {
                bail!("no world to work on: name a folder of dat files with --dats DIR or THRESHOLD_DATS")
            }
        }
    }

    /// The records of the world, with what is shared of them loaded once.
    pub(crate) fn library(&self) -> Result<Arc<Library>> {
        Ok(Arc::new(Library::new(self.open()?)))
    }
}
