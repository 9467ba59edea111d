//! Which messages a recorded session has, by name, and how many of each.
//!
//! `cargo run --release -p threshold-wire --example opcodes -- session.pcap`

use std::{collections::BTreeMap, env, error::Error};
use threshold_wire::{Capture, DEFAULT_PORTS, decode};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("usage: opcodes SESSION.pcap")?;
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    decode(Capture::open(path.as_ref())?, DEFAULT_PORTS, &mut |event| {
        for line in event.lines() {
            *counts.entry(line.kind.to_owned()).or_default() += 1;
        }
    });
    for (kind, count) in counts {
        println!("{count:>10}  {kind}");
    }
    Ok(())
}
