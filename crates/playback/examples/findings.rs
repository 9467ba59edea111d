//! Prints the contradictions between a recorded session and the world of its dats.
//!
//! `cargo run --release -p threshold-playback --example findings -- DIR session.pcap`

use std::{env::args, error::Error};
use threshold_playback::{Options, Playback};
use threshold_sim::Simulation;
use threshold_wire::{Capture, DEFAULT_PORTS, Recording};

fn main() -> Result<(), Box<dyn Error>> {
    let (Some(dats), Some(file)) = (args().nth(1), args().nth(2)) else {
        return Err("usage: findings DIR FILE.pcap".into());
    };
    let mut sim = Simulation::open(dats)?;
    let mut recording = Recording::new(Capture::open(file)?, DEFAULT_PORTS);
    let mut playback = Playback::new(Options::default());
    while playback.step(&mut sim, &mut recording)? {}
    for finding in playback.finish(&sim).findings {
        println!("{finding}");
    }
    Ok(())
}
