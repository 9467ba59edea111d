//! `threshold walk` and `threshold replay` through the program itself.

use serde_json::{Value, json};
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};
use tempfile::TempDir;
use threshold_golden::{WORLDS, captures, script, world_dir};
use threshold_sim::Simulation;

fn threshold(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.args(args).env_remove("THRESHOLD_DATS").output().unwrap()
}

fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text.trim_end().to_owned()
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A file of its own for the text.
struct Input {
    folder: TempDir,
}

impl Input {
    fn new(text: &str) -> Input {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("input"), text).unwrap();
        Input { folder }
    }

    fn name(&self) -> String {
        path(&self.folder.path().join("input")).to_owned()
    }
}

fn replay(world: &str, capture: &str, options: &[&str]) -> Output {
    let input = Input::new(capture);
    let (name, dats) = (input.name(), world_dir(world));
    let mut args = vec!["replay", &name, "--dats", path(&dats)];
    args.extend(options);
    threshold(&args)
}

fn result(output: &Output) -> Value {
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn walk(world: &str, scenario: &Value) -> Output {
    let input = Input::new(&scenario.to_string());
    threshold(&["walk", &input.name(), "--dats", path(&world_dir(world))])
}

#[test]
fn every_recorded_sweep_agrees() {
    for world in WORLDS {
        let records = captures(world);
        let output = replay(world, &records.join("\n"), &["--json"]);
        assert_eq!(output.status.code(), Some(0));
        let result = result(&output);
        assert_eq!(result["records"], records.len());
        assert_eq!(result["agree"], records.len());
        for field in ["cell_disagree", "ok_disagree", "contact_disagree", "origin_disagree"] {
            assert_eq!(result[field], 0, "{world}: {field}");
        }
        assert!(result["max_origin_error"].as_f64().unwrap() < 0.001);
        assert_eq!(result["worst"], json!([]));
    }
}

/// The first records of a world that are not fragile, to be tampered with.
fn first_records(world: &str, count: usize) -> Vec<Value> {
    let records = captures(world).into_iter().map(|line| serde_json::from_str::<Value>(&line).unwrap());
    records.filter(|record| record["fragile"] != true).take(count).collect()
}

fn lines(records: &[Value]) -> String {
    records.iter().map(|record| record.to_string() + "\n").collect()
}

#[test]
fn disagreements_are_counted_by_what_differs_and_the_farthest_comes_first() {
    let mut records = first_records("cottage", 6);
    records[0]["after"]["cell"] = json!("0xA9B40101");
    records[1]["after"]["ok"] = json!(false);
    records[2]["after"]["contact"] = json!(records[2]["after"]["contact"] == false);
    let x = records[3]["after"]["origin"][0].as_f64().unwrap();
    records[3]["after"]["origin"][0] = json!(x + 0.5);
    let z = records[4]["after"]["origin"][2].as_f64().unwrap();
    records[4]["after"]["origin"][2] = json!(z + 0.0005);
    let output = replay("cottage", &lines(&records), &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let found = result(&output);
    assert_eq!((&found["records"], &found["agree"]), (&json!(6), &json!(2)));
    for field in ["cell_disagree", "ok_disagree", "contact_disagree", "origin_disagree"] {
        assert_eq!(found[field], 1, "{field}");
    }
    assert!((found["max_origin_error"].as_f64().unwrap() - 0.5).abs() < 1e-4);
    assert_eq!(found["worst"][0], records[3]["id"]);
    assert_eq!(found["worst"].as_array().unwrap().len(), 4);

    let tight = result(&replay("cottage", &lines(&records), &["--json", "--tolerance", "0.0001"]));
    assert_eq!(tight["origin_disagree"], 2);

    let shown = replay("cottage", &lines(&records), &["--show", "2"]);
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(text.contains(records[0]["id"].as_str().unwrap()), "{text}");
    assert!(text.contains("cell: recorded 0xA9B40101, found 0xA9B40107"), "{text}");
    assert!(text.contains("ok: recorded false, found true"), "{text}");
    assert!(!text.contains("found ["), "only two were asked for: {text}");
    assert!(text.contains("6 records, 2 agree, 4 disagree"), "{text}");
}

#[test]
fn a_fragile_record_that_differs_is_no_disagreement() {
    let mut records = first_records("cottage", 2);
    records[1]["after"]["cell"] = json!("0xA9B40101");
    records[1]["fragile"] = json!(true);
    let output = replay("cottage", &lines(&records), &["--json"]);
    assert_eq!(output.status.code(), Some(0));
    let found = result(&output);
    assert_eq!((&found["records"], &found["agree"]), (&json!(2), &json!(2)));
    assert_eq!((&found["fragile"], &found["fragile_differ"]), (&json!(1), &json!(1)));
}

#[test]
fn what_a_record_does_not_tell_is_not_compared() {
    let mut records = first_records("cottage", 2);
    let after = records[0]["after"].as_object_mut().unwrap();
    after.retain(|field, _| ["ok", "cell", "origin", "contact", "on_walkable"].contains(&field.as_str()));
    records[1]["after"]["cell_array"] = json!([]);
    let found = result(&replay("cottage", &lines(&records), &["--json"]));
    assert_eq!((&found["agree"], &found["cell_disagree"]), (&json!(1), &json!(1)), "an empty set is told");
    assert_eq!(found["worst"], json!([records[1]["id"]]));
}

/// Editors on Windows put a mark in front of UTF-8 and end lines with two characters.
#[test]
fn files_of_other_systems_are_read() {
    let mark = "\u{FEFF}";
    let capture = lines(&first_records("cottage", 2)).replace('\n', "\r\n");
    let found = result(&replay("cottage", &format!("{mark}{capture}"), &["--json"]));
    assert_eq!((&found["records"], &found["agree"]), (&json!(2), &json!(2)));
    let scenario = script("cottage/door_in_out").scenario;
    let text = serde_json::to_string_pretty(&scenario).unwrap().replace('\n', "\r\n");
    let input = Input::new(&format!("{mark}{text}"));
    let output = threshold(&["walk", &input.name(), "--dats", path(&world_dir("cottage"))]);
    assert_eq!(output.stdout, walk("cottage", &scenario).stdout);
    assert!(!output.stdout.is_empty());
}

#[test]
fn objects_stay_until_a_record_names_others() {
    let records = first_records("cottage", 400);
    let hit = records
        .iter()
        .position(|record| record["entities"].is_null() && record["after"]["collided_with"] != json!([]));
    let hit = hit.expect("a record that hits an inherited object");
    assert_eq!(replay("cottage", &lines(&records[..=hit]), &[]).status.code(), Some(0));
    let alone = replay("cottage", &lines(&records[hit..=hit]), &["--json"]);
    assert_eq!(alone.status.code(), Some(1), "without its objects it comes out differently");
    let mut emptied = records[..=hit].to_vec();
    emptied[hit]["entities"] = json!([]);
    assert_eq!(replay("cottage", &lines(&emptied), &[]).status.code(), Some(1));
}

#[test]
fn a_broken_capture_is_refused_by_file_and_line() {
    let good = lines(&first_records("cottage", 1));
    let place = |text: &str| complaint(&replay("cottage", text, &[]));
    let broken = place(&format!("{good}\n{{\"id\": \n"));
    assert!(broken.contains("input:3: EOF while parsing"), "{broken}");
    let empty = place(&format!("{good}{{}}"));
    assert!(empty.contains("input:2: missing field `id`"), "{empty}");
    let mut record = first_records("cottage", 1).remove(0);
    record["mover"]["setup"] = json!("0x02009999");
    let unknown = place(&record.to_string());
    assert!(unknown.contains("input:1: mover: 0x02009999 is not a usable"), "{unknown}");
    record["mover"]["setup"] = json!("0x02000001");
    record["before"]["rotation"] = json!([2, 0, 0, 0]);
    let turned = place(&record.to_string());
    assert!(turned.contains("a rotation must have length 1, not 2"), "{turned}");
    record["before"]["rotation"] = json!([1, 0, 0, 0]);
    record["target"]["origin"] = json!([1e300, 0, 0]);
    let far = place(&record.to_string());
    assert!(far.contains("input:1"), "{far}");
    let missing = complaint(&threshold(&["replay", "no-such-file", "--dats", path(&world_dir("cottage"))]));
    assert!(missing.contains("no-such-file"), "{missing}");
    let bytes = Input::new("");
    fs::write(bytes.name(), [b'{', 0xFF, b'}']).unwrap();
    let output = threshold(&["replay", &bytes.name(), "--dats", path(&world_dir("cottage"))]);
    assert!(complaint(&output).contains("input:1"));
    let negative = complaint(&replay("cottage", &good, &["--tolerance", "-1"]));
    assert!(negative.contains("'-1' for '--tolerance <METRES>': not a distance"), "{negative}");
    assert_eq!(replay("cottage", &good, &["--tolerance", "NaN"]).status.code(), Some(2));
}

/// A room of 4 × 4 × 3 m in the form of acdream's dumps, open to nothing but the outside in the east.
fn dumped_room() -> Value {
    let polygon = |id: u16, corners: [[f32; 3]; 4]| {
        let vertices = corners.map(|[x, y, z]| json!({"X": x, "Y": y, "Z": z}));
        json!({"Id": id, "SidesType": 0, "Vertices": vertices})
    };
    let (n, f) = (-2.0, 2.0);
    let walls = [
        polygon(0, [[n, n, 0.0], [f, n, 0.0], [f, f, 0.0], [n, f, 0.0]]),
        polygon(1, [[n, n, 3.0], [n, f, 3.0], [f, f, 3.0], [f, n, 3.0]]),
        polygon(2, [[n, n, 0.0], [n, f, 0.0], [n, f, 3.0], [n, n, 3.0]]),
    ];
    let opening = polygon(3, [[f, n, 0.0], [f, n, 3.0], [f, f, 3.0], [f, f, 0.0]]);
    json!({
        "CellId": 0xA9B4_0140_u32,
        "WorldTransform": {"M11": 1, "M12": 0, "M13": 0, "M14": 0, "M21": 0, "M22": 1, "M23": 0, "M24": 0,
            "M31": 0, "M32": 0, "M33": 1, "M34": 0, "M41": 50, "M42": 60, "M43": 10, "M44": 1},
        "ResolvedPolygons": walls,
        "PortalPolygons": walls.iter().cloned().chain([opening]).collect::<Vec<Value>>(),
        "Portals": [{"OtherCellId": 0xFFFF, "PolygonId": 3, "Flags": 2}],
        "VisibleCellIds": [],
    })
}

/// A call of acdream's resolver: a player walks east by `dx` from the middle of the room and ends at `x`.
fn acdream_line(dx: f32, x: f32, normal: Option<[f32; 3]>) -> String {
    let vector = |[x, y, z]: [f32; 3]| json!({"x": x, "y": y, "z": z});
    let cell = 0xA9B4_0140_u32;
    let body = json!({
        "position": vector([50.0 + dx, 60.0, 10.0]), "orientation": {"isIdentity": true, "x": 0, "y": 0, "z": 0, "w": 1},
        "velocity": vector([dx, 0.0, 0.0]), "slidingNormal": vector([0.0; 3]), "contactPlaneValid": true,
        "contactPlane": {"normal": vector([0.0, 0.0, 1.0]), "d": -10}, "contactPlaneCellId": cell,
        "contactPlaneIsWater": false, "walkableVertices": null, "state": 1040, "transientState": 131,
    });
    json!({
        "tick": 7, "timestampMs": 1,
        "input": {"currentPos": vector([50.0, 60.0, 10.0]), "targetPos": vector([50.0 + dx, 60.0, 10.0]),
            "cellId": cell, "sphereRadius": 0.48, "sphereHeight": 1.2, "stepUpHeight": 0.6, "stepDownHeight": 1.5,
            "isOnGround": true, "moverFlags": 768, "movingEntityId": 1},
        "bodyBefore": body,
        "result": {"position": vector([x, 60.0, 10.0]), "cellId": cell, "isOnGround": true,
            "collisionNormalValid": normal.is_some(), "collisionNormal": vector(normal.unwrap_or_default())},
        "bodyAfter": body,
    })
    .to_string()
}

#[test]
fn capture_lines_of_acdream_run_on_a_folder_of_its_dumps() {
    let cells = tempfile::tempdir().unwrap();
    fs::write(cells.path().join("0xA9B40140.json"), dumped_room().to_string()).unwrap();
    let run = |text: &str| {
        let input = Input::new(text);
        threshold(&["replay", &input.name(), "--cells", path(cells.path()), "--json"])
    };
    let free = acdream_line(0.3, 50.3, None);
    // Four sub-steps of 0.45 m: the last one would end in the wall at 48 m.
    let stopped = acdream_line(-1.8, 48.65, Some([1.0, 0.0, 0.0]));
    let found = result(&run(&format!("{free}\n{stopped}\n")));
    assert_eq!((&found["records"], &found["agree"]), (&json!(2), &json!(2)), "{found}");
    let wrong = run(&acdream_line(0.3, 50.4, None));
    assert_eq!(result(&wrong)["origin_disagree"], 1);
    assert_eq!(result(&wrong)["worst"], json!(["tick 7"]));
    assert_eq!(wrong.status.code(), Some(1));
}

#[test]
fn walks_print_what_was_recorded() {
    for name in ["cottage/door_in_out", "seam/door_in_out", "dungeon/walls_30", "cottage/camera_entities_mid"]
    {
        let golden = script(name);
        let world = name.split('/').next().unwrap();
        let output = walk(world, &golden.scenario);
        assert_eq!(output.status.code(), Some(0), "{name}");
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), golden.expected.len(), "{name}");
        for (line, expected) in lines.iter().zip(&golden.expected) {
            for field in
                ["step", "ok", "cell", "contact", "collided_with", "cell_array", "mover_shadow_cells"]
            {
                assert_eq!(line[field], expected[field], "{name} step {}: {field}", expected["step"]);
            }
            for axis in 0..3 {
                let at = |line: &Value| line["origin"][axis].as_f64().unwrap();
                assert!((at(line) - at(expected)).abs() < 0.001, "{name} step {}", expected["step"]);
            }
        }
    }
}

#[test]
fn a_line_has_every_field_of_the_contract() {
    let output = walk("cottage", &script("cottage/door_in_out").scenario);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let fields = [
        "step",
        "ok",
        "cell",
        "origin",
        "rotation",
        "contact",
        "on_walkable",
        "contact_plane",
        "contact_plane_cell",
        "water",
        "sliding_normal",
        "collision_normal",
        "collided_env",
        "collided_with",
        "cell_array",
        "mover_shadow_cells",
        "velocity",
        "cell_changed",
    ];
    for line in &lines {
        for field in fields {
            assert!(line.get(field).is_some(), "{field} in {line}");
        }
        assert_eq!(line.get("entity_shadow_cells").is_some(), line["step"] == -1);
    }
    let changes: Vec<&Value> =
        lines[1..].iter().map(|l| &l["cell_changed"]).filter(|c| !c.is_null()).collect();
    assert_eq!(changes[0]["from"], "0xA9B4001C");
    for pair in lines.windows(2) {
        let changed = pair[0]["cell"] != pair[1]["cell"];
        assert_eq!(!pair[1]["cell_changed"].is_null(), changed, "{}", pair[1]["step"]);
    }
}

#[test]
fn a_camera_changes_cells_with_a_teleport() {
    let mut scenario = script("cottage/camera_entities_mid").scenario;
    scenario["steps"] = json!([{"teleport": {"cell": "0xA9B4001C", "origin": [84, 77, 21]}}]);
    let text = String::from_utf8(walk("cottage", &scenario).stdout).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[1]["cell_changed"], json!({"from": lines[0]["cell"], "to": "0xA9B4001C"}));
    assert_eq!(lines[1].get("lost"), None);
}

/// Nobody begins in a cell that does not exist, and nothing is seen from there.
#[test]
fn a_cell_that_does_not_exist_is_an_input_error() {
    let nowhere = json!({"cell": "0x01010001", "origin": [12, 12, 20]});
    for name in ["cottage/door_in_out", "cottage/camera_entities_mid"] {
        let mut scenario = script(name).scenario;
        scenario["start"] = nowhere.clone();
        let output = walk("cottage", &scenario);
        assert!(output.stdout.is_empty());
        assert!(complaint(&output).contains("start: this world has no cell 0x01010001"), "{name}");
    }
    let mut scenario = script("cottage/camera_entities_mid").scenario;
    scenario["steps"] = json!([{"teleport": nowhere}]);
    let text = complaint(&walk("cottage", &scenario));
    assert!(text.contains("steps[0].teleport: this world has no cell 0x01010001"), "{text}");
}

#[test]
fn a_capture_without_records_is_an_input_error() {
    for text in ["", "\n\n"] {
        let output = replay("cottage", text, &["--json"]);
        assert!(output.stdout.is_empty());
        assert!(complaint(&output).contains("the file has no records"));
    }
}

#[test]
fn an_orientation_is_compared_where_it_is_recorded() {
    let mut records = first_records("cottage", 2);
    assert!(records[0]["after"]["rotation"].is_array());
    records[0]["after"]["rotation"] = json!([0.6, 0, 0, 0.8]);
    records[1]["after"].as_object_mut().unwrap().remove("rotation");
    let output = replay("cottage", &lines(&records), &["--json", "--show", "1"]);
    assert_eq!(output.status.code(), Some(1));
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(shown.contains("rotation: recorded"), "{shown}");
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["agree"], 1);
}

#[test]
fn a_broken_scenario_is_refused_by_file_and_field() {
    let refuse = |edit: &dyn Fn(&mut Value)| {
        let mut scenario = script("cottage/door_in_out").scenario;
        edit(&mut scenario);
        complaint(&walk("cottage", &scenario))
    };
    let mover = refuse(&|s| s["mover"]["setup"] = json!("0x02009999"));
    assert!(mover.contains("mover: 0x02009999 is not a usable Setup"), "{mover}");
    let step = refuse(&|s| s["steps"] = json!([{"move": [0, 0, 0]}, {"leap": 1}]));
    assert!(step.contains("unknown field `leap`"), "{step}");
    let double = refuse(&|s| s["steps"] = json!([{"move": [0, 0, 0], "tick": 0.1}]));
    assert!(double.contains("steps[0]: the step does several things"), "{double}");
    let nothing = refuse(&|s| s["steps"] = json!([{"move": [0, 0, 0]}, {}]));
    assert!(nothing.contains("steps[1]: the step does nothing"), "{nothing}");
    let time = refuse(&|s| s["steps"] = json!([{"tick": -1}]));
    assert!(time.contains("-1 seconds: time cannot run backwards"), "{time}");
    let entity = refuse(&|s| s["steps"] = json!([{"remove_entity": {"entity": 7}}]));
    assert!(entity.contains("steps[0].remove_entity: there is no entity 7"), "{entity}");
    let cell = refuse(&|s| s["start"]["cell"] = json!("cellar"));
    assert!(cell.contains("`cellar` is not a cell id"), "{cell}");
    let map = refuse(&|s| s["start"]["cell"] = json!("0xFFFF0001"));
    assert!(map.contains("start: 0xFFFF0001 is not a cell of the map"), "{map}");
    let far = refuse(&|s| s["steps"] = json!([{"move": [1e30, 0, 0]}]));
    assert!(far.contains("steps[0].move: the move is too long"), "{far}");
    let scale = refuse(&|s| s["mover"]["scale"] = json!(0));
    assert!(scale.contains("mover: scale"), "{scale}");
    let broken = Input::new("{\"mover\": ");
    let dats = world_dir("cottage");
    let text = complaint(&threshold(&["walk", &broken.name(), "--dats", path(&dats)]));
    assert!(text.contains("input: EOF while parsing"), "{text}");
    let none = complaint(&threshold(&["walk", &broken.name(), "--dats", "no-such-folder"]));
    assert!(!none.is_empty());
}

#[test]
fn lines_before_a_bad_step_are_printed() {
    let mut scenario = script("cottage/door_in_out").scenario;
    scenario["steps"] = json!([{"move": [0, 0.1, 0], "note": "towards the door"}, {"note": "nothing else"}]);
    let output = walk("cottage", &scenario);
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 2);
    assert!(complaint(&output).contains("steps[1]"));
}

#[test]
fn without_scenery_one_walks_where_a_tree_stands() {
    // From the south of a tree six metres north.
    let sim = Simulation::sample().unwrap();
    let tree = sim.scene().scenery().filter_map(|key| sim.scene().get(key)).find(|tree| {
        let y = tree.position.frame.origin.y;
        !tree.model.cylinders.is_empty() && y % 24.0 > 4.0 && y % 24.0 < 18.0
    });
    let tree = tree.expect("the sample world has trees").position;
    let [x, y, z] = tree.frame.origin.to_array();
    let scenario = json!({
        "mover": {"setup": "0x02000001", "state": "0x00400408", "is_player": true},
        "start": {"cell": tree.cell, "origin": [x, y - 3.0, z]},
        "steps": vec![json!({"move": [0.0, 0.2, 0.0]}); 30],
    });
    let input = Input::new(&scenario.to_string());
    let north = |options: &[&str]| {
        let output = threshold(&[&["walk", &input.name()], options].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let lines = String::from_utf8(output.stdout).unwrap();
        let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
        last["origin"][1].as_f64().unwrap()
    };
    let (with, without) = (north(&[]), north(&["--no-scenery"]));
    assert!(without - with > 2.0, "{with} {without}");
}
