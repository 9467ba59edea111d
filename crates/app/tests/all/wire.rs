//! `threshold wire` through the program itself.

use serde_json::Value;
use std::{fs, path::PathBuf, process::Command};
use tempfile::TempDir;
use threshold_golden::wire_capture;

struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn wire(args: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_threshold"))
        .arg("wire")
        .args(args)
        .env_remove("THRESHOLD_DATS")
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Writes a recorded session to a folder.
fn session(folder: &TempDir, name: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, wire_capture(name).bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

fn decode(args: &[&str]) -> Vec<Value> {
    let ran = wire(&[&["decode"], args].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn filters_choose_lines_and_change_none() {
    let folder = TempDir::new().unwrap();
    let village = session(&folder, "village.pcap");
    let all = decode(&[&village]);
    assert_eq!(all.len(), wire_capture("village.pcap").expected.len());
    let chosen =
        |wanted: &dyn Fn(&Value) -> bool| all.iter().filter(|line| wanted(line)).cloned().collect::<Vec<_>>();
    let deleted = decode(&[&village, "--kind", "deleted", "--kind", "state"]);
    assert_eq!(deleted, chosen(&|line| line["event"] == "deleted" || line["event"] == "state"));
    assert!(deleted.len() > 5);
    let door = decode(&[&village, "--object", "0x78080007"]);
    assert_eq!(door, chosen(&|line| line["guid"] == "0x78080007"));
    assert!(door.len() > 3);
    let time = |line: &Value| line["time"].as_f64().unwrap();
    let late = decode(&[&village, "--from", "1420070410.5", "--to", "1420070412"]);
    assert_eq!(late, chosen(&|line| (1_420_070_410.5..=1_420_070_412.0).contains(&time(line))));
    assert!(!late.is_empty());
    // The first record is a packet without messages, somewhat before the first line.
    let soon = decode(&[&village, "--to", "+2"]);
    assert!(soon.len() > 5 && soon.len() < all.len());
    assert!(time(&soon[soon.len() - 1]) - time(&all[0]) <= 2.0);
}

#[test]
fn what_is_malformed_names_packet_byte_and_field_and_loses_nothing_after_it() {
    let folder = TempDir::new().unwrap();
    for name in
        ["hostile-truncated.pcap", "hostile-packets.pcap", "hostile-values.pcap", "hostile-flood.pcap"]
    {
        let lines = decode(&[&session(&folder, name)]);
        let is_fault = |line: &&Value| line["event"] == "malformed";
        for line in lines.iter().filter(is_fault) {
            assert!(line["packet"].is_u64() && line["reason"].is_string(), "{name}: {line}");
            match line["layer"].as_str().unwrap() {
                "message" => {
                    assert!(line["field"].is_string() && line["byte"].is_u64(), "{name}: {line}");
                    assert!(line["opcode"].is_string() || line["byte"] == 0, "{name}: {line}");
                }
                "packet" => {
                    assert!(line["field"].is_string() && line["byte"].is_u64(), "{name}: {line}")
                }
                "fragment" => assert!(line["group"].is_string(), "{name}: {line}"),
                layer => assert_eq!(layer, "udp"),
            }
        }
        let expected = wire_capture(name).expected;
        let after = |lines: &[Value]| {
            let first = lines.iter().position(|line| line["event"] == "malformed").unwrap();
            lines[first..].iter().filter(|line| line["event"] != "malformed").count()
        };
        assert_eq!(lines.iter().filter(is_fault).count(), expected.iter().filter(is_fault).count(), "{name}");
        assert_eq!(after(&lines), after(&expected), "{name}");
    }
    // More messages are begun than are kept: the oldest make room, each with an event.
    let lines = decode(&[&session(&folder, "hostile-flood.pcap"), "--kind", "malformed"]);
    assert!(lines.iter().filter(|line| line["reason"] == "evicted").count() > 1000);
}

#[test]
fn ports_that_nobody_uses_have_no_events() {
    let folder = TempDir::new().unwrap();
    let village = session(&folder, "village.pcap");
    assert_eq!(decode(&[&village, "--ports", "2000-2001"]).len(), 0);
    assert!(decode(&[&village, "--ports", "9000-9100"]).len() > 100);
}

#[test]
fn what_is_no_recording_is_refused_on_one_line() {
    let folder = TempDir::new().unwrap();
    let text = folder.path().join("letter.txt");
    fs::write(&text, "Dear all, this is a letter and not a capture file.").unwrap();
    let missing = folder.path().join("missing.pcap");
    let village = session(&folder, "village.pcap");
    for (args, told) in [
        (vec!["decode", text.to_str().unwrap()], "letter.txt: neither pcap nor pcapng"),
        (vec!["summary", missing.to_str().unwrap()], "missing.pcap: No such file"),
        (vec!["decode", &village, "--kind", "nonsense"], "nonsense"),
        (vec!["decode", &village, "--ports", "9-1"], "two ports"),
        (vec!["decode", &village, "--object", "door"], "0x78080001"),
        (vec!["decode", &village, "--from", "noon"], "1420070400.25"),
    ] {
        let ran = wire(&args);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains(told) && ran.stderr.lines().count() == 1, "{}", ran.stderr);
    }
}

#[test]
fn the_examples_of_the_help_work() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    for command in ["decode", "summary"] {
        let help = wire(&[command, "--help"]).stdout;
        let examples: Vec<&str> = help
            .lines()
            .filter_map(|line| line.trim().strip_prefix("threshold wire "))
            .filter(|line| line.contains("crates/"))
            .collect();
        assert_eq!(examples.len(), 2, "{help}");
        let folder = TempDir::new().unwrap();
        for example in examples {
            let words = example.split_whitespace().map(|word| {
                if word.starts_with("crates/") {
                    root.join(word).to_str().unwrap().to_owned()
                } else {
                    word.to_owned()
                }
            });
            let ran = Command::new(env!("CARGO_BIN_EXE_threshold"))
                .arg("wire")
                .args(words)
                .env_remove("THRESHOLD_DATS")
                .current_dir(&folder)
                .output()
                .unwrap();
            assert_eq!(ran.status.code(), Some(0), "{example}: {}", String::from_utf8_lossy(&ran.stderr));
            assert!(ran.stdout.len() > 200, "{example}");
        }
    }
}

#[test]
fn a_summary_counts_by_side_and_kind_and_names_objects() {
    let folder = TempDir::new().unwrap();
    let village = session(&folder, "village.pcap");
    let ran = wire(&["summary", &village, "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let summary: Value = serde_json::from_str(&ran.stdout).unwrap();
    let expected = wire_capture("village.pcap").expected;
    let count = |kind: &str, from: &str| {
        expected.iter().filter(|line| line["event"] == kind && line["from"] == from).count() as u64
    };
    for kind in ["created", "position", "state", "autonomous_position", "message"] {
        assert_eq!(summary["kinds"][kind]["server"], count(kind, "server"), "{kind}");
        assert_eq!(summary["kinds"][kind]["client"], count(kind, "client"), "{kind}");
    }
    let objects = summary["objects"].as_array().unwrap();
    let door = objects.iter().find(|object| object["guid"] == "0x78080001").unwrap();
    assert_eq!(door["name"], "Cottage Door");
    assert!(door["at"].as_str().unwrap().starts_with("0x80800104 [60.0"), "{door}");
    let text = wire(&["summary", &village]).stdout;
    assert!(text.contains("Cottage Door") && text.contains("0xF658 CharacterList"), "{text}");
}

#[test]
fn the_map_shows_where_somebody_walked() {
    let folder = TempDir::new().unwrap();
    let walk = session(&folder, "walk.pcapng");
    let draw = |name: &str, args: &[&str]| {
        let file = folder.path().join(name);
        let ran = wire(&[&["summary", &walk, "--map", file.to_str().unwrap()], args].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(file).unwrap()));
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        // The colour of the first way: nothing else on a map is that red.
        let red = pixels.chunks_exact(3).filter(|p| p[0] > 190 && p[1] < 70 && p[2] < 80).count();
        (ran.stdout, red)
    };
    let (village, red) = draw("village.png", &[]);
    assert!(red > 500, "{red} pixels of the way: {village}");
    let (dungeon, red) = draw("dungeon.png", &["--block", "0x2040"]);
    assert!(dungeon.contains("blocks around 0x2040") && red > 200, "{red}: {dungeon}");
    let file = folder.path().join("nowhere.png");
    let ran = wire(&["summary", &walk, "--map", file.to_str().unwrap(), "--block", "0x0101"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("0x0101") && !file.exists(), "{}", ran.stderr);
}
