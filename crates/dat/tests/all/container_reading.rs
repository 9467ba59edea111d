//! What readers rely on beside the contents: no allocation where it would cost, and any number of threads.

use std::{borrow::Cow, thread};
use threshold_dat::{
    DatId,
    container::{Attributes, Builder, DatFile, FileKind, Header},
    records::Iteration,
};

const RECORDS: u32 = 4000;

fn contents(index: u32) -> Vec<u8> {
    (0..16 + index % 700).map(|i| (i * index) as u8).collect()
}

fn file(kind: FileKind) -> DatFile {
    let mut builder = Builder::in_memory(Header::new(kind)).unwrap();
    for index in 0..RECORDS {
        builder.add(DatId(index * 3), &contents(index), Attributes::default()).unwrap();
    }
    DatFile::from_bytes(builder.into_bytes(&Iteration::complete(1)).unwrap()).unwrap()
}

#[test]
fn a_lookup_allocates_nothing() {
    for kind in [FileKind::Portal, FileKind::Cell] {
        let dat = file(kind);
        let used = allocation_counter::measure(|| {
            for index in 0..RECORDS {
                assert!(dat.find(DatId(index * 3)).unwrap().is_some());
                assert!(dat.find(DatId(index * 3 + 1)).unwrap().is_none());
            }
        });
        assert_eq!(used.count_total, 0);
    }
}

#[test]
fn a_record_in_one_block_is_borrowed_and_others_need_only_the_callers_buffer() {
    let dat = file(FileKind::Cell);
    assert!(matches!(dat.get(DatId(0)).unwrap(), Cow::Borrowed(_)));
    assert!(matches!(dat.get(DatId(600 * 3)).unwrap(), Cow::Owned(_)));
    let mut buffer = Vec::with_capacity(1000);
    let used = allocation_counter::measure(|| {
        for index in 0..RECORDS {
            let entry = dat.find(DatId(index * 3)).unwrap().unwrap();
            let bytes = dat.read_with(&entry, &mut buffer).unwrap();
            assert_eq!(bytes.len() as u32, 16 + index % 700);
        }
    });
    assert_eq!(used.count_total, 0);
}

#[test]
fn many_threads_read_one_file() {
    let dat = file(FileKind::Portal);
    thread::scope(|scope| {
        for start in 0..4 {
            let dat = &dat;
            scope.spawn(move || {
                for index in (start..RECORDS).step_by(4) {
                    assert_eq!(dat.get(DatId(index * 3)).unwrap(), contents(index));
                }
            });
        }
    });
}
