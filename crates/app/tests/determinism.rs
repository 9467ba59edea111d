//! The same bits with one, two and eight threads, in debug and in release builds.

mod hashes;

use std::{fs, process::Command, sync::Arc};
use threshold_dat::DatId;
use threshold_scenario::{simulation, soak::populate};
use threshold_sim::TICK;
use threshold_world::Library;

const THREADS: [usize; 3] = [1, 2, 8];
const MOVERS: usize = 1000;
const TICKS: usize = 60;

/// Every tick of the tour as the program writes it down, and the hash at its end.
fn tour(threads: usize) -> (Vec<u8>, String) {
    let dir = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_threshold"))
        .args(["tour", "--out"])
        .arg(dir.path())
        .env("RAYON_NUM_THREADS", threads.to_string())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table = String::from_utf8(output.stdout).unwrap();
    let hash = table.split("hash ").nth(1).and_then(|rest| rest.split_whitespace().next());
    (fs::read(dir.path().join("tour.jsonl")).unwrap(), hash.unwrap().to_owned())
}

#[test]
fn the_tour_is_the_same_with_any_number_of_threads() {
    let (ticks, hash) = tour(THREADS[0]);
    assert_eq!(hash, hashes::TOUR);
    for threads in &THREADS[1..] {
        let (other, hash) = tour(*threads);
        assert!(other == ticks, "some tick differs with {threads} threads");
        assert_eq!(hash, hashes::TOUR, "{threads} threads");
    }
}

/// The state after every tick of a crowd that bumps into walls, furniture and each other.
fn crowd(threads: usize) -> Vec<u64> {
    let sample = threshold_sample::build().unwrap();
    let source = sample.source().unwrap();
    let mut sim = simulation(Library::new(Arc::new(source)).without_scenery()).unwrap();
    let model = sim.library().model(DatId(0x0200_0001)).unwrap().unwrap();
    let (world, scene) = sim.parts_mut();
    let movers = populate(world, scene, &model, MOVERS, 1, 42);
    assert_eq!(movers.len(), MOVERS);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut repeated = 0;
    let tick = |_| {
        sim.advance_clock(TICK).unwrap();
        let (world, scene) = sim.parts_mut();
        let report = pool.install(|| scene.update_all(world));
        repeated += report.repeated;
        scene.state_hash()
    };
    let hashes = (0..TICKS).map(tick).collect();
    assert!(repeated > 0, "nobody met anybody");
    hashes
}

#[test]
fn a_thousand_movers_are_the_same_with_any_number_of_threads() {
    let one = crowd(THREADS[0]);
    for threads in &THREADS[1..] {
        assert_eq!(crowd(*threads), one, "{threads} threads");
    }
    let all = one
        .iter()
        .fold(0xCBF2_9CE4_8422_2325_u64, |all, hash| (all ^ hash).wrapping_mul(0x0000_0100_0000_01B3));
    assert_eq!(format!("{all:016x}"), hashes::CROWD);
}
