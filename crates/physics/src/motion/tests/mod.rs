//! The worked examples of the specification (motion §16, entities §11) and properties.

mod position;
mod speeds;

use super::*;
use crate::{
    flags::State,
    scene::{EntityRole, PLAYER_STATE, PlaceOptions, Scene, Spawn},
    testing::{LAND, at, flat, model, v, world},
};
use std::sync::Arc;
use threshold_dat::{
    DatId,
    records::{self, AnimationFrame, Motion, MotionAnimation},
};
use threshold_world::{
    World,
    geometry::Sphere,
    motion::{Animation, MAX_REPEATS, MotionTable},
};

/// Running at 4 m/s and turning at 1.5 rad/s, thirty frames per second.
fn table() -> Arc<MotionTable> {
    let style = Command::NON_COMBAT.0;
    let key = |command: Command| style << 16 | command.0 & 0x00FF_FFFF;
    let motion = |velocity: f32, omega: f32| Motion {
        animations: vec![MotionAnimation { animation: DatId(1), low: 0, high: -1, rate: 30.0 }],
        velocity: Some([0.0, velocity, 0.0]),
        omega: Some([0.0, 0.0, omega]),
        ..Motion::default()
    };
    let record = records::MotionTable {
        default_style: style,
        style_defaults: vec![(style, Command::READY.0)],
        cycles: vec![
            (key(Command::READY), motion(0.0, 0.0)),
            (key(Command::RUN_FORWARD), motion(4.0, 0.0)),
            (key(Command::TURN_RIGHT), motion(0.0, -1.5)),
        ],
        modifiers: vec![(key(Command::TURN_RIGHT), motion(0.0, -1.5))],
        links: vec![],
    };
    let frames = vec![AnimationFrame::default(); 10];
    let animation = Arc::new(Animation::new(DatId(1), records::Animation { frames, ..Default::default() }));
    let find = |_| Some(animation.clone());
    Arc::new(MotionTable::new(DatId(0x0900_0001), &record, find, |problem| panic!("{problem}")))
}

/// A creature with a motion table, on the ground if it falls.
fn creature(scene: &mut Scene, world: &World, state: State, scale: f32, z: f32) -> EntityKey {
    let sphere = Sphere { center: v(0.0, 0.0, 0.5), radius: 0.48 };
    let role = EntityRole { creature: true, ..EntityRole::default() };
    let position = at(LAND, 12.0, 12.0, z);
    let spawn = Spawn { guid: Some(7), model: model(&[sphere], &[]), position, state, scale, role };
    let key = scene.spawn(world, spawn).expect("a creature");
    scene.set_motion_table(key, Some(table())).expect("a table");
    scene.place(world, key, &position, PlaceOptions::default()).expect("room");
    scene.enter_world(key).expect("it is there");
    key
}

/// A creature that stands on flat ground.
fn standing(scene: &mut Scene, world: &World) -> EntityKey {
    creature(scene, world, PLAYER_STATE, 1.0, 0.005)
}

fn flat_world() -> World {
    world(flat(0.0), vec![], vec![])
}

/// A server may tell one that is far away what to do for hours; nothing of it is played. It ends in what it was told last, and
/// what waits has a limit.
#[test]
fn one_that_is_told_and_never_updated_follows_its_last_order() {
    let world = flat_world();
    let mut scene = Scene::new();
    let key = standing(&mut scene, &world);
    let mut most = 0;
    for i in 0..MAX_REPEATS {
        let forward = [Command::READY, Command::RUN_FORWARD][i % 2];
        let state = InterpretedState { forward, ..InterpretedState::default() };
        let movement = MovementState { state, ..MovementState::default() };
        let entity = scene.entity_mut(key).expect("the creature");
        entity.apply_movement_state(&movement);
        let actor = entity.actor().expect("what moves it");
        assert_eq!(actor.animator.state().substate, forward, "order {i}");
        let waiting = entity.interpreter().expect("an interpreter").pending().len();
        assert_eq!(actor.animator.pending().motions().len(), waiting, "order {i}");
        most = most.max(waiting);
    }
    assert!((MAX_REPEATS - 8..=MAX_REPEATS).contains(&most), "{most}");
}
