//! Who knows of whom.

use crate::support;
use support::*;
use threshold_sim::{EntityKey, Event, Position, Simulation};

fn in_sight(sim: &Simulation, observer: EntityKey, entity: EntityKey) -> Option<bool> {
    sim.known_to(observer).find(|(key, _)| *key == entity).map(|(_, sight)| sight)
}

/// A player who is told of things, at a place.
fn observer(at: &str) -> (Simulation, EntityKey) {
    let mut sim = sample();
    let me = sim.spawn_player(place(&sim, at)).unwrap();
    sim.keep_known(me).unwrap();
    sim.tick().unwrap();
    (sim, me)
}

fn about(events: &[Event], entity: EntityKey) -> Vec<&Event> {
    let is_about = |event: &&Event| match **event {
        Event::CameInSight { entity: e, .. } | Event::WentOutOfSight { entity: e, .. } => e == entity,
        Event::Forgotten { entity: e, .. } => e == entity,
        _ => false,
    };
    events.iter().filter(is_about).collect()
}

#[test]
fn outdoors_one_knows_of_what_stands_in_the_blocks_around_and_near_enough() {
    let (sim, me) = observer("Village Street");
    for (name, known) in [
        ("Miller", true),
        ("Cottage Door", true),
        // The inn sees the outdoors, and is seen.
        ("Innkeeper", true),
        // In the next block, but farther than 112.5 m.
        ("Fisher", false),
        // In a cellar that sees nothing of the outdoors.
        ("Cottage Chest", false),
        ("Dungeon Boar 1", false),
    ] {
        let key = object(&sim, name);
        assert_eq!(in_sight(&sim, me, key), known.then_some(true), "{name}");
        assert_eq!(sim.knowers_of(key).count(), usize::from(known), "{name}");
    }
    assert_eq!(in_sight(&sim, me, me), None, "nobody is told of itself");
}

#[test]
fn in_a_room_one_knows_of_what_its_visible_cells_hold() {
    let (sim, me) = observer("Cottage Cellar");
    assert_eq!(in_sight(&sim, me, object(&sim, "Cottage Chest")), Some(true));
    assert_eq!(in_sight(&sim, me, object(&sim, "Miller")), None, "the cellar has no windows");
}

#[test]
fn what_goes_out_of_sight_is_forgotten_after_25_seconds_and_not_before() {
    let (mut sim, me) = observer("Village Street");
    let miller = object(&sim, "Miller");
    let first: Vec<Event> = sim.drain_events().collect();
    assert_eq!(about(&first, miller), [&Event::CameInSight { observer: me, entity: miller, is_new: true }]);

    // Out of sight for 20 s, and back.
    let (street, dungeon) = (place(&sim, "Village Street"), place(&sim, "Dungeon Entrance"));
    let go = |sim: &mut Simulation, to: Position| {
        sim.teleport(me, to).unwrap();
        sim.tick().unwrap();
        sim.drain_events().collect::<Vec<Event>>()
    };
    let left = go(&mut sim, dungeon);
    assert_eq!(about(&left, miller), [&Event::WentOutOfSight { observer: me, entity: miller }]);
    sim.advance(20.0).unwrap();
    assert_eq!(in_sight(&sim, me, miller), Some(false), "not forgotten yet");
    let back = go(&mut sim, street);
    assert_eq!(about(&back, miller), [&Event::CameInSight { observer: me, entity: miller, is_new: false }]);

    // Out of sight for good.
    go(&mut sim, dungeon);
    sim.advance(24.9).unwrap();
    assert_eq!(in_sight(&sim, me, miller), Some(false));
    assert!(about(&sim.drain_events().collect::<Vec<_>>(), miller).is_empty());
    sim.advance(0.2).unwrap();
    assert_eq!(in_sight(&sim, me, miller), None);
    let gone: Vec<Event> = sim.drain_events().collect();
    assert_eq!(about(&gone, miller), [&Event::Forgotten { observer: me, entity: miller }]);
    let back = go(&mut sim, street);
    assert_eq!(about(&back, miller), [&Event::CameInSight { observer: me, entity: miller, is_new: true }]);
}

#[test]
fn what_is_taken_out_is_forgotten_at_once_and_what_comes_in_is_seen() {
    let (mut sim, me) = observer("Village Street");
    let miller = object(&sim, "Miller");
    let placed = sim.placed(miller).unwrap().clone();
    sim.drain_events();
    sim.despawn(miller).unwrap();
    sim.tick().unwrap();
    let gone: Vec<Event> = sim.drain_events().collect();
    assert_eq!(about(&gone, miller), [&Event::Forgotten { observer: me, entity: miller }]);
    let again = sim.add_placed(placed).unwrap();
    sim.advance(1.0).unwrap();
    assert_eq!(in_sight(&sim, me, again), Some(true));
}

#[test]
fn two_observers_know_of_each_other_and_each_has_its_own_knowledge() {
    let (mut sim, me) = observer("Village Street");
    let other = sim.spawn_player(place(&sim, "Cottage Cellar")).unwrap();
    sim.keep_known(other).unwrap();
    sim.advance(1.0).unwrap();
    assert_eq!((in_sight(&sim, me, other), in_sight(&sim, other, me)), (None, None));
    sim.teleport(other, place(&sim, "Village Green")).unwrap();
    sim.advance(1.0).unwrap();
    assert_eq!((in_sight(&sim, me, other), in_sight(&sim, other, me)), (Some(true), Some(true)));
    assert_eq!(in_sight(&sim, other, object(&sim, "Cottage Chest")), Some(false), "remembered for a while");
    assert_eq!(in_sight(&sim, me, object(&sim, "Cottage Chest")), None);
    let bytes = sim.snapshot().to_bytes().unwrap();
    let mut copy = sample();
    copy.restore(&threshold_sim::Snapshot::from_bytes(&bytes).unwrap()).unwrap();
    assert!(copy.known_to(me).eq(sim.known_to(me)));
    sim.drop_known(me);
    assert_eq!(sim.known_to(me).count(), 0);
}
