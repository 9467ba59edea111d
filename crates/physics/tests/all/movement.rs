//! What held keys make of a player on the ground, in the air and over edges. Spec: physics-objects §8.12.

use crate::support;
use glam::Vec3;
use support::*;
use threshold_physics::{
    EntityKey, Event, Transient,
    movement::{Controller, Controls, Skills},
};

const TICK: f64 = 1.0 / 30.0;

struct Walk {
    setting: Setting,
    key: EntityKey,
    controller: Controller,
}

impl Walk {
    fn new(world: &str, place: &str) -> Walk {
        let mut setting = setting(world);
        let key = player(&mut setting, 1, point(world, place));
        Walk { setting, key, controller: Controller::new(Skills { run: 200, jump: 300, burden: 0.0 }) }
    }

    fn hold(&mut self, controls: Controls, ticks: usize) -> Vec3 {
        let from = self.setting.scene.get(self.key).unwrap().position;
        for _ in 0..ticks {
            let Setting { world, scene, .. } = &mut self.setting;
            self.controller.drive(scene, self.key, &controls, TICK).unwrap();
            scene.advance_clock(TICK).unwrap();
            assert!(scene.update(world, self.key).unwrap().ok);
        }
        from.offset_to(&self.setting.scene.get(self.key).unwrap().position)
    }

    fn events(&mut self) -> Vec<Event> {
        self.setting.scene.drain_events().collect()
    }

    fn is_grounded(&self) -> bool {
        self.setting.scene.get(self.key).unwrap().has(Transient::ON_WALKABLE)
    }
}

fn close(a: Vec3, x: f32, y: f32) -> bool {
    (a.truncate() - Vec3::new(x, y, 0.0).truncate()).length() < 0.01
}

#[test]
fn one_second_of_each_key_goes_as_far_as_its_speed() {
    for (keys, x, y) in [
        (Controls { forward: true, ..Controls::default() }, 0.0, 9.5),
        (Controls { forward: true, toggle_run: true, ..Controls::default() }, 0.0, 3.12),
        (Controls { back: true, toggle_run: true, ..Controls::default() }, 0.0, -2.028),
        (Controls { right: true, toggle_run: true, ..Controls::default() }, 1.56, 0.0),
        (Controls { left: true, toggle_run: true, ..Controls::default() }, -1.56, 0.0),
        (Controls::default(), 0.0, 0.0),
    ] {
        let mut walk = Walk::new("plains", "flat");
        let way = walk.hold(keys, 30);
        assert!(close(way, x, y), "{keys:?}: {way}");
        assert!(walk.is_grounded());
    }
}

#[test]
fn turning_right_for_a_second_at_a_walk_faces_east() {
    let mut walk = Walk::new("plains", "flat");
    walk.hold(Controls { turn_right: true, toggle_run: true, ..Controls::default() }, 30);
    let way = walk.hold(Controls { forward: true, toggle_run: true, ..Controls::default() }, 30);
    assert!(close(way, 3.12, 0.0), "{way}");
}

#[test]
fn two_players_run_as_far_as_one_alone() {
    let flat = point("plains", "flat");
    let controls = Controls { forward: true, ..Controls::default() };
    let run = |count: u32| {
        let mut setting = setting("plains");
        let mut players: Vec<_> = (0..count)
            .map(|i| {
                (player(&mut setting, i + 1, moved(&flat, [5.0 * i as f32, 0.0, 0.0])), Controller::default())
            })
            .collect();
        for _ in 0..60 {
            for (key, controller) in &mut players {
                controller.drive(&mut setting.scene, *key, &controls, TICK).unwrap();
            }
            setting.scene.advance_clock(TICK).unwrap();
            for (key, _) in &players {
                setting.scene.update(&setting.world, *key).unwrap();
            }
        }
        setting.scene.get(players[0].0).unwrap().position
    };
    let alone = run(1);
    assert!(flat.distance_to(&alone) > 5.0, "{alone}");
    assert_eq!(run(2), alone, "to the bit");
}

#[test]
fn a_full_jump_goes_as_high_as_the_skill_says_and_lands_again() {
    let mut walk = Walk::new("plains", "flat");
    let ground = walk.setting.scene.get(walk.key).unwrap().position.frame.origin.z;
    walk.hold(Controls { jump: true, ..Controls::default() }, 40);
    assert_eq!(walk.controller.jump_power(), Some(1.0));
    assert!(walk.is_grounded());
    let mut top = 0.0f32;
    walk.hold(Controls::default(), 1);
    assert!(!walk.is_grounded());
    assert!(walk.events().contains(&Event::LeftGround(walk.key)));
    let mut ticks = 1;
    while !walk.is_grounded() {
        walk.hold(Controls::default(), 1);
        top = top.max(walk.setting.scene.get(walk.key).unwrap().position.frame.origin.z - ground);
        ticks += 1;
        assert!(ticks < 90, "it comes down again");
    }
    // 4.2125 m; the highest of the thirty positions per second lies at most 2 cm below the top.
    assert!((4.19..=4.22).contains(&top), "{top}");
    assert!((54..=57).contains(&ticks), "{ticks}");
    assert!(walk.events().contains(&Event::HitGround(walk.key)));
    let z = walk.setting.scene.get(walk.key).unwrap().position.frame.origin.z;
    assert!((z - ground).abs() < 0.01, "{z} {ground}");
}

#[test]
fn a_tap_jumps_the_least_height() {
    let mut walk = Walk::new("plains", "flat");
    let ground = walk.setting.scene.get(walk.key).unwrap().position.frame.origin.z;
    walk.hold(Controls { jump: true, ..Controls::default() }, 1);
    let mut top = 0.0f32;
    for _ in 0..30 {
        walk.hold(Controls::default(), 1);
        top = top.max(walk.setting.scene.get(walk.key).unwrap().position.frame.origin.z - ground);
    }
    assert!((0.33..=0.355).contains(&top), "{top}");
}

#[test]
fn a_running_jump_keeps_its_speed_and_legs_do_nothing_in_the_air() {
    let mut walk = Walk::new("plains", "flat");
    let forward = Controls { forward: true, ..Controls::default() };
    walk.hold(Controls { jump: true, ..forward }, 5);
    walk.hold(forward, 1);
    let velocity = walk.setting.scene.get(walk.key).unwrap().velocity;
    assert!((velocity.y - 9.5).abs() < 0.01, "{velocity}");
    // Letting go of the key changes nothing in the air.
    let way = walk.hold(Controls::default(), 6);
    assert!(!walk.is_grounded());
    assert!((way.y - 9.5 * 6.0 / 30.0).abs() < 0.01, "{way}");
    let way = walk.hold(Controls { back: true, ..Controls::default() }, 3);
    assert!((way.y - 9.5 * 3.0 / 30.0).abs() < 0.01, "{way}");
}

#[test]
fn a_standing_long_jump_waits_with_the_legs_until_it_leaves() {
    let mut walk = Walk::new("plains", "flat");
    walk.hold(Controls { jump: true, ..Controls::default() }, 2);
    let way = walk.hold(Controls { jump: true, forward: true, ..Controls::default() }, 10);
    assert!(way.length() < 0.001, "{way}");
    walk.hold(Controls { forward: true, ..Controls::default() }, 1);
    let velocity = walk.setting.scene.get(walk.key).unwrap().velocity;
    assert!((velocity.y - 9.5).abs() < 0.01 && velocity.z > 3.0, "{velocity}");
}

#[test]
fn nobody_jumps_from_the_air() {
    let mut walk = Walk::new("plains", "flat");
    walk.hold(Controls { jump: true, ..Controls::default() }, 30);
    walk.hold(Controls::default(), 3);
    let before = walk.setting.scene.get(walk.key).unwrap().velocity.z;
    walk.hold(Controls { jump: true, ..Controls::default() }, 3);
    walk.hold(Controls::default(), 1);
    let after = walk.setting.scene.get(walk.key).unwrap().velocity.z;
    assert!((before - after - 9.8 * 4.0 / 30.0).abs() < 0.01, "{before} {after}");
    assert_eq!(walk.controller.jump_power(), None);
}

/// Off the platform: the legs' velocity stays, without a jump.
#[test]
fn walking_off_an_edge_keeps_the_speed_of_the_legs() {
    let mut setting = setting("plains");
    // A platform hangs in the air: nothing to step down to.
    let crate_at = moved(&point("plains", "flat"), [0.0, 0.0, 6.0]);
    spawn(&mut setting, 2, PLATFORM, crate_at, CLOSED);
    let top = moved(&crate_at, [0.0, 0.0, 0.41]);
    let key = player(&mut setting, 1, top);
    // Without the edge-slide bit it walks off.
    setting.scene.set_state(key, threshold_physics::State::from_bits_retain(0x408)).unwrap();
    let mut walk = Walk { setting, key, controller: Controller::default() };
    let forward = Controls { forward: true, toggle_run: true, ..Controls::default() };
    let mut ticks = 0;
    while walk.is_grounded() {
        walk.hold(forward, 1);
        ticks += 1;
        assert!(ticks < 60, "the platform ends");
    }
    let velocity = walk.setting.scene.get(walk.key).unwrap().velocity;
    assert!((velocity.y - 3.12).abs() < 0.01, "{velocity}");
    assert!(walk.events().contains(&Event::LeftGround(walk.key)));
    let way = walk.hold(Controls::default(), 9);
    assert!((way.y - 3.12 * 9.0 / 30.0).abs() < 0.02, "{way}");
    assert!(way.z < -0.3, "{way}");
}

#[test]
fn load_slows_the_run_but_not_the_walk() {
    for (burden, speed) in [(0.0, 9.5), (1.5, 6.75), (3.0, 4.0)] {
        let mut walk = Walk::new("plains", "flat");
        walk.controller.skills.burden = burden;
        let way = walk.hold(Controls { forward: true, ..Controls::default() }, 30);
        assert!((way.y - speed).abs() < 0.01, "{burden}: {way}");
        let way = walk.hold(Controls { back: true, toggle_run: true, ..Controls::default() }, 30);
        assert!((way.y + 2.028).abs() < 0.01, "{burden}: {way}");
    }
}
