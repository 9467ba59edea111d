//! The seeds of the fuzz targets, and damaged copies of them, through the targets' own checks.

#[path = "../../../fuzz/checks/bytes.rs"]
mod bytes;
#[path = "../../../fuzz/checks/nav.rs"]
mod nav;
#[path = "../../view/tests/support/sanity.rs"]
mod sanity;
#[path = "../../../fuzz/checks/script.rs"]
mod script;
#[path = "../../view/tests/support/mod.rs"]
mod support;
#[path = "../../../fuzz/checks/sweep.rs"]
mod sweep;
#[path = "../../../fuzz/checks/text.rs"]
mod text;
#[path = "../../../fuzz/checks/view.rs"]
mod view;
#[path = "../../physics/tests/watch/mod.rs"]
mod watch;

use std::{fs, path::Path};

/// Damaged copies of every seed.
const COPIES: u64 = 40;

/// Puts every seed of a folder through a check, as it is and with some of its bytes changed.
fn replay(folder: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(folder);
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
        check(&seed);
        for _ in 0..COPIES {
            let mut copy = seed.clone();
            for _ in 0..1 + roll(6) {
                let at = roll(copy.len());
                match roll(4) {
                    0 => copy.truncate(at.max(1)),
                    1 => copy.insert(at, b"0123456789-.e[]{}'\\\"\n"[roll(21)]),
                    _ => copy[at] = roll(256) as u8,
                }
            }
            check(&copy);
        }
    }
}

#[test]
fn scenarios_and_captures() {
    replay("scenario", script::scenario);
    replay("capture", script::capture);
}

#[test]
fn sql_and_places() {
    replay("sql", text::sql);
    replay("loc", text::loc);
}

#[test]
fn views() {
    replay("view", view::view);
}

#[test]
fn sweeps() {
    replay("sweep", sweep::sweep);
}

/// Ways cost more than walks: the worlds of the sweeps' seeds as they are, and a route file.
#[test]
fn ways() {
    for folder in ["sweep", "nav"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(folder);
        let mut seeds: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
        seeds.sort();
        assert!(!seeds.is_empty());
        seeds.iter().for_each(|seed| nav::nav(&fs::read(seed).unwrap()));
    }
}
