//! The made-up sessions of the recordings, played.

use std::sync::Arc;
use threshold_dat::DatId;
use threshold_playback::{FindingKind, Options, Playback, Verdict};
use threshold_sim::{PLAYER_SETUP, Simulation};
use threshold_wire::{Capture, DEFAULT_PORTS, Recording};
use threshold_world::{CellId, Library};

fn played(name: &str) -> (Simulation, Verdict) {
    let world = threshold_sample::build().expect("the sample world");
    let library = Arc::new(Library::new(Arc::new(world.source().expect("its records"))));
    let mut sim = Simulation::builder().library(library).build().expect("the sample world");
    let bytes = threshold_golden::wire_capture(name).bytes;
    let mut recording = Recording::new(Capture::new(&bytes[..]).expect("a capture"), DEFAULT_PORTS);
    let mut playback = Playback::new(Options::default());
    while playback.step(&mut sim, &mut recording).expect("it can be played") {}
    let verdict = playback.finish(&sim);
    (sim, verdict)
}

/// What is found in the village is there. A house is said to stand outdoors, in the floor of a building: there is no room.
/// Another object has no setup. And an arrow is laid where the player stands on the cellar's topmost step, with the
/// player's cell: a player's lowest sphere is in the living room above the hatch, an arrow's is below, on the stairs.
/// Spec: physics-cells §3.12.
#[test]
fn an_arrow_on_the_cellar_stairs_is_not_in_the_cell_of_the_player_who_laid_it_there() {
    const ARROW: DatId = DatId(0x0200_000F);
    const LIVING_ROOM: CellId = CellId(0x8080_0103);
    const STAIRS: CellId = CellId(0x8080_010C);
    let (sim, verdict) = played("village.pcap");
    let named = |kind, name: &str| (kind, name.to_owned());
    let found: Vec<_> = verdict.findings.iter().map(|finding| named(finding.kind, &finding.name)).collect();
    let expected =
        [(FindingKind::Refused, ""), (FindingKind::Cell, "Arrow"), (FindingKind::NeverPlaced, "Cottage")];
    assert_eq!(found, expected.map(|(kind, name)| named(kind, name)));
    let finding = &verdict.findings[1];
    let (told, ours) = (finding.told.expect("a place"), finding.ours.expect("a place"));
    assert_eq!((told.cell, ours.cell, told.frame.origin), (LIVING_ROOM, STAIRS, ours.frame.origin));
    let lowest = |setup: DatId| {
        let model = sim.library().model(setup).expect("it can be read").expect("a setup");
        told.frame.apply(model.spheres[0].center)
    };
    let is_in = |cell: CellId, point| sim.world().env_cell(cell).expect("a room").contains(point);
    let (arrow, player) = (lowest(ARROW), lowest(PLAYER_SETUP));
    assert!(is_in(STAIRS, arrow) && !is_in(LIVING_ROOM, arrow), "{arrow}");
    assert!(is_in(LIVING_ROOM, player) && !is_in(STAIRS, player), "{player}");
}
