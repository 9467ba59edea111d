//! Every recorded sweep of an independent implementation, each from its own recorded state.

use crate::{known, support};
use known::{Known, assert_only_known_differences};
use support::simulation;
use threshold_scenario::{Replay, Tolerance};

fn replay(world: &str) {
    let mut sim = simulation(world);
    let mut replay = Replay::new(&mut sim, Tolerance::default());
    let (mut records, mut fragile, mut differing) = (0, 0, Vec::new());
    for line in threshold_golden::captures(world) {
        let replayed = replay.line(&line).unwrap_or_else(|e| panic!("{e}: {line}"));
        records += 1;
        fragile += usize::from(replayed.fragile);
        if !replayed.fragile && !replayed.differences.is_empty() {
            if differing.len() < 5 {
                eprintln!("{}: {:#?}", replayed.id, replayed.differences);
            }
            differing.push(replayed.id);
        }
    }
    assert!(records > 2500 && fragile * 5 < records, "{world}: {records} records, {fragile} fragile");
    assert_only_known_differences(Known::Records, world, &differing);
}

#[test]
fn cottage() {
    replay("cottage");
}

#[test]
fn dungeon() {
    replay("dungeon");
}

#[test]
fn hostile() {
    replay("hostile");
}

#[test]
fn plains() {
    replay("plains");
}

#[test]
fn seam() {
    replay("seam");
}
