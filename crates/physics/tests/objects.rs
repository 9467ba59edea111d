//! Worked examples of objects: integration, response, exemptions, placement. Spec: physics-tests H.

mod support;

use glam::Vec3;
use support::*;
use threshold_physics::{
    EntityKey, EntityRole, PlaceOptions, Placement, Spawn, State, Transient,
    scene::{GRAVITY, Scatter, Viewer},
};
use threshold_scenario::Stage;
use threshold_world::terrain::FLOOR_Z;

const TICK: f64 = 1.0 / 30.0;

fn velocity(stage: &Stage, key: EntityKey) -> Vec3 {
    stage.scene.get(key).expect("it is there").velocity
}

fn height(stage: &Stage, key: EntityKey) -> f32 {
    stage.scene.get(key).expect("it is there").position.frame.origin.z
}

fn close(a: f32, b: f32) -> bool {
    (a - b).abs() < 1e-4
}

/// A ball high in the air over flat ground.
fn falling_ball() -> (Stage, EntityKey) {
    let mut stage = stage("plains");
    let high = moved(&point("plains", "flat"), [0.0, 0.0, 100.0]);
    let key = spawn(&mut stage, 1, BALL, high, State::GRAVITY);
    (stage, key)
}

/// 68.
#[test]
fn constants() {
    assert_eq!(State::DEFAULT.bits(), 0x0040_0C08);
    assert_eq!(FLOOR_Z, 0.664_174_14);
    assert!((0.6641..0.6642).contains(&FLOOR_Z));
    assert_eq!(GRAVITY, -9.8);
}

/// Example 69: gravity tells how many steps were taken: after steps q1, q2 … a body at rest has fallen
/// the sum of (9.8·(q1 + … + qn-1)·qn + 4.9·qn²) over all steps but the first.
#[test]
fn time_is_cut_into_steps() {
    for (seconds, speed, fallen) in [
        (0.19, 9.8 * 0.19, 0.0),
        (0.5, 4.9, 0.588 + 0.441),
        (0.42, 9.8 * 0.4, 0.588),
        (2.5, 0.0, 0.0),
        (0.0001, 0.0, 0.0),
    ] {
        let (mut stage, key) = falling_ball();
        let before = height(&stage, key);
        tick(&mut stage, key, seconds);
        assert!(close(velocity(&stage, key).z, -speed), "{seconds}: {}", velocity(&stage, key));
        assert!((before - height(&stage, key) - fallen).abs() < 1e-3, "{seconds}: {}", height(&stage, key));
    }
    // What was left over of 0.42 is carried to the next tick; what was dropped is not.
    for (seconds, speed) in [(0.42, 9.8 * 0.45), (2.5, 9.8 * 0.03)] {
        let (mut stage, key) = falling_ball();
        tick(&mut stage, key, seconds);
        tick(&mut stage, key, 0.03);
        assert!(close(velocity(&stage, key).z, -speed), "{seconds}: {}", velocity(&stage, key));
    }
}

/// 70.
#[test]
fn falling_begins_without_translation() {
    let (mut stage, key) = falling_ball();
    let (before, q) = (height(&stage, key), TICK as f32);
    tick(&mut stage, key, TICK);
    assert_eq!(height(&stage, key), before);
    assert!(close(velocity(&stage, key).z, -9.8 * q));
    tick(&mut stage, key, TICK);
    assert!((before - height(&stage, key) - (9.8 + 4.9) * q * q).abs() < 1e-4);
}

/// 71.
#[test]
fn friction_slows_on_walkable_ground_only() {
    let mut stage = stage("plains");
    let ball = object(&stage, 1, BALL, point("plains", "flat"), State::GRAVITY);
    let key = stand(&mut stage, ball);
    for (speed, seconds, factor) in
        [(2.0, 0.2, 0.54928), (2.0, TICK, 0.90497), (0.25, TICK, 0.0), (0.2505, TICK, 0.90497)]
    {
        stage.scene.set_velocity(key, Vec3::new(speed, 0.0, 0.0)).unwrap();
        tick(&mut stage, key, seconds);
        assert!(
            close(velocity(&stage, key).x, speed * factor),
            "{speed} {seconds}: {}",
            velocity(&stage, key)
        );
    }
    let (mut stage, key) = falling_ball();
    stage.scene.set_velocity(key, Vec3::new(2.0, 0.0, 0.0)).unwrap();
    tick(&mut stage, key, 0.2);
    assert_eq!(velocity(&stage, key).x, 2.0);
}

#[test]
fn a_slow_sled_stops_and_a_fast_one_glides() {
    let mut stage = stage("plains");
    let sled = object(&stage, 1, BALL, point("plains", "flat"), State::GRAVITY | State::SLEDDING);
    let key = stand(&mut stage, sled);
    for (speed, kept) in [(1.2, 0.0), (2.0, 0.90497), (4.0, 0.90497)] {
        stage.scene.set_velocity(key, Vec3::new(0.0, speed, 0.0)).unwrap();
        tick(&mut stage, key, TICK);
        assert!((velocity(&stage, key).y - speed * kept).abs() < 1e-3, "{speed}: {}", velocity(&stage, key));
    }
}

#[test]
fn nothing_is_faster_than_fifty_metres_a_second() {
    let (mut stage, key) = falling_ball();
    stage.scene.set_velocity(key, Vec3::new(300.0, 400.0, 0.0)).unwrap();
    assert!((velocity(&stage, key) - Vec3::new(30.0, 40.0, 0.0)).length() < 1e-3);
    let (mut stage, key) = falling_ball();
    stage
        .scene
        .update_position(&stage.world, key, moved(&point("plains", "flat"), [0.0, 0.0, 5000.0]))
        .unwrap();
    for _ in 0..200 {
        tick(&mut stage, key, TICK);
        assert!(velocity(&stage, key).length() <= 50.0 + 9.8 * TICK as f32 + 1e-3);
    }
    assert!(velocity(&stage, key).z < -49.0);
}

/// 72.
#[test]
fn a_fall_bounces_by_elasticity_unless_inelastic() {
    for (state, kept) in [(State::GRAVITY, 0.05), (State::GRAVITY | State::INELASTIC, 0.0)] {
        let mut stage = stage("plains");
        let low = moved(&point("plains", "flat"), [0.0, 0.0, 0.3]);
        let key = spawn(&mut stage, 1, BALL, low, state);
        stage.scene.set_velocity(key, Vec3::new(0.0, 0.0, -10.0)).unwrap();
        tick(&mut stage, key, 0.05);
        // The step's gravity counts: it hits with 10 + 9.8 · 0.05.
        let body = stage.scene.get(key).unwrap();
        assert!(body.has(Transient::ON_WALKABLE), "it has landed");
        assert!((body.velocity.z - 10.49 * kept).abs() < 1e-3, "{}", body.velocity);
    }
    // On walkable ground before and after, a hit leaves the velocity alone.
    let mut stage = stage("cottage");
    let key = player(&mut stage, 1, at(0xA9B4_0101, 84.0, 84.0, 20.155));
    spawn(&mut stage, 2, CHEST, at(0xA9B4_0101, 84.0, 85.1, 20.155), State::empty());
    stage.scene.set_velocity(key, Vec3::new(0.0, 6.0, 0.0)).unwrap();
    tick(&mut stage, key, TICK);
    tick(&mut stage, key, TICK);
    assert!(velocity(&stage, key).y >= 0.0, "no bounce: {}", velocity(&stage, key));
}

/// 75. The chest has a mesh and a cylinder: a box 0.9 wide or a drum of 0.45 m radius.
#[test]
fn one_kind_of_shape_is_tested_and_the_state_bit_decides_which() {
    let mut stage = stage("cottage");
    let chest = spawn(&mut stage, 1, CHEST, at(0xA9B4_0101, 84.0, 84.0, 20.155), State::REPORT_COLLISIONS);
    let reach = |stage: &mut Stage, aside: f32| {
        let key = player(stage, 2, at(0xA9B4_0101, 84.0 + aside, 82.0, 20.155));
        // Steps of a centimetre: how near it gets is known that precisely.
        for _ in 0..300 {
            push(stage, key, [0.0, 0.01, 0.0]);
            if !stage.scene.last_sweep().touched().is_empty() {
                break;
            }
        }
        let gap = 84.0 - stage.scene.get(key).unwrap().position.frame.origin.y;
        stage.scene.despawn(&stage.world, key).unwrap();
        gap
    };
    // As a drum: head-on 0.45 + 0.48, and less beside the middle.
    let (head_on, beside) = (reach(&mut stage, 0.0), reach(&mut stage, 0.6));
    assert!((head_on - 0.93).abs() < 0.03, "{head_on}");
    assert!((beside - (0.93f32.powi(2) - 0.36).sqrt()).abs() < 0.04, "{beside}");
    stage.scene.set_state(chest, CLOSED).unwrap();
    let bounds = stage.scene.get(chest).unwrap().parts()[0].mesh.bounds;
    let expected = bounds.max.y.max(-bounds.min.y) + 0.48;
    let (head_on, beside) = (reach(&mut stage, 0.0), reach(&mut stage, 0.4));
    assert!((head_on - expected).abs() < 0.03, "{head_on} {expected}");
    assert!((beside - head_on).abs() < 0.05, "a box is as deep beside its middle: {beside}");
    stage.scene.set_state(chest, State::REPORT_COLLISIONS).unwrap();
    assert!((reach(&mut stage, 0.0) - 0.93).abs() < 0.03, "and back");
}

/// 76.
#[test]
fn players_pass_each_other_unless_both_fight_alike_or_one_cannot_be_passed() {
    let plain = EntityRole { is_player: true, ..EntityRole::default() };
    let pk = EntityRole { pk: true, ..plain };
    let lite = EntityRole { pk_lite: true, ..plain };
    let wall = EntityRole { impenetrable: true, ..plain };
    let creature = EntityRole { creature: true, ..EntityRole::default() };
    for (a, b, collide) in [
        (plain, plain, false),
        (pk, plain, false),
        (pk, pk, true),
        (lite, lite, true),
        (pk, lite, false),
        (wall, plain, true),
        (plain, wall, true),
        (plain, creature, true),
        (creature, plain, true),
    ] {
        let mut stage = stage("cottage");
        let body = |stage: &Stage, guid, y, role| Spawn {
            role,
            ..object(stage, guid, PLAYER, at(0xA9B4_0101, 84.0, y, 20.155), WALKER)
        };
        let other = body(&stage, 1, 84.0, b);
        stand(&mut stage, other);
        let mover = body(&stage, 2, 82.0, a);
        let key = stand(&mut stage, mover);
        let way = push_on(&mut stage, key, [0.0, 0.15, 0.0], 24).y;
        assert_eq!(way < 1.3, collide, "{a:?} {b:?}: {way}");
    }
}

/// 78.
#[test]
fn an_ethereal_mover_passes_what_moves_and_not_what_stands() {
    let mut stage = stage("cottage");
    for (x, state, passes) in [(82.0, CLOSED, true), (86.0, CLOSED | State::STATIC, false)] {
        spawn(&mut stage, x as u32, CRATE, at(0xA9B4_0101, x, 84.0, 20.155), state);
        let ghost = EntityRole { is_player: true, ..EntityRole::default() };
        let place = at(0xA9B4_0101, x, 82.0, 20.155);
        let spawn = Spawn { role: ghost, ..object(&stage, 1, PLAYER, place, WALKER | State::ETHEREAL) };
        let key = stand(&mut stage, spawn);
        let way = push_on(&mut stage, key, [0.0, 0.15, 0.0], 24).y;
        assert_eq!(way > 3.0, passes, "{way}");
        // Walls are as solid as ever.
        push_on(&mut stage, key, [0.0, 0.15, 0.0], 60);
        assert!(stage.scene.get(key).unwrap().position.frame.origin.y < 88.6);
        stage.scene.despawn(&stage.world, key).unwrap();
    }
}

/// 79. Signed: drifts to the west and south pass, however long.
#[test]
fn a_placement_without_search_may_drift_only_one_way() {
    let mut stage = stage("cottage");
    let key = player(&mut stage, 1, at(0xA9B4_0101, 86.5, 84.0, 20.155));
    // How far a body can go to the walls in the north and in the south.
    let mut wall = |north: f32| {
        push_on(&mut stage, key, [0.0, 0.05 * north, 0.0], 150);
        push_on(&mut stage, key, [0.0, -0.1 * north, 0.0], 1);
        for _ in 0..200 {
            push(&mut stage, key, [0.0, 0.001 * north, 0.0]);
        }
        stage.scene.get(key).unwrap().position.frame.origin.y
    };
    let (north, south) = (wall(1.0), wall(-1.0));
    let exact = PlaceOptions { slide: false, ..PlaceOptions::default() };
    let mut place = |y: f32| {
        let position = at(0xA9B4_0101, 86.5, y, 20.155);
        let (placement, _) = stage.scene.place(&stage.world, key, &position, exact).unwrap();
        let held = stage.scene.last_sweep().outcome().position;
        (placement, position.offset_to(&held).y)
    };
    let (placement, drift) = place(north + 0.06);
    assert!((-0.08..-0.05).contains(&drift), "{drift}");
    assert_eq!(placement, Placement::Placed, "pushed south");
    let (placement, drift) = place(south - 0.06);
    assert!((0.05..0.08).contains(&drift), "{drift}");
    assert_ne!(placement, Placement::Placed, "pushed north");
    let (placement, drift) = place(south - 0.03);
    assert!((0.01..0.05).contains(&drift), "{drift}");
    assert_eq!(placement, Placement::Placed, "not far enough to matter");
}

/// 84.
#[test]
fn an_object_without_spheres_never_translates() {
    let mut stage = stage("plains");
    let high = moved(&point("plains", "flat"), [0.0, 0.0, 10.0]);
    let key = spawn(&mut stage, 1, CHEST, high, State::GRAVITY);
    stage.scene.set_velocity(key, Vec3::new(5.0, 0.0, 0.0)).unwrap();
    for _ in 0..10 {
        tick(&mut stage, key, TICK);
    }
    assert_eq!(stage.scene.get(key).unwrap().position, high);
    assert!(velocity(&stage, key).z < -3.0, "though its velocity is integrated");
}

#[test]
fn what_cannot_be_updated_is_not() {
    let (mut stage, key) = falling_ball();
    stage.scene.set_state(key, State::GRAVITY | State::FROZEN).unwrap();
    tick(&mut stage, key, TICK);
    assert_eq!(velocity(&stage, key), Vec3::ZERO);
    stage.scene.set_state(key, State::GRAVITY | State::HIDDEN).unwrap();
    tick(&mut stage, key, TICK);
    tick(&mut stage, key, TICK);
    assert_eq!(velocity(&stage, key), Vec3::ZERO);
    stage.scene.set_state(key, State::GRAVITY).unwrap();
    tick(&mut stage, key, TICK);
    assert!(velocity(&stage, key).z < 0.0);
}

/// Spec: physics-objects §8.3.
#[test]
fn what_is_far_from_every_viewer_rests() {
    let mut stage = stage("plains");
    let player_key = player(&mut stage, 1, point("plains", "flat"));
    let place = |x| Viewer::Place(moved(&point("plains", "flat"), [x, 0.0, 0.0]));
    stage.scene.set_viewers([place(-300.0), Viewer::Object(player_key)]);
    let near = spawn(&mut stage, 2, BALL, moved(&point("plains", "flat"), [0.0, 60.0, 50.0]), State::GRAVITY);
    let far = spawn(&mut stage, 3, BALL, moved(&point("plains", "flat"), [0.0, 100.0, 50.0]), State::GRAVITY);
    for _ in 0..5 {
        tick_all(&mut stage, TICK);
    }
    assert!(velocity(&stage, near).z < 0.0);
    assert_eq!(velocity(&stage, far), Vec3::ZERO);
    // A second one is near enough; the first is gone with its object.
    let north = moved(&point("plains", "flat"), [0.0, 90.0, 0.0]);
    stage.scene.set_viewers([Viewer::Object(player_key), Viewer::Place(north)]);
    stage.scene.despawn(&stage.world, player_key).unwrap();
    tick_all(&mut stage, TICK);
    tick_all(&mut stage, TICK);
    let falling = velocity(&stage, far).z;
    assert!(falling < 0.0);
    stage.scene.set_viewers([place(-300.0)]);
    tick_all(&mut stage, TICK);
    assert_eq!(velocity(&stage, far).z, falling, "nobody is near");
    stage.scene.set_viewers([]);
    tick_all(&mut stage, TICK);
    tick_all(&mut stage, TICK);
    assert!(velocity(&stage, far).z < falling, "nobody to be far from");
}

/// What hits something flies no more, whoever is told of it.
#[test]
fn a_missile_ends_its_flight_at_what_it_hits() {
    for state in [State::MISSILE | State::REPORT_COLLISIONS, State::MISSILE] {
        let mut stage = stage("cottage");
        spawn(&mut stage, 1, CHEST, at(0xA9B4_0101, 84.0, 84.0, 20.155), State::empty());
        let arrow = spawn(&mut stage, 2, 0x0200_010C, at(0xA9B4_0101, 84.0, 82.0, 20.5), state);
        stage.scene.set_velocity(arrow, Vec3::new(0.0, 20.0, 0.0)).unwrap();
        for _ in 0..6 {
            tick(&mut stage, arrow, TICK);
        }
        assert!(!stage.scene.get(arrow).unwrap().state.contains(State::MISSILE), "{state:?}");
    }
}

/// Chests and corpses are put where they are said to be. Spec: physics-objects §8.7.
#[test]
fn what_is_forced_into_a_cell_asks_for_no_room() {
    let mut stage = stage("cottage");
    spawn(&mut stage, 1, CRATE, at(0xA9B4_0101, 84.0, 84.0, 20.155), CLOSED);
    let forced = EntityRole { forced_into_cell: true, ..EntityRole::default() };
    let spawn =
        Spawn { role: forced, ..object(&stage, 2, CREATURE, point("cottage", "cellar"), State::empty()) };
    let key = stage.scene.spawn(&stage.world, spawn).unwrap();
    let inside_the_crate = at(0xA9B4_0101, 84.0, 84.0, 20.155);
    let placed = stage.scene.place(&stage.world, key, &inside_the_crate, PlaceOptions::default()).unwrap();
    assert_eq!(placed.0, Placement::Placed);
    assert_eq!(stage.scene.get(key).unwrap().position, inside_the_crate);
    assert_eq!(cells_of(&stage.scene, key), [0xA9B4_0101]);
    assert_lists_agree(&stage);
}

#[test]
fn scattering_finds_a_spot_nearby_and_the_same_one_again() {
    let mut stage = stage("cottage");
    let middle = at(0xA9B4_0101, 84.0, 84.0, 20.155);
    spawn(&mut stage, 1, CRATE, middle, CLOSED);
    let key = player(&mut stage, 2, point("cottage", "upstairs"));
    let exact = PlaceOptions { slide: false, ..PlaceOptions::default() };
    let refused = stage.scene.place(&stage.world, key, &middle, exact).unwrap().0;
    assert_ne!(refused, Placement::Placed, "the crate is in the way");
    let scatter = Scatter { always: false, tries: 20, x: 2.0, y: 2.0, seed: 7 };
    let options = PlaceOptions { scatter: Some(scatter), ..exact };
    let mut spots = Vec::new();
    for _ in 0..2 {
        assert_eq!(stage.scene.place(&stage.world, key, &middle, options).unwrap().0, Placement::Placed);
        spots.push(stage.scene.get(key).unwrap().position);
    }
    assert_eq!(spots[0], spots[1]);
    let way = middle.offset_to(&spots[0]);
    assert!(way.x.abs() <= 2.0 && way.y.abs() <= 2.0 && way.length() > 0.5, "{way}");
}
