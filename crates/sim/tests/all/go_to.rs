//! Ways through the sample world, and who walks them.

use threshold_physics::EntityRole;
use threshold_sim::{
    EntityKey, Event, GaveUp, NewObject, PLAYER_STATE, PathRequest, Position, Simulation, Snapshot, Walker,
    nav::{Obstruction, Policy, Route, Unreachable},
};
use threshold_world::BlockId;

/// On the road in front of a house.
const ROAD: &str = "0x80800015 [60 97.5 20.01]";
/// In the room upstairs.
const UPSTAIRS: &str = "0x80800108 [59.2 110 23.255]";
/// In the house's front door.
const HALL_DOOR: &str = "0x80800104 [60 104.2 20.25]";
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

/// Sends somebody somewhere and lets time pass until it knows its way, or that there is none.
fn set_out(
    sim: &mut Simulation,
    who: EntityKey,
    to: &Position,
    policy: &Policy,
) -> Result<Route, Unreachable> {
    sim.go_to(who, to, policy).expect("somebody with legs");
    for _ in 0..60 * 30 {
        sim.tick().expect("a tick");
        for event in sim.drain_events() {
            match event {
                Event::SetOut { entity, route } if entity == who => return Ok(*route),
                Event::GaveUpGoing { entity, why: GaveUp::Unreachable(why), .. } if entity == who => {
                    return Err(why);
                }
                _ => {}
            }
        }
    }
    panic!("no answer in a minute");
}

#[test]
fn a_player_goes_into_a_house_and_up_its_stairs_through_a_closed_door() {
    let mut sim = Simulation::sample().expect("the sample world");
    let me = sim.spawn_player(at(ROAD)).expect("a player");
    let route = set_out(&mut sim, me, &at(UPSTAIRS), &Policy::default()).expect("a way");
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
    let villager = villager(&mut sim, at(ROAD));
    (0..10).for_each(|_| sim.tick().expect("a tick"));
    let route = set_out(&mut sim, villager, &at(UPSTAIRS), &Policy::default()).expect("a way");
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
    let why = set_out(&mut sim, me, &at(UPSTAIRS), &Policy::leaving_doors_shut()).expect_err("no way");
    assert_eq!(why.why, Obstruction::RegionEnds);
    assert!(why.nearest.cell.is_outdoor() && why.gap > 3.0, "{why:?}");
    assert!(!sim.is_going(me));
    // Once the door stands open the same policy lets one in.
    let door = sim.find(FRONT_DOOR).expect("the door");
    sim.open_door(door).expect("a door");
    let route = set_out(&mut sim, me, &at(UPSTAIRS), &Policy::leaving_doors_shut()).expect("a way");
    assert!(route.doors.is_empty());
}

#[test]
fn keys_end_a_walk() {
    let mut sim = Simulation::sample().expect("the sample world");
    let me = sim.spawn_player(at(ROAD)).expect("a player");
    set_out(&mut sim, me, &at("0x80800024 [110 90 20.01]"), &Policy::default()).expect("a way");
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
    set_out(&mut sim, me, &at(UPSTAIRS), &Policy::default()).expect("a way");
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
    let why = set_out(&mut sim, me, &hall, &Policy::default()).expect_err("no way on foot");
    assert_eq!(why.why, Obstruction::RegionEnds);
    let policy = Policy::default().takes_portals(true);
    let route = set_out(&mut sim, me, &hall, &policy).expect("a way");
    let portal = sim.find_by_name("Portal to the Dungeon").expect("the portal");
    assert_eq!(route.passages.len(), 1);
    assert_eq!(sim.find(route.passages[0].portal), Some(portal));
    let events = wait(&mut sim, me);
    assert!(events.contains(&Event::Departed { entity: me, portal: Some(portal) }));
    assert!(events.iter().any(|e| matches!(e, Event::CameTo { .. })), "{:?}", sim.position(me));
    let here = sim.position(me).expect("the player");
    assert!(here.distance_to(&hall) < 0.4, "{here}");
}

/// The route of a player who is sent into the house, the tick that it sets out at, and the state a second later.
fn first_way(sim: &mut Simulation) -> (u64, Route, u64) {
    let me = sim.spawn_player(at(ROAD)).expect("a player");
    let route = set_out(sim, me, &at(UPSTAIRS), &Policy::default()).expect("a way");
    let ticks = sim.ticks();
    sim.advance(1.0).expect("a second");
    (ticks, route, sim.state_hash())
}

#[test]
fn meshes_are_built_over_many_ticks_the_same_with_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| first_way(&mut Simulation::sample().expect("the sample world")))
    };
    let (ticks, route, hash) = run(1);
    // The village's mesh takes more than fifty thousand sweeps, and a tick makes 1,500 of them.
    assert!((20..300).contains(&ticks), "it set out at tick {ticks}");
    assert!(route.proved);
    for threads in [2, 8] {
        assert_eq!(run(threads), (ticks, route.clone(), hash), "with {threads} threads");
    }
}

#[test]
fn who_asked_before_does_not_change_when_somebody_sets_out() {
    let first = first_way(&mut Simulation::sample().expect("the sample world"));
    let mut sim = Simulation::sample().expect("the sample world");
    let policy = Policy::default();
    // The same meshes, built at once for a question.
    let walker = Walker { gait: threshold_sim::Gait::Walk, ..Walker::default() };
    let request = PathRequest { walker, from: at(ROAD), to: at(UPSTAIRS), policy: &policy, prove: true };
    sim.find_path(&request).expect("an answer").expect("a way");
    assert_eq!(first_way(&mut sim), first);
}

#[test]
fn one_who_waits_for_a_mesh_goes_on_from_a_snapshot_in_another_simulation() {
    let mut sim = Simulation::sample().expect("the sample world");
    let me = sim.spawn_player(at(ROAD)).expect("a player");
    sim.go_to(me, &at(UPSTAIRS), &Policy::default()).expect("a player");
    (0..10).for_each(|_| sim.tick().expect("a tick"));
    assert!(sim.is_going(me) && sim.way_ahead(me).is_empty(), "it still looks for its way");
    let bytes = sim.snapshot().to_bytes().expect("bytes");
    let mut other = Simulation::sample().expect("the sample world");
    other.restore(&Snapshot::from_bytes(&bytes).expect("a snapshot")).expect("the same data files");
    for sim in [&mut sim, &mut other] {
        wait(sim, me);
    }
    assert_eq!((sim.ticks(), sim.state_hash()), (other.ticks(), other.state_hash()));
    assert!(sim.position(me).expect("the player").distance_to(&at(UPSTAIRS)) < 0.4);
}

/// A board of 1.4 m across that can be hit.
fn board(sim: &mut Simulation, at: Position) -> EntityKey {
    let target = sim.find_by_name("Target").expect("the target");
    let placed = sim.placed(target).expect("what is known of it");
    let state = threshold_sim::State::from_bits_truncate(placed.state);
    let new = NewObject { state, ..NewObject::new(placed.setup, at) };
    sim.spawn(new).expect("a board")
}

#[test]
fn one_whose_way_is_barred_meanwhile_goes_around() {
    let mut sim = Simulation::sample().expect("the sample world");
    let me = sim.spawn_player(at("0x80800014 [70 92.5 20.01]")).expect("a player");
    let goal = at("0x80800024 [110 92.5 20.01]");
    let route = set_out(&mut sim, me, &goal, &Policy::default()).expect("a way");
    assert_eq!(route.waypoints.len(), 2, "straight along the street");
    let mut bar = at("0x80800024 [98 92.5 20]");
    bar.frame.set_heading(90.0);
    board(&mut sim, bar);
    // It does not run into the board first.
    let mut nearest = f32::INFINITY;
    let mut came = false;
    for _ in 0..60 * 30 {
        sim.tick().expect("a tick");
        nearest = nearest.min(sim.position(me).expect("the player").offset_to(&bar).truncate().length());
        came |= sim.drain_events().any(|e| matches!(e, Event::CameTo { entity, .. } if entity == me));
    }
    assert!(came, "{:?}", sim.position(me));
    assert!(nearest > 0.8, "it came within {nearest} m of the board's middle");
}

/// A villager with a motion table: it walks at 3.12 m/s.
fn villager(sim: &mut Simulation, at: Position) -> EntityKey {
    let watchman = sim.find_by_name("Watchman").expect("the watchman");
    let setup = sim.placed(watchman).expect("what is known of it").setup;
    let role = EntityRole { creature: true, ..EntityRole::default() };
    let new = NewObject { state: PLAYER_STATE, role, ..NewObject::new(setup, at) };
    sim.spawn(NewObject { guid: Some(0x7000_0001), ..new }).expect("a villager")
}

#[test]
fn a_walker_whose_way_is_barred_far_ahead_takes_another_one_within_seconds() {
    let mut sim = Simulation::sample().expect("the sample world");
    sim.observe(at(ROAD)).expect("an observer");
    let walker = villager(&mut sim, at("0x80800014 [70 92.5 20.01]"));
    (0..10).for_each(|_| sim.tick().expect("a tick"));
    let goal = at("0x80800024 [110 92.5 20.01]");
    let route = set_out(&mut sim, walker, &goal, &Policy::default()).expect("a way");
    assert_eq!(route.waypoints.len(), 2, "straight along the street");
    let mut bar = at("0x80800024 [98 92.5 20]");
    bar.frame.set_heading(90.0);
    board(&mut sim, bar);
    // The check of the next second finds it out, and the mesh takes two seconds.
    let noticed = (0..5 * 30).find(|_| {
        sim.tick().expect("a tick");
        sim.way_ahead(walker).len() > 1
    });
    let left = sim.position(walker).expect("the villager").offset_to(&bar).truncate().length();
    assert!(noticed.is_some() && left > 8.0, "{noticed:?}, {left} m from the board");
}

#[test]
fn a_walker_gives_up_as_soon_as_its_only_door_is_closed_far_ahead() {
    let mut sim = Simulation::sample().expect("the sample world");
    sim.observe(at(ROAD)).expect("an observer");
    let door = sim.find(FRONT_DOOR).expect("the door");
    sim.open_door(door).expect("a door");
    let walker = villager(&mut sim, at("0x80800014 [60 78 20.01]"));
    (0..10).for_each(|_| sim.tick().expect("a tick"));
    set_out(&mut sim, walker, &at(UPSTAIRS), &Policy::leaving_doors_shut()).expect("a way");
    sim.close_door(door).expect("a door");
    let gave_up = (0..2 * 30).any(|_| {
        sim.tick().expect("a tick");
        sim.drain_events().any(|e| matches!(e, Event::GaveUpGoing { why: GaveUp::Unreachable(_), .. }))
    });
    let left = sim.position(walker).expect("the villager").offset_to(&at(HALL_DOOR)).truncate().length();
    assert!(gave_up && left > 8.0, "gave up: {gave_up}, {left} m from the door");
}

#[test]
fn one_who_is_held_up_by_somebody_gives_up_and_says_so() {
    let mut sim = Simulation::sample().expect("the sample world");
    let me = sim.spawn_player(at(ROAD)).expect("a player");
    let door = sim.find(FRONT_DOOR).expect("the door");
    sim.open_door(door).expect("a door");
    // Somebody stands in the door, which is 1.6 m wide: what lives counts for no way.
    let watchman = sim.find_by_name("Watchman").expect("the watchman");
    let setup = sim.placed(watchman).expect("what is known of it").setup;
    let role = EntityRole { creature: true, ..EntityRole::default() };
    let new = NewObject::new(setup, at("0x80800015 [60 103.4 20.01]"));
    sim.spawn(NewObject { state: PLAYER_STATE, role, ..new }).expect("somebody");
    set_out(&mut sim, me, &at(UPSTAIRS), &Policy::default()).expect("a way");
    let events = wait(&mut sim, me);
    let why = events.iter().find_map(|e| match e {
        Event::GaveUpGoing { why, .. } => Some(*why),
        _ => None,
    });
    assert_eq!(why, Some(GaveUp::Blocked), "{:?}", sim.position(me));
    assert!(sim.position(me).expect("the player").cell.is_outdoor());
}

#[test]
fn a_dart_that_lies_elsewhere_leaves_the_mesh_as_it_is() {
    let mut sim = Simulation::sample().expect("the sample world");
    sim.spawn_player(sim.find_place("Practice Ground").expect("a place")).expect("a player");
    // The watchman takes up his torch first.
    sim.advance(1.0).expect("a second");
    let village = BlockId(0x8080);
    let walker = Walker::default();
    sim.with_nav(&walker, |nav, around| nav.mesh(around, village).len()).expect("a mesh");
    let dart = sim.find_by_name("Dart").expect("the dart");
    let mut lay = Vec::new();
    for _ in 0..14 {
        sim.advance(1.0).expect("a second");
        if sim.entity(dart).expect("the dart").parent.is_none() {
            lay.push(sim.position(dart).expect("the dart").frame.origin.to_array().map(f32::to_bits));
        }
        assert!(sim.with_nav(&walker, |nav, _| nav.built(village).is_some()).expect("a mesh"));
    }
    lay.dedup();
    assert!(lay.len() > 1, "the dart lay in {} places", lay.len());
    // A board that is put up is something else.
    board(&mut sim, at("0x80800024 [98 92.5 20]"));
    assert!(!sim.with_nav(&walker, |nav, _| nav.built(village).is_some()).expect("a mesh"));
}
