//! Plays a recorded session in a world and lists what the server put where it cannot be.
//!
//! `cargo run --release -p threshold-playback --example misplaced -- DIR session.pcap`

use std::{env, error::Error, path::PathBuf};
use threshold_playback::{Options, Playback};
use threshold_sim::Simulation;
use threshold_wire::{Capture, DEFAULT_PORTS, Recording};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let (Some(dats), Some(session)) = (arguments.next(), arguments.next()) else {
        return Err("usage: misplaced DIR SESSION.pcap".into());
    };
    let mut sim = Simulation::open(dats)?;
    let mut recording = Recording::new(Capture::open(&session)?, DEFAULT_PORTS);
    let mut playback = Playback::new(Options::default());
    while playback.step(&mut sim, &mut recording)? {}
    let report = playback.finish(&sim);
    for finding in &report.findings {
        println!("{finding}");
    }
    println!("{} findings", report.findings.len());
    Ok(())
}
