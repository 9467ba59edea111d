//! Files that were edited: everything reads back, and the structure is what a careful writer leaves.

use proptest::prelude::*;
use std::{collections::BTreeMap, fs, path::Path};
use threshold_dat::{
    DatId, Error,
    container::{Attributes, Builder, Change, DatFile, Editor, FileKind, Header, Sight},
    records::Iteration,
};

type Model = BTreeMap<DatId, Vec<u8>>;

/// A file with nothing but its iteration record.
fn empty(kind: FileKind) -> Vec<u8> {
    Builder::in_memory(Header::new(kind)).unwrap().into_bytes(&Iteration::complete(7)).unwrap()
}

/// Spreads small numbers over all ids, the iteration record's excepted.
fn id(index: u32) -> DatId {
    DatId(index.wrapping_mul(0x9E37_79B1) & 0xFFFE_FFFF)
}

/// Bytes that tell their record and length apart from every other.
fn contents(id: DatId, size: usize) -> Vec<u8> {
    (0..size).map(|i| (id.0 as usize + size + i * 7) as u8).collect()
}

/// Fails unless the file holds exactly the model and no survey has anything to say: every node is at least half
/// full, every leaf at one depth, and every block belongs to one record, one node or the free list.
fn assert_sound(file: &[u8], model: &Model) {
    let dat = DatFile::from_bytes(file.to_vec()).unwrap();
    for sight in dat.survey() {
        assert!(matches!(sight, Sight::Entry(_)), "{sight:?}");
    }
    let mut ids: Vec<DatId> = dat.entries().map(|entry| entry.unwrap().id).collect();
    assert_eq!(ids.pop(), Some(DatId::ITERATION));
    assert!(ids.iter().eq(model.keys()));
    for (&id, bytes) in model {
        assert_eq!(dat.get(id).unwrap(), &bytes[..], "{id}");
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Put(usize),
    Remove,
}

fn step() -> impl Strategy<Value = Step> {
    // Most records fit one block, some take several, a few take many.
    prop_oneof![
        4 => (0..300usize).prop_map(Step::Put),
        2 => (300..2500usize).prop_map(Step::Put),
        1 => (2500..9000usize).prop_map(Step::Put),
        5 => Just(Step::Remove),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, max_shrink_iters: 64, ..ProptestConfig::default() })]

    #[test]
    fn five_thousand_records_in_random_order_with_replacements_and_deletions(
        order in Just((0..5000u32).collect::<Vec<_>>()).prop_shuffle(),
        sizes in prop::collection::vec(0..900usize, 5000),
        steps in prop::collection::vec((0..5000u32, step()), 4000),
        small_blocks: bool,
    ) {
        let kind = if small_blocks { FileKind::Cell } else { FileKind::Portal };
        let mut editor = Editor::from_bytes(empty(kind)).unwrap();
        let mut model = Model::new();
        for (&index, &size) in order.iter().zip(&sizes) {
            let bytes = contents(id(index), size);
            prop_assert_eq!(editor.put(id(index), &bytes).unwrap(), None);
            model.insert(id(index), bytes);
        }
        // Empty records are allowed, but a survey notes them.
        for (index, _) in order.iter().zip(&sizes).filter(|(_, size)| **size == 0) {
            editor.put(id(*index), &[1]).unwrap();
            model.insert(id(*index), vec![1]);
        }
        let file = editor.into_bytes().unwrap();
        prop_assert_eq!(model.len(), 5000);
        assert_sound(&file, &model);

        let mut editor = Editor::from_bytes(file).unwrap();
        for (index, step) in steps {
            match step {
                Step::Put(size) => {
                    let bytes = contents(id(index), size + 1);
                    let old = editor.put(id(index), &bytes).unwrap();
                    let expected = model.insert(id(index), bytes);
                    prop_assert_eq!(old.map(|old| old.size as usize), expected.map(|old| old.len()));
                }
                Step::Remove => match (editor.remove(id(index)), model.remove(&id(index))) {
                    (Ok(entry), Some(bytes)) => prop_assert_eq!(entry.size as usize, bytes.len()),
                    (Err(Error::NotFound(_)), None) => {}
                    (result, expected) => prop_assert!(false, "{result:?}, expected {expected:?}"),
                },
            }
        }
        let file = editor.into_bytes().unwrap();
        assert_sound(&file, &model);

        // Down to nothing, in an order of its own: every merge and every way to shrink the tree.
        let mut editor = Editor::from_bytes(file).unwrap();
        for &index in order.iter().filter(|index| model.contains_key(&id(**index))) {
            editor.remove(id(index)).unwrap();
        }
        let file = editor.into_bytes().unwrap();
        assert_sound(&file, &Model::new());
        let dat = DatFile::from_bytes(file).unwrap();
        let node_blocks = if small_blocks { 7 } else { 2 };
        let mut survey = dat.survey();
        survey.by_ref().for_each(drop);
        prop_assert_eq!(survey.totals().used_blocks, 1 + node_blocks);
    }

    #[test]
    fn bulk_built_files_of_any_length_are_sound(
        order in (0..4500u32).prop_flat_map(|count| Just((0..count).collect::<Vec<_>>()).prop_shuffle()),
        small_blocks: bool,
    ) {
        let kind = if small_blocks { FileKind::Cell } else { FileKind::Portal };
        let mut builder = Builder::in_memory(Header::new(kind)).unwrap();
        let mut model = Model::new();
        for &index in &order {
            let bytes = contents(id(index), 1 + index as usize % 1500);
            builder.add(id(index), &bytes, Attributes::default()).unwrap();
            model.insert(id(index), bytes);
        }
        assert_sound(&builder.into_bytes(&Iteration::complete(7)).unwrap(), &model);
    }
}

#[test]
fn deleting_in_order_from_either_end_keeps_the_tree_sound() {
    for backwards in [false, true] {
        let mut editor = Editor::from_bytes(empty(FileKind::Portal)).unwrap();
        let mut model = Model::new();
        for index in 0..2000 {
            editor.put(DatId(index), &contents(DatId(index), 20)).unwrap();
            model.insert(DatId(index), contents(DatId(index), 20));
        }
        for step in 0..1990 {
            let id = DatId(if backwards { 1999 - step } else { step });
            editor.remove(id).unwrap();
            model.remove(&id);
            if step % 331 == 0 {
                let file = editor.into_bytes().unwrap();
                assert_sound(&file, &model);
                editor = Editor::from_bytes(file).unwrap();
            }
        }
        assert_sound(&editor.into_bytes().unwrap(), &model);
    }
}

#[test]
fn an_edit_keeps_what_it_was_not_told_to_change() {
    let mut builder = Builder::in_memory(Header::new(FileKind::Portal)).unwrap();
    let id = DatId(0x3100_0001);
    builder.add(id, b"old", Attributes { version: 3, date: 1000, iteration: 5 }).unwrap();
    let mut editor = Editor::from_bytes(builder.into_bytes(&Iteration::complete(7)).unwrap()).unwrap();

    let old = editor.put(id, b"new").unwrap().unwrap();
    assert_eq!((old.version, old.date, old.iteration), (3, 1000, 5));
    let new = editor.find(id).unwrap().unwrap();
    assert_eq!((new.version, new.iteration, new.size), (3, 5, 3));
    assert!(new.date > 1_600_000_000, "the date is that of the edit");

    editor.put(DatId(0x3100_0002), b"other").unwrap();
    let other = editor.find(DatId(0x3100_0002)).unwrap().unwrap();
    assert_eq!((other.version, other.iteration), (2, 7), "a new record has the file's newest patch");
}

#[test]
fn a_record_of_a_newer_patch_renews_the_iteration_record() {
    let mut editor = Editor::from_bytes(empty(FileKind::Portal)).unwrap();
    let change = Change { iteration: Some(8), date: Some(1), version: Some(3) };
    editor.put_with(DatId(1), b"x", change).unwrap();
    let dat = DatFile::from_bytes(editor.into_bytes().unwrap()).unwrap();
    assert_eq!(dat.iterations().unwrap(), Iteration::complete(8));
    let entry = dat.find(DatId(1)).unwrap().unwrap();
    assert_eq!((entry.iteration, entry.date, entry.version), (8, 1, 3));
    assert_eq!(dat.find(DatId::ITERATION).unwrap().unwrap().version, 1);
}

#[test]
fn the_iteration_record_cannot_be_removed_or_broken() {
    let mut editor = Editor::from_bytes(empty(FileKind::Portal)).unwrap();
    assert!(matches!(editor.remove(DatId::ITERATION), Err(Error::Unwritable(_))));
    assert!(matches!(editor.put(DatId::ITERATION, b"junk"), Err(Error::Record(_))));
    let dat = DatFile::from_bytes(editor.into_bytes().unwrap()).unwrap();
    assert_eq!(dat.current_iteration(), 7);
}

#[test]
fn writing_empties_the_journal_and_keeps_the_rest_of_the_header() {
    let mut file = empty(FileKind::Portal);
    file[..12].copy_from_slice(b"version text");
    file[0x100..0x140].fill(0xAB);
    file[0x17C..0x18C].fill(0x11);
    file[0x200..0x210].fill(0x22);
    let mut editor = Editor::from_bytes(file).unwrap();
    editor.put(DatId(1), b"x").unwrap();
    let file = editor.into_bytes().unwrap();
    assert_eq!(&file[..12], b"version text");
    assert_eq!(file[0x100..0x104], [0x00, 0x50, 0x4C, 0x00]);
    assert!(file[0x104..0x140].iter().all(|&byte| byte == 0));
    assert_eq!(file[0x17C..0x18C], [0x11; 16]);
    assert_eq!(file[0x200..0x210], [0x22; 16]);
}

#[test]
fn a_builder_refuses_the_same_id_twice() {
    let mut builder = Builder::in_memory(Header::new(FileKind::Portal)).unwrap();
    builder.add(DatId(1), b"a", Attributes::default()).unwrap();
    builder.add(DatId(1), b"b", Attributes::default()).unwrap();
    assert!(matches!(builder.into_bytes(&Iteration::complete(1)), Err(Error::Unwritable(_))));
}

fn files_in(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn a_file_on_disk_changes_when_the_edit_is_committed_and_not_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.dat");
    let mut builder = Builder::create(&path, Header::new(FileKind::Cell)).unwrap();
    builder.add(DatId(1), b"one", Attributes::default()).unwrap();
    assert!(!path.exists());
    builder.commit(&Iteration::complete(1)).unwrap();
    let before = fs::read(&path).unwrap();

    let mut editor = Editor::open(&path).unwrap();
    editor.put(DatId(2), b"two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), before);
    drop(editor);
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(files_in(folder.path()), 1, "an edit that is given up leaves nothing behind");

    let reader = DatFile::open(&path).unwrap();
    let mut editor = Editor::open(&path).unwrap();
    editor.put(DatId(2), b"two").unwrap();
    editor.commit().unwrap();
    assert_eq!(DatFile::open(&path).unwrap().get(DatId(2)).unwrap(), &b"two"[..]);
    assert_eq!(reader.find(DatId(2)).unwrap(), None, "who has the old file open keeps it");
    assert_eq!(files_in(folder.path()), 1);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("real.dat"), folder.path().join("link.dat"));
    fs::write(&path, empty(FileKind::Cell)).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&path, &link).unwrap();
    let mut editor = Editor::open(&link).unwrap();
    editor.put(DatId(1), b"x").unwrap();
    editor.commit().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(DatFile::open(&path).unwrap().get(DatId(1)).unwrap(), &b"x"[..]);
}

#[cfg(unix)]
#[test]
fn a_new_file_has_the_permissions_of_any_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let (path, any) = (folder.path().join("new.dat"), folder.path().join("any"));
    let builder = Builder::create(&path, Header::new(FileKind::Cell)).unwrap();
    builder.commit(&Iteration::complete(1)).unwrap();
    fs::write(&any, b"").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions(), fs::metadata(&any).unwrap().permissions());
}

#[test]
fn a_read_only_file_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept.dat");
    fs::write(&path, empty(FileKind::Cell)).unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    assert!(matches!(Editor::open(&path), Err(Error::Io { .. })));
    assert!(matches!(Builder::create(&path, Header::new(FileKind::Cell)), Err(Error::Io { .. })));
}
