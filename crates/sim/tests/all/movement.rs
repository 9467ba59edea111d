//! What a server orders objects to do: worked examples of the specification by their numbers (entities §11), and what
//! becomes of each type of movement in the sample world.

use crate::support;
use glam::Vec3;
use support::*;
use threshold_dat::{
    DatId, IdScheme,
    records::{DatRecord as _, Setup},
};
use threshold_sim::{
    Applied, EntityKey, Event, PLAYER_SETUP, Position, SimError, Simulation,
    motion::{HoldKey, MovementParameters, RawCommand, RawState},
    update::{
        CommandIndex, GameObject, MoveOrder, MovementOrder, MovementUpdate, ObjectDescription, OrderKind,
        OrderedState, Pose, PositionUpdate, Stamps, Update,
    },
};
use threshold_world::motion::Command;

const GUID: u32 = 0x8000_0001;
const OTHER: u32 = 0x8000_0002;
const OWN: u32 = 0x5000_0001;
const RUN: CommandIndex = CommandIndex(0x07);
const WALK: CommandIndex = CommandIndex(0x05);
const TURN_RIGHT: CommandIndex = CommandIndex(0x0D);

/// The sample world with nothing placed in it, and its street.
fn empty() -> (Simulation, Position) {
    let sim = Simulation::builder().library(library()).build().unwrap();
    (sim, place(&sample(), "Village Street"))
}

/// The motion table that the sample's people have.
fn people() -> DatId {
    let library = library();
    let bytes = library.source().record(IdScheme::Portal, PLAYER_SETUP).unwrap().expect("the player's setup");
    Setup::load(PLAYER_SETUP, &bytes).unwrap().defaults.motion_table
}

fn creature(guid: u32, at: Position) -> ObjectDescription {
    ObjectDescription {
        guid,
        game: GameObject { name: "Drudge".into(), item_type: 0x10, ..GameObject::default() },
        state: 0x408,
        setup: Some(PLAYER_SETUP),
        motion_table: Some(people()),
        position: Some(at),
        ..ObjectDescription::default()
    }
}

fn own_player(at: Position) -> ObjectDescription {
    let game = GameObject { description: 0x8, item_type: 0x10, ..GameObject::default() };
    ObjectDescription { game, state: 0x0040_0408, ..creature(OWN, at) }
}

fn create(sim: &mut Simulation, object: ObjectDescription) -> EntityKey {
    let guid = object.guid;
    assert_eq!(sim.apply(&Update::Create(Box::new(object))).unwrap(), Applied::Done);
    sim.advance(0.5).unwrap();
    sim.find(guid).expect("it was described")
}

/// Names the own player and lets it come.
fn enter(sim: &mut Simulation, at: Position) -> EntityKey {
    sim.apply(&Update::OwnPlayer(OWN)).unwrap();
    create(sim, own_player(at))
}

fn order(kind: OrderKind) -> MovementOrder {
    MovementOrder { style: CommandIndex::NON_COMBAT, kind }
}

fn forward(command: CommandIndex, forward_speed: f32) -> OrderKind {
    OrderKind::State(OrderedState { forward: command, forward_speed, ..OrderedState::default() })
}

fn movement(guid: u32, stamps: (u16, u16), kind: OrderKind) -> MovementUpdate {
    MovementUpdate {
        guid,
        instance: 0,
        movement_stamp: stamps.0,
        server_control: stamps.1,
        autonomous: false,
        order: order(kind),
    }
}

fn apply(sim: &mut Simulation, update: MovementUpdate) -> Applied {
    sim.apply(&Update::Movement(Box::new(update))).unwrap()
}

fn shifted(at: &Position, x: f32, y: f32) -> Position {
    let mut at = *at;
    at.frame.origin += Vec3::new(x, y, 0.0);
    at
}

fn go_to(to: Position) -> MoveOrder {
    MoveOrder { to, parameters: MovementParameters::default(), run_rate: 1.0 }
}

fn position(guid: u32, at: Position, position_stamp: u16) -> Update {
    Update::Position(PositionUpdate {
        guid,
        position: at,
        contact: true,
        placement: 0,
        instance: 0,
        position_stamp,
        teleport: 0,
        force_position: 0,
    })
}

/// Where something stands that is put there.
fn on_ground(sim: &mut Simulation, at: Position) -> Position {
    let scout = create(sim, creature(0x8000_0009, at));
    let stood = sim.position(scout).unwrap();
    sim.apply(&Update::Delete { guid: 0x8000_0009, instance: 0 }).unwrap();
    stood
}

fn forward_of(sim: &Simulation, key: EntityKey) -> Command {
    sim.entity(key).unwrap().interpreter().expect("it has a motion table").interpreted.forward
}

fn walked(sim: &Simulation, key: EntityKey, from: &Position) -> Vec3 {
    from.offset_to(&sim.position(key).unwrap())
}

#[test]
fn example_11_which_movements_count() {
    let (mut sim, at) = empty();
    let stamps = Stamps { movement: 7, server_control: 5, ..Stamps::default() };
    let key = create(&mut sim, ObjectDescription { stamps, ..creature(GUID, at) });
    let stamp = |sim: &Simulation| sim.described(GUID).unwrap().stamps.movement;
    assert_eq!(apply(&mut sim, movement(GUID, (8, 4), forward(WALK, 1.0))), Applied::Stale);
    assert_eq!((stamp(&sim), forward_of(&sim, key)), (8, Command::READY), "the stamp stays stored");
    assert_eq!(apply(&mut sim, movement(GUID, (8, 5), forward(WALK, 1.0))), Applied::Stale);
    assert_eq!(forward_of(&sim, key), Command::READY);
    assert_eq!(apply(&mut sim, movement(GUID, (9, 5), forward(WALK, 1.0))), Applied::Done);
    assert_eq!((stamp(&sim), forward_of(&sim, key)), (9, Command::WALK_FORWARD));
    let old_life = MovementUpdate { instance: 0xFFFF, ..movement(GUID, (10, 5), forward(RUN, 1.0)) };
    assert_eq!(apply(&mut sim, old_life), Applied::Stale);
    assert_eq!(forward_of(&sim, key), Command::WALK_FORWARD);
}

#[test]
fn type_0_lets_it_walk_run_turn_and_stop_as_its_table_says() {
    let (mut sim, at) = empty();
    let key = create(&mut sim, creature(GUID, at));
    for (stamp, command, speed, metres) in [(1, WALK, 1.0, 3.12), (2, RUN, 1.5, 6.0)] {
        let from = sim.position(key).unwrap();
        apply(&mut sim, movement(GUID, (stamp, 0), forward(command, speed)));
        sim.advance(1.0).unwrap();
        let gone = walked(&sim, key, &from).truncate().length();
        // In lumps of an animation frame each.
        assert!((gone - metres).abs() < 0.25, "{command:?}: {gone}");
    }
    assert_eq!(sim.entity(key).unwrap().run_rate(), 1.5, "the speed of the run is the run rate");
    apply(&mut sim, movement(GUID, (3, 0), OrderKind::State(OrderedState::default())));
    sim.advance(0.2).unwrap();
    let (rest, heading) = (sim.position(key).unwrap(), sim.position(key).unwrap().frame.heading());
    let turn = OrderedState { turn: TURN_RIGHT, ..OrderedState::default() };
    apply(&mut sim, movement(GUID, (4, 0), OrderKind::State(turn)));
    sim.advance(0.5).unwrap();
    assert!(walked(&sim, key, &rest).length() < 0.01, "turning in place");
    let turned = (sim.position(key).unwrap().frame.heading() - heading).rem_euclid(360.0);
    assert!((turned - 45.0).abs() < 4.0, "a quarter turn per second: {turned}");
}

#[test]
fn types_6_and_7_let_it_go_to_an_object_or_a_place_and_an_unknown_object_is_a_place() {
    let goal = |sim: &mut Simulation, at: &Position, known: bool| {
        let to = shifted(at, 0.0, 6.0);
        if known {
            create(sim, creature(OTHER, to));
        }
        to
    };
    for (known, kind) in [
        (true, OrderKind::MoveToObject as fn(u32, MoveOrder) -> OrderKind),
        (false, OrderKind::MoveToObject),
        (false, |_, to| OrderKind::MoveToPosition(to)),
    ] {
        let (mut sim, at) = empty();
        let key = create(&mut sim, creature(GUID, at));
        let to = goal(&mut sim, &at, known);
        let run_rate = 1.25;
        let order = MoveOrder { run_rate, ..go_to(to) };
        apply(&mut sim, movement(GUID, (1, 0), kind(OTHER, order)));
        assert_eq!(sim.entity(key).unwrap().run_rate(), run_rate);
        sim.advance(5.0).unwrap();
        let left = sim.position(key).unwrap().distance_to(&to);
        // 0.6 m between the cylinders, whose radius is 0.3; a place has none.
        let range = if known { 0.9..1.2 } else { 0.6..0.9 };
        assert!(range.contains(&left), "{known}: {left}");
        let ended = sim.drain_events().any(|event| matches!(event, Event::MoveToEnded { .. }));
        assert!(ended, "{known}");
    }
}

#[test]
fn types_8_and_9_let_it_turn_to_an_object_or_a_heading() {
    let (mut sim, at) = empty();
    let key = create(&mut sim, creature(GUID, at));
    let start = sim.position(key).unwrap().frame.heading();
    create(&mut sim, creature(OTHER, shifted(&at, -5.0, 0.0)));
    let heading = |sim: &Simulation| sim.position(key).unwrap().frame.heading();
    assert!((start - 270.0).abs() > 20.0, "it must have to turn");
    apply(
        &mut sim,
        movement(GUID, (1, 0), OrderKind::TurnToObject(OTHER, 0.0, MovementParameters::default())),
    );
    sim.advance(3.0).unwrap();
    assert!((heading(&sim) - 270.0).abs() < 1.0, "{}", heading(&sim));
    let south = MovementParameters { heading: 180.0, ..MovementParameters::default() };
    apply(&mut sim, movement(GUID, (2, 0), OrderKind::TurnToHeading(south)));
    sim.advance(3.0).unwrap();
    assert_eq!(heading(&sim), 180.0, "it ends exactly there");
    let unknown = OrderKind::TurnToObject(0x8000_9999, 45.0, MovementParameters::default());
    apply(&mut sim, movement(GUID, (3, 0), unknown));
    sim.advance(3.0).unwrap();
    assert_eq!(heading(&sim), 45.0, "the heading that came with the object");
}

#[test]
fn a_sticky_order_holds_it_at_the_other_for_a_second() {
    let (mut sim, at) = empty();
    let key = create(&mut sim, creature(GUID, at));
    let other = create(&mut sim, creature(OTHER, shifted(&at, 0.0, 4.0)));
    let stick = OrderedState { sticky: Some(OTHER), ..OrderedState::default() };
    apply(&mut sim, movement(GUID, (1, 0), OrderKind::State(stick.clone())));
    let sticks = |sim: &Simulation| {
        sim.entity(key).unwrap().position_manager().and_then(|manager| manager.sticky).map(|it| it.object)
    };
    assert_eq!(sticks(&sim), Some(other));
    sim.advance(0.9).unwrap();
    // Four steps of 20 m/s; the fifth would end within the other's sphere.
    let gap = sim.position(key).unwrap().distance_to(&sim.position(other).unwrap());
    assert!((gap - (4.0 - 4.0 * 20.0 / 30.0)).abs() < 0.01, "{gap}");
    sim.advance(0.3).unwrap();
    assert_eq!(sticks(&sim), None, "one order lasts a second");
    let unknown = OrderedState { sticky: Some(0x8000_9999), ..stick };
    assert_eq!(apply(&mut sim, movement(GUID, (2, 0), OrderKind::State(unknown))), Applied::Done);
    assert_eq!(sticks(&sim), None);
}

#[test]
fn a_standing_long_jump_keeps_the_legs_still() {
    let (mut sim, at) = empty();
    let key = create(&mut sim, creature(GUID, at));
    let crouch = OrderedState { standing_long_jump: true, ..OrderedState::default() };
    apply(&mut sim, movement(GUID, (1, 0), OrderKind::State(crouch)));
    assert!(sim.entity(key).unwrap().interpreter().unwrap().standing_long_jump);
    let from = sim.position(key).unwrap();
    let go = OrderedState { forward: WALK, standing_long_jump: true, ..OrderedState::default() };
    apply(&mut sim, movement(GUID, (2, 0), OrderKind::State(go)));
    sim.advance(0.5).unwrap();
    assert!(walked(&sim, key, &from).length() < 0.01);
    apply(&mut sim, movement(GUID, (3, 0), forward(WALK, 1.0)));
    assert!(!sim.entity(key).unwrap().interpreter().unwrap().standing_long_jump);
}

#[test]
fn an_order_ends_a_walk_to_somewhere_and_one_without_a_table_does_nothing() {
    let (mut sim, at) = empty();
    let key = create(&mut sim, creature(GUID, at));
    apply(&mut sim, movement(GUID, (1, 0), OrderKind::MoveToPosition(go_to(shifted(&at, 0.0, 9.0)))));
    sim.advance(0.5).unwrap();
    let goes = |sim: &Simulation| sim.entity(key).unwrap().move_to().is_some_and(|to| to.kind().is_some());
    assert!(goes(&sim));
    apply(&mut sim, movement(GUID, (2, 0), OrderKind::State(OrderedState::default())));
    assert!(!goes(&sim));
    let rock = ObjectDescription { motion_table: None, ..creature(OTHER, shifted(&at, 3.0, 0.0)) };
    let rock = create(&mut sim, rock);
    let from = sim.position(rock).unwrap();
    assert_eq!(apply(&mut sim, movement(OTHER, (1, 0), forward(RUN, 3.0))), Applied::Done);
    sim.advance(0.5).unwrap();
    assert!(walked(&sim, rock, &from).length() < 0.01);
    assert_eq!(sim.described(OTHER).unwrap().stamps.movement, 1);
}

#[test]
fn a_description_may_say_how_it_moves_and_say_so_again() {
    let (mut sim, at) = empty();
    let pose = |kind| Pose::Moving { order: Box::new(order(kind)), autonomous: false };
    let key = create(&mut sim, ObjectDescription { pose: pose(forward(WALK, 1.0)), ..creature(GUID, at) });
    assert_eq!(forward_of(&sim, key), Command::WALK_FORWARD);
    assert!(sim.position(key).unwrap().distance_to(&at) > 1.0, "half a second of walking");
    let again = |movement| ObjectDescription {
        pose: pose(OrderKind::State(OrderedState::default())),
        stamps: Stamps { movement, ..Stamps::default() },
        ..creature(GUID, at)
    };
    create(&mut sim, again(0));
    assert_eq!(forward_of(&sim, key), Command::WALK_FORWARD, "its movement is not newer");
    create(&mut sim, again(1));
    assert_eq!(forward_of(&sim, key), Command::READY);
}

#[test]
fn an_order_that_comes_before_its_object_waits_for_it() {
    let (mut sim, at) = empty();
    assert_eq!(apply(&mut sim, movement(GUID, (1, 0), forward(RUN, 2.0))), Applied::Queued);
    let key = create(&mut sim, creature(GUID, at));
    assert_eq!(forward_of(&sim, key), Command::RUN_FORWARD);
}

#[test]
fn numbers_that_cannot_be_used_are_refused() {
    let (mut sim, at) = empty();
    let key = create(&mut sim, creature(GUID, at));
    let nowhere = shifted(&at, f32::NAN, 0.0);
    let heading = MovementParameters { heading: f32::INFINITY, ..MovementParameters::default() };
    for (stamp, kind) in [
        (1, forward(WALK, f32::NAN)),
        (2, OrderKind::MoveToPosition(go_to(nowhere))),
        (3, OrderKind::TurnToHeading(heading)),
        (4, OrderKind::MoveToPosition(MoveOrder { run_rate: f32::NAN, ..go_to(at) })),
    ] {
        let update = Update::Movement(Box::new(movement(GUID, (stamp, 0), kind)));
        assert!(matches!(sim.apply(&update), Err(SimError::Scene(_))), "{update:?}");
        assert_eq!(forward_of(&sim, key), Command::READY);
    }
}

#[test]
fn the_own_player_ignores_its_echo_and_obeys_the_server() {
    let (mut sim, at) = empty();
    let me = enter(&mut sim, at);
    let from = sim.position(me).unwrap();
    let echo = MovementUpdate { autonomous: true, ..movement(OWN, (1, 0), forward(RUN, 1.0)) };
    assert_eq!(apply(&mut sim, echo), Applied::Done);
    assert_eq!(forward_of(&sim, me), Command::READY);
    apply(&mut sim, movement(OWN, (2, 0), OrderKind::MoveToPosition(go_to(shifted(&at, 0.0, 5.0)))));
    sim.advance(4.0).unwrap();
    assert!((walked(&sim, me, &from).y - 4.4).abs() < 0.4, "{}", walked(&sim, me, &from));
}

fn walk_key() -> RawState {
    let forward = RawCommand { command: Command::WALK_FORWARD, speed: 1.0, key: HoldKey::None };
    RawState { forward, ..RawState::default() }
}

/// The keys of a client move its player through its motion table: walking, running at its skill, turning, stopping.
#[test]
fn commands_move_a_player_as_keys_move_the_original() {
    let (mut sim, at) = empty();
    let me = enter(&mut sim, at);
    let gone = |sim: &mut Simulation, keys: &RawState| {
        let from = sim.position(me).unwrap();
        sim.command(me, keys).unwrap();
        sim.advance(0.5).unwrap();
        walked(sim, me, &from).truncate().length()
    };
    let walk = gone(&mut sim, &walk_key());
    assert!((walk - 1.56).abs() < 0.2, "{walk}");
    let mut run = walk_key();
    (run.hold_key, run.forward.key) = (HoldKey::Run, HoldKey::Run);
    let run = gone(&mut sim, &run);
    // Run skill 200: rate 2.375.
    assert!((run - 4.75).abs() < 0.4, "{run}");
    assert!(gone(&mut sim, &RawState::default()) < 0.1);
    let turn = RawCommand { command: Command::TURN_LEFT, speed: 1.0, key: HoldKey::None };
    let before = sim.position(me).unwrap().frame.heading();
    gone(&mut sim, &RawState { turn, ..RawState::default() });
    let turned = (before - sim.position(me).unwrap().frame.heading()).rem_euclid(360.0);
    assert!((turned - 45.0).abs() < 4.0, "{turned}");
    assert!(sim.jump(me, 0.5).unwrap());
    sim.advance(0.2).unwrap();
    assert!(!sim.entity(me).unwrap().stands());
    assert!(!sim.jump(me, 0.5).unwrap(), "not in the air");
}

/// A position near the player is walked to; far from it, or the first one, it is jumped to. Examples 12 to 14.
#[test]
fn positions_are_followed_near_the_player_and_taken_at_once_elsewhere() {
    let (mut sim, at) = empty();
    enter(&mut sim, at);
    let key = create(&mut sim, creature(GUID, shifted(&at, 0.0, 4.0)));
    let start = sim.position(key).unwrap();
    let to = on_ground(&mut sim, shifted(&start, 0.0, 2.0));
    let way = start.distance_to(&to);
    sim.apply(&position(GUID, to, 1)).unwrap();
    assert_eq!(sim.position(key).unwrap(), start, "not at once");
    sim.tick().unwrap();
    let left = sim.position(key).unwrap().distance_to(&to);
    assert!((way - left - 8.0 / 30.0).abs() < 1e-3, "8 m/s: {way} m, then {left} m");
    for _ in 0..8 {
        sim.tick().unwrap();
    }
    let left = sim.position(key).unwrap().distance_to(&to);
    assert!(left < 0.05, "{left}");
    let manager = sim.entity(key).unwrap().position_manager().unwrap();
    assert_eq!((manager.interpolation.nodes().len(), manager.interpolation.fails()), (0, 0));
    assert!(manager.constraint.is_on, "it counts how far it goes from there");
    // Its first tick has not come: nobody knows yet how far it is from the player.
    let new = ObjectDescription { guid: OTHER, ..creature(OTHER, shifted(&at, 4.0, 0.0)) };
    sim.apply(&Update::Create(Box::new(new))).unwrap();
    sim.apply(&position(OTHER, shifted(&at, 6.0, 0.0), 1)).unwrap();
    let other = sim.position(sim.find(OTHER).unwrap()).unwrap();
    assert!((other.frame.origin.x - at.frame.origin.x - 6.0).abs() < 0.01);
}

#[test]
fn one_on_its_way_keeps_its_heading_while_it_follows() {
    let (mut sim, at) = empty();
    enter(&mut sim, at);
    let key = create(&mut sim, creature(GUID, shifted(&at, 0.0, 4.0)));
    apply(&mut sim, movement(GUID, (1, 0), OrderKind::MoveToPosition(go_to(shifted(&at, 0.0, 14.0)))));
    sim.advance(0.5).unwrap();
    let heading = sim.position(key).unwrap().frame.heading();
    let mut to = shifted(&sim.position(key).unwrap(), 0.0, 1.0);
    to.frame.set_heading(heading + 90.0);
    sim.apply(&position(GUID, to, 1)).unwrap();
    sim.tick().unwrap();
    let turned = (sim.position(key).unwrap().frame.heading() - heading).abs();
    assert!(!(1.0..=359.0).contains(&turned), "{turned}");
}

#[test]
fn a_position_of_the_server_limits_how_far_the_own_player_goes() {
    let (mut sim, at) = empty();
    let me = enter(&mut sim, at);
    sim.apply(&position(OWN, shifted(&at, 0.0, 3.0), 1)).unwrap();
    let constraint = &sim.entity(me).unwrap().position_manager().unwrap().constraint;
    assert!(constraint.is_on && (constraint.gone - 3.0).abs() < 0.05, "{constraint:?}");
}
