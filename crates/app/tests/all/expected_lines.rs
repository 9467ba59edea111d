//! `threshold walk --expect`, torn captures and packed input, through the program itself.

use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use threshold_golden::{captures, script, world_dir};

fn threshold(args: &[&Path]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.args(args).arg("--json").env_remove("THRESHOLD_DATS");
    command.arg("--dats").arg(world_dir("cottage")).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn result(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(output)))
}

fn packed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn json_lines(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A recorded walk through the cottage's door, its files, and how the program compares them.
struct Walk {
    dir: tempfile::TempDir,
    expected: Vec<Value>,
}

impl Walk {
    fn new() -> Walk {
        let (dir, script) = (tempfile::tempdir().unwrap(), script("cottage/door_in_out"));
        fs::write(dir.path().join("door.json"), script.scenario.to_string()).unwrap();
        Walk { dir, expected: script.expected }
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn compare(&self, expected: &[Value]) -> Output {
        let file = self.file("door.expected.jsonl", json_lines(expected));
        threshold(&["walk".as_ref(), &self.dir.path().join("door.json"), "--expect".as_ref(), &file])
    }
}

#[test]
fn a_walk_agrees_with_its_recording() {
    let walk = Walk::new();
    let output = walk.compare(&walk.expected);
    let tally = result(&output);
    assert_eq!((output.status.code(), &tally["lines"]), (Some(0), &json!(walk.expected.len())), "{tally}");
    let counted = ["agree", "fragile", "adrift"].map(|key| tally[key].as_u64().unwrap());
    assert_eq!(counted.iter().sum::<u64>() as usize, walk.expected.len());
    assert!(counted[0] > 20, "{tally}");
}

#[test]
fn the_first_disagreement_is_named_with_both_values() {
    let mut walk = Walk::new();
    let x = walk.expected[5]["origin"][0].as_f64().unwrap();
    walk.expected[5]["origin"][0] = json!(x + 0.002);
    walk.expected[9]["cell"] = json!("0xA9B40199");
    let output = walk.compare(&walk.expected);
    let tally = result(&output);
    assert_eq!((output.status.code(), &tally["disagree"]), (Some(1), &json!(2)), "{tally}");
    let first = &tally["first"];
    assert_eq!((&first["step"], &first["field"]), (&json!(4), &json!("origin")));
    assert!(first["expected"] != first["found"]);

    walk.expected[5]["fragile"] = json!(true);
    let output = walk.compare(&walk.expected);
    let tally = result(&output);
    assert_eq!((output.status.code(), &tally["fragile_differ"]), (Some(0), &json!(1)), "{tally}");
    assert_eq!(tally["adrift"], walk.expected.len() - 6, "nothing after it counts");
}

#[test]
fn lines_that_only_one_side_has_disagree() {
    let walk = Walk::new();
    let short = result(&walk.compare(&walk.expected[..walk.expected.len() - 1]));
    assert_eq!((&short["disagree"], &short["first"]["field"]), (&json!(1), &json!("line")));
    let long = [walk.expected.as_slice(), &[json!({"step": 999, "ok": true})]].concat();
    let long = result(&walk.compare(&long));
    assert_eq!((&long["disagree"], &long["first"]["step"]), (&json!(1), &json!(999)));
    let none = walk.compare(&[]);
    assert_eq!(none.status.code(), Some(2));
    assert!(stderr(&none).contains("door.expected.jsonl: the file has no lines"), "{}", stderr(&none));
}

#[test]
fn packed_scenarios_expected_lines_and_captures_are_read() {
    let walk = Walk::new();
    let scenario =
        walk.file("door.json.gz", packed(&fs::read_to_string(walk.dir.path().join("door.json")).unwrap()));
    let expected = walk.file("door.expected.jsonl.gz", packed(&json_lines(&walk.expected)));
    let output = threshold(&["walk".as_ref(), &scenario, "--expect".as_ref(), &expected]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let capture = walk.file("capture", packed(&(captures("cottage")[..50].join("\n") + "\n")));
    assert_eq!(result(&threshold(&["replay".as_ref(), &capture]))["agree"], 50);
}

#[test]
fn a_torn_last_line_of_a_capture_is_named_and_the_rest_counts() {
    let walk = Walk::new();
    let records = captures("cottage")[..20].join("\n");
    let torn = &records[..records.len() - 40];
    for (name, bytes) in [("plain", torn.as_bytes().to_vec()), ("packed", packed(torn))] {
        let capture = walk.file(name, bytes);
        let output = threshold(&["replay".as_ref(), &capture]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(said.contains(&format!("{}:20: the line is torn", capture.display())), "{said}");
        assert_eq!(said.lines().count(), 1);
        let tally = result(&output);
        assert_eq!(
            (&tally["records"], &tally["agree"], &tally["torn"]),
            (&json!(19), &json!(19), &json!(20))
        );
    }
    // Cut inside the packed bytes: the end of the last line is missing as well.
    let mut cut = packed(&captures("cottage")[..400].join("\n"));
    cut.truncate(cut.len() / 2);
    let output = threshold(&["replay".as_ref(), &walk.file("cut.jsonl.gz", cut)]);
    assert!(stderr(&output).contains("is torn"), "{}", stderr(&output));
    assert!(result(&output)["records"].as_u64().unwrap() > 10);
    // A last line that is whole but for its line break is a record.
    let whole = threshold(&["replay".as_ref(), &walk.file("whole", &records)]);
    assert_eq!((result(&whole)["records"].as_u64(), stderr(&whole).as_str()), (Some(20), ""));
}

#[test]
fn a_torn_line_before_others_is_an_error() {
    let walk = Walk::new();
    let records = captures("cottage");
    let text = format!("{}\n{}\n{}\n", records[0], &records[1][..50], records[2]);
    let output = threshold(&["replay".as_ref(), &walk.file("capture", text)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("capture:2: "), "{}", stderr(&output));
}
