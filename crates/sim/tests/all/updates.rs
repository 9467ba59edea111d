//! What a server says, applied: worked examples of the specification by their numbers (entities §11), and the rules
//! around them.

use crate::support;
use glam::Vec3;
use support::*;
use threshold_dat::DatId;
use threshold_sim::{
    Applied, EntityKey, Event, PLAYER_SETUP, Position, Residency, SimError, Simulation, Snapshot, State,
    update::{
        Appearance, GameObject, Hold, ObjectDescription, ParentUpdate, PartChange, PickupUpdate,
        PositionUpdate, ScriptChoice, ScriptUpdate, Stamps, StateUpdate, Update, VectorUpdate,
    },
};
use threshold_world::{
    CellId, Frame,
    stream::{Loading, StreamConfig},
};

const GUID: u32 = 0x8000_0001;
const OWN: u32 = 0x5000_0001;

/// The sample world with nothing placed in it.
fn empty() -> Simulation {
    Simulation::builder().library(library()).places(sample().places().to_vec()).build().unwrap()
}

fn street(sim: &Simulation) -> Position {
    place(sim, "Village Street")
}

fn creature(guid: u32, at: Position) -> ObjectDescription {
    ObjectDescription {
        guid,
        game: GameObject { name: "Drudge".into(), item_type: 0x10, ..GameObject::default() },
        state: 0x408,
        setup: Some(PLAYER_SETUP),
        position: Some(at),
        ..ObjectDescription::default()
    }
}

fn create(sim: &mut Simulation, object: ObjectDescription) -> EntityKey {
    let guid = object.guid;
    assert_eq!(sim.apply(&Update::Create(Box::new(object))).unwrap(), Applied::Done);
    sim.find(guid).expect("it was described")
}

fn shifted(at: &Position, x: f32, y: f32) -> Position {
    let mut at = *at;
    at.frame.origin += Vec3::new(x, y, 0.0);
    at
}

fn moved(guid: u32, position: Position, position_stamp: u16, teleport: u16) -> PositionUpdate {
    PositionUpdate {
        guid,
        position,
        contact: true,
        placement: 0,
        instance: 0,
        position_stamp,
        teleport,
        force_position: 0,
    }
}

fn state(guid: u32, state: u32, instance: u16, state_stamp: u16) -> Update {
    Update::State(StateUpdate { guid, state, instance, state_stamp })
}

fn stamps(sim: &Simulation, guid: u32) -> Stamps {
    sim.described(guid).expect("described").stamps
}

#[test]
fn an_object_that_is_described_is_there_and_falls_under_the_same_rules_as_any() {
    let mut sim = empty();
    let at = street(&sim);
    let key = create(&mut sim, creature(GUID, at));
    let entity = sim.entity(key).unwrap();
    assert!(entity.cell.is_some() && entity.role.creature && entity.role.has_game_object);
    assert_eq!(sim.described(GUID).unwrap().game.name, "Drudge");
    assert!(sim.drain_events().any(|event| event == Event::Created(key)));
    // A second one on the same spot is put beside it.
    let other = create(&mut sim, creature(GUID + 1, at));
    assert!(sim.position(key).unwrap().distance_to(&sim.position(other).unwrap()) > 0.5);
}

#[test]
fn example_7_friction_and_elasticity() {
    let mut sim = empty();
    let at = street(&sim);
    for (n, (friction, expected)) in
        [(1.2, 0.95), (-0.1, 0.95), (0.0, 0.0), (1.0, 1.0)].into_iter().enumerate()
    {
        let key = create(&mut sim, ObjectDescription { friction, ..creature(GUID + n as u32, at) });
        assert_eq!(sim.entity(key).unwrap().friction, expected, "{friction}");
    }
    for (n, (elasticity, expected)) in [(0.5, 0.1), (-1.0, 0.0), (0.05, 0.05)].into_iter().enumerate() {
        let key = create(&mut sim, ObjectDescription { elasticity, ..creature(GUID + 10 + n as u32, at) });
        assert_eq!(sim.entity(key).unwrap().elasticity, expected, "{elasticity}");
    }
}

#[test]
fn examples_9_and_10_which_positions_count() {
    let mut sim = empty();
    let at = street(&sim);
    let described = ObjectDescription {
        stamps: Stamps { position: 10, teleport: 3, ..Stamps::default() },
        ..creature(GUID, at)
    };
    let key = create(&mut sim, described);
    let there = shifted(&at, 3.0, 0.0);
    let apply = |sim: &mut Simulation, stamp, teleport, contact, position| {
        let update = PositionUpdate { contact, ..moved(GUID, position, stamp, teleport) };
        sim.apply(&Update::Position(update)).unwrap()
    };
    let x = |sim: &Simulation| sim.position(key).unwrap().frame.origin.x - at.frame.origin.x;
    assert_eq!(apply(&mut sim, 11, 2, true, there), Applied::Stale);
    assert_eq!((stamps(&sim, GUID).position, x(&sim)), (10, 0.0));
    // Its first update finds it far from everyone: it is set at once.
    assert_eq!(apply(&mut sim, 11, 3, true, there), Applied::Done);
    assert_eq!(stamps(&sim, GUID).position, 11);
    assert!((x(&sim) - 3.0).abs() < 0.01);
    let farther = shifted(&at, 5.0, 0.0);
    assert_eq!(apply(&mut sim, 12, 4, false, farther), Applied::Done);
    assert!((x(&sim) - 5.0).abs() < 0.01, "it teleports without contact, too");
    assert_eq!(apply(&mut sim, 13, 4, false, at), Applied::Done);
    assert_eq!(stamps(&sim, GUID).position, 13);
    assert!((x(&sim) - 5.0).abs() < 0.01, "nothing but the stamp");
    assert_eq!(apply(&mut sim, 13, 4, true, at), Applied::Stale);
}

#[test]
fn stamps_are_followed_over_their_wrap() {
    let mut sim = empty();
    let at = street(&sim);
    let first = Stamps { position: 0xFFF0, state: 0xFFF0, vector: 0xFFF0, ..Stamps::default() };
    let key = create(&mut sim, ObjectDescription { stamps: first, ..creature(GUID, at) });
    for n in 1..=64_u16 {
        let stamp = 0xFFF0_u16.wrapping_add(n);
        let to = shifted(&at, f32::from(n % 2), 0.0);
        let updates = [
            Update::Position(moved(GUID, to, stamp, 0)),
            state(GUID, if n % 2 == 0 { 0x408 } else { 0x40C }, 0, stamp),
            Update::Vector(VectorUpdate {
                guid: GUID,
                velocity: Vec3::new(f32::from(n), 0.0, 0.0),
                omega: Vec3::ZERO,
                instance: 0,
                vector: stamp,
            }),
        ];
        for update in &updates {
            assert_eq!(sim.apply(update).unwrap(), Applied::Done, "{n}: {update:?}");
            assert_eq!(sim.apply(update).unwrap(), Applied::Stale, "{n}: twice");
        }
        let entity = sim.entity(key).unwrap();
        assert_eq!(entity.velocity.x, f32::from(n).min(50.0));
        assert_eq!(entity.state.contains(State::ETHEREAL), n % 2 == 1);
    }
}

#[test]
fn updates_that_come_before_their_object_wait_for_it_in_order() {
    let mut sim = empty();
    let at = street(&sim);
    assert_eq!(sim.apply(&state(GUID, 0x40C, 0, 1)).unwrap(), Applied::Queued);
    let to = shifted(&at, 2.0, 0.0);
    assert_eq!(sim.apply(&Update::Position(moved(GUID, to, 1, 0))).unwrap(), Applied::Queued);
    assert_eq!(sim.apply(&state(GUID, 0x408, 0, 2)).unwrap(), Applied::Queued);
    assert_eq!(sim.apply(&state(GUID, 0x40C, 0, 1)).unwrap(), Applied::Queued, "late");
    let key = create(&mut sim, creature(GUID, at));
    assert!((sim.position(key).unwrap().frame.origin.x - to.frame.origin.x).abs() < 0.01);
    assert_eq!(stamps(&sim, GUID).state, 2);
    assert!(!sim.entity(key).unwrap().state.contains(State::ETHEREAL));
}

#[test]
fn example_25_what_is_never_described_is_forgotten() {
    let mut sim = empty();
    assert_eq!(sim.apply(&state(GUID, 0, 0, 1)).unwrap(), Applied::Queued);
    let mut asked = Vec::new();
    let mut dropped = None;
    for tick in 1..=60 * 30 {
        sim.tick().unwrap();
        if tick == 24 * 30 {
            assert_eq!(sim.apply(&state(GUID, 0, 0, 2)).unwrap(), Applied::Queued);
        }
        for event in sim.drain_events().collect::<Vec<_>>() {
            match event {
                Event::DescriptionWanted(GUID) => asked.push(tick as f32 / 30.0),
                Event::UpdatesDropped { guid: GUID, count: 2 } => dropped = Some(tick as f32 / 30.0),
                _ => {}
            }
        }
    }
    let close = |found: f32, expected: f32| (found - expected).abs() < 0.2;
    assert!(matches!(asked[..], [a, b] if close(a, 20.0) && close(b, 40.0)), "{asked:?}");
    assert!(dropped.is_some_and(|at| close(at, 49.0)), "{dropped:?}");
}

#[test]
fn updates_that_wait_are_bounded_in_number() {
    let mut sim = empty();
    for n in 0..10_000 {
        sim.apply(&state(n, 0, 0, 1)).unwrap();
    }
    for stamp in 0..10_000 {
        sim.apply(&state(GUID, 0x408 | u32::from(stamp % 2 == 0) << 2, 0, stamp)).unwrap();
    }
    let dropped: usize = sim
        .drain_events()
        .map(|event| if let Event::UpdatesDropped { count, .. } = event { count } else { 0 })
        .sum();
    assert!((18_000..20_000).contains(&dropped), "{dropped}");
    // The newest are kept.
    let at = street(&sim);
    create(&mut sim, creature(GUID, at));
    assert_eq!(stamps(&sim, GUID).state, 9_999);
}

#[test]
fn lives_are_told_apart_by_their_stamps() {
    let mut sim = empty();
    let at = street(&sim);
    let life = |instance| ObjectDescription {
        stamps: Stamps { instance, ..Stamps::default() },
        ..creature(GUID, at)
    };
    let first = create(&mut sim, life(5));
    assert_eq!(sim.apply(&state(GUID, 0x40C, 4, 1)).unwrap(), Applied::Stale, "of a life before");
    assert_eq!(sim.apply(&Update::Create(Box::new(life(4)))).unwrap(), Applied::Stale);
    assert_eq!(sim.apply(&state(GUID, 0x40C, 6, 1)).unwrap(), Applied::Queued, "of the next life");
    assert!(!sim.entity(first).unwrap().state.contains(State::ETHEREAL));
    let second = create(&mut sim, life(6));
    assert!(first != second && sim.entity(first).is_err());
    assert!(sim.entity(second).unwrap().state.contains(State::ETHEREAL), "what waited acts");
    // The same life again is an update in place; made anew it is another object.
    assert_eq!(create(&mut sim, life(6)), second);
    assert_eq!(sim.apply(&Update::CreateAnew(Box::new(life(6)))).unwrap(), Applied::Done);
    assert!(sim.entity(second).is_err() && sim.find(GUID).is_some());
}

#[test]
fn a_second_description_updates_what_is_newer_and_nothing_else() {
    let mut sim = empty();
    let at = street(&sim);
    let key = create(&mut sim, creature(GUID, at));
    let again = ObjectDescription {
        setup: Some(DatId(0x0200_0002)),
        scale: 2.0,
        friction: 0.5,
        state: 0x40C,
        position: Some(shifted(&at, 4.0, 0.0)),
        velocity: Vec3::X,
        stamps: Stamps { position: 1, state: 0, vector: 1, ..Stamps::default() },
        ..creature(GUID, at)
    };
    assert_eq!(create(&mut sim, again), key);
    let entity = sim.entity(key).unwrap();
    assert_eq!((entity.model.id, entity.scale, entity.friction), (PLAYER_SETUP, 1.0, 0.95));
    assert!(!entity.state.contains(State::ETHEREAL), "its state is not newer");
    assert_eq!(entity.velocity, Vec3::X);
    assert!((entity.position.frame.origin.x - at.frame.origin.x - 4.0).abs() < 0.01);
}

#[test]
fn a_held_thing_waits_for_its_holder_and_changes_hands() {
    let mut sim = empty();
    let at = street(&sim);
    let (a, b, torch) = (GUID, GUID + 1, GUID + 2);
    let hold = |guid| Some(Hold { guid, location: 1 });
    let held = ObjectDescription { parent: hold(a), position: None, ..creature(torch, at) };
    assert_eq!(sim.apply(&Update::Create(Box::new(held))).unwrap(), Applied::Queued);
    let (first, second) =
        (create(&mut sim, creature(a, at)), create(&mut sim, creature(b, shifted(&at, 3.0, 0.0))));
    let key = sim.find(torch).expect("it came with its holder");
    let Some(location) = sim.entity(first).unwrap().model.holdings.first().map(|h| h.location) else {
        panic!("people of the sample world have hands")
    };
    assert_eq!(sim.entity(key).unwrap().parent, Some(first));
    let pass = |parent, position_stamp| {
        Update::Parent(ParentUpdate {
            parent,
            child: torch,
            location,
            placement: 0,
            parent_instance: 0,
            position_stamp,
        })
    };
    assert_eq!(sim.apply(&pass(b, 1)).unwrap(), Applied::Done);
    assert_eq!(sim.entity(key).unwrap().parent, Some(second));
    assert_eq!(sim.apply(&pass(a, 1)).unwrap(), Applied::Stale);
    assert_eq!(sim.apply(&pass(0x8000_9999, 2)).unwrap(), Applied::Queued, "that one is not known");
    // Put away, and dropped again.
    let pickup = PickupUpdate { guid: torch, instance: 0, position_stamp: 3 };
    assert_eq!(sim.apply(&Update::Pickup(pickup)).unwrap(), Applied::Done);
    let entity = sim.entity(key).unwrap();
    assert_eq!((entity.parent, entity.cell, entity.position.cell), (None, None, CellId::NONE));
    assert!(sim.entity(second).unwrap().children().is_empty());
    let there = shifted(&at, 0.0, 2.0);
    assert_eq!(sim.apply(&Update::Position(moved(torch, there, 4, 0))).unwrap(), Applied::Done);
    assert!(sim.entity(key).unwrap().cell.is_some());
    // Once more in a hand, then a position takes it out of it.
    assert_eq!(sim.apply(&pass(b, 5)).unwrap(), Applied::Done);
    assert_eq!(sim.apply(&Update::Position(moved(torch, there, 6, 0))).unwrap(), Applied::Done);
    assert_eq!(sim.entity(key).unwrap().parent, None);
}

#[test]
fn what_is_deleted_is_gone_and_its_holder_does_not_take_it_along() {
    let mut sim = empty();
    let at = street(&sim);
    create(&mut sim, creature(GUID, at));
    let held = ObjectDescription {
        parent: Some(Hold { guid: GUID, location: 1 }),
        position: None,
        ..creature(GUID + 1, at)
    };
    let torch = create(&mut sim, held);
    let delete = |instance| Update::Delete { guid: GUID, instance };
    assert_eq!(sim.apply(&delete(1)).unwrap(), Applied::Queued, "a life that has not begun");
    assert_eq!(sim.apply(&delete(0)).unwrap(), Applied::Done);
    assert!(sim.find(GUID).is_none() && sim.described(GUID).is_none());
    let left = sim.entity(torch).unwrap();
    assert_eq!((left.parent, left.cell), (None, None), "it stays, in no cell");
    assert!(sim.drain_events().any(|event| event == Event::Deleted(GUID)));
    assert_eq!(sim.apply(&delete(0)).unwrap(), Applied::Queued, "nobody knows it now");
}

#[test]
fn the_own_player_is_named_first_and_moves_itself() {
    let mut sim = empty();
    let at = street(&sim);
    sim.await_own_player();
    let own = ObjectDescription {
        game: GameObject { description: 0x8, item_type: 0x10, ..GameObject::default() },
        ..creature(OWN, at)
    };
    assert_eq!(sim.apply(&Update::Create(Box::new(own))).unwrap(), Applied::Queued);
    assert_eq!(sim.apply(&Update::Create(Box::new(creature(GUID, at)))).unwrap(), Applied::Queued);
    assert!(sim.find(OWN).is_none());
    assert_eq!(sim.apply(&Update::OwnPlayer(OWN)).unwrap(), Applied::Done);
    assert!(matches!(sim.apply(&Update::OwnPlayer(GUID)), Err(SimError::OwnPlayer)));
    let me = sim.find(OWN).unwrap();
    assert!(sim.player(me).is_ok() && sim.find(GUID).is_some());
    sim.advance(0.2).unwrap();
    let before = sim.position(me).unwrap();
    assert!(sim.entity(me).unwrap().cell.is_some());
    // A position of the server does not move it, a teleport does, and so does a position that it must take.
    let there = shifted(&at, 0.0, -6.0);
    assert_eq!(sim.apply(&Update::Position(moved(OWN, there, 1, 0))).unwrap(), Applied::Done);
    sim.advance(0.2).unwrap();
    assert!(sim.position(me).unwrap().distance_to(&before) < 0.01);
    let vector = VectorUpdate { guid: OWN, velocity: Vec3::X, omega: Vec3::ZERO, instance: 0, vector: 1 };
    assert_eq!(sim.apply(&Update::Vector(vector)).unwrap(), Applied::Done);
    assert_eq!(sim.entity(me).unwrap().velocity, Vec3::ZERO);
    assert_eq!(sim.apply(&Update::Teleport(1)).unwrap(), Applied::Done);
    assert_eq!(sim.apply(&Update::Position(moved(OWN, there, 2, 1))).unwrap(), Applied::Done);
    sim.advance(0.2).unwrap();
    assert!(sim.position(me).unwrap().distance_to(&there) < 0.1);
    let mut forced = PositionUpdate { force_position: 1, ..moved(OWN, before, 3, 1) };
    forced.position.frame = Frame::at(before.frame.origin);
    assert_eq!(sim.apply(&Update::Position(forced)).unwrap(), Applied::Done);
    assert!(sim.position(me).unwrap().distance_to(&before) < 0.1);
    assert!(matches!(sim.apply(&Update::Delete { guid: OWN, instance: 0 }), Err(SimError::OwnPlayer)));
    sim.forget_server();
    assert!(sim.find(OWN).is_none() && sim.find(GUID).is_none() && sim.own_player().is_none());
}

/// A simulation that loads around its observers, without threads.
fn observed() -> Simulation {
    let config = StreamConfig::default().radius(1).margin(0).loading(Loading::Inline(64));
    let builder = Simulation::builder().library(library()).places(sample().places().to_vec());
    builder.residency(Residency::Observed(config)).build().unwrap()
}

#[test]
fn what_leaves_the_loaded_world_is_forgotten_after_25_seconds_unless_it_comes_back() {
    for (away, comes_back) in [(20.0, true), (30.0, false)] {
        let mut sim = observed();
        let (at, far) = (street(&sim), place(&sim, "Dungeon Entrance"));
        let observer = sim.observe(at).unwrap();
        sim.settle(observer).unwrap();
        let key = create(&mut sim, creature(GUID, at));
        let before = sim.position(key).unwrap();
        sim.move_observer(observer, far).unwrap();
        sim.settle(observer).unwrap();
        sim.advance(1.0).unwrap();
        assert_eq!(sim.entity(key).unwrap().cell, None);
        assert!(sim.is_doomed(GUID));
        sim.advance(away - 1.0).unwrap();
        sim.move_observer(observer, at).unwrap();
        sim.settle(observer).unwrap();
        sim.advance(6.0).unwrap();
        if comes_back {
            assert!(sim.position(key).unwrap().distance_to(&before) < 0.1);
            assert!(sim.entity(key).unwrap().cell.is_some() && !sim.is_doomed(GUID));
        } else {
            assert!(sim.find(GUID).is_none() && sim.described(GUID).is_none());
        }
    }
}

#[test]
fn visible_objects_are_listed_once_a_second() {
    let mut sim = empty();
    let at = street(&sim);
    let key = create(&mut sim, creature(GUID, at));
    create(&mut sim, ObjectDescription { position: None, ..creature(GUID + 1, at) });
    sim.advance(1.5).unwrap();
    assert_eq!(sim.visible(), [key]);
}

#[test]
fn a_place_that_does_not_exist_keeps_an_object_out_of_the_world() {
    let mut sim = empty();
    let at = street(&sim);
    for cell in [0x8080_01FF, 0x0101_0001, 0x8080_0000, 0x8080_FFFF] {
        let nowhere = Position::new(CellId(cell), at.frame);
        let key = create(&mut sim, creature(GUID, nowhere));
        assert_eq!(sim.entity(key).unwrap().cell, None, "{cell:#x}");
        let told: Vec<Event> = sim.drain_events().collect();
        assert!(told.contains(&Event::NoSuchPlace { entity: key, at: nowhere }), "{cell:#x}");
        let update = Update::Position(moved(GUID, nowhere, 1, 0));
        assert!(matches!(sim.apply(&update), Err(SimError::NoCell(id)) if id.0 == cell), "{cell:#x}");
        assert_eq!(stamps(&sim, GUID).position, 0, "nothing has changed");
        sim.apply(&Update::Delete { guid: GUID, instance: 0 }).unwrap();
    }
}

#[test]
fn numbers_that_cannot_be_used_are_refused_and_change_nothing() {
    let mut sim = empty();
    let at = street(&sim);
    let broken = |change: fn(&mut ObjectDescription)| {
        let mut object = creature(GUID, at);
        change(&mut object);
        Update::Create(Box::new(object))
    };
    for update in [
        broken(|object| object.scale = f32::NAN),
        broken(|object| object.scale = 0.0),
        broken(|object| object.velocity = Vec3::INFINITY),
        broken(|object| object.omega = Vec3::NAN),
        broken(|object| object.setup = Some(DatId(0x0200_FFFF))),
        broken(|object| object.setup = None),
    ] {
        assert!(sim.apply(&update).is_err(), "{update:?}");
        assert!(sim.find(GUID).is_none());
    }
    let key =
        create(&mut sim, ObjectDescription { state: 0xFFFF_FFFE, friction: f32::NAN, ..creature(GUID, at) });
    assert_eq!(sim.entity(key).unwrap().friction, 0.95);
    let vector = VectorUpdate { guid: GUID, velocity: Vec3::NAN, omega: Vec3::ZERO, instance: 0, vector: 1 };
    assert!(sim.apply(&Update::Vector(vector)).is_err());
    assert_eq!(stamps(&sim, GUID).vector, 0);
}

#[test]
fn parts_are_swapped_at_once_and_stay_until_they_are_swapped_again() {
    let mut sim = empty();
    let at = street(&sim);
    let key = create(&mut sim, creature(GUID, at));
    let meshes = |sim: &Simulation| -> Vec<Option<DatId>> {
        let parts = &sim.entity(key).unwrap().model.parts;
        parts.iter().map(|part| part.mesh.as_ref().map(|mesh| mesh.id)).collect()
    };
    let before = meshes(&sim);
    let (first, last) = (before[0].unwrap(), before[before.len() - 1].unwrap());
    assert!(first != last, "they must differ to be told apart");
    let dress = |parts: Vec<PartChange>, appearance_stamp| {
        Update::Appearance(Box::new(threshold_sim::update::AppearanceUpdate {
            guid: GUID,
            appearance: Appearance { parts, ..Appearance::default() },
            instance: 0,
            appearance_stamp,
        }))
    };
    let swap = |part, mesh| PartChange { part, mesh };
    // The last change of a part counts, one of a part that is not there does not.
    let changes = vec![swap(0, first), swap(0, last), swap(200, last), swap(1, DatId(0x01FF_FFFF))];
    assert_eq!(sim.apply(&dress(changes, 1)).unwrap(), Applied::Done);
    let mut expected = before.clone();
    expected[0] = Some(last);
    assert_eq!(meshes(&sim), expected);
    assert!(sim.drain_events().any(|event| matches!(event, Event::Problem(_))), "a mesh that is not there");
    assert_eq!(sim.apply(&dress(vec![swap(1, first)], 2)).unwrap(), Applied::Done);
    expected[1] = Some(first);
    assert_eq!(meshes(&sim), expected, "the first part keeps its mesh");
    assert_eq!(sim.apply(&dress(vec![swap(1, last)], 2)).unwrap(), Applied::Stale);
}

#[test]
fn snapshots_hold_what_a_server_has_said() {
    let mut sim = empty();
    let at = street(&sim);
    create(&mut sim, creature(GUID, at));
    sim.apply(&state(GUID + 7, 0x40C, 0, 1)).unwrap();
    sim.apply(&Update::Script(ScriptUpdate { guid: GUID + 7, script: ScriptChoice::Type(3, 0.5) })).unwrap();
    let (snapshot, hash) = (sim.snapshot(), sim.state_hash());
    let go_on = |sim: &mut Simulation| {
        let update = Update::Position(moved(GUID, shifted(&at, 2.0, 1.0), 1, 1));
        assert_eq!(sim.apply(&update).unwrap(), Applied::Done);
        create(sim, creature(GUID + 7, shifted(&at, 0.0, 3.0)));
        sim.advance(2.0).unwrap();
        sim.state_hash()
    };
    let expected = go_on(&mut sim);
    assert!(expected != hash);
    sim.restore(&snapshot).unwrap();
    assert_eq!(sim.state_hash(), hash);
    assert_eq!(go_on(&mut sim), expected);
    let mut elsewhere = empty();
    elsewhere.restore(&Snapshot::from_bytes(&snapshot.to_bytes().unwrap()).unwrap()).unwrap();
    assert_eq!(elsewhere.state_hash(), hash);
    assert_eq!(go_on(&mut elsewhere), expected);
    // A stamp alone makes a difference.
    sim.restore(&snapshot).unwrap();
    sim.apply(&Update::Position(PositionUpdate { contact: false, ..moved(GUID, at, 1, 0) })).unwrap();
    assert!(sim.state_hash() != hash);
}
