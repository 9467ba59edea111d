//! Golden worlds as stages.

use std::sync::Arc;
use threshold_scenario::Stage;
use threshold_world::{Library, source::DatSource};

pub(crate) fn stage(world: &str) -> Stage {
    let source = DatSource::open(threshold_golden::world_dir(world)).expect("a golden world");
    Stage::load(Library::new(Arc::new(source))).expect("a golden world loads")
}
