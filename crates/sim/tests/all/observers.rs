//! What is loaded, and for whom.

use crate::support;
use support::*;
use threshold_sim::{Event, Residency, SimError, Simulation};
use threshold_world::{
    BlockId,
    stream::{Loading, StreamConfig, StreamStatus},
};

/// A simulation that loads around its observers, without threads: as far as the next block, and one block a tick.
fn observed() -> Simulation {
    let config = StreamConfig::default().radius(1).margin(0).loading(Loading::Inline(1));
    builder().residency(Residency::Observed(config)).build().unwrap()
}

fn is_loaded(sim: &Simulation, name: &str) -> bool {
    sim.world().cell(place(sim, name).cell).is_some()
}

#[test]
fn nothing_is_loaded_for_nobody() {
    let mut sim = observed();
    sim.advance(1.0).unwrap();
    assert_eq!(sim.world().block_ids().count(), 0);
    assert!(!sim.places().is_empty() && !sim.blocks().is_empty());
}

#[test]
fn each_player_has_its_surroundings_and_takes_them_along() {
    let mut sim = observed();
    let villager = sim.spawn_player(place(&sim, "Village Street")).unwrap();
    assert!(is_loaded(&sim, "Village Street") && is_loaded(&sim, "Cottage Living Room"));
    assert!(!is_loaded(&sim, "Dungeon Entrance"));

    let delver = sim.spawn_player(place(&sim, "Dungeon Entrance")).unwrap();
    assert!(is_loaded(&sim, "Village Street") && is_loaded(&sim, "Dungeon Entrance"));
    sim.advance(1.0).unwrap();
    for (key, name) in [(villager, "Village Street"), (delver, "Dungeon Entrance")] {
        assert_eq!(sim.position(key).unwrap().cell.block(), place(&sim, name).cell.block(), "{name}");
        assert!(sim.entity(key).unwrap().cell.is_some(), "{name}");
    }

    // Gone with the last one who needed it.
    sim.despawn(delver).unwrap();
    sim.advance(1.0).unwrap();
    assert!(is_loaded(&sim, "Village Street") && !is_loaded(&sim, "Dungeon Entrance"));
}

#[test]
fn a_block_that_two_need_is_loaded_once_and_stays_for_the_other() {
    let mut sim = observed();
    let at = place(&sim, "Village Street");
    let (a, b) = (sim.observe(at).unwrap(), sim.observe(at).unwrap());
    sim.settle(a).unwrap();
    sim.settle(b).unwrap();
    let loaded = |sim: &mut Simulation| {
        sim.drain_events()
            .filter(|event| matches!(event, Event::BlockLoaded(id) if *id == at.cell.block()))
            .count()
    };
    assert_eq!(loaded(&mut sim), 1);
    sim.stop_observing(a).unwrap();
    sim.advance(0.5).unwrap();
    assert!(is_loaded(&sim, "Village Street"));
    sim.stop_observing(b).unwrap();
    sim.advance(0.5).unwrap();
    assert_eq!(sim.world().block_ids().count(), 0);
    assert!(sim.drain_events().any(|event| event == Event::BlockUnloaded(at.cell.block())));
    assert!(matches!(sim.stop_observing(b), Err(SimError::NoSuchObserver)));
}

#[test]
fn a_server_holds_blocks_open_with_all_their_cells() {
    let mut sim = observed();
    let dungeon = place(&sim, "Dungeon Entrance").cell.block();
    let id = sim.hold_open([dungeon]).unwrap();
    sim.settle(id).unwrap();
    assert_eq!(sim.status(id).unwrap(), StreamStatus::Settled);
    for name in ["Dungeon Entrance", "Dungeon Great Hall", "Dungeon Depths"] {
        assert!(is_loaded(&sim, name), "{name}");
    }
    assert_eq!(sim.world().block_ids().collect::<Vec<_>>(), [dungeon]);
    assert!(matches!(sim.hold_open([BlockId(0x1010)]), Err(SimError::NoBlock(_))));
}

#[test]
fn a_portal_leads_into_a_block_that_was_not_loaded() {
    let mut sim = observed();
    let me = sim.spawn_player(place(&sim, "Cave Shrine")).unwrap();
    assert!(!is_loaded(&sim, "Dungeon Entrance"));
    let portal = sim.position(object(&sim, "Portal to the Dungeon")).unwrap();
    walk_to(&mut sim, me, &portal);
    sim.advance(2.0).unwrap();
    assert_eq!(sim.position(me).unwrap().cell, place(&sim, "Dungeon Entrance").cell);
    assert!(!sim.player(me).unwrap().is_travelling());
    assert!(!is_loaded(&sim, "Cave Shrine"), "what lies behind is dropped");
}

#[test]
fn a_door_is_there_again_when_its_block_is() {
    let mut sim = observed();
    let me = sim.spawn_player(place(&sim, "Cottage Door")).unwrap();
    let door = object(&sim, COTTAGE_DOOR);
    let (there, far) = (place(&sim, "Cottage Door"), place(&sim, "Dungeon Entrance"));
    sim.teleport(me, far).unwrap();
    sim.advance(2.0).unwrap();
    assert_eq!(sim.entity(door).unwrap().cell, None, "it waits for its cell");
    sim.teleport(me, there).unwrap();
    sim.advance(2.0).unwrap();
    assert!(sim.entity(door).unwrap().cell.is_some());
    let inside = place(&sim, "Cottage Vestibule");
    assert!(!walk_to(&mut sim, me, &inside), "and holds");
}

#[test]
fn a_snapshot_loads_what_was_loaded() {
    let mut sim = observed();
    let me = sim.spawn_player(place(&sim, "Cottage Door")).unwrap();
    sim.advance(1.0).unwrap();
    let (snapshot, hash) = (sim.snapshot(), sim.state_hash());
    let far = place(&sim, "Dungeon Entrance");
    sim.teleport(me, far).unwrap();
    sim.advance(2.0).unwrap();
    assert!(!is_loaded(&sim, "Cottage Door"));
    sim.restore(&snapshot).unwrap();
    assert_eq!(sim.state_hash(), hash);
    assert!(is_loaded(&sim, "Cottage Door"));
    let mut other = observed();
    other.restore(&snapshot).unwrap();
    assert_eq!(other.state_hash(), hash);
    sim.advance(1.0).unwrap();
    other.advance(1.0).unwrap();
    assert_eq!(other.state_hash(), sim.state_hash());
}
