//! Folders of cell dumps as a world.

use glam::Vec3;
use serde_json::{Value, json};
use std::{fs, path::Path, sync::Arc};
use threshold_world::{
    CellId, Library, World,
    cell::PortalTarget,
    load_all,
    source::{DatSource, DumpError, MemorySource, Source, read_dumps},
};

fn world(source: impl Source + 'static) -> (World, Vec<String>) {
    let (world, problems) = load_all(&Library::new(Arc::new(source))).unwrap();
    (world, problems.iter().map(ToString::to_string).collect())
}

fn polygon(id: u16, corners: [[f32; 3]; 4]) -> Value {
    let vertices: Vec<Value> = corners.iter().map(|[x, y, z]| json!({"X": x, "Y": y, "Z": z})).collect();
    json!({"Id": id, "SidesType": 0, "Vertices": vertices})
}

/// A room of 4 × 4 × 3 m whose east side (polygon 5) is open; turned by 180 degrees when `turned`.
fn room(id: u32, other: u16, origin: [f32; 3], turned: bool) -> Value {
    let (n, f) = (-2.0, 2.0);
    let walls = [
        polygon(0, [[n, n, 0.0], [f, n, 0.0], [f, f, 0.0], [n, f, 0.0]]),
        polygon(1, [[n, n, 3.0], [n, f, 3.0], [f, f, 3.0], [f, n, 3.0]]),
        polygon(2, [[n, n, 0.0], [n, f, 0.0], [n, f, 3.0], [n, n, 3.0]]),
        polygon(3, [[n, n, 0.0], [n, n, 3.0], [f, n, 3.0], [f, n, 0.0]]),
        polygon(4, [[n, f, 0.0], [f, f, 0.0], [f, f, 3.0], [n, f, 3.0]]),
    ];
    let opening = polygon(5, [[f, n, 0.0], [f, n, 3.0], [f, f, 3.0], [f, f, 0.0]]);
    let sign = if turned { -1.0 } else { 1.0 };
    json!({
        "CellId": id,
        "WorldTransform": {"M11": sign, "M12": 0, "M13": 0, "M14": 0, "M21": 0, "M22": sign, "M23": 0, "M24": 0,
            "M31": 0, "M32": 0, "M33": 1, "M34": 0, "M41": origin[0], "M42": origin[1], "M43": origin[2], "M44": 1},
        "ResolvedPolygons": walls,
        "PortalPolygons": walls.iter().cloned().chain([opening]).collect::<Vec<Value>>(),
        "Portals": [{"OtherCellId": other, "PolygonId": 5, "Flags": 3}],
        "VisibleCellIds": [(id & 0xFFFF_0000) | u32::from(other)],
    })
}

fn write(dir: &Path, name: &str, value: &Value) {
    fs::write(dir.join(name), value.to_string()).unwrap();
}

fn two_rooms() -> MemorySource {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "a.json", &room(0xA9B4_0140, 0x141, [50.0, 60.0, 10.0], false));
    write(dir.path(), "b.json", &room(0xA9B4_0141, 0x140, [54.0, 60.0, 10.0], true));
    write(dir.path(), "manifest.json", &json!({"world": "not a dump"}));
    fs::write(dir.path().join("notes.txt"), "not even JSON").unwrap();
    read_dumps(dir.path()).unwrap()
}

#[test]
fn dumped_rooms_become_connected_cells() {
    let (world, problems) = world(two_rooms());
    assert_eq!(
        problems,
        ["0x13000000: Region is missing", "0xA9B4FFFF: no usable terrain; a flat deep sea takes its place"]
            [1..]
    );
    let [a, b] = [0xA9B4_0140, 0xA9B4_0141].map(|id| world.env_cell(CellId(id)).unwrap());
    assert!(a.contains(Vec3::new(51.9, 61.9, 12.9)) && !a.contains(Vec3::new(52.1, 60.0, 11.0)));
    assert!(b.contains(Vec3::new(52.1, 58.1, 10.1)) && !b.contains(Vec3::new(56.1, 60.0, 11.0)));
    assert_eq!(a.portals[0].target, PortalTarget::Cell(b.id()));
    assert_eq!(a.portals[0].other_portal, Some(0));
    assert!(a.sees(b.id()) && !a.seen_outside);
    assert_eq!(a.structure.physics.as_ref().unwrap().polygons.polygons().len(), 5);
    assert!(world.land_cell(CellId(0xA9B4_0001)).is_none(), "dumps have no terrain");
}

#[test]
fn a_folder_without_dumps_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(read_dumps(dir.path()), Err(DumpError::Empty(_))));
    assert!(matches!(read_dumps(dir.path().join("nowhere")), Err(DumpError::Io { .. })));
    write(dir.path(), "bad.json", &json!({"CellId": 7, "WorldTransform": 3}));
    fs::write(dir.path().join("worse.json"), "{").unwrap();
    assert!(matches!(read_dumps(dir.path()), Err(DumpError::Format { .. })));
}

#[test]
fn a_broken_dump_is_refused_by_its_field_and_not_passed_over() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "a.json", &room(0xA9B4_0140, 0x141, [50.0, 60.0, 10.0], false));
    write(dir.path(), "list.json", &json!([1, 2]));
    assert!(read_dumps(dir.path()).is_ok(), "a list is no dump");
    let mut broken = room(0xA9B4_0141, 0x140, [54.0, 60.0, 10.0], true);
    broken["Portals"][0]["PolygonId"] = json!(-1);
    write(dir.path(), "b.json", &broken);
    let complaint = read_dumps(dir.path()).map(|_| ()).unwrap_err().to_string();
    assert!(complaint.contains("b.json: invalid value: integer `-1`, expected u16"), "{complaint}");
}

/// The same two buildings as dumps and as dat files made from them.
#[test]
fn real_dumps_fill_the_same_space_as_the_dats_made_from_them() {
    // Real cells are not in the repository; they are compared where they lie beside it.
    let real = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/real");
    if !real.is_dir() {
        return;
    }
    let (dumps, _) = world(read_dumps(&real).unwrap());
    let (dats, problems) = world(DatSource::open(real.join("holtburg")).unwrap());
    assert!(problems.iter().all(|p| p.contains("0xA9B40150")), "{problems:?}");
    let block = dumps.block_data(threshold_world::BlockId(0xA9B4)).unwrap();
    let (mut cells, mut points, mut inside) = (0, 0, 0);
    for dumped in block.env_cells.iter().flatten() {
        let cell = dats.env_cell(dumped.id()).unwrap();
        assert!((cell.position.frame.origin - dumped.position.frame.origin).length() < 1e-4);
        assert_eq!(cell.portals.len(), dumped.portals.len(), "{}", cell.id());
        let bounds = dumped.structure.bounds;
        for (i, j, k) in (0..9).flat_map(|i| (0..9).flat_map(move |j| (0..9).map(move |k| (i, j, k)))) {
            let t = (Vec3::new(i as f32, j as f32, k as f32) + 0.31) / 8.0 - 0.05;
            let p = bounds.min + (bounds.max - bounds.min) * t;
            assert_eq!(
                cell.structure.volume.contains(p),
                dumped.structure.volume.contains(p),
                "{} {p}",
                cell.id()
            );
            points += 1;
            inside += usize::from(cell.structure.volume.contains(p));
        }
        cells += 1;
    }
    assert_eq!(cells, 22);
    assert!(inside * 2 > points, "{inside} of {points}");
}
