//! `threshold dat` through the program itself.

use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;
use threshold_dat::{DatId, container::DatFile};
use threshold_golden::{WORLDS, world_dir};

fn threshold(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_threshold")).args(args).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The single line that a failed command leaves on stderr.
fn complaint(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text.trim_end().to_owned()
}

fn json(args: &[&str]) -> Value {
    serde_json::from_slice(&threshold(args).stdout).unwrap()
}

fn cottage() -> PathBuf {
    world_dir("cottage").join("client_cell_1.dat")
}

/// A copy of a golden file that may be changed.
fn copy(file: &Path) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("copy.dat");
    fs::write(&path, fs::read(file).unwrap()).unwrap();
    let name = path.to_str().unwrap().to_owned();
    (folder, name)
}

#[test]
fn the_golden_worlds_have_nothing_to_find() {
    let files: Vec<String> = WORLDS
        .iter()
        .flat_map(|world| ["client_portal.dat", "client_cell_1.dat"].map(|file| world_dir(world).join(file)))
        .map(|path| path.to_str().unwrap().to_owned())
        .collect();
    let mut args = vec!["dat", "verify", "--json"];
    args.extend(files.iter().map(String::as_str));
    let output = threshold(&args);
    assert_eq!(output.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["findings"], 0);
    assert_eq!(report["files"].as_array().unwrap().len(), 10);
    for file in report["files"].as_array().unwrap() {
        assert_eq!(file["records"], file["identical"], "{file}");
        assert!(file["records"].as_u64().unwrap() > 10);
    }
}

#[test]
fn ls_lists_what_the_filters_let_through() {
    let file = cottage();
    let file = file.to_str().unwrap();
    let all = stdout(&threshold(&["dat", "ls", file]));
    assert_eq!(all.lines().count(), 33);
    assert!(all.starts_with("0xA8B3FFFF LandBlock "));
    let cells = json(&["dat", "ls", file, "--kind", "envcell", "--range", "A9B40100..A9B40103", "--json"]);
    let ids: Vec<&str> = cells.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["0xA9B40100", "0xA9B40101", "0xA9B40102", "0xA9B40103"]);
    assert_eq!((&cells[0]["kind"], &cells[0]["iteration"]), (&"EnvCell".into(), &982.into()));
    let blocks = json(&["dat", "ls", file, "--size", "252", "--iteration", "982..", "--json"]);
    assert!(blocks.as_array().unwrap().iter().all(|row| row["size"] == 252));
    assert_eq!(json(&["dat", "ls", file, "--iteration", "..5", "--json"]), Value::Array(vec![]));
}

#[test]
fn get_gives_the_bytes_or_the_fields() {
    let file = cottage();
    let bytes = DatFile::open(&file).unwrap().get(DatId(0xA9B4_0100)).unwrap().into_owned();
    let file = file.to_str().unwrap();
    assert_eq!(threshold(&["dat", "get", file, "0xA9B40100"]).stdout, bytes);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("cell");
    assert!(threshold(&["dat", "get", file, "A9B40100", "--out", out.to_str().unwrap()]).stdout.is_empty());
    assert_eq!(fs::read(out).unwrap(), bytes);
    let fields = json(&["dat", "get", file, "0xA9B40100", "--json"]);
    assert_eq!((&fields["id"], &fields["kind"]), (&"0xA9B40100".into(), &"EnvCell".into()));
    assert_eq!(fields["value"]["portals"].as_array().unwrap().len(), 2);
}

#[test]
fn what_was_put_is_there_and_what_was_removed_is_not() {
    let (folder, file) = copy(&cottage());
    let record = folder.path().join("record");
    fs::write(&record, threshold(&["dat", "get", &file, "0xA9B40100"]).stdout).unwrap();
    let record = record.to_str().unwrap();

    let output = threshold(&["dat", "rm", &file, "0xA9B40100", "0xA9B40101"]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), "2 removed\n"));
    assert_eq!(stdout(&threshold(&["dat", "ls", &file])).lines().count(), 31);

    let output = threshold(&["dat", "put", &file, "0xA9B40100", record, "--iteration", "990"]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), "0xA9B40100: 90 bytes, new\n"));
    let rows = json(&["dat", "ls", &file, "--range", "0xA9B40100", "--json"]);
    assert_eq!((&rows[0]["iteration"], &rows[0]["version"]), (&990.into(), &2.into()));
    assert_eq!(DatFile::open(&file).unwrap().current_iteration(), 990);
    assert_eq!(threshold(&["dat", "verify", &file]).status.code(), Some(0));
}

#[test]
fn rm_removes_all_or_nothing() {
    let (_folder, file) = copy(&cottage());
    let before = fs::read(&file).unwrap();
    let output = threshold(&["dat", "rm", &file, "0xA9B40100", "0x12345678"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(complaint(&output), format!("threshold: {file}: 0x12345678 is not in this file"));
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn put_stores_what_is_not_a_record_only_by_force() {
    let (folder, file) = copy(&cottage());
    let junk = folder.path().join("junk");
    fs::write(&junk, [0xFF; 40]).unwrap();
    let junk = junk.to_str().unwrap();
    let before = fs::read(&file).unwrap();
    let output = threshold(&["dat", "put", &file, "0xA9B40100", junk]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("not a valid EnvCell: record 0xA9B40100"));
    assert_eq!(fs::read(&file).unwrap(), before);

    assert_eq!(threshold(&["dat", "put", &file, "0xA9B40100", junk, "--force"]).status.code(), Some(0));
    let output = threshold(&["dat", "verify", &file]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("0xA9B40100: EnvCell: "), "{}", stdout(&output));
}

#[test]
fn verify_names_what_is_wrong() {
    let (_folder, file) = copy(&cottage());
    let mut bytes = fs::read(&file).unwrap();
    let first = u32::from_le_bytes(bytes[0x154..0x158].try_into().unwrap()) as usize;
    bytes[first..first + 4].fill(0);
    fs::write(&file, &bytes).unwrap();
    let output = threshold(&["dat", "verify", &file, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let texts: Vec<&str> = report["files"][0]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["text"].as_str().unwrap())
        .collect();
    assert_eq!(
        texts,
        ["free list: block 0x2b00 is not marked as free", "4 blocks belong to nothing, the first at 0x2c00"]
    );
}

#[test]
fn a_file_that_is_none_is_an_input_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("text.dat");
    fs::write(&file, vec![b'x'; 5000]).unwrap();
    let file = file.to_str().unwrap();
    for args in [
        vec!["dat", "ls", file],
        vec!["dat", "verify", file],
        vec!["dat", "get", file, "1"],
        vec!["dat", "put", file, "1", file],
        vec!["dat", "rm", file, "1"],
    ] {
        let output = threshold(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let expected = format!("threshold: {file}: not a usable dat file: magic at offset 0x140: ");
        assert!(complaint(&output).starts_with(&expected), "{}", complaint(&output));
    }
    let output = threshold(&["dat", "ls", "no-such.dat"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).starts_with("threshold: no-such.dat: "));
}

#[test]
fn a_damaged_directory_lists_the_rest_and_fails() {
    let (_folder, file) = copy(&world_dir("dungeon").join("client_cell_1.dat"));
    let mut bytes = fs::read(&file).unwrap();
    let root = u32::from_le_bytes(bytes[0x160..0x164].try_into().unwrap()) as usize;
    bytes[root + 8..root + 12].fill(0);
    fs::write(&file, &bytes).unwrap();
    let output = threshold(&["dat", "ls", &file]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("child 1 is missing"));
    assert!(stdout(&output).lines().count() > 100);
}

#[test]
fn every_command_teaches_with_an_example() {
    for command in ["ls", "get", "put", "rm", "verify"] {
        let output = threshold(&["dat", command, "--help"]);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains(&format!("  threshold dat {command} ")), "{command}");
    }
    assert_eq!(threshold(&["dat", "ls"]).status.code(), Some(2));
    assert_eq!(threshold(&["dat", "get", "x", "not-an-id"]).status.code(), Some(2));
}
