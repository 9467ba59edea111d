//! `threshold path` and `threshold reach`, as a user runs them.

use serde_json::Value;
use std::{fs, path::Path, process::Command};
use tempfile::TempDir;

const ROAD: &str = "0x80800015 [60 97.5 20.01]";
const UPSTAIRS: &str = "0x80800108 [59.2 110 23.3]";

/// Exit status, output and errors.
fn run(dir: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    let output = command.current_dir(dir).args(arguments).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_route_is_printed_drawn_and_written_and_holds_when_it_is_read_again() {
    let dir = TempDir::new().expect("a folder");
    let asked = ["path", "--from", ROAD, "--to", UPSTAIRS, "--nav", "way.nav", "--picture", "way.png"];
    let (status, out, errors) = run(dir.path(), &asked);
    assert_eq!(status, Some(0), "{errors}{out}");
    let first = out.lines().next().expect("a line");
    assert!(first.contains("walked by a body; opens "), "{first}");
    assert!(out.lines().nth(1).is_some_and(|line| line.starts_with("0x80800015 [60")), "{out}");
    assert!(out.lines().last().is_some_and(|line| line.starts_with("0x80800108 [59.2")), "{out}");
    assert!(fs::read(dir.path().join("way.png")).is_ok_and(|bytes| bytes.starts_with(b"\x89PNG")));
    // What somebody else wrote is not overwritten.
    fs::write(dir.path().join("mine.nav"), "a route of my own").expect("a file");
    let mine = ["path", "--from", ROAD, "--to", UPSTAIRS, "--nav", "mine.nav"];
    let (status, _, errors) = run(dir.path(), &mine);
    assert!(status == Some(2) && errors.contains("mine.nav"), "{errors}");

    let (status, out, errors) = run(dir.path(), &["path", "--check", "way.nav"]);
    assert_eq!(status, Some(0), "{errors}{out}");
    assert!(out.starts_with("walkable: "), "{out}");
    let (status, out, _) = run(dir.path(), &["path", "--check", "way.nav", "--leave-doors-shut", "--json"]);
    let report = json(&out);
    assert_eq!((status, &report["holds"]), (Some(1), &Value::Bool(false)));
    assert!(report["why"].as_str().is_some_and(|why| why.contains("door")), "{out}");
}

#[test]
fn json_names_waypoints_and_cells_or_where_the_region_ends() {
    let dir = TempDir::new().expect("a folder");
    let (status, out, errors) = run(dir.path(), &["path", "--from", ROAD, "--to", UPSTAIRS, "--json"]);
    assert_eq!(status, Some(0), "{errors}");
    let route = json(&out);
    assert_eq!((&route["reachable"], &route["proved"]), (&Value::Bool(true), &Value::Bool(true)));
    assert!(route["length"].as_f64().is_some_and(|metres| (20.0..40.0).contains(&metres)), "{out}");
    for list in ["waypoints", "cells"] {
        assert!(route[list].as_array().is_some_and(|list| list.len() > 2), "{list}: {out}");
    }
    let shut = ["path", "--from", ROAD, "--to", UPSTAIRS, "--leave-doors-shut", "--json"];
    let (status, out, _) = run(dir.path(), &shut);
    let report = json(&out);
    assert_eq!((status, &report["reachable"]), (Some(1), &Value::Bool(false)));
    assert!(report["gap"].as_f64().is_some_and(|gap| gap > 3.0), "{out}");
}

#[test]
fn hostile_route_files_are_refused_with_their_line() {
    let dir = TempDir::new().expect("a folder");
    let head = "uTank2 NAV 1.2\n4\n";
    for (text, said) in [
        (String::new(), "line 1"),
        ("MZ\u{0}\u{1}".to_owned(), "line 1"),
        (format!("{head}4000000000\n"), "line 3"),
        (format!("{head}-1\n"), "line 3"),
        (format!("{head}1\n0\nNaN\n0\n0\n0\n"), "line 5"),
        (format!("{head}1\n0\n1e308\n0\n0\n0\n"), "line 5"),
        (format!("{head}1\n0\n0\n0\n"), "line 7"),
        (format!("{head}0\n"), "no waypoint"),
        (format!("{head}1\n0\n90\n90\n0\n0\n"), "no waypoint is on a landblock"),
    ] {
        fs::write(dir.path().join("way.nav"), &text).expect("a file");
        let (status, out, errors) = run(dir.path(), &["path", "--check", "way.nav"]);
        assert_eq!(status, Some(2), "{text:?}: {out}{errors}");
        assert!(errors.contains("way.nav") && errors.contains(said), "{text:?}: {errors}");
    }
    let (status, _, errors) = run(dir.path(), &["path", "--check", "missing.nav"]);
    assert!(status == Some(2) && errors.contains("missing.nav"), "{errors}");
}

#[test]
fn what_can_be_reached_is_counted_and_closed_doors_make_islands() {
    let dir = TempDir::new().expect("a folder");
    let islands = |options: &[&str]| {
        let (status, out, errors) =
            run(dir.path(), &[&["reach", "--from", ROAD, "--json"], options].concat());
        assert_eq!(status, Some(0), "{errors}{out}");
        let report = json(&out);
        (report["rooms"].as_u64().expect("rooms"), report["islands"].as_array().expect("islands").len())
    };
    let (open, shut) = (islands(&[]), islands(&["--leave-doors-shut"]));
    // Nine houses have rooms; behind closed doors they are islands.
    assert!(
        open.0 > shut.0 + 50 && shut.1 >= open.1 + 5,
        "{open:?} with open doors, {shut:?} with closed ones"
    );
    let world = threshold_golden::world_dir("cottage");
    let world = world.to_str().expect("a name");
    let from = ["reach", "--dats", world, "--from", "0xA9B40019 [84 60 20.01]", "--json"];
    let (status, out, errors) = run(dir.path(), &from);
    assert_eq!(status, Some(0), "{errors}{out}");
    let report = json(&out);
    assert!(report["area"].as_f64().is_some_and(|area| area > 10_000.0), "{out}");
    assert!(report["rooms"].as_u64().is_some_and(|rooms| rooms > 0), "{out}");
    let nowhere = ["reach", "--dats", world, "--from", "0xA9B40019 [84 60 500]", "--json"];
    let (status, out, errors) = run(dir.path(), &nowhere);
    assert_eq!((status, &json(&out)["reachable"]), (Some(1), &Value::Bool(false)), "{errors}");
}
