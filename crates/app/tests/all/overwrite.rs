//! Commands that fill folders keep what they did not write there.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

fn threshold(command: &str, out: &Path, more: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_threshold"));
    program.args([command, "--out"]).arg(out).args(more).env_remove("THRESHOLD_DATS");
    program.output().unwrap()
}

#[track_caller]
fn refused(output: &Output, path: &Path) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
    assert!(said.contains(&path.display().to_string()) && said.contains("--force"), "{said}");
}

#[test]
fn sample_replaces_its_own_files_and_no_others() {
    let dir = tempfile::tempdir().unwrap();
    let portal = dir.path().join("client_portal.dat");
    fs::write(&portal, "the game's").unwrap();
    refused(&threshold("sample", dir.path(), &[]), &portal);
    assert_eq!(fs::read_to_string(&portal).unwrap(), "the game's");
    assert!(!dir.path().join("client_cell_1.dat").exists());

    assert!(threshold("sample", dir.path(), &["--force"]).status.success());
    let written = fs::read(&portal).unwrap();
    assert!(threshold("sample", dir.path(), &[]).status.success());
    assert_eq!(fs::read(&portal).unwrap(), written);

    let places = dir.path().join("Locations.txt");
    fs::write(&places, "Home | outdoors | 0x80800015 [60 97.5 20.01]\n").unwrap();
    refused(&threshold("sample", dir.path(), &[]), &places);
}

#[test]
fn the_tour_refuses_before_it_walks() {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("index.html");
    fs::write(&page, "a page of mine").unwrap();
    let output = threshold("tour", dir.path(), &[]);
    refused(&output, &page);
    assert_eq!(output.stdout, b"");
    assert_eq!(fs::read_to_string(&page).unwrap(), "a page of mine");
    assert!(!dir.path().join("pictures").exists());
}

#[test]
fn pictures_and_records_of_others_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let picture = dir.path().join("a.png");
    let commands: [&[&str]; 2] =
        [&["--at", "Village Street", "--size", "64x36"], &["--block", "0x8080", "--pixels", "64"]];
    for (command, options) in ["render", "map"].into_iter().zip(commands) {
        fs::write(&picture, "a photograph").unwrap();
        refused(&threshold(command, &picture, options), &picture);
        assert_eq!(fs::read_to_string(&picture).unwrap(), "a photograph", "{command}");
        assert!(threshold(command, &picture, &[options, &["--force"]].concat()).status.success());
        assert!(threshold(command, &picture, options).status.success(), "{command} replaces its own picture");
        let jpeg = threshold(command, &dir.path().join("a.jpg"), options);
        let said = String::from_utf8_lossy(&jpeg.stderr);
        assert!(jpeg.status.code() == Some(2) && said.contains("PNG") && said.contains("a.png"), "{said}");
        assert!(!dir.path().join("a.jpg").exists());
    }
    let record = dir.path().join("record");
    fs::write(&record, "mine").unwrap();
    let dat = threshold_golden::world_dir("cottage").join("client_portal.dat");
    let get = |more: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_threshold"));
        program
            .args(["dat", "get"])
            .arg(&dat)
            .args(["0x02000001", "--out"])
            .arg(&record)
            .args(more)
            .output()
            .unwrap()
    };
    refused(&get(&[]), &record);
    assert!(get(&["--force"]).status.success());
    assert!(get(&[]).status.success(), "nothing is lost by writing the same again");
}

#[test]
fn sizes_have_one_limit() {
    let dir = tempfile::tempdir().unwrap();
    for (command, options) in [
        ("render", ["--at", "Village Street", "--size", "8193x10"]),
        ("map", ["--block", "0x8080", "--pixels", "8193"]),
    ] {
        let output = threshold(command, &dir.path().join("a.png"), &options);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains("8192"), "{said}");
    }
}
