//! What a host loads and takes out itself.

use std::sync::Arc;
use threshold_golden::world_dir;
use threshold_sim::{Event, NewObject, Position, Residency, Scenery, SimError, Simulation, Snapshot, State};
use threshold_world::{BlockId, CellId, Library, source::DatSource, stream::StreamConfig};

const HOUSE: BlockId = BlockId(0xA9B4);
const STREET: CellId = CellId(0xA9B4_001C);
const VESTIBULE: CellId = CellId(0xA9B4_0100);

fn cottage(residency: Residency) -> Simulation {
    let source = DatSource::open(world_dir("cottage")).unwrap();
    Simulation::builder().source(Arc::new(source)).residency(residency).build().unwrap()
}

fn place(text: &str) -> Position {
    text.parse().unwrap()
}

/// Everything that stands anywhere by itself, in the order of the lists of all cells.
fn statics(sim: &Simulation) -> Vec<(CellId, Vec<Position>)> {
    let place = |key: &_| sim.scene().get(*key).unwrap().position;
    let lists = sim.scene().shadow_lists();
    lists.map(|(cell, list)| (cell, list.iter().map(place).collect())).collect()
}

#[test]
fn what_is_reached_is_loaded_with_the_ring_around_it_and_stays() {
    let mut sim = cottage(Residency::Reached);
    assert_eq!((sim.world().block_ids().count(), sim.blocks().len()), (0, 9));
    let corner = place("0xA8B30001 [10 10 20]");
    sim.reach(&corner, &corner).unwrap();
    assert_eq!(sim.world().block_ids().count(), 4);
    assert_eq!(sim.events().iter().filter(|event| matches!(event, Event::BlockLoaded(_))).count(), 4);
    // Past the border of its block by its coordinates.
    let beyond = place("0xA8B30001 [400 400 20]");
    sim.reach(&corner, &beyond).unwrap();
    assert_eq!(sim.world().block_ids().count(), 9);
    assert!(!sim.scene().is_empty());
    let whole = cottage(Residency::Whole);
    let count = |sim: &Simulation| (sim.scene().len(), sim.scene().shadow_lists().count());
    assert_eq!(count(&sim), count(&whole));
}

#[test]
fn what_is_taken_out_is_lost_and_comes_back_with_everything_in_it() {
    let mut sim = cottage(Residency::Whole);
    let whole = statics(&sim);
    let chest = NewObject::new("0x02000101".parse().unwrap(), place("0xA9B40100 [84 79.5 20.155]"));
    let key = sim.spawn(chest).unwrap();
    sim.take_out(VESTIBULE).unwrap();
    assert!(sim.world().cell(VESTIBULE).is_none() && sim.has_loaded(VESTIBULE));
    assert_eq!(sim.entity(key).unwrap().cell, None);
    assert!(sim.bring_back(VESTIBULE) && !sim.bring_back(VESTIBULE));
    assert_eq!(sim.entity(key).unwrap().cell, Some(VESTIBULE));
    sim.take_out_block(HOUSE).unwrap();
    assert!(sim.world().cell(STREET).is_none() && sim.world().cell(VESTIBULE).is_none());
    assert!(matches!(sim.take_out(CellId(0xA9B4_0FFF)), Err(SimError::NoCell(_))));
    sim.clear();
    assert!(sim.entity(key).is_err());
    assert_eq!(statics(&sim), whole, "as it began");
}

#[test]
fn a_dropped_block_is_read_again_or_replaced() {
    let mut sim = cottage(Residency::Whole);
    let before = sim.scene().len();
    let house = sim.world().block_data(HOUSE).unwrap().clone();
    sim.drop_block(HOUSE).unwrap();
    assert!(sim.world().block_data(HOUSE).is_none() && sim.scene().len() < before);
    let street = place("0xA9B4001C [84 76 20]");
    sim.reach(&street, &street).unwrap();
    assert_eq!(sim.scene().len(), before);
    assert!(!Arc::ptr_eq(sim.world().block_data(HOUSE).unwrap(), &house), "it was read again");
    sim.insert_block(house.clone()).unwrap();
    assert_eq!(sim.scene().len(), before, "nothing stands there twice");
    assert!(Arc::ptr_eq(sim.world().block_data(HOUSE).unwrap(), &house));
}

#[test]
fn scenery_goes_and_grows_again() {
    let sample = Simulation::sample().unwrap();
    let library = Library::new(sample.library().source().clone());
    let builder = Simulation::builder().library(Arc::new(library)).residency(Residency::Whole);
    let mut sim = builder.build().unwrap();
    let grown = statics(&sim);
    let count = sim.scene().scenery().count();
    assert!(count > 100, "{count}");
    sim.set_scenery(Scenery::Absent).unwrap();
    assert_eq!(sim.scene().scenery().count(), 0);
    sim.drop_block(BlockId(0x8080)).unwrap();
    sim.load_blocks([BlockId(0x8080)]).unwrap();
    assert_eq!(sim.scene().scenery().count(), 0, "nor where a block comes later");
    sim.set_scenery(Scenery::Grown).unwrap();
    assert_eq!(statics(&sim), grown);
}

#[test]
fn observers_and_hosts_do_not_both_decide() {
    let mut sim = cottage(Residency::Observed(StreamConfig::default()));
    assert!(matches!(sim.drop_block(HOUSE), Err(SimError::Observed)));
    assert!(matches!(sim.take_out(STREET), Err(SimError::Observed)));
    assert!(matches!(sim.set_scenery(Scenery::Absent), Err(SimError::Observed)));
}

#[test]
fn a_snapshot_knows_what_was_loaded_by_hand() {
    let mut sim = cottage(Residency::Reached);
    let corner = place("0xA8B30001 [10 10 20]");
    sim.reach(&corner, &corner).unwrap();
    sim.take_out(VESTIBULE).unwrap();
    let state = State::from_bits_retain(0x0040_0408);
    let ball =
        NewObject { state, ..NewObject::new("0x0200010B".parse().unwrap(), place("0xA8B3001C [84 84 60]")) };
    let key = sim.spawn(ball).unwrap();
    sim.tick().unwrap();
    let bytes = sim.snapshot().to_bytes().unwrap();
    let (hash, blocks) = (sim.state_hash(), sim.world().block_ids().count());
    let run = |sim: &mut Simulation| {
        sim.restore(&Snapshot::from_bytes(&bytes).unwrap()).unwrap();
        assert_eq!((sim.state_hash(), sim.world().block_ids().count()), (hash, blocks));
        assert!(sim.world().cell(VESTIBULE).is_none() && sim.has_loaded(VESTIBULE));
        (0..20).for_each(|_| sim.tick().unwrap());
        assert!(sim.bring_back(VESTIBULE));
        (sim.state_hash(), sim.position(key).unwrap())
    };
    let after = run(&mut sim);
    assert_eq!(run(&mut cottage(Residency::Whole)), after, "another simulation drops what was not loaded");
    assert_eq!(run(&mut cottage(Residency::Reached)), after);
    let mut observed = cottage(Residency::Observed(StreamConfig::default()));
    assert!(observed.restore(&Snapshot::from_bytes(&bytes).unwrap()).is_err());
}
