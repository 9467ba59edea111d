//! `threshold conform`: this engine agrees with the kit, also as a program among others, and other engines are told where
//! they go wrong, whatever they do.

use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::Instant,
};

const OWN: &str = env!("CARGO_BIN_EXE_threshold");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn conform(arguments: &[&str]) -> Output {
    let mut command = Command::new(OWN);
    command.current_dir(root()).env_remove("THRESHOLD_DATS").arg("conform").args(arguments);
    command.output().unwrap()
}

/// Rows of the report and the exit status.
fn rows(arguments: &[&str]) -> (Vec<Value>, Option<i32>) {
    let output = conform(&[arguments, &["--json"]].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    let text = String::from_utf8(output.stdout).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
    assert!(!rows.is_empty() || !errors.is_empty());
    (rows, output.status.code())
}

/// Kinds and cases of a run in which everything agrees.
#[track_caller]
fn agrees(arguments: &[&str]) -> Vec<(String, u64)> {
    let (rows, status) = rows(arguments);
    let cases = rows.iter().map(|row| {
        assert_eq!((&row["first"], &row["agree"]), (&Value::Null, &row["cases"]), "{row}");
        (format!("{} {}", row["kind"], row["world"]).replace('"', ""), row["cases"].as_u64().unwrap())
    });
    let cases = cases.collect();
    assert_eq!(status, Some(0));
    cases
}

#[test]
fn this_engine_agrees() {
    let cases = agrees(&["--world", "cottage", "--world", "sessions"]);
    let expected =
        [("walk cottage", 95), ("replay cottage", 2551), ("view cottage", 40), ("wire sessions", 29)];
    assert_eq!(cases, expected.map(|(name, cases)| (name.to_owned(), cases)));
}

#[test]
fn this_engine_agrees_as_a_program_among_others() {
    let engine = |arguments: &str| format!("'{OWN}' {arguments}");
    let walk = engine("walk {scenario} --dats {dats}");
    assert_eq!(agrees(&["--engine", &walk, "--world", "cottage", "--case", "door_"])[0].0, "walk cottage");
    let motion = agrees(&["--engine", &walk, "--world", "motions", "--case", "position/bunches"]);
    assert!(motion[0].1 > 3, "{motion:?}");
    let replay = engine("replay {scenario} --dats {dats} --print");
    let cases = agrees(&["--engine", &replay, "--kind", "replay", "--world", "hostile"]);
    assert_eq!(cases, [("replay hostile".to_owned(), 2595)]);
    let view = engine(
        "view --dats {dats} --at {at} --eye {eye} --yaw {yaw} --pitch {pitch} --fov {fov} --size {size} --json",
    );
    let cases = agrees(&["--engine", &view, "--kind", "view", "--world", "cottage", "--case", "cottage-0"]);
    assert_eq!(cases, [("view cottage".to_owned(), 10)]);
    let wire = engine("wire decode {scenario}");
    let cases = agrees(&["--engine", &wire, "--kind", "wire", "--case", "pcap"]);
    assert_eq!(cases, [("wire sessions".to_owned(), 29)]);
}

/// Whether there is Python by this name; where changes are judged there must be.
fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    assert!(found || cfg!(windows) || std::env::var_os("CI").is_none(), "python3 is needed");
    found
}

#[test]
fn the_report_on_the_flat_engine_is_the_one_that_the_book_shows() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let junit = dir.path().join("junit.xml");
    let engine = "python3 docs/examples/flat_engine.py {dats} {scenario}";
    let worlds = ["--world", "plains", "--world", "hostile"];
    let output = conform(&[&["--engine", engine, "--junit", junit.to_str().unwrap()], &worlds[..]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let report = String::from_utf8(output.stdout).unwrap();
    let golden = root().join("docs/examples/flat_engine.txt");
    if std::env::var_os("THRESHOLD_WRITE_REPORT").is_some() {
        fs::write(&golden, &report).unwrap();
    }
    assert_eq!(report, fs::read_to_string(golden).unwrap(), "set THRESHOLD_WRITE_REPORT=1 to write it anew");
    let page = fs::read_to_string(root().join("docs/engines.md")).unwrap();
    assert!(page.contains(&report), "docs/engines.md shows another report");
    let junit = fs::read_to_string(junit).unwrap();
    assert_eq!(junit.matches("<testcase").count(), 62 + 48);
    assert!(junit.contains("<testcase classname=\"walk.plains\" name=\"seam_west\"/>"), "{junit}");
}

#[test]
fn engines_that_do_not_work_are_named() {
    let fault = |engine: &str, more: &[&str]| {
        let (rows, status) =
            rows(&[&["--engine", engine, "--world", "hostile", "--case", "wedge_in"], more].concat());
        assert_eq!((rows.len(), status), (1, Some(1)));
        let first = &rows[0]["first"];
        assert_eq!(first["case"], "wedge_in");
        (first["field"].as_str().unwrap().to_owned(), first["found"].as_str().unwrap().to_owned())
    };
    // It prints something else.
    let (field, found) = fault(&format!("'{OWN}' --version"), &[]);
    assert_eq!(field, "line");
    assert!(found.starts_with("`threshold "), "{found}");
    // It gives up, and says why.
    let (field, found) = fault(&format!("'{OWN}' walk 'no such file'"), &[]);
    assert_eq!(field, "line");
    assert!(found.contains("exit") && found.contains("no such file"), "{found}");
    if has_python() {
        let (_, found) = fault("python3 -c 'import time; time.sleep(600)'", &["--timeout", "1"]);
        assert!(found.contains("did not end within 1 s"), "{found}");
        let (_, found) = fault("python3 -c 'while True: print(\"x\" * 100000)'", &[]);
        assert!(found.contains("more than 64 MiB"), "{found}");
        // All lines are right, and then it crashes.
        let crash = "import subprocess, sys; subprocess.run(sys.argv[1:]); sys.exit(\"out of luck\")";
        let (field, found) =
            fault(&format!("python3 -c '{crash}' '{OWN}' walk {{scenario}} --dats {{dats}}"), &[]);
        assert_eq!(field, "exit");
        assert!(found.contains("out of luck"), "{found}");
    }
    let missing = conform(&["--engine", "no-such-program {scenario}", "--world", "hostile"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("no-such-program"));
}

#[test]
fn an_engine_that_hangs_every_time_is_given_up() {
    if !has_python() {
        return;
    }
    let began = Instant::now();
    let hang = "python3 -c 'import time; time.sleep(600)'";
    let (rows, status) = rows(&["--engine", hang, "--world", "hostile", "--timeout", "1"]);
    assert_eq!((rows[0]["agree"].as_u64(), status), (Some(0), Some(1)));
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}

#[test]
fn the_kit_is_written_as_files_that_the_commands_play() {
    let dir = tempfile::tempdir().unwrap();
    let kit = dir.path().join("kit");
    let output = conform(&["--write", kit.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let run = |arguments: &[&str]| {
        let output = Command::new(OWN).current_dir(&kit).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let script = "scenarios/hostile/wedge_in";
    let (scenario, expected) = (format!("{script}.json"), format!("{script}.expected.jsonl"));
    let told = run(&["walk", &scenario, "--dats", "worlds/hostile", "--expect", &expected]);
    assert!(told.contains(" 0 disagree"), "{told}");
    let told = run(&["replay", "captures/plains.jsonl", "--dats", "worlds/plains"]);
    assert!(told.starts_with("2583 records, 2583 agree"), "{told}");
    assert!(!run(&["wire", "decode", "wire/village.pcap"]).is_empty());
    // A second time nothing is lost; what others changed is kept.
    assert!(conform(&["--write", kit.to_str().unwrap()]).status.success());
    fs::write(kit.join("README.md"), "mine").unwrap();
    assert_eq!(conform(&["--write", kit.to_str().unwrap()]).status.code(), Some(2));
}

#[test]
fn wishes_that_cannot_be_met_are_refused() {
    for (arguments, told) in [
        (&["--world", "atlantis"][..], "no world `atlantis`"),
        (&["--case", "no such case"], "no recording matches"),
        (&["--engine", "'"], "quote"),
        (&["--kind", "dance"], "dance"),
    ] {
        let output = conform(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(told) && errors.lines().count() == 1, "{errors}");
    }
}
