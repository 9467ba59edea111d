//! Golden worlds as settings.

use std::sync::Arc;
use threshold_scenario::Setting;
use threshold_world::{Library, source::DatSource};

pub(crate) fn setting(world: &str) -> Setting {
    let source = DatSource::open(threshold_golden::world_dir(world)).expect("a golden world");
    Setting::load(Library::new(Arc::new(source))).expect("a golden world loads")
}
