//! The seeds of the fuzz targets: made here, kept in `fuzz/seeds`, and put through the targets' own checks.

#[path = "../../../fuzz/checks/dat.rs"]
mod checks;
#[allow(dead_code)] // Other tests use the rest.
mod support;

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};
use threshold_dat::{
    DatId, IdScheme, RecordKind,
    container::{Attributes, Builder, DatFile, Editor, FileKind, Header},
    records::Iteration,
};
use threshold_golden::{WORLDS, world_dir};

/// Set to write the seeds anew.
const WRITE: &str = "THRESHOLD_WRITE_SEEDS";
/// Longest record that is worth being a seed.
const MAX_RECORD: usize = 1024;

fn seeds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds")
}

/// Small files of every shape: no records, one leaf, two levels, chains, a compressed record, a free list.
fn containers() -> BTreeMap<String, Vec<u8>> {
    let header = Header { block_size: 64, ..Header::new(FileKind::Cell) };
    let build = |count: u32| {
        let mut builder = Builder::in_memory(header.clone()).unwrap();
        for index in 0..count {
            let bytes = vec![index as u8; 8 + index as usize * 5 % 100];
            builder.add(DatId(0x0101_0100 + index), &bytes, Attributes::default()).unwrap();
        }
        builder.into_bytes(&Iteration::complete(3)).unwrap()
    };
    let mut files = BTreeMap::new();
    files.insert("empty".to_owned(), build(0));
    files.insert("leaf".to_owned(), build(5));
    files.insert("two_levels".to_owned(), build(63));
    let mut with_free = build(12);
    let start = with_free.len() as u32;
    for block in 0..3u32 {
        let next = if block == 2 { 0 } else { start + (block + 1) * 64 };
        with_free.extend((next | 0x8000_0000).to_le_bytes());
        with_free.extend([0; 60]);
    }
    for (at, word) in [(0x154, start), (0x158, start + 128), (0x15C, 3), (0x148, start + 192)] {
        with_free[at..at + 4].copy_from_slice(&u32::to_le_bytes(word));
    }
    let mut editor = Editor::from_bytes(with_free.clone()).unwrap();
    assert_eq!(editor.abandoned_free_list(), None);
    editor.put(DatId(1), b"fits into a free block").unwrap();
    files.insert("free_list".to_owned(), with_free);
    files
}

/// The smallest record of every kind in the golden worlds and the worked examples, after a byte for the sort of
/// file and the id.
fn records() -> BTreeMap<String, Vec<u8>> {
    let mut smallest: BTreeMap<RecordKind, Vec<u8>> = BTreeMap::new();
    let mut offer = |id: DatId, kind: RecordKind, bytes: &[u8]| {
        let file = u8::from(id.kind(IdScheme::Portal) != kind);
        let seed = [&[file][..], &id.0.to_le_bytes(), bytes].concat();
        if seed.len() < smallest.get(&kind).map_or(MAX_RECORD, Vec::len) {
            smallest.insert(kind, seed);
        }
    };
    for world in WORLDS {
        for file in ["client_portal.dat", "client_cell_1.dat"] {
            let dat = DatFile::open(world_dir(world).join(file)).unwrap();
            for entry in dat.entries().map(Result::unwrap) {
                offer(entry.id, entry.id.kind(dat.scheme()), &dat.read(&entry).unwrap());
            }
        }
    }
    for example in support::examples() {
        offer(example.id, example.kind, &example.bytes);
    }
    smallest.into_iter().map(|(kind, seed)| (kind.to_string(), seed)).collect()
}

/// The seeds of a folder, after writing those that are given if that is asked for.
fn kept(folder: &str, make: fn() -> BTreeMap<String, Vec<u8>>) -> Vec<Vec<u8>> {
    let folder = seeds().join(folder);
    if env::var_os(WRITE).is_some() {
        fs::create_dir_all(&folder).unwrap();
        make().iter().for_each(|(name, bytes)| fs::write(folder.join(name), bytes).unwrap());
    }
    fs::read_dir(folder).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap()).collect()
}

#[test]
fn every_file_that_is_a_seed_holds() {
    let files = kept("container", containers);
    assert!(files.len() >= 4);
    for file in &files {
        assert!(DatFile::from_bytes(file.clone()).unwrap().entries().all(|entry| entry.is_ok()));
        checks::container(file);
        // And with any one word of the structure changed.
        for at in (0x140..0x190).chain(1024..file.len().min(1600)).step_by(4) {
            for value in [0, 1024, u32::MAX] {
                let mut damaged = file.clone();
                damaged[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
                checks::container(&damaged);
            }
        }
    }
}

#[test]
fn every_record_that_is_a_seed_holds() {
    let records = kept("record", records);
    assert!(records.len() > 15);
    for record in &records {
        checks::record(record);
        checks::roundtrip(record);
        for at in 5..record.len() {
            for value in [0, 1, 0x7F, 0x80, 0xFF] {
                let mut damaged = record.clone();
                damaged[at] = value;
                checks::record(&damaged);
                checks::roundtrip(&damaged);
            }
        }
    }
}
