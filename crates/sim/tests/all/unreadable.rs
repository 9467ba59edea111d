//! Records and directories that cannot be read now: reported, asked for again, and never taken for absent.

use crate::support;
use std::{
    borrow::Cow,
    collections::BTreeMap,
    io,
    ops::RangeInclusive,
    path::PathBuf,
    sync::{Arc, Mutex},
};
use support::*;
use threshold_dat::{DatId, Error, IdScheme};
use threshold_sim::{Event, Residency, SimError, Simulation};
use threshold_world::{
    Library, REGION,
    source::{Listing, Source},
    stream::{Loading, StreamConfig, StreamStatus},
};

/// A record that somebody asks for, or a directory.
type Asked = (IdKind, u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum IdKind {
    Cell,
    Portal,
    /// Lists that begin at this id.
    Directory,
}

/// The sample world, some of whose records cannot be read for the first few times.
struct Failing {
    inner: Arc<Library>,
    failures: Mutex<BTreeMap<Asked, u32>>,
}

impl Failing {
    fn new(what: &[Asked], times: u32) -> Arc<Failing> {
        let failures = what.iter().map(|&asked| (asked, times)).collect();
        Arc::new(Failing { inner: library(), failures: Mutex::new(failures) })
    }

    fn fail(&self, asked: Asked) -> Result<(), Error> {
        match self.failures.lock().unwrap().get_mut(&asked) {
            Some(left @ 1..) => {
                *left -= 1;
                let source = io::ErrorKind::TimedOut.into();
                Err(Error::Io { path: PathBuf::from("a slow disk"), source })
            }
            _ => Ok(()),
        }
    }

    /// Everything that was to fail has failed.
    fn is_done(&self) -> bool {
        self.failures.lock().unwrap().values().all(|&left| left == 0)
    }
}

impl Source for Failing {
    fn record(&self, scheme: IdScheme, id: DatId) -> Result<Option<Cow<'_, [u8]>>, Error> {
        let kind = if scheme == IdScheme::Cell { IdKind::Cell } else { IdKind::Portal };
        self.fail((kind, id.0))?;
        self.inner.source().record(scheme, id)
    }

    fn ids(&self, scheme: IdScheme, range: RangeInclusive<DatId>) -> Result<Listing, Error> {
        self.fail((IdKind::Directory, range.start().0))?;
        self.inner.source().ids(scheme, range)
    }
}

/// Records that the sample village needs, of every family that a world is made of.
fn what_can_fail() -> Vec<(&'static str, Asked)> {
    let sim = sample();
    let room = place(&sim, "Cottage Living Room").cell;
    let block = room.block();
    let data = sim.world().block_data(block).unwrap();
    let cell = data.env_cell(room.low()).unwrap();
    let with_parts = |id: &DatId| id.0 >> 24 == 0x02;
    let setup = data.statics.iter().map(|object| object.model_id).find(with_parts).unwrap();
    let model = sim.library().model(setup).unwrap().unwrap();
    let mesh = model.parts[0].mesh.as_ref().unwrap().id;
    let near = sim.world().block_ids().filter(|id| id.rings_to(block) <= 1);
    let mut grown = near.flat_map(|id| &sim.world().block_data(id).unwrap().scenery);
    let tree = grown.next().unwrap().model.id;
    let door = sim.placed(object(&sim, COTTAGE_DOOR)).unwrap().setup;
    vec![
        ("the list of blocks", (IdKind::Directory, 0)),
        ("the list of a block's cells", (IdKind::Directory, block.cell(0x100).0)),
        ("terrain", (IdKind::Cell, block.cell(0xFFFF).0)),
        ("the info record", (IdKind::Cell, block.cell(0xFFFE).0)),
        ("a cell", (IdKind::Cell, room.0)),
        ("the structure of a cell", (IdKind::Portal, cell.structure.environment.0)),
        ("a static's model", (IdKind::Portal, setup.0)),
        ("a mesh", (IdKind::Portal, mesh.0)),
        ("what grows", (IdKind::Portal, tree.0)),
        ("the region", (IdKind::Portal, REGION.0)),
        ("the model of what a server placed", (IdKind::Portal, door.0)),
    ]
}

fn build(source: Arc<Failing>, residency: Residency) -> Result<Simulation, SimError> {
    builder().library(Arc::new(Library::new(source))).residency(residency).build()
}

fn problems(sim: &mut Simulation) -> Vec<String> {
    let events = sim.drain_events().filter_map(|event| match event {
        Event::Problem(problem) => Some(problem.to_string()),
        _ => None,
    });
    events.collect()
}

#[test]
fn a_world_that_is_loaded_wholly_asks_again_and_is_complete() {
    let sound = sample();
    for (what, asked) in what_can_fail() {
        let source = Failing::new(&[asked], 1);
        let mut sim = match build(source.clone(), Residency::Whole) {
            Ok(sim) => sim,
            // Before anything is put together, the caller asks again.
            Err(SimError::Dat(error)) if asked == (IdKind::Directory, 0) => {
                assert!(error.is_transient(), "{what}: {error}");
                build(source.clone(), Residency::Whole).unwrap()
            }
            Err(error) => panic!("{what}: {error}"),
        };
        assert!(source.is_done(), "{what} was asked for");
        assert_eq!(sim.state_hash(), sound.state_hash(), "{what}");
        assert_eq!(sim.scene().len(), sound.scene().len(), "{what}");
        let told = problems(&mut sim);
        let is_told = told.iter().any(|text| text.contains("a slow disk"));
        assert!(is_told || asked == (IdKind::Directory, 0), "{what}: {told:?}");
    }
}

#[test]
fn a_source_that_never_answers_is_an_error_that_says_so() {
    for (what, asked) in what_can_fail() {
        let failed = build(Failing::new(&[asked], u32::MAX), Residency::Whole);
        let error = failed.err().unwrap_or_else(|| panic!("{what} was taken for absent")).to_string();
        assert!(error.contains("a slow disk"), "{what}: {error}");
    }
}

/// The streamer tries again after some ticks, less and less often, and what has come is as if it had always been there.
#[test]
fn a_block_that_cannot_be_read_comes_later() {
    let config = StreamConfig::default().radius(1).margin(0).retry_ticks(3).loading(Loading::Inline(4));
    let residency = Residency::Observed(config);
    let at = place(&sample(), "Cottage Living Room");
    let settle = |sim: &mut Simulation| {
        let me = sim.observe(at).unwrap();
        let mut ticks = 0;
        let mut told = Vec::new();
        while sim.status(me).unwrap() != StreamStatus::Settled || sim.world().cell(at.cell).is_none() {
            sim.load().unwrap();
            told.extend(problems(sim));
            ticks += 1;
            assert!(ticks < 200, "does not settle: {told:?}");
        }
        (ticks, told)
    };
    let mut sound = build(Failing::new(&[], 0), residency).unwrap();
    let (soonest, _) = settle(&mut sound);
    for (what, asked) in what_can_fail() {
        if asked.0 == IdKind::Directory && asked.1 == 0 {
            continue;
        }
        let source = Failing::new(&[asked], 3);
        let mut sim = match build(source.clone(), residency) {
            Ok(sim) => sim,
            // What a server places is brought in at once: three attempts, then the caller's turn.
            Err(error) => {
                assert!(error.to_string().contains("a slow disk"), "{what}: {error}");
                build(source.clone(), residency).unwrap()
            }
        };
        let (ticks, told) = settle(&mut sim);
        assert!(source.is_done(), "{what} was asked for three times");
        assert_eq!(sim.scene().len(), sound.scene().len(), "{what}");
        for block in sound.world().block_ids() {
            let statics = |sim: &Simulation| sim.residents_of(at.cell).count();
            assert_eq!(statics(&sim), statics(&sound), "{what}");
            let cells = |sim: &Simulation| {
                sim.world().block_data(block).map(|data| data.env_cells.iter().flatten().count())
            };
            assert_eq!(cells(&sim), cells(&sound), "{what}: {block}");
        }
        if asked.0 == IdKind::Cell || asked.0 == IdKind::Directory {
            // 3 + 6 + 12 ticks between the attempts.
            assert!(ticks >= soonest + 21, "{what}: {ticks} ticks, {soonest} at best");
            let reports = told.iter().filter(|text| text.contains("tried again later")).count();
            assert_eq!(reports, 1, "{what}: {told:?}");
        }
    }
}

/// A snapshot whose models cannot be read now is refused for the time being, and nothing has changed.
#[test]
fn restoring_says_that_it_may_be_tried_again() {
    let mut sound = sample();
    let start = place(&sound, "Village Street");
    sound.spawn_player(start).unwrap();
    let snapshot = sound.snapshot();
    let player = threshold_sim::PLAYER_SETUP.0;
    let source = Failing::new(&[], 0);
    let mut sim = build(source.clone(), Residency::Whole).unwrap();
    let before = sim.state_hash();
    source.failures.lock().unwrap().insert((IdKind::Portal, player), 1);
    let error = sim.restore(&snapshot).unwrap_err().to_string();
    assert!(error.contains("cannot be read now") && error.contains("a slow disk"), "{error}");
    assert_eq!(sim.state_hash(), before);
    sim.restore(&snapshot).unwrap();
    assert_eq!(sim.state_hash(), sound.state_hash());
}
