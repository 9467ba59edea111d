//! The checks notice what they are there for.

use super::{Soak, doors::Door};
use crate::{EntitySpec, Stage};
use glam::Vec3;
use serde_json::json;
use std::sync::Arc;
use threshold_dat::DatId;
use threshold_physics::{EntityKey, EntityRole, Spawn, State};
use threshold_world::{CellId, Frame, Library, Position, source::DatSource};

const PLAYER: DatId = DatId(0x0200_0001);
const DOOR_GUID: u32 = 1;

/// A golden house with a door in its doorway.
fn cottage() -> Stage {
    let source = DatSource::open(threshold_golden::world_dir("cottage")).unwrap();
    let mut stage = Stage::load(Library::new(Arc::new(source))).unwrap();
    let script = threshold_golden::script("cottage/door_closed_centre_from_inside").scenario;
    let entities: Vec<EntitySpec> = serde_json::from_value(script["entities"].clone()).unwrap();
    assert_eq!(json!(entities[0].id), json!(DOOR_GUID));
    stage.spawn_entities(&entities[..1]).unwrap();
    stage
}

fn player(stage: &mut Stage, position: Position) -> EntityKey {
    let model = stage.library.model(PLAYER).unwrap().unwrap();
    let state = State::from_bits_retain(0x0040_0408);
    let role = EntityRole { is_player: true, ..EntityRole::default() };
    let spawn = Spawn { guid: Some(9), model, position, state, scale: 1.0, role };
    stage.scene.spawn(&stage.world, spawn).unwrap()
}

#[test]
fn an_object_that_a_list_lost_is_noticed() {
    let mut soak = Soak::new(cottage(), Vec::new(), 1);
    let door = soak.stage.scene.key_of(DOOR_GUID).unwrap();
    soak.play().unwrap();
    let home = soak.stage.scene.get(door).unwrap().position;
    soak.stage.scene.set_aside(door);
    let violation = soak.play().unwrap_err();
    assert_eq!((violation.seed, violation.step), (1, 2));
    assert!(violation.what.contains("instead of"), "{violation}");
    soak.stage.scene.update_position(&soak.stage.world, door, home).unwrap();
    soak.play().unwrap();
}

#[test]
fn whoever_comes_through_a_closed_door_is_noticed() {
    let mut stage = cottage();
    let key = stage.scene.key_of(DOOR_GUID).unwrap();
    let at = stage.scene.get(key).unwrap().position;
    let beside = |y: f32| {
        let origin = at.frame.apply(Vec3::new(0.0, y, 0.0));
        Position::new(CellId(at.cell.0), Frame::at(origin))
    };
    let who = player(&mut stage, beside(-0.8));
    let mut door = Door::new(&stage.scene, key).unwrap();
    let mut go = |stage: &mut Stage, y: f32| {
        stage.scene.update_position(&stage.world, who, beside(y)).unwrap();
        door.check(&stage.scene, &[who])
    };
    let open = State::from_bits_retain(0x1_000C);
    let closed = State::from_bits_retain(0x1_0008);
    stage.scene.set_state(key, closed).unwrap();
    go(&mut stage, -0.8).unwrap();
    go(&mut stage, -0.3).unwrap();
    assert!(go(&mut stage, 0.8).unwrap_err().contains("closed door"));
    // Open doors let everybody through, and around a house one may walk.
    stage.scene.set_state(key, open).unwrap();
    go(&mut stage, -0.8).unwrap();
    go(&mut stage, 0.8).unwrap();
    stage.scene.set_state(key, closed).unwrap();
    go(&mut stage, 0.8).unwrap();
    go(&mut stage, 5.0).unwrap();
    go(&mut stage, -0.8).unwrap();
}
