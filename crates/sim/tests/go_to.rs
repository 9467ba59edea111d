//! Ways through the sample world, and who walks them.

use threshold_physics::EntityRole;
use threshold_sim::{
    EntityKey, Event, GaveUp, NewObject, PLAYER_STATE, PathRequest, Position, Simulation, Walker,
    nav::{Obstruction, Policy},
};

/// On the road in front of a house.
const ROAD: &str = "0x80800015 [60 97.5 20.01]";
/// In the room upstairs.
const UPSTAIRS: &str = "0x80800108 [59.2 110 23.255]";
/// Game id of the house's front door.
const FRONT_DOOR: u32 = 1;

fn at(text: &str) -> Position {
    text.parse().expect("a place")
}

/// Lets time pass until somebody has come somewhere or given up, for at most a minute.
fn wait(sim: &mut Simulation, who: EntityKey) -> Vec<Event> {
    let mut events = Vec::new();
    for _ in 0..60 * 30 {
        sim.tick().expect("a tick");
        events.extend(sim.drain_events());
        if !sim.is_going(who) {
            break;
        }
    }
    events
}

#[test]
fn a_player_goes_into_a_house_and_up_its_stairs_through_a_closed_door() {
    let mut sim = Simulation::sample().expect("the sample world");
    let me = sim.spawn_player(at(ROAD)).expect("a player");
    let route = sim.go_to(me, &at(UPSTAIRS), &Policy::default()).expect("an answer").expect("a way");
    assert!(route.proved);
    assert_eq!(route.doors, [FRONT_DOOR]);
    assert!((20.0..40.0).contains(&route.length), "{} m", route.length);
    let door = sim.find(FRONT_DOOR).expect("the door");
    let events = wait(&mut sim, me);
    assert!(events.contains(&Event::DoorOpened(door)));
    assert!(
        events.iter().any(|e| matches!(e, Event::CameTo { entity, .. } if *entity == me)),
        "{:?}",
        sim.position(me)
    );
    let here = sim.position(me).expect("the player");
    assert!(here.distance_to(&at(UPSTAIRS)) < 0.4, "{here}");
    assert_eq!(here.cell, at(UPSTAIRS).cell);
}

#[test]
fn a_villager_with_a_motion_table_goes_the_same_way() {
    let mut sim = Simulation::sample().expect("the sample world");
    // Objects move where somebody looks.
    sim.observe(at(ROAD)).expect("an observer");
    let watchman = sim.find_by_name("Watchman").expect("the watchman");
    let setup = sim.placed(watchman).expect("what is known of it").setup;
    let role = EntityRole { creature: true, ..EntityRole::default() };
    let new = NewObject { state: PLAYER_STATE, role, ..NewObject::new(setup, at(ROAD)) };
    let villager = sim.spawn(NewObject { guid: Some(0x7000_0001), ..new }).expect("a villager");
    (0..10).for_each(|_| sim.tick().expect("a tick"));
    let route = sim.go_to(villager, &at(UPSTAIRS), &Policy::default()).expect("an answer").expect("a way");
    assert_eq!(route.doors, [FRONT_DOOR]);
    let events = wait(&mut sim, villager);
    let here = sim.position(villager).expect("the villager");
    let ended = events.iter().filter(|e| matches!(e, Event::CameTo { .. } | Event::GaveUpGoing { .. }));
    assert!(here.distance_to(&at(UPSTAIRS)) < 0.4, "{here}: {:?}", ended.collect::<Vec<_>>());
}

#[test]
fn one_who_leaves_doors_shut_is_told_where_the_region_ends() {
    let mut sim = Simulation::sample().expect("the sample world");
    let me = sim.spawn_player(at(ROAD)).expect("a player");
    let why =
        sim.go_to(me, &at(UPSTAIRS), &Policy::leaving_doors_shut()).expect("an answer").expect_err("no way");
    assert_eq!(why.why, Obstruction::RegionEnds);
    assert!(why.nearest.cell.is_outdoor() && why.gap > 3.0, "{why:?}");
    assert!(!sim.is_going(me));
    // Once the door stands open the same policy lets one in.
    let door = sim.find(FRONT_DOOR).expect("the door");
    sim.open_door(door).expect("a door");
    let route =
        sim.go_to(me, &at(UPSTAIRS), &Policy::leaving_doors_shut()).expect("an answer").expect("a way");
    assert!(route.doors.is_empty());
}

#[test]
fn keys_end_a_walk() {
    let mut sim = Simulation::sample().expect("the sample world");
    let me = sim.spawn_player(at(ROAD)).expect("a player");
    sim.go_to(me, &at("0x80800024 [110 90 20.01]"), &Policy::default()).expect("an answer").expect("a way");
    sim.tick().expect("a tick");
    assert!(sim.is_going(me));
    sim.control(me, threshold_sim::Controls { left: true, ..Default::default() }).expect("a player");
    let events = wait(&mut sim, me);
    assert!(events.iter().any(|e| matches!(e, Event::GaveUpGoing { why: GaveUp::Keys, .. })));
}

#[test]
fn a_restored_walk_ends_where_the_first_one_did() {
    let mut sim = Simulation::sample().expect("the sample world");
    let me = sim.spawn_player(at(ROAD)).expect("a player");
    sim.go_to(me, &at(UPSTAIRS), &Policy::default()).expect("an answer").expect("a way");
    (0..20).for_each(|_| sim.tick().expect("a tick"));
    let half_way = sim.snapshot();
    wait(&mut sim, me);
    let first = (sim.ticks(), sim.state_hash());
    sim.restore(&half_way).expect("the snapshot");
    wait(&mut sim, me);
    assert_eq!((sim.ticks(), sim.state_hash()), first);
}

#[test]
fn many_ways_are_found_at_once() {
    let mut sim = Simulation::sample().expect("the sample world");
    let policy = Policy::default();
    let ends = [(ROAD, UPSTAIRS), (UPSTAIRS, ROAD), (ROAD, "0x80800024 [110 90 20.01]")];
    let requests: Vec<PathRequest<'_>> = ends
        .iter()
        .map(|(from, to)| PathRequest {
            walker: Walker::default(),
            from: at(from),
            to: at(to),
            policy: &policy,
            prove: true,
        })
        .collect();
    let answers = sim.find_paths(&requests);
    for (answer, (from, to)) in answers.into_iter().zip(ends) {
        let route = answer.expect("an answer").unwrap_or_else(|why| panic!("{from} to {to}: {why:?}"));
        assert!(route.waypoints.last().expect("a goal").distance_to(&at(to)) < 0.3);
    }
}

#[test]
fn a_player_takes_a_portal_on_the_way_into_the_dungeon() {
    let mut sim = Simulation::sample().expect("the sample world");
    let [start, hall] =
        ["Cave Entrance", "Dungeon Great Hall"].map(|name| sim.find_place(name).expect("a place"));
    let me = sim.spawn_player(start).expect("a player");
    let why = sim.go_to(me, &hall, &Policy::default()).expect("an answer").expect_err("no way on foot");
    assert_eq!(why.why, Obstruction::RegionEnds);
    let policy = Policy { takes_portals: true, ..Policy::default() };
    let route = sim.go_to(me, &hall, &policy).expect("an answer").expect("a way");
    let portal = sim.find_by_name("Portal to the Dungeon").expect("the portal");
    assert_eq!(route.passages.len(), 1);
    assert_eq!(sim.find(route.passages[0].portal), Some(portal));
    let events = wait(&mut sim, me);
    assert!(events.contains(&Event::Departed { entity: me, portal: Some(portal) }));
    assert!(events.iter().any(|e| matches!(e, Event::CameTo { .. })), "{:?}", sim.position(me));
    let here = sim.position(me).expect("the player");
    assert!(here.distance_to(&hall) < 0.4, "{here}");
}
