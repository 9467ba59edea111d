//! Thousands of bodies at once: the same on any number of threads, and the same as one after the other.

use crate::support;
use support::*;
use threshold_dat::DatId;
use threshold_physics::{
    Entity, EntityKey, EntityRole, Motion, Scene, Spawn,
    motion::{Movement, MovementParameters},
    scene::{Attachment, SweptStep, Watching},
};
use threshold_scenario::soak::populate;
use threshold_world::{Frame, Position, Quat, motion::Command};

const TICK: f64 = 1.0 / 30.0;

/// A crowd in which everybody bumps into somebody.
fn crowd(world: &str, count: usize) -> (Setting, Vec<EntityKey>) {
    let mut setting = setting(world);
    let model = setting.library.model(DatId(CREATURE)).unwrap().unwrap();
    let keys = populate(&setting.world, &mut setting.scene, &model, count, 1, 42);
    assert!(keys.len() > count * 9 / 10, "{world}: room for {} of {count}", keys.len());
    (setting, keys)
}

fn hashes(world: &str, count: usize, ticks: usize, threads: usize) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (mut setting, _) = crowd(world, count);
    (0..ticks)
        .map(|_| {
            pool.install(|| tick_all(&mut setting, TICK));
            setting.scene.state_hash()
        })
        .collect()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for world in ["plains", "cottage", "seam", "dungeon"] {
        let one = hashes(world, 600, 20, 1);
        for threads in [2, 8] {
            assert_eq!(hashes(world, 600, 20, threads), one, "{world}, {threads} threads");
        }
        assert_eq!(one.iter().collect::<std::collections::BTreeSet<_>>().len(), one.len(), "something moved");
    }
}

/// One object after the other, each against all that were moved before it, is what the sweeps in parallel amount to.
#[test]
fn all_at_once_is_as_one_after_the_other() {
    for (world, count) in
        [("plains", 500), ("cottage", 2000), ("seam", 500), ("dungeon", 1000), ("hostile", 500)]
    {
        let (mut together, _) = crowd(world, count);
        let (mut apart, keys) = crowd(world, count);
        for tick in 0..30 {
            tick_all(&mut together, TICK);
            apart.scene.advance_clock(TICK).unwrap();
            for key in apart.scene.in_turn().collect::<Vec<_>>() {
                apart.scene.update(&apart.world, key).unwrap();
            }
            let differs = keys.iter().find(|&&key| {
                together.scene.get(key).unwrap().position != apart.scene.get(key).unwrap().position
            });
            assert_eq!(differs, None, "{world}, tick {tick}");
            assert_eq!(together.scene.state_hash(), apart.scene.state_hash(), "{world}, tick {tick}");
        }
        assert_lists_agree(&together);
    }
}

#[test]
fn longer_ticks_are_cut_into_steps_for_all() {
    let (mut together, _) = crowd("plains", 100);
    let (mut apart, keys) = crowd("plains", 100);
    tick_all(&mut together, 0.5);
    apart.scene.advance_clock(0.5).unwrap();
    // In steps of all, not one body's steps after the other's: far apart it is the same.
    for &key in &keys {
        apart.scene.update(&apart.world, key).unwrap();
    }
    let same = keys.iter().filter(|&&key| {
        let positions = [&together, &apart].map(|setting| setting.scene.get(key).unwrap().position);
        positions[0] == positions[1]
    });
    assert!(same.count() > 95);
}

#[test]
fn an_update_catches_up_with_the_clock_and_never_moves_it() {
    let (mut setting, keys) = crowd("plains", 20);
    let before = setting.scene.get(keys[0]).unwrap().position;
    assert_eq!(setting.scene.update_all(&setting.world).sweeps, 0, "no time has passed");
    setting.scene.advance_clock(0.02).unwrap();
    setting.scene.advance_clock(-5.0).unwrap();
    setting.scene.advance_clock(0.02).unwrap();
    assert!(setting.scene.update_all(&setting.world).sweeps > 0);
    assert_eq!(setting.scene.now(), 0.04);
    let way = before.offset_to(&setting.scene.get(keys[0]).unwrap().position);
    assert!((way.truncate().length() - 3.12 * 0.04).abs() < 0.01, "{way}");
    assert_eq!(setting.scene.update_all(&setting.world).sweeps, 0, "all of them are up to date");
}

/// A crowd that moves by its motion tables: it runs in circles, chases, turns, follows positions and sticks.
fn living(count: usize) -> (Setting, Vec<EntityKey>) {
    let (mut setting, keys) = crowd("motions", count);
    let table = setting.library.motion_table(DatId(0x0900_0001)).unwrap().unwrap();
    for (i, &key) in keys.iter().enumerate() {
        let other = keys[(i + 7) % keys.len()];
        setting.scene.set_motion(key, Motion::default()).unwrap();
        setting.scene.set_motion_table(key, Some(table.clone())).unwrap();
        setting.scene.enter_world(key).unwrap();
        let scene = &mut setting.scene;
        let parameters = MovementParameters { speed: 0.5 + (i % 7) as f32 * 0.3, ..Default::default() };
        let begin = |command| Movement::DoInterpreted(command, parameters);
        match i % 5 {
            0 => scene.perform(key, &Movement::MoveToObject(other, parameters)).unwrap(),
            1 => scene.stick_to(key, other).unwrap(),
            2 => {
                let place = moved(&scene.get(key).unwrap().position, [4.0, 3.0, 0.0]);
                scene.interpolate_to(key, &place, false).unwrap();
            }
            _ => {
                scene.perform(key, &begin(Command::RUN_FORWARD)).unwrap();
                scene.perform(key, &begin(Command::TURN_RIGHT)).unwrap();
            }
        }
    }
    (setting, keys)
}

#[test]
fn creatures_with_motion_tables_are_the_same_on_any_number_of_threads() {
    let hashes = |threads: usize| -> Vec<u64> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (mut setting, _) = living(600);
        let mut hash = || {
            pool.install(|| tick_all(&mut setting, TICK));
            setting.scene.state_hash()
        };
        (0..40).map(|_| hash()).collect()
    };
    let one = hashes(1);
    for threads in [2, 8] {
        assert_eq!(hashes(threads), one, "{threads} threads");
    }
    assert_eq!(one.iter().collect::<std::collections::BTreeSet<_>>().len(), one.len(), "something moved");
}

#[test]
fn creatures_with_motion_tables_at_once_are_as_one_after_the_other() {
    let (mut together, keys) = living(600);
    let (mut apart, _) = living(600);
    for tick in 0..40 {
        tick_all(&mut together, TICK);
        apart.scene.advance_clock(TICK).unwrap();
        for key in apart.scene.in_turn().collect::<Vec<_>>() {
            apart.scene.update(&apart.world, key).unwrap();
        }
        let differs = keys.iter().find(|&&key| {
            together.scene.get(key).unwrap().position != apart.scene.get(key).unwrap().position
        });
        assert_eq!(differs, None, "tick {tick}");
        assert_eq!(together.scene.state_hash(), apart.scene.state_hash(), "tick {tick}");
    }
    let went = |key: &&EntityKey| together.scene.get(**key).unwrap().cached_velocity.length() > 0.1;
    assert!(keys.iter().filter(went).count() > 200, "they move");
}

/// What the watcher of a crowd sees is enough to make the sweep again.
#[test]
fn a_crowd_is_seen_as_it_is_before_each_commit() {
    let (mut setting, _) = crowd("cottage", 300);
    let (mut seen, mut moved) = (0, 0);
    for _ in 0..5 {
        setting.scene.advance_clock(TICK).unwrap();
        let before: Vec<_> = setting.scene.entities().map(|(key, entity)| (key, entity.position)).collect();
        let mut held = Vec::new();
        let mut watch = |step: &SweptStep<'_>| {
            let place = before.iter().find(|(key, _)| *key == step.key).unwrap().1;
            assert_eq!(step.entity.position, place, "not committed yet");
            assert_ne!(step.target.frame.origin, place.frame.origin);
            held.push((step.key, step.outcome.ok, step.outcome.position, step.cells.len()));
        };
        let watching = Watching::Everything(&mut watch);
        let report = setting.scene.update_all_watched(&setting.world, watching);
        assert_eq!(held.len(), report.sweeps);
        for (key, ok, place, cells) in held {
            let now = setting.scene.get(key).unwrap();
            assert!(!ok || (now.position == place && now.shadows().len() == cells));
            seen += 1;
            moved += usize::from(ok);
        }
    }
    assert!(seen > 1000 && moved > 500, "{seen} {moved}");
}

/// One object after the other, as a tick would take them.
fn tick_apart(setting: &mut Setting, mut watch: impl FnMut(&SweptStep<'_>)) {
    setting.scene.advance_clock(TICK).unwrap();
    for key in setting.scene.in_turn().collect::<Vec<_>>() {
        setting.scene.update_watched(&setting.world, key, &mut watch).unwrap();
    }
}

/// What a watcher can tell apart.
fn glimpse(step: &SweptStep<'_>) -> String {
    let SweptStep { key, entity, target, outcome, cells, missing, touched } = step;
    let Entity { position, transient, velocity, acceleration, contact_plane, cached_velocity, .. } = entity;
    format!(
        "{key:?} {position:?} {transient:?} {velocity} {acceleration} {contact_plane:?} {cached_velocity} {:?} to \
         {target:?}: {outcome:?} {cells:?} {missing:?} {touched:?}",
        entity.slid_along
    )
}

/// Most of a crowd is committed out of turn. Neither events nor lists nor watchers can tell, although some carry things, some
/// fall, some bump into others and some leave their cells.
#[test]
fn commits_out_of_turn_are_as_if_in_turn() {
    let begin = || {
        let (mut setting, keys) = crowd("cottage", 700);
        for (i, &key) in keys.iter().enumerate() {
            let place = setting.scene.get(key).unwrap().position;
            match i % 20 {
                0 => {
                    let load = spawn(&mut setting, 100_000 + i as u32, CHEST, place, WALKER);
                    let held = Attachment::default();
                    setting.scene.set_parent(&setting.world, load, Some(key), held).unwrap();
                }
                1 => drop(setting.scene.jump(key, 2.0).unwrap()),
                // It leaves the ground in its first step.
                2 => setting.scene.set_velocity(key, glam::Vec3::new(0.0, 0.0, 4.0)).unwrap(),
                _ => {}
            }
        }
        setting.scene.drain_events();
        setting
    };
    for shows in [false, true] {
        let (mut together, mut apart) = (begin(), begin());
        let (mut alone, mut sweeps, mut events) = (0, 0, 0);
        for tick in 0..30 {
            let (mut seen, mut expected) = (Vec::new(), Vec::new());
            together.scene.advance_clock(TICK).unwrap();
            let mut watch = |step: &SweptStep<'_>| seen.push(glimpse(step));
            let watching =
                if shows { Watching::Everything(&mut watch) } else { Watching::Touches(&mut watch) };
            let report = together.scene.update_all_watched(&together.world, watching);
            tick_apart(&mut apart, |step| {
                if shows || !step.touched.is_empty() {
                    expected.push(glimpse(step));
                }
            });
            let differs = seen.iter().zip(&expected).find(|(seen, expected)| seen != expected);
            assert_eq!(differs, None, "tick {tick}");
            assert_eq!(seen.len(), expected.len(), "tick {tick}");
            let told: Vec<_> = together.scene.drain_events().collect();
            assert_eq!(told, apart.scene.drain_events().collect::<Vec<_>>(), "tick {tick}");
            assert!(together.scene.shadow_lists().eq(apart.scene.shadow_lists()), "tick {tick}");
            assert_eq!(together.scene.state_hash(), apart.scene.state_hash(), "tick {tick}");
            (alone, sweeps, events) = (alone + report.alone, sweeps + report.sweeps, events + told.len());
        }
        assert!(alone > sweeps / 2 && alone < sweeps, "{alone} of {sweeps}");
        assert!(events > 150, "{events}");
    }
}

/// Two bodies that run at each other do not end up in each other.
#[test]
fn bodies_that_meet_in_one_tick_do_not_overlap() {
    let mut setting = setting("plains");
    let flat = point("plains", "flat");
    let role = EntityRole { creature: true, ..EntityRole::default() };
    let mut keys = Vec::new();
    for (guid, y, heading) in [(1, 0.0, 0.0), (2, 3.0, 180.0)] {
        let place = moved(&flat, [0.0, y, 0.0]);
        let position = Position::new(place.cell, Frame::new(place.frame.origin, Quat::from_heading(heading)));
        let spawn = Spawn { role, ..object(&setting, guid, CREATURE, position, WALKER) };
        let key = stand(&mut setting, spawn);
        let motion = Motion { velocity: glam::Vec3::new(0.0, 9.0, 0.0), turn: 0.0 };
        setting.scene.set_motion(key, motion).unwrap();
        keys.push(key);
    }
    let gap = |scene: &Scene| {
        let place = |key| scene.get(key).unwrap().position;
        place(keys[0]).offset_to(&place(keys[1])).length()
    };
    let mut repeated = 0;
    for _ in 0..30 {
        repeated += tick_all(&mut setting, TICK).repeated;
        assert!(gap(&setting.scene) > 0.79, "{}", gap(&setting.scene));
    }
    assert!(gap(&setting.scene) < 1.2 && repeated > 0, "they have met");
}

/// What turns where it stands is met unturned by those who have their turns before it, and turned by those after it.
#[test]
fn what_turns_is_met_as_it_is_at_each_turn() {
    let begin = || {
        let mut setting = setting("plains");
        let flat = point("plains", "flat");
        let role = EntityRole { creature: true, ..EntityRole::default() };
        let mut bodies = Vec::new();
        for (guid, y, heading) in [(1, -2.5, 0.0), (3, 2.5, 180.0)] {
            let place = moved(&flat, [0.0, y, 0.0]);
            let frame = Frame::new(place.frame.origin, Quat::from_heading(heading));
            let spawn = object(&setting, guid, CREATURE, Position::new(place.cell, frame), WALKER);
            let key = stand(&mut setting, Spawn { role, ..spawn });
            let motion = Motion { velocity: glam::Vec3::new(0.0, 4.0, 0.0), turn: 0.0 };
            setting.scene.set_motion(key, motion).unwrap();
            bodies.push(key);
        }
        let spinner = spawn(&mut setting, 2, DOOR, flat, CLOSED);
        setting.scene.set_omega(spinner, glam::Vec3::new(0.0, 0.0, 2.0)).unwrap();
        (setting, bodies, spinner)
    };
    let (mut together, bodies, spinner) = begin();
    let (mut apart, ..) = begin();
    let at_first = together.scene.get(spinner).unwrap().position.frame.rotation();
    let mut met = [false; 2];
    for tick in 0..60 {
        tick_all(&mut together, TICK);
        apart.scene.advance_clock(TICK).unwrap();
        for key in apart.scene.in_turn().collect::<Vec<_>>() {
            apart.scene.update(&apart.world, key).unwrap();
        }
        assert_eq!(together.scene.state_hash(), apart.scene.state_hash(), "tick {tick}");
        for (met, &key) in met.iter_mut().zip(&bodies) {
            *met |= together.scene.get(key).unwrap().slid_along == Some(spinner);
        }
    }
    assert_ne!(together.scene.get(spinner).unwrap().position.frame.rotation(), at_first, "it turns");
    assert_eq!(met, [true; 2], "both have met it");
}
