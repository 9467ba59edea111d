//! `threshold render --overlay`, through the program.

use std::{collections::BTreeSet, fs::File, io::BufReader, path::Path, process::Command};

/// In the cottage's living room, looking towards the vestibule.
const ROOM: [&str; 4] = ["--at", "0x80800103 [59 110 20.255]", "--yaw", "200"];
/// In the inn, where edges of floors, of slopes and of walls are in sight.
const INN: [&str; 4] = ["--at", "Inn Common Room", "--yaw", "0"];

fn render(at: [&str; 4], overlay: &str, dir: &Path) -> Vec<[u8; 3]> {
    let out = dir.join("picture.png");
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.args(["render", "--size", "320x180", "--backend", "cpu"]).args(at).arg("--out").arg(&out);
    if !overlay.is_empty() {
        command.args(["--overlay", overlay]);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut reader = png::Decoder::new(BufReader::new(File::open(out).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect()
}

#[test]
fn each_overlay_adds_its_own_lines_and_together_they_add_up() {
    let dir = tempfile::tempdir().unwrap();
    let plain = render(ROOM, "", dir.path());
    let changed = |picture: &[[u8; 3]]| -> BTreeSet<usize> {
        (0..plain.len()).filter(|&i| picture[i] != plain[i]).collect()
    };
    let portals = render(ROOM, "portals", dir.path());
    let (exit, exact) = ([60, 220, 110], [80, 150, 255]);
    assert!(portals.iter().filter(|&&p| p == exact).count() > 100, "doorways of the room");
    assert!(changed(&portals).iter().all(|&i| portals[i] != exit || plain[i] != exit));
    let bsp = render(INN, "bsp", dir.path());
    for color in [[90, 230, 90], [255, 150, 60], [190, 110, 255]] {
        assert!(bsp.iter().filter(|&&p| p == color).count() > 50, "{color:?}");
    }
    let shadows = render(ROOM, "shadows", dir.path());
    assert!(changed(&shadows).len() > 100);
    let cells = render(ROOM, "cells", dir.path());
    let both = changed(&render(ROOM, "cells,portals", dir.path()));
    let (cells, portals) = (changed(&cells), changed(&portals));
    assert!(cells.len() > 300 && cells.len() < plain.len() / 2, "{}", cells.len());
    assert!(cells.difference(&portals).count() > 100, "cells are more than their portals");
    let missing = cells.union(&portals).filter(|i| !both.contains(i)).count();
    assert!(missing < 30, "{missing} pixels of one overlay are lost beside the other");
}

#[test]
fn an_overlay_that_does_not_exist_is_named() {
    let output = Command::new(env!("CARGO_BIN_EXE_threshold"))
        .args(["render", "--out", "x.png", "--overlay", "ghosts"])
        .args(ROOM)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("ghosts"));
}
