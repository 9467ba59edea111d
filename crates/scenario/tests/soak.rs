//! Random use of a scene, with all invariants checked after every step.

mod support;

use support::simulation;
use threshold_dat::DatId;
use threshold_scenario::soak::{Soak, SoakStats};

/// Player, door, chest, tree, creature, crate, platform and ball of the golden worlds.
const SETUPS: [u32; 8] =
    [0x0200_0001, 0x0200_0100, 0x0200_0101, 0x0200_0102, 0x0200_0103, 0x0200_0104, 0x0200_0105, 0x0200_010B];
/// Steps per world and seed; a long run is a matter of this number.
const STEPS: u64 = 1000;

fn run(world: &str, seed: u64, steps: u64) -> SoakStats {
    let sim = simulation(world);
    let models = SETUPS.iter().map(|&id| sim.library().model(DatId(id)).unwrap().unwrap()).collect();
    let mut soak = Soak::new(sim, models, seed);
    for _ in 0..steps {
        if let Err(violation) = soak.step() {
            panic!("{world}: {violation}");
        }
    }
    soak.stats()
}

#[test]
fn everything_holds_whatever_is_done_to_a_scene() {
    for world in threshold_golden::WORLDS {
        for seed in 0..3 {
            let stats = run(world, seed, STEPS);
            for action in ["spawn", "despawn", "teleport", "put", "push", "tick", "carry", "state", "scale"] {
                assert!(stats.actions[action] > 10, "{world}: {action} {stats:?}");
            }
            assert!(stats.lost > 0 && stats.found > 0, "{world}: objects lose their cells and get them back");
            assert!(stats.objects < 400 && stats.entries < 4000, "{world}: {stats:?}");
        }
    }
}

#[test]
fn a_seed_repeats_a_run() {
    let stats = run("seam", 11, 400);
    assert_eq!(stats, run("seam", 11, 400));
    assert_ne!(stats.hash, run("seam", 12, 400).hash);
}

/// The run goes on in restored snapshots, and nothing shows it.
#[test]
fn snapshots_do_not_change_a_run() {
    let begin = || {
        let sim = simulation("cottage");
        let models = SETUPS.iter().map(|&id| sim.library().model(DatId(id)).unwrap().unwrap()).collect();
        Soak::new(sim, models, 5)
    };
    let (mut with, mut without) = (begin(), begin().without_snapshots());
    for step in 0..1200 {
        with.step().unwrap();
        without.step().unwrap();
        assert_eq!(with.stats().hash, without.stats().hash, "step {step}");
    }
    assert!(with.stats().actions["snapshot"] >= 4, "{:?}", with.stats());
    assert!(!without.stats().actions.contains_key("snapshot"));
}

mod random_seeds {
    use super::run;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
        #[test]
        fn everything_holds(seed: u64, world in 0usize..5) {
            run(threshold_golden::WORLDS[world], seed, 250);
        }
    }
}
