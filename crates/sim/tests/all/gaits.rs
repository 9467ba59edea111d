//! How the sample's people go: their keys become commands, and their motion tables move them. Spec: motion §6.4, §10.1.

use crate::support;
use glam::{Vec2, Vec3};
use std::sync::Arc;
use support::*;
use threshold_dat::{
    IdScheme,
    records::{MotionTable, Setup},
};
use threshold_physics::PLAYER_SETUP;
use threshold_sim::{Controls, EntityKey, Event, Simulation, Skills};
use threshold_world::{motion::Command, source::MemorySource};

const RUN_RATE: f32 = 2.375;
const KEYS: Controls = Controls {
    forward: false,
    back: false,
    left: false,
    right: false,
    turn_left: false,
    turn_right: false,
    toggle_run: false,
    jump: false,
};
const WALK: Controls = Controls { toggle_run: true, ..KEYS };

/// A player on the street, which is level, that looks along it.
fn on_the_street() -> (Simulation, EntityKey) {
    let mut sim = sample();
    let me = sim.spawn_player(place(&sim, "Village Street")).unwrap();
    (sim, me)
}

/// Holds keys for some ticks; the way, to the right and ahead of where it faced at first.
fn hold(sim: &mut Simulation, me: EntityKey, controls: Controls, ticks: usize) -> Vec2 {
    let from = sim.position(me).unwrap();
    sim.control(me, controls).unwrap();
    (0..ticks).for_each(|_| sim.tick().unwrap());
    from.frame.rotate_inverse(from.offset_to(&sim.position(me).unwrap())).truncate()
}

fn substate(sim: &Simulation, me: EntityKey) -> Command {
    sim.entity(me).unwrap().actor().expect("it has a motion table").animator.state().substate
}

/// Keys, the motion they stand for, and the velocity that the specification's constants give.
fn gaits() -> [(Controls, Command, [f32; 2]); 8] {
    let back = -0.65 * 3.12;
    let aside = 1.25 * 1.248;
    [
        (Controls { forward: true, ..KEYS }, Command::RUN_FORWARD, [0.0, 4.0 * RUN_RATE]),
        (Controls { forward: true, ..WALK }, Command::WALK_FORWARD, [0.0, 3.12]),
        (Controls { back: true, ..WALK }, Command::WALK_FORWARD, [0.0, back]),
        (Controls { back: true, ..KEYS }, Command::WALK_FORWARD, [0.0, back * RUN_RATE]),
        (Controls { right: true, ..WALK }, Command::SIDE_STEP_RIGHT, [aside, 0.0]),
        (Controls { left: true, ..WALK }, Command::SIDE_STEP_RIGHT, [-aside, 0.0]),
        (Controls { right: true, ..KEYS }, Command::SIDE_STEP_RIGHT, [aside * RUN_RATE, 0.0]),
        (Controls { right: true, forward: true, ..WALK }, Command::WALK_FORWARD, [aside, 3.12]),
    ]
}

/// In a second it goes as far as its motions' velocities say, to the frame: velocity acts in lumps, one for each frame that
/// passes, and only whole ones.
#[test]
fn speed_is_root_motion() {
    for (keys, motion, velocity) in gaits() {
        let (mut sim, me) = on_the_street();
        let way = hold(&mut sim, me, keys, 30);
        assert_eq!(substate(&sim, me), motion, "{keys:?}");
        let sequence = sim.entity(me).unwrap().actor().unwrap().animator.sequence();
        let velocity = Vec2::from(velocity);
        assert!((sequence.velocity.truncate() - velocity).length() < 1e-4, "{keys:?}: {}", sequence.velocity);
        let lump = velocity / sequence.current().unwrap().rate().abs();
        assert!((way - velocity).length() <= lump.length() + 1e-3, "{keys:?}: {way} instead of {velocity}");
        let lumps = way.length() / lump.length();
        assert!((lumps - lumps.round()).abs() < 1e-2, "{keys:?}: {lumps} frames");
    }
}

#[test]
fn a_second_of_turning_is_a_quarter_turn_and_half_as_much_again_while_running() {
    for (keys, degrees) in [
        (Controls { turn_right: true, ..WALK }, 90.0),
        (Controls { turn_left: true, ..WALK }, -90.0),
        (Controls { turn_right: true, ..KEYS }, 135.0),
        (Controls { turn_right: true, forward: true, ..KEYS }, 135.0),
    ] {
        let (mut sim, me) = on_the_street();
        let heading = |sim: &Simulation| sim.position(me).unwrap().frame.heading();
        let before = heading(&sim);
        hold(&mut sim, me, keys, 30);
        let turned = (heading(&sim) - before + 540.0).rem_euclid(360.0) - 180.0;
        // Within a frame, or two where one frame of a run is shorter than a tick.
        assert!((turned - degrees).abs() < 2.0 * 4.5 + 0.1, "{keys:?}: {turned}");
    }
}

#[test]
fn legs_swing_while_it_walks_and_hang_while_it_falls() {
    let (mut sim, me) = on_the_street();
    let leg = |sim: &Simulation| sim.entity(me).unwrap().part_frame(4).expect("a leg").rotation();
    hold(&mut sim, me, KEYS, 2);
    let standing = leg(&sim);
    hold(&mut sim, me, Controls { forward: true, ..WALK }, 5);
    assert_ne!(leg(&sim), standing);
    hold(&mut sim, me, KEYS, 2);
    assert_eq!(leg(&sim), standing);
}

/// Charged for a second while it runs, then let go: off with the velocity of the run, up as the skill says, falling in
/// between, and running again as soon as it lands.
#[test]
fn a_running_jump_leaves_with_the_state_velocity_and_lands_running() {
    let (mut sim, me) = on_the_street();
    let run = Controls { forward: true, ..KEYS };
    hold(&mut sim, me, Controls { jump: true, ..run }, 35);
    let ground = sim.position(me).unwrap().frame.origin.z;
    hold(&mut sim, me, run, 1);
    let velocity: Vec3 = sim.entity(me).unwrap().velocity;
    let gravity = 9.8 / 30.0;
    let upward = Skills::default().jump_speed(1.0) - gravity;
    assert!((velocity.truncate().length() - 4.0 * RUN_RATE).abs() < 1e-3, "{velocity}");
    assert!((velocity.z - upward).abs() < 1e-3, "{velocity} instead of {upward}");
    assert_eq!(substate(&sim, me), Command::FALLING);
    let (mut top, mut ticks) = (0.0_f32, 0);
    while !sim.entity(me).unwrap().stands() {
        hold(&mut sim, me, run, 1);
        top = top.max(sim.position(me).unwrap().frame.origin.z - ground);
        ticks += 1;
        assert!(ticks < 90, "it comes down again");
    }
    let height = Skills::default().jump_height(1.0);
    assert!((height - 0.1..=height + 0.01).contains(&top), "{top} of {height}");
    assert_eq!(substate(&sim, me), Command::RUN_FORWARD);
}

#[test]
fn other_skills_run_at_another_rate_from_then_on() {
    let (mut sim, me) = on_the_street();
    let run = Controls { forward: true, ..KEYS };
    sim.set_skills(me, Skills { run: 0, ..Skills::default() }).unwrap();
    let way = hold(&mut sim, me, run, 30);
    assert!((way.y - 4.0).abs() <= 4.0 / 30.0 + 1e-3, "{way}");
}

#[test]
fn a_motion_table_without_its_default_is_a_problem_and_the_player_stands_still() {
    let mut source = MemorySource::copy_of(&**library().source()).unwrap();
    let setup: Setup = library().record(PLAYER_SETUP).unwrap().unwrap();
    let id = setup.defaults.motion_table;
    let mut table: MotionTable = library().record(id).unwrap().unwrap();
    table.cycles.clear();
    source.insert_record(IdScheme::Portal, id, &table).unwrap();
    let at = place(&sample(), "Village Street");
    let mut sim = Simulation::builder().source(Arc::new(source)).build().unwrap();
    let me = sim.spawn_player(at).unwrap();
    let names_it = |event: Event| matches!(event, Event::Problem(problem) if problem.id == id);
    assert!(sim.drain_events().any(names_it), "it is reported");
    let way = hold(&mut sim, me, Controls { forward: true, ..KEYS }, 30);
    assert!(way.length() < 1e-3, "{way}");
    assert!(sim.entity(me).unwrap().stands());
}
