//! Doors whose leaf swings: for the eye, and for what meets it.

use crate::support;
use support::*;
use threshold_physics::{Transient, motion::Movement};
use threshold_sim::{DoorChange, EntityKey, Event, PLAYER_SETUP, Position, SimError, Simulation, State};
use threshold_world::{motion::Command, placed::ObjectKind};

/// Ticks in which a leaf swings: 13 frames at 15 a second.
const SWING: u32 = 26;
/// The part of a door that swings.
const LEAF: usize = 1;

/// Degrees by which the leaf of a door is turned in the door.
fn swing_of(sim: &Simulation, door: EntityKey) -> f32 {
    let door = sim.entity(door).unwrap();
    let (leaf, door) = (door.parts()[LEAF].position.frame, door.position.frame);
    (door.heading() - leaf.heading()).rem_euclid(360.0)
}

fn is_solid(sim: &Simulation, door: EntityKey) -> bool {
    !sim.entity(door).unwrap().state.contains(State::ETHEREAL)
}

/// The middle of the cottage's doorway, as seen from the vestibule.
fn doorway(sim: &Simulation) -> Position {
    let mut doorway = place(sim, "Cottage Vestibule");
    doorway.frame.origin.y -= 1.1;
    doorway
}

#[test]
fn a_leaf_swings_open_at_once_ethereal_and_shut_solid_when_it_rests() {
    let mut sim = sample();
    let _me = sim.spawn_player(place(&sim, "Cottage Door")).unwrap();
    let door = object(&sim, COTTAGE_DOOR);
    sim.advance(0.2).unwrap();
    assert_eq!(swing_of(&sim, door), 0.0);
    assert_eq!(sim.use_object(door).unwrap(), Some(DoorChange::Opened));
    assert!(!is_solid(&sim, door), "nobody waits for the leaf");
    let mut swings = Vec::new();
    while sim.is_swinging(door) {
        sim.tick().unwrap();
        swings.push(swing_of(&sim, door));
    }
    assert!((SWING - 1..=SWING + 1).contains(&(swings.len() as u32)), "{swings:?}");
    assert!(swings.windows(2).all(|pair| pair[0] <= pair[1]), "{swings:?}");
    assert!((swings[12] - 50.0).abs() < 9.0, "half way: {swings:?}");
    assert!((swing_of(&sim, door) - 100.0).abs() < 0.01, "{swings:?}");

    assert_eq!(sim.use_object(door).unwrap(), Some(DoorChange::Closed));
    for tick in 0..SWING - 2 {
        sim.tick().unwrap();
        assert!(!is_solid(&sim, door), "{tick}: the leaf is on its way");
    }
    sim.advance(0.2).unwrap();
    assert!(!sim.is_swinging(door) && is_solid(&sim, door));
    assert_eq!(swing_of(&sim, door), 0.0);
}

#[test]
fn what_steps_into_a_closing_door_keeps_it_ethereal_until_it_is_gone() {
    let mut sim = sample();
    let me = sim.spawn_player(place(&sim, "Cottage Door")).unwrap();
    let door = object(&sim, COTTAGE_DOOR);
    sim.use_object(door).unwrap();
    sim.advance(1.0).unwrap();
    assert_eq!(sim.use_object(door).unwrap(), Some(DoorChange::Closed), "nobody is in the way yet");
    sim.advance(0.3).unwrap();
    let (before, doorway) = (sim.position(me).unwrap(), doorway(&sim));
    let (world, scene) = sim.parts_mut();
    scene.update_position(world, me, doorway).unwrap();
    sim.advance(1.0).unwrap();
    assert!(!sim.is_swinging(door) && !is_solid(&sim, door), "the leaf is shut, and lets the one in it out");
    assert!(sim.entity(door).unwrap().has(Transient::RECHECK_ETHEREAL));
    let (world, scene) = sim.parts_mut();
    scene.update_position(world, me, before).unwrap();
    sim.advance(0.1).unwrap();
    assert!(is_solid(&sim, door));
}

/// The state word of an open door is its server's affair: one that stays solid is met where its leaf is, by those who are in a
/// cell that the door was registered in when it was placed.
#[test]
fn an_open_leaf_is_met_where_it_is_from_the_cells_of_the_closed_door() {
    let west_of = |ethereal: bool| {
        let mut sim = sample();
        let door = object(&sim, COTTAGE_DOOR);
        let closed = cells(&sim, door);
        let me = sim.spawn_player(place(&sim, "Cottage Door")).unwrap();
        let (world, scene) = sim.parts_mut();
        scene.perform(door, &Movement::DoInterpreted(Command::ON, Default::default())).unwrap();
        scene.set_ethereal(world, door, ethereal).unwrap();
        sim.advance(1.5).unwrap();
        assert!((swing_of(&sim, door) - 100.0).abs() < 0.01);
        assert_eq!(cells(&sim, door), closed, "what swings is not registered anew");
        // On the threshold, and to where the leaf stands beside it.
        let mut at = doorway(&sim);
        at.frame.origin.y += 0.35;
        assert!(walk_to(&mut sim, me, &at), "the doorway is free: {}", sim.position(me).unwrap());
        at.frame.origin.x -= 3.0;
        walk_to(&mut sim, me, &at);
        let touched =
            |e: &Event| matches!(e, Event::Touched { entity, other, .. } if *entity == me && *other == door);
        let touched = sim.drain_events().any(|e| touched(&e));
        (sim.position(me).unwrap().frame.origin.x, touched)
    };
    let (free, solid) = (west_of(true), west_of(false));
    assert!(solid.1, "it ran into the leaf: {solid:?}");
    assert!(solid.0 > free.0 + 0.1, "the leaf stands before the wall: {solid:?}, {free:?}");
}

fn cells(sim: &Simulation, door: EntityKey) -> Vec<threshold_world::CellId> {
    sim.entity(door).unwrap().shadows().iter().map(|shadow| shadow.cell).collect()
}

#[test]
fn a_door_that_is_placed_open_stands_open() {
    let mut sim = sample();
    let door = object(&sim, COTTAGE_DOOR);
    let mut placed = sim.placed(door).unwrap().clone();
    assert_eq!(placed.kind, ObjectKind::Door);
    sim.despawn(door).unwrap();
    placed.state |= State::ETHEREAL.bits();
    let door = sim.add_placed(placed).unwrap();
    assert!(sim.door(door).unwrap().open && !sim.is_swinging(door));
    sim.tick().unwrap();
    assert!((swing_of(&sim, door) - 100.0).abs() < 0.01);
}

#[test]
fn a_door_without_a_motion_opens_and_closes_at_once() {
    let mut sim = sample();
    let at = place(&sim, "Village Green");
    let new =
        threshold_sim::NewObject { state: State::empty(), ..threshold_sim::NewObject::new(PLAYER_SETUP, at) };
    let thing = sim.spawn(new).unwrap();
    let (_, scene) = sim.parts_mut();
    scene.set_motion_table(thing, None).unwrap();
    sim.add_door(thing, None).unwrap();
    assert_eq!(sim.use_object(thing).unwrap(), Some(DoorChange::Opened));
    assert!(!is_solid(&sim, thing));
    assert_eq!(sim.use_object(thing).unwrap(), Some(DoorChange::Closed));
    assert!(is_solid(&sim, thing));
}

#[test]
fn a_use_radius_is_measured_between_the_edges_of_the_two() {
    let mut sim = sample();
    let door = object(&sim, COTTAGE_DOOR);
    let mut placed = sim.placed(door).unwrap().clone();
    sim.despawn(door).unwrap();
    placed.use_radius = Some(1.5);
    placed.reset_interval = Some(2.0);
    let door = sim.add_placed(placed).unwrap();
    let me = sim.spawn_player(place(&sim, "Village Street")).unwrap();
    let refused = sim.use_object_by(me, door);
    assert!(matches!(refused, Err(SimError::OutOfReach { .. })), "{refused:?}");
    let mut near = place(&sim, "Cottage Door");
    near.frame.origin.y += 0.5;
    sim.teleport(me, near).unwrap();
    assert_eq!(sim.use_object_by(me, door).unwrap(), Some(DoorChange::Opened));
    sim.advance(1.9).unwrap();
    assert!(sim.door(door).unwrap().open);
    sim.advance(0.2).unwrap();
    assert!(!sim.door(door).unwrap().open, "its own time is over");
}

#[test]
fn an_opened_door_lets_in_a_player_who_pushed_squarely_against_it() {
    // Without the repair it stands, as in the original.
    for (builder, enters) in [(builder(), true), (builder().keep_stale_slides(), false)] {
        let mut sim = builder.build().unwrap();
        let me = sim.spawn_player(place(&sim, "Cottage Path")).unwrap();
        let door = object(&sim, COTTAGE_DOOR);
        assert_eq!(sim.position(me).unwrap().frame.heading(), 0.0, "it faces the door exactly");
        sim.control(me, FORWARD).unwrap();
        sim.advance(3.0).unwrap();
        let before = sim.position(me).unwrap();
        assert!(before.cell.is_outdoor() && sim.entity(me).unwrap().has(Transient::SLIDING), "{before}");
        sim.use_object(door).unwrap();
        sim.advance(0.7).unwrap();
        let after = sim.position(me).unwrap();
        if enters {
            assert_eq!(after.cell, place(&sim, "Cottage Vestibule").cell, "{after}");
        } else {
            assert_eq!(after.frame.origin, before.frame.origin, "{after}");
        }
    }
}
