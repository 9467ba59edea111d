//! A walk over a map that loads slowly, out of order and not always.

use crate::common;
use common::{copy, load};
use glam::Vec3;
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    io,
    ops::RangeInclusive,
    path::PathBuf,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use threshold_dat::{
    DatId, Error, IdScheme,
    records::{DatRecord, EnvCell, LandBlock, LandBlockInfo},
};
use threshold_world::{
    BlockId, CellId, Frame, Library, Position, World,
    landblock::Landblock,
    source::{Listing, MemorySource, Source},
    stream::{
        Loading, Observer, ObserverId, ResidentSet, StreamConfig, StreamEvent, StreamReport, StreamStatus,
        Streamer,
    },
};

const WEST: u8 = 0x40;
const SOUTH: u8 = 0x60;
const COLUMNS: u8 = 28;
const ROWS: u8 = 7;
/// Rows of houses; each block there has the whole cottage.
const HOUSES: u8 = SOUTH + 3;
/// A block far from the others whose cells do not see the outdoors.
const DUNGEON: BlockId = BlockId(0x01D9);

/// A strip of land with a house in every third block of its middle row, and a dungeon far away.
fn map() -> MemorySource {
    let cottage = copy("cottage");
    let mut map = copy("dungeon");
    for id in map.ids(IdScheme::Cell, DatId(0)..=DatId(u32::MAX)).unwrap().ids {
        if id.0 >> 16 != u32::from(DUNGEON.0) {
            map.remove(IdScheme::Cell, id);
        }
    }
    for id in cottage.ids(IdScheme::Portal, DatId(0)..=DatId(u32::MAX)).unwrap().ids {
        map.insert(IdScheme::Portal, id, cottage.record(IdScheme::Portal, id).unwrap().unwrap().into_owned());
    }
    for (x, y) in (WEST..WEST + COLUMNS).flat_map(|x| (SOUTH..SOUTH + ROWS).map(move |y| (x, y))) {
        let block = BlockId::new(x, y);
        copy_record::<LandBlock>(&cottage, &mut map, 0xFFFF, block);
        if y == HOUSES && x % 3 == 0 {
            copy_record::<LandBlockInfo>(&cottage, &mut map, 0xFFFE, block);
            (0x100..0x116).for_each(|low| copy_record::<EnvCell>(&cottage, &mut map, low, block));
        }
    }
    map
}

fn copy_record<R: DatRecord>(from: &MemorySource, to: &mut MemorySource, low: u16, block: BlockId) {
    let id = DatId(BlockId(0xA9B4).cell(low).0);
    let record = R::load(id, &from.record(IdScheme::Cell, id).unwrap().unwrap()).unwrap();
    to.insert_record(IdScheme::Cell, DatId(block.cell(low).0), &record).unwrap();
}

/// A source that takes a while (longer for some blocks than for others) and refuses some blocks, some for ever.
struct Unreliable {
    inner: MemorySource,
    refusals: Mutex<BTreeMap<BlockId, usize>>,
    reads: AtomicUsize,
}

impl Unreliable {
    fn new(refusals: &[(BlockId, usize)]) -> Arc<Unreliable> {
        let refusals = Mutex::new(refusals.iter().copied().collect());
        Arc::new(Unreliable { inner: map(), refusals, reads: AtomicUsize::new(0) })
    }
}

impl Source for Unreliable {
    fn record(&self, scheme: IdScheme, id: DatId) -> Result<Option<Cow<'_, [u8]>>, Error> {
        if scheme == IdScheme::Cell && id.0 as u16 == 0xFFFF {
            self.reads.fetch_add(1, Ordering::Relaxed);
            thread::sleep(Duration::from_micros(u64::from((id.0 >> 16).wrapping_mul(2_654_435_761) >> 22)));
        }
        let block = BlockId((id.0 >> 16) as u16);
        if scheme == IdScheme::Cell
            && let Some(left) = self.refusals.lock().unwrap().get_mut(&block)
            && *left > 0
        {
            *left -= 1;
            return Err(Error::Io {
                path: PathBuf::from("the network"),
                source: io::ErrorKind::TimedOut.into(),
            });
        }
        self.inner.record(scheme, id)
    }

    fn ids(&self, scheme: IdScheme, range: RangeInclusive<DatId>) -> Result<Listing, Error> {
        self.inner.ids(scheme, range)
    }
}

const CONFIG: StreamConfig =
    StreamConfig::DEFAULT.radius(2).margin(1).retry_ticks(4).loading(Loading::Threads(3));

/// A streamer whose every tick is checked.
struct Watched {
    streamer: Streamer,
    player: ObserverId,
    world: World,
    reference: World,
    mirror: ResidentSet,
    seen: BTreeMap<BlockId, Weak<Landblock>>,
    problems: Vec<String>,
}

impl Watched {
    fn new(source: Arc<Unreliable>) -> Watched {
        Watched::with(source, CONFIG)
    }

    fn with(source: Arc<Unreliable>, config: StreamConfig) -> Watched {
        let (reference, problems) = load(map());
        assert_eq!(problems, []);
        let mut streamer = Streamer::new(Arc::new(Library::new(source)), config);
        Watched {
            player: streamer.add(Observer::Nowhere),
            streamer,
            world: World::new(),
            reference,
            mirror: ResidentSet::default(),
            seen: BTreeMap::new(),
            problems: Vec::new(),
        }
    }

    fn tick(&mut self, player: Option<&Position>) -> StreamReport {
        self.streamer.set(self.player, player.into());
        let report = self.streamer.tick(&mut self.world);
        for event in &report.events {
            let news = match *event {
                StreamEvent::LandscapeLoaded(id) => self.mirror.blocks.insert(id),
                StreamEvent::CellLoaded(id) => self.mirror.cells.insert(id),
                StreamEvent::SceneryLoaded(id) => self.mirror.scenery.insert(id),
                StreamEvent::SceneryUnloaded(id) => self.mirror.scenery.remove(&id),
                StreamEvent::CellUnloaded(id) => self.mirror.cells.remove(&id),
                StreamEvent::LandscapeUnloaded(id) => self.mirror.blocks.remove(&id),
            };
            assert!(news, "{event:?} twice");
        }
        self.problems.extend(report.problems.iter().map(ToString::to_string));
        self.check_residents();
        if let Some(player) = player {
            let is_here = self.world.cell(player.cell).is_some();
            let status = self.streamer.status(self.player).unwrap();
            assert_eq!(is_here, status != StreamStatus::Holding, "{}", player.cell);
        }
        report
    }

    /// The world holds exactly what the events said, and every block of it is complete.
    fn check_residents(&mut self) {
        assert_eq!(*self.streamer.resident(), self.mirror);
        let (mut blocks, mut cells) = (BTreeSet::new(), BTreeSet::new());
        for id in self.world.block_ids() {
            let data = self.world.block_data(id).unwrap();
            self.seen.entry(id).or_insert_with(|| Arc::downgrade(data));
            if let Some(whole) = self.reference.block_data(id) {
                assert_eq!(data.env_cells.len(), whole.env_cells.len(), "{id}");
                assert!(data.env_cells.iter().all(Option::is_some), "{id}");
                assert_eq!(data.buildings.len(), whole.buildings.len(), "{id}");
            }
            blocks.extend(self.world.landscape(id).map(|block| block.id));
            cells.extend(
                data.env_cells.iter().flatten().map(|c| c.id()).filter(|&c| self.world.env_cell(c).is_some()),
            );
        }
        assert_eq!((&blocks, &cells), (&self.mirror.blocks, &self.mirror.cells));
        assert!(self.mirror.scenery.is_subset(&blocks), "scenery stands on land that is there");
    }

    /// Ticks until nothing is left to do, then compares with the rule evaluated over the whole map.
    fn settle(&mut self, player: Option<&Position>, lost: &[BlockId]) {
        let started = Instant::now();
        loop {
            assert!(started.elapsed() < Duration::from_secs(60), "does not settle");
            let report = self.tick(player);
            // A block that refused itself, but not for ever, comes later.
            if report.status == StreamStatus::Settled && *self.streamer.resident() == self.rule(player, lost)
            {
                return;
            }
            thread::sleep(Duration::from_micros(300));
        }
    }

    fn rule(&self, player: Option<&Position>, lost: &[BlockId]) -> ResidentSet {
        let block = |id| self.reference.block_data(id).map(|block| &**block);
        let mut expected = ResidentSet::around(player, &CONFIG, block).unwrap();
        expected.blocks.retain(|id| !lost.contains(id));
        expected.cells.retain(|id| !lost.contains(&id.block()));
        expected.scenery.retain(|id| !lost.contains(id));
        expected
    }
}

fn outdoors(x: u8, y: u8, east: f32) -> Position {
    let cell = (east / 24.0) as u16 * 8 + 4;
    Position::new(BlockId::new(x, y).cell(cell + 1), Frame::at(Vec3::new(east, 100.0, 20.0)))
}

#[test]
fn a_walk_over_twenty_blocks_is_always_whole_and_ends_as_the_rule_says() {
    let lost = BlockId::new(WEST + 12, HOUSES + 1);
    let refusals = [
        (BlockId::new(WEST + 6, HOUSES), 1),
        (BlockId::new(WEST + 9, HOUSES), 3),
        (BlockId::new(WEST + 15, HOUSES - 1), 2),
        (lost, usize::MAX),
    ];
    let mut watched = Watched::new(Unreliable::new(&refusals));
    let mut steps = 0;
    for x in WEST + 3..WEST + 23 {
        for east in [12.0, 60.0, 108.0, 156.0] {
            let player = outdoors(x, HOUSES, east);
            // The game holds while the player's own cell is missing, and goes on with whatever else is there.
            loop {
                let report = watched.tick(Some(&player));
                steps += 1;
                if report.status != StreamStatus::Holding {
                    break;
                }
                thread::sleep(Duration::from_micros(200));
            }
        }
    }
    assert!(steps >= 80);
    let end = outdoors(WEST + 22, HOUSES, 156.0);
    watched.settle(Some(&end), &[lost]);
    assert!(!watched.streamer.resident().cells.is_empty(), "the house at column 21 is open");

    for (block, _) in refusals {
        let named =
            watched.problems.iter().filter(|p| p.starts_with(&format!("{}", block.cell(0xFFFF)))).count();
        assert_eq!(named, 1, "{block} is reported once: {:?}", watched.problems);
    }

    // Back to the middle: the lost block is still lost, and not reported again.
    let reported = watched.problems.len();
    watched.settle(Some(&outdoors(WEST + 12, HOUSES, 60.0)), &[lost]);
    assert_eq!(watched.problems.len(), reported);

    watched.settle(None, &[]);
    assert_eq!(watched.world.block_ids().count(), 0);
    // How many it is depends on how far the slow loader got; there must have been some to forget.
    assert!(watched.seen.len() > 20, "{}", watched.seen.len());
    assert!(watched.seen.values().all(|block| block.upgrade().is_none()), "no block outlives its slot");
}

#[test]
fn indoors_the_rule_follows_what_the_cell_sees() {
    let mut watched = Watched::new(Unreliable::new(&[]));
    let house = BlockId::new(WEST + 12, HOUSES);
    assert_eq!(house.x() % 3, 1, "no house here");
    let house = BlockId::new(house.x() - 1, HOUSES);
    let inside = |low: u16| Position::new(house.cell(low), Frame::at(Vec3::new(84.0, 84.0, 20.0)));
    let main = inside(0x101);
    watched.settle(Some(&main), &[]);
    let sees_outside = watched.world.env_cell(main.cell).unwrap().seen_outside;
    assert!(sees_outside && !watched.streamer.resident().blocks.is_empty());

    // The deepest cellar does not see the outdoors: the landscape goes, its data stays near at hand.
    let cellar = inside(0x10A);
    watched.settle(Some(&cellar), &[]);
    assert!(!watched.world.env_cell(cellar.cell).unwrap().seen_outside);
    assert!(watched.streamer.resident().blocks.is_empty());
    assert!(watched.streamer.resident().cells.contains(&cellar.cell));
    assert!(watched.world.land_cell(house.cell(1)).is_none());
    assert!(watched.world.block_data(house).is_some());

    // A dungeon far away: the whole landscape is released.
    let dungeon = Position::new(DUNGEON.cell(0x100), Frame::IDENTITY);
    watched.settle(Some(&dungeon), &[]);
    assert_eq!(watched.world.block_ids().collect::<Vec<_>>(), [DUNGEON]);
    let cell = watched.world.env_cell(dungeon.cell).unwrap();
    assert_eq!(watched.streamer.resident().cells.len(), cell.visible_cells.len() + 1);
}

#[test]
fn turning_back_reloads_nothing() {
    let source = Unreliable::new(&[]);
    let mut watched = Watched::new(source.clone());
    let (here, there) = (outdoors(WEST + 10, HOUSES, 180.0), outdoors(WEST + 11, HOUSES, 12.0));
    watched.settle(Some(&here), &[]);
    watched.settle(Some(&there), &[]);
    let reads = source.reads.load(Ordering::Relaxed);
    for _ in 0..3 {
        watched.settle(Some(&here), &[]);
        watched.settle(Some(&there), &[]);
    }
    assert_eq!(source.reads.load(Ordering::Relaxed), reads);
}

#[test]
fn what_was_resident_stays_until_the_new_place_is_complete() {
    let mut watched = Watched::new(Unreliable::new(&[]));
    let here = outdoors(WEST + 3, HOUSES, 60.0);
    watched.settle(Some(&here), &[]);
    let before = watched.streamer.resident().clone();
    let there = outdoors(WEST + 20, HOUSES, 60.0);
    while watched.tick(Some(&there)).status != StreamStatus::Settled {
        assert!(before.blocks.is_subset(&watched.streamer.resident().blocks));
        assert!(before.cells.is_subset(&watched.streamer.resident().cells));
    }
    watched.settle(Some(&there), &[]);
    assert!(before.blocks.is_disjoint(&watched.streamer.resident().blocks));
}

#[test]
fn the_map_ends_where_there_are_no_records() {
    let mut watched = Watched::new(Unreliable::new(&[]));
    let edge = outdoors(WEST, SOUTH, 60.0);
    while watched.tick(Some(&edge)).status != StreamStatus::Settled {}
    let beyond = BlockId::new(WEST - 1, SOUTH);
    assert!(watched.world.landscape(beyond).is_none());
    assert!(watched.world.block_data(beyond).is_some_and(|block| !block.has_land));
    assert_eq!(watched.streamer.resident().blocks.len(), 9);
    assert_eq!(watched.problems, [""; 0], "that is no problem");
}

/// A hole in the map is a sea, for the streamer as for everybody else.
#[test]
fn a_block_without_any_record_among_others_is_a_sea_that_is_reported_once() {
    let hole = BlockId::new(WEST + 4, SOUTH + 1);
    let mut source = map();
    source.remove(IdScheme::Cell, DatId(hole.cell(0xFFFF).0)).unwrap();
    // One at the border is no hole: the map ends a block earlier there.
    let notch = BlockId::new(WEST + 6, SOUTH);
    source.remove(IdScheme::Cell, DatId(notch.cell(0xFFFF).0)).unwrap();
    let library = Arc::new(Library::new(Arc::new(source)));
    let (blocks, _) = threshold_world::block_ids(&**library.source()).unwrap();
    assert!(blocks.contains(&hole) && !blocks.contains(&notch) && blocks.is_sorted());
    assert_eq!(
        blocks.len(),
        usize::from(COLUMNS) * usize::from(ROWS) + 1 - 1,
        "with the dungeon, without the notch"
    );
    let (whole, problems) = threshold_world::load_all(&library).unwrap();
    let expected = format!("{}: no usable terrain; a flat deep sea takes its place", hole.cell(0xFFFF));
    assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected.as_str()]);
    let mut streamer = Streamer::new(library, CONFIG.loading(Loading::Inline(9)));
    let mut world = World::new();
    streamer.add(Observer::At(outdoors(WEST + 5, SOUTH + 1, 60.0)));
    let told: Vec<_> = (0..20).flat_map(|_| streamer.tick(&mut world).problems).collect();
    assert_eq!(told.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected.as_str()], "once");
    for world in [&whole, &world] {
        let sea = &world.landscape(hole).unwrap().terrain;
        assert!((0..81).all(|i| sea.height(i) == 0.0 && sea.terrain_type(i) == 20));
        assert!(world.landscape(notch).is_none());
    }
}

/// A block that has rooms and no LandBlock record is a sea, for the streamer as for everybody else.
#[test]
fn rooms_without_land_lie_in_a_sea_that_is_reported_once() {
    let block = BlockId::new(WEST + 2, HOUSES);
    let mut source = map();
    source.remove(IdScheme::Cell, DatId(block.cell(0xFFFF).0)).unwrap();
    let library = Arc::new(Library::new(Arc::new(source)));
    let (whole, problems) = threshold_world::load_all(&library).unwrap();
    let expected = format!("{}: no usable terrain; a flat deep sea takes its place", block.cell(0xFFFF));
    assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected.as_str()]);
    let mut streamer = Streamer::new(library, CONFIG.loading(Loading::Inline(9)));
    let mut world = World::new();
    let mut told = Vec::new();
    for _ in 0..2 {
        let id = streamer.add(Observer::At(outdoors(WEST + 2, HOUSES, 60.0)));
        for _ in 0..20 {
            told.extend(streamer.tick(&mut world).problems);
        }
        for world in [&whole, &world] {
            assert_eq!(world.landscape(block).unwrap().terrain.terrain_type(0), 20);
            assert_eq!(world.landscape(block).unwrap().env_cells.len(), 22);
        }
        streamer.remove(id);
        streamer.tick(&mut world);
        assert_eq!(world.block_ids().count(), 0);
    }
    assert_eq!(told.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected.as_str()], "once");
}

/// Ticks until nobody waits for anything.
fn settle_all(watched: &mut Watched) {
    let started = Instant::now();
    while watched.tick(None).status != StreamStatus::Settled {
        assert!(started.elapsed() < Duration::from_secs(60), "does not settle");
        thread::sleep(Duration::from_micros(200));
    }
}

fn union(watched: &Watched, players: &[Position]) -> ResidentSet {
    let mut all = ResidentSet::default();
    for player in players {
        let one = watched.rule(Some(player), &[]);
        all.blocks.extend(one.blocks);
        all.cells.extend(one.cells);
        all.scenery.extend(one.scenery);
    }
    all
}

#[test]
fn several_observers_hold_what_any_of_them_needs_and_each_block_is_loaded_once() {
    let source = Unreliable::new(&[]);
    let mut watched = Watched::new(source.clone());
    let mut places = [6, 8, 20].map(|x| outdoors(WEST + x, HOUSES, 60.0));
    let ids = places.map(|place| watched.streamer.add(Observer::At(place)));
    assert_eq!(watched.streamer.status(ids[0]), Some(StreamStatus::Holding));
    settle_all(&mut watched);
    let expected = union(&watched, &places);
    assert_eq!(*watched.streamer.resident(), expected);
    let blocks = source.reads.load(Ordering::Relaxed);
    assert_eq!(blocks, expected.blocks.len(), "each block is read once");

    // Two are near each other: one of them leaves, and what both needed stays without being read again.
    assert!(watched.streamer.remove(ids[0]) && !watched.streamer.remove(ids[0]));
    assert_eq!(watched.streamer.status(ids[0]), None);
    settle_all(&mut watched);
    assert_eq!(*watched.streamer.resident(), union(&watched, &places[1..]));

    // One goes far away; the other one's land does not change for it.
    places[2] = outdoors(WEST + 2, HOUSES, 60.0);
    watched.streamer.set(ids[2], Observer::At(places[2]));
    settle_all(&mut watched);
    assert_eq!(*watched.streamer.resident(), union(&watched, &places[1..]));
    ids[1..].iter().for_each(|&id| assert!(watched.streamer.remove(id)));
    settle_all(&mut watched);
    assert_eq!(watched.world.block_ids().count(), 0);
    assert!(watched.seen.values().all(|block| block.upgrade().is_none()), "no block outlives its slot");
}

#[test]
fn an_observer_that_waits_does_not_hold_up_another() {
    let far = BlockId::new(WEST + 20, HOUSES);
    let mut watched = Watched::new(Unreliable::new(&[(far, usize::MAX)]));
    let here = outdoors(WEST + 6, HOUSES, 60.0);
    let near = watched.streamer.add(Observer::At(here));
    let lost = watched.streamer.add(Observer::At(outdoors(WEST + 20, HOUSES, 60.0)));
    let started = Instant::now();
    while watched.streamer.status(near) != Some(StreamStatus::Settled) {
        watched.tick(None);
        assert!(started.elapsed() < Duration::from_secs(60), "does not settle");
    }
    assert!(watched.streamer.resident().blocks.is_superset(&watched.rule(Some(&here), &[]).blocks));
    let report = watched.tick(None);
    assert_eq!(watched.streamer.status(lost), Some(StreamStatus::Holding));
    assert_eq!(report.status, StreamStatus::Holding, "the worst of all");
}

#[test]
fn an_area_is_held_open_with_all_its_cells() {
    let mut watched = Watched::new(Unreliable::new(&[]));
    let house = BlockId::new(WEST + 11, HOUSES);
    let area = BTreeSet::from([house, DUNGEON]);
    let id = watched.streamer.add(Observer::Area(area.clone()));
    settle_all(&mut watched);
    let all = |block: BlockId| {
        let data = watched.reference.block_data(block).unwrap();
        data.env_cells.iter().flatten().map(|cell| cell.id()).collect::<Vec<_>>()
    };
    let cells: BTreeSet<CellId> = area.iter().flat_map(|&block| all(block)).collect();
    assert!(cells.len() > 100, "the dungeon is large");
    let resident = watched.streamer.resident();
    assert_eq!((&resident.blocks, &resident.cells, &resident.scenery), (&area, &cells, &area));

    // A player indoors shares it, and leaves it behind as it was.
    let inside = Position::new(house.cell(0x101), Frame::at(Vec3::new(84.0, 84.0, 20.0)));
    watched.tick(Some(&inside));
    settle_all(&mut watched);
    assert_eq!(watched.streamer.resident().cells, cells);
    watched.streamer.set(id, Observer::Area(BTreeSet::from([DUNGEON])));
    settle_all(&mut watched);
    assert_eq!(watched.world.block_ids().collect::<Vec<_>>(), [DUNGEON]);
}

#[test]
fn without_threads_the_same_ticks_load_the_same_blocks() {
    let run = || {
        let config = CONFIG.loading(Loading::Inline(3));
        let mut watched = Watched::with(Unreliable::new(&[(BlockId::new(WEST + 5, HOUSES), 2)]), config);
        let mut reports = Vec::new();
        for x in [5, 6, 9] {
            let player = outdoors(WEST + x, HOUSES, 60.0);
            for _ in 0..40 {
                let report = watched.tick(Some(&player));
                let land = report.events.iter().filter(|e| matches!(e, StreamEvent::LandscapeLoaded(_)));
                assert!(land.count() <= 3, "at most three blocks a tick");
                reports.push(report);
            }
            assert_eq!(*watched.streamer.resident(), watched.rule(Some(&player), &[]));
        }
        reports
    };
    assert_eq!(run(), run());
}

#[test]
fn quiet_observers_are_not_looked_at() {
    let source = Unreliable::new(&[]);
    let mut watched = Watched::new(source.clone());
    for i in 0..200u8 {
        let place = outdoors(WEST + 4 + i % 20, HOUSES, f32::from(i % 8) * 24.0 + 1.0);
        watched.streamer.add(Observer::At(place));
    }
    settle_all(&mut watched);
    let version = watched.world.version();
    for _ in 0..100 {
        let report = watched.streamer.tick(&mut watched.world);
        assert_eq!((report.events.len(), report.status), (0, StreamStatus::Settled));
    }
    assert_eq!(watched.world.version(), version, "nothing in the world was touched");
}
