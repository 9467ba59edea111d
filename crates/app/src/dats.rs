//! The world that a command works on, and places in it.

use anyhow::{Context, Result, anyhow, ensure};
use std::{
    env,
    path::PathBuf,
    sync::{Arc, OnceLock},
};
use threshold_playback::{Flaw, SampleSession};
use threshold_sample::SampleWorld;
use threshold_sim::{Builder, Residency, Simulation};
use threshold_world::{
    BlockId, Library, SMALL_WORLD, block_ids,
    loc::Place,
    placed::{NamedPlace, PlacedObject, find_place, read_objects, read_places},
    source::{CELL_FILE, DatSource, Source},
    stream::{Loading, StreamConfig},
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

    /// Which world it is, for messages: `in the built-in sample world`, or in a folder.
    pub(crate) fn in_world(&self) -> String {
        match self.folder() {
            Some(dir) => format!("in {}", dir.display()),
            None => "in the built-in sample world".to_owned(),
        }
    }

    /// The records of the world.
    pub(crate) fn open(&self) -> Result<Arc<dyn Source>> {
        match self.folder() {
            Some(dir) => Ok(Arc::new(DatSource::open(dir)?)),
            None => sample_source(sample()?),
        }
    }

    /// The cell file of the world, to make a changed copy of.
    pub(crate) fn cell_file(&self) -> Result<PathBuf> {
        let folder = self.folder().context("the built-in sample world has no files; `threshold sample --out DIR` writes them, then --dats DIR")?;
        Ok(folder.join(CELL_FILE))
    }

    /// The world as it runs, with what a server would place in it: the sample world's, or what a folder's `entities.json`
    /// lists. What is around an observer is loaded when it is waited for, in the same order every time.
    pub(crate) fn simulation(&self) -> Result<Simulation> {
        let builder = match self.folder() {
            Some(dir) => Builder::open(&dir)?,
            None => {
                let world = sample()?;
                let builder = Simulation::builder().source(sample_source(world)?);
                builder.placed(world.entities.clone()).places(world.places.clone())
            }
        };
        let config = StreamConfig::default().loading(Loading::Inline(usize::MAX));
        Ok(builder.residency(Residency::Observed(config)).build()?)
    }

    /// The world as it runs with nothing placed in it: a server says what there is.
    pub(crate) fn empty_simulation(&self) -> Result<Simulation> {
        let config = StreamConfig::default().loading(Loading::Inline(usize::MAX));
        let library = self.library()?;
        let builder = Simulation::builder().library(library.clone());
        // A small world is loaded wholly: what was recorded in it does not depend on when a block arrives.
        Ok(match block_ids(&**library.source())?.0.len() {
            0..=SMALL_WORLD => builder.build()?,
            _ => builder.residency(Residency::Observed(config)).build()?,
        })
    }

    /// The records of the world, with what is shared of them loaded once.
    pub(crate) fn library(&self) -> Result<Arc<Library>> {
        Ok(Arc::new(Library::new(self.open()?)))
    }

    /// The named places of the world: the sample world's, or those of a folder's `Locations.txt`.
    pub(crate) fn places(&self) -> Result<Vec<NamedPlace>> {
        match self.folder() {
            Some(dir) => Ok(read_places(&dir)?),
            None => Ok(sample()?.places.clone()),
        }
    }

    /// What a server would place in the world: the sample world's, or what a folder's `entities.json` lists.
    pub(crate) fn objects(&self) -> Result<Vec<PlacedObject>> {
        match self.folder() {
            Some(dir) => Ok(read_objects(&dir)?),
            None => Ok(sample()?.entities.clone()),
        }
    }

    /// A place by its name, its `/loc` or its map coordinates. Names are read only where coordinates are not given.
    pub(crate) fn place(&self, text: &str) -> Result<Place> {
        match text.parse() {
            Ok(place) => Ok(place),
            Err(_) => find_place(&self.places()?, text).map_err(|error| {
                anyhow!("{error}; `threshold places` lists the known places {}", self.in_world())
            }),
        }
    }

    /// A block by its number or by a place in it; one without records in this world is refused.
    pub(crate) fn block(&self, text: &str, source: &dyn Source) -> Result<BlockId> {
        let block = match text.parse() {
            Ok(block) => block,
            Err(_) => self.place(text)?.flat().cell.block(),
        };
        ensure!(block_ids(source)?.0.contains(&block), "block {block} has no records {}", self.in_world());
        Ok(block)
    }
}

/// The sample world, built once.
fn sample() -> Result<&'static SampleWorld> {
    static SAMPLE: OnceLock<SampleWorld> = OnceLock::new();
    if let Some(world) = SAMPLE.get() {
        return Ok(world);
    }
    let world = threshold_sample::build().context("the sample world")?;
    Ok(SAMPLE.get_or_init(|| world))
}

/// Has something done with what a session of the sample world is recorded in.
pub(crate) fn sample_session<R>(flaw: Option<Flaw>, act: impl FnOnce(&SampleSession<'_>) -> R) -> Result<R> {
    let world = sample()?;
    let library = Arc::new(Library::new(sample_source(world)?));
    Ok(act(&SampleSession { library, placed: &world.entities, places: &world.places, flaw }))
}

/// The option of commands that play scripts and recordings.
#[derive(clap::Args)]
pub(crate) struct SceneryArg {
    /// Omit scenery (trees, rocks, flowers), whatever a scenario says
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
