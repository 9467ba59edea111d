//! The worlds of the golden recordings, as files.

use threshold_dat::{
    DatId, IdScheme, Mode, RecordKind,
    container::{DatFile, FileKind},
};
use threshold_golden::{WORLDS, manifest, world_dir};

/// World, records in its portal file, records in its cell file.
const RECORDS: [(&str, usize, usize); 5] =
    [("cottage", 38, 33), ("dungeon", 2638, 190), ("hostile", 36, 27), ("plains", 35, 13), ("seam", 39, 46)];

fn open(world_name: &str, file: &str) -> DatFile {
    DatFile::open(world_dir(world_name).join(file)).unwrap().with_mode(Mode::Strict)
}

#[test]
fn the_directories_hold_what_the_manifests_list() {
    for (name, in_portal, in_cell) in RECORDS {
        for (file, records) in [("client_portal.dat", in_portal), ("client_cell_1.dat", in_cell)] {
            let dat = open(name, file);
            let entries: Vec<_> = dat.entries().collect::<Result<_, _>>().unwrap();
            let fetched: Vec<_> = dat.entries().prefetching().collect::<Result<_, _>>().unwrap();
            assert_eq!(fetched, entries);
            assert_eq!(entries.len(), records, "{name}/{file}");
            assert!(entries.is_sorted_by(|a, b| a.id < b.id));
            for entry in &entries {
                assert_eq!(dat.find(entry.id).unwrap(), Some(*entry));
                assert_eq!(dat.read(entry).unwrap().len(), entry.size as usize);
            }
        }
        let manifest = manifest(name);
        let ids = |key: &str| manifest[key].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let portal = open(name, "client_portal.dat");
        for id in ids("setups").into_iter().chain(ids("gfxobjs")) {
            assert!(portal.get(id.parse().unwrap()).is_ok(), "{name}: {id}");
        }
        let listed = manifest["cells"].as_array().unwrap().iter().map(|cell| cell["id"].as_str().unwrap());
        let mut listed: Vec<DatId> = listed.map(|id| id.parse().unwrap()).collect();
        listed.sort();
        let cell = open(name, "client_cell_1.dat");
        let cells = cell.entries().map(|entry| entry.unwrap().id);
        let cells = cells.filter(|id| id.kind(IdScheme::Cell) == RecordKind::EnvCell);
        assert_eq!(cells.collect::<Vec<_>>(), listed, "{name}");
    }
}

#[test]
fn headers_and_iterations_are_those_of_the_last_retail_set() {
    for name in WORLDS {
        let portal = open(name, "client_portal.dat");
        assert_eq!(portal.header().kind(), Some(FileKind::Portal));
        assert_eq!((portal.scheme(), portal.current_iteration()), (IdScheme::Portal, 2072));
        let cell = open(name, "client_cell_1.dat");
        assert_eq!(cell.header().kind(), Some(FileKind::Cell));
        assert_eq!((cell.scheme(), cell.current_iteration()), (IdScheme::Cell, 982));
        assert!(portal.notes().is_empty() && cell.notes().is_empty());
    }
}

#[test]
fn a_record_starts_with_its_own_id() {
    let cell = open("cottage", "client_cell_1.dat");
    let id = DatId(0xA9B4_FFFF);
    assert_eq!(cell.get(id).unwrap()[..4], id.0.to_le_bytes());
}

#[test]
fn a_range_gives_exactly_its_ids() {
    let cell = open("dungeon", "client_cell_1.dat");
    let all: Vec<_> = cell.entries().map(|entry| entry.unwrap().id).collect();
    assert!(all.len() > 100);
    for (low, high) in [(0, all.len() - 1), (3, 3), (10, 90), (61, 62), (all.len() - 2, all.len() - 1)] {
        let range: Vec<_> = cell.range(all[low]..=all[high]).map(|entry| entry.unwrap().id).collect();
        assert_eq!(range, all[low..=high]);
        // Bounds that are not ids themselves.
        let around = DatId(all[low].0 - 1)..=DatId(all[high].0.saturating_add(1));
        let expected: Vec<_> = all.iter().copied().filter(|id| around.contains(id)).collect();
        let range: Vec<_> = cell.range(around).map(|entry| entry.unwrap().id).collect();
        assert_eq!(range, expected);
    }
    assert_eq!(cell.range(DatId(5)..=DatId(4)).count(), 0);
}
