//! The made-up sessions of the recordings, played.

use std::sync::Arc;
use threshold_playback::{FindingKind, Options, Playback, Verdict};
use threshold_sim::Simulation;
use threshold_wire::{Capture, DEFAULT_PORTS, Recording};
use threshold_world::Library;

fn played(name: &str) -> Verdict {
    let world = threshold_sample::build().expect("the sample world");
    let library = Arc::new(Library::new(Arc::new(world.source().expect("its records"))));
    let mut sim = Simulation::builder().library(library).build().expect("the sample world");
    let bytes = threshold_golden::wire_capture(name).bytes;
    let mut recording = Recording::new(Capture::new(&bytes[..]).expect("a capture"), DEFAULT_PORTS);
    let mut playback = Playback::new(Options::default());
    while playback.step(&mut sim, &mut recording).expect("it can be played") {}
    playback.finish(&sim)
}

/// The two findings are right: one object has no setup, and a house is said to stand outdoors, in the floor of a building,
/// where it has no room. Everything else is where the server says, such as the arrow beside the stairs to the cellar.
#[test]
fn a_village_has_one_object_without_a_setup_and_a_house_without_room() {
    let verdict = played("village.pcap");
    let found: Vec<_> =
        verdict.findings.iter().map(|finding| (finding.kind, finding.name.as_str())).collect();
    assert_eq!(found, [(FindingKind::Refused, ""), (FindingKind::NeverPlaced, "Cottage")]);
}
