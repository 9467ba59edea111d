//! The pictures of the README and of the book are what their commands draw.

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
fn commands_draw_the_pictures_that_pages_show() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages = ["README.md", "docs/clients.md", "docs/servers.md", "docs/worlds.md", "docs/engines.md"];
    let dir = tempfile::tempdir().unwrap();
    for page in pages {
        let text = fs::read_to_string(root.join(page)).unwrap();
        let mut shown = 0;
        let draws = |line: &&str| line.starts_with("threshold render ") || line.starts_with("threshold map ");
        for line in text.lines().filter(draws).filter(|line| line.contains("docs/pictures/")) {
            let mut args = words(line);
            let name = args.pop().unwrap();
            let link = if page.contains('/') { name.trim_start_matches("docs/") } else { &name };
            assert!(text.contains(&format!("]({link})")), "{page}: {name} is drawn but not shown");
            if args[1] == "render" {
                args.extend(["--backend".to_owned(), "cpu".to_owned()]);
                let out = args.iter().position(|word| word == "--out").unwrap();
                args[out..].rotate_left(1);
            }
            let out = dir.path().join("picture.png");
            let output = Command::new(env!("CARGO_BIN_EXE_threshold"))
                .current_dir(&root)
                .env_remove("THRESHOLD_DATS")
                .args(&args[1..])
                .arg(&out)
                .output()
                .unwrap();
            assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
            assert!(
                pixels(&out) == pixels(&root.join(&name)),
                "{name} is out of date; draw it again: {line}"
            );
            shown += 1;
        }
        assert!(shown >= 1, "{page} shows no picture");
    }
}

#[test]
fn the_commands_of_the_readme_record_watch_and_draw_a_session() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let lines = readme.lines().filter(|line| line.contains("session.pcap") && line.starts_with("threshold "));
    let mut run = Vec::new();
    for line in lines {
        let args = words(line);
        let output = Command::new(env!("CARGO_BIN_EXE_threshold"))
            .args(&args[1..])
            .current_dir(dir.path())
            .env_remove("THRESHOLD_DATS")
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        run.push(args[1].clone());
    }
    assert_eq!(run, ["record", "watch", "wire"]);
    let ((width, height), _) = pixels(&dir.path().join("session.png"));
    assert!(width > 100 && height > 100, "{width} x {height}");
}
