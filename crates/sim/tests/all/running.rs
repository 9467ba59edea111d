//! Time, doors, portals and players of a running world.

use crate::support;
use support::*;
use threshold_sim::{Controls, DoorChange, Event, SimError, Simulation};

#[test]
fn a_player_walks_through_the_cottage_door_only_when_it_is_open() {
    let mut sim = sample();
    let me = sim.spawn_player(place(&sim, "Cottage Door")).unwrap();
    let door = object(&sim, COTTAGE_DOOR);
    let inside = place(&sim, "Cottage Vestibule");
    assert!(!walk_to(&mut sim, me, &inside), "the closed door holds");
    assert!(sim.position(me).unwrap().cell.is_outdoor());
    let touched = |sim: &mut Simulation| {
        sim.drain_events()
            .any(|e| matches!(e, Event::Touched { entity, other, .. } if entity == me && other == door))
    };
    assert!(touched(&mut sim), "it was the door");

    assert_eq!(sim.use_object(door).unwrap(), Some(DoorChange::Opened));
    assert!(walk_to(&mut sim, me, &inside), "stuck at {}", sim.position(me).unwrap());
    assert_eq!(sim.position(me).unwrap().cell, inside.cell);
    let events: Vec<Event> = sim.drain_events().collect();
    assert!(events.contains(&Event::DoorOpened(door)));
    assert!(
        events.iter().any(|e| matches!(e, Event::CellChanged { entity, to, .. } if *entity == me && *to == Some(inside.cell))),
        "{events:?}"
    );
}

#[test]
fn two_players_run_exactly_as_far_as_one() {
    let run = |players: usize| {
        let mut sim = sample();
        let start = place(&sim, "Village Street");
        let me = sim.spawn_player(start).unwrap();
        for number in 1..players {
            let mut beside = start;
            beside.frame.origin.x += 6.0 * number as f32;
            let other = sim.spawn_player(beside).unwrap();
            sim.control(other, Controls { back: true, ..Controls::default() }).unwrap();
        }
        let from = sim.position(me).unwrap();
        sim.control(me, Controls { forward: true, ..Controls::default() }).unwrap();
        sim.advance(1.5).unwrap();
        assert_eq!(sim.ticks(), 45);
        let at = sim.position(me).unwrap();
        assert!(from.distance_to(&at) > 8.0, "{at}");
        at
    };
    assert_eq!(run(1), run(2));
    assert_eq!(run(1), run(3));
}

#[test]
fn time_in_small_pieces_is_the_same_time() {
    let run = |pieces: u32| {
        let mut sim = sample();
        let me = sim.spawn_player(place(&sim, "Village Street")).unwrap();
        sim.control(me, Controls { forward: true, turn_left: true, ..Controls::default() }).unwrap();
        for _ in 0..pieces {
            sim.advance(2.0 / f64::from(pieces)).unwrap();
        }
        (sim.ticks(), sim.state_hash())
    };
    assert_eq!(run(1), run(60));
    assert_eq!(run(1), run(288));
    assert!(matches!(sample().advance(f64::NAN), Err(SimError::BadTime(_))));
}

#[test]
fn a_door_closes_by_itself_after_its_own_time() {
    let mut sim = sample();
    let _me = sim.spawn_player(place(&sim, "Cottage Door")).unwrap();
    let door = object(&sim, COTTAGE_DOOR);
    for seconds in [30.0, 4.0] {
        sim.add_door(door, (seconds != 30.0).then_some(seconds)).unwrap();
        sim.use_object(door).unwrap();
        sim.drain_events();
        sim.advance(f64::from(seconds) - 0.1).unwrap();
        assert!(sim.door(door).unwrap().open, "{seconds}");
        sim.advance(0.2).unwrap();
        assert!(!sim.door(door).unwrap().open, "{seconds}");
        assert!(sim.drain_events().any(|event| event == Event::DoorClosed(door)));
    }
}

#[test]
fn a_door_does_not_close_on_anybody() {
    let mut sim = sample();
    let me = sim.spawn_player(place(&sim, "Cottage Door")).unwrap();
    let door = object(&sim, COTTAGE_DOOR);
    sim.use_object(door).unwrap();
    let mut doorway = place(&sim, "Cottage Vestibule");
    doorway.frame.origin.y -= 1.1;
    assert!(walk_to(&mut sim, me, &doorway));
    assert_eq!(sim.use_object(door).unwrap(), Some(DoorChange::Blocked));
    sim.advance(31.0).unwrap();
    assert!(sim.door(door).unwrap().open);
    for next in ["Cottage Vestibule", "Cottage Living Room"] {
        let next = place(&sim, next);
        assert!(walk_to(&mut sim, me, &next), "stuck at {}", sim.position(me).unwrap());
    }
    sim.advance(0.1).unwrap();
    assert!(!sim.door(door).unwrap().open, "it closes as soon as the way is free");
}

#[test]
fn a_portal_leads_away_when_it_is_touched() {
    let mut sim = sample();
    let me = sim.spawn_player(place(&sim, "Cave Shrine")).unwrap();
    let portal = object(&sim, "Portal to the Dungeon");
    let at = sim.position(portal).unwrap();
    walk_to(&mut sim, me, &at);
    sim.tick().unwrap();
    assert_eq!(sim.position(me).unwrap().cell, place(&sim, "Dungeon Entrance").cell);
    let events: Vec<Event> = sim.drain_events().collect();
    let departed = events.iter().position(|e| *e == Event::Departed { entity: me, portal: Some(portal) });
    let arrived = events.iter().position(|e| matches!(e, Event::Arrived { entity, .. } if *entity == me));
    assert!(departed.is_some() && departed < arrived, "{events:?}");
}

#[test]
fn a_teleport_to_nowhere_is_refused_and_changes_nothing() {
    let mut sim = sample();
    let me = sim.spawn_player(place(&sim, "Village Street")).unwrap();
    let before = sim.position(me).unwrap();
    assert!(matches!(sim.teleport(me, "0x10100001 [5 5 0]".parse().unwrap()), Err(SimError::NoBlock(_))));
    sim.teleport(me, "0x808001FF [60 97 20]".parse().unwrap()).unwrap();
    assert!(sim.drain_events().any(|event| matches!(event, Event::NoRoom { .. })), "no such cell");
    assert_eq!(sim.position(me).unwrap(), before);
    let missing = sim.spawn_player("0x808001FF [60 97 20]".parse().unwrap());
    assert!(matches!(missing, Err(SimError::NoCell(_))), "{missing:?}");
    assert_eq!(sim.players().count(), 1);
}

#[test]
fn what_is_gone_is_named_as_such() {
    let mut sim = sample();
    let me = sim.spawn_player(place(&sim, "Village Street")).unwrap();
    let door = object(&sim, COTTAGE_DOOR);
    sim.despawn(me).unwrap();
    assert!(sim.position(me).is_err());
    assert!(matches!(sim.control(me, Controls::default()), Err(SimError::NotAPlayer)));
    assert!(matches!(sim.control(door, Controls::default()), Err(SimError::NotAPlayer)));
    sim.despawn(door).unwrap();
    assert_eq!(sim.use_object(door).unwrap(), None);
    sim.advance(1.0).unwrap();
}

#[test]
fn trees_are_solid() {
    let mut sim = sample();
    let tree = sim.scene().scenery().find(|&key| {
        let tree = sim.scene().get(key).unwrap();
        !tree.model.cylinders.is_empty() && tree.cell.is_some()
    });
    let tree = tree.expect("the sample world has trees");
    let at = sim.position(tree).unwrap();
    let mut south = at;
    south.frame.origin.y -= 3.0;
    let me = sim.spawn_player(south).unwrap();
    assert!(!walk_to(&mut sim, me, &at), "nobody walks into a tree");
    let left = sim.position(me).unwrap().offset_to(&at).truncate().length();
    assert!((0.3..2.0).contains(&left), "it was stopped on the way, {left} m before the tree");
}
