//! `threshold visible`: what is missing in lists of visible cells is found and written, and nothing else changes.

use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;
use threshold_dat::{
    DatId,
    container::{Attributes, Builder, DatFile, Editor, FileKind, Header},
    records::{DatRecord, EnvCell, Iteration, LandBlockInfo, PortalFlags},
};
use threshold_golden::world_dir;

const CELL: &str = "client_cell_1.dat";
const PORTAL: &str = "client_portal.dat";
/// Rooms of the golden cottage: the main room, and the one with the stairs.
const MAIN: DatId = DatId(0xA9B4_0101);
const STAIRS: DatId = DatId(0xA9B4_0102);
const INFO: DatId = DatId(0xA9B4_FFFE);

fn run(dats: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_threshold"))
        .arg("visible")
        .args(args)
        .env("THRESHOLD_DATS", dats)
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(dats: &Path, args: &[&str]) -> (Option<i32>, Value) {
    let output = run(dats, &[args, &["--json"]].concat());
    let value = serde_json::from_slice(&output.stdout);
    (output.status.code(), value.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr))))
}

/// A copy of a golden world.
fn copy_of(name: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for file in [PORTAL, CELL] {
        fs::copy(world_dir(name).join(file), dir.path().join(file)).unwrap();
    }
    dir
}

fn load<R: DatRecord>(dats: &Path, id: DatId) -> R {
    R::load(id, &DatFile::open(dats.join(CELL)).unwrap().get(id).unwrap()).unwrap()
}

fn store(dats: &Path, id: DatId, record: &impl DatRecord) {
    let mut editor = Editor::open(dats.join(CELL)).unwrap();
    editor.put(id, &record.encode(id).unwrap()).unwrap();
    editor.commit().unwrap();
}

fn change<R: DatRecord>(dats: &Path, id: DatId, change: impl FnOnce(&mut R)) {
    let mut record: R = load(dats, id);
    change(&mut record);
    store(dats, id, &record);
}

fn records(path: &Path) -> BTreeMap<DatId, Vec<u8>> {
    let dat = DatFile::open(path).unwrap();
    dat.entries()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.id, dat.read(&entry).unwrap().into_owned()))
        .collect()
}

/// A world with the written copy as its cell file.
fn written(dats: &Path, args: &[&str]) -> (TempDir, Output) {
    let dir = tempfile::tempdir().unwrap();
    fs::copy(dats.join(PORTAL), dir.path().join(PORTAL)).unwrap();
    let out = dir.path().join(CELL);
    let output = run(dats, &[&["--write", out.to_str().unwrap()], args].concat());
    (dir, output)
}

#[track_caller]
fn assert_sound(dats: &Path) {
    let verified = Command::new(env!("CARGO_BIN_EXE_threshold"))
        .args(["dat", "verify"])
        .arg(dats.join(CELL))
        .output()
        .unwrap();
    assert_eq!(verified.status.code(), Some(0), "{}", String::from_utf8_lossy(&verified.stdout));
    // A second reader, where there is Python; there is in continuous integration.
    match Command::new("python3").arg(datcheck()).arg(dats).output() {
        Ok(checked) => {
            assert_eq!(checked.status.code(), Some(0), "{}", String::from_utf8_lossy(&checked.stdout))
        }
        Err(error) => assert!(std::env::var_os("CI").is_none(), "datcheck.py needs python3: {error}"),
    }
}

fn datcheck() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.ci/datcheck.py")
}

#[test]
fn the_built_in_world_lacks_nothing() {
    let output = Command::new(env!("CARGO_BIN_EXE_threshold"))
        .args(["visible", "--json"])
        .env_remove("THRESHOLD_DATS")
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{report:#}");
    assert_eq!((&report["missing"], &report["coarse"]), (&0.into(), &0.into()));
    assert!(report["cells"].as_u64().unwrap() > 50);
}

#[test]
fn a_missing_entry_is_found_and_written_and_nothing_else_changes() {
    let dir = copy_of("cottage");
    change::<EnvCell>(dir.path(), MAIN, |cell| cell.visible_cells.retain(|low| *low != 0x102));
    let (code, report) = json(dir.path(), &["--keep"]);
    assert_eq!((code, &report["missing"]), (Some(1), &1.into()), "{report:#}");
    let list = &report["lists"][0];
    assert_eq!((&list["id"], &list["missing"][0]), (&"0xA9B40101".into(), &"0xA9B40102".into()));
    let text = said(&run(dir.path(), &["--block", "0xA9B4"]));
    assert!(text.lines().next().unwrap().contains("1 missing in 1 lists"), "the summary first: {text}");
    assert!(text.contains("0xA9B40101 missing: 0102"), "{text}");
    assert!(text.contains("--write OUT.dat"), "{text}");

    let before = records(&dir.path().join(CELL));
    let (new, output) = written(dir.path(), &["--keep"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(records(&dir.path().join(CELL)), before, "the original stays");
    let after = records(&new.path().join(CELL));
    let changed: Vec<DatId> = before.keys().filter(|id| before[id] != after[id]).copied().collect();
    assert_eq!((before.len(), changed), (after.len(), vec![MAIN]));
    assert_sound(new.path());
    assert_eq!(json(new.path(), &["--keep"]).0, Some(0));
    let cell: EnvCell = load(new.path(), MAIN);
    assert!(cell.visible_cells.contains(&0x102));
}

#[test]
fn superfluous_entries_are_removed_unless_they_are_to_stay() {
    let dir = copy_of("dungeon");
    let first = records(&dir.path().join(CELL)).into_keys().find(|id| is_room(*id)).unwrap();
    let block = format!("{:#06x}", first.0 >> 16);
    let (new, _) = written(dir.path(), &[]);
    let (code, report) = json(new.path(), &[]);
    assert_eq!(
        (code, &report["missing"], &report["superfluous"]),
        (Some(0), &0.into(), &0.into()),
        "{report:#}"
    );
    // A number that does not exist, and one twice.
    change::<EnvCell>(new.path(), first, |cell| {
        let twice = cell.visible_cells[0];
        cell.visible_cells.extend([0xFFF0, twice]);
    });
    let (code, report) = json(new.path(), &["--block", &block]);
    assert_eq!((code, &report["superfluous"]), (Some(0), &2.into()), "no reason to fail: {report:#}");
    let (again, _) = written(new.path(), &[]);
    assert_eq!(json(again.path(), &[]).1["superfluous"], 0);
    assert_sound(again.path());
}

#[test]
fn portals_whose_other_side_is_certain_are_set_right() {
    let dir = copy_of("cottage");
    let (new, _) = written(dir.path(), &[]);
    let right = records(&new.path().join(CELL));
    let stairs: EnvCell = load(new.path(), STAIRS);
    let to_main = stairs.portals.iter().position(|portal| portal.other_cell == 0x101).unwrap();
    // Three faults: no index, a side that is wrong, a building's opening that names an index beyond the end.
    change::<EnvCell>(new.path(), STAIRS, |cell| {
        cell.portals[to_main].other_portal = -1;
        cell.portals[to_main].flags.0 ^= PortalFlags::POSITIVE_SIDE;
    });
    change::<LandBlockInfo>(new.path(), INFO, |info| info.buildings[0].portals[0].other_portal = 77);
    let check = |dats: &Path| {
        Command::new(env!("CARGO_BIN_EXE_threshold"))
            .args(["check"])
            .env("THRESHOLD_DATS", dats)
            .output()
            .unwrap()
    };
    assert_eq!(check(new.path()).status.code(), Some(1));
    let (code, report) = json(new.path(), &[]);
    assert_eq!(
        (code, &report["repair_count"], &report["uncertain_count"]),
        (Some(1), &3.into(), &0.into()),
        "{report:#}"
    );
    let text = said(&run(new.path(), &[]));
    assert!(
        text.contains(&format!("0xA9B40102 portal {to_main}: other_portal -1 should be other_portal ")),
        "{text}"
    );

    let (mended, output) = written(new.path(), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(records(&mended.path().join(CELL)), right, "exactly as before the faults");
    assert_eq!(check(mended.path()).status.code(), Some(0), "{}", said(&check(mended.path())));
    assert_sound(mended.path());
}

#[test]
fn what_is_uncertain_is_only_told() {
    let dir = copy_of("cottage");
    let (new, _) = written(dir.path(), &[]);
    // The way back is gone altogether: nobody can know whether that is meant.
    change::<EnvCell>(new.path(), MAIN, |cell| cell.portals.retain(|portal| portal.other_cell != 0x102));
    let (code, report) = json(new.path(), &[]);
    assert_eq!(code, Some(1));
    let uncertain = report["uncertain"].as_array().unwrap();
    let one_way = uncertain.iter().find(|finding| finding["id"] == "0xA9B40102").unwrap();
    assert_eq!(one_way["lint"], "one-way-portal");
    let (again, output) = written(new.path(), &[]);
    assert_eq!(output.status.code(), Some(1), "something is left to be done");
    let (before, after): (EnvCell, EnvCell) = (load(new.path(), STAIRS), load(again.path(), STAIRS));
    assert_eq!(before.portals, after.portals);
    assert!(said(&output).contains("to do: add the return portal"), "{}", said(&output));
}

#[test]
fn only_a_new_file_or_a_forced_one_is_written() {
    let dir = copy_of("cottage");
    let own = dir.path().join(CELL);
    let refused = |out: &Path, more: &[&str], word: &str| {
        let output = run(dir.path(), &[&["--write", out.to_str().unwrap()], more].concat());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
        assert!(error.contains(word), "{error}");
    };
    let before = fs::read(&own).unwrap();
    refused(&own, &["--force"], "the cell file itself");
    assert_eq!(fs::read(&own).unwrap(), before);
    let other = dir.path().join("other.dat");
    fs::write(&other, "mine").unwrap();
    refused(&other, &[], "--force");
    assert_eq!(fs::read(&other).unwrap(), b"mine");
    refused(dir.path(), &[], "folder");
    refused(&dir.path().join("no/such/folder.dat"), &[], "no/such");
    let output = run(dir.path(), &["--write", other.to_str().unwrap(), "--force"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let once = fs::read(&other).unwrap();
    run(dir.path(), &["--write", other.to_str().unwrap(), "--force"]);
    assert_eq!(fs::read(&other).unwrap(), once, "the same again");
    let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "nothing is left behind: {left:?}");
    let builtin = Command::new(env!("CARGO_BIN_EXE_threshold"))
        .args(["visible", "--write", "x.dat"])
        .env_remove("THRESHOLD_DATS")
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&builtin.stderr).contains("threshold sample --out"));
}

/// Whatever interrupts it: the copy is there and whole, or not there.
#[cfg(unix)]
#[test]
fn a_killed_command_leaves_no_half_written_copy() {
    use std::{thread, time::Duration};
    let dir = copy_of("dungeon");
    let before = fs::read(dir.path().join(CELL)).unwrap();
    let out = dir.path().join("out.dat");
    for milliseconds in [0, 1, 2, 4, 8, 16, 32, 64] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_threshold"))
            .args(["visible", "--force", "--write"])
            .arg(&out)
            .env("THRESHOLD_DATS", dir.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(fs::read(dir.path().join(CELL)).unwrap(), before);
        if out.exists() {
            assert_eq!(records(&out).len(), records(&dir.path().join(CELL)).len());
        }
    }
}

#[test]
fn all_cells_of_a_map_are_looked_at() {
    // 127 blocks; two of them have a room that forgot what it sees.
    look_at(20_000);
}

/// As many interior cells as the game has: `cargo test --release -p threshold-cli --test visible -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn all_cells_of_a_full_map_are_looked_at() {
    look_at(800_000);
}

/// Finds and writes what is missing in copies of a dungeon with so many cells in all.
fn look_at(cells: usize) {
    let dir = tempfile::tempdir().unwrap();
    let dungeon = world_dir("dungeon");
    fs::copy(dungeon.join(PORTAL), dir.path().join(PORTAL)).unwrap();
    let (right, _) = written(&dungeon, &[]);
    let stored = records(&right.path().join(CELL));
    let rooms = |block: u32| stored.keys().filter(|id| id.0 >> 16 == block && is_room(**id)).count();
    let block = stored.keys().map(|id| id.0 >> 16).max_by_key(|block| rooms(*block)).unwrap();
    let blocks = cells.div_ceil(rooms(block));
    let path = dir.path().join(CELL);
    let mut builder = Builder::create(&path, Header::new(FileKind::Cell)).unwrap();
    for number in 0..blocks as u32 {
        let to = ((number / 254) << 8) | (number % 254);
        for (id, bytes) in stored.range(DatId(block << 16)..=DatId(block << 16 | 0xFFFF)) {
            let new = DatId(to << 16 | id.0 & 0xFFFF);
            let mut bytes = bytes.clone();
            if is_room(*id) {
                let mut cell = EnvCell::load(*id, &bytes).unwrap();
                // Every hundredth block has a room that forgot what it sees.
                if number % 100 == 0 && id.0 & 0xFFFF == 0x100 {
                    cell.visible_cells.clear();
                }
                bytes = cell.encode(new).unwrap();
            } else {
                bytes[..4].copy_from_slice(&new.0.to_le_bytes());
            }
            builder.add(new, &bytes, Attributes::default()).unwrap();
        }
    }
    builder.commit(&Iteration::complete(1)).unwrap();
    println!("{blocks} blocks, {} bytes", fs::metadata(&path).unwrap().len());
    for args in [
        &["--keep", "--limit", "1"][..],
        &["--keep", "--limit", "1", "--write", dir.path().join("new.dat").to_str().unwrap()],
    ] {
        let start = std::time::Instant::now();
        let output = run(dir.path(), args);
        let said = said(&output);
        println!("{:.1} s: {said}", start.elapsed().as_secs_f64());
        assert!(said.contains(&format!("missing in {} lists", blocks.div_ceil(100))), "{said}");
    }
    let written = DatFile::open(dir.path().join("new.dat")).unwrap();
    for number in (0..blocks as u32).step_by(100) {
        let id = DatId((((number / 254) << 8) | (number % 254)) << 16 | 0x100);
        let cell = EnvCell::load(id, &written.get(id).unwrap()).unwrap();
        assert!(!cell.visible_cells.is_empty(), "{id} sees something again");
    }
}

fn is_room(id: DatId) -> bool {
    (0x100..0xFFFE).contains(&(id.0 & 0xFFFF))
}
