//! Walks through the cottage's door and takes a picture there, with nothing but `threshold-sim`.

use threshold_sim::{Controls, Simulation, SimulationView};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("usage: outside PICTURE.png")?;
    let mut sim = Simulation::sample()?;
    let me = sim.spawn_player("0x80800015 [60 97.5 20.01]".parse()?)?;
    let door = sim.find_by_name("Cottage Door").ok_or("there is no such door")?;
    sim.open_door(door)?;
    sim.control(me, Controls { forward: true, ..Controls::default() })?;
    while sim.ticks() < 300 && sim.position(me)?.cell.is_outdoor() {
        sim.advance(0.1)?;
    }
    for event in sim.drain_events() {
        println!("{event:?}");
    }
    println!("{}", sim.position(me)?);
    std::fs::write(file, SimulationView::new(&sim).png(&sim, me, (160, 90))?)?;
    Ok(())
}
