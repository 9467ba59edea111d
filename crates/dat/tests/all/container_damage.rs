//! Damaged files: good ones, changed in places. Whatever is damaged is named, everything else stays readable.

use crate::ranged;
use proptest::prelude::*;
use ranged::{Ranged, assert_same};
use std::{
    collections::BTreeMap,
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use threshold_dat::{
    DatId, Error, Mode,
    container::{
        Attributes, Builder, ChainFault, DatFile, Editor, FileKind, Finding, FreeListFault, Header,
        NodeFault, Note, Owner, ReadAt, Sight,
    },
    records::Iteration,
};

const RECORDS: u32 = 300;

fn id(index: u32) -> DatId {
    DatId(0x0100_0000 + index * 3)
}

fn contents(index: u32) -> Vec<u8> {
    (0..20 + index * 13 % 2000).map(|i| (i + index) as u8).collect()
}

/// A file of 300 records in a tree of two levels, with a free list.
fn sound(kind: FileKind) -> Vec<u8> {
    let mut builder = Builder::in_memory(Header::new(kind)).unwrap();
    for index in 0..RECORDS {
        builder.add(id(index), &contents(index), Attributes::default()).unwrap();
    }
    let mut editor = Editor::from_bytes(builder.into_bytes(&Iteration::complete(1)).unwrap()).unwrap();
    editor.put(id(RECORDS), b"x").unwrap();
    editor.remove(id(RECORDS)).unwrap();
    editor.into_bytes().unwrap()
}

fn word(file: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(file[at..at + 4].try_into().unwrap())
}

fn set_word(file: &mut [u8], at: usize, value: u32) {
    file[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

fn open(file: &[u8]) -> DatFile {
    DatFile::from_bytes(file.to_vec()).unwrap()
}

fn root(file: &[u8]) -> usize {
    word(file, 0x160) as usize
}

/// File offset of a byte of a portal file's node, which has two blocks.
fn in_node(file: &[u8], node: usize, at: usize) -> usize {
    if at < 1020 { node + 4 + at } else { word(file, node) as usize + 4 + at - 1020 }
}

fn branch(file: &[u8], node: usize, index: usize) -> usize {
    word(file, in_node(file, node, index * 4)) as usize
}

fn entry_at(file: &[u8], node: usize, index: usize) -> usize {
    in_node(file, node, 252 + index * 24)
}

fn fault(result: Result<impl Sized, Error>) -> NodeFault {
    match result.err().expect("an error") {
        Error::Directory { fault, .. } => fault,
        other => panic!("{other}"),
    }
}

fn findings(dat: &DatFile) -> Vec<Finding> {
    let finding = |sight| if let Sight::Finding(finding) = sight { Some(finding) } else { None };
    dat.survey().filter_map(finding).collect()
}

/// Looks at everything in a file that may be damaged in any way, and returns what can be read: in memory and by ranges
/// alike.
fn read_all(file: &[u8], mode: Mode) -> BTreeMap<DatId, Vec<u8>> {
    assert_same(file, mode, (0..RECORDS).map(id));
    let Ok(dat) = DatFile::from_bytes(file.to_vec()).map(|dat| dat.with_mode(mode)) else {
        return BTreeMap::new();
    };
    dat.survey().for_each(drop);
    dat.free_blocks().for_each(drop);
    dat.iterations().ok();
    for index in 0..RECORDS {
        dat.find(id(index)).ok();
    }
    dat.entries()
        .flatten()
        .filter_map(|entry| Some((entry.id, dat.read(&entry).ok()?.into_owned())))
        .collect()
}

/// Which record owns each byte, from the survey of a sound file: its links count as its own.
fn owners(file: &[u8]) -> Vec<Option<DatId>> {
    let dat = open(file);
    let block_size = dat.header().block_size as usize;
    let mut owners = vec![None; file.len()];
    for entry in dat.entries().map(Result::unwrap) {
        let mut block = entry.offset as usize;
        for _ in 0..(entry.size as usize).div_ceil(block_size - 4) {
            owners[block..block + block_size].fill(Some(entry.id));
            block = word(file, block) as usize;
        }
    }
    owners
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn damage_to_a_record_stays_in_that_record(
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        small_blocks: bool,
    ) {
        let sound = sound(if small_blocks { FileKind::Cell } else { FileKind::Portal });
        let owners = owners(&sound);
        let owned: Vec<usize> = (0..sound.len()).filter(|&at| owners[at].is_some()).collect();
        let mut file = sound.clone();
        let mut damaged = Vec::new();
        for (place, value) in places {
            let at = *place.get(&owned);
            file[at] = value;
            damaged.extend(owners[at]);
        }
        let found = read_all(&file, Mode::Strict);
        for index in (0..RECORDS).filter(|index| !damaged.contains(&id(*index))) {
            prop_assert_eq!(found.get(&id(index)), Some(&contents(index)));
        }
    }

    /// Offsets, links, counts and ids that say anything: answered without panic or hang, and what is still found
    /// is right.
    #[test]
    fn words_of_the_structure_can_be_anything(
        places in prop::collection::vec((0..4000usize, any::<prop::sample::Index>()), 1..12),
        values in prop::collection::vec(prop_oneof![any::<u32>(), 0..0x80000u32, Just(0), Just(u32::MAX)], 12),
        small_blocks: bool,
    ) {
        let sound = sound(if small_blocks { FileKind::Cell } else { FileKind::Portal });
        let owners = owners(&sound);
        // The header's fields, and the words of nodes and free blocks.
        let words: Vec<usize> =
            (0x140..0x190).step_by(4).chain((1024..sound.len()).step_by(4).filter(|&at| owners[at].is_none())).collect();
        let mut file = sound.clone();
        for ((first, place), value) in places.into_iter().zip(values) {
            // Half of the places near the start of the directory, where they matter most.
            let near = words.iter().position(|&at| at >= root(&sound)).unwrap_or(0) + first / 8;
            let at = if first % 2 == 0 { words[near % words.len()] } else { *place.get(&words) };
            set_word(&mut file, at, value);
        }
        read_all(&file, Mode::Strict);
        read_all(&file, Mode::Lenient);
        if let Ok(dat) = DatFile::from_bytes(file.clone()) {
            // Records themselves are not damaged: an entry as it was gives the bytes as they were.
            let before = open(&sound);
            let same_blocks = dat.header().block_size == before.header().block_size;
            for index in (0..RECORDS).filter(|_| same_blocks) {
                let entry = before.find(id(index)).unwrap();
                if let Ok(Some(found)) = dat.find(id(index))
                    && Some(found) == entry
                {
                    prop_assert_eq!(dat.read(&found).unwrap(), contents(index));
                }
            }
        }
        if let Ok(mut editor) = Editor::from_bytes(file) {
            // What an edit leaves can be read, and the edit is there.
            if editor.put(id(RECORDS + 1), b"new").is_ok() {
                let edited = open(&editor.into_bytes().unwrap());
                prop_assert_eq!(edited.get(id(RECORDS + 1)).unwrap(), &b"new"[..]);
            }
        }
    }

    #[test]
    fn a_file_that_is_cut_gives_whole_records_or_errors(
        length in any::<prop::sample::Index>(),
        small_blocks: bool,
    ) {
        let sound = sound(if small_blocks { FileKind::Cell } else { FileKind::Portal });
        let cut = &sound[..length.index(sound.len())];
        for (found, bytes) in read_all(cut, Mode::Lenient) {
            if found != DatId::ITERATION {
                prop_assert_eq!(bytes, contents((found.0 - id(0).0) / 3));
            }
        }
        match DatFile::from_bytes(cut.to_vec()) {
            Ok(dat) => {
                let noted = dat.notes().iter().any(|note| matches!(note, Note::FileSizeField { .. }));
                prop_assert!(noted);
            }
            Err(error) => prop_assert!(matches!(error, Error::File { .. }), "{}", error),
        }
    }

    #[test]
    fn random_bytes_after_a_good_header_are_no_directory(bytes in prop::collection::vec(any::<u8>(), 4096)) {
        let mut file = sound(FileKind::Cell)[..1024].to_vec();
        set_word(&mut file, 0x160, 1024);
        file.extend(bytes);
        prop_assert!(read_all(&file, Mode::Strict).len() <= 61);
    }
}

#[test]
fn two_ids_out_of_order_are_found_leniently_and_refused_strictly() {
    let mut file = sound(FileKind::Portal);
    let leaf = branch(&file, root(&file), 2);
    let (a, b) = (entry_at(&file, leaf, 3) + 4, entry_at(&file, leaf, 20) + 4);
    let (low, high) = (word(&file, a), word(&file, b));
    set_word(&mut file, a, high);
    set_word(&mut file, b, low);
    let dat = open(&file);
    assert!(dat.find(DatId(low)).unwrap().is_some());
    assert!(dat.find(DatId(high)).unwrap().is_some());
    assert_eq!(dat.entries().filter(Result::is_ok).count(), RECORDS as usize + 1);
    assert_eq!(findings(&dat), [Finding::Node { offset: leaf as u32, fault: NodeFault::Disordered }]);
    let strict = open(&file).with_mode(Mode::Strict);
    assert_eq!(fault(strict.find(DatId(low))), NodeFault::Disordered);
    assert_eq!(fault(strict.entries().collect::<Result<Vec<_>, _>>()), NodeFault::Disordered);
    assert_eq!(fault(Editor::from_bytes(file)), NodeFault::Disordered);
}

#[test]
fn of_two_entries_with_one_id_the_first_counts() {
    let mut file = sound(FileKind::Portal);
    let leaf = branch(&file, root(&file), 1);
    let twice = word(&file, entry_at(&file, leaf, 5) + 4);
    let at = entry_at(&file, leaf, 6) + 4;
    set_word(&mut file, at, twice);
    let dat = open(&file);
    let found: Vec<_> = dat.entries().flatten().filter(|entry| entry.id == DatId(twice)).collect();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].offset, word(&file, entry_at(&file, leaf, 5) + 8));
    assert!(findings(&dat).contains(&Finding::Duplicate(DatId(twice))));
}

#[test]
fn the_ids_below_a_missing_child_are_damaged_not_absent() {
    let sound = sound(FileKind::Portal);
    let leaf = branch(&sound, root(&sound), 2);
    let lost: Vec<DatId> =
        (0..10).map(|index| DatId(word(&sound, entry_at(&sound, leaf, index) + 4))).collect();
    for (value, expected) in [
        (0, NodeFault::MissingChild(2)),
        (0xCDCD_CDCD, NodeFault::MissingChild(2)),
        (0x7FFF_0000, NodeFault::Chain(ChainFault::OutsideFile(0x7FFF_0000))),
    ] {
        let mut file = sound.clone();
        let at = in_node(&file, root(&file), 8);
        set_word(&mut file, at, value);
        let dat = open(&file);
        for &id in &lost {
            assert_eq!(fault(dat.get(id)), expected);
        }
        assert_eq!(dat.get(id(0)).unwrap(), contents(0));
        let (good, bad): (Vec<_>, Vec<_>) = dat.entries().partition(Result::is_ok);
        assert_eq!(bad.into_iter().map(fault).collect::<Vec<_>>(), [expected]);
        assert!(good.len() > 200);
    }
}

#[test]
fn a_leaf_filled_with_cd_is_a_leaf() {
    let mut file = sound(FileKind::Portal);
    for child in 0..3 {
        let leaf = branch(&file, root(&file), child);
        file[leaf + 4..leaf + 252].fill(0xCD);
    }
    assert_eq!(read_all(&file, Mode::Strict).len(), RECORDS as usize + 1);
    assert!(findings(&open(&file)).is_empty());
}

#[test]
fn a_child_that_leads_back_up_is_a_cycle() {
    let mut file = sound(FileKind::Portal);
    let top = root(&file);
    let leaf = branch(&file, top, 1);
    let lost = DatId(word(&file, entry_at(&file, leaf, 0) + 4) + 1);
    // The leaf becomes an inner node whose children are all the root.
    for index in 0..62 {
        let at = in_node(&file, leaf, index * 4);
        set_word(&mut file, at, top as u32);
    }
    let dat = open(&file);
    assert_eq!(fault(dat.find(lost)), NodeFault::Cycle);
    assert!(dat.entries().any(|entry| entry.is_err_and(|error| error.to_string().contains("cycle"))));
    assert_eq!(dat.entries().flatten().count(), RECORDS as usize + 1, "every entry is still found once");
}

#[test]
fn a_node_with_two_parents_is_visited_once() {
    let mut file = sound(FileKind::Portal);
    let top = root(&file);
    let (first, at) = (branch(&file, top, 0), in_node(&file, top, 4));
    set_word(&mut file, at, first as u32);
    let dat = open(&file);
    assert!(findings(&dat).contains(&Finding::Node { offset: first as u32, fault: NodeFault::Cycle }));
    let ids: Vec<_> = dat.entries().flatten().map(|entry| entry.id).collect();
    assert!(ids.is_sorted_by(|a, b| a < b));
}

/// Twenty inner nodes without entries, one below the other.
#[test]
fn a_tree_that_is_too_deep_is_not_followed() {
    let mut file = sound(FileKind::Portal)[..1024].to_vec();
    for level in 0..20u32 {
        let at = file.len();
        file.resize(at + 2048, 0);
        set_word(&mut file, at, at as u32 + 1024);
        set_word(&mut file, at + 4, 1024 + (level + 1) * 2048);
    }
    set_word(&mut file, 0x160, 1024);
    let dat = open(&file);
    assert_eq!(fault(dat.find(id(0))), NodeFault::TooDeep);
    assert_eq!(dat.entries().map(fault).collect::<Vec<_>>(), [NodeFault::TooDeep]);
}

#[test]
fn a_free_list_is_believed_only_as_far_as_it_is_true() {
    let sound = sound(FileKind::Portal);
    let (first, count) = (word(&sound, 0x154), word(&sound, 0x15C));
    let used = open(&sound).find(id(7)).unwrap().unwrap().offset;
    let damaged = |changes: &[(usize, u32)]| {
        let mut file = sound.clone();
        changes.iter().for_each(|&(at, value)| set_word(&mut file, at, value));
        file
    };
    let at = first as usize;
    let list: Vec<u32> = open(&sound).free_blocks().map(Result::unwrap).collect();
    let (second, before_last, last) = (list[1], list[list.len() - 2], list[list.len() - 1]);
    for (changes, expected) in [
        (vec![(0x15C, u32::MAX)], FreeListFault::Misplaced(0)),
        (vec![(at, first | 0x8000_0000)], FreeListFault::Cycle(first)),
        (vec![(at, second)], FreeListFault::NotMarked(first)),
        (vec![(at, 0x8000_0000 | (second + 4))], FreeListFault::Misplaced(second + 4)),
        (vec![(0x154, used), (used as usize, 0x8000_0000 | second)], FreeListFault::InUse(used)),
        (vec![(0x15C, count - 1)], FreeListFault::TooLong(before_last)),
        (vec![(0x158, first)], FreeListFault::WrongEnd { found: last, expected: first }),
    ] {
        let file = damaged(&changes);
        assert!(findings(&open(&file)).contains(&Finding::FreeList(expected)), "{expected}");
        // A writer loses the space, and nothing else.
        let mut editor = Editor::from_bytes(file).unwrap();
        assert_eq!(editor.abandoned_free_list(), Some(expected));
        for index in 0..50 {
            editor.put(id(RECORDS + index), &contents(index + 100)).unwrap();
        }
        let edited = editor.into_bytes().unwrap();
        let found = read_all(&edited, Mode::Strict);
        for index in (0..RECORDS).filter(|index| *index != 7) {
            assert_eq!(found[&id(index)], contents(index), "{expected}");
        }
        let after = findings(&open(&edited));
        assert!(!after.iter().any(|finding| matches!(finding, Finding::FreeList(_))), "{after:?}");
    }
}

#[test]
fn blocks_of_two_records_outlive_the_removal_of_one() {
    let mut file = sound(FileKind::Portal);
    let dat = open(&file);
    let (keep, remove) = (dat.find(id(100)).unwrap().unwrap(), dat.find(id(101)).unwrap().unwrap());
    assert!(keep.size > 1020 && remove.size > 1020);
    // The second record goes on in the second block of the first.
    let shared = word(&file, keep.offset as usize);
    set_word(&mut file, remove.offset as usize, shared);
    let dat = open(&file);
    let owner = Owner::Record(remove.id);
    assert!(findings(&dat).contains(&Finding::SharedBlock { owner, block: shared }));
    let mut editor = Editor::from_bytes(file).unwrap();
    editor.remove(remove.id).unwrap();
    for index in 0..5000 {
        editor.put(DatId(index), b"takes every free block").unwrap();
    }
    let dat = open(&editor.into_bytes().unwrap());
    assert_eq!(dat.get(keep.id).unwrap(), contents(100));
}

#[test]
fn a_record_whose_chain_is_broken_can_be_replaced() {
    let mut file = sound(FileKind::Portal);
    let entry = open(&file).find(id(100)).unwrap().unwrap();
    set_word(&mut file, entry.offset as usize, entry.offset);
    assert!(matches!(&findings(&open(&file))[0], Finding::Record(error) if error.id == entry.id));
    let mut editor = Editor::from_bytes(file).unwrap();
    editor.put(entry.id, &contents(100)).unwrap();
    let dat = open(&editor.into_bytes().unwrap());
    assert_eq!(dat.get(entry.id).unwrap(), contents(100));
    assert!(dat.free_blocks().all(|block| block.is_ok()));
}

#[test]
fn lost_blocks_are_counted() {
    let mut file = sound(FileKind::Portal);
    let free: Vec<u32> = open(&file).free_blocks().map(Result::unwrap).collect();
    let (count, first) = (free.len() as u32, *free.iter().min().unwrap());
    for at in [0x154, 0x158, 0x15C] {
        set_word(&mut file, at, 0);
    }
    assert_eq!(findings(&open(&file)), [Finding::Orphans { count, first }]);
}

#[test]
fn unusual_headers_open_with_a_note() {
    let mut file = sound(FileKind::Portal);
    set_word(&mut file, 0x148, 5);
    set_word(&mut file, 0x14C, 9);
    set_word(&mut file, 0x178, 1);
    file[..256].fill(b'x');
    file[0x110] = 1;
    let dat = open(&file);
    assert_eq!(
        dat.notes(),
        [
            Note::UnknownFileType(9),
            Note::FileSizeField { field: 5, length: file.len() as u64 },
            Note::UnterminatedVersionText,
            Note::GameVersion(1),
            Note::PendingJournal,
        ]
    );
    assert_eq!(dat.get(id(5)).unwrap(), contents(5));
    // The stub of a highres file: no records at all.
    set_word(&mut file, 0x160, 0);
    let stub = open(&file[..400]);
    assert_eq!((stub.entries().count(), stub.find(id(1)).unwrap()), (0, None));
}

#[test]
fn blocks_need_not_be_aligned() {
    let sound = sound(FileKind::Portal);
    let mut file = sound[..1024].to_vec();
    file.extend_from_slice(&[0; 8]);
    file.extend_from_slice(&sound[1024..]);
    // Everything is eight bytes further on: move all links, branches and offsets.
    let shift = |file: &mut Vec<u8>, at: usize| {
        let value = word(file, at);
        set_word(file, at, if value & 0x7FFF_FFFF == 0 { value } else { value + 8 });
    };
    for at in [0x154, 0x158, 0x160] {
        shift(&mut file, at);
    }
    for at in (1032..file.len()).step_by(1024) {
        shift(&mut file, at);
    }
    let top = root(&file);
    let mut nodes = vec![top];
    for child in 0..=word(&file, in_node(&file, top, 248)) as usize {
        let at = in_node(&file, top, child * 4);
        shift(&mut file, at);
        nodes.push(branch(&file, top, child));
    }
    for node in nodes {
        for index in 0..word(&file, in_node(&file, node, 248)) as usize {
            let at = entry_at(&file, node, index) + 8;
            shift(&mut file, at);
        }
    }
    let dat = open(&file);
    assert_eq!(read_all(&file, Mode::Strict).len(), RECORDS as usize + 1);
    assert_eq!(dat.get(id(200)).unwrap(), contents(200));
    assert!(findings(&dat).is_empty());
    let mut editor = Editor::from_bytes(file).unwrap();
    editor.put(id(RECORDS), &contents(3)).unwrap();
    editor.remove(id(100)).unwrap();
    let edited = editor.into_bytes().unwrap();
    assert!(findings(&open(&edited)).is_empty());
    assert_eq!(open(&edited).get(id(RECORDS)).unwrap(), contents(3));
}

/// A file whose disk fails when it is told to.
struct Failing(Vec<u8>, Arc<AtomicBool>);

impl ReadAt for Failing {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        if self.1.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        buffer.copy_from_slice(&self.0[offset as usize..][..buffer.len()]);
        Ok(())
    }
}

#[test]
fn a_disk_that_fails_says_nothing_about_the_records() {
    let fails = Arc::new(AtomicBool::new(true));
    let failed = |error: Error| match error {
        Error::Io { path, source } => {
            assert_eq!((path.to_str(), source.kind()), (Some("some.dat"), io::ErrorKind::TimedOut));
        }
        other => panic!("{other}"),
    };
    let open = || DatFile::from_ranges("some.dat", Failing(sound(FileKind::Cell), fails.clone()));
    failed(open().err().unwrap());
    fails.store(false, Ordering::Relaxed);
    let dat = open().unwrap();
    let entry = dat.find(id(3)).unwrap().unwrap();
    dat.release_pages();
    fails.store(true, Ordering::Relaxed);
    failed(dat.find(id(3)).unwrap_err());
    failed(dat.read(&entry).unwrap_err());
    failed(dat.entries().next().unwrap().unwrap_err());
    assert!(matches!(dat.free_blocks().next(), Some(Err(FreeListFault::Unreadable { .. }))));
    let fault = ChainFault::Unreadable { block: dat.header().root, kind: io::ErrorKind::TimedOut };
    assert!(findings(&dat).contains(&Finding::Node { offset: dat.header().root, fault: fault.into() }));
    fails.store(false, Ordering::Relaxed);
    assert_eq!(dat.get(id(3)).unwrap(), contents(3));
    assert_eq!(dat.entries().flatten().count(), RECORDS as usize + 1);
}

#[test]
fn a_file_that_is_read_by_ranges_needs_only_those_it_is_asked_for() {
    let file = Ranged::new(sound(FileKind::Portal));
    let read = file.read.clone();
    let dat = DatFile::from_ranges("some.dat", file).unwrap();
    assert_eq!(dat.get(id(7)).unwrap(), contents(7));
    assert_eq!((dat.bytes(), dat.notes()), (None, Vec::new()));
    assert!(read.load(Ordering::Relaxed) <= 4 * 65536, "{read:?}");
}
