//! Places by name, and messages that say which world is meant.

use std::{
    fs,
    process::{Command, Output},
};

fn threshold(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.args(args).env_remove("THRESHOLD_DATS").output().unwrap()
}

fn stdout(args: &[&str]) -> String {
    let output = threshold(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(args: &[&str]) -> String {
    let output = threshold(args);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{args:?}: {said}");
    said
}

#[test]
fn places_are_listed_with_what_is_needed_to_go_there() {
    let all = stdout(&["places"]);
    assert!(all.lines().count() > 20, "{all}");
    let towers = stdout(&["places", "tower"]);
    assert!(towers.lines().all(|line| line.to_lowercase().contains("tower")), "{towers}");
    let lookout = towers.lines().find(|line| line.starts_with("Tower Lookout ")).unwrap();
    assert!(lookout.contains("interior") || lookout.contains("outdoors"), "{lookout}");
    let json = stdout(&["places", "Village Street", "--json"]);
    let place: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&place["name"], &place["type"]), (&"Village Street".into(), &"outdoors".into()));
    assert!(place["loc"].as_str().unwrap().starts_with("0x8080") && place["map"].is_string(), "{place}");
    assert_eq!(stdout(&["places", "Holtburg"]), "");
}

#[test]
fn every_command_that_looks_somewhere_takes_a_name() {
    let lookout = stdout(&["places", "Tower Lookout", "--json"]);
    let place: serde_json::Value = serde_json::from_str(&lookout).unwrap();
    let loc = place["loc"].as_str().unwrap().to_owned();
    assert_eq!(stdout(&["view", "--at", "tower", "lookout"]), stdout(&["view", "--at", &loc]));
    assert!(stdout(&["inspect", "Tower Lookout"]).contains(&loc[..10]));
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    for (name, at) in [("name.png", "Tower Lookout"), ("loc.png", loc.as_str())] {
        stdout(&["render", "--at", at, "--size", "96x54", "--out", &file(name)]);
    }
    assert_eq!(fs::read(file("name.png")).unwrap(), fs::read(file("loc.png")).unwrap());
    let block = format!("0x{}", &loc[2..6]);
    for (name, at) in [("a.png", "Tower Lookout"), ("b.png", block.as_str())] {
        stdout(&["map", "--block", at, "--pixels", "64", "--out", &file(name)]);
    }
    assert_eq!(fs::read(file("a.png")).unwrap(), fs::read(file("b.png")).unwrap());
    assert!(stdout(&["check", "--block", "Tower Lookout"]).contains("1 blocks"));
}

#[test]
fn messages_say_which_world_is_meant() {
    let sample = "in the built-in sample world";
    assert!(refused(&["view", "--at", "0xA9B40019 [84 7 94]"]).contains(sample));
    assert!(
        refused(&["view", "--at", "Holtburg"])
            .contains("`threshold places` lists the known places in the built-in")
    );
    assert!(refused(&["view", "--at", "tower"]).contains("is ambiguous: Tower"));
    assert!(refused(&["inspect", "0xA9B40100"]).contains(sample));
    assert!(refused(&["check", "--block", "0xA9B4"]).contains(sample));
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("walk.json");
    fs::write(&file, r#"{"mover": {"setup": "0x02000001", "state": "0x408"}, "start": {"cell": "0xA9B40019", "origin": [1, 2, 3]}, "steps": []}"#)
        .unwrap();
    assert!(refused(&["walk", file.to_str().unwrap()]).contains(sample));
    let world = threshold_golden::world_dir("cottage");
    let error = refused(&["view", "--at", "0x20200001 [1 2 3]", "--dats", world.to_str().unwrap()]);
    assert!(error.contains(&format!("in {}", world.display())), "{error}");
}

#[test]
fn help_is_a_command() {
    assert_eq!(stdout(&["help"]), stdout(&["--help"]));
    assert_eq!(stdout(&["help", "render"]), stdout(&["render", "--help"]));
    assert_eq!(stdout(&["help", "dat", "get"]), stdout(&["dat", "get", "--help"]));
}

#[test]
fn swapped_files_are_recognised() {
    let dir = tempfile::tempdir().unwrap();
    let world = threshold_golden::world_dir("cottage");
    fs::copy(world.join("client_portal.dat"), dir.path().join("client_cell_1.dat")).unwrap();
    fs::copy(world.join("client_cell_1.dat"), dir.path().join("client_portal.dat")).unwrap();
    let error = refused(&["check", "--dats", dir.path().to_str().unwrap()]);
    assert!(
        error.contains("client_cell_1.dat") && error.contains("client_portal.dat seem to be swapped"),
        "{error}"
    );
}
