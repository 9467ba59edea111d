//! Prints which objects moved most in a recorded session: how many positions the server sent for each.
//!
//! `cargo run --release -p threshold-wire --example movers -- session.pcap`

use std::{collections::BTreeMap, error::Error};
use threshold_wire::{Capture, DEFAULT_PORTS, EventKind, Guid, Message, decode};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: movers FILE.pcap")?;
    let mut told: BTreeMap<Guid, u32> = BTreeMap::new();
    decode(Capture::open(path)?, DEFAULT_PORTS, &mut |event| {
        if let EventKind::Message { message: Message::UpdatePosition(update), .. } = &event.kind {
            *told.entry(update.guid).or_default() += 1;
        }
    });
    let mut movers: Vec<(Guid, u32)> = told.into_iter().collect();
    movers.sort_by_key(|&(guid, count)| (std::cmp::Reverse(count), guid));
    for (guid, count) in movers.into_iter().take(20) {
        println!("{count:>8}  {guid}");
    }
    Ok(())
}
