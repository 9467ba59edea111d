//! Which world a command works on.

use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use threshold_world::source::{DatSource, Source};

/// The options that choose a world.
#[derive(clap::Args)]
pub(crate) struct DataArgs {
    /// Folder with client_portal.dat and client_cell_1.dat
    #[arg(long, value_name = "DIR", env = "THRESHOLD_DATS")]
    dats: Option<PathBuf>,
}

impl DataArgs {
    pub(crate) fn open(&self) -> Result<Box<dyn Source>> {
        let Some(dir) = &self.dats else {
            bail!("no data files: name their folder with --dats DIR or THRESHOLD_DATS");
        };
        Ok(Box::new(DatSource::open(dir).with_context(|| dir.display().to_string())?))
    }
}
