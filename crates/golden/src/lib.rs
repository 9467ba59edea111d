//! The conformance kit: worlds as dat files, and what an independent implementation of the original's physics did in them.
//!
//! Everything is part of this crate, compressed, so that tests need nothing beside the repository and `threshold conform`
//! works wherever it is installed. [`files`] unpacks all of it into the layout that the crate's README describes.
//!
//! The data is fixed when the crate is built, so nothing here returns an error: what is missing or damaged panics.

mod view;
mod wire;

pub use view::{ViewDifference, view_difference};
pub use wire::{WireDifference, wire_difference};

use flate2::read::GzDecoder;
use include_dir::{Dir, File, include_dir};
use serde_json::Value;
use std::{
    io::Read,
    path::{Path, PathBuf},
};

/// The recorded worlds. `hostile` is deliberately bad data.
pub const WORLDS: [&str; 5] = ["cottage", "dungeon", "hostile", "plains", "seam"];

/// The world of all motion recordings.
pub const MOTION_WORLD: &str = "motions";

/// The folders of motion recordings, all of them made in [`MOTION_WORLD`].
pub const MOTIONS: [&str; 4] = ["sequences", "walking", "move-to", "position"];

/// The worlds with recorded views: those with interior cells.
pub const VIEW_WORLDS: [&str; 4] = ["cottage", "dungeon", "hostile", "seam"];

static DATA: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/data");

/// Folder with the dat files of a world, in the repository: for tests.
pub fn world_dir(world: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/worlds").join(world);
    assert!(dir.is_dir(), "no golden world `{world}`; there are {WORLDS:?}");
    dir
}

/// What is in a world, and its named points.
pub fn manifest(world: &str) -> Value {
    let name = format!("worlds/{world}/manifest.json");
    serde_json::from_slice(contents(&name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The dat files of a world, by name.
pub fn world_files(world: &str) -> impl Iterator<Item = (&'static str, &'static [u8])> + use<> {
    files_in(&format!("worlds/{world}"))
        .filter(|(name, _)| name.ends_with(".dat"))
        .map(|(name, file)| (name, file.contents()))
}

/// Calls of single functions and their recorded answers.
pub fn calls(world: &str) -> Vec<(Value, Value)> {
    let name = format!("calls/{world}.jsonl.gz");
    json_lines(&name)
        .map(|line| serde_json::from_value(line).unwrap_or_else(|e| panic!("{name}: {e}")))
        .collect()
}

/// Recorded sweeps, one JSON object per line.
pub fn captures(world: &str) -> Vec<String> {
    text(&format!("captures/{world}.jsonl.gz")).lines().map(str::to_owned).collect()
}

/// Recorded views: cameras, and what the rays of their pictures met, one object each.
pub fn views(world: &str) -> Vec<Value> {
    json_lines(&format!("views/{world}.jsonl.gz")).collect()
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
    json_lines(&format!("scenarios/{world}.jsonl.gz")).map(packed_script).collect()
}

/// All motion recordings of a folder, by name.
pub fn motions(folder: &str) -> Vec<Script> {
    json_lines(&format!("motion/{folder}.jsonl.gz")).map(packed_script).collect()
}

/// One scripted walk; `name` is `world/script`.
pub fn script(name: &str) -> Script {
    let (world, script) = name.split_once('/').unwrap_or_else(|| panic!("`{name}` is not WORLD/SCRIPT"));
    assert!(WORLDS.contains(&world), "no golden world `{world}`; there are {WORLDS:?}");
    json_lines(&format!("scenarios/{world}.jsonl.gz"))
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
    let names = files_in("wire").filter_map(|(name, _)| name.strip_suffix(".gz"));
    names.filter(|name| !name.ends_with(".jsonl")).map(wire_capture).collect()
}

/// One recorded session.
pub fn wire_capture(name: &str) -> WireCapture {
    WireCapture {
        name: name.to_owned(),
        bytes: unpacked(&format!("wire/{name}.gz")),
        expected: json_lines(&format!("wire/{name}.expected.jsonl.gz")).collect(),
    }
}

/// The whole kit as plain files: names relative to its folder, and contents.
pub fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = vec![("README.md".to_owned(), include_bytes!("../README.md").to_vec())];
    for world in WORLDS.into_iter().chain([MOTION_WORLD]) {
        for (name, file) in files_in(&format!("worlds/{world}")) {
            files.push((format!("worlds/{world}/{name}"), file.contents().to_vec()));
        }
    }
    for world in WORLDS {
        files.push((format!("captures/{world}.jsonl"), unpacked(&format!("captures/{world}.jsonl.gz"))));
        let (questions, answers): (Vec<Value>, Vec<Value>) = calls(world).into_iter().unzip();
        files.push((format!("calls/{world}.in.jsonl"), lines_of(&questions)));
        files.push((format!("calls/{world}.out.jsonl"), lines_of(&answers)));
        push_scripts(&mut files, &format!("scenarios/{world}"), scripts(world));
    }
    for folder in MOTIONS {
        push_scripts(&mut files, &format!("motion/{folder}"), motions(folder));
    }
    for world in VIEW_WORLDS {
        files.push((format!("views/{world}.jsonl"), unpacked(&format!("views/{world}.jsonl.gz"))));
    }
    for WireCapture { name, bytes, expected } in wire_captures() {
        files.push((format!("wire/{name}.expected.jsonl"), lines_of(&expected)));
        files.push((format!("wire/{name}"), bytes));
    }
    files
}

fn push_scripts(files: &mut Vec<(String, Vec<u8>)>, folder: &str, scripts: Vec<Script>) {
    for Script { name, scenario, expected } in scripts {
        files.push((format!("{folder}/{name}.json"), format!("{scenario}\n").into_bytes()));
        files.push((format!("{folder}/{name}.expected.jsonl"), lines_of(&expected)));
    }
}

fn lines_of(values: &[Value]) -> Vec<u8> {
    values.iter().flat_map(|value| format!("{value}\n").into_bytes()).collect()
}

/// The files of a folder, in the order of their names.
fn files_in(folder: &str) -> impl Iterator<Item = (&'static str, &'static File<'static>)> + use<> {
    let dir = DATA.get_dir(folder).unwrap_or_else(|| panic!("there is no folder `{folder}` in the kit"));
    let name = |file: &'static File<'static>| file.path().file_name()?.to_str();
    let mut files: Vec<_> = dir.files().filter_map(|file| Some((name(file)?, file))).collect();
    files.sort_by_key(|&(name, _)| name);
    files.into_iter()
}

fn contents(name: &str) -> &'static [u8] {
    DATA.get_file(name).unwrap_or_else(|| panic!("there is no `{name}` in the kit")).contents()
}

fn unpacked(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(contents(name)).read_to_end(&mut bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    bytes
}

fn text(name: &str) -> String {
    String::from_utf8(unpacked(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn json_lines(name: &str) -> impl Iterator<Item = Value> + use<> {
    let (name, bytes) = (name.to_owned(), unpacked(name));
    let lines: Vec<Value> = serde_json::Deserializer::from_slice(&bytes)
        .into_iter()
        .map(|line| line.unwrap_or_else(|error| panic!("{name}: {error}")))
        .collect();
    lines.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recordings_are_whole() {
        let mut records = 0;
        let mut lines = (0, 0);
        for world in WORLDS {
            assert_eq!(manifest(world)["world"], world);
            let names: Vec<&str> = world_files(world).map(|(name, _)| name).collect();
            assert_eq!(names, ["client_cell_1.dat", "client_portal.dat"]);
            assert!(world_dir(world).join("client_portal.dat").is_file());
            let calls = calls(world);
            assert!(calls.len() > 1000, "{world}: {}", calls.len());
            assert!(calls.iter().all(|(call, answer)| call["fn"].is_string() && answer.is_object()));
            records += captures(world).len();
            for script in scripts(world) {
                let steps = script.scenario["steps"].as_array().map_or(0, Vec::len);
                assert!(steps > 0 && !script.expected.is_empty() && script.expected.len() <= steps + 1);
                lines = (lines.0 + 1, lines.1 + script.expected.len());
            }
        }
        assert_eq!((records, lines), (12_880, (374, 44_528)));
        let motions = MOTIONS.map(|folder| {
            let scripts = motions(folder);
            (scripts.len(), scripts.iter().map(|script| script.expected.len()).sum::<usize>())
        });
        assert_eq!(motions, [(49, 4114), (98, 9015), (55, 5323), (61, 4953)]);
        assert_eq!(wire_captures().len(), 29);
    }

    #[test]
    fn everything_is_written_out() {
        let files = files();
        let count = |folder: &str, ending: &str| {
            files.iter().filter(|(name, _)| name.starts_with(folder) && name.ends_with(ending)).count()
        };
        assert_eq!(count("worlds/", ".dat"), 12);
        assert_eq!((count("scenarios/", ".json"), count("scenarios/", ".expected.jsonl")), (374, 374));
        assert_eq!((count("motion/", ".json"), count("motion/", ".expected.jsonl")), (263, 263));
        assert_eq!((count("wire/", ".expected.jsonl"), count("wire/", "")), (29, 58));
        assert_eq!((count("captures/", ""), count("calls/", ""), count("views/", "")), (5, 10, 4));
        assert!(files.iter().all(|(name, bytes)| !bytes.is_empty() || name.contains("empty")));
    }
}
