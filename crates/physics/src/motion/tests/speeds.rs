//! How fast commands are.

use super::*;
use crate::{movement::Skills, testing::assert_close};

fn tick(scene: &mut Scene, world: &World, key: EntityKey, seconds: f64) {
    scene.advance_clock(seconds).expect("time");
    scene.update(world, key).expect("a step");
}

fn run(scene: &mut Scene, key: EntityKey, speed: f32) {
    let parameters = MovementParameters { speed, ..MovementParameters::default() };
    scene.perform(key, &Movement::DoInterpreted(Command::RUN_FORWARD, parameters)).expect("it runs");
}

/// Spec: motion §16, example 17.
#[test]
fn root_motion_is_scaled_on_the_ground_and_nothing_in_the_air() {
    let world = flat_world();
    let mut scene = Scene::new();
    let key = creature(&mut scene, &world, PLAYER_STATE, 1.2, 0.005);
    run(&mut scene, key, 2.0);
    let before = scene.get(key).expect("a creature").position;
    tick(&mut scene, &world, key, 0.1);
    let moved = before.offset_to(&scene.get(key).expect("a creature").position);
    assert_close(moved.truncate().length(), 0.96);

    // What does not fall is told what to do in the air, too.
    let mut scene = Scene::new();
    let key = creature(&mut scene, &world, PLAYER_STATE - State::GRAVITY, 1.2, 30.0);
    run(&mut scene, key, 2.0);
    let turn = Movement::DoInterpreted(Command::TURN_RIGHT, MovementParameters::default());
    scene.perform(key, &turn).expect("it turns");
    let before = scene.get(key).expect("a creature").position;
    tick(&mut scene, &world, key, 0.1);
    let after = scene.get(key).expect("a creature").position;
    assert_eq!(before.frame.origin, after.frame.origin);
    // Six frames at sixty a second turn by a tenth of 1.5 radians.
    assert_close(after.frame.heading() - before.frame.heading(), 0.15_f32.to_degrees());
}

/// Spec: motion §16, example 18.
#[test]
fn keys_become_commands_of_the_motion_table() {
    let (world, mut scene) = (flat_world(), Scene::new());
    let key = standing(&mut scene, &world);
    let mut adjusted = |rate: f32, command, hold| {
        scene.set_run_rate(key, rate).expect("a rate");
        scene.get(key).expect("a creature").adjust(command, 1.0, hold)
    };
    for (rate, command, hold, expected) in [
        (2.0, Command::WALK_BACKWARDS, HoldKey::Run, (Command::WALK_FORWARD, -1.3)),
        (2.0, Command::TURN_LEFT, HoldKey::Run, (Command::TURN_RIGHT, -1.5)),
        (2.0, Command::SIDE_STEP_LEFT, HoldKey::Run, (Command::SIDE_STEP_RIGHT, -2.496)),
        (3.0, Command::SIDE_STEP_LEFT, HoldKey::Run, (Command::SIDE_STEP_RIGHT, -3.0)),
        (3.0, Command::SIDE_STEP_RIGHT, HoldKey::None, (Command::SIDE_STEP_RIGHT, 1.248)),
        (2.375, Command::WALK_FORWARD, HoldKey::Run, (Command::RUN_FORWARD, 2.375)),
    ] {
        let (found, speed) = adjusted(rate, command, hold);
        assert_eq!(found, expected.0, "{command}");
        assert_close(speed, expected.1);
    }
    // The own player's rate comes from its skills.
    scene.set_skills(key, Some(Skills { run: 200, jump: 300, burden: 0.5 })).expect("skills");
    let own = scene.get(key).expect("a player").adjust(Command::WALK_FORWARD, 1.0, HoldKey::Run);
    assert_eq!(own, (Command::RUN_FORWARD, 2.375));
}

/// Spec: motion §16, example 19.
#[test]
fn going_diagonally_is_cut_to_the_speed_of_a_run() {
    let (world, mut scene) = (flat_world(), Scene::new());
    let key = standing(&mut scene, &world);
    scene.set_run_rate(key, 2.0).expect("a rate");
    let mut velocity = |forward, forward_speed, side_speed| {
        let entity = scene.entity_mut(key).expect("it is there");
        let state = &mut entity.interpreter_mut().expect("an interpreter").interpreted;
        (state.forward, state.forward_speed) = (forward, forward_speed);
        let side = if side_speed == 0.0 { Command::NONE } else { Command::SIDE_STEP_RIGHT };
        (state.side, state.side_speed) = (side, side_speed);
        entity.state_velocity()
    };
    let diagonal = velocity(Command::RUN_FORWARD, 2.0, 2.496);
    assert_close(diagonal.x, 2.9068);
    assert_close(diagonal.y, 7.4532);
    let backwards = velocity(Command::WALK_FORWARD, -1.3, 0.0);
    assert_close(backwards.x, 0.0);
    assert_close(backwards.y, -4.056);
}
