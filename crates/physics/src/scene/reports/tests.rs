//! Worked examples 28 to 30 of the specification (entities §11), and the rules around them.

use super::*;
use crate::{
    flags::MoverFlags,
    scene::{EntityRole, Spawn},
    sweep::{Mover, SweepInput, Sweeper},
    testing::{LAND, at, flat, model, v, world},
};
use threshold_world::{
    Frame, Position, World,
    geometry::{Cylinder, Sphere},
};

const MISSILE: State = State::from_bits_retain(0x1_0348);
const CREATURE: EntityRole =
    EntityRole { has_game_object: true, creature: true, attackable: true, ..EntityRole::UNKNOWN };

fn spawn(scene: &mut Scene, world: &World, at: Position, state: State, role: EntityRole) -> EntityKey {
    let sphere = Sphere { center: v(0.0, 0.0, 0.5), radius: 0.4 };
    let guid = Some(scene.len() as u32 + 1);
    let model = model(&[sphere], &[]);
    scene.spawn(world, Spawn { guid, model, position: at, state, scale: 1.0, role }).expect("a body")
}

/// A post that can be hit and wants to know.
fn post(scene: &mut Scene, world: &World, at: Position, state: State) -> EntityKey {
    let cylinder = Cylinder { low: Vec3::ZERO, radius: 0.4, height: 1.8 };
    let guid = Some(scene.len() as u32 + 1);
    let mut model = model(&[], &[cylinder]);
    std::sync::Arc::make_mut(&mut model).height = 1.8;
    let spawn = Spawn { guid, model, position: at, state, scale: 1.0, role: CREATURE };
    scene.spawn(world, spawn).expect("a post")
}

fn fly(scene: &mut Scene, world: &World, key: EntityKey, ticks: usize) -> Vec<Event> {
    for _ in 0..ticks {
        scene.advance_clock(1.0 / 30.0).expect("a time");
        scene.update(world, key).expect("a tick");
    }
    reports(scene)
}

/// What was reported, leaving out cells and ground.
fn reports(scene: &mut Scene) -> Vec<Event> {
    let is_report = |event: &Event| {
        matches!(
            event,
            Event::Collided { .. }
                | Event::MissileHit { .. }
                | Event::CollisionEnded { .. }
                | Event::HitEnvironment { .. }
        )
    };
    scene.drain_events().filter(is_report).collect()
}

#[test]
fn example_28_quadrants() {
    for (point, bits) in [
        (v(0.3, 0.5, 1.3), 0x31),
        (v(-0.1, -0.2, 0.5), 0x4C),
        (v(0.0, 0.0, 0.59), 0x34),
        (v(0.0, 0.0, 0.61), 0x32),
        (v(0.0, 0.0, 1.19), 0x32),
        (v(0.0, 0.0, 1.21), 0x31),
    ] {
        assert_eq!(Quadrant::of(point, 1.8).bits(), bits, "{point}");
    }
}

/// Two bodies, and how often the first one was told of the second.
#[test]
fn example_29_a_contact_is_reported_once_and_ends_a_second_after_the_last_touch() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let report = State::REPORT_COLLISIONS;
    let key = spawn(&mut scene, &world, at(LAND, 5.0, 5.0, 0.0), report, EntityRole::default());
    let other = spawn(&mut scene, &world, at(LAND, 9.0, 5.0, 0.0), report, EntityRole::default());
    let touch = |scene: &mut Scene, now: f64| {
        scene.now = now;
        scene.track(key, other, Transient::empty());
        scene.end_stale_collisions(key);
        reports(scene)
    };
    let commit = |scene: &mut Scene, now: f64| {
        scene.now = now;
        scene.end_stale_collisions(key);
        reports(scene)
    };
    let ends =
        [Event::CollisionEnded { entity: key, other }, Event::CollisionEnded { entity: other, other: key }];
    assert_eq!(touch(&mut scene, 0.0).len(), 2, "both are told");
    assert_eq!(touch(&mut scene, 0.5), []);
    assert_eq!(commit(&mut scene, 1.5), []);
    assert_eq!(commit(&mut scene, 1.51), ends);
    assert_eq!(touch(&mut scene, 1.6).len(), 2);
    // Ethereal: it ends with the first later commit without a touch.
    scene.now = 3.0;
    scene.end_collisions(key);
    assert_eq!(reports(&mut scene), ends, "forced");
    scene.set_state(other, report | State::ETHEREAL).expect("a state");
    assert_eq!(touch(&mut scene, 4.0).len(), 2);
    assert_eq!(commit(&mut scene, 4.0), []);
    assert_eq!(commit(&mut scene, 4.01), ends);
}

#[test]
fn example_30_a_missile_stops_being_one_when_it_hits() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let missile = spawn(&mut scene, &world, at(LAND, 12.0, 6.0, 0.7), MISSILE, EntityRole::default());
    let first = post(&mut scene, &world, at(LAND, 12.0, 8.0, 0.0), State::REPORT_COLLISIONS);
    let second = post(&mut scene, &world, at(LAND, 4.0, 4.0, 0.0), State::REPORT_COLLISIONS);
    scene.set_velocity(missile, v(0.0, 10.0, 0.0)).expect("a velocity");
    let told = fly(&mut scene, &world, missile, 10);
    // From the south, half-way up; the one that is hit is told, too, with contact and missile the wrong way round.
    let quadrant = Quadrant::RIGHT | Quadrant::BACK | Quadrant::MIDDLE;
    let profile = CollisionProfile { velocity: v(0.0, 10.0, 0.0), flags: ProfileFlags::IN_CONTACT };
    assert_eq!(
        told,
        [
            Event::MissileHit { missile, target: first, quadrant },
            Event::Collided { entity: first, other: missile, profile },
        ]
    );
    assert_eq!(scene.get(missile).expect("it flies on").state.bits(), 0x1_0008);
    scene.track(missile, second, Transient::empty());
    let flags = ProfileFlags::CREATURE | ProfileFlags::ATTACKABLE;
    let told = reports(&mut scene);
    let [Event::Collided { entity, other, profile }, Event::Collided { .. }] = told[..] else {
        panic!("{told:?}")
    };
    assert_eq!((entity, other, profile.flags), (missile, second, flags));
}

#[test]
fn a_missile_flies_through_what_ignores_collisions() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let missile = spawn(&mut scene, &world, at(LAND, 12.0, 6.0, 0.7), MISSILE, EntityRole::default());
    let ghost = post(&mut scene, &world, at(LAND, 4.0, 4.0, 0.0), State::IGNORE_COLLISIONS);
    scene.track(missile, ghost, Transient::empty());
    assert_eq!(reports(&mut scene), []);
    assert_eq!(scene.get(missile).expect("a missile").state, MISSILE);
}

#[test]
fn the_environment_is_reported_once_with_the_velocity_of_the_impact() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let state = State::REPORT_COLLISIONS | State::GRAVITY | State::INELASTIC;
    let key = spawn(&mut scene, &world, at(LAND, 12.0, 6.0, 1.0), state, EntityRole::default());
    scene.set_velocity(key, v(0.0, 0.0, -5.0)).expect("a velocity");
    let told = fly(&mut scene, &world, key, 30);
    let [Event::HitEnvironment { entity, velocity, had_contact: false }] = told[..] else {
        panic!("{told:?}")
    };
    assert_eq!(entity, key);
    assert!((-8.0..-5.0).contains(&velocity.z), "before the bounce: {velocity}");
}

#[test]
fn what_reports_as_environment_is_no_object_to_others() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let report = State::REPORT_COLLISIONS;
    let key = spawn(&mut scene, &world, at(LAND, 12.0, 6.0, 0.7), report, EntityRole::default());
    let wall = post(&mut scene, &world, at(LAND, 12.0, 8.0, 0.0), report | State::REPORT_AS_ENVIRONMENT);
    scene.set_velocity(key, v(0.0, 5.0, 0.0)).expect("a velocity");
    let told = fly(&mut scene, &world, key, 15);
    let [Event::HitEnvironment { entity, velocity, .. }] = told[..] else { panic!("{told:?}") };
    assert_eq!((entity, velocity.y), (key, 5.0));
    scene.end_collisions(key);
    assert_eq!(reports(&mut scene), [], "nor does such a contact end");
    assert!(scene.get(wall).expect("a wall").collisions().is_empty());
}

/// Nothing in the ordinary movement sets the flag: a host may. What it runs into is touched, but no obstacle.
#[test]
fn a_mover_that_ignores_creatures_only_touches_them() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let creature = post(&mut scene, &world, at(LAND, 12.0, 8.0, 0.0), State::REPORT_COLLISIONS);
    let key = spawn(&mut scene, &world, at(LAND, 12.0, 6.0, 0.7), State::empty(), EntityRole::default());
    let body = scene.get(key).expect("a body");
    let to = at(LAND, 12.0, 10.0, 0.7);
    for (flags, hits) in [(MoverFlags::IGNORE_CREATURES, None), (MoverFlags::empty(), Some(creature))] {
        let mover = Mover { flags, ..body.as_mover(key) };
        let mut sweeper = Sweeper::new();
        let input = SweepInput::new(mover, &body.position, &to);
        let outcome = *sweeper.sweep(&world, &scene, input, None).expect("a sweep");
        assert_eq!(outcome.log.last_touched, hits, "{flags:?}");
        assert!(sweeper.touched().contains(&creature), "{flags:?}");
    }
}

#[test]
fn what_hides_ends_its_collisions_and_reports_them_again_when_it_shows_itself() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let report = State::REPORT_COLLISIONS;
    let key = spawn(&mut scene, &world, at(LAND, 12.0, 6.0, 0.7), report, EntityRole::default());
    let other = post(&mut scene, &world, at(LAND, 12.0, 8.0, 0.0), State::empty());
    scene.track(key, other, Transient::empty());
    assert_eq!(reports(&mut scene).len(), 1);
    scene.set_state(key, report | State::HIDDEN).expect("a state");
    assert_eq!(reports(&mut scene), [Event::CollisionEnded { entity: key, other }]);
    let hidden = scene.get(key).expect("a body").state;
    assert_eq!(hidden, State::HIDDEN | State::IGNORE_COLLISIONS);
    // Touched while it hides, without a report.
    scene.track(key, other, Transient::empty());
    assert_eq!(reports(&mut scene), []);
    scene.set_state(key, State::IGNORE_COLLISIONS).expect("a state");
    assert_eq!(scene.get(key).expect("a body").state, report);
    let told = reports(&mut scene);
    assert!(matches!(told[..], [Event::Collided { entity, .. }] if entity == key), "{told:?}");
    // A word that leaves it hidden but says nothing of collisions lets it collide again.
    scene.set_state(key, report | State::HIDDEN).expect("a state");
    scene.set_state(key, State::HIDDEN).expect("a state");
    assert_eq!(scene.get(key).expect("a body").state, State::HIDDEN);
}

#[test]
fn a_missile_with_a_target_passes_every_other_creature() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let from = Position::new(LAND, Frame::at(v(12.0, 4.0, 0.7)));
    let missile = spawn(&mut scene, &world, from, MISSILE, EntityRole::default());
    let passed = post(&mut scene, &world, at(LAND, 12.0, 7.0, 0.0), State::REPORT_COLLISIONS);
    let target = post(&mut scene, &world, at(LAND, 12.0, 10.0, 0.0), State::REPORT_COLLISIONS);
    for (aim, hit) in [(Some(target), target), (None, passed)] {
        scene.update_position(&world, missile, from).expect("a place");
        scene.set_state(missile, MISSILE).expect("a state");
        scene.set_target(missile, aim).expect("a target");
        scene.set_velocity(missile, v(0.0, 20.0, 0.0)).expect("a velocity");
        let told = fly(&mut scene, &world, missile, 12);
        let hits = told.iter().filter_map(|event| match event {
            Event::MissileHit { target, .. } => Some(*target),
            _ => None,
        });
        assert_eq!(hits.collect::<Vec<_>>(), [hit], "{aim:?}");
        assert!(!scene.get(missile).expect("a missile").state.contains(State::MISSILE), "it has stopped");
        scene.end_collisions(missile);
        scene.drain_events();
    }
}

/// Spec: entities §6.5: to self about the other, then to the other about self with the original's slip.
#[test]
fn what_each_of_two_is_told_of_the_other() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let report = State::REPORT_COLLISIONS;
    let player = EntityRole { is_player: true, ..EntityRole::default() };
    let door = EntityRole { door: true, ..EntityRole::default() };
    let key = spawn(&mut scene, &world, at(LAND, 5.0, 5.0, 0.0), report, player);
    let other = spawn(&mut scene, &world, at(LAND, 9.0, 5.0, 0.0), report, door);
    scene.set_velocity(key, v(0.0, 5.0, 1.0)).expect("a velocity");
    scene.set_velocity(other, v(1.0, -2.0, 0.0)).expect("a velocity");
    scene.track(key, other, Transient::CONTACT);
    let velocity = v(-1.0, 7.0, 1.0);
    let to_self = ProfileFlags::DOOR | ProfileFlags::SELF_IN_CONTACT;
    let to_other = ProfileFlags::CREATURE | ProfileFlags::PLAYER | ProfileFlags::MISSILE;
    let profile = |flags| CollisionProfile { velocity, flags };
    assert_eq!(
        reports(&mut scene),
        [
            Event::Collided { entity: key, other, profile: profile(to_self) },
            Event::Collided { entity: other, other: key, profile: profile(to_other) },
        ]
    );
}

/// Who does not ask for reports, or is unknown to the game, is told nothing; who ignores collisions is not told of.
#[test]
fn only_those_are_told_who_ask_and_whom_the_game_knows() {
    let world = world(flat(0.0), vec![], vec![]);
    let (report, ignore) = (State::REPORT_COLLISIONS, State::IGNORE_COLLISIONS);
    for (state, role, other_state, told) in [
        (report, EntityRole::default(), State::empty(), [true, false]),
        (State::empty(), EntityRole::default(), report, [false, true]),
        (report, EntityRole::UNKNOWN, report, [false, true]),
        (report, EntityRole::default(), report | ignore, [false, true]),
        (report | ignore, EntityRole::default(), report, [true, false]),
    ] {
        let mut scene = Scene::new();
        let key = spawn(&mut scene, &world, at(LAND, 5.0, 5.0, 0.0), state, role);
        let other = spawn(&mut scene, &world, at(LAND, 9.0, 5.0, 0.0), other_state, EntityRole::default());
        scene.track(key, other, Transient::empty());
        let reports = reports(&mut scene);
        let is_told = |who| {
            reports.iter().any(|event| matches!(event, Event::Collided { entity, .. } if *entity == who))
        };
        assert_eq!([is_told(key), is_told(other)], told, "{state:?} {other_state:?}");
    }
}

#[test]
fn a_hit_of_the_environment_is_reported_again_after_a_commit_without_one() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let key =
        spawn(&mut scene, &world, at(LAND, 5.0, 5.0, 0.0), State::REPORT_COLLISIONS, EntityRole::default());
    let mut commit = |hit_environment: bool, previous: Transient| {
        let log = crate::sweep::ContactLog { hit_environment, ..Default::default() };
        scene.respond(key, &log, &[], previous);
        let contacts = reports(&mut scene).into_iter().map(|event| match event {
            Event::HitEnvironment { had_contact, .. } => had_contact,
            event => panic!("{event:?}"),
        });
        contacts.collect::<Vec<_>>()
    };
    assert_eq!(commit(true, Transient::empty()), [false], "there was no ground before");
    assert_eq!(commit(true, Transient::empty()), [false; 0], "it lasts");
    assert_eq!(commit(false, Transient::empty()), [false; 0]);
    assert_eq!(commit(true, Transient::CONTACT), [true]);
}

#[test]
fn the_quadrant_of_a_hit_is_as_its_target_sees_it() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let missile = spawn(&mut scene, &world, at(LAND, 12.1, 7.0, 1.5), MISSILE, EntityRole::default());
    let mut from = at(LAND, 12.0, 8.0, 0.0);
    from.frame.set_heading(180.0);
    let target = post(&mut scene, &world, from, State::empty());
    scene.track(missile, target, Transient::empty());
    // It comes from the south, where the target looks; east is to its left.
    let quadrant = Quadrant::LEFT | Quadrant::FRONT | Quadrant::HIGH;
    assert_eq!(reports(&mut scene), [Event::MissileHit { missile, target, quadrant }]);
}

#[test]
fn a_static_is_environment_and_reported_once() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let key =
        spawn(&mut scene, &world, at(LAND, 5.0, 5.0, 0.0), State::REPORT_COLLISIONS, EntityRole::default());
    let wall = post(&mut scene, &world, at(LAND, 9.0, 5.0, 0.0), State::STATIC);
    assert!(scene.track(key, wall, Transient::empty()));
    assert!(!scene.track(key, wall, Transient::empty()), "it lasts");
    assert!(matches!(reports(&mut scene)[..], [Event::HitEnvironment { entity, .. }] if entity == key));
    assert!(scene.get(key).expect("a body").collisions().is_empty());
}

/// A landing is a hit of the environment, whatever the sweep says; contacts end in the same response.
#[test]
fn landing_is_reported_and_contacts_end_with_the_next_commit() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let report = State::REPORT_COLLISIONS;
    let key = spawn(&mut scene, &world, at(LAND, 5.0, 5.0, 0.0), report, EntityRole::default());
    let other = spawn(&mut scene, &world, at(LAND, 9.0, 5.0, 0.0), State::empty(), EntityRole::default());
    let log = crate::sweep::ContactLog::default();
    scene.respond(key, &log, &[other], Transient::empty());
    assert!(matches!(reports(&mut scene)[..], [Event::Collided { .. }]));
    scene.now = 1.51;
    scene.entities.get_mut(key).expect("a body").transient |= Transient::CONTACT | Transient::ON_WALKABLE;
    scene.respond(key, &log, &[], Transient::empty());
    let told = reports(&mut scene);
    let [Event::CollisionEnded { .. }, Event::HitEnvironment { had_contact: false, .. }] = told[..] else {
        panic!("{told:?}")
    };
}

#[test]
fn missiles_pass_each_other_and_what_is_ethereal() {
    let world = world(flat(0.0), vec![], vec![]);
    for (state, hits) in [
        (State::REPORT_COLLISIONS, true),
        (State::REPORT_COLLISIONS | State::ETHEREAL, false),
        (State::REPORT_COLLISIONS | State::MISSILE, false),
    ] {
        let mut scene = Scene::new();
        let missile = spawn(&mut scene, &world, at(LAND, 12.0, 6.0, 0.7), MISSILE, EntityRole::default());
        let other = post(&mut scene, &world, at(LAND, 12.0, 8.0, 0.0), state);
        scene.set_velocity(missile, v(0.0, 10.0, 0.0)).expect("a velocity");
        let told = fly(&mut scene, &world, missile, 10);
        assert_eq!(!told.is_empty(), hits, "{state:?}: {told:?}");
        assert_eq!(!scene.get(missile).expect("it flies").collisions().is_empty(), hits, "{state:?}");
        assert!(scene.get(other).is_some());
    }
}

/// Spec: physics-objects §8.6.
#[test]
fn what_lands_spins_no_more() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let state = State::GRAVITY | State::INELASTIC;
    let key = spawn(&mut scene, &world, at(LAND, 12.0, 6.0, 1.0), state, EntityRole::default());
    scene.set_omega(key, v(0.0, 0.0, 2.0)).expect("an omega");
    fly(&mut scene, &world, key, 5);
    assert_eq!(scene.get(key).expect("it falls").omega, v(0.0, 0.0, 2.0));
    fly(&mut scene, &world, key, 40);
    let body = scene.get(key).expect("it lies");
    assert!(body.stands());
    assert_eq!(body.omega, Vec3::ZERO);
}
