//! A writer that is killed leaves the old file or the new one.

use std::{
    fs,
    process::{Command, Stdio},
    thread,
    time::Instant,
};
use threshold_dat::{
    DatId,
    container::{Attributes, Builder, DatFile, FileKind, Header, Sight},
    records::Iteration,
};

const CHANGED: DatId = DatId(0x3100_0000);
const MAX_ATTEMPTS: u32 = 1000;

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

    // Killed later and later, until it has had the time to finish a few times.
    let (mut before, mut after) = (0, 0);
    for attempt in 0..MAX_ATTEMPTS {
        fs::write(&path, &original).unwrap();
        let mut writer = write();
        thread::sleep(whole * attempt / 30);
        writer.kill().unwrap();
        writer.wait().unwrap();

        let dat = DatFile::open(&path).unwrap();
        assert!(dat.survey().all(|sight| matches!(sight, Sight::Entry(_))), "attempt {attempt}");
        assert_eq!(dat.entries().count(), 4001);
        let bytes = dat.get(CHANGED).unwrap();
        if bytes == old {
            assert_eq!(fs::read(&path).unwrap(), original, "attempt {attempt}");
            before += 1;
        } else {
            assert!(bytes == new, "attempt {attempt}");
            after += 1;
        }
        if after == 3 {
            break;
        }
    }
    assert!(before > 0 && after == 3, "{before} times the old file, {after} times the new one");
}
