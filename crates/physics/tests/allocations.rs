//! Sweeps that have seen their worst allocate nothing.

mod support;

use support::{CHEST, CREATURE, Setting, moved, player, point, setting, spawn, spawn_recorded, tick_all};
use threshold_dat::DatId;
use threshold_golden::WORLDS;
use threshold_physics::{
    EntityKey, PlaceOptions, State, Sweeper,
    motion::{Movement, MovementParameters},
    movement::{Controller, Controls},
    scene::camera,
    sweep::SweepInput,
};
use threshold_scenario::{Record, soak::populate};
use threshold_world::{Frame, Position, motion::Command};

/// Every recorded sweep of a world from its own state; the sum of what the sweeps alone allocated.
fn sweep_all(setting: &mut Setting, records: &[Record], sweeper: &mut Sweeper) -> u64 {
    setting.reset();
    let mut allocations = 0;
    for record in records {
        if let Some(entities) = &record.entities {
            setting.reset();
            spawn_recorded(setting, entities);
        }
        let before = &record.before;
        let from = before.position();
        let to = Position::new(before.cell, Frame::new(record.target.origin.into(), record.target.rotation));
        let Setting { world, scene, library } = &mut *setting;
        if record.mover.viewer {
            let measured = allocation_counter::measure(|| {
                let input = SweepInput::new(camera(), &from, &to);
                sweeper.sweep(world, scene, input, None).expect("a sweep");
            });
            allocations += measured.count_total;
            continue;
        }
        let mover = record.mover.spawn(library, from).expect("the recorded mover");
        let key = scene.spawn(world, mover).expect("the recorded mover");
        scene.restore_body(world, key, &before.body()).expect("a recorded state");
        let measured = allocation_counter::measure(|| {
            scene.sweep_entity(world, key, &to, sweeper, None).expect("a sweep");
        });
        allocations += measured.count_total;
        scene.despawn(world, key).expect("the mover");
    }
    allocations
}

#[test]
fn a_warm_sweep_does_not_allocate() {
    for world in WORLDS {
        let mut setting = setting(world);
        let records: Vec<Record> = threshold_golden::captures(world)
            .iter()
            .map(|line| serde_json::from_str(line).expect("a record"))
            .collect();
        let mut sweeper = Sweeper::new();
        sweep_all(&mut setting, &records, &mut sweeper);
        assert_eq!(sweep_all(&mut setting, &records, &mut sweeper), 0, "{world}");
    }
}

/// Walks through the house and the street, and back to where it began.
fn round_trip(setting: &mut Setting, key: EntityKey) {
    let start = setting.scene.get(key).expect("the body").position;
    for by in [[0.0, -0.2, 0.0], [0.0, 0.2, 0.0], [0.13, 0.1, 0.0], [-0.13, -0.1, 0.0]] {
        for _ in 0..30 {
            let from = setting.scene.get(key).expect("the body").position;
            setting.scene.move_to(&setting.world, key, &moved(&from, by), None).expect("a move");
        }
        setting.scene.drain_events();
    }
    let place = PlaceOptions::default();
    setting.scene.place(&setting.world, key, &start, place).expect("a placement");
    setting.scene.drain_events();
}

#[test]
fn a_warm_move_with_its_commit_does_not_allocate() {
    let mut setting = setting("cottage");
    spawn(&mut setting, 2, CHEST, point("cottage", "main_ne"), State::REPORT_COLLISIONS);
    let key = player(&mut setting, 1, point("cottage", "vestibule"));
    let inside = setting.scene.get(key).expect("the body").position.cell;
    for _ in 0..3 {
        round_trip(&mut setting, key);
    }
    let measured = allocation_counter::measure(|| round_trip(&mut setting, key));
    assert_eq!(measured.count_total, 0);
    assert_eq!(setting.scene.get(key).expect("the body").position.cell, inside);
}

/// Creatures that run and turn by their motion tables, begin and stop, chase each other, follow positions and keys.
#[test]
fn warm_ticks_of_animated_creatures_do_not_allocate() {
    let mut setting = setting("motions");
    let model = setting.library.model(DatId(CREATURE)).expect("readable").expect("a creature");
    let table = setting.library.motion_table(DatId(0x0900_0001)).expect("readable").expect("a table");
    let keys = populate(&setting.world, &mut setting.scene, &model, 40, 1, 42);
    for &key in &keys {
        setting.scene.set_motion_table(key, Some(table.clone())).expect("it is there");
        setting.scene.enter_world(key).expect("it is there");
    }
    let begin = |command| Movement::DoInterpreted(command, MovementParameters::default());
    let home: Vec<Position> =
        keys.iter().map(|key| setting.scene.get(*key).expect("it is there").position).collect();
    let orders = |setting: &mut Setting| {
        for (i, &key) in keys.iter().enumerate() {
            let scene = &mut setting.scene;
            // What is in the air refuses to act.
            let _ = match i % 5 {
                0 => scene.perform(
                    key,
                    &Movement::MoveToObject(keys[(i + 1) % keys.len()], MovementParameters::default()),
                ),
                1 => scene.perform(key, &begin(Command::TURN_RIGHT)),
                2 => scene.perform(key, &begin(Command(0x1000_0062))),
                3 => scene.interpolate_to(key, &moved(&home[i], [2.0, 1.0, 0.0]), false),
                _ => scene.perform(key, &begin(Command::RUN_FORWARD)),
            };
        }
    };
    let pass = |setting: &mut Setting| {
        // From where they began, so that lists of cells are as long as they were.
        for (&key, home) in keys.iter().zip(&home) {
            setting.scene.prepare_teleport(key).expect("it is there");
            setting.scene.place(&setting.world, key, home, PlaceOptions::default()).expect("it is there");
        }
        orders(setting);
        let mut controller = Controller::default();
        for tick in 0..60 {
            let keys_held = Controls {
                forward: tick % 20 < 15,
                turn_left: tick % 7 < 3,
                jump: tick > 40,
                ..Controls::default()
            };
            for &key in keys.iter().skip(4).step_by(5) {
                controller.drive(&mut setting.scene, key, &keys_held, 1.0 / 30.0).expect("it is there");
            }
            tick_all(setting, 1.0 / 30.0);
            setting.scene.drain_events();
        }
        for &key in &keys {
            setting.scene.perform(key, &Movement::StopCompletely).expect("it stops");
        }
        setting.scene.drain_events();
    };
    for _ in 0..20 {
        pass(&mut setting);
    }
    let measured = allocation_counter::measure(|| pass(&mut setting));
    assert_eq!(measured.count_total, 0);
}
