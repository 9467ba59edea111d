//! Tries every door of the sample world: a player stands in front of it, opens it and walks through; prints where it ends up.
//!
//! `cargo run --release -p threshold-sim --example doors`

use std::error::Error;
use threshold_sim::{Controls, Simulation};

fn main() -> Result<(), Box<dyn Error>> {
    let names: Vec<String> = {
        let sim = Simulation::sample()?;
        sim.places().iter().map(|place| place.name.clone()).filter(|name| name.ends_with("Door")).collect()
    };
    for name in names {
        let mut sim = Simulation::sample()?;
        let (Some(place), Some(door)) = (sim.find_place(&name), sim.find_by_name(&name)) else { continue };
        let me = sim.spawn_player(place)?;
        let before = sim.position(me)?.cell;
        sim.open_door(door)?;
        sim.control(me, Controls { forward: true, ..Controls::default() })?;
        sim.advance(2.0)?;
        println!("{name}: from {before} to {}", sim.position(me)?);
    }
    Ok(())
}
