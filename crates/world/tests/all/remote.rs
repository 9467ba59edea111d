//! Records that are somewhere else: asked for by messages, answered later.

use crate::common;
use common::copy;
use glam::Vec3;
use std::{
    borrow::Cow,
    io,
    ops::RangeInclusive,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use threshold_dat::{
    DatId, Error, IdScheme, RecordError,
    container::{DatFile, FileKind, Header},
};
use threshold_world::{
    BlockId, CellId, Frame, Library, Position, World, block_ids, load_block,
    source::{
        DatSource, Listing, MemorySource, Source,
        remote::{RecordServer, RemoteSource},
    },
    stream::{Loading, Observer, StreamConfig, StreamStatus, Streamer},
};

const HOUSE: BlockId = BlockId(0xA9B4);

fn connect(source: impl Source + 'static) -> (RecordServer, Arc<RemoteSource>) {
    let server = RecordServer::new(Arc::new(source));
    let remote = RemoteSource::new(&server.directories().unwrap()).unwrap();
    (server, Arc::new(remote))
}

/// Asks for what is waited for. False when nothing is.
fn pump(server: &mut RecordServer, remote: &RemoteSource) -> bool {
    let Some(wanted) = remote.wanted() else { return false };
    assert!(remote.is_waiting() && remote.wanted().is_none(), "nothing is asked for twice");
    remote.receive(&server.answer(&wanted).unwrap()).unwrap();
    assert!(!remote.is_waiting());
    true
}

#[test]
fn a_block_is_the_same_and_comes_with_one_message() {
    let direct = copy("cottage");
    let (mut server, remote) = connect(direct.clone());
    let (near, far) = (Library::new(Arc::new(direct)), Library::new(remote.clone()));
    let error = load_block(&far, HOUSE).unwrap_err();
    assert!(error.is_pending() && error.is_transient(), "{error}");
    assert!(pump(&mut server, &remote));
    let (expected, found) = (load_block(&near, HOUSE).unwrap(), load_block(&far, HOUSE).unwrap());
    assert_eq!(format!("{found:?}"), format!("{expected:?}"));
    assert!(!pump(&mut server, &remote), "nothing is left to be asked for");
    assert_eq!(block_ids(&*remote).unwrap(), block_ids(&**near.source()).unwrap());
}

#[test]
fn a_streamer_goes_on_as_soon_as_answers_come() {
    let (mut server, remote) = connect(copy("cottage"));
    let library = Arc::new(Library::new(remote.clone()));
    let config = StreamConfig::default().loading(Loading::WhileTime(|| false));
    let mut streamer = Streamer::new(library, config);
    let at = Position::new(HOUSE.cell(0x0001), Frame::at(Vec3::new(12.0, 12.0, 0.0)));
    let player = streamer.add(Observer::At(at));
    let mut world = World::new();
    assert_eq!(streamer.tick(&mut world).status, StreamStatus::Holding);
    assert!(!streamer.waits_for_source(), "nothing was tried yet");
    let mut messages = 0;
    for _ in 0..600 {
        let report = streamer.tick(&mut world);
        assert_eq!(report.problems.iter().filter(|problem| problem.what.contains("now")).count(), 0);
        if streamer.status(player) == Some(StreamStatus::Settled) {
            assert!(world.cell(CellId(0xA9B4_0100)).is_some());
            assert!(messages <= 10, "{messages} messages");
            return;
        }
        if streamer.waits_for_source() {
            let status = streamer.tick(&mut world).status;
            assert_ne!(status, StreamStatus::Settled, "what is on its way is not given up");
            messages += usize::from(pump(&mut server, &remote));
        }
    }
    panic!("{:?} after {messages} messages", streamer.status(player));
}

#[test]
fn a_radius_can_change() {
    let config = StreamConfig::default().radius(0).loading(Loading::Inline(100));
    let mut streamer = Streamer::new(Arc::new(Library::new(Arc::new(copy("plains")))), config);
    let at = Position::new(HOUSE.cell(1), Frame::at(Vec3::new(12.0, 12.0, 0.0)));
    streamer.add(Observer::At(at));
    let mut world = World::new();
    let mut count = |streamer: &mut Streamer| {
        (0..8).for_each(|_| drop(streamer.tick(&mut world)));
        streamer.resident().blocks.len()
    };
    let few = count(&mut streamer);
    streamer.set_radius(2);
    let more = count(&mut streamer);
    streamer.set_radius(0);
    assert!(few <= 1 && more > few, "{few}, then {more}");
    assert_eq!(count(&mut streamer), few);
}

/// A source whose record of the region is damaged, and whose disk fails as long as it is told to.
struct Bad(MemorySource, Arc<AtomicBool>);

const DAMAGED: DatId = DatId(0x1300_0000);

impl Source for Bad {
    fn record(&self, scheme: IdScheme, id: DatId) -> Result<Option<Cow<'_, [u8]>>, Error> {
        if self.1.load(Ordering::Relaxed) {
            return Err(Error::Io { path: PathBuf::from("disk"), source: io::ErrorKind::TimedOut.into() });
        }
        if (scheme, id) == (IdScheme::Portal, DAMAGED) {
            let problem = "is gone".into();
            return Err(RecordError { id, field: "block chain", offset: 0, problem }.into());
        }
        self.0.record(scheme, id)
    }

    fn ids(&self, scheme: IdScheme, range: RangeInclusive<DatId>) -> Result<Listing, Error> {
        let is_damaged = scheme == IdScheme::Cell && range.contains(&DatId(0x7000_0000));
        let mut listing = self.0.ids(scheme, range)?;
        if is_damaged {
            listing.damage.push(Error::NotFound(DatId(7)));
        }
        Ok(listing)
    }
}

#[test]
fn damage_stays_damage_and_failures_pass() {
    let fails = Arc::new(AtomicBool::new(true));
    let (mut server, remote) = connect(Bad(copy("cottage"), fails.clone()));
    let ask = |id| remote.record(IdScheme::Portal, id).map(|bytes| bytes.map(Cow::into_owned));
    assert!(ask(DAMAGED).unwrap_err().is_pending());
    assert!(pump(&mut server, &remote));
    let error = ask(DAMAGED).unwrap_err();
    assert!(error.is_transient() && !error.is_pending() && error.to_string().contains("disk"), "{error}");
    fails.store(false, Ordering::Relaxed);
    assert!(ask(DAMAGED).unwrap_err().is_pending(), "it is asked for again");
    assert!(pump(&mut server, &remote));
    let error = ask(DAMAGED).unwrap_err();
    assert!(!error.is_transient() && error.to_string().contains("is gone"), "{error}");
    assert_eq!(ask(DatId(0x0123_4567)).unwrap(), None, "what is in no directory needs no message");
    assert!(!pump(&mut server, &remote));
    // Where the directory is damaged, what is not in it may be there all the same.
    let absent = DatId(0x7000_0001);
    assert!(remote.record(IdScheme::Cell, absent).unwrap_err().is_pending());
    assert!(pump(&mut server, &remote));
    assert_eq!(remote.record(IdScheme::Cell, absent).unwrap(), None);
    let damage = |first, last| remote.ids(IdScheme::Cell, DatId(first)..=DatId(last)).unwrap().damage.len();
    assert_eq!(
        (damage(0, u32::MAX), damage(0x7000_0100, 0x7000_FFFD), damage(0xA9B4_0100, 0xA9B4_FFFD)),
        (1, 1, 0)
    );
}

#[test]
fn what_is_kept_is_bounded_and_what_is_forgotten_is_asked_for_again() {
    let mut source = MemorySource::new();
    const COUNT: u32 = 100;
    for id in 0..COUNT {
        source.insert(IdScheme::Portal, DatId(id), vec![id as u8; 1 << 20]);
    }
    let (mut server, remote) = connect(source);
    for id in 0..COUNT {
        assert!(remote.record(IdScheme::Portal, DatId(id)).unwrap_err().is_pending());
        assert!(pump(&mut server, &remote));
        assert_eq!(remote.record(IdScheme::Portal, DatId(id)).unwrap().unwrap()[0], id as u8);
    }
    let here = (0..COUNT).filter(|&id| remote.record(IdScheme::Portal, DatId(id)).is_ok()).count();
    assert!((20..=50).contains(&here), "{here} MB");
    assert!(pump(&mut server, &remote));
    assert!(remote.record(IdScheme::Portal, DatId(0)).is_ok());
}

#[test]
fn messages_that_nobody_has_written_are_refused() {
    let (mut server, remote) = connect(copy("cottage"));
    let directories = server.directories().unwrap();
    for cut in [0, 3, 4, 9, directories.len() - 1] {
        assert!(RemoteSource::new(&directories[..cut]).is_err(), "{cut}");
    }
    assert!(RemoteSource::new(&[0xFF; 64]).is_err());
    assert!(server.answer(&[9, 0, 0, 0, 1, 0, 0, 0]).is_err());
    assert!(server.answer(&[1, 0, 0]).is_err());
    assert!(remote.receive(&[0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]).is_err());
    assert!(remote.receive(&[0xFF; 16]).is_err());
}

#[test]
fn files_are_taken_for_what_they_contain() {
    let dir = threshold_golden::world_dir("cottage");
    let open = |name: &str| DatFile::open(dir.join(name)).unwrap();
    let (portal, cell) = (|| open("client_portal.dat"), || open("client_cell_1.dat"));
    // Under each other's names, or any.
    let source = DatSource::from_files(vec![
        (PathBuf::from("client_portal.dat"), cell()),
        (PathBuf::from("mine"), portal()),
    ]);
    assert_eq!(source.unwrap().cell_file().header().kind(), Some(FileKind::Cell));
    let refusal = |files| DatSource::from_files(files).err().unwrap().to_string();
    let missing = refusal(vec![(PathBuf::from("a"), portal())]);
    assert!(missing.contains("client_cell_1.dat"), "{missing}");
    let missing = refusal(vec![(PathBuf::from("a"), cell())]);
    assert!(missing.contains("client_portal.dat"), "{missing}");
    let twice = refusal(vec![(PathBuf::from("one"), cell()), (PathBuf::from("two"), cell())]);
    assert!(twice.starts_with("two") && twice.contains("one"), "{twice}");
    let other = threshold_dat::container::Builder::in_memory(Header {
        file_type: 9,
        ..Header::new(FileKind::Portal)
    });
    let other = other.unwrap().into_bytes(&threshold_dat::records::Iteration::complete(1)).unwrap();
    let other = refusal(vec![(PathBuf::from("other"), DatFile::from_bytes(other).unwrap())]);
    assert!(other.starts_with("other") && other.contains("not one of the game's files"), "{other}");
}
