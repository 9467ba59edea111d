//! The seeds of the fuzz targets: made here, kept in `fuzz/seeds`, and put through the targets' own checks.

#[path = "../../../fuzz/checks/wire.rs"]
mod checks;

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};
use threshold_golden::{wire_capture, wire_captures};
use threshold_wire::{Capture, packet::Packet};

/// Set to write the seeds anew.
const WRITE: &str = "THRESHOLD_WRITE_SEEDS";
/// Largest capture that is worth being a seed.
const MAX_CAPTURE: usize = 8192;

fn seeds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds")
}

/// The smallest packet of every combination of flags, and of every opcode that one begins a message with.
fn packets() -> BTreeMap<String, Vec<u8>> {
    let mut smallest: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for name in ["village.pcap", "walk.pcapng", "hostile-packets.pcap"] {
        let session = wire_capture(name);
        let mut capture = Capture::new(&session.bytes[..]).unwrap();
        while let Some(Ok(record)) = capture.next() {
            let Some(payload) = record.datagram().map(|datagram| datagram.payload) else { continue };
            let Ok(packet) = Packet::decode(payload) else { continue };
            let first = packet
                .fragments()
                .find(|fragment| fragment.index == 0)
                .and_then(|fragment| fragment.data.first_chunk());
            let name = match first {
                Some(&opcode) => format!("opcode-{:04x}", u32::from_le_bytes(opcode)),
                None => format!("flags-{:x}", packet.flags),
            };
            if smallest.get(&name).is_none_or(|known| payload.len() < known.len()) {
                smallest.insert(name, payload.to_vec());
            }
        }
    }
    smallest
}

/// Small captures of every format and link layer, and damaged ones.
fn captures() -> BTreeMap<String, Vec<u8>> {
    let sessions = wire_captures().into_iter().filter(|session| session.bytes.len() <= MAX_CAPTURE);
    sessions.map(|session| (session.name, session.bytes)).collect()
}

/// The seeds of a folder, after writing those that are given if that is asked for.
fn kept(folder: &str, make: fn() -> BTreeMap<String, Vec<u8>>) -> Vec<Vec<u8>> {
    let folder = seeds().join(folder);
    if env::var_os(WRITE).is_some() {
        fs::create_dir_all(&folder).unwrap();
        make().iter().for_each(|(name, bytes)| fs::write(folder.join(name), bytes).unwrap());
    }
    fs::read_dir(folder).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap()).collect()
}

#[test]
fn every_packet_that_is_a_seed_holds_with_any_byte_changed() {
    let packets = kept("packet", packets);
    assert!(packets.len() >= 20, "{}", packets.len());
    for packet in &packets {
        checks::packet(packet);
        for at in 0..packet.len() {
            for value in [0, 1, 0x7F, 0x80, 0xFF] {
                let mut damaged = packet.clone();
                damaged[at] = value;
                checks::packet(&damaged);
            }
        }
    }
}

#[test]
fn every_capture_that_is_a_seed_holds_with_bytes_changed() {
    let captures = kept("session", captures);
    assert!(captures.len() > 15, "{}", captures.len());
    for capture in &captures {
        checks::session(capture);
        for at in (0..capture.len()).step_by(7) {
            for value in [0, 0x7F, 0xFF] {
                let mut damaged = capture.clone();
                damaged[at] = value;
                checks::session(&damaged);
            }
        }
    }
}
