//! The world that a command works on.

use anyhow::{Context, Result};
use std::{env, path::PathBuf, sync::Arc};
use threshold_sample::SampleWorld;
use threshold_world::{
    Library,
    placed::{PlacedObject, read_objects},
    source::{DatSource, Source},
};

/// The option that every command about the world has.
#[derive(clap::Args)]
pub(crate) struct DatsArg {
    /// Folder with client_portal.dat and client_cell_1.dat; without it the built-in sample world is used
    /// [env: THRESHOLD_DATS]
    #[arg(long, value_name = "DIR")]
    dats: Option<PathBuf>,
}

impl DatsArg {
    /// The folder that is asked for, else the one that the environment names; a variable set to nothing names none.
    fn folder(&self) -> Option<PathBuf> {
        let named = || env::var_os("THRESHOLD_DATS").filter(|dir| !dir.is_empty()).map(PathBuf::from);
        self.dats.clone().or_else(named)
    }

    /// The records of the world.
    pub(crate) fn open(&self) -> Result<Arc<dyn Source>> {
        match self.folder() {
            Some(dir) => Ok(Arc::new(DatSource::open(dir)?)),
            None => sample_source(&threshold_sample::build().context("the sample world")?),
        }
    }

    /// The records of the world, and the things a server would place in it: the sample world's, or those that a folder's
    /// `entities.json` lists.
    pub(crate) fn open_with_entities(&self) -> Result<(Arc<dyn Source>, Vec<PlacedObject>)> {
        match self.folder() {
            Some(dir) => Ok((self.open()?, read_objects(&dir)?)),
            None => {
                let world = threshold_sample::build().context("the sample world")?;
                Ok((sample_source(&world)?, world.entities))
            }
        }
    }

    /// The records of the world, with what is shared of them loaded once.
    pub(crate) fn library(&self) -> Result<Arc<Library>> {
        Ok(Arc::new(Library::new(self.open()?)))
    }
}

/// The option of commands that play scripts and recordings.
#[derive(clap::Args)]
pub(crate) struct SceneryArg {
    /// Leave out the trees, rocks and flowers that grow, whatever a scenario says
    #[arg(long)]
    no_scenery: bool,
}

impl SceneryArg {
    /// Records, with what is shared of them loaded once.
    pub(crate) fn library(&self, source: Arc<dyn Source>) -> Library {
        let library = Library::new(source);
        if self.no_scenery { library.without_scenery() } else { library }
    }
}

/// The records of the sample world.
pub(crate) fn sample_source(world: &SampleWorld) -> Result<Arc<dyn Source>> {
    Ok(Arc::new(world.source()?))
}
