//! Random walks from recorded places in every golden world: whatever they run into, the rules of the latch hold.

use crate::{support, watch};
use glam::Vec3;
use proptest::prelude::*;
use std::cell::RefCell;
use support::{Setting, setting, spawn_recorded};
use threshold_golden::WORLDS;
use threshold_physics::{Sweeper, scene::camera, sweep::SweepInput};
use threshold_scenario::Record;
use threshold_world::{Frame, Position, Quat};
use watch::Watch;

/// A golden world with the places of its recorded sweeps.
struct Ground {
    setting: Setting,
    records: Vec<Record>,
}

fn grounds() -> Vec<Ground> {
    let record = |line: &String| serde_json::from_str(line).expect("a record");
    let ground = |world: &&str| Ground {
        setting: setting(world),
        records: threshold_golden::captures(world).iter().step_by(7).map(record).collect(),
    };
    WORLDS.iter().map(ground).collect()
}

/// One move of a random walk.
#[derive(Clone, Debug)]
enum Move {
    By([f32; 3]),
    Turn(f32),
    Tick(f32, [f32; 3]),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let vector = |size: f32| prop::array::uniform3(-size..size);
    let one = prop_oneof![
        6 => vector(0.4).prop_map(Move::By),
        2 => vector(0.4).prop_map(|[x, y, _]| Move::By([x, y, 0.0])),
        1 => vector(3.0).prop_map(Move::By),
        1 => vector(40.0).prop_map(Move::By),
        1 => vector(0.001).prop_map(Move::By),
        1 => Just(Move::By([0.0; 3])),
        1 => (0.0_f32..360.0).prop_map(Move::Turn),
        2 => (0.0_f32..0.5, vector(20.0)).prop_map(|(seconds, velocity)| Move::Tick(seconds, velocity)),
    ];
    prop::collection::vec(one, 1..12)
}

fn target(from: &Position, step: &Move) -> Position {
    let frame = &from.frame;
    let frame = match *step {
        Move::By(by) => Frame::new(frame.origin + Vec3::from(by), frame.rotation()),
        Move::Turn(heading) => Frame::new(frame.origin, Quat::from_heading(heading)),
        Move::Tick(seconds, velocity) => {
            Frame::new(frame.origin + Vec3::from(velocity) * seconds, frame.rotation())
        }
    };
    Position::new(from.cell, frame)
}

fn walk_as_a_body(ground: &mut Ground, record: usize, steps: &[Move]) {
    let record = &ground.records[record % ground.records.len()];
    let setting = &mut ground.setting;
    setting.reset();
    spawn_recorded(setting, record.entities.as_deref().unwrap_or_default());
    let body = record.before.body();
    let mover = record.mover.spawn(&setting.library, body.position).expect("the recorded mover");
    let key = setting.scene.spawn(&setting.world, mover).expect("the recorded mover");
    setting.scene.restore_body(&setting.world, key, &body).expect("the recorded state");
    for step in steps {
        let body = setting.scene.get(key).expect("the body");
        let (from, cell) = (body.position, body.cell);
        if cell.is_none() {
            return;
        }
        if let Move::Tick(seconds, velocity) = *step {
            setting.scene.set_velocity(key, velocity.into()).expect("a finite velocity");
            support::tick(setting, key, f64::from(seconds));
        } else {
            let mut watch = Watch::new(from, cell);
            let result = setting.scene.move_to(&setting.world, key, &target(&from, step), Some(&mut watch));
            let result = result.expect("a finite move");
            let body = setting.scene.get(key).expect("the body");
            if !result.ok {
                assert_eq!((body.position, body.cell), (from, cell), "a failed sweep commits nothing");
            } else if body.cell.is_some() {
                let (held, cell) = watch.held();
                assert_eq!(
                    (body.position.frame.origin, body.cell),
                    (held.frame.origin, cell),
                    "what was held is committed"
                );
            }
        }
        let body = setting.scene.get(key).expect("the body");
        assert!(body.position.frame.is_finite() && body.velocity.is_finite(), "{:?}", body.position);
        assert!(body.contact_plane.normal.is_finite() && body.sliding_normal.is_finite());
        if let Some(cell) = body.cell {
            assert_eq!(cell, body.position.cell);
            assert!(setting.world.cell(cell).is_some(), "{cell} is loaded");
        }
    }
}

fn fly_as_a_camera(ground: &Ground, record: usize, steps: &[Move]) {
    let before = &ground.records[record % ground.records.len()].before;
    let start = Position::new(before.cell, Frame::new(Vec3::from(before.origin) + Vec3::Z, before.rotation));
    let setting = &ground.setting;
    let Some(mut position) = setting.world.reseat(&start, Vec3::ZERO) else { return };
    let mut sweeper = Sweeper::new();
    for step in steps {
        let cell = setting.world.cell(position.cell).map(|cell| cell.id());
        let mut watch = Watch::new(position, cell);
        let (begin, end) = (position, target(&position, step));
        let outcome = sweeper
            .sweep(&setting.world, &setting.scene, SweepInput::new(camera(), &begin, &end), Some(&mut watch))
            .expect("a finite move");
        assert!(outcome.position.frame.is_finite());
        if outcome.ok {
            position = outcome.position;
        }
        if outcome.cell.is_none() {
            return;
        }
    }
}

thread_local! {
    static GROUNDS: RefCell<Vec<Ground>> = RefCell::new(grounds());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bodies(world in 0..WORLDS.len(), record in any::<usize>(), steps in moves()) {
        GROUNDS.with_borrow_mut(|grounds| walk_as_a_body(&mut grounds[world], record, &steps));
    }

    #[test]
    fn cameras(world in 0..WORLDS.len(), record in any::<usize>(), steps in moves()) {
        GROUNDS.with_borrow(|grounds| fly_as_a_camera(&grounds[world], record, &steps));
    }
}
