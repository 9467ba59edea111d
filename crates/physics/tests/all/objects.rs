//! Worked examples of objects: integration, response, exemptions, placement. Spec: physics-tests H.

use crate::support;
use glam::Vec3;
use support::*;
use threshold_physics::{
    EntityKey, EntityRole, PlaceOptions, Placement, Spawn, State, Transient,
    scene::{GRAVITY, Scatter, Viewer},
};
use threshold_world::terrain::FLOOR_Z;

const TICK: f64 = 1.0 / 30.0;

fn velocity(setting: &Setting, key: EntityKey) -> Vec3 {
    setting.scene.get(key).expect("it is there").velocity
}

fn height(setting: &Setting, key: EntityKey) -> f32 {
    setting.scene.get(key).expect("it is there").position.frame.origin.z
}

fn close(a: f32, b: f32) -> bool {
    (a - b).abs() < 1e-4
}

/// A ball high in the air over flat ground.
fn falling_ball() -> (Setting, EntityKey) {
    let mut setting = setting("plains");
    let high = moved(&point("plains", "flat"), [0.0, 0.0, 100.0]);
    let key = spawn(&mut setting, 1, BALL, high, State::GRAVITY);
    (setting, key)
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
        let (mut setting, key) = falling_ball();
        let before = height(&setting, key);
        tick(&mut setting, key, seconds);
        assert!(close(velocity(&setting, key).z, -speed), "{seconds}: {}", velocity(&setting, key));
        assert!(
            (before - height(&setting, key) - fallen).abs() < 1e-3,
            "{seconds}: {}",
            height(&setting, key)
        );
    }
    // What was left over of 0.42 is carried to the next tick; what was dropped is not.
    for (seconds, speed) in [(0.42, 9.8 * 0.45), (2.5, 9.8 * 0.03)] {
        let (mut setting, key) = falling_ball();
        tick(&mut setting, key, seconds);
        tick(&mut setting, key, 0.03);
        assert!(close(velocity(&setting, key).z, -speed), "{seconds}: {}", velocity(&setting, key));
    }
}

/// 70.
#[test]
fn falling_begins_without_translation() {
    let (mut setting, key) = falling_ball();
    let (before, q) = (height(&setting, key), TICK as f32);
    tick(&mut setting, key, TICK);
    assert_eq!(height(&setting, key), before);
    assert!(close(velocity(&setting, key).z, -9.8 * q));
    tick(&mut setting, key, TICK);
    assert!((before - height(&setting, key) - (9.8 + 4.9) * q * q).abs() < 1e-4);
}

/// 71.
#[test]
fn friction_slows_on_walkable_ground_only() {
    let mut setting = setting("plains");
    let ball = object(&setting, 1, BALL, point("plains", "flat"), State::GRAVITY);
    let key = stand(&mut setting, ball);
    for (speed, seconds, factor) in
        [(2.0, 0.2, 0.54928), (2.0, TICK, 0.90497), (0.25, TICK, 0.0), (0.2505, TICK, 0.90497)]
    {
        setting.scene.set_velocity(key, Vec3::new(speed, 0.0, 0.0)).unwrap();
        tick(&mut setting, key, seconds);
        assert!(
            close(velocity(&setting, key).x, speed * factor),
            "{speed} {seconds}: {}",
            velocity(&setting, key)
        );
    }
    let (mut setting, key) = falling_ball();
    setting.scene.set_velocity(key, Vec3::new(2.0, 0.0, 0.0)).unwrap();
    tick(&mut setting, key, 0.2);
    assert_eq!(velocity(&setting, key).x, 2.0);
}

#[test]
fn a_slow_sled_stops_and_a_fast_one_glides() {
    let mut setting = setting("plains");
    let sled = object(&setting, 1, BALL, point("plains", "flat"), State::GRAVITY | State::SLEDDING);
    let key = stand(&mut setting, sled);
    for (speed, kept) in [(1.2, 0.0), (2.0, 0.90497), (4.0, 0.90497)] {
        setting.scene.set_velocity(key, Vec3::new(0.0, speed, 0.0)).unwrap();
        tick(&mut setting, key, TICK);
        assert!(
            (velocity(&setting, key).y - speed * kept).abs() < 1e-3,
            "{speed}: {}",
            velocity(&setting, key)
        );
    }
}

#[test]
fn nothing_is_faster_than_fifty_metres_a_second() {
    let (mut setting, key) = falling_ball();
    setting.scene.set_velocity(key, Vec3::new(300.0, 400.0, 0.0)).unwrap();
    assert!((velocity(&setting, key) - Vec3::new(30.0, 40.0, 0.0)).length() < 1e-3);
    let (mut setting, key) = falling_ball();
    setting
        .scene
        .update_position(&setting.world, key, moved(&point("plains", "flat"), [0.0, 0.0, 5000.0]))
        .unwrap();
    for _ in 0..200 {
        tick(&mut setting, key, TICK);
        assert!(velocity(&setting, key).length() <= 50.0 + 9.8 * TICK as f32 + 1e-3);
    }
    assert!(velocity(&setting, key).z < -49.0);
}

/// 72.
#[test]
fn a_fall_bounces_by_elasticity_unless_inelastic() {
    for (state, kept) in [(State::GRAVITY, 0.05), (State::GRAVITY | State::INELASTIC, 0.0)] {
        let mut setting = setting("plains");
        let low = moved(&point("plains", "flat"), [0.0, 0.0, 0.3]);
        let key = spawn(&mut setting, 1, BALL, low, state);
        setting.scene.set_velocity(key, Vec3::new(0.0, 0.0, -10.0)).unwrap();
        tick(&mut setting, key, 0.05);
        // The step's gravity counts: it hits with 10 + 9.8 · 0.05.
        let body = setting.scene.get(key).unwrap();
        assert!(body.has(Transient::ON_WALKABLE), "it has landed");
        assert!((body.velocity.z - 10.49 * kept).abs() < 1e-3, "{}", body.velocity);
    }
    // On walkable ground before and after, a hit leaves the velocity alone.
    let mut setting = setting("cottage");
    let key = player(&mut setting, 1, at(0xA9B4_0101, 84.0, 84.0, 20.155));
    spawn(&mut setting, 2, CHEST, at(0xA9B4_0101, 84.0, 85.1, 20.155), State::empty());
    setting.scene.set_velocity(key, Vec3::new(0.0, 6.0, 0.0)).unwrap();
    tick(&mut setting, key, TICK);
    tick(&mut setting, key, TICK);
    assert!(velocity(&setting, key).y >= 0.0, "no bounce: {}", velocity(&setting, key));
}

/// 75. The chest has a mesh and a cylinder: a box 0.9 wide or a drum of 0.45 m radius.
#[test]
fn one_kind_of_shape_is_tested_and_the_state_bit_decides_which() {
    let mut setting = setting("cottage");
    let chest = spawn(&mut setting, 1, CHEST, at(0xA9B4_0101, 84.0, 84.0, 20.155), State::REPORT_COLLISIONS);
    let reach = |setting: &mut Setting, aside: f32| {
        let key = player(setting, 2, at(0xA9B4_0101, 84.0 + aside, 82.0, 20.155));
        // Steps of a centimetre: how near it gets is known that precisely.
        for _ in 0..300 {
            push(setting, key, [0.0, 0.01, 0.0]);
            if !setting.scene.last_sweep().touched().is_empty() {
                break;
            }
        }
        let gap = 84.0 - setting.scene.get(key).unwrap().position.frame.origin.y;
        setting.scene.despawn(&setting.world, key).unwrap();
        gap
    };
    // As a drum: head-on 0.45 + 0.48, and less beside the middle.
    let (head_on, beside) = (reach(&mut setting, 0.0), reach(&mut setting, 0.6));
    assert!((head_on - 0.93).abs() < 0.03, "{head_on}");
    assert!((beside - (0.93f32.powi(2) - 0.36).sqrt()).abs() < 0.04, "{beside}");
    setting.scene.set_state(chest, CLOSED).unwrap();
    let bounds = setting.scene.get(chest).unwrap().parts()[0].mesh.bounds;
    let expected = bounds.max.y.max(-bounds.min.y) + 0.48;
    let (head_on, beside) = (reach(&mut setting, 0.0), reach(&mut setting, 0.4));
    assert!((head_on - expected).abs() < 0.03, "{head_on} {expected}");
    assert!((beside - head_on).abs() < 0.05, "a box is as deep beside its middle: {beside}");
    setting.scene.set_state(chest, State::REPORT_COLLISIONS).unwrap();
    assert!((reach(&mut setting, 0.0) - 0.93).abs() < 0.03, "and back");
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
        let mut setting = setting("cottage");
        let body = |setting: &Setting, guid, y, role| Spawn {
            role,
            ..object(setting, guid, PLAYER, at(0xA9B4_0101, 84.0, y, 20.155), WALKER)
        };
        let other = body(&setting, 1, 84.0, b);
        stand(&mut setting, other);
        let mover = body(&setting, 2, 82.0, a);
        let key = stand(&mut setting, mover);
        let way = push_on(&mut setting, key, [0.0, 0.15, 0.0], 24).y;
        assert_eq!(way < 1.3, collide, "{a:?} {b:?}: {way}");
    }
}

/// 78.
#[test]
fn an_ethereal_mover_passes_what_moves_and_not_what_stands() {
    let mut setting = setting("cottage");
    for (x, state, passes) in [(82.0, CLOSED, true), (86.0, CLOSED | State::STATIC, false)] {
        spawn(&mut setting, x as u32, CRATE, at(0xA9B4_0101, x, 84.0, 20.155), state);
        let ghost = EntityRole { is_player: true, ..EntityRole::default() };
        let place = at(0xA9B4_0101, x, 82.0, 20.155);
        let spawn = Spawn { role: ghost, ..object(&setting, 1, PLAYER, place, WALKER | State::ETHEREAL) };
        let key = stand(&mut setting, spawn);
        let way = push_on(&mut setting, key, [0.0, 0.15, 0.0], 24).y;
        assert_eq!(way > 3.0, passes, "{way}");
        // Walls are as solid as ever.
        push_on(&mut setting, key, [0.0, 0.15, 0.0], 60);
        assert!(setting.scene.get(key).unwrap().position.frame.origin.y < 88.6);
        setting.scene.despawn(&setting.world, key).unwrap();
    }
}

/// 79. Signed: drifts to the west and south pass, however long.
#[test]
fn a_placement_without_search_may_drift_only_one_way() {
    let mut setting = setting("cottage");
    let key = player(&mut setting, 1, at(0xA9B4_0101, 86.5, 84.0, 20.155));
    // How far a body can go to the walls in the north and in the south.
    let mut wall = |north: f32| {
        push_on(&mut setting, key, [0.0, 0.05 * north, 0.0], 150);
        push_on(&mut setting, key, [0.0, -0.1 * north, 0.0], 1);
        for _ in 0..200 {
            push(&mut setting, key, [0.0, 0.001 * north, 0.0]);
        }
        setting.scene.get(key).unwrap().position.frame.origin.y
    };
    let (north, south) = (wall(1.0), wall(-1.0));
    let exact = PlaceOptions::default().slide(false);
    let mut place = |y: f32| {
        let position = at(0xA9B4_0101, 86.5, y, 20.155);
        let (placement, _) = setting.scene.place(&setting.world, key, &position, exact).unwrap();
        let held = setting.scene.last_sweep().outcome().position;
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
    let mut setting = setting("plains");
    let high = moved(&point("plains", "flat"), [0.0, 0.0, 10.0]);
    let key = spawn(&mut setting, 1, CHEST, high, State::GRAVITY);
    setting.scene.set_velocity(key, Vec3::new(5.0, 0.0, 0.0)).unwrap();
    for _ in 0..10 {
        tick(&mut setting, key, TICK);
    }
    assert_eq!(setting.scene.get(key).unwrap().position, high);
    assert!(velocity(&setting, key).z < -3.0, "though its velocity is integrated");
}

#[test]
fn what_cannot_be_updated_is_not() {
    let (mut setting, key) = falling_ball();
    setting.scene.set_state(key, State::GRAVITY | State::FROZEN).unwrap();
    tick(&mut setting, key, TICK);
    assert_eq!(velocity(&setting, key), Vec3::ZERO);
    setting.scene.set_state(key, State::GRAVITY | State::HIDDEN).unwrap();
    tick(&mut setting, key, TICK);
    tick(&mut setting, key, TICK);
    assert_eq!(velocity(&setting, key), Vec3::ZERO);
    setting.scene.set_state(key, State::GRAVITY).unwrap();
    tick(&mut setting, key, TICK);
    assert!(velocity(&setting, key).z < 0.0);
}

/// Spec: physics-objects §8.3.
#[test]
fn what_is_far_from_every_viewer_rests() {
    let mut setting = setting("plains");
    let player_key = player(&mut setting, 1, point("plains", "flat"));
    let place = |x| Viewer::Place(moved(&point("plains", "flat"), [x, 0.0, 0.0]));
    setting.scene.set_viewers([place(-300.0), Viewer::Object(player_key)]);
    let near =
        spawn(&mut setting, 2, BALL, moved(&point("plains", "flat"), [0.0, 60.0, 50.0]), State::GRAVITY);
    let far =
        spawn(&mut setting, 3, BALL, moved(&point("plains", "flat"), [0.0, 100.0, 50.0]), State::GRAVITY);
    for _ in 0..5 {
        tick_all(&mut setting, TICK);
    }
    assert!(velocity(&setting, near).z < 0.0);
    assert_eq!(velocity(&setting, far), Vec3::ZERO);
    // A second one is near enough; the first is gone with its object.
    let north = moved(&point("plains", "flat"), [0.0, 90.0, 0.0]);
    setting.scene.set_viewers([Viewer::Object(player_key), Viewer::Place(north)]);
    setting.scene.despawn(&setting.world, player_key).unwrap();
    tick_all(&mut setting, TICK);
    tick_all(&mut setting, TICK);
    let falling = velocity(&setting, far).z;
    assert!(falling < 0.0);
    setting.scene.set_viewers([place(-300.0)]);
    tick_all(&mut setting, TICK);
    assert_eq!(velocity(&setting, far).z, falling, "nobody is near");
    setting.scene.set_viewers([]);
    tick_all(&mut setting, TICK);
    tick_all(&mut setting, TICK);
    assert!(velocity(&setting, far).z < falling, "nobody to be far from");
}

/// What hits something flies no more, no matter who is told of it.
#[test]
fn a_missile_ends_its_flight_at_what_it_hits() {
    for state in [State::MISSILE | State::REPORT_COLLISIONS, State::MISSILE] {
        let mut setting = setting("cottage");
        spawn(&mut setting, 1, CHEST, at(0xA9B4_0101, 84.0, 84.0, 20.155), State::empty());
        let arrow = spawn(&mut setting, 2, 0x0200_010C, at(0xA9B4_0101, 84.0, 82.0, 20.5), state);
        setting.scene.set_velocity(arrow, Vec3::new(0.0, 20.0, 0.0)).unwrap();
        for _ in 0..6 {
            tick(&mut setting, arrow, TICK);
        }
        assert!(!setting.scene.get(arrow).unwrap().state.contains(State::MISSILE), "{state:?}");
    }
}

/// Chests and corpses are put where they are said to be. Spec: physics-objects §8.7.
#[test]
fn what_is_forced_into_a_cell_asks_for_no_room() {
    let mut setting = setting("cottage");
    spawn(&mut setting, 1, CRATE, at(0xA9B4_0101, 84.0, 84.0, 20.155), CLOSED);
    let forced = EntityRole { forced_into_cell: true, ..EntityRole::default() };
    let spawn =
        Spawn { role: forced, ..object(&setting, 2, CREATURE, point("cottage", "cellar"), State::empty()) };
    let key = setting.scene.spawn(&setting.world, spawn).unwrap();
    let inside_the_crate = at(0xA9B4_0101, 84.0, 84.0, 20.155);
    let placed =
        setting.scene.place(&setting.world, key, &inside_the_crate, PlaceOptions::default()).unwrap();
    assert_eq!(placed.0, Placement::Placed);
    assert_eq!(setting.scene.get(key).unwrap().position, inside_the_crate);
    assert_eq!(cells_of(&setting.scene, key), [0xA9B4_0101]);
    assert_lists_agree(&setting);
}

#[test]
fn scattering_finds_a_spot_nearby_and_the_same_one_again() {
    let mut setting = setting("cottage");
    let middle = at(0xA9B4_0101, 84.0, 84.0, 20.155);
    spawn(&mut setting, 1, CRATE, middle, CLOSED);
    let key = player(&mut setting, 2, point("cottage", "upstairs"));
    let exact = PlaceOptions::default().slide(false);
    let refused = setting.scene.place(&setting.world, key, &middle, exact).unwrap().0;
    assert_ne!(refused, Placement::Placed, "the crate is in the way");
    let scatter = Scatter { always: false, tries: 20, x: 2.0, y: 2.0, seed: 7 };
    let options = exact.scatter(scatter);
    let mut spots = Vec::new();
    for _ in 0..2 {
        assert_eq!(setting.scene.place(&setting.world, key, &middle, options).unwrap().0, Placement::Placed);
        spots.push(setting.scene.get(key).unwrap().position);
    }
    assert_eq!(spots[0], spots[1]);
    let way = middle.offset_to(&spots[0]);
    assert!(way.x.abs() <= 2.0 && way.y.abs() <= 2.0 && way.length() > 0.5, "{way}");
}
