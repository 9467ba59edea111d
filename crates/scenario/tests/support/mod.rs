//! Golden worlds as simulations.

use std::sync::Arc;
use threshold_sim::Simulation;
use threshold_world::{Library, source::DatSource};

pub(crate) fn simulation(world: &str) -> Simulation {
    let source = DatSource::open(threshold_golden::world_dir(world)).expect("a golden world");
    threshold_scenario::simulation(Library::new(Arc::new(source))).expect("a golden world loads")
}
