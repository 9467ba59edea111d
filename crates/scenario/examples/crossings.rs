//! Plays a scenario and prints only the steps in which the mover changed its cell.
//!
//! `cargo run -p threshold-scenario --example crossings -- DIR SCENARIO.json`

use std::{env, error::Error, fs, path::PathBuf, sync::Arc};
use threshold_scenario::{Playing, Script, simulation};
use threshold_world::{Library, source::DatSource};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let (Some(dats), Some(scenario)) = (arguments.next(), arguments.next()) else {
        return Err("usage: crossings DIR SCENARIO.json".into());
    };
    let script = Script::from_json(&fs::read(scenario)?)?;
    let mut sim = simulation(Library::new(Arc::new(DatSource::open(dats)?)))?;
    let mut playing = Playing::begin(&mut sim, script)?;
    while let Some(line) = playing.next_line() {
        let line = serde_json::to_value(&line?)?;
        if line["cell_changed"].is_object() {
            println!(
                "step {}: {} -> {}",
                line["step"], line["cell_changed"]["from"], line["cell_changed"]["to"]
            );
        }
    }
    Ok(())
}
