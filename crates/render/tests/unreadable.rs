//! Records that cannot be read while a picture is made: it goes on with a substitute, says so, and is as it should be
//! once they can be read.

use std::{
    borrow::Cow,
    io,
    ops::RangeInclusive,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};
use threshold_dat::{DatId, Error, IdScheme};
use threshold_render::{cpu::CpuRenderer, studio::Studio};
use threshold_sim::{SceneContents, Simulation, eye_above};
use threshold_view::{Lens, Options, Viewer};
use threshold_world::{
    Library, Position,
    source::{Listing, Source},
};

const SIZE: (u32, u32) = (160, 90);
/// Frames after which everything has been asked for again.
const FRAMES: u32 = 200;

/// A source that cannot read one kind of portal records for a while.
struct Flaky {
    inner: Arc<Library>,
    kind: u32,
    is_broken: AtomicBool,
    refused: AtomicU32,
}

impl Source for Flaky {
    fn record(&self, scheme: IdScheme, id: DatId) -> Result<Option<Cow<'_, [u8]>>, Error> {
        if scheme == IdScheme::Portal && id.0 >> 24 == self.kind && self.is_broken.load(Ordering::Relaxed) {
            self.refused.fetch_add(1, Ordering::Relaxed);
            let source = io::ErrorKind::TimedOut.into();
            return Err(Error::Io { path: PathBuf::from("a slow disk"), source });
        }
        self.inner.source().record(scheme, id)
    }

    fn ids(&self, scheme: IdScheme, range: RangeInclusive<DatId>) -> Result<Listing, Error> {
        self.inner.source().ids(scheme, range)
    }
}

struct Picture<'s> {
    sim: &'s Simulation,
    studio: Studio,
    place: Position,
}

impl<'s> Picture<'s> {
    fn new(sim: &'s Simulation, source: Arc<dyn Source>, place: &str) -> Picture<'s> {
        let place = sim.places().iter().find(|named| named.name == place).unwrap().position;
        Picture { sim, studio: Studio::new(Arc::new(Library::new(source)), Options::default()), place }
    }

    fn frame(&mut self) {
        let lens = Lens::new(1.2, SIZE.0, SIZE.1).unwrap();
        let position = eye_above(self.sim.world(), self.sim.scene(), None, &self.place);
        let viewer = Viewer { position, lens, player_cell: self.place.cell };
        self.studio.stage.sync(&mut self.studio.assets, &SceneContents(self.sim.scene()));
        self.studio.set_time(0, 0.5);
        self.studio.frame(self.sim.world(), &viewer, &self.place);
    }

    fn take(&mut self) -> Vec<u8> {
        self.frame();
        let mut renderer = CpuRenderer::new(SIZE.0, SIZE.1);
        renderer.draw(self.studio.list(), &self.studio.assets);
        let mut rgba = Vec::new();
        renderer.picture().copy_rgba(&mut rgba);
        rgba
    }
}

#[test]
fn what_could_not_be_read_is_drawn_when_it_can() {
    let sim = Simulation::sample().unwrap();
    for place in ["Village Street", "Cottage Living Room"] {
        let mut sound = Picture::new(&sim, sim.library().source().clone(), place);
        let expected = sound.take();
        let mut changed = 0;
        // Meshes, setups, palettes, textures, pictures, surfaces, environments, ladders, the region.
        for kind in [0x01, 0x02, 0x04, 0x05, 0x06, 0x08, 0x0D, 0x11, 0x13] {
            let source = Arc::new(Flaky {
                inner: sim.library().clone(),
                kind,
                is_broken: AtomicBool::new(true),
                refused: AtomicU32::new(0),
            });
            let mut flaky = Picture::new(&sim, source.clone(), place);
            let without = flaky.take();
            let refused = source.refused.load(Ordering::Relaxed);
            let told = flaky.studio.assets.take_problems();
            let tried = told.iter().filter(|problem| problem.what.contains("tried again later")).count();
            assert_eq!(tried as u32, refused, "{kind:02X} at {place}: each is asked for once and told");
            changed += u32::from(without != expected);

            // While it lasts, nothing is asked for in every frame.
            for _ in 0..50 {
                flaky.frame();
            }
            let asked = source.refused.load(Ordering::Relaxed);
            assert!(asked <= refused.max(1) * 8 + 200, "{kind:02X} at {place}: {asked} reads in 50 frames");
            source.is_broken.store(false, Ordering::Relaxed);
            for _ in 0..FRAMES {
                flaky.frame();
            }
            assert!(flaky.take() == expected, "{kind:02X} at {place}: another picture");
        }
        assert!(changed >= 6, "{changed} kinds of records show at {place}");
    }
}
