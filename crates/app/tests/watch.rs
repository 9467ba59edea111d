//! `threshold record` and `threshold watch` through the program itself.

use serde_json::Value;
use std::{fs, path::Path, process::Command};
use tempfile::TempDir;
use threshold_wire::{
    Capture, DEFAULT_PORTS, EventKind, Guid, Message, Recording, SessionWriter,
    messages::{GameAction, ObjectDescription, Pose, Position},
};

struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn threshold(folder: &Path, args: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_threshold"))
        .args(args)
        .current_dir(folder)
        .env_remove("THRESHOLD_DATS")
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn record(folder: &Path, args: &[&str]) -> Ran {
    let ran = threshold(folder, &[&["record", "--out"], args].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    ran
}

fn watch(folder: &Path, args: &[&str]) -> (Option<i32>, Value) {
    let ran = threshold(folder, &[&["watch"], args, &["--json"]].concat());
    assert_eq!(ran.stderr, "");
    (ran.code, serde_json::from_str(&ran.stdout).unwrap())
}

#[test]
fn what_is_recorded_is_watched_with_the_same_last_state_and_nothing_is_found() {
    let folder = TempDir::new().unwrap();
    let told = record(folder.path(), &["session.pcap"]).stdout;
    let hash = told.split("state ").nth(1).and_then(|rest| rest.get(..16)).unwrap().to_owned();
    let (code, verdict) = watch(folder.path(), &["session.pcap", "--client"]);
    assert_eq!((code, &verdict["findings"]), (Some(0), &Value::Array(vec![])));
    let client = &verdict["client"];
    assert!(client["compared"].as_u64().unwrap() > 50);
    assert_eq!(
        (client["compared"].clone(), 0.0),
        (client["same_cell"].clone(), client["metres"]["max"].as_f64().unwrap())
    );
    assert_eq!(verdict["state_hash"], hash, "{told}");
    let (code, _) = watch(folder.path(), &["session.pcap"]);
    assert_eq!(code, Some(0));
    let ran = threshold(folder.path(), &["watch", "session.pcap", "--client"]);
    assert!(
        ran.stdout.contains("nothing found") && ran.stdout.contains("positions compared"),
        "{}",
        ran.stdout
    );
    // It is decoded as any other.
    let decoded = threshold(folder.path(), &["wire", "decode", "session.pcap", "--kind", "move_to_state"]);
    assert!(decoded.code == Some(0) && decoded.stdout.lines().count() > 10);
}

#[test]
fn a_villager_behind_a_wall_is_reported_by_name() {
    let folder = TempDir::new().unwrap();
    record(folder.path(), &["flawed.pcap", "--flaw", "through-wall"]);
    let (code, verdict) = watch(folder.path(), &["flawed.pcap"]);
    assert_eq!(code, Some(1));
    let findings = verdict["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0]["kind"], "blocked");
    assert!(findings[0]["guid"].as_str().unwrap().starts_with("0x780800"));
    let ran = threshold(folder.path(), &["watch", "flawed.pcap"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("blocked: 1") && ran.stdout.contains("in the way"), "{}", ran.stdout);
}

/// Writes the session of the sample world again, with something else said in the place of each message.
fn doctor(folder: &Path, name: &str, mut say: impl FnMut(Message<'static>) -> Vec<Message<'static>>) {
    record(folder, &["original.pcap", "--force"]);
    let bytes = fs::read(folder.join("original.pcap")).unwrap();
    let mut recording = Recording::new(Capture::new(&bytes[..]).unwrap(), DEFAULT_PORTS);
    let mut writer = None;
    while recording.step(&mut |event| {
        let EventKind::Message { message, .. } = &event.kind else { return };
        let (time, from) = (event.time.unwrap(), event.from.unwrap());
        let writer = writer.get_or_insert_with(|| SessionWriter::new(time, "doctored"));
        let content = message.encode(&Default::default()).unwrap();
        // Messages own what they say, as far as they are understood.
        let said = say(Message::decode(from, Vec::leak(content)).unwrap());
        said.iter().for_each(|message| writer.message(time, from, message).unwrap());
    }) {}
    fs::write(folder.join(name), writer.unwrap().drain()).unwrap();
}

/// The only finding of a session: its kind, the object's name, and what is said.
fn only_finding(folder: &Path, name: &str) -> [String; 3] {
    let (code, verdict) = watch(folder, &[name]);
    let findings = verdict["findings"].as_array().unwrap();
    assert_eq!((code, findings.len()), (Some(1), 1), "{findings:?}");
    ["kind", "name", "text"].map(|field| findings[0][field].as_str().unwrap().to_owned())
}

/// Whether an object has a name.
fn is_called(object: &ObjectDescription, name: &str) -> bool {
    object.weenie.name == name.into()
}

#[test]
fn an_object_that_is_said_to_be_in_another_cell_is_reported() {
    let folder = TempDir::new().unwrap();
    let mut cell = None;
    doctor(folder.path(), "cell.pcap", |mut message| {
        if let Message::CreateObject(object) = &mut message
            && is_called(object, "Innkeeper")
        {
            let at = object.physics.position.as_mut().unwrap();
            cell = Some(at.cell);
            at.cell.0 += 1;
        }
        vec![message]
    });
    let [kind, name, text] = only_finding(folder.path(), "cell.pcap");
    let cell = cell.unwrap();
    assert_eq!((kind.as_str(), name.as_str()), ("cell", "Innkeeper"));
    assert!(text.contains(&format!("is in cell {cell} here")), "{text}");
}

#[test]
fn an_object_for_which_there_is_no_room_is_reported() {
    let folder = TempDir::new().unwrap();
    doctor(folder.path(), "giant.pcap", |mut message| {
        if let Message::CreateObject(object) = &mut message
            && is_called(object, "Innkeeper")
        {
            object.physics.scale = Some(9.0);
        }
        vec![message]
    });
    let [kind, name, text] = only_finding(folder.path(), "giant.pcap");
    assert_eq!((kind.as_str(), name.as_str()), ("never_placed", "Innkeeper"));
    assert!(text.contains("no room"), "{text}");
}

#[test]
fn a_door_that_closes_on_somebody_is_reported() {
    let folder = TempDir::new().unwrap();
    let (mut door, mut villager, mut doorway) = (None, None, None);
    doctor(folder.path(), "door.pcap", |message| {
        let mut said = Vec::new();
        match &message {
            Message::CreateObject(object) if is_called(object, "Cottage Door") => {
                door = Some((object.guid, object.physics.position.clone()));
            }
            Message::CreateObject(object) if is_called(object, "Innkeeper") => {
                villager = Some(object.clone())
            }
            // The player comes through it.
            Message::GameAction { action: GameAction::AutonomousPosition(report), .. }
                if door.as_ref().is_some_and(|(_, at): &(Guid, Option<Position>)| {
                    at.as_ref().is_some_and(|at| at.cell == report.position.cell)
                }) =>
            {
                doorway = Some(report.position.clone());
            }
            // Somebody appears there just before it closes.
            Message::SetState(change)
                if door.as_ref().is_some_and(|(guid, _)| *guid == change.guid) && change.state & 4 == 0 =>
            {
                let mut guest = villager.clone().unwrap();
                guest.guid = Guid(0x8000_0100);
                guest.weenie.name = "Guest".into();
                guest.physics.position = Some(doorway.clone().expect("a report from the doorway"));
                guest.physics.pose = Pose::Unsaid;
                said.push(Message::CreateObject(guest));
            }
            _ => {}
        }
        said.push(message);
        said
    });
    let [kind, name, text] = only_finding(folder.path(), "door.pcap");
    assert_eq!((kind.as_str(), name.as_str()), ("door_blocked", "Cottage Door"));
    assert!(text.contains("stands in it"), "{text}");
}

#[test]
fn the_first_divergence_is_a_record_that_replay_reads() {
    let folder = TempDir::new().unwrap();
    record(folder.path(), &["session.pcap"]);
    let args = ["session.pcap", "--client", "--run-skill", "20", "--capture", "first.jsonl"];
    let (code, verdict) = watch(folder.path(), &args);
    assert_eq!(code, Some(1));
    assert!(verdict["counts"]["diverged"].as_u64().unwrap() > 0, "{verdict}");
    let ran = threshold(folder.path(), &["replay", "first.jsonl", "--json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&result["records"], &result["agree"]), (&1.into(), &0.into()));
}

#[test]
fn a_file_that_record_did_not_write_is_kept_unless_forced() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mine.pcap");
    fs::write(&path, "something of mine").unwrap();
    let ran = threshold(folder.path(), &["record", "--out", "mine.pcap"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("mine.pcap") && ran.stderr.contains("--force"), "{}", ran.stderr);
    assert_eq!(fs::read(&path).unwrap(), b"something of mine");
    record(folder.path(), &["mine.pcap", "--force"]);
    let first = fs::read(&path).unwrap();
    record(folder.path(), &["mine.pcap"]);
    assert_eq!(fs::read(&path).unwrap(), first, "its own file is replaced, by the same bytes");
}

#[test]
fn what_cannot_be_watched_is_an_error_of_one_line() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("text.pcap"), "not a capture at all, but long enough").unwrap();
    for args in
        [&["watch", "absent.pcap"][..], &["watch", "text.pcap"], &["watch", "text.pcap", "--capture", "x"]]
    {
        let ran = threshold(folder.path(), args);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    }
}

#[test]
fn the_examples_of_the_help_work() {
    let folder = TempDir::new().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for command in ["record", "watch"] {
        let help = threshold(folder.path(), &[command, "--help"]).stdout;
        let lines = help.lines().filter_map(|line| line.trim().strip_prefix("threshold "));
        let examples: Vec<&str> = lines.filter(|line| line.contains(".pcap")).collect();
        assert_eq!(examples.len(), 2, "{help}");
        for example in examples {
            let words: Vec<String> = example
                .split_whitespace()
                .map(|word| match word.starts_with("crates/") {
                    true => root.join(word).to_str().unwrap().to_owned(),
                    false => word.to_owned(),
                })
                .collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let ran = threshold(folder.path(), &words);
            assert!(ran.code.is_some_and(|code| code < 2), "{example}: {}", ran.stderr);
            assert!(!ran.stdout.is_empty(), "{example}");
        }
    }
}
