//! Data that fails, is late or is damaged: everything keeps running, and is as it should be when the data is.

use crate::faulty;
use faulty::{Faulty, Odds};
use std::{
    collections::BTreeMap,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};
use threshold_dat::{DatId, container::DatFile};
use threshold_physics::{
    EntityKey, EntityRole, PlaceOptions, Scene, Spawn, State, movement::WALK_SPEED, scene::Motion,
};
use threshold_render::{cpu::CpuRenderer, studio::Studio};
use threshold_sample::SampleWorld;
use threshold_sim::SceneContents;
use threshold_view::{Lens, Options, Viewer, camera::PIVOT_HEIGHT};
use threshold_world::{
    CellId, Frame, Library, Position, Quat, World,
    placed::PlacedObject,
    source::{DatSource, Source},
    stream::{Loading, Observer, ObserverId, ResidentSet, StreamConfig, StreamStatus, Streamer},
};

const CONFIG: StreamConfig =
    StreamConfig::DEFAULT.radius(2).margin(1).retry_ticks(2).loading(Loading::Threads(2));
const PLAYER: DatId = DatId(0x0200_0001);
const SIZE: (u32, u32) = (160, 90);
/// Frames after which a record that could not be read has been asked for again.
const FRAMES: u32 = 140;
/// Places the player is sent to, one after the other.
const JOURNEY: [&str; 9] = [
    "Village Street",
    "Cottage Living Room",
    "Cottage Cellar",
    "Landblock Border",
    "Tower Lookout",
    "Cave Chamber",
    "Dungeon Great Hall",
    "Dungeon Depths",
    "Inn Common Room",
];

fn dats(sample: &SampleWorld) -> DatSource {
    let file = |bytes: &Vec<u8>| DatFile::from_bytes(bytes.clone()).unwrap();
    DatSource::new(file(&sample.portal), file(&sample.cell)).unwrap()
}

/// A whole engine over a source: cells that come and go, objects, a walking player, pictures.
struct Game {
    library: Arc<Library>,
    streamer: Streamer,
    observer: ObserverId,
    world: World,
    scene: Scene,
    player: EntityKey,
    studio: Studio,
    renderer: CpuRenderer,
    problems: usize,
    held: u32,
}

impl Game {
    /// Models of what a server places come from a sound library; everything else from `source`.
    fn new(sample: &SampleWorld, source: Arc<dyn Source>) -> Game {
        let sound = Library::new(Arc::new(dats(sample)));
        let (world, mut scene) = (World::new(), Scene::new());
        let spawn = |guid: u32, setup: DatId, position: Position, state: u32, role: EntityRole| Spawn {
            guid: Some(guid),
            model: sound.model(setup).unwrap().unwrap(),
            position,
            state: State::from_bits_retain(state),
            scale: 1.0,
            role,
        };
        for entity in &sample.entities {
            let object = spawn(entity.id, entity.setup, home(entity), entity.state, EntityRole::default());
            scene.spawn(&world, object).unwrap();
        }
        let role = EntityRole { is_player: true, ..EntityRole::default() };
        let start = place(sample, JOURNEY[0]);
        let player = scene.spawn(&world, spawn(0x5000_0001, PLAYER, start, 0x0040_0408, role)).unwrap();
        let library = Arc::new(Library::new(source));
        let mut streamer = Streamer::new(library.clone(), CONFIG);
        Game {
            observer: streamer.add(Observer::Nowhere),
            streamer,
            studio: Studio::new(library.clone(), Options::default()),
            renderer: CpuRenderer::new(SIZE.0, SIZE.1),
            library,
            world,
            scene,
            player,
            problems: 0,
            held: 0,
        }
    }

    fn position(&self) -> Position {
        self.scene.get(self.player).unwrap().position
    }

    /// Streams, lets the objects follow, ticks.
    fn tick(&mut self, at: Option<&Position>) -> StreamStatus {
        self.streamer.set(self.observer, at.into());
        let report = self.streamer.tick(&mut self.world);
        self.scene.follow(&self.world, &report.events);
        self.problems += report.problems.len();
        self.held += u32::from(report.status == StreamStatus::Holding);
        self.scene.advance_clock(1.0 / 30.0).unwrap();
        self.scene.update_all(&self.world);
        self.scene.drain_events();
        self.check();
        report.status
    }

    /// What must hold whatever the data is like.
    fn check(&self) {
        for (cell, list) in self.scene.shadow_lists() {
            assert!(self.world.cell(cell).is_some(), "{cell} is not loaded and has a list");
            assert!(list.iter().all(|&key| self.scene.get(key).is_some()), "{cell} lists what is gone");
        }
        for (key, entity) in self.scene.entities() {
            assert!(entity.position.frame.is_finite() && entity.velocity.is_finite(), "{key:?}");
            assert!(entity.cell.is_none_or(|cell| self.world.cell(cell).is_some()), "{key:?}");
        }
    }

    fn send(&mut self, to: &Position) {
        // Where nothing is loaded yet the player waits aside until it is.
        if self.scene.place(&self.world, self.player, to, PlaceOptions::default()).is_err()
            || self.scene.get(self.player).is_some_and(|player| player.cell.is_none())
        {
            self.scene.update_position(&self.world, self.player, *to).unwrap();
        }
    }

    /// A while at a place: the player walks about and pictures are taken.
    fn visit(&mut self, to: &Position, ticks: u32) {
        self.send(to);
        let motion = Motion { velocity: glam::Vec3::new(0.0, WALK_SPEED, 0.0), turn: 1.0 };
        self.scene.set_motion(self.player, motion).unwrap();
        for tick in 0..ticks {
            let at = self.position();
            self.tick(Some(&at));
            if tick % 16 == 15 {
                self.picture();
            }
            thread::sleep(Duration::from_micros(300));
        }
        self.scene.set_motion(self.player, Motion::default()).unwrap();
    }

    /// Ticks until everything that belongs at a place is there.
    fn settle(&mut self, at: Option<&Position>, whole: &World) {
        let block = |id| whole.block_data(id).map(|block| &**block);
        let wanted = ResidentSet::around(at, &CONFIG, block).unwrap();
        let begin = Instant::now();
        while self.tick(at) != StreamStatus::Settled || *self.streamer.resident() != wanted {
            assert!(begin.elapsed() < Duration::from_secs(120), "does not settle at {at:?}");
            thread::sleep(Duration::from_micros(300));
        }
    }

    fn frame(&mut self) {
        let player = self.position();
        let mut eye = player;
        eye.frame.origin.z += PIVOT_HEIGHT;
        let lens = Lens::new(60f32.to_radians(), SIZE.0, SIZE.1).unwrap();
        let viewer = Viewer { position: eye, lens, player_cell: player.cell };
        self.studio.stage.sync(&mut self.studio.assets, &SceneContents(&self.scene));
        self.studio.set_time(0, 0.5);
        self.studio.frame(&self.world, &viewer, &player);
    }

    fn picture(&mut self) -> Vec<u8> {
        self.frame();
        self.renderer.draw(self.studio.list(), &self.studio.assets);
        let mut rgba = Vec::new();
        self.renderer.picture().copy_rgba(&mut rgba);
        rgba
    }

    /// What is listed where: game id, model and place of every object.
    fn lists(&self) -> BTreeMap<CellId, Vec<String>> {
        let describe = |key: &EntityKey| {
            let entity = self.scene.get(*key).unwrap();
            format!("{:?} {} {}", entity.guid, entity.model.id, entity.position)
        };
        let lists = self.scene.shadow_lists().map(|(cell, list)| {
            let mut objects: Vec<String> = list.iter().map(describe).collect();
            objects.sort();
            (cell, objects)
        });
        lists.collect()
    }
}

/// Where a server places something.
fn home(entity: &PlacedObject) -> Position {
    Position::new(entity.cell, Frame::new(entity.origin.into(), Quat::from(entity.rotation)))
}

fn place(sample: &SampleWorld, name: &str) -> Position {
    sample.places.iter().find(|place| place.name == name).unwrap().position
}

/// Travels with bad data, then compares with a game that never had any. Damage is made good where the player comes back
/// to; what only failed, where it is.
fn travel(odds: Odds, seed: u64, leaves: bool) -> Game {
    let sample = threshold_sample::build().unwrap();
    let (whole, problems) = threshold_world::load_all(&Library::new(Arc::new(dats(&sample)))).unwrap();
    assert_eq!(problems, []);
    let source = Arc::new(Faulty::new(dats(&sample), odds, seed));
    let mut game = Game::new(&sample, source.clone());
    for name in JOURNEY {
        game.visit(&place(&sample, name), 64);
    }
    let counts = source.counts();
    assert!((odds.fail == 0) == (counts.failed == 0), "{counts:?}");
    assert!((odds.corrupt == 0) == (counts.corrupted == 0), "{counts:?}");
    assert!((odds.delay == 0) == (counts.delayed == 0), "{counts:?}");

    source.heal();
    if leaves {
        // The studio holds meshes, too.
        game.studio = Studio::new(game.library.clone(), Options::default());
        game.settle(None, &whole);
        game.tick(None);
        assert_eq!(game.world.block_ids().count(), 0);
    }
    let mut sound = Game::new(&sample, Arc::new(dats(&sample)));
    for name in ["Village Street", "Dungeon Great Hall", "Inn Common Room"] {
        let at = place(&sample, name);
        let show = |game: &mut Game| {
            game.send(&at);
            game.settle(Some(&at), &whole);
            game.send(&at);
            // What falls to the ground has done so for longer in one game than in the other.
            for entity in &sample.entities {
                let key = game.scene.key_of(entity.id).unwrap();
                game.scene.update_position(&game.world, key, home(entity)).unwrap();
            }
            if leaves {
                // Pictures that were made of damaged data are not made again: a new studio looks at everything anew.
                game.studio = Studio::new(game.library.clone(), Options::default());
            }
            // What could not be read has been asked for again by then.
            (0..FRAMES).for_each(|_| game.frame());
            (game.lists(), game.picture())
        };
        let (lists, picture) = show(&mut game);
        let (expected, expected_picture) = show(&mut sound);
        assert!(expected.values().map(Vec::len).sum::<usize>() > 20, "{name} is furnished");
        for cell in expected.keys().chain(lists.keys()) {
            assert_eq!(lists.get(cell), expected.get(cell), "{name}, {cell}");
        }
        assert!(picture == expected_picture, "another picture of {name}");
    }
    assert_eq!(sound.problems, 0);
    game
}

#[test]
fn what_fails_or_is_late_comes_later() {
    let game = travel(Odds { fail: 60, corrupt: 0, delay: 40 }, 1, false);
    assert!(game.problems > 0 && game.held > 0, "{} problems, held {}", game.problems, game.held);
}

#[test]
fn damaged_records_are_left_out_and_come_back_whole() {
    for seed in [2, 3] {
        let game = travel(Odds { fail: 300, corrupt: 12, delay: 0 }, seed, true);
        assert!(game.problems > 10, "{} problems", game.problems);
    }
}
