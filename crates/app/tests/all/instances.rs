//! `threshold check --instances`, as a user runs it.

use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

const CLASSES: &str = "INSERT INTO `weenie` (`class_Id`, `class_Name`, `type`) VALUES (900, 'door', 19);
INSERT INTO `weenie_properties_d_i_d` (`object_Id`, `type`, `value`) VALUES (900, 1, 0x02000100);
";
const DOOR: &str = "(0x7A9B4001, 900, 0xA9B40100, 84, 79.1, 20.15, 1, 0, 0, 0, False, '') /* Oak Door */";

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
    let world = threshold_golden::world_dir("cottage");
    let mut arguments = vec!["--dats", world.to_str().expect("a name")];
    arguments.extend(options);
    run(dir, &arguments, names)
}

/// The same in the sample world.
fn run(dir: &Path, options: &[&str], names: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.current_dir(dir).arg("check").args(options).arg("--instances").args(names);
    let output = command.output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/misplaced")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// What was found of each object: problems, and whether a place is named that is right.
fn found(report: &Value) -> BTreeMap<String, Vec<(String, bool)>> {
    let mut found: BTreeMap<String, Vec<(String, bool)>> = BTreeMap::new();
    for finding in report["findings"].as_array().expect("a list") {
        let guid = finding["guid"].as_str().expect("a game id").to_owned();
        let problem = finding["problem"].as_str().expect("a kind").to_owned();
        found.entry(guid).or_default().push((problem, finding["fix"].is_string()));
    }
    found
}

#[test]
fn good_rows_are_counted() {
    let dir = TempDir::new().unwrap();
    let (status, out, _) = check(dir.path(), &[("w.sql", CLASSES), ("a9b4.sql", &instances(DOOR))], &[]);
    assert_eq!(status, Some(0), "{out}");
    assert_eq!(
        out,
        "1 objects of 1 classes in 2 files: 1 can be placed, 0 of them spawned by others and 0 made by generators\n\
        0 findings, 0 notes\n"
    );
}

#[test]
fn findings_name_file_line_and_object_after_a_summary() {
    let dir = TempDir::new().unwrap();
    let rows = instances(
        "(0x7A9B4001, 900, 0xA9B40000, 84, 79.1, 20.15, 1, 0, 0, 0, False, '') /* Oak Door */
        , (0x7A9B4002, 901, 0xA9B40100, 84, 79.1, 20.15, 1, 0, 0, 0, False, '')
        , (0x7A9B4003, 901, 0xA9B40100, 84, 79.1, 20.15, 1, 0, 0, 0, False, '')",
    );
    let files = [("w.sql", CLASSES), ("a9b4.sql", &*rows)];
    let (status, out, _) = check(dir.path(), &files, &["--notes"]);
    assert_eq!(status, Some(1));
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("3 objects of 1 classes in 2 files"), "{out}");
    assert_eq!(lines[1], "1 findings, 1 notes");
    assert!(lines.iter().any(|line| line.starts_with("       2  unknown-class")), "{out}");
    assert!(out.contains("a9b4.sql:3: cell-found: 0x7A9B4001 door: "), "{out}");
    assert!(out.contains("/teleloc 0xA9B40100 [84"), "{out}");
    assert!(
        out.contains("a9b4.sql:4: unknown-class: 0x7A9B4002: class 901 is not in the files (2 rows)"),
        "{out}"
    );
    let (status, out, _) = check(dir.path(), &files, &["--json"]);
    assert_eq!(status, Some(1));
    let report = json(&out);
    assert_eq!((&report["placed"], &report["counts"]["unknown-class"]), (&1.into(), &2.into()));
    assert_eq!(report["findings"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&report["findings"][0]["rows"], &report["notes"][0]["problem"]),
        (&2.into(), &"cell-found".into())
    );
    // A note alone is no finding.
    let (status, out, _) = check(dir.path(), &files, &["--kind", "cell-found"]);
    assert_eq!(status, Some(0), "{out}");
    assert!(out.contains("0 findings, 1 notes (--notes shows them)"), "{out}");
    // And is not corrected.
    let (status, _, error) = check(dir.path(), &files, &["--kind", "cell-found", "--fix", "fixed.sql"]);
    assert_eq!(status, Some(0), "{error}");
    assert!(error.contains("nothing was written") && !dir.path().join("fixed.sql").exists(), "{error}");
}

#[test]
fn a_bad_file_is_named_and_counted_and_does_not_stop_the_others() {
    let dir = TempDir::new().unwrap();
    let broken = format!("\n\n{}", instances("(1, 2"));
    let good = instances(&DOOR.replace("79.1", "60"));
    let files =
        [("broken.sql", &*broken), ("empty.sql", "-- nothing\n"), ("w.sql", CLASSES), ("z.sql", &good)];
    let (status, out, error) = check(dir.path(), &files, &["--json"]);
    assert_eq!(status, Some(2));
    assert!(error.contains("broken.sql: line 5: "), "{error}");
    assert!(error.contains("empty.sql: contains no objects or classes"), "{error}");
    assert!(error.contains("1 of 4 files could not be used"), "{error}");
    let report = json(&out);
    assert_eq!(report["instances"], 1);
    assert_eq!(report["findings"].as_array().unwrap().len(), 1, "{out}");
    assert_eq!(
        (&report["bad_files"][0]["file"], &report["empty_files"][0]),
        (&"broken.sql".into(), &"empty.sql".into())
    );
    let (status, _, error) = check_files(dir.path(), &["missing.sql"], &[]);
    assert_eq!(status, Some(2));
    assert!(error.contains("missing.sql"), "{error}");
}

#[test]
fn folders_and_patterns_stand_for_their_files_and_utf_16_is_read() {
    let dir = TempDir::new().unwrap();
    fs::create_dir_all(dir.path().join("all/land")).unwrap();
    let wide: Vec<u8> = format!("\u{FEFF}{CLASSES}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(dir.path().join("all/classes.SQL"), wide).unwrap();
    fs::write(dir.path().join("all/land/A9B4.sql"), instances(DOOR)).unwrap();
    fs::write(dir.path().join("all/land/notes.txt"), "not SQL (").unwrap();
    for names in [&["all"][..], &["all/classes.SQL", "all/land/A9*.sql"], &["all/land/A9B4.sql", "all"]] {
        let (status, out, error) = check_files(dir.path(), names, &[]);
        assert_eq!(status, Some(0), "{names:?}: {out}{error}");
        assert!(out.starts_with("1 objects of 1 classes in 2 files: 1 can be placed"), "{out}");
    }
    let (status, _, error) = check_files(dir.path(), &["all/B*.sql"], &[]);
    assert_eq!(status, Some(2));
    assert!(error.contains("all/B*.sql: no file matches"), "{error}");
}

#[test]
fn objects_that_are_right_are_no_finding() {
    let (status, out, error) = run(&fixtures(), &["--notes"], &["classes.sql", "right.sql"]);
    assert_eq!(status, Some(0), "{out}{error}");
    assert!(out.contains("32 can be placed") && out.contains("0 findings, 0 notes"), "{out}");
}

#[test]
fn misplaced_objects_are_found() {
    let files = ["classes.sql", "misplaced.sql"];
    let (status, out, _) = run(&fixtures(), &["--json"], &files);
    assert_eq!(status, Some(1));
    let report = json(&out);
    let found = found(&report);
    let expected = fs::read_to_string(fixtures().join("expected.txt")).unwrap();
    let mut missing = Vec::new();
    for line in expected.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let wanted = vec![(words[1].to_owned(), words.get(2) == Some(&"fix"))];
        if found.get(words[0]) != Some(&wanted) {
            missing.push(format!("{line}: found {:?}", found.get(words[0])));
        }
    }
    assert!(missing.is_empty(), "{}\n{out}", missing.join("\n"));
    assert_eq!(found.len(), expected.lines().count(), "nothing else: {found:?}");
    let above = report["findings"].as_array().unwrap().iter().find(|f| f["guid"] == "0x78080006").unwrap();
    assert!((above["off"].as_f64().unwrap() - 0.6).abs() < 0.01, "{above}");
}

#[test]
fn what_can_be_fixed_is_right_afterwards_and_nothing_else_changes() {
    let dir = TempDir::new().unwrap();
    for name in ["classes.sql", "misplaced.sql"] {
        fs::copy(fixtures().join(name), dir.path().join(name)).unwrap();
    }
    let files = ["classes.sql", "misplaced.sql"];
    let (_, before, _) = run(dir.path(), &["--json", "--fix", "fixed.sql"], &files);
    let (_, after, error) = run(dir.path(), &["--json"], &["classes.sql", "fixed.sql"]);
    let (before, after) = (found(&json(&before)), found(&json(&after)));
    let fixed = before.iter().filter(|(_, found)| found.iter().any(|(_, has_fix)| *has_fix)).count();
    assert!(fixed >= 18, "{fixed}");
    assert_eq!(after.len(), before.len() - fixed, "{after:?}{error}");
    assert!(after.values().flatten().all(|(_, has_fix)| !has_fix), "{after:?}");
    // Comments and rows that are right stay as they are.
    let (text, fixed) =
        ["misplaced.sql", "fixed.sql"].map(|name| fs::read_to_string(dir.path().join(name)).unwrap()).into();
    let changed = text
        .lines()
        .filter(|line| !fixed.contains(line.trim_start_matches(['V', 'A', 'L', 'U', 'E', 'S', ' ', ','])))
        .count();
    assert_eq!(changed, before.values().flatten().filter(|(_, has_fix)| *has_fix).count());
    assert!(
        fixed.contains("/* Door turned by 30 degrees */")
            && fixed.starts_with("-- corrected from misplaced.sql\n")
    );
    // Never in place, and never over something else.
    let (status, _, error) = run(dir.path(), &["--fix", "misplaced.sql", "--force"], &files);
    assert_eq!(status, Some(2));
    assert!(error.contains("one of the files to be checked"), "{error}");
}

#[test]
fn filters_choose_kinds_blocks_and_classes() {
    let count = |options: &[&str]| {
        let mut all = vec!["--json"];
        all.extend(options);
        let (status, out, error) = run(&fixtures(), &all, &["classes.sql", "misplaced.sql"]);
        assert!(status != Some(2), "{error}");
        let report = json(&out);
        found(&report).len()
    };
    assert_eq!(count(&["--kind", "no-opening,turned"]), 6);
    assert_eq!(count(&["--block", "0x8180"]), 2);
    assert_eq!(count(&["--class", "signpost"]), 2);
    assert_eq!(count(&["--class", "902", "--kind", "buried"]), 2);
    let (status, _, error) = run(&fixtures(), &["--kind", "odd"], &["classes.sql"]);
    assert_eq!(status, Some(2));
    assert!(error.contains("no-opening"), "{error}");
    let (status, _, error) = run(&fixtures(), &["--class", "nobody"], &["classes.sql"]);
    assert_eq!(status, Some(2));
    assert!(error.contains("`nobody`"), "{error}");
}

#[test]
fn sarif_has_a_rule_and_a_line_for_each_finding() {
    let (_, out, _) = run(&fixtures(), &["--sarif"], &["classes.sql", "misplaced.sql"]);
    let log = json(&out);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules: Vec<&str> = run["tool"]["driver"]["rules"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|rule| rule["id"].as_str())
        .collect();
    let results = run["results"].as_array().unwrap();
    assert!(results.len() >= 30 && results.iter().all(|r| rules.contains(&r["ruleId"].as_str().unwrap())));
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(
        (&place["artifactLocation"]["uri"], &place["region"]["startLine"]),
        (&"misplaced.sql".into(), &6.into())
    );
}

#[test]
fn pictures_show_the_object_and_the_right_place() {
    let dir = TempDir::new().unwrap();
    let out = dir.path().join("wrong");
    let options = ["--kind", "floating", "--pictures", out.to_str().unwrap()];
    let (status, _, error) = run(&fixtures(), &options, &["classes.sql", "misplaced.sql"]);
    assert_eq!(status, Some(1), "{error}");
    for guid in ["7808000A", "7808000D", "78080014"] {
        let picture = fs::File::open(out.join(format!("{guid}-floating.png"))).expect(guid);
        let mut reader = png::Decoder::new(std::io::BufReader::new(picture)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        for color in [[255, 60, 60], [60, 220, 110]] {
            let painted = pixels.chunks(3).filter(|pixel| **pixel == color).count()
                + pixels.chunks(4).filter(|pixel| pixel[..3.min(pixel.len())] == color).count();
            assert!(painted > 50, "{guid}: {painted} pixels of {color:?}");
        }
    }
}

#[test]
fn walking_finds_spawns_that_nobody_can_come_to_and_doors_that_lead_nowhere() {
    let dir = TempDir::new().expect("a folder");
    let classes = fixtures().join("classes.sql");
    let right = fixtures().join("right.sql");
    let (classes, right) = (classes.to_str().expect("a name"), right.to_str().expect("a name"));
    let options = ["--reach", "--kind", "unreached,leads-nowhere", "--json"];
    let (status, out, errors) = run(dir.path(), &options, &[classes, right]);
    assert_eq!(status, Some(0), "{errors}{out}");
    // A boar between rocks from which no way leads, one on the green, a door in front of a wall and the one in the doorway beside it.
    let rows = "(0x78080001, 902, 0x81800004, 0.75, 82.75, 20.01, 1, 0, 0, 0, False, '')
     , (0x78080002, 902, 0x80800024, 110, 90, 20.01, 1, 0, 0, 0, False, '')
     , (0x78080003, 900, 0x80800015, 55.2, 103.95, 20.25, 1, 0, 0, 0, False, '')
     , (0x78080004, 900, 0x80800104, 60, 104.2, 20.25, 1, 0, 0, 0, False, '')";
    fs::write(dir.path().join("rows.sql"), instances(rows)).expect("a file");
    let (status, out, errors) = run(dir.path(), &options, &[classes, "rows.sql"]);
    assert_eq!(status, Some(1), "{errors}{out}");
    let found = found(&json(&out));
    let found: Vec<(&str, &str)> = found.iter().map(|(id, all)| (id.as_str(), all[0].0.as_str())).collect();
    assert_eq!(found, [("0x78080001", "unreached"), ("0x78080003", "leads-nowhere")]);
}
