//! Cells load and unload under objects: nothing is lost, nothing is left behind. Spec: physics-objects §8.8, §8.14.

use crate::support;
use std::sync::Arc;
use support::*;
use threshold_physics::{Attachment, EntityKey, Event, Scene, State, Transient, cells::CellSet};
use threshold_world::{
    BlockId, CellId, Frame, Library, World,
    source::DatSource,
    stream::{Observer, StreamConfig, StreamEvent, StreamStatus, Streamer},
};

const BLOCK: BlockId = BlockId(0xA9B4);
const VESTIBULE: u32 = 0xA9B4_0100;
const MAIN: u32 = 0xA9B4_0101;
const STREET: u32 = 0xA9B4_001C;

/// A wholly loaded setting whose cells can be unloaded and loaded.
struct Tide(Setting);

impl Tide {
    fn new(world: &str) -> Tide {
        Tide(setting(world))
    }

    fn tell(&mut self, events: &[StreamEvent]) {
        let Setting { world, scene, .. } = &mut self.0;
        scene.follow(world, events);
        assert_lists_agree(&self.0);
        self.assert_registrations_are_complete();
    }

    fn cell(&mut self, cell: u32, loaded: bool) {
        let cell = CellId(cell);
        assert!(self.0.world.set_cell_resident(cell, loaded));
        self.tell(&[if loaded { StreamEvent::CellLoaded(cell) } else { StreamEvent::CellUnloaded(cell) }]);
    }

    fn landscape(&mut self, block: BlockId, loaded: bool) {
        assert!(self.0.world.set_landscape_resident(block, loaded));
        self.tell(&[if loaded {
            StreamEvent::LandscapeLoaded(block)
        } else {
            StreamEvent::LandscapeUnloaded(block)
        }]);
    }

    /// Nobody is missing in a list that a flood from scratch would put it into.
    fn assert_registrations_are_complete(&self) {
        let scene = &self.0.scene;
        let mut set = CellSet::default();
        for (key, entity) in scene.entities().filter(|(_, e)| e.parent.is_none()) {
            scene.flood_into(&self.0.world, key, &mut set);
            for entry in set.entries().iter().filter(|entry| entry.loaded) {
                assert!(
                    scene.shadows_in(entry.id).contains(&key),
                    "{:?} is not in {}",
                    entity.guid,
                    entry.id
                );
            }
        }
    }

    fn events(&mut self) -> Vec<Event> {
        self.0.scene.drain_events().collect()
    }
}

#[test]
fn an_entry_by_id_attaches_when_the_cell_loads() {
    let mut tide = Tide::new("cottage");
    tide.cell(VESTIBULE, false);
    let chest = spawn(&mut tide.0, 1, CHEST, at(MAIN, 84.0, 80.2, 20.155), State::REPORT_COLLISIONS);
    let shadows: Vec<_> =
        tide.0.scene.get(chest).unwrap().shadows().iter().map(|s| (s.cell.0, s.is_joined())).collect();
    assert_eq!(shadows, [(MAIN, true), (VESTIBULE, false)]);
    assert!(tide.0.scene.waiting() >= 1);
    tide.cell(VESTIBULE, true);
    assert_eq!(cells_of(&tide.0.scene, chest), [MAIN, VESTIBULE]);
    assert!(is_in(&tide.0.scene, VESTIBULE, chest));
    assert_eq!(tide.0.scene.waiting(), 0);
    // And it blocks there.
    let key = player(&mut tide.0, 2, at(VESTIBULE, 84.0, 79.1, 20.155));
    assert!(push_on(&mut tide.0, key, [0.0, 0.15, 0.0], 18).y < 0.6);
}

/// A door filed outdoors waits for the rooms behind the building's openings.
#[test]
fn a_door_in_the_street_enters_the_house_when_the_house_loads() {
    for state in [CLOSED, State::REPORT_COLLISIONS] {
        let mut tide = Tide::new("cottage");
        tide.cell(VESTIBULE, false);
        let place = at(STREET, 84.0, 79.1, 20.15);
        let setup = if state == CLOSED { DOOR } else { CHEST };
        let door = spawn(&mut tide.0, 1, setup, place, state);
        assert_eq!(cells_of(&tide.0.scene, door), [STREET]);
        tide.cell(VESTIBULE, true);
        assert_eq!(cells_of(&tide.0.scene, door), [STREET, VESTIBULE], "{state:?}");
    }
}

/// A door filed indoors waits for the land outside, whose cells its boxes cannot even name while it is not there.
#[test]
fn a_door_in_the_house_enters_the_street_when_the_land_loads() {
    for (setup, state) in [(DOOR, CLOSED), (CHEST, State::REPORT_COLLISIONS), (CRATE, CLOSED | State::STATIC)]
    {
        let mut tide = Tide::new("cottage");
        tide.landscape(BLOCK, false);
        let door = spawn(&mut tide.0, 1, setup, at(VESTIBULE, 84.0, 79.1, 20.15), state);
        assert_eq!(cells_of(&tide.0.scene, door), [VESTIBULE]);
        tide.landscape(BLOCK, true);
        assert_eq!(cells_of(&tide.0.scene, door), [VESTIBULE, STREET], "{setup:08X}");
        tide.landscape(BLOCK, false);
        assert_eq!(cells_of(&tide.0.scene, door), [VESTIBULE]);
        assert!(
            tide.0.scene.get(door).unwrap().shadows().iter().any(|s| s.cell.0 == STREET),
            "remembered by id"
        );
        tide.landscape(BLOCK, true);
        assert_eq!(cells_of(&tide.0.scene, door), [VESTIBULE, STREET], "{setup:08X}");
    }
}

#[test]
fn an_object_whose_cell_goes_away_is_kept_and_comes_back() {
    let mut tide = Tide::new("cottage");
    let chest = spawn(&mut tide.0, 1, CHEST, at(MAIN, 84.0, 80.2, 20.155), State::REPORT_COLLISIONS);
    let place = tide.0.scene.get(chest).unwrap().position;
    tide.cell(MAIN, false);
    let (main, none) = (CellId(MAIN), CellId::NONE);
    assert_eq!(
        tide.events(),
        [Event::CellChanged { entity: chest, from: main, to: none }, Event::Lost(chest)]
    );
    let entity = tide.0.scene.get(chest).expect("it is kept");
    assert_eq!((entity.cell, entity.position), (None, place));
    assert!(!entity.has(Transient::ACTIVE));
    assert!(cells_of(&tide.0.scene, chest).is_empty(), "nobody can hit it, not even in the vestibule");
    assert!(tide.0.scene.shadow_lists().all(|(_, list)| !list.contains(&chest)));
    assert_eq!(tide.0.scene.key_of(1), Some(chest));
    tide.cell(MAIN, true);
    assert_eq!(
        tide.events(),
        [Event::CellChanged { entity: chest, from: none, to: main }, Event::Found(chest)]
    );
    assert_eq!(cells_of(&tide.0.scene, chest), [MAIN, VESTIBULE]);
    assert_eq!(tide.0.scene.get(chest).unwrap().position, place);
}

#[test]
fn time_that_passed_in_a_cell_that_was_not_there_is_not_caught_up() {
    let mut tide = Tide::new("plains");
    let high = moved(&point("plains", "flat"), [0.0, 0.0, 60.0]);
    let ball = spawn(&mut tide.0, 1, BALL, high, State::GRAVITY);
    let block = high.cell.block();
    tide.landscape(block, false);
    for _ in 0..10 {
        tick_all(&mut tide.0, 0.1);
    }
    tide.landscape(block, true);
    tick_all(&mut tide.0, 0.1);
    let velocity = tide.0.scene.get(ball).unwrap().velocity;
    assert!((velocity.z + 0.98).abs() < 1e-3, "{velocity}");
}

#[test]
fn an_object_spawned_where_nothing_is_loaded_waits() {
    let mut tide = Tide::new("cottage");
    tide.cell(MAIN, false);
    let chest = spawn(&mut tide.0, 1, CHEST, point("cottage", "main"), State::REPORT_COLLISIONS);
    assert_eq!(tide.0.scene.get(chest).unwrap().cell, None);
    assert!(cells_of(&tide.0.scene, chest).is_empty());
    tide.cell(MAIN, true);
    assert_eq!(
        tide.events(),
        [Event::CellChanged { entity: chest, from: CellId::NONE, to: CellId(MAIN) }, Event::Found(chest)]
    );
    assert_eq!(cells_of(&tide.0.scene, chest), [MAIN]);
}

#[test]
fn what_is_carried_is_lost_and_found_with_its_carrier() {
    let mut tide = Tide::new("cottage");
    let parent = player(&mut tide.0, 1, point("cottage", "main"));
    let child = spawn(&mut tide.0, 2, CHEST, point("cottage", "cellar"), State::REPORT_COLLISIONS);
    let held = Attachment { part: usize::MAX, frame: Frame::at([0.0, 1.0, 0.0].into()) };
    tide.0.scene.set_parent(&tide.0.world, child, Some(parent), held).unwrap();
    tide.cell(MAIN, false);
    for key in [parent, child] {
        assert_eq!(tide.0.scene.get(key).unwrap().cell, None);
        assert!(cells_of(&tide.0.scene, key).is_empty());
    }
    // It can be taken off meanwhile, and still comes back.
    tide.0.scene.set_parent(&tide.0.world, child, None, held).unwrap();
    tide.cell(MAIN, true);
    for key in [parent, child] {
        assert_eq!(tide.0.scene.get(key).unwrap().cell, Some(CellId(MAIN)));
        assert_eq!(cells_of(&tide.0.scene, key), [MAIN]);
    }
}

#[test]
fn statics_come_and_go_with_what_lists_them() {
    let mut tide = Tide::new("cottage");
    let statics = |scene: &Scene| scene.len();
    let all = statics(&tide.0.scene);
    let upstairs = 0xA9B4_0103;
    assert_eq!(tide.0.scene.shadows_in(CellId(upstairs)).len(), 1, "a crate stands upstairs");
    tide.cell(upstairs, false);
    assert_eq!(statics(&tide.0.scene), all - 1);
    tide.landscape(BLOCK, false);
    assert_eq!(statics(&tide.0.scene), all - 5, "and four things in the street");
    tide.cell(upstairs, true);
    tide.landscape(BLOCK, true);
    assert_eq!(statics(&tide.0.scene), all);
    assert_eq!(tide.0.scene.shadows_in(CellId(upstairs)).len(), 1);
    assert!(tide.events().is_empty(), "statics cause no events");
}

/// In every golden world, whatever the order: after everything went away nothing is listed and nothing was lost, and
/// after everything came back all is as it was.
#[test]
fn a_whole_world_that_goes_and_comes_back_is_the_same() {
    for world in threshold_golden::WORLDS {
        let mut tide = Tide::new(world);
        let mut guests = Vec::new();
        let blocks: Vec<BlockId> = tide.0.world.block_ids().collect();
        let cells: Vec<CellId> = blocks
            .iter()
            .flat_map(|&id| {
                tide.0.world.block_data(id).unwrap().env_cells.iter().flatten().map(|cell| cell.id())
            })
            .collect();
        for (i, &cell) in cells.iter().enumerate() {
            let place = tide.0.world.env_cell(cell).unwrap().position;
            let (setup, state) = if i % 2 == 0 { (CRATE, CLOSED) } else { (CHEST, State::REPORT_COLLISIONS) };
            guests.push(spawn(&mut tide.0, 100 + i as u32, setup, place, state));
        }
        let picture = |setting: &Setting| -> Vec<(CellId, usize)> {
            setting.scene.shadow_lists().map(|(cell, list)| (cell, list.len())).collect()
        };
        let before = picture(&tide.0);
        let registered: Vec<_> = guests.iter().map(|&key| cells_of(&tide.0.scene, key)).collect();
        for &cell in &cells {
            tide.cell(cell.0, false);
        }
        for &block in &blocks {
            tide.landscape(block, false);
        }
        assert_eq!(tide.0.scene.shadow_lists().count(), 0, "{world}");
        assert_eq!(tide.0.scene.len(), guests.len(), "{world}");
        for &block in blocks.iter().rev() {
            tide.landscape(block, true);
        }
        for &cell in cells.iter().rev() {
            tide.cell(cell.0, true);
        }
        assert_eq!(picture(&tide.0), before, "{world}");
        for (key, mut cells) in guests.into_iter().zip(registered) {
            let mut now = cells_of(&tide.0.scene, key);
            now.sort_unstable();
            cells.sort_unstable();
            assert_eq!(now, cells, "{world}");
        }
    }
}

/// A player runs across nine blocks with the streamer loading around it.
#[test]
fn a_scene_follows_the_streamer_across_the_map() {
    let source = DatSource::open(threshold_golden::world_dir("plains")).unwrap();
    let library = Arc::new(Library::new(Arc::new(source)));
    let config = StreamConfig::default().radius(0).detail(0).margin(0);
    let mut streamer = Streamer::new(library.clone(), config);
    let player = streamer.add(Observer::Nowhere);
    let (mut world, mut scene) = (World::new(), Scene::new());
    let mut settle = |world: &mut World, scene: &mut Scene, key: Option<EntityKey>, start| loop {
        let place = key.map_or(start, |key| scene.get(key).unwrap().position);
        streamer.set(player, Observer::At(place));
        let report = streamer.tick(world);
        scene.follow(world, &report.events);
        if report.status == StreamStatus::Settled {
            return streamer.resident().blocks.clone();
        }
        std::thread::yield_now();
    };
    let start = at(0xA9B4_0005, 3.0, 100.0, 30.0);
    settle(&mut world, &mut scene, None, start);
    let model = library.model(threshold_dat::DatId(CHEST)).unwrap().unwrap();
    let chest = |guid, position| threshold_physics::Spawn {
        guid: Some(guid),
        model: model.clone(),
        position,
        state: State::REPORT_COLLISIONS,
        scale: 1.0,
        role: Default::default(),
    };
    // One on either side of the border, and one across it.
    let near = scene.spawn(&world, chest(1, at(0xA9B4_0005, 5.0, 110.0, 26.0))).unwrap();
    let across = scene.spawn(&world, chest(2, at(0xA9B4_0005, 0.1, 110.0, 26.0))).unwrap();
    let far = scene.spawn(&world, chest(3, at(0xA8B4_003D, 188.0, 110.0, 26.0))).unwrap();
    assert_eq!(scene.get(far).unwrap().cell, None);
    let walker = chest(4, start);
    let walker = threshold_physics::Spawn {
        model: library.model(threshold_dat::DatId(PLAYER)).unwrap().unwrap(),
        state: WALKER,
        ..walker
    };
    let key = scene.spawn(&world, walker).unwrap();
    scene.place(&world, key, &start, Default::default()).unwrap();
    let mut blocks = std::collections::BTreeSet::new();
    for step in 0..60 {
        let by = if step < 30 { -0.3 } else { 0.3 };
        let target = moved(&scene.get(key).unwrap().position, [by, 0.0, 0.0]);
        scene.move_to(&world, key, &target, None).unwrap();
        let resident = settle(&mut world, &mut scene, Some(key), start);
        blocks.extend(resident.iter().copied());
        for (key, home) in [(near, 0xA9B4), (across, 0xA9B4), (far, 0xA8B4)] {
            let is_here = resident.contains(&BlockId(home));
            assert_eq!(scene.get(key).unwrap().cell.is_some(), is_here, "step {step}");
        }
        for (cell, _) in scene.shadow_lists() {
            assert!(world.cell(cell).is_some(), "step {step}: {cell}");
        }
    }
    assert!(
        blocks.contains(&BlockId(0xA8B4)) && blocks.contains(&BlockId(0xA9B4)),
        "it went over and came back"
    );
    assert_eq!(cells_of(&scene, near), [0xA9B4_0005]);
    assert_eq!(cells_of(&scene, across), [0xA9B4_0005]);
    assert_eq!(scene.entities().filter(|(_, e)| e.guid.is_some()).count(), 4);
}
