//! A scene is saved and goes on elsewhere as if nothing had happened.

use crate::support;
use std::sync::Arc;
use support::*;
use threshold_dat::DatId;
use threshold_physics::{
    Attachment, EntityKey, Event, Scene, State,
    scene::{ObjectError, RestoreError, SceneState, Viewer},
};
use threshold_scenario::soak::populate;
use threshold_world::{CellId, Library, source::MemorySource};

const TICK: f64 = 1.0 / 30.0;
const MAIN: u32 = 0xA9B4_0101;

/// A crowd among furniture, an open door, something carried, somebody who waits for a cell that is not loaded, and
/// free keys in an order that is not theirs.
fn lively() -> Setting {
    let mut setting = setting("cottage");
    let model = setting.library.model(DatId(CREATURE)).unwrap().unwrap();
    let movers = populate(&setting.world, &mut setting.scene, &model, 150, 1, 42);
    let door = spawn(&mut setting, 900_001, DOOR, at(MAIN, 84.0, 83.0, 20.155), OPEN);
    spawn(&mut setting, 900_002, CRATE, at(MAIN, 82.0, 84.0, 20.155), CLOSED | State::STATIC);
    let lamp = spawn(&mut setting, 900_003, CHEST, at(MAIN, 84.0, 84.0, 20.155), State::empty());
    spawn(&mut setting, 900_004, CHEST, at(0x1111_0100, 1.0, 2.0, 3.0), State::empty());
    let Setting { world, scene, .. } = &mut setting;
    let attachment = Attachment { part: 0, frame: threshold_world::Frame::at([0.0, 0.5, 1.0].into()) };
    scene.set_parent(world, lamp, Some(movers[3]), attachment).unwrap();
    for i in [40, 7, 99, 12] {
        scene.despawn(world, movers[i]).unwrap();
    }
    scene.set_viewers([Viewer::Object(movers[3]), Viewer::Place(at(MAIN, 84.0, 84.0, 20.0))]);
    for _ in 0..10 {
        tick_all(&mut setting, TICK);
    }
    setting.scene.set_ethereal(&setting.world, door, false).unwrap();
    setting
}

fn bytes_of(scene: &Scene) -> Vec<u8> {
    postcard::to_allocvec(&scene.save()).unwrap()
}

fn restore(setting: &Setting, state: &SceneState) -> Result<Scene, RestoreError> {
    let mut scene = Scene::new();
    scene.restore(&setting.world, state, &setting.library)?;
    Ok(scene)
}

type Lists = Vec<(CellId, Vec<EntityKey>)>;

/// Everything that anybody can see of a scene.
fn everything(scene: &Scene) -> (Vec<String>, Lists, u64) {
    let objects = scene.entities().map(|(key, entity)| {
        let mut entity = entity.clone();
        entity.model =
            Arc::new(threshold_world::model::Model { parts: Box::default(), ..(*entity.model).clone() });
        let parts: Vec<_> =
            entity.parts().iter().map(|part| (part.mesh.id, part.position, part.scale)).collect();
        // Whether ticks pass it over is not state, and decides how the time of its last update is kept: what was saved
        // has that.
        let plain = format!("{entity:?}");
        let (before, after) = plain.split_once("last_update: ").unwrap();
        let (_, serial) = after.split_once("serial: ").unwrap();
        let (between, rest) = serial.split_once("sleep: ").unwrap();
        let (_, rest) = rest.split_once(", ").unwrap();
        format!("{key:?} {parts:?} {:?} {:?} {before}{between}{rest}", entity.shadows(), entity.awaits())
    });
    let lists = scene.shadow_lists().map(|(cell, list)| (cell, list.to_vec()));
    (objects.collect(), lists.collect(), scene.state_hash())
}

/// Ticks, comings and goings; the hashes and the keys that were given.
fn go_on(
    world: &threshold_world::World,
    setting: &Setting,
    scene: &mut Scene,
) -> (Vec<u64>, Vec<EntityKey>, Vec<Event>) {
    let (mut hashes, mut keys) = (Vec::new(), Vec::new());
    for i in 0..20u32 {
        scene.advance_clock(TICK).unwrap();
        scene.update_all(world);
        let chest =
            object(setting, 800_000 + i, CHEST, at(MAIN, 82.0 + 0.1 * i as f32, 82.0, 20.2), State::empty());
        keys.push(scene.spawn(world, chest).unwrap());
        if i % 3 == 0 {
            scene.despawn(world, keys[i as usize]).unwrap();
        }
        hashes.push(scene.state_hash());
    }
    (hashes, keys, scene.drain_events().collect())
}

#[test]
fn a_restored_scene_is_the_same_and_goes_on_the_same() {
    let mut setting = lively();
    let state = setting.scene.save();
    let bytes = postcard::to_allocvec(&state).unwrap();
    let read: SceneState = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(read, state);
    let mut other = restore(&setting, &read).unwrap();
    assert_eq!(other.save(), state);
    assert_eq!(everything(&other), everything(&setting.scene));
    assert_eq!(
        (other.waiting(), other.now(), other.viewers()),
        (1, setting.scene.now(), setting.scene.viewers())
    );
    assert_eq!(bytes_of(&other), bytes, "saving again gives the same bytes");
    let mut scene = std::mem::take(&mut setting.scene);
    let first = go_on(&setting.world, &setting, &mut scene);
    assert!(first.2.len() > 10, "something happens");
    let second = go_on(&setting.world, &setting, &mut other);
    assert_eq!(second, first);
    assert_eq!(everything(&other), everything(&scene));
    // The scene that went on can go back, too.
    scene.restore(&setting.world, &read, &setting.library).unwrap();
    assert_eq!(go_on(&setting.world, &setting, &mut scene), first);
}

#[test]
fn static_objects_are_shared_until_one_of_them_changes() {
    let mut setting = lively();
    let first = setting.scene.save();
    tick_all(&mut setting, TICK);
    let second = setting.scene.save();
    assert_ne!(first, second);
    assert!(Arc::ptr_eq(first.statics(), second.statics()));
    let restored = restore(&setting, &second).unwrap();
    assert!(Arc::ptr_eq(restored.save().statics(), second.statics()), "a restored scene shares them too");
    let fixed = setting.scene.key_of(900_002).unwrap();
    let state = setting.scene.get(fixed).unwrap().state;
    setting.scene.set_state(fixed, state | State::ETHEREAL).unwrap();
    let third = setting.scene.save();
    assert!(!Arc::ptr_eq(third.statics(), second.statics()) && third.statics() != second.statics());
    let moving = setting.scene.key_of(900_001).unwrap();
    let state = setting.scene.get(moving).unwrap().state;
    setting.scene.set_state(moving, state | State::STATIC).unwrap();
    let fourth = setting.scene.save();
    assert_eq!(fourth.mover_count() + 1, third.mover_count());
    assert!(restore(&setting, &fourth).is_ok());
}

#[test]
fn a_world_or_a_library_that_lacks_something_is_refused() {
    let mut setting = lively();
    let state = setting.scene.save();
    let mut scene = Scene::new();
    let none = scene.restore(&setting.world, &state, &Library::new(Arc::new(MemorySource::default())));
    assert!(matches!(none, Err(RestoreError::Object { source: ObjectError::Model(_), .. })), "{none:?}");
    assert!(scene.is_empty());
    setting.world.set_cell_resident(CellId(MAIN), false);
    assert_eq!(restore(&setting, &state).err(), Some(RestoreError::NotLoaded(CellId(MAIN))));
}

/// Whatever the bytes are, there is an error or a scene that runs.
#[test]
fn bytes_that_were_damaged_are_refused_or_run() {
    let setting = lively();
    let bytes = bytes_of(&setting.scene);
    let (mut unread, mut refused, mut restored) = (0, 0, 0);
    let step = bytes.len() / 600;
    for (i, at) in (0..bytes.len()).step_by(step).enumerate() {
        let mut damaged = bytes.clone();
        match i % 4 {
            0 => damaged[at] ^= 1 << (i / 4 % 8),
            1 => damaged[at] = 0xFF,
            2 => damaged.truncate(at),
            _ => drop(damaged.remove(at)),
        }
        let Ok(state) = postcard::from_bytes::<SceneState>(&damaged) else {
            unread += 1;
            continue;
        };
        match restore(&setting, &state) {
            Err(_) => refused += 1,
            Ok(mut scene) => {
                restored += 1;
                scene.advance_clock(TICK).unwrap();
                scene.update_all(&setting.world);
                assert_eq!(scene.save().mover_count(), state.mover_count());
            }
        }
    }
    assert!(unread > 50 && refused > 10 && restored > 50, "{unread} {refused} {restored}");
}
