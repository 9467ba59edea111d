//! The tour, through the program.

mod hashes;

use serde_json::Value;
use std::{collections::BTreeSet, fs, path::Path, process::Command};

/// Places the tour must come to and what it must see there, in this order.
const PLACES: [&str; 22] = [
    "Cottage Door, closed",
    "Cottage Door, open",
    "Cottage Vestibule",
    "Cottage Cellar",
    "Cottage Upstairs",
    "Cottage Window",
    "Target",
    "Angry Boar",
    "Watchman",
    "Watchman's Torch",
    "Inn Common Room",
    "Inn Guest Room",
    "Landblock Border",
    "Bridge East End",
    "Tower Ground Floor",
    "Tower Lookout",
    "Cave Mouth",
    "Cave Shrine",
    "Dungeon Entrance",
    "Dungeon Great Hall",
    "Dungeon Below the Pit",
    "Dungeon Depths",
];

#[test]
fn the_tour_reaches_every_place_and_no_cell_flickers() {
    let dir = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_threshold"))
        .args(["tour", "--explorer", "../explorer/", "--out"])
        .arg(dir.path())
        .output()
        .unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let mut rest = table.as_str();
    for place in PLACES {
        let found = rest.find(place).unwrap_or_else(|| panic!("{place} was not reached:\n{table}"));
        rest = &rest[found..];
    }
    assert!(
        table.contains(&format!("hash {}", hashes::TOUR)),
        "{}",
        table.lines().last().unwrap_or_default()
    );

    let lines: Vec<Value> = fs::read_to_string(dir.path().join("tour.jsonl"))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(lines.len() > 5000, "{} ticks", lines.len());
    let mut blocks = BTreeSet::new();
    let mut last: Option<(usize, &Value)> = None;
    for (tick, line) in lines.iter().enumerate() {
        let cell = line["cell"].as_str().unwrap();
        blocks.insert(cell[..6].to_owned());
        // What is seen is what physics knows: the eye is in a cell that the plan shows, or outdoors.
        let viewer = &line["viewer_cell"];
        let is_interior = viewer.as_str().unwrap()[6..] >= *"0100";
        let seen = line["visible_cells"].as_array().unwrap();
        assert!(!is_interior || seen.contains(viewer), "tick {tick}: {viewer} does not see itself");
        // A dungeon has no landscape.
        assert!(!cell.starts_with("0x2040") || line["landscape"] == false, "tick {tick}");
        let change = &line["cell_changed"];
        if change.is_null() {
            continue;
        }
        if let Some((before, earlier)) = last {
            let flips = change["to"] == earlier["from"] && change["from"] == earlier["to"];
            assert!(!flips || tick - before > 3, "tick {tick}: {change} right after {earlier}");
        }
        last = Some((tick, change));
    }
    assert!(blocks.len() >= 4, "{blocks:?}");
    check_page(dir.path(), &lines, &table);
}

/// Every picture that the page names is there and shows something, and every change of cell is told.
fn check_page(dir: &Path, lines: &[Value], table: &str) {
    let page = fs::read_to_string(dir.join("index.html")).unwrap();
    assert!(table.contains("index.html"), "the program says which file to open");
    assert!(!page.contains("http:") && !page.contains("https:"), "the page needs nothing from elsewhere");
    let values = |attribute: &'static str| {
        page.split(attribute).skip(1).map(|rest| rest.split('"').next().unwrap()).collect::<Vec<_>>()
    };
    let pictures = values("<img src=\"");
    let behind = values("<img class=\"behind\" src=\"");
    assert!(pictures.len() >= PLACES.len() && pictures.len() == behind.len(), "{}", pictures.len());
    let walks = values("<a class=\"walk\" href=\"");
    assert!(walks.iter().all(|link| link.starts_with("../explorer/?at=0x")), "{walks:?}");
    assert_eq!(walks.len(), pictures.len(), "every stop leads to the explorer");
    pictures.iter().for_each(|picture| check_picture(&dir.join(picture), Some((960, 540))));
    behind.iter().for_each(|picture| check_picture(&dir.join(picture), Some((480, 270))));
    check_picture(&dir.join(values("<image href=\"")[0]), None);

    let changes: Vec<&Value> =
        lines.iter().map(|line| &line["cell_changed"]).filter(|change| !change.is_null()).collect();
    assert!(changes.len() > 100, "{}", changes.len());
    let mut rows = page.split("<tr id=\"tick-").skip(1);
    for change in changes {
        let (from, to) = (change["from"].as_str().unwrap(), change["to"].as_str().unwrap());
        let row = rows.next().unwrap_or_else(|| panic!("the table ends before {change}"));
        assert!(row.contains(&format!("<td><code>{from}</code></td><td><code>{to}</code></td>")), "{row}");
    }
    assert!(rows.next().is_none(), "the table tells of changes that were not");
    let ids = page.matches("<article id=\"stop-").count();
    assert_eq!(ids, pictures.len());
    for place in PLACES {
        assert!(page.contains(&place.replace('\'', "&#39;")), "{place}");
    }
}

fn check_picture(path: &Path, size: Option<(u32, u32)>) {
    let file = fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert!(size.is_none_or(|size| size == (info.width, info.height)), "{}", path.display());
    let colors: BTreeSet<&[u8]> = pixels.chunks_exact(3).collect();
    assert!(colors.len() > 50, "{} has {} colours", path.display(), colors.len());
}
