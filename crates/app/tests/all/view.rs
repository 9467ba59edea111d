//! `threshold view` through the program itself.

use serde_json::Value;
use std::process::{Command, Output};
use threshold_golden::world_dir;

const MAIN_ROOM: &str = "0xA9B40101 [84 84 20.155]";

fn view(world: &str, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.arg("view").args(args).env("THRESHOLD_DATS", world_dir(world)).output().unwrap()
}

#[track_caller]
fn json(world: &str, args: &[&str]) -> Value {
    let output = view(world, &[args, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[track_caller]
fn refused(args: &[&str]) -> String {
    let output = view("cottage", args);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|cell| cell["id"].as_str().unwrap()).collect()
}

fn ops(plan: &Value) -> Vec<&str> {
    plan["steps"].as_array().unwrap().iter().map(|step| step["op"].as_str().unwrap()).collect()
}

#[test]
fn from_the_room_one_sees_the_landscape_through_two_doors() {
    let plan = json("cottage", &["--at", MAIN_ROOM, "--yaw", "180"]);
    assert_eq!(plan["viewer_cell"], "0xA9B40101");
    assert_eq!((&plan["outside"], &plan["seen_outside"]), (&Value::Bool(false), &Value::Bool(true)));
    assert_eq!(plan["landscape"]["drawn"], true);
    assert_eq!(ids(&plan["cells"])[..2], ["0xA9B40101", "0xA9B40100"], "nearest first");
    assert_eq!(plan["cells"][0]["distance"], 0.0);
    assert_eq!(plan["cells"][0]["regions"][0].as_array().unwrap().len(), 4);
    for region in plan["landscape"]["regions"].as_array().unwrap() {
        for corner in region.as_array().unwrap() {
            for coordinate in corner.as_array().unwrap() {
                assert!(coordinate.as_f64().unwrap().abs() <= 1.0);
            }
        }
    }
    let ops = ops(&plan);
    let at = |op: &str| ops.iter().position(|o| *o == op).unwrap_or_else(|| panic!("no {op} in {ops:?}"));
    let order = [at("landscape"), at("clear_depth"), at("seal"), at("cell"), at("end_frame")];
    assert!(order.windows(2).all(|pair| pair[0] < pair[1]), "{order:?}");
}

#[test]
fn from_the_street_one_sees_into_the_house() {
    let plan = json("cottage", &["--at", "0xA9B4001B", "84", "60", "20", "--yaw", "-10", "--pitch", "-3"]);
    assert_eq!(plan["outside"], true);
    assert_eq!(ids(&plan["cells"]), [""; 0]);
    let houses = plan["buildings"].as_array().unwrap();
    let ours = houses.iter().find(|house| house["cell"] == "0xA9B4001C").unwrap();
    assert_eq!(ours["model"], "0x01000200");
    assert!(ids(&ours["interior_cells"]).contains(&"0xA9B40100"));
    let punch = plan["steps"].as_array().unwrap().iter().find(|step| step["op"] == "punch").unwrap();
    assert!(punch["region"].as_array().unwrap().len() >= 3);
}

#[test]
fn the_default_eye_is_carried_to_eye_height_by_the_camera_s_sweep() {
    let text = String::from_utf8(view("cottage", &["--at", MAIN_ROOM]).stdout).unwrap();
    let eye = text.lines().next().unwrap().strip_prefix("eye at 0xA9B40101 [84.000000 84.000000 ").unwrap();
    let height: f32 = eye.split(']').next().unwrap().parse().unwrap();
    assert!((height - 21.655).abs() < 1e-3, "{text}");
}

#[test]
fn an_eye_of_one_s_own_keeps_the_cell_of_the_place() {
    let plan = json("cottage", &["--at", MAIN_ROOM, "--eye", "-10,500,-3", "--yaw", "0"]);
    assert_eq!(plan["viewer_cell"], "0xA9B40101");
}

#[test]
fn without_yaw_the_eye_looks_as_the_place_faces() {
    let south = json("cottage", &["--at", "0xA9B40101 [84 84 20.155] 0 0 0 1"]);
    let by_yaw = json("cottage", &["--at", MAIN_ROOM, "--yaw", "180"]);
    assert_eq!(ids(&south["cells"]), ids(&by_yaw["cells"]));
    assert_eq!(south["landscape"]["drawn"], true);
}

#[test]
fn the_tree_tells_who_is_seen_through_what() {
    let output = view("cottage", &["--at", MAIN_ROOM, "--yaw", "180"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].starts_with("0xA9B40101  x -1.000"), "{text}");
    assert!(lines[2].starts_with("  portal 0 → 0xA9B40100  "), "{text}");
    assert!(lines[3].starts_with("    portal 0 → outdoors  "), "{text}");
}

#[test]
fn narrower_lenses_and_other_pictures_show_less_or_more() {
    let area = |args: &[&str]| {
        json("cottage", &[&["--at", MAIN_ROOM, "--yaw", "180"], args].concat())["landscape"]["regions"][0][0]
            [0]
        .as_f64()
        .unwrap()
    };
    let (normal, narrow) = (area(&[]), area(&["--fov", "30"]));
    assert!(narrow > normal * 1.9, "{normal} {narrow}");
    assert!(area(&["--size", "720x720"]) > normal * 1.7);
}

#[test]
fn bad_input_is_refused_with_the_reason() {
    assert!(refused(&["--at", "there"]).contains("`there` is neither a known place"));
    assert!(refused(&["--at", "0xA9B40999 [1 2 3]"]).contains("there is no cell 0xA9B40999"));
    assert!(refused(&["--at", "0x20200001 [1 2 3]"]).contains("there is no cell 0x20200001"));
    assert!(refused(&["--at", MAIN_ROOM, "--eye", "1,2"]).contains("three numbers"));
    assert!(refused(&["--at", MAIN_ROOM, "--size", "0x0"]).contains("width and height"));
    assert!(refused(&["--at", MAIN_ROOM, "--fov", "180"]).contains("--fov"));
    assert!(refused(&["--at", MAIN_ROOM, "--fov", "-5"]).contains("--fov"));
    assert!(refused(&["--at", MAIN_ROOM, "--yaw", "NaN"]).contains("finite"));
}
