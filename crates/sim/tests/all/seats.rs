//! Placed objects that name no cell: it is found when their block is loaded.

use crate::support;
use support::*;
use threshold_sim::{DoorChange, EntityKey, Residency, Simulation};
use threshold_world::{
    CellId,
    placed::PlacedObject,
    stream::{Loading, StreamConfig},
};

const FILED: u32 = 0x7808_0001;

/// The cottage's door as many databases file it: with the block and no cell.
fn door_without_cell(cell: Option<CellId>) -> PlacedObject {
    let sim = sample();
    let door = sim.placed(object(&sim, COTTAGE_DOOR)).unwrap();
    let block = door.cell.block();
    PlacedObject { id: FILED, name: "Filed Door".into(), cell: cell.unwrap_or(block.cell(0)), ..door.clone() }
}

fn others() -> Vec<PlacedObject> {
    let sim = sample();
    let door = sim.placed(object(&sim, COTTAGE_DOOR)).unwrap().clone();
    vec![PlacedObject { reset_interval: Some(3.0), ..door_without_cell(Some(door.cell.block().cell(0))) }]
}

fn streaming() -> Simulation {
    let config = StreamConfig::default().radius(1).margin(0).loading(Loading::Inline(1));
    Simulation::builder()
        .library(library())
        .placed(others())
        .residency(Residency::Observed(config))
        .build()
        .unwrap()
}

fn cell(sim: &Simulation, key: EntityKey) -> Option<CellId> {
    sim.entity(key).unwrap().cell
}

#[test]
fn a_door_without_a_cell_ends_in_the_doorway_when_its_block_is_loaded() {
    let named = sample();
    let there = cell(&named, object(&named, COTTAGE_DOOR));
    let mut sim = streaming();
    let door = sim.find(FILED).unwrap();
    assert_eq!((cell(&sim, door), sim.position(door).unwrap().cell), (None, CellId::NONE), "nowhere yet");
    let me = sim.spawn_player(place(&named, "Cottage Door")).unwrap();
    assert_eq!(cell(&sim, door), there);
    assert!(there.unwrap().is_interior());
    // It blocks there, is used there, and closes after its own time.
    assert!(!walk_to(&mut sim, me, &place(&named, "Cottage Vestibule")));
    assert_eq!(sim.use_object(door).unwrap(), Some(DoorChange::Opened));
    assert!(walk_to(&mut sim, me, &place(&named, "Cottage Vestibule")));
    sim.advance(3.1).unwrap();
    assert!(!sim.door(door).unwrap().open);
    // It is at home there from now on, whatever is loaded.
    sim.teleport(me, place(&named, "Dungeon Entrance")).unwrap();
    sim.advance(2.0).unwrap();
    assert_eq!(cell(&sim, door), None);
    assert_eq!(Some(sim.position(door).unwrap().cell), there);
    sim.teleport(me, place(&named, "Cottage Door")).unwrap();
    sim.advance(2.0).unwrap();
    assert_eq!(cell(&sim, door), there);
}

#[test]
fn what_waits_for_its_block_is_part_of_a_snapshot() {
    let named = sample();
    let bytes = streaming().snapshot().to_bytes().unwrap();
    let mut sim = streaming();
    sim.restore(&threshold_sim::Snapshot::from_bytes(&bytes).unwrap()).unwrap();
    sim.spawn_player(place(&named, "Cottage Door")).unwrap();
    assert_eq!(cell(&sim, sim.find(FILED).unwrap()), cell(&named, object(&named, COTTAGE_DOOR)));
}

#[test]
fn in_a_world_that_is_loaded_the_cell_is_found_at_once() {
    let named = sample();
    let mut sim = sample();
    sim.despawn(object(&sim, COTTAGE_DOOR)).unwrap();
    let door = sim.add_placed(door_without_cell(None)).unwrap();
    assert_eq!(cell(&sim, door), cell(&named, object(&named, COTTAGE_DOOR)));
    assert_eq!(sim.placed(door).unwrap().cell, cell(&sim, door).unwrap());
}
