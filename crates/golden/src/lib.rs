//! Finds the golden data that tests measure the engine against.
//!
//! The worlds and the function-level answers are small and lie in this crate. The whole set (sweeps and scenarios
//! included) lies outside the repository; tests that need it ask [`full`] and pass over themselves when it is
//! absent, unless `THRESHOLD_REQUIRE_GOLDEN=1` says that it must be there.
//!
//! Everything here is for tests, so it panics when the data is missing or damaged.

use flate2::read::GzDecoder;
use serde_json::Value;
use std::{
    env,
    fs::{self, File},
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};

/// The recorded worlds. `hostile` is deliberately bad data.
pub const WORLDS: [&str; 5] = ["cottage", "dungeon", "hostile", "plains", "seam"];

/// Names the variable that makes the absence of the whole set an error.
pub const REQUIRE: &str = "THRESHOLD_REQUIRE_GOLDEN";

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

/// Folder with the dat files of a world.
pub fn world_dir(world: &str) -> PathBuf {
    let dir = data().join("worlds").join(world);
    assert!(dir.is_dir(), "no golden world `{world}`; there are {WORLDS:?}");
    dir
}

/// What is in a world, and its named points.
pub fn manifest(world: &str) -> Value {
    let path = world_dir(world).join("manifest.json");
    let text = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_slice(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Calls of single functions and their recorded answers.
pub fn calls(world: &str) -> Vec<(Value, Value)> {
    let path = data().join("calls").join(format!("{world}.jsonl.gz"));
    json_lines(&path)
        .map(|line| serde_json::from_value(line).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
        .collect()
}

/// The values in a gzip-compressed file with one JSON value per line.
pub fn json_lines(path: &Path) -> impl Iterator<Item = Value> {
    let file = File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let path = path.to_owned();
    BufReader::new(GzDecoder::new(file)).lines().map(move |line| {
        line.map_err(serde_json::Error::io)
            .and_then(|line| serde_json::from_str(&line))
            .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    })
}

/// Folder with the whole golden set, when this machine has it beside the project.
///
/// # Panics
/// When it is missing and [`REQUIRE`] is `1`.
pub fn full() -> Option<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/golden");
    let found = dir.is_dir().then_some(dir);
    if found.is_none() && env::var(REQUIRE).is_ok_and(|value| value == "1") {
        panic!(
            "{REQUIRE}=1, but the whole golden set is not at ../shared/golden (seen from the project's root)"
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_world_has_its_files_and_answers() {
        for world in WORLDS {
            assert_eq!(manifest(world)["world"], world);
            assert!(world_dir(world).join("client_portal.dat").is_file());
            assert!(world_dir(world).join("client_cell_1.dat").is_file());
            let calls = calls(world);
            assert!(calls.len() > 1000, "{world}: {}", calls.len());
            assert!(calls.iter().all(|(call, answer)| call["fn"].is_string() && answer.is_object()));
        }
    }
}
