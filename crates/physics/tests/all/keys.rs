//! Held keys of a player with a motion table: commands to its interpreter, and root motion out of its animations.

use crate::support;
use glam::Vec3;
use std::sync::Arc;
use support::*;
use threshold_dat::{
    DatId,
    records::{self, AnimationFrame, Motion, MotionAnimation},
};
use threshold_physics::{
    Entity, EntityKey, Transient,
    motion::HoldKey,
    movement::{Controller, Controls, RUN_SPEED, SIDE_STEP_SPEED, Skills, TURN_SPEED, WALK_SPEED},
};
use threshold_world::motion::{Animation, Command, MotionTable};

const TICK: f64 = 1.0 / 30.0;
/// Frames per second of every animation.
const RATE: f32 = 30.0;
const RUN_RATE: f32 = 2.375;

/// Standing, walking, running, stepping aside, turning and falling, at the speeds of people.
fn table() -> Arc<MotionTable> {
    let style = Command::NON_COMBAT.0;
    let key = |command: Command| style << 16 | command.0 & 0x00FF_FFFF;
    let motion = |velocity: [f32; 3], turn: f32, bits: u8| Motion {
        animations: vec![MotionAnimation { animation: DatId(1), low: 0, high: -1, rate: RATE }],
        velocity: Some(velocity),
        omega: Some([0.0, 0.0, turn]),
        bits,
        ..Motion::default()
    };
    let (turn, side) =
        (|bits| motion([0.0; 3], -TURN_SPEED, bits), |bits| motion([SIDE_STEP_SPEED, 0.0, 0.0], 0.0, bits));
    let record = records::MotionTable {
        default_style: style,
        style_defaults: vec![(style, Command::READY.0)],
        cycles: vec![
            (key(Command::READY), motion([0.0; 3], 0.0, 0)),
            (key(Command::WALK_FORWARD), motion([0.0, WALK_SPEED, 0.0], 0.0, 0)),
            (key(Command::RUN_FORWARD), motion([0.0, RUN_SPEED, 0.0], 0.0, 0)),
            (key(Command::FALLING), motion([0.0; 3], 0.0, 0)),
            (key(Command::TURN_RIGHT), turn(2)),
            (key(Command::SIDE_STEP_RIGHT), side(2)),
        ],
        modifiers: vec![(key(Command::TURN_RIGHT), turn(0)), (key(Command::SIDE_STEP_RIGHT), side(0))],
        links: vec![],
    };
    let frames = vec![AnimationFrame::default(); 16];
    let animation = Arc::new(Animation::new(DatId(1), records::Animation { frames, ..Default::default() }));
    Arc::new(MotionTable::new(
        DatId(0x0900_0001),
        &record,
        |_| Some(animation.clone()),
        |problem| panic!("{problem}"),
    ))
}

struct Walk {
    setting: Setting,
    key: EntityKey,
    controller: Controller,
}

impl Walk {
    fn new() -> Walk {
        let mut setting = setting("plains");
        let key = player(&mut setting, 1, point("plains", "flat"));
        setting.scene.set_motion_table(key, Some(table())).unwrap();
        setting.scene.enter_world(key).unwrap();
        Walk { setting, key, controller: Controller::new(Skills { run: 200, jump: 300, burden: 0.0 }) }
    }

    fn player(&self) -> &Entity {
        self.setting.scene.get(self.key).unwrap()
    }

    fn hold(&mut self, controls: Controls, ticks: usize) -> Vec3 {
        let from = self.player().position;
        for _ in 0..ticks {
            let Setting { world, scene, .. } = &mut self.setting;
            self.controller.drive(scene, self.key, &controls, TICK).unwrap();
            scene.advance_clock(TICK).unwrap();
            scene.update(world, self.key).unwrap();
        }
        from.offset_to(&self.player().position)
    }
}

/// What a key does, and the speed of the motion that it stands for.
fn gaits() -> [(Controls, Command, f32, [f32; 2]); 7] {
    let keys = Controls::default();
    let walk = Controls { toggle_run: true, ..keys };
    [
        (Controls { forward: true, ..keys }, Command::RUN_FORWARD, RUN_RATE, [0.0, RUN_SPEED]),
        (Controls { forward: true, ..walk }, Command::WALK_FORWARD, 1.0, [0.0, WALK_SPEED]),
        (Controls { back: true, ..walk }, Command::WALK_FORWARD, -0.65, [0.0, WALK_SPEED]),
        (Controls { back: true, ..keys }, Command::WALK_FORWARD, -0.65 * RUN_RATE, [0.0, WALK_SPEED]),
        (Controls { right: true, ..walk }, Command::SIDE_STEP_RIGHT, 1.248, [SIDE_STEP_SPEED, 0.0]),
        (Controls { left: true, ..walk }, Command::SIDE_STEP_RIGHT, -1.248, [SIDE_STEP_SPEED, 0.0]),
        (
            Controls { right: true, ..keys },
            Command::SIDE_STEP_RIGHT,
            1.248 * RUN_RATE,
            [SIDE_STEP_SPEED, 0.0],
        ),
    ]
}

/// The way of a second is the velocity of the motion times its speed, as far as whole frames have passed: velocity acts
/// in lumps of a frame (motion §6.4).
#[test]
fn speed_is_root_motion() {
    for (keys, command, speed, velocity) in gaits() {
        let mut walk = Walk::new();
        let way = walk.hold(keys, 30);
        let motion = walk.player().actor().unwrap().animator.state();
        assert_eq!((motion.substate, walk.player().has(Transient::ON_WALKABLE)), (command, true), "{keys:?}");
        // A side step that runs is cut to a speed of 3.
        let speed = if command == Command::SIDE_STEP_RIGHT { speed.clamp(-3.0, 3.0) } else { speed };
        assert!((motion.speed - speed).abs() < 1e-4, "{keys:?}: {}", motion.speed);
        let frames = (RATE * speed.abs()).floor();
        let lump = Vec3::new(velocity[0], velocity[1], 0.0) * speed.signum() / RATE;
        let error = (way - lump * frames).truncate().length();
        assert!(error <= lump.length() + 1e-3, "{keys:?}: {way} instead of {}", lump * frames);
        let exact = (way.truncate().length() / lump.length()).round() * lump.length();
        assert!((way.truncate().length() - exact).abs() < 1e-3, "{keys:?}: whole frames only, {way}");
    }
}

#[test]
fn turning_comes_from_the_motion_table_alone_or_while_running() {
    for (forward, toggle_run, factor) in [(false, true, 1.0), (false, false, 1.5), (true, false, 1.5)] {
        let mut walk = Walk::new();
        walk.hold(Controls { turn_right: true, forward, toggle_run, ..Controls::default() }, 30);
        let turned = walk.player().position.frame.heading();
        let lump = 2.0 * factor * (TURN_SPEED / RATE).to_degrees();
        assert!(
            (turned - factor * TURN_SPEED.to_degrees()).abs() <= lump,
            "{forward} {toggle_run}: {turned}"
        );
    }
}

#[test]
fn letting_go_stops_and_the_run_key_changes_the_gait() {
    let mut walk = Walk::new();
    let forward = Controls { forward: true, ..Controls::default() };
    walk.hold(forward, 10);
    assert_eq!(walk.player().interpreter().unwrap().raw.hold_key, HoldKey::Run);
    walk.hold(Controls { toggle_run: true, ..forward }, 2);
    assert_eq!(walk.player().actor().unwrap().animator.state().substate, Command::WALK_FORWARD);
    walk.hold(Controls::default(), 1);
    assert_eq!(walk.player().actor().unwrap().animator.state().substate, Command::READY);
    assert_eq!(walk.hold(Controls::default(), 5), Vec3::ZERO);
    walk.hold(forward, 5);
    walk.controller.rest(&mut walk.setting.scene, walk.key).unwrap();
    assert_eq!(walk.player().interpreter().unwrap().raw.forward.command, Command::READY);
}

#[test]
fn a_full_jump_goes_as_high_as_the_skill_says_and_keeps_the_speed_of_the_run() {
    let mut walk = Walk::new();
    let ground = walk.player().position.frame.origin.z;
    let forward = Controls { forward: true, ..Controls::default() };
    walk.hold(Controls { jump: true, ..forward }, 40);
    assert_eq!(walk.controller.jump_power(), Some(1.0));
    walk.hold(forward, 1);
    assert!(!walk.player().has(Transient::ON_WALKABLE));
    assert!((walk.player().velocity.y - RUN_SPEED * RUN_RATE).abs() < 0.01, "{}", walk.player().velocity);
    let (mut top, mut ticks) = (0.0_f32, 0);
    while !walk.player().has(Transient::ON_WALKABLE) {
        walk.hold(Controls::default(), 1);
        top = top.max(walk.player().position.frame.origin.z - ground);
        ticks += 1;
        assert!(ticks < 90, "it comes down again");
    }
    assert!((4.19..=4.22).contains(&top), "{top}");
    // It slides until friction has stopped it.
    walk.hold(Controls::default(), 60);
    assert_eq!(walk.hold(Controls::default(), 3), Vec3::ZERO, "no key is held");
}

#[test]
fn a_standing_long_jump_waits_with_the_legs_until_it_leaves() {
    let mut walk = Walk::new();
    walk.hold(Controls { jump: true, ..Controls::default() }, 2);
    assert!(walk.player().interpreter().unwrap().standing_long_jump);
    let way = walk.hold(Controls { jump: true, forward: true, ..Controls::default() }, 10);
    assert!(way.length() < 0.001, "{way}");
    walk.hold(Controls { forward: true, ..Controls::default() }, 1);
    let velocity = walk.player().velocity;
    assert!((velocity.y - RUN_SPEED * RUN_RATE).abs() < 0.01 && velocity.z > 3.0, "{velocity}");
}

#[test]
fn too_much_load_refuses_the_jump() {
    let mut walk = Walk::new();
    walk.controller.skills.burden = 2.0;
    walk.hold(Controls { jump: true, ..Controls::default() }, 20);
    assert_eq!(walk.controller.jump_power(), None, "nothing is charged");
    walk.hold(Controls::default(), 2);
    assert!(walk.player().has(Transient::ON_WALKABLE));
}
