//! The commands about the world, through the program itself.

use serde_json::Value;
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};
use tempfile::TempDir;
use threshold_dat::{
    DatId,
    container::{DatFile, Editor},
    records::{DatRecord, EnvCell},
};
use threshold_golden::world_dir;

fn threshold(dats: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_threshold")).args(args).env("THRESHOLD_DATS", dats).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A copy of the cottage in which the main room forgot its way to the stairs.
fn one_way_cottage() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in ["client_portal.dat", "client_cell_1.dat"] {
        fs::copy(world_dir("cottage").join(name), dir.path().join(name)).unwrap();
    }
    let path = dir.path().join("client_cell_1.dat");
    let id = DatId(0xA9B4_0101);
    let mut cell = EnvCell::load(id, &DatFile::open(&path).unwrap().get(id).unwrap()).unwrap();
    cell.portals.retain(|portal| portal.other_cell != 0x102);
    let mut editor = Editor::open(&path).unwrap();
    editor.put(id, &cell.encode(id).unwrap()).unwrap();
    editor.commit().unwrap();
    dir
}

#[test]
fn a_variable_set_to_nothing_leaves_the_sample_world() {
    let sample = text(&threshold(Path::new(""), &["inspect", "0x80800103"]).stdout);
    assert!(sample.starts_with("EnvCell 0x80800103"), "{sample}");
    let nowhere = threshold(Path::new(""), &["inspect", "0x80800103", "--dats", ""]);
    assert_eq!(nowhere.status.code(), Some(2), "a folder that is asked for must have a name");
}

#[test]
fn arguments_that_make_no_sense_are_refused_on_one_line() {
    for (args, reason) in [
        (&["walk"][..], "the following required arguments were not provided: <SCENARIO.json>"),
        (&["wlak"], "unrecognized subcommand 'wlak'; tip: "),
        (&["inspect", "cellar"], "`cellar` is neither a known place nor a position such as"),
        (
            &["render", "--time", "-1", "--at", "0N, 0E", "--out", "none.png"],
            "--time: -1 is not between 0 and 1",
        ),
    ] {
        let output = threshold(&world_dir("cottage"), args);
        let complaint = text(&output.stderr);
        assert_eq!((output.status.code(), complaint.lines().count()), (Some(2), 1), "{args:?}: {complaint}");
        assert!(complaint.starts_with("threshold: ") && complaint.contains(reason), "{complaint}");
    }
    let help = threshold(&world_dir("cottage"), &["walk", "--help"]);
    assert_eq!((help.status.code(), text(&help.stderr).as_str()), (Some(0), ""));
    assert!(text(&help.stdout).contains("threshold walk door.json"));
}

/// A reader that is gone, or a full disk, must neither cut a command's work short nor make it panic.
#[cfg(unix)]
#[test]
fn work_is_done_before_it_is_told() {
    use std::{os::unix::process::ExitStatusExt, process::Stdio};
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("sample");
    let map = dir.path().join("map.png");
    let commands = [
        ["sample", "--out", folder.to_str().unwrap()].to_vec(),
        ["map", "--block", "0x8080", "--pixels", "64", "--out", map.to_str().unwrap()].to_vec(),
    ];
    for args in &commands {
        let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
        command.args(args).env_remove("THRESHOLD_DATS").stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let ended = (output.status.code(), output.status.signal());
        assert_eq!(ended, (Some(0), None), "{args:?}: {}", text(&output.stderr));
    }
    assert!(map.is_file());
    for name in ["client_portal.dat", "client_cell_1.dat", "entities.json", "Locations.txt"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
    if let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") {
        let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
        let output = command.args(&commands[1]).env_remove("THRESHOLD_DATS").stdout(full).output().unwrap();
        assert_eq!((output.status.code(), text(&output.stderr).lines().count()), (Some(2), 1));
    }
}

#[test]
fn what_map_is_to_mark_is_refused_by_its_field() {
    let dir = tempfile::tempdir().unwrap();
    let (marks, picture) = (dir.path().join("marks.json"), dir.path().join("map.png"));
    let draw = |marked: &str| {
        fs::write(&marks, marked).unwrap();
        let (marks, picture) = (marks.to_str().unwrap(), picture.to_str().unwrap());
        threshold(
            &world_dir("cottage"),
            &["map", "--block", "0xA9B4", "--pixels", "64", "--out", picture, "--entities", marks],
        )
    };
    let mark = r#"{"cell": "0xA9B40100", "origin": [84, 79.5, 20]}"#;
    for marked in [format!("\u{FEFF}[{mark}]"), format!(r#"{{"entities": [{mark}]}}"#)] {
        assert_eq!(draw(&marked).status.code(), Some(0), "{marked}");
    }
    for (marked, reason) in [("{}", "missing field `entities`"), (r#"[{"cell": 1}]"#, "expected a string")] {
        let output = draw(marked);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(reason), "{}", text(&output.stderr));
    }
}

#[test]
fn check_is_silent_about_a_good_world() {
    let output = threshold(&world_dir("seam"), &["check"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "9 blocks and 29 shapes checked: 0 findings in 0 records, 0 notes\n");
    assert_eq!(text(&output.stderr), "", "no progress without a terminal");
}

#[test]
fn check_names_the_records_and_says_what_to_do() {
    let dir = one_way_cottage();
    let output = threshold(dir.path(), &["check", "--block", "0xA9B4"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    let expected =
        "0xA9B40102 one-way-portal: portal 0 leads to 0xA9B40101, whose portal 2 does not lead back to it";
    assert!(said.lines().any(|line| line == expected), "{said}");
    let advice = said.lines().skip_while(|line| *line != expected).nth(1).unwrap();
    assert!(advice.starts_with("    to do: add the return portal"), "below the finding: {said}");

    let output = threshold(dir.path(), &["check", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["blocks"], 9);
    let findings = report["findings"].as_array().unwrap();
    let finding = findings.iter().find(|f| f["id"] == "0xA9B40102").unwrap();
    assert_eq!(finding["lint"], "one-way-portal");
    assert_eq!(finding["severity"], "finding");
    assert!(finding["advice"].as_str().unwrap().contains("other_portal"));
}

#[test]
fn inspect_shows_what_a_cell_is_in_the_world() {
    let dir = one_way_cottage();
    let said = text(&threshold(dir.path(), &["inspect", "0xA9B40102"]).stdout);
    let lines: Vec<String> =
        said.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert!(lines.contains(&"0: 0xA9B40101, does not lead back".to_owned()), "{said}");
    assert!(
        lines.iter().any(|line| line.starts_with("one-way-portal: portal 0 leads to 0xA9B40101")),
        "{said}"
    );

    let output = threshold(&world_dir("cottage"), &["inspect", "0xA9B40101", "--json"]);
    let cell: Value = serde_json::from_slice(&output.stdout).unwrap();
    let place = &cell["place"];
    assert_eq!(place["doors"], serde_json::json!([{"building": 0, "portal": 1}]));
    assert_eq!(place["neighbours"][0]["cell"], "0xA9B40100");
    assert_eq!(place["neighbours"][1]["cell"], Value::Null);
    assert_eq!(place["seen_from"].as_array().unwrap().len(), 10);
    assert_eq!(place["findings"], serde_json::json!([]));

    let output = threshold(&world_dir("cottage"), &["inspect", "0xA9B4001C", "--json"]);
    let ground: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(ground["place"]["cell"]["building"], "0x01000200");
    assert_eq!(ground["place"]["rooms"], 22);
}

/// Width, height and the colour of some pixels of a picture.
fn picture(path: &Path, points: &[(usize, usize)]) -> (u32, u32, Vec<[u8; 3]>) {
    let mut reader =
        png::Decoder::new(std::io::BufReader::new(fs::File::open(path).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let at = |&(x, y): &(usize, usize)| {
        let start = (y * info.width as usize + x) * 3;
        [pixels[start], pixels[start + 1], pixels[start + 2]]
    };
    (info.width, info.height, points.iter().map(at).collect())
}

#[test]
fn a_map_shows_ground_water_roads_and_rooms() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("plains.png");
    let output = threshold(
        &world_dir("plains"),
        &["map", "--all", "--plain", "--pixels", "576", "--out", out.to_str().unwrap()],
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let (width, height, colors) = picture(&out, &[(288, 479), (288, 288), (240, 230)]);
    assert_eq!((width, height), (576, 576));
    let [water, road, grass] = colors[..] else { panic!("three points") };
    assert!(water[2] > water[0] + 50, "the lake of the southern block is blue: {water:?}");
    assert!(road[0] > road[2] + 20, "the road is brown: {road:?}");
    assert!(grass[1] > grass[0] && grass[1] > grass[2], "the rest is green: {grass:?}");

    let out = dir.path().join("house.png");
    let args = [
        "map",
        "--block",
        "A9B4",
        "--window",
        "70,70,100,100",
        "--pixels",
        "300",
        "--out",
        out.to_str().unwrap(),
    ];
    assert_eq!(threshold(&world_dir("cottage"), &args).status.code(), Some(0));
    let (_, _, colors) = picture(&out, &[(140, 160), (20, 20)]);
    let [floor, grass] = colors[..] else { panic!("two points") };
    assert!(floor.iter().all(|&c| c > 180), "the floor of the main room is bright: {floor:?}");
    assert!(grass[1] > grass[0], "{grass:?}");

    let scenario = dir.path().join("scenario.json");
    fs::write(&scenario, r#"{"entities": [{"id": 1, "cell": "0xA9B40012", "origin": [72, 96, 20]}]}"#)
        .unwrap();
    let out = dir.path().join("entity.png");
    let args = [
        "map",
        "--block",
        "A9B4",
        "--entities",
        scenario.to_str().unwrap(),
        "--pixels",
        "192",
        "--out",
        out.to_str().unwrap(),
    ];
    assert_eq!(threshold(&world_dir("plains"), &args).status.code(), Some(0));
    let (_, _, colors) = picture(&out, &[(72, 96)]);
    assert!(colors[0][0] > 200 && colors[0][1] < 60, "entities are red: {:?}", colors[0]);
}

#[test]
fn what_cannot_be_done_is_said_in_one_line() {
    let cottage = world_dir("cottage");
    for (args, complaint) in [
        (&["check", "--block", "0x0102"][..], "block 0x0102 has no records in "),
        (&["map", "--block", "0x0102", "--out", "x.png"][..], "block 0x0102 has no records in "),
        (&["map", "--all", "--out", "no/such/folder/x.png"][..], "no/such/folder/x.png: "),
        (&["map", "--all", "--entities", "no-such.json", "--out", "x.png"][..], "no-such.json: "),
    ] {
        let output = threshold(&cottage, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = text(&output.stderr);
        assert!(said.starts_with(&format!("threshold: {complaint}")) && said.lines().count() == 1, "{said}");
    }
    let output = threshold(Path::new("no/such/folder"), &["check"]);
    assert!(
        text(&output.stderr).starts_with("threshold: no/such/folder/client_cell_1.dat: "),
        "{}",
        text(&output.stderr)
    );
    let output = threshold(&cottage, &["check", "--block", "nonsense"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("`nonsense` is neither a known place nor a position such as"));
}

/// The dungeon lies far from the village and the land between them is empty.
#[test]
fn a_map_of_nothing_in_particular_shows_where_something_stands() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("map.png");
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    let output =
        command.args(["map", "--plain", "--out"]).arg(&out).env_remove("THRESHOLD_DATS").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).ends_with("1024 x 1024 pixels, 4 blocks\n"), "{}", text(&output.stdout));
    let (width, height, colors) = picture(&out, &[(640, 430), (700, 768)]);
    assert_eq!((width, height), (1024, 1024));
    let [river, bridge] = colors[..] else { panic!("two points") };
    assert!(river[2] > river[0] + 50, "the river is blue: {river:?}");
    assert!(bridge[0] > bridge[2] + 20, "the bridge is brown: {bridge:?}");
}

#[test]
fn a_written_sample_world_is_drawn_like_the_built_in_one() {
    let dir = tempfile::tempdir().unwrap();
    let picture = |name: &str, dats: Option<&Path>| {
        let path = dir.path().join(name);
        let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
        // Before a door, which is no part of the dat files.
        command
            .args(["render", "--at", "0x80800015 [60 102 21.5] 1 0 0 0", "--size", "96x54", "--out"])
            .arg(&path);
        command.env_remove("THRESHOLD_DATS");
        command.args(dats.iter().flat_map(|dats| [Path::new("--dats"), dats]));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        fs::read(path).unwrap()
    };
    let world = dir.path().join("world");
    assert!(threshold(&world, &["sample", "--out", world.to_str().unwrap()]).status.success());
    let built_in = picture("built-in.png", None);
    assert!(picture("written.png", Some(&world)) == built_in);
    fs::remove_file(world.join("entities.json")).unwrap();
    assert!(picture("no-door.png", Some(&world)) != built_in, "the door is in the picture");
    fs::write(world.join("entities.json"), r#"[{"id": 1}]"#).unwrap();
    let output = threshold(&world, &["render", "--at", "0x80800015 [60 102 21.5]", "--out", "none.png"]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("entities.json: missing field `name`"), "{error}");
}
