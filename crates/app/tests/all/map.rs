//! `threshold map`: pictures of the land, and the page of tiles. `web/tests/map.mjs` uses the page in a browser.

use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::BufReader,
    path::Path,
    process::{Command, Output},
};
use tempfile::TempDir;
use threshold_dat::{
    DatId,
    container::{Attributes, Builder, DatFile, FileKind, Header},
    records::Iteration,
};
use threshold_golden::world_dir;

fn map(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_threshold"))
        .arg("map")
        .args(args)
        .env_remove("THRESHOLD_DATS")
        .output()
        .unwrap()
}

struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

fn picture(path: &Path) -> Picture {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    let pixels = bytes.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
    Picture { width: info.width as usize, height: info.height as usize, pixels }
}

#[test]
fn a_map_of_the_land_has_names_and_a_margin_with_coordinates() {
    let dir = tempfile::tempdir().unwrap();
    let draw = |name: &str, more: &[&str]| {
        let path = dir.path().join(name);
        let output = map(&[&["--pixels", "600", "--out", path.to_str().unwrap()], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        picture(&path)
    };
    let (plain, full) = (draw("plain.png", &["--plain"]), draw("full.png", &[]));
    let (left, top) = (64, 30);
    assert_eq!((full.width, full.height), (plain.width + left + 20, plain.height + top + 62));
    assert_eq!(plain.width.max(plain.height), 600);
    // Inside only names and their dots differ.
    let inside = |x: usize, y: usize| full.pixels[(y + top) * full.width + x + left];
    let changed = (0..plain.width * plain.height)
        .filter(|&i| inside(i % plain.width, i / plain.width) != plain.pixels[i])
        .count();
    let share = changed as f32 / (plain.width * plain.height) as f32;
    assert!((0.002..0.2).contains(&share), "{share} of the map is covered by names");
    // The margins: coordinates to the left and below, the scale and north in the two lower corners.
    let ink = |x: std::ops::Range<usize>, y: std::ops::Range<usize>| {
        y.flat_map(|y| x.clone().map(move |x| (x, y)))
            .filter(|&(x, y)| full.pixels[y * full.width + x][0] < 90)
            .count()
    };
    let below = top + plain.height;
    assert!(ink(0..left - 8, top..below) > 50, "coordinates on the left");
    assert!(ink(left..left + plain.width, below + 8..below + 24) > 50, "coordinates below");
    assert!(ink(left..left + plain.width / 4, below + 30..below + 42) > 50, "a scale");
    assert!(ink(full.width - 60..full.width - 20, below + 26..full.height) > 50, "north");
    let all = draw("all.png", &["--all"]);
    assert!(
        all.width != full.width || all.height != full.height || all.pixels != full.pixels,
        "--all shows more"
    );
}

/// Tiles that a tree of them has, from the top down.
fn tiles(text: &str, first: u64) -> BTreeSet<String> {
    fn read(
        digits: &mut std::str::Chars<'_>,
        level: u64,
        x: u64,
        y: u64,
        found: &mut BTreeSet<(u64, u64, u64)>,
    ) {
        found.insert((level, x, y));
        let mask = digits.next().and_then(|digit| digit.to_digit(16)).expect("a digit for every tile");
        for i in (0..4).filter(|i| mask >> i & 1 == 1) {
            read(digits, level + 1, 2 * x + i % 2, 2 * y + i / 2, found);
        }
    }
    let (mut digits, mut found) = (text.chars(), BTreeSet::new());
    read(&mut digits, 0, 0, 0, &mut found);
    assert_eq!(digits.next(), None);
    found
        .into_iter()
        .filter(|(level, ..)| *level >= first)
        .map(|(level, x, y)| format!("{level}/{x}_{y}.png"))
        .collect()
}

fn files_below(dir: &Path, prefix: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            files_below(&entry.path(), &format!("{name}/"), found);
        } else {
            found.insert(name);
        }
    }
}

#[test]
fn a_page_of_tiles_has_what_it_names_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("page");
    let write = |more: &[&str]| map(&[&["--deepest", "8", "--tiles", out.to_str().unwrap()], more].concat());
    let output = write(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found = BTreeSet::new();
    files_below(&out, "", &mut found);

    let text = fs::read_to_string(out.join("data.js")).unwrap();
    let json = text.split_once("const DATA = ").unwrap().1.trim().trim_end_matches(';');
    let data: Value = serde_json::from_str(json).unwrap();
    let mut expected: BTreeSet<String> =
        [".threshold-map", "data.js", "index.html", "map.css", "map.js"].map(str::to_owned).into();
    expected.extend(tiles(data["land"].as_str().unwrap(), 0).into_iter().map(|tile| format!("land/{tile}")));
    let dungeons = data["dungeons"].as_array().unwrap();
    assert!(dungeons.iter().any(|dungeon| dungeon["floors"].as_array().unwrap().len() >= 3), "{dungeons:#?}");
    for dungeon in dungeons {
        for (index, floor) in dungeon["floors"].as_array().unwrap().iter().enumerate() {
            let block = dungeon["id"].as_str().unwrap().trim_start_matches("0x");
            let name = index.checked_sub(1).map_or("all".to_owned(), |floor| floor.to_string());
            let tiles = tiles(floor["tiles"].as_str().unwrap(), 7);
            assert!(!tiles.is_empty(), "a floor has rooms");
            expected.extend(tiles.into_iter().map(|tile| format!("{block}/{name}/{tile}")));
        }
    }
    assert_eq!(found, expected);
    let deepest = found.iter().filter(|name| name.starts_with("land/8/")).count();
    assert!(deepest > 0 && found.iter().all(|name| !name.starts_with("land/9/")));
    for name in found.iter().filter(|name| name.ends_with(".png")) {
        let tile = picture(&out.join(name));
        assert_eq!((tile.width, tile.height), (256, 256), "{name}");
        // Land may be nothing but sea; what is deeper has something built on it.
        let is_land = (0..=6).any(|level| name.starts_with(&format!("land/{level}/")));
        assert!(
            is_land || tile.pixels.iter().any(|pixel| *pixel != tile.pixels[0]),
            "{name} has nothing on it"
        );
    }
    let places = data["places"].as_array().unwrap();
    let street = places.iter().find(|place| place["name"] == "Village Street").unwrap();
    assert_eq!((street["x"].as_f64().unwrap() / 192.0).floor(), f64::from(0x80));
    assert!(places.iter().any(|place| place["dungeon"].is_string()));
    // Nothing is asked from anybody else.
    for name in ["index.html", "map.css", "map.js"] {
        let text = fs::read_to_string(out.join(name)).unwrap();
        assert!(!text.contains("http:") && !text.contains("https:") && !text.contains("//cdn"), "{name}");
    }
    assert!(fs::read_to_string(out.join("index.html")).unwrap().contains("default-src 'none'"));

    // Again over its own files; over those of others only by force.
    assert_eq!(write(&[]).status.code(), Some(0));
    fs::write(out.join("index.html"), "my page").unwrap();
    let output = write(&[]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("index.html") && error.contains("--force"), "{error}");
    assert_eq!(fs::read_to_string(out.join("index.html")).unwrap(), "my page");
    assert_eq!(write(&["--force"]).status.code(), Some(0));
}

#[test]
fn a_page_and_a_picture_are_two_things() {
    for (args, reason) in [
        (&[][..], "--out"),
        (&["--tiles", "x", "--out", "y.png"], "cannot be used with"),
        (&["--tiles", "x", "--deepest", "20"], "20 is not in 7..=12"),
    ] {
        let output = map(args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn a_world_that_is_only_a_dungeon_has_a_page_too() {
    let dir = tempfile::tempdir().unwrap();
    let dats = world_dir("dungeon");
    let output =
        map(&["--dats", dats.to_str().unwrap(), "--deepest", "8", "--tiles", dir.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("1 dungeons"),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}

/// A world of so many blocks a side, made of copies of the sample world's: about as many towns, dungeons and rooms on a
/// full-size map as the game has.
fn copies_of_the_sample(side: u32) -> (TempDir, usize) {
    const TOWN: u32 = 0x8080;
    const FIELD: u32 = 0x8081;
    const DUNGEON: u32 = 0x2040;
    let dir = tempfile::tempdir().unwrap();
    let sample = threshold_sample::build().unwrap();
    fs::write(dir.path().join("client_portal.dat"), &sample.portal).unwrap();
    let cells = DatFile::from_bytes(sample.cell).unwrap();
    let path = dir.path().join("client_cell_1.dat");
    let mut builder = Builder::create(&path, Header::new(FileKind::Cell)).unwrap();
    let mut rooms = 0;
    for (x, y) in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
        let template = match (x % 5, y % 4, x % 6, y % 6) {
            (0, 0, ..) => TOWN,
            (.., 1, 1) => DUNGEON,
            _ => FIELD,
        };
        for entry in cells.range(DatId(template << 16)..=DatId(template << 16 | 0xFFFF)) {
            let entry = entry.unwrap();
            let id = DatId(x << 24 | y << 16 | entry.id.0 & 0xFFFF);
            let mut bytes = cells.read(&entry).unwrap().into_owned();
            bytes[..4].copy_from_slice(&id.0.to_le_bytes());
            rooms += usize::from((0x100..0xFFFE).contains(&(id.0 & 0xFFFF)));
            builder.add(id, &bytes, Attributes::default()).unwrap();
        }
    }
    builder.commit(&Iteration::complete(1)).unwrap();
    (dir, rooms)
}

/// Returns the number of tiles.
fn page_of_copies(side: u32, deepest: &str) -> u64 {
    let (dats, rooms) = copies_of_the_sample(side);
    let out = tempfile::tempdir().unwrap();
    let start = std::time::Instant::now();
    let folders = [dats.path(), out.path()].map(|path| path.to_str().unwrap());
    let output = map(&["--dats", folders[0], "--deepest", deepest, "--tiles", folders[1]]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    println!("{side} x {side} blocks, {rooms} rooms: {:.1} s; {text}", start.elapsed().as_secs_f64());
    let mut found = BTreeSet::new();
    files_below(out.path(), "", &mut found);
    let bytes: u64 = found.iter().map(|name| fs::metadata(out.path().join(name)).unwrap().len()).sum();
    println!("{} files, {bytes} bytes", found.len());
    found.iter().filter(|name| name.ends_with(".png")).count() as u64
}

#[test]
fn a_map_of_many_towns_and_dungeons_becomes_a_page() {
    // Blocks at both ends of the tiles of a level, a town and a dungeon.
    assert!(page_of_copies(6, "7") > 20);
}

/// As much as the game has: `cargo test --release -p threshold-cli --test all full_map -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn a_full_map_becomes_a_page() {
    assert!(page_of_copies(255, "8") > 20_000);
}
