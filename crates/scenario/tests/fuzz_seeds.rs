//! The seeds of the fuzz targets for motion and scenarios, and damaged copies of them, through the targets' own checks.

#[path = "../../../fuzz/checks/bytes.rs"]
#[allow(dead_code, reason = "the checks of other targets use the rest")]
mod bytes;
#[path = "../../../fuzz/checks/motion.rs"]
mod motion;

use std::{fs, path::Path};

/// Damaged copies of every seed.
const COPIES: u64 = 100;

#[test]
fn motion_tables() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/motion");
    let mut seeds: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    seeds.sort();
    assert!(seeds.len() >= 2);
    let mut dice = 1_u64;
    let mut roll = |below: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % below.max(1)
    };
    for seed in seeds {
        let seed = fs::read(seed).unwrap();
        motion::motion(&seed);
        for _ in 0..COPIES {
            let mut copy = seed.clone();
            for _ in 0..1 + roll(30) {
                let at = roll(copy.len());
                match roll(6) {
                    0 => copy.truncate(at.max(1)),
                    1 => copy[at] = 0xFF,
                    _ => copy[at] = roll(256) as u8,
                }
            }
            motion::motion(&copy);
        }
    }
}
