//! The checks notice what they are there for.

use super::{Soak, doors::Door};
use crate::{EntitySpec, Setting};
use glam::Vec3;
use serde_json::json;
use std::sync::Arc;
use threshold_physics::{EntityKey, PLAYER_SETUP, Spawn, State};
use threshold_world::{CellId, Frame, Library, Position, source::DatSource};

const DOOR_GUID: u32 = 1;

/// A golden house with a door in its doorway.
fn cottage() -> Setting {
    let source = DatSource::open(threshold_golden::world_dir("cottage")).unwrap();
    let mut setting = Setting::load(Library::new(Arc::new(source))).unwrap();
    let script = threshold_golden::script("cottage/door_closed_centre_from_inside").scenario;
    let entities: Vec<EntitySpec> = serde_json::from_value(script["entities"].clone()).unwrap();
    assert_eq!(json!(entities[0].id), json!(DOOR_GUID));
    setting.spawn_entities(&entities[..1]).unwrap();
    setting
}

fn player(setting: &mut Setting, position: Position) -> EntityKey {
    let model = setting.library.model(PLAYER_SETUP).unwrap().unwrap();
    setting.scene.spawn(&setting.world, Spawn::player(9, model, position)).unwrap()
}

#[test]
fn an_object_that_a_list_lost_is_noticed() {
    let mut soak = Soak::new(cottage(), Vec::new(), 1);
    let door = soak.setting.scene.key_of(DOOR_GUID).unwrap();
    soak.play().unwrap();
    let home = soak.setting.scene.get(door).unwrap().position;
    soak.setting.scene.set_aside(door);
    let violation = soak.play().unwrap_err();
    assert_eq!((violation.seed, violation.step), (1, 2));
    assert!(violation.what.contains("instead of"), "{violation}");
    soak.setting.scene.update_position(&soak.setting.world, door, home).unwrap();
    soak.play().unwrap();
}

#[test]
fn whoever_comes_through_a_closed_door_is_noticed() {
    let mut setting = cottage();
    let key = setting.scene.key_of(DOOR_GUID).unwrap();
    let at = setting.scene.get(key).unwrap().position;
    let beside = |y: f32| {
        let origin = at.frame.apply(Vec3::new(0.0, y, 0.0));
        Position::new(CellId(at.cell.0), Frame::at(origin))
    };
    let who = player(&mut setting, beside(-0.8));
    let mut door = Door::new(&setting.scene, key).unwrap();
    let mut go = |setting: &mut Setting, y: f32| {
        setting.scene.update_position(&setting.world, who, beside(y)).unwrap();
        door.check(&setting.scene, &[who])
    };
    let open = State::from_bits_retain(0x1_000C);
    let closed = State::from_bits_retain(0x1_0008);
    setting.scene.set_state(key, closed).unwrap();
    go(&mut setting, -0.8).unwrap();
    go(&mut setting, -0.3).unwrap();
    assert!(go(&mut setting, 0.8).unwrap_err().contains("closed door"));
    // Open doors let everybody through, and around a house one may walk.
    setting.scene.set_state(key, open).unwrap();
    go(&mut setting, -0.8).unwrap();
    go(&mut setting, 0.8).unwrap();
    setting.scene.set_state(key, closed).unwrap();
    go(&mut setting, 0.8).unwrap();
    go(&mut setting, 5.0).unwrap();
    go(&mut setting, -0.8).unwrap();
}
