//! The explorer without a window: what happens in it is what the engine's own machinery makes of the same inputs.

mod common;

use common::{Pilot, data, options, place, session_at, to_the_cellar_and_back};
use std::{
    collections::BTreeSet,
    fs,
    time::{Duration, Instant},
};
use threshold_explorer::{session::Session, session_view::SessionView};
use threshold_physics::{
    PlaceOptions, Scene,
    movement::{Controller, Controls},
    scene::Motion,
};
use threshold_scenario::{
    EntitySpec, MoverSpec, Replay, StateWord, Tolerance, simulation, spawn_entities, spawn_mover,
};
use threshold_sim::{Simulation, TICK, TICKS_PER_SECOND, Target};
use threshold_view::Lens;
use threshold_world::{Library, Position, loc::Place as Spot, model::ModelMotion, stream::StreamStatus};

/// Ticks that the doors of the sample world stay open.
const OPEN_TICKS: u64 = 30 * TICKS_PER_SECOND;

fn library() -> Library {
    Library::new(data().library.source().clone())
}

fn state_word(bits: u32) -> StateWord {
    StateWord(threshold_physics::State::from_bits_retain(bits))
}

/// The simulation of `walk` with the sample's entities and a player at a place.
fn simulation_at(start: &Position) -> (Simulation, threshold_physics::EntityKey) {
    let mut sim = simulation(library()).unwrap();
    let entities: Vec<EntitySpec> = data()
        .entities
        .values()
        .map(|entity| EntitySpec {
            id: entity.id,
            setup: entity.setup,
            cell: entity.cell,
            origin: entity.origin,
            rotation: entity.rotation.into(),
            scale: entity.scale,
            state: state_word(entity.state),
            is_player: false,
            creature: entity.is_living(),
            impenetrable: false,
            pk: false,
            pk_lite: false,
            refuses: false,
        })
        .collect();
    spawn_entities(&mut sim, &entities).unwrap();
    let mover = MoverSpec {
        setup: threshold_dat::DatId(0x0200_0001),
        state: state_word(0x0040_0408),
        is_player: true,
        scale: 1.0,
        viewer: false,
        pk: false,
        pk_lite: false,
        impenetrable: false,
        bypass: true,
    };
    let key = spawn_mover(&mut sim, &mover, *start).unwrap();
    let ModelMotion::Table(table) = sim.scene().get(key).unwrap().model.motion else {
        panic!("people move by their motion tables")
    };
    let table = sim.library().motion_table(table).unwrap();
    let (world, scene) = sim.parts_mut();
    scene.set_aside(key);
    scene.set_motion_table(key, table).unwrap();
    scene.place(world, key, start, PlaceOptions::default()).unwrap();
    scene.enter_world(key).unwrap();
    (sim, key)
}

fn thing(scene: &Scene, name: &str) -> threshold_physics::EntityKey {
    let id = data().entities.values().find(|entity| entity.name == name).unwrap().id;
    scene.key_of(id).unwrap()
}

#[test]
fn street_door_cellar_and_back_as_walk_has_it_and_the_capture_replays() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("walk.jsonl");
    let mut session = session_at("Village Street");
    let start = session.position();
    session.start_recording(&file).unwrap();
    let mut pilot = Pilot::new(session);
    let mut places: Vec<Position> = Vec::new();
    let stops = to_the_cellar_and_back(&mut pilot);
    let Pilot { mut session, presses, .. } = pilot;
    let crossings: Vec<_> = session.journal().crossings().copied().collect();
    assert_eq!(session.position().cell.block(), place("Village Street").cell.block());

    // The same inputs in the simulation of `walk`, everything loaded, nothing streamed.
    let (mut sim, key) = simulation_at(&place("Village Street"));
    let mut controller = Controller::default();
    let mut cells = Vec::new();
    for press in &presses {
        sim.advance_clock(TICK).unwrap();
        let (world, scene) = sim.parts_mut();
        if press.used {
            let door = thing(scene, "Cottage Door");
            scene.set_ethereal(world, door, true).unwrap();
        }
        controller.drive(scene, key, &press.controls, TICK).unwrap();
        if press.turn != 0.0 {
            let motion = scene.get(key).unwrap().motion;
            let turn = motion.turn + press.turn.to_radians() / TICK as f32;
            scene.set_motion(key, Motion { turn, ..motion }).unwrap();
        }
        let result = scene.update(world, key).unwrap();
        cells.extend(result.cell_changed);
        places.push(scene.get(key).unwrap().position);
    }
    let crossed: Vec<_> = crossings.iter().map(|c| (c.from, c.to)).filter(|(from, _)| from.0 != 0).collect();
    assert_eq!(crossed, cells, "the cells that `walk` gives");
    assert_eq!(session.position(), *places.last().unwrap(), "to the bit");
    let visited: BTreeSet<_> = cells.iter().map(|&(_, to)| to).collect();
    for name in ["Cottage Vestibule", "Cottage Living Room", "Cottage Cellar Stairs", "Cottage Cellar"] {
        assert!(visited.contains(&place(name).cell), "{name} was not visited: {visited:?}");
    }
    assert!(start.distance_to(&session.position()) < 0.5);
    assert_eq!(stops.len(), 7);

    let (path, count) = session.stop_recording().unwrap().unwrap();
    assert_eq!(path, file);
    assert!(count > 500, "{count} sweeps");
    let mut sim = simulation(library()).unwrap();
    let mut replay = Replay::new(&mut sim, Tolerance::default());
    for line in fs::read_to_string(&file).unwrap().lines() {
        let replayed = replay.line(line).unwrap();
        assert!(replayed.differences.is_empty(), "{}: {:?}", replayed.id, replayed.differences);
        assert_eq!(replayed.origin_error, 0.0, "{}", replayed.id);
    }
}

#[test]
fn a_door_closes_by_itself_after_thirty_seconds_but_not_on_anyone() {
    let mut pilot = Pilot::new(session_at("Cottage Door"));
    pilot.use_door();
    let door = pilot.session.door_ahead().unwrap();
    let is_open = |pilot: &Pilot| pilot.session.sim().door(door).unwrap().open;
    pilot.wait(OPEN_TICKS as usize - 1);
    assert!(is_open(&pilot), "it stays open for thirty seconds");
    pilot.wait(1);
    assert!(!is_open(&pilot), "then it closes");

    // Opened again, with somebody in the doorway when the time is up.
    pilot.use_door();
    let mut threshold = place("Cottage Vestibule");
    threshold.frame.origin.y -= 1.1;
    assert!(pilot.walk_to(&threshold), "stuck at {}", pilot.session.position());
    pilot.wait(OPEN_TICKS as usize + 60);
    assert!(is_open(&pilot), "it does not close on anyone");
    for next in ["Cottage Vestibule", "Cottage Living Room"] {
        assert!(pilot.walk_to(&place(next)), "the player who stood in it walks on");
    }
    pilot.wait(2);
    assert!(!is_open(&pilot), "it closes as soon as the way is free");
    pilot.walk_to(&place("Cottage Vestibule"));
    assert!(!pilot.walk_to(&place("Cottage Door")), "and holds from inside");
}

#[test]
fn a_portal_leads_away_when_it_is_touched() {
    let mut pilot = Pilot::new(session_at("Cave Shrine"));
    let portal = data().entities.values().find(|e| e.name == "Portal to the Dungeon").unwrap().clone();
    let at = Position::new(portal.cell, threshold_world::Frame::at(portal.origin.into()));
    let arrival = place("Dungeon Entrance");
    for _ in 0..20 {
        pilot.walk_to(&at);
        for _ in 0..2000 {
            if !pilot.session.is_travelling() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
            pilot.session.tick().unwrap();
        }
        if pilot.session.position().cell == arrival.cell {
            return;
        }
    }
    panic!("still at {}", pilot.session.position());
}

#[test]
fn time_turned_back_is_as_it_was_to_the_bit() {
    let mut pilot = Pilot::new(session_at("Cottage Door"));
    let mut hashes = vec![pilot.session.scene().state_hash()];
    let run = Controls { forward: true, right: true, ..Controls::default() };
    pilot.use_door();
    let mut remember = |pilot: &mut Pilot, turn: f32, controls: Controls| {
        hashes.push(pilot.session.scene().state_hash());
        pilot.tick(turn, controls);
    };
    for tick in 0..120 {
        remember(
            &mut pilot,
            if tick % 7 == 0 { 5.0 } else { 0.0 },
            if tick % 40 < 25 { run } else { Controls::default() },
        );
    }
    pilot.session.go("Tower Lookout").unwrap();
    for _ in 0..30 {
        remember(&mut pilot, 1.0, run);
    }
    let present = pilot.session.scene().state_hash();
    let session = &mut pilot.session;
    let ticks = session.ticks();
    for back in [1, 25, 90, 150, 40, 3] {
        session.rewind(back).unwrap();
        assert_eq!(session.ticks(), ticks - back as u64);
        let expected = hashes[hashes.len() - back];
        assert_eq!(session.scene().state_hash(), expected, "{back} ticks back");
        assert_eq!(session.ticks_back(), back);
    }
    session.rewind(0).unwrap();
    assert_eq!(session.scene().state_hash(), present, "and back to the present");

    // From there time goes on, and what had come after is forgotten.
    session.rewind(100).unwrap();
    session.set_paused(false);
    session.tick().unwrap();
    assert_eq!(session.ticks(), ticks - 99);
    assert!(session.journal().crossings().all(|crossing| crossing.tick <= session.ticks()));
}

#[test]
fn what_happens_again_after_turning_back_happens_as_before() {
    let mut pilot = Pilot::new(session_at("Village Street"));
    let run = Controls { forward: true, ..Controls::default() };
    (0..20).for_each(|_| pilot.tick(2.0, run));
    let here = pilot.session.scene().state_hash();
    (0..60).for_each(|_| pilot.tick(1.0, run));
    let there = pilot.session.scene().state_hash();
    pilot.session.rewind(60).unwrap();
    assert_eq!(pilot.session.scene().state_hash(), here);
    pilot.session.set_paused(false);
    (0..60).for_each(|_| pilot.tick(1.0, run));
    assert_eq!(pilot.session.scene().state_hash(), there);
}

/// Time that this thread has been running, where the system tells; it does not count what others on the machine do.
fn running() -> Option<u64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Seconds that something kept this thread busy.
fn busy<T>(what: impl FnOnce() -> T) -> (f64, T) {
    let (wall, cpu) = (Instant::now(), running());
    let result = what();
    let wall = wall.elapsed().as_secs_f64();
    let spent = match (cpu, running()) {
        (Some(before), Some(after)) => wall.min((after - before) as f64 / 1e9),
        _ => wall,
    };
    (spent, result)
}

#[test]
fn crossing_borders_holds_up_neither_a_tick_nor_a_frame() {
    let mut options = options();
    // A small window, so that every border loads something.
    options.stream.radius = 2;
    options.stream.margin = 0;
    let Spot::Exact(start) = data().find("Western Road").unwrap() else { panic!("a place") };
    let mut session = Session::new(data(), Some(Spot::Exact(start)), options).unwrap();
    let mut look = SessionView::new(data().library.clone());
    let lens = Lens::new(1.0, 640, 360).unwrap();
    // Nobody walks before the first pictures.
    while !look.is_ready(&session) || look.frame(&session, lens).is_none() {
        session.advance(TICK).unwrap();
        look.update(&session, TICK);
    }
    session.look(90.0 - start.frame.heading(), 0.0);
    session.control(Controls { forward: true, ..Controls::default() });
    let (mut tick, mut frame, mut blocks, mut loading) = (0.0f64, 0.0f64, BTreeSet::new(), 0);
    for _ in 0..900 {
        let (spent, done) = busy(|| session.advance(TICK));
        done.unwrap();
        tick = tick.max(spent);
        let (spent, drawn) = busy(|| {
            look.update(&session, TICK);
            look.frame(&session, lens).is_some()
        });
        assert!(drawn);
        frame = frame.max(spent);
        blocks.insert(session.position().cell.block());
        loading += usize::from(session.streaming() != StreamStatus::Settled);
        session.look(if session.last().collided_env { 15.0 } else { 0.0 }, 0.0);
        // As fast as the world is loaded, but not faster than it can be.
        std::thread::sleep(Duration::from_millis(1));
    }
    println!("longest tick {:.1} ms, longest frame {:.1} ms", tick * 1000.0, frame * 1000.0);
    assert!(blocks.len() >= 3, "{blocks:?}");
    assert!(loading > 0, "nothing had to be loaded");
    assert!(tick < 0.030, "a tick took {:.1} ms", tick * 1000.0);
    assert!(frame < 0.030, "a frame took {:.1} ms", frame * 1000.0);
}

#[test]
fn pointing_names_what_one_sees() {
    let mut session = session_at("Cottage Door");
    session.eye_mut().enter_head();
    session.advance(0.0).unwrap();
    let eye = *session.eye().position().unwrap();
    let door = thing(session.scene(), "Cottage Door");
    let mut target = session.scene().get(door).unwrap().position;
    target.frame.origin.z += 1.0;
    let pick = session.pick(eye.offset_to(&target)).unwrap();
    assert_eq!(pick.target, Target::Entity(door));
    assert_eq!(session.describe(door), "Cottage Door: closed");
    session.use_entity(door).unwrap();
    assert_eq!(session.describe(door), "Cottage Door: open");
    let down = session.pick(-glam::Vec3::Z).unwrap();
    assert_eq!(down.target, Target::Ground(session.position().cell));
    assert!((down.distance - 1.5).abs() < 0.1, "{}", down.distance);
}

#[test]
fn places_that_are_not_there_are_refused() {
    let mut session = session_at("Village Street");
    let before = session.position();
    assert!(session.go("0x01010001 [1 1 1]").unwrap_err().to_string().contains("no landblock"));
    assert!(session.go("0x8080FFFE [1 1 1]").is_err() || session.position() == before);
    session.go("0x80803000 [96 96 20]").unwrap();
    (0..5).for_each(|_| session.tick().unwrap());
    assert!(session.journal().entries().any(|entry| entry.text.contains("no cell 0x80803000")));
    assert!(session.position().distance_to(&before) < 0.1);
}

/// A door and a portal of the community's world database, on the village's street.
const INSTANCES: &str = "
INSERT INTO `weenie` (`class_Id`, `class_Name`, `type`) VALUES (900, 'gate', 19), (901, 'way-out', 7), (902, 'ghost', 10);
INSERT INTO `weenie_properties_d_i_d` (`object_Id`, `type`, `value`) VALUES (900, 1, 0x02000004), (901, 1, 0x02000004);
INSERT INTO `weenie_properties_int` (`object_Id`, `type`, `value`) VALUES (900, 93, 0x10008);
INSERT INTO `weenie_properties_string` (`object_Id`, `type`, `value`) VALUES (900, 1, 'Garden Gate'), (901, 1, 'Way Out');
INSERT INTO `weenie_properties_position` (`object_Id`, `position_Type`, `obj_Cell_Id`, `origin_X`, `origin_Y`,
    `origin_Z`, `angles_W`, `angles_X`, `angles_Y`, `angles_Z`) VALUES (901, 2, 0x80800025, 104, 97, 20, 1, 0, 0, 0);
INSERT INTO `landblock_instance` (`guid`, `weenie_Class_Id`, `obj_Cell_Id`, `origin_X`, `origin_Y`, `origin_Z`,
    `angles_W`, `angles_X`, `angles_Y`, `angles_Z`, `is_Link_Child`)
VALUES (0x78080001, 900, 0x80800015, 70, 97, 20, 1, 0, 0, 0, False)
     , (0x78080002, 901, 0x80800015, 66, 97, 20, 1, 0, 0, 0, False)
     , (0x78080003, 902, 0x80800015, 66, 90, 20, 1, 0, 0, 0, False);
";

#[test]
fn doors_and_portals_of_the_community_database_work() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("8080.sql");
    // As an editor of Windows would write it.
    std::fs::write(&file, format!("\u{FEFF}{INSTANCES}")).unwrap();
    let mut data = threshold_explorer::data::Data::sample().unwrap();
    assert_eq!(data.add_instances(&[file]).unwrap(), 1, "a class without a model");
    // One that cannot be anywhere keeps nobody from walking.
    let mut lost = data.entities[&0x7808_0001].clone();
    (lost.id, lost.name, lost.origin[0]) = (7, "Lost Thing".into(), f32::INFINITY);
    data.entities.insert(7, lost);
    let start = data.find("0x80800015 [70 95 20.005] 1 0 0 0").unwrap();
    let mut session = Session::new(std::sync::Arc::new(data), Some(start), options()).unwrap();
    assert!(session.journal().entries().any(|entry| entry.text.contains("Lost Thing cannot be placed")));
    let gate = session.scene().key_of(0x7808_0001).unwrap();
    let walk = |session: &mut Session, controls: Controls, ticks: usize| {
        session.control(controls);
        (0..ticks).for_each(|_| session.tick().unwrap());
        session.control(Controls::default());
        session.position().frame.origin.y
    };
    let ahead = Controls { forward: true, ..Controls::default() };
    assert!(walk(&mut session, ahead, 60) < 97.0, "a closed gate holds");
    walk(&mut session, Controls { back: true, ..Controls::default() }, 10);
    session.use_entity(gate).unwrap();
    assert_eq!(session.describe(gate), "Garden Gate: open");
    assert!(walk(&mut session, ahead, 60) > 98.0, "an open one does not");
    // Through the other one is a long way.
    session.go("0x80800015 [66 95 20.005] 1 0 0 0").unwrap();
    session.tick().unwrap();
    walk(&mut session, ahead, 60);
    (0..200).for_each(|_| session.tick().unwrap());
    assert!(session.journal().entries().any(|entry| entry.text == "through Way Out"));
    assert_eq!(session.position().cell, threshold_world::CellId(0x8080_0025));
}

#[test]
fn the_world_follows_the_flying_eye_and_waits_for_the_player() {
    let mut options = options();
    options.stream.radius = 1;
    options.stream.margin = 0;
    let start = data().find("Western Road").unwrap();
    let mut session = Session::new(data(), Some(start), options).unwrap();
    session.advance(TICK).unwrap();
    let (before, ticks) = (session.position(), session.ticks());
    let Spot::Exact(mut far) = data().find("Bridge West End").unwrap() else { panic!("a place") };
    far.frame.origin.z += 20.0;
    let rings = |block: threshold_world::BlockId| block.x().abs_diff(before.cell.block().x());
    assert!(rings(far.cell.block()) > 1, "{far} is too near");
    let settle = |session: &mut Session| {
        let patience = Instant::now();
        while session.loading().is_some() || session.world().landscape(session.focus().cell.block()).is_none()
        {
            session.advance(TICK).unwrap();
            assert!(patience.elapsed() < Duration::from_secs(60), "{:?}", session.loading());
            std::thread::sleep(Duration::from_millis(1));
        }
        (0..20).for_each(|_| session.advance(TICK).unwrap());
    };
    session.eye_mut().fly_to(far);
    settle(&mut session);
    assert!(session.world().landscape(far.cell.block()).is_some(), "the land under the eye is there");
    assert!(session.world().cell(before.cell).is_none(), "the player's is not");
    assert_eq!(session.position(), before);
    let waited = session.ticks();
    assert!(waited < ticks + 20, "it waits");
    session.eye_mut().toggle_flight();
    settle(&mut session);
    assert_eq!((session.position().cell, session.last().lost), (before.cell, false));
    assert!(session.ticks() > waited, "and goes on");
    assert!(!session.journal().entries().any(|entry| entry.text.contains("fell out")));
}

#[test]
fn things_are_drawn_from_when_their_cells_are_loaded() {
    let mut session = session_at("Village Street");
    let mut look = SessionView::new(data().library.clone());
    let (near, far) = (thing(session.scene(), "Cottage Door"), thing(session.scene(), "Portal to the Cave"));
    look.update(&session, TICK);
    let is_shown = |look: &SessionView, key: threshold_physics::EntityKey| {
        look.studio.stage.object_of(key.id()).is_some()
    };
    assert!(is_shown(&look, near) && !is_shown(&look, far));
    session.go("Dungeon Entrance").unwrap();
    while session.is_travelling() || session.loading().is_some() {
        session.advance(TICK).unwrap();
        std::thread::sleep(Duration::from_millis(1));
    }
    look.update(&session, TICK);
    assert!(is_shown(&look, far));
}

#[test]
fn a_player_walks_to_a_place_by_itself_and_is_told_where_no_way_leads() {
    let mut session = session_at("0x80800015 [60 97.5 20.01]");
    session.walk("0x80800108 [59.2 110 23.255]").unwrap();
    let mut legs = 0;
    for _ in 0..900 {
        session.tick().unwrap();
        legs = legs.max(session.way_ahead().len());
        if legs > 0 && session.way_ahead().is_empty() {
            break;
        }
    }
    assert!(legs > 2, "{legs}");
    let here = session.position();
    assert_eq!(here.cell.to_string(), "0x80800108", "{here}");
    // Inside the wall of the house there is no room.
    session.walk("0x80800015 [57 104.2 22]").unwrap();
    (0..2).for_each(|_| session.tick().unwrap());
    assert!(session.region_end().is_some() && session.way_ahead().is_empty());
}
