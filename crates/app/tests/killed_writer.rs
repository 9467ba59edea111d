//! A writer that is killed leaves the old file or the new one.

use std::{
    fs,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use threshold_dat::{
    DatId,
    container::{Attributes, Builder, DatFile, FileKind, Header, Sight},
    records::Iteration,
};

const CHANGED: DatId = DatId(0x3100_0000);
const ATTEMPTS: u32 = 40;

#[test]
fn a_killed_writer_leaves_the_old_file_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let (path, input) = (folder.path().join("world.dat"), folder.path().join("input"));
    let (old, new) = (vec![1; 700_000], vec![2; 2_000_000]);
    let mut builder = Builder::create(&path, Header::new(FileKind::Portal)).unwrap();
    builder.add(CHANGED, &old, Attributes::default()).unwrap();
    for index in 1..4000 {
        builder.add(DatId(CHANGED.0 + index), &[index as u8; 3000], Attributes::default()).unwrap();
    }
    builder.commit(&Iteration::complete(1)).unwrap();
    fs::write(&input, &new).unwrap();
    let original = fs::read(&path).unwrap();

    let write = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
        command.args(["dat", "put"]).arg(&path).arg(CHANGED.to_string()).arg(&input).arg("--force");
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let started = Instant::now();
    assert!(write().wait().unwrap().success());
    let whole = started.elapsed();

    let (mut before, mut after) = (0, 0);
    for attempt in 0..ATTEMPTS {
        fs::write(&path, &original).unwrap();
        let mut writer = write();
        // Evenly over the time a write takes, and a little more.
        thread::sleep(whole * attempt / ATTEMPTS * 5 / 4 + Duration::from_micros(u64::from(attempt) * 37));
        writer.kill().unwrap();
        writer.wait().unwrap();

        let dat = DatFile::open(&path).unwrap();
        assert!(dat.survey().all(|sight| matches!(sight, Sight::Entry(_))), "attempt {attempt}");
        assert_eq!(dat.entries().count(), 4001);
        match dat.get(CHANGED).unwrap() {
            bytes if bytes == old => {
                assert_eq!(fs::read(&path).unwrap(), original, "attempt {attempt}");
                before += 1;
            }
            bytes => {
                assert!(bytes == new, "attempt {attempt}");
                after += 1;
            }
        }
    }
    assert!(before > 0, "no write was interrupted");
    println!("{before} old, {after} new");
}
