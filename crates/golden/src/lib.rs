//! Finds the golden data that tests measure the engine against.
//!
//! This crate holds a copy of all of it, compressed. Where the set itself lies beside the project, sweeps and
//! scripts are taken from there, so that records added to it are tested as they are; `THRESHOLD_REQUIRE_GOLDEN=1`
//! says that it must be there.
//!
//! Everything here is for tests, so it panics when the data is missing or damaged.

use flate2::read::GzDecoder;
use serde_json::Value;
use std::{
    env,
    fs::{self, File},
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

/// The recorded worlds. `hostile` is deliberately bad data.
pub const WORLDS: [&str; 5] = ["cottage", "dungeon", "hostile", "plains", "seam"];

/// The folders of motion recordings, all of them made in the world `motions`.
pub const MOTIONS: [&str; 4] = ["sequences", "walking", "move-to", "position"];

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

/// Recorded sweeps, one JSON object per line.
pub fn captures(world: &str) -> Vec<String> {
    let name = format!("captures/{world}.jsonl");
    match full() {
        Some(dir) => lines(&dir.join(name)).collect(),
        None => lines(&data().join(name + ".gz")).collect(),
    }
}

/// A scripted walk and what was recorded of it.
#[derive(Clone, Debug)]
pub struct Script {
    /// Its name within the world.
    pub name: String,
    /// The scenario.
    pub scenario: Value,
    /// A line for the placement and one per step.
    pub expected: Vec<Value>,
}

/// All scripted walks of a world, by name.
pub fn scripts(world: &str) -> Vec<Script> {
    read_scripts("scenarios", world)
}

/// All motion recordings of a folder, by name.
pub fn motions(folder: &str) -> Vec<Script> {
    read_scripts("motion", folder)
}

fn read_scripts(kind: &str, folder: &str) -> Vec<Script> {
    let Some(dir) = full() else {
        let packed = data().join(kind).join(format!("{folder}.jsonl.gz"));
        return json_lines(&packed).map(packed_script).collect();
    };
    let dir = dir.join(kind).join(folder);
    let entries = fs::read_dir(&dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let paths = entries.map(|entry| entry.unwrap_or_else(|e| panic!("{}: {e}", dir.display())).path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Script {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            scenario: serde_json::from_slice(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display())),
            expected: json_lines(&path.with_extension("expected.jsonl")).collect(),
        }
    };
    paths.into_iter().map(read).collect()
}

/// One scripted walk out of the copy; `name` is `world/script`.
pub fn script(name: &str) -> Script {
    let (world, script) = name.split_once('/').unwrap_or_else(|| panic!("`{name}` is not WORLD/SCRIPT"));
    assert!(WORLDS.contains(&world), "no golden world `{world}`; there are {WORLDS:?}");
    json_lines(&data().join(format!("scenarios/{world}.jsonl.gz")))
        .map(packed_script)
        .find(|found| found.name == script)
        .unwrap_or_else(|| panic!("no script `{script}` in world `{world}`"))
}

fn packed_script(mut line: Value) -> Script {
    let Value::Array(expected) = line["expected"].take() else { panic!("a script without expected lines") };
    Script {
        name: line["name"].as_str().unwrap_or_default().to_owned(),
        scenario: line["scenario"].take(),
        expected,
    }
}

/// A recorded session: a capture file, and the events that must come out of it.
#[derive(Clone, Debug)]
pub struct WireCapture {
    /// Name of the file.
    pub name: String,
    /// The file.
    pub bytes: Vec<u8>,
    /// One value per line.
    pub expected: Vec<Value>,
}

/// All recorded sessions, by name.
pub fn wire_captures() -> Vec<WireCapture> {
    let whole = full();
    let dir = whole.as_deref().map_or_else(data, Path::to_owned).join("wire");
    let names = fs::read_dir(&dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let names = names.map(|entry| entry.unwrap_or_else(|e| panic!("{}: {e}", dir.display())).file_name());
    let mut names: Vec<String> = names
        .filter_map(|name| {
            let name = name.to_string_lossy();
            let name = name.strip_suffix(".gz").unwrap_or(&name);
            [".pcap", ".pcapng"].iter().any(|extension| name.ends_with(extension)).then(|| name.to_owned())
        })
        .collect();
    names.sort();
    names.into_iter().map(|name| read_wire_capture(&dir, name)).collect()
}

/// One recorded session out of the copy.
pub fn wire_capture(name: &str) -> WireCapture {
    read_wire_capture(&data().join("wire"), name.to_owned())
}

/// Reads a session from a folder whose files are compressed or not.
fn read_wire_capture(dir: &Path, name: String) -> WireCapture {
    let path = |name: &str| {
        let plain = dir.join(name);
        if plain.is_file() { plain } else { dir.join(format!("{name}.gz")) }
    };
    let file = path(&name);
    let mut bytes = Vec::new();
    open(&file).read_to_end(&mut bytes).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let expected = json_lines(&path(&format!("{name}.expected.jsonl"))).collect();
    WireCapture { name, bytes, expected }
}

/// The values in a file with one JSON value per line; compressed when its name ends in `.gz`.
pub fn json_lines(path: &Path) -> impl Iterator<Item = Value> + use<> {
    let path = path.to_owned();
    lines(&path)
        .map(move |line| serde_json::from_str(&line).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

/// A file, unpacked when its name ends in `.gz`.
fn open(path: &Path) -> Box<dyn Read> {
    let file = File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let compressed = path.extension().is_some_and(|extension| extension == "gz");
    if compressed { Box::new(GzDecoder::new(file)) } else { Box::new(file) }
}

fn lines(path: &Path) -> impl Iterator<Item = String> + use<> {
    let reader = open(path);
    let path = path.to_owned();
    BufReader::new(reader).lines().map(move |line| line.unwrap_or_else(|e| panic!("{}: {e}", path.display())))
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
            assert!(captures(world).len() > 2500, "{world}");
            let scripts = scripts(world);
            assert!(scripts.len() > 20, "{world}: {}", scripts.len());
            for script in scripts {
                let steps = script.scenario["steps"].as_array().map_or(0, Vec::len);
                assert!(steps > 0 && !script.expected.is_empty() && script.expected.len() <= steps + 1);
            }
        }
    }

    #[test]
    fn the_copy_of_the_motion_recordings_is_whole() {
        let folders = MOTIONS.map(|folder| {
            let packed = data().join("motion").join(format!("{folder}.jsonl.gz"));
            let scripts: Vec<Script> = json_lines(&packed).map(packed_script).collect();
            (scripts.len(), scripts.iter().map(|script| script.expected.len()).sum::<usize>())
        });
        assert_eq!(folders, [(49, 4114), (98, 9015), (55, 5323), (61, 4953)]);
        assert!(world_dir("motions").join("client_portal.dat").is_file());
    }
}
