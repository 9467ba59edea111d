//! `threshold check --instances`, as a user runs it.

use std::{fs, path::Path, process::Command};
use tempfile::TempDir;

const CLASSES: &str = "INSERT INTO `weenie` (`class_Id`, `class_Name`, `type`) VALUES (900, 'door', 19);
INSERT INTO `weenie_properties_d_i_d` (`object_Id`, `type`, `value`) VALUES (900, 1, 0x02000100);
";

fn instances(rows: &str) -> String {
    format!(
        "INSERT INTO `landblock_instance` (`guid`, `weenie_Class_Id`, `obj_Cell_Id`, `origin_X`, `origin_Y`, `origin_Z`,
        `angles_W`, `angles_X`, `angles_Y`, `angles_Z`, `is_Link_Child`, `last_Modified`)
        VALUES {rows};"
    )
}

/// Exit status, output and errors.
fn check(dir: &Path, files: &[(&str, &str)], options: &[&str]) -> (Option<i32>, String, String) {
    for (name, text) in files {
        fs::write(dir.join(name), text).expect("a file");
    }
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    check_files(dir, &names, options)
}

fn check_files(dir: &Path, names: &[&str], options: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.current_dir(dir).args(["check", "--dats"]).arg(threshold_golden::world_dir("cottage"));
    command.args(options).arg("--instances").args(names);
    let output = command.output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn good_rows_are_counted() {
    let dir = TempDir::new().unwrap();
    let rows = instances("(0x7A9B4001, 900, 0xA9B40100, 84, 79.1, 20.15, 1, 0, 0, 0, False, '')");
    let (status, out, _) = check(dir.path(), &[("w.sql", CLASSES), ("a9b4.sql", &rows)], &[]);
    assert_eq!(status, Some(0), "{out}");
    assert_eq!(
        out,
        "1 objects of 1 classes: 1 can be placed, 0 of them spawned by others and 0 made by generators, 0 findings\n"
    );
}

#[test]
fn findings_name_file_line_and_object() {
    let dir = TempDir::new().unwrap();
    let rows = instances(
        "(0x7A9B4001, 900, 0xA9B40000, 84, 79.1, 20.15, 1, 0, 0, 0, False, '')
        , (0x7A9B4002, 901, 0xA9B40100, 84, 79.1, 20.15, 1, 0, 0, 0, False, '')",
    );
    let (status, out, _) = check(dir.path(), &[("w.sql", CLASSES), ("a9b4.sql", &rows)], &[]);
    assert_eq!(status, Some(1));
    assert!(out.starts_with("a9b4.sql:3: cell-found: 0x7A9B4001: "), "{out}");
    assert!(out.contains("0xA9B40100"), "{out}");
    assert!(out.contains("a9b4.sql:4: unknown-class: 0x7A9B4002: class 901"), "{out}");
    let (status, json, _) = check(dir.path(), &[("w.sql", CLASSES), ("a9b4.sql", &rows)], &["--json"]);
    assert_eq!(status, Some(1));
    let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(report["placed"], 1);
    assert_eq!(report["findings"][1]["problem"], "unknown-class");
    assert_eq!(report["findings"][1]["guid"], "0x7A9B4002");
}

#[test]
fn text_that_is_not_sql_is_an_error_with_its_line() {
    let dir = TempDir::new().unwrap();
    let broken = format!("\n\n{}", instances("(1, 2"));
    let (status, out, error) = check(dir.path(), &[("broken.sql", &broken)], &[]);
    assert_eq!((status, out.as_str()), (Some(2), ""));
    assert!(error.contains("broken.sql: line 5: "), "{error}");
    assert_eq!(error.lines().count(), 1);
    let (status, _, error) = check_files(dir.path(), &["missing.sql"], &[]);
    assert_eq!(status, Some(2));
    assert!(error.contains("missing.sql"), "{error}");
}
