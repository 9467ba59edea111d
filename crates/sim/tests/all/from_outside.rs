//! A crate outside the workspace that knows nothing but `threshold-sim`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use threshold_world::{CellId, Position};

/// Copies the crate to where its lock file may be written; it has the versions of the workspace.
fn copy(into: &Path) -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read =
        |path: PathBuf| fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let manifest = read(own.join("tests/outside/Cargo.toml"));
    fs::create_dir_all(into.join("src")).unwrap();
    let path = own.to_str().unwrap().replace('\\', "/");
    fs::write(into.join("Cargo.toml"), manifest.replace("\"../..\"", &format!("\"{path}\""))).unwrap();
    fs::write(into.join("Cargo.lock"), read(own.join("../../Cargo.lock"))).unwrap();
    let program = read(own.join("tests/outside/src/main.rs"));
    assert!(program.lines().count() < 30, "{} lines", program.lines().count());
    fs::write(into.join("src/main.rs"), program).unwrap();
    into.join("Cargo.toml")
}

#[test]
fn thirty_lines_walk_through_the_door_and_take_a_picture() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = scratch.join("outside");
    let manifest = copy(&folder);
    let picture = folder.join("cottage.png");
    let _ = fs::remove_file(&picture);
    let output = Command::new(env!("CARGO"))
        .args(["run", "--offline", "--quiet", "--manifest-path"])
        .arg(&manifest)
        // What the workspace has compiled is used where its features are the same.
        .args(["--target-dir"])
        .arg(scratch.parent().unwrap())
        .arg("--")
        .arg(&picture)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let at: Position = text.lines().last().unwrap().parse().unwrap();
    assert!(at.cell.is_interior() && at.cell.block() == CellId(0x8080_0015).block(), "{at}");
    assert!(text.contains("DoorOpened") && text.contains("CellChanged"), "{text}");

    let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(&picture).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (160, 90));
    let colors: std::collections::BTreeSet<&[u8]> = pixels.chunks(4).collect();
    assert!(colors.len() > 200, "{} colours", colors.len());
}
