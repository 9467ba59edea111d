//! What must hold for any scenario and any capture.

use std::{cell::RefCell, sync::Arc};
use threshold_scenario::{Detached, Replay, Script, Tolerance, Walk};
use threshold_sim::Simulation;
use threshold_world::{Library, World, cell::EnvCell, source::DatSource};

/// Steps and objects of a scenario that are played; what one of them does is the question, not how many there are.
const MAX_STEPS: usize = 40;
const MAX_ENTITIES: usize = 20;

fn simulation(world: &str) -> Simulation {
    let source = DatSource::open(threshold_golden::world_dir(world)).expect("a golden world");
    threshold_scenario::simulation(Library::new(Arc::new(source))).expect("it loads")
}

thread_local! {
    static COTTAGE: RefCell<Simulation> = RefCell::new(simulation("cottage"));
    /// The same house, and motion tables.
    static MOTIONS: RefCell<Simulation> = RefCell::new(simulation("motions"));
}

/// How many cells are loaded indoors, and how many blocks outdoors.
fn loaded(world: &World) -> (usize, usize) {
    let blocks = || world.block_ids().filter_map(|id| world.block_data(id));
    let rooms = blocks().flat_map(|block| block.env_cells.iter().flatten().map(EnvCell::id));
    let land = blocks().filter(|block| world.landscape(block.id).is_some());
    (rooms.filter(|&room| world.env_cell(room).is_some()).count(), land.count())
}

/// Plays any scenario: the mover is always somewhere finite, in a loaded cell or lost.
pub(crate) fn scenario(data: &[u8]) {
    let mut scenario = match Script::from_json(data) {
        Ok(Script::World(scenario)) => scenario,
        Ok(Script::Detached(mut scenario)) => {
            scenario.steps.truncate(MAX_STEPS);
            return MOTIONS.with_borrow(|sim| {
                let Ok(mut detached) = Detached::begin(sim.library(), scenario) else { return };
                while let Some(line) = detached.next_line() {
                    assert!(line.motion.is_some_and(|motion| motion.frame.is_finite()));
                }
            });
        }
        Err(_) => return,
    };
    scenario.steps.truncate(MAX_STEPS);
    scenario.entities.truncate(MAX_ENTITIES);
    let place = if scenario.has_motion() { &MOTIONS } else { &COTTAGE };
    place.with_borrow_mut(|sim| {
        let before = (sim.scene().len(), loaded(sim.world()));
        if let Ok(mut walk) = Walk::begin(sim, scenario) {
            while let Some(Ok(line)) = walk.next_line() {
                assert!(line.origin.iter().chain(&line.velocity).all(|x| x.is_finite()), "{line:?}");
                // A placement that failed leaves the mover nowhere yet.
                let is_somewhere = walk.simulation().world().cell(line.cell).is_some();
                assert!(line.lost || !line.ok || is_somewhere, "{line:?}");
            }
        }
        sim.clear();
        assert!(sim.scene().len() <= before.0 && loaded(sim.world()) == before.1, "something stayed behind");
    });
}

/// Re-runs any lines as recorded sweeps.
pub(crate) fn capture(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    COTTAGE.with_borrow_mut(|sim| {
        let mut replay = Replay::new(sim, Tolerance::default());
        for line in text.lines().take(MAX_ENTITIES) {
            if let Ok(replayed) = replay.line(line) {
                assert!(!replayed.origin_error.is_nan() || !replayed.differences.is_empty(), "{replayed:?}");
            }
        }
        for (_, entity) in sim.scene().entities() {
            assert!(entity.position.frame.is_finite() && entity.velocity.is_finite(), "{entity:?}");
        }
        sim.clear();
    });
}
