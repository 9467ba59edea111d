//! The checks notice what they are there for.

use super::{Soak, doors::Door};
use crate::{EntitySpec, simulation, spawn_entities};
use glam::Vec3;
use serde_json::json;
use std::sync::Arc;
use threshold_physics::{EntityKey, PLAYER_SETUP, Spawn, State};
use threshold_sim::Simulation;
use threshold_world::{CellId, Frame, Library, Position, source::DatSource};

const DOOR_GUID: u32 = 1;

/// A golden house with a door in its doorway.
fn cottage() -> Simulation {
    let source = DatSource::open(threshold_golden::world_dir("cottage")).unwrap();
    let mut sim = simulation(Library::new(Arc::new(source))).unwrap();
    let script = threshold_golden::script("cottage/door_closed_centre_from_inside").scenario;
    let entities: Vec<EntitySpec> = serde_json::from_value(script["entities"].clone()).unwrap();
    assert_eq!(json!(entities[0].id), json!(DOOR_GUID));
    spawn_entities(&mut sim, &entities[..1]).unwrap();
    sim
}

fn player(sim: &mut Simulation, position: Position) -> EntityKey {
    let model = sim.library().model(PLAYER_SETUP).unwrap().unwrap();
    let (world, scene) = sim.parts_mut();
    scene.spawn(world, Spawn::player(9, model, position)).unwrap()
}

#[test]
fn an_object_that_a_list_lost_is_noticed() {
    let mut soak = Soak::new(cottage(), Vec::new(), 1);
    let door = soak.sim.scene().key_of(DOOR_GUID).unwrap();
    soak.play().unwrap();
    let home = soak.sim.scene().get(door).unwrap().position;
    soak.sim.parts_mut().1.set_aside(door);
    let violation = soak.play().unwrap_err();
    assert_eq!((violation.seed, violation.step), (1, 2));
    assert!(violation.what.contains("instead of"), "{violation}");
    let (world, scene) = soak.sim.parts_mut();
    scene.update_position(world, door, home).unwrap();
    soak.play().unwrap();
}

#[test]
fn a_player_that_comes_through_a_closed_door_is_noticed() {
    let mut sim = cottage();
    let key = sim.scene().key_of(DOOR_GUID).unwrap();
    let at = sim.scene().get(key).unwrap().position;
    let beside = |y: f32| {
        let origin = at.frame.apply(Vec3::new(0.0, y, 0.0));
        Position::new(CellId(at.cell.0), Frame::at(origin))
    };
    let who = player(&mut sim, beside(-0.8));
    let mut door = Door::new(sim.scene(), key).unwrap();
    let mut go = |sim: &mut Simulation, y: f32| {
        let (world, scene) = sim.parts_mut();
        scene.update_position(world, who, beside(y)).unwrap();
        door.check(scene, &[who])
    };
    let open = State::from_bits_retain(0x1_000C);
    let closed = State::from_bits_retain(0x1_0008);
    sim.parts_mut().1.set_state(key, closed).unwrap();
    go(&mut sim, -0.8).unwrap();
    go(&mut sim, -0.3).unwrap();
    assert!(go(&mut sim, 0.8).unwrap_err().contains("closed door"));
    // Open doors let everybody through, and around a house one may walk.
    sim.parts_mut().1.set_state(key, open).unwrap();
    go(&mut sim, -0.8).unwrap();
    go(&mut sim, 0.8).unwrap();
    sim.parts_mut().1.set_state(key, closed).unwrap();
    go(&mut sim, 0.8).unwrap();
    go(&mut sim, 5.0).unwrap();
    go(&mut sim, -0.8).unwrap();
}
