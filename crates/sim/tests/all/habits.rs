//! What the people and beasts of the sample world do by themselves.

use crate::support;
use support::*;
use threshold_physics::motion::MotionError;
use threshold_sim::{Controls, EntityKey, Event, Position, Simulation, State};
use threshold_world::placed::Chase;

fn distance(sim: &Simulation, a: EntityKey, b: EntityKey) -> f32 {
    sim.position(a).unwrap().distance_to(&sim.position(b).unwrap())
}

#[test]
fn a_watchman_walks_his_round_at_the_speed_of_his_motion_table() {
    let mut sim = sample();
    let _me = sim.spawn_player(place(&sim, "Village Green")).unwrap();
    let watchman = object(&sim, "Watchman");
    let round = sim.placed(watchman).unwrap().habits.patrol.clone();
    let mut reached = Vec::new();
    let mut at = sim.position(watchman).unwrap();
    let (mut way, mut ticks) = (0.0, 0);
    for _ in 0..60 * 30 {
        sim.tick().unwrap();
        let now = sim.position(watchman).unwrap();
        let step = at.distance_to(&now);
        assert!(step < 3.12 / 30.0 * 2.0 + 0.001, "{step} m in a tick");
        if step > 0.01 {
            way += step;
            ticks += 1;
        }
        at = now;
        let has_come = |e: &Event| matches!(e, Event::CameTo { entity, .. } if *entity == watchman);
        if sim.drain_events().any(|e| has_come(&e)) {
            reached.extend(round.iter().position(|place| place.offset_to(&at).truncate().length() < 0.4));
        }
    }
    assert!(reached.starts_with(&[0, 1, 2, 3, 0, 1]), "{reached:?}");
    let speed = way / (ticks as f32 / 30.0);
    assert!((speed - 3.12).abs() < 0.1, "{speed} m/s");
}

#[test]
fn a_torch_changes_hands_and_goes_with_the_hand() {
    let mut sim = sample();
    let _me = sim.spawn_player(place(&sim, "Village Green")).unwrap();
    let (watchman, torch) = (object(&sim, "Watchman"), object(&sim, "Watchman's Torch"));
    let (mut hands, mut exact) = (Vec::new(), 0);
    for _ in 0..20 * 30 {
        sim.tick().unwrap();
        let (holder, held) = (sim.entity(watchman).unwrap(), sim.entity(torch).unwrap());
        assert_eq!(held.parent, Some(watchman));
        let part = held.attachment().part;
        // The hand is where the arm swings it.
        let arm = holder.position.frame.compose(&holder.part_frame(part).unwrap());
        let hand = arm.compose(&held.attachment().frame);
        let off = (hand.origin - held.position.frame.origin).length();
        // A motion that begins after the frame was set moves the hand with the next tick.
        assert!(off < 0.5, "{off}");
        exact += u32::from(off < 1e-4);
        assert_eq!(held.cell, holder.cell);
        if hands.last() != Some(&part) {
            hands.push(part);
        }
    }
    assert_eq!(hands, [3, 2, 3, 2], "right, left, right, left");
    assert!(exact > 20 * 30 - 20, "{exact}");
}

#[test]
fn a_boar_runs_after_who_comes_near_and_stops_before_it() {
    let mut sim = sample();
    let boar = object(&sim, "Angry Boar");
    let home = sim.position(boar).unwrap();
    let me = sim.spawn_player(place(&sim, "Practice Ground")).unwrap();
    sim.advance(4.0).unwrap();
    assert!(sim.position(boar).unwrap().distance_to(&home) < 0.1, "nobody is near");
    sim.teleport(me, place(&sim, "Boar Meadow")).unwrap();
    sim.advance(6.0).unwrap();
    let caught = distance(&sim, me, boar);
    assert!(caught < 1.9, "it stands before its prey, {caught} m away");
    assert!(sim.position(boar).unwrap().distance_to(&home) > 6.0);
}

#[test]
fn a_boar_gives_up_when_it_has_gone_too_far_and_goes_home() {
    let mut sim = sample();
    let boar = object(&sim, "Angry Boar");
    let home = sim.position(boar).unwrap();
    let me = sim.spawn_player(place(&sim, "Boar Meadow")).unwrap();
    let ended = |e: Event| matches!(e, Event::MoveToEnded { entity, code } if entity == boar && code == MotionError::TOO_FAR);
    let (mut farthest, mut gave_up) = (0.0_f32, false);
    for _ in 0..40 * 30 {
        let heading = sim.position(me).unwrap().frame.heading();
        sim.look(me, (540.0 - heading) % 360.0 - 180.0, 0.0).unwrap();
        // Its prey keeps out of reach, and not more: it runs at 4 m/s, a player faster.
        let forward = distance(&sim, me, boar) < 5.0;
        sim.control(me, Controls { forward, ..Controls::default() }).unwrap();
        sim.tick().unwrap();
        gave_up |= sim.drain_events().any(ended);
        farthest = farthest.max(sim.position(boar).unwrap().distance_to(&home));
    }
    assert!(gave_up && (24.0..25.0).contains(&farthest), "it went as far as {farthest} m");
    let back = sim.position(boar).unwrap().offset_to(&home).truncate().length();
    assert!(back < 1.2, "home again: {back} m");
}

#[test]
fn a_dart_flies_point_first_hits_its_target_and_is_picked_up() {
    let mut sim = sample();
    let _me = sim.spawn_player(place(&sim, "Practice Ground")).unwrap();
    let [thrower, dart, target] = ["Dart Thrower", "Dart", "Target"].map(|name| object(&sim, name));
    let (mut hits, mut throws, mut was_held) = (0, 0, false);
    let mut before: Option<Position> = None;
    for _ in 0..18 * 30 {
        sim.tick().unwrap();
        let hit = |e: &Event| matches!(e, Event::MissileHit { missile, target: hit, .. } if *missile == dart && *hit == target);
        let is_hit = sim.drain_events().any(|e| hit(&e));
        hits += u32::from(is_hit);
        let entity = sim.entity(dart).unwrap();
        let is_held = entity.parent == Some(thrower);
        throws += u32::from(was_held && !is_held);
        was_held = is_held;
        let flies = !is_held && entity.state.contains(State::MISSILE);
        if let Some(before) = before.filter(|_| flies) {
            let way = before.offset_to(&entity.position).normalize();
            let point = entity.position.frame.rotate(glam::Vec3::Y);
            assert!(way.dot(point) > 0.99, "it flies {way} and points {point}");
        }
        before = flies.then_some(entity.position);
        if is_hit {
            assert!(!entity.state.intersects(State::MISSILE | State::ALIGN_PATH | State::PATH_CLIPPED));
            assert!(distance(&sim, dart, target) < 2.0);
        }
    }
    assert_eq!((throws, hits), (3, 3), "one every six seconds");
}

#[test]
fn habits_go_on_from_a_snapshot_as_if_nothing_had_been() {
    let mut sim = sample();
    let _me = sim.spawn_player(place(&sim, "Boar Meadow")).unwrap();
    sim.advance(7.3).unwrap();
    let bytes = sim.snapshot().to_bytes().unwrap();
    sim.advance(9.0).unwrap();
    let hash = sim.state_hash();
    let mut other = sample();
    other.restore(&threshold_sim::Snapshot::from_bytes(&bytes).unwrap()).unwrap();
    other.advance(9.0).unwrap();
    assert_eq!(other.state_hash(), hash);
    for name in ["Watchman", "Dart", "Angry Boar", "Watchman's Torch"] {
        let [a, b] = [&sim, &other].map(|sim| sim.position(object(sim, name)).unwrap());
        assert_eq!(a, b, "{name}");
    }
}

#[test]
fn a_boar_runs_around_a_house_that_stands_between_it_and_its_prey() {
    let mut sim = sample();
    // The house reaches from 54 to 66 east and from 104 to 114 north; its doors are closed.
    let [boar_at, prey_at]: [Position; 2] =
        ["0x80800015 [60 101 20.01]", "0x80800015 [60 117 20.01]"].map(|at| at.parse().unwrap());
    let mut boar = sim.placed(object(&sim, "Angry Boar")).unwrap().clone();
    (boar.id, boar.cell, boar.origin) = (0x7000_0002, boar_at.cell, boar_at.frame.origin.to_array());
    boar.habits.chases = Some(Chase { radius: 25.0, gives_up: 60.0 });
    let boar = sim.add_placed(boar).unwrap();
    let me = sim.spawn_player(prey_at).unwrap();
    let mut farthest: f32 = 0.0;
    for _ in 0..20 * 30 {
        sim.tick().unwrap();
        farthest = farthest.max((sim.position(boar).unwrap().frame.origin.x - 60.0).abs());
    }
    let caught = distance(&sim, me, boar);
    assert!(caught < 1.9, "it stands {caught} m from its prey");
    assert!(farthest > 5.5, "it was never farther aside than {farthest} m");
}
