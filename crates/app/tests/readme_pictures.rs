//! The pictures in the README are what its commands draw.

use std::{
    fs::{self, File},
    io::BufReader,
    path::Path,
    process::Command,
};

fn pixels(path: &Path) -> ((u32, u32), Vec<u8>) {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    ((info.width, info.height), pixels)
}

/// The words of a command line; quotes keep words together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('\'').enumerate() {
        if !i.is_multiple_of(2) {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

#[test]
fn the_commands_of_the_readme_draw_its_pictures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut shown = 0;
    for line in readme.lines().filter(|line| line.starts_with("threshold render ")) {
        let mut args = words(line);
        let name = args.pop().unwrap();
        assert!(readme.contains(&format!("]({name})")), "{name} is drawn but not shown");
        let out = dir.path().join("picture.png");
        let output = Command::new(env!("CARGO_BIN_EXE_threshold"))
            .args(&args[1..])
            .arg(&out)
            .args(["--backend", "cpu"])
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(pixels(&out) == pixels(&root.join(&name)), "{name} is out of date; draw it again: {line}");
        shown += 1;
    }
    assert!(shown >= 2, "{shown} pictures");
}

#[test]
fn the_session_of_the_readme_is_recorded_watched_and_drawn_as_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut lines =
        readme.lines().filter(|line| line.contains("session.pcap") && line.starts_with("threshold "));
    let mut run = |command: &str, last: Option<&Path>| {
        let line = lines.next().unwrap_or_else(|| panic!("the README shows no {command}"));
        let mut args = words(line);
        assert_eq!(args[1], command, "{line}");
        let name = last.map(|last| std::mem::replace(args.last_mut().unwrap(), last.display().to_string()));
        let output = Command::new(env!("CARGO_BIN_EXE_threshold"))
            .args(&args[1..])
            .current_dir(dir.path())
            .env_remove("THRESHOLD_DATS")
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        name
    };
    run("record", None);
    run("watch", None);
    let out = dir.path().join("picture.png");
    let name = run("wire", Some(&out)).unwrap();
    assert!(readme.contains(&format!("]({name})")), "{name} is drawn but not shown");
    assert!(
        pixels(&out) == pixels(&root.join(&name)),
        "{name} is out of date; draw it again as the README says"
    );
}
