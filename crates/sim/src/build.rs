//! Putting a simulation together.

use crate::{Event, Residency, SimError, Simulation, loading::Loading};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};
use threshold_world::{
    Library, SMALL_WORLD, block_ids,
    placed::{NamedPlace, PlacedObject, read_objects, read_places},
    source::{DatSource, Source},
    stream::StreamConfig,
};

/// Choices for a new simulation.
#[derive(Clone, Default)]
pub struct Builder {
    library: Option<Arc<Library>>,
    placed: Vec<PlacedObject>,
    places: Vec<NamedPlace>,
    residency: Option<Residency>,
    draws_between_ticks: bool,
    keeps_stale_slides: bool,
    folder: Option<PathBuf>,
}

impl Builder {
    /// The built-in sample world.
    #[cfg(feature = "sample")]
    pub fn sample() -> Result<Builder, SimError> {
        let world = threshold_sample::build_records()?;
        Ok(Builder::default().source(Arc::new(world.source)).placed(world.entities).places(world.places))
    }

    /// Opens a folder with the game's files and optional files next to them.
    pub fn open(dir: &Path) -> Result<Builder, SimError> {
        for file in ["client_portal.dat", "client_cell_1.dat"] {
            if !dir.join(file).is_file() {
                return Err(SimError::NoFile { folder: dir.to_owned(), file });
            }
        }
        let source = DatSource::open(dir)?;
        let builder = Builder::default().source(Arc::new(source)).keep_meshes_in(dir);
        Ok(builder.placed(read_objects(dir)?).places(read_places(dir)?))
    }

    /// Where records come from.
    pub fn source(self, source: Arc<dyn Source>) -> Builder {
        self.library(Arc::new(Library::new(source)))
    }

    /// The library of records; several simulations may share one.
    pub fn library(mut self, library: Arc<Library>) -> Builder {
        self.library = Some(library);
        self
    }

    /// Adds objects that a server would place.
    pub fn placed(mut self, objects: impl IntoIterator<Item = PlacedObject>) -> Builder {
        self.placed.extend(objects);
        self
    }

    /// Named places.
    pub fn places(mut self, places: impl IntoIterator<Item = NamedPlace>) -> Builder {
        self.places.extend(places);
        self
    }

    /// What is loaded, and when. By default a small world is loaded at once and a large one around its observers.
    pub fn residency(mut self, residency: Residency) -> Builder {
        self.residency = Some(residency);
        self
    }

    /// The folder with [saved](Simulation::keep_meshes) navigation meshes, if there are any.
    pub fn keep_meshes_in(mut self, dir: impl Into<PathBuf>) -> Builder {
        self.folder = Some(dir.into());
        self
    }

    /// Objects are drawn between the last two ticks instead of where the last one left them: smooth at any frame rate.
    pub fn draw_between_ticks(mut self) -> Builder {
        self.draws_between_ticks = true;
        self
    }

    /// Players keep sliding along an obstacle that is gone, as in the original: one that pushed squarely against a closed
    /// door stays in front of it once it is open. Without this, a slide ends with its cause
    /// ([`Scene::end_stale_slide`](threshold_physics::Scene::end_stale_slide)).
    pub fn keep_stale_slides(mut self) -> Builder {
        self.keeps_stale_slides = true;
        self
    }

    /// Builds the simulation with its placed objects. An object that cannot be placed is reported as
    /// [`Event::Problem`](crate::Event::Problem), not as an error. A source that cannot be read is retried a few times
    /// before this returns an error.
    pub fn build(self) -> Result<Simulation, SimError> {
        let library = self.library.ok_or(SimError::NoSource)?;
        let (blocks, problems) = block_ids(&**library.source())?;
        let residency = self.residency.unwrap_or_else(|| {
            if blocks.len() <= SMALL_WORLD {
                Residency::Whole
            } else {
                Residency::Observed(StreamConfig::default())
            }
        });
        let loading = Loading::new(&library, blocks, residency);
        let mut sim = Simulation::assemble(library, loading);
        sim.places = self.places;
        sim.routes.folder = self.folder;
        sim.draws_between_ticks = self.draws_between_ticks;
        sim.ends_stale_slides = !self.keeps_stale_slides;
        sim.events.extend(problems.into_iter().map(Event::Problem));
        if residency == Residency::Whole {
            sim.load_whole()?;
        }
        let mut pending = None;
        for placed in &self.placed {
            match sim.add_placed_or_report(placed) {
                // The source hears of all that is needed before this is tried again.
                Err(error) if error.is_pending() => pending = Some(error),
                result => result?,
            }
        }
        pending.map_or(Ok(sim), Err)
    }
}
