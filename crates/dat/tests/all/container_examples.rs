//! The worked bytes of the container: examples 26 to 33 and the inputs 74 to 82 of the specification.

use threshold_dat::{
    DatId, Error, RecordError,
    container::{
        Builder, ChainFault, DatFile, Editor, Entry, FileKind, Header, Limits, NodeFault, Note, Sight,
    },
    records::Iteration,
};

const SURFACE: DatId = DatId(0x0800_0219);
const ENVIRONMENT: DatId = DatId(0x0D00_0001);

fn put(file: &mut [u8], at: usize, hex: &str) {
    for (slot, digits) in file[at..].iter_mut().zip(hex.split_whitespace()) {
        *slot = u8::from_str_radix(digits, 16).unwrap();
    }
}

fn put_word(file: &mut [u8], at: usize, word: u32) {
    file[at..at + 4].copy_from_slice(&word.to_le_bytes());
}

/// Examples 26 and 27: a portal file with three records. The records count up from their first byte.
fn three_records() -> Vec<u8> {
    let mut file = vec![0; 0x1800];
    put(&mut file, 0x100, "00 50 4C 00");
    put(&mut file, 0x140, "42 54 00 00 00 04 00 00 00 18 00 00 01 00 00 00");
    put(&mut file, 0x160, "00 04 00 00");
    put(&mut file, 0x174, "6E 00 00 00");
    put(&mut file, 0x18C, "01 00 00 00");
    put(&mut file, 0x400, "00 08 00 00");
    put(&mut file, 0x4FC, "03 00 00 00");
    put(&mut file, 0x500, "00 00 02 00 19 02 00 08 00 0C 00 00 14 00 00 00 80 43 6D 38 01 00 00 00");
    put(&mut file, 0x518, "00 00 02 00 01 00 00 0D 00 10 00 00 64 00 00 00 80 43 6D 38 01 00 00 00");
    put(&mut file, 0x530, "00 00 01 00 01 00 FF FF 00 14 00 00 0C 00 00 00 80 43 6D 38 01 00 00 00");
    for (at, first, length) in [(0xC04, 1, 20), (0x1004, 100, 100)] {
        (0..length).for_each(|i| file[at + i] = first + i as u8);
    }
    put(&mut file, 0x1404, "01 00 00 00 01 00 00 00");
    file
}

fn open(file: Vec<u8>) -> DatFile {
    DatFile::from_bytes(file).unwrap()
}

fn record_error(result: Result<impl Sized, Error>) -> RecordError {
    match result.err().expect("an error") {
        Error::Record(error) => error,
        other => panic!("{other}"),
    }
}

fn node_fault(result: Result<impl Sized, Error>) -> NodeFault {
    match result.err().expect("an error") {
        Error::Directory { fault, .. } => fault,
        other => panic!("{other}"),
    }
}

fn file_field(file: Vec<u8>) -> &'static str {
    match DatFile::from_bytes(file).err().expect("an error") {
        Error::File { field, .. } => field,
        other => panic!("{other}"),
    }
}

#[test]
fn example_26_header() {
    let dat = open(three_records());
    let header = dat.header();
    assert_eq!((header.block_size, header.file_size, header.root), (1024, 0x1800, 0x400));
    assert_eq!((header.kind(), header.free_count), (Some(FileKind::Portal), 0));
    assert_eq!((header.engine_version, header.game_version, header.minor_version), (110, 0, 1));
    assert!(dat.notes().is_empty());
}

#[test]
fn example_27_directory() {
    let dat = open(three_records());
    let entries: Vec<Entry> = dat.entries().collect::<Result<_, _>>().unwrap();
    let row = |e: &Entry| (e.id, e.version, e.offset, e.size, e.date, e.iteration);
    let expected = [
        (SURFACE, 2, 0xC00, 20, 0x386D_4380, 1),
        (ENVIRONMENT, 2, 0x1000, 100, 0x386D_4380, 1),
        (DatId::ITERATION, 1, 0x1400, 12, 0x386D_4380, 1),
    ];
    assert_eq!(entries.iter().map(row).collect::<Vec<_>>(), expected);
    assert_eq!(dat.find(ENVIRONMENT).unwrap(), Some(entries[1]));
    assert_eq!(dat.find(DatId(0x0100_0001)).unwrap(), None);
    assert_eq!(dat.get(SURFACE).unwrap(), (1..=20).collect::<Vec<u8>>());
    assert!(matches!(dat.get(DatId(0x0100_0001)), Err(Error::NotFound(DatId(0x0100_0001)))));
}

/// The same file in the other direction: the builder writes these very bytes, but for the order of the parts.
#[test]
fn example_27_written() {
    let dat = open(three_records());
    let mut builder = Builder::in_memory(dat.header().clone()).unwrap();
    for entry in dat.entries().map(Result::unwrap).filter(|entry| entry.id != DatId::ITERATION) {
        builder.add_stored(&entry, &dat.read_stored(&entry).unwrap()).unwrap();
    }
    let copy = builder.into_bytes(&Iteration::complete(1)).unwrap();
    let mut expected = three_records();
    // The builder puts the directory last and names the iteration like the set does: c, then one number.
    expected.copy_within(0xC00..0x1800, 0x400);
    expected[0x1000..].copy_from_slice(&three_records()[0x400..0xC00]);
    put_word(&mut expected, 0x160, 0x1000);
    put_word(&mut expected, 0x1000, 0x1400);
    for (index, offset) in [0x400, 0x800, 0xC00].into_iter().enumerate() {
        put_word(&mut expected, 0x1100 + index * 24 + 8, offset);
    }
    put_word(&mut expected, 0x1100 + 2 * 24 + 12, 8);
    assert_eq!(copy, expected);
}

/// Entry 32 is the first of the node's second block.
#[test]
fn example_27_entry_32_is_at_804() {
    let mut builder = Builder::in_memory(Header::new(FileKind::Portal)).unwrap();
    for id in 0..40 {
        builder.add(DatId(id), &[id as u8], Default::default()).unwrap();
    }
    let file = builder.into_bytes(&Iteration::complete(1)).unwrap();
    let root = open(file.clone()).header().root as usize;
    assert_eq!(file[root + 0x404 + 4..][..4], 32u32.to_le_bytes());
}

#[test]
fn example_30_chain() {
    let record: Vec<u8> = (0..1500).map(|i| (i * 3) as u8).collect();
    let mut file = three_records();
    file.resize(0x2400, 0);
    put(&mut file, 0x1800, "00 20 00 00");
    file[0x1804..0x1C00].copy_from_slice(&record[..1020]);
    file[0x2004..0x2004 + 480].copy_from_slice(&record[1020..]);
    put_word(&mut file, 0x500 + 8, 0x1800);
    put_word(&mut file, 0x500 + 12, 1500);
    assert_eq!(open(file.clone()).get(SURFACE).unwrap(), record);
    // The last block may be cut by the end of the file, as long as the bytes are there.
    file.truncate(0x2004 + 480);
    assert_eq!(open(file.clone()).get(SURFACE).unwrap(), record);
    file.truncate(0x2004 + 479);
    let error = record_error(open(file).get(SURFACE));
    assert_eq!((error.field, error.offset), ("block chain", 1020));
    assert_eq!(error.problem, ChainFault::OutsideFile(0x2000).to_string());
}

#[test]
fn example_30_with_small_blocks_takes_six() {
    let mut builder = Builder::in_memory(Header::new(FileKind::Cell)).unwrap();
    builder.add(DatId(0x0001_0100), &[7; 1500], Default::default()).unwrap();
    let dat = open(builder.into_bytes(&Iteration::complete(1)).unwrap());
    let mut survey = dat.survey();
    assert!(survey.by_ref().all(|sight| matches!(sight, Sight::Entry(_))));
    // Six for the record, one for the iteration record, seven for the root.
    assert_eq!(survey.totals().used_blocks, 14);
}

#[test]
fn example_31_free_list() {
    let mut file = three_records();
    file.resize(0x2C00, 0);
    put_word(&mut file, 0x148, 0x2C00);
    for (at, word) in [(0x154, 0x2400), (0x158, 0x2800), (0x15C, 2)] {
        put_word(&mut file, at, word);
    }
    put(&mut file, 0x2400, "00 28 00 80");
    put(&mut file, 0x2800, "00 00 00 80");
    let dat = open(file.clone());
    assert_eq!(dat.free_blocks().collect::<Result<Vec<_>, _>>().unwrap(), [0x2400, 0x2800]);
    // The other form of the last link.
    put_word(&mut file, 0x2800, 0);
    assert_eq!(open(file.clone()).free_blocks().filter_map(Result::ok).count(), 2);

    // A record takes the first block; what it replaces goes to the end of the list.
    let mut editor = Editor::from_bytes(file).unwrap();
    editor.put(SURFACE, b"new").unwrap();
    let dat = open(editor.into_bytes().unwrap());
    assert_eq!(dat.find(SURFACE).unwrap().unwrap().offset, 0x2400);
    assert_eq!(dat.header().first_free, 0x2800);
    assert_eq!(dat.free_blocks().last().unwrap().unwrap(), 0xC00);
}

#[test]
fn example_32_split() {
    let empty = Builder::in_memory(Header::new(FileKind::Portal)).unwrap();
    let mut file = empty.into_bytes(&Iteration::default()).unwrap();
    // Without the iteration record, so that the numbers are those of the example.
    put_word(&mut file, 0x160, 0);
    let mut editor = Editor::from_bytes(file).unwrap();
    let mut shapes = Vec::new();
    for id in 1..=93 {
        editor.put(DatId(id), &[0]).unwrap();
        if [61, 62, 92, 93].contains(&id) {
            let file = editor.into_bytes().unwrap();
            shapes.push(shape(&file));
            editor = Editor::from_bytes(file).unwrap();
        }
    }
    let ids = |range: std::ops::RangeInclusive<u32>| range.collect::<Vec<_>>();
    assert_eq!(shapes[0], (ids(1..=61), vec![]));
    assert_eq!(shapes[1], (vec![31], vec![ids(1..=30), ids(32..=62)]));
    assert_eq!(shapes[2], (vec![31], vec![ids(1..=30), ids(32..=92)]));
    assert_eq!(shapes[3], (vec![31, 62], vec![ids(1..=30), ids(32..=61), ids(63..=93)]));
}

/// The ids of the root and of its children, read by hand.
fn shape(file: &[u8]) -> (Vec<u32>, Vec<Vec<u32>>) {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
    let node = |offset: u32| {
        let second = word(offset as usize) as usize;
        let byte = |at: usize| if at < 1020 { offset as usize + 4 + at } else { second + 4 + at - 1020 };
        let count = word(byte(248)) as usize;
        let ids: Vec<u32> = (0..count).map(|i| word(byte(252 + i * 24 + 4))).collect();
        let branches: Vec<u32> =
            (0..=count).map(|i| word(byte(i * 4))).filter(|&branch| branch != 0).collect();
        (ids, branches)
    };
    let (ids, branches) = node(word(0x160));
    (ids, branches.into_iter().map(|branch| node(branch).0).collect())
}

const COMPRESSED: &str = "40 00 00 00 78 DA 63 60 64 62 66 61 65 63 E7 E0 \
                          E4 E2 E6 E1 E5 E3 67 20 91 0F 00 37 E0 01 E1";

fn with_compressed(size: u32) -> Vec<u8> {
    let mut file = three_records();
    put(&mut file, 0xC04, COMPRESSED);
    put(&mut file, 0x500, "01 00");
    put_word(&mut file, 0x500 + 12, size);
    file
}

#[test]
fn example_33_compressed() {
    let dat = open(with_compressed(31));
    let expected: Vec<u8> = (0..64).map(|i| i % 16).collect();
    assert_eq!(dat.get(SURFACE).unwrap(), expected);
    let entry = dat.find(SURFACE).unwrap().unwrap();
    assert_eq!(dat.read_stored(&entry).unwrap().len(), 31);
    let mut buffer = Vec::new();
    assert_eq!(dat.read_with(&entry, &mut buffer).unwrap(), expected);
}

#[test]
fn a_compressed_record_that_does_not_keep_its_promise_is_refused() {
    let mut longer = with_compressed(31);
    longer[0xC04] = 0x3F;
    let mut shorter = with_compressed(31);
    shorter[0xC04] = 0x41;
    let mut damaged = with_compressed(31);
    damaged[0xC04 + 12] ^= 0xFF;
    for file in [longer, shorter, damaged, with_compressed(30), with_compressed(20), with_compressed(5)] {
        assert_eq!(record_error(open(file).get(SURFACE)).field, "zlib stream");
    }
    assert_eq!(record_error(open(with_compressed(3)).get(SURFACE)).field, "uncompressed size");
    let noted = |size| {
        open(with_compressed(size)).survey().any(|sight| sight == Sight::Note(Note::ShortCompressed(SURFACE)))
    };
    assert_eq!((noted(15), noted(16)), (true, false));
}

#[test]
fn input_74_magic() {
    let mut file = three_records();
    put(&mut file, 0x140, "42 54 01 00");
    assert_eq!(file_field(file), "magic");
}

#[test]
fn input_75_block_size() {
    for size in [3, 0, 60, 66, 65540, u32::MAX] {
        let mut file = three_records();
        put_word(&mut file, 0x144, size);
        assert_eq!(file_field(file), "block size", "{size}");
    }
}

#[test]
fn a_root_outside_of_the_file_is_refused() {
    for root in [1, 399, 0x1401, 0x1800, u32::MAX] {
        let mut file = three_records();
        put_word(&mut file, 0x160, root);
        assert_eq!(file_field(file), "root block", "{root:#x}");
    }
    assert_eq!(file_field(three_records()[..399].to_vec()), "length");
    assert_eq!(file_field(Vec::new()), "length");
}

#[test]
fn input_76_entry_count() {
    for count in [62, u32::MAX] {
        let mut file = three_records();
        put_word(&mut file, 0x4FC, count);
        let dat = open(file);
        assert_eq!(node_fault(dat.find(SURFACE)), NodeFault::TooManyEntries(count));
        let found: Vec<_> = dat.entries().collect();
        assert_eq!(found.len(), 1);
        assert!(found[0].is_err());
    }
}

#[test]
fn input_77_a_node_that_is_its_own_child() {
    let mut file = three_records();
    put_word(&mut file, 0x404, 0x400);
    let dat = open(file);
    assert_eq!(node_fault(dat.find(DatId(5))), NodeFault::Cycle);
    let first = dat.entries().next().unwrap();
    assert_eq!(node_fault(first), NodeFault::Cycle);
    // The other children are missing, the entries are there.
    assert_eq!(dat.entries().filter_map(Result::ok).count(), 3);
    assert_eq!(dat.entries().count(), 7);
}

#[test]
fn input_78_a_block_that_links_to_itself() {
    let mut file = three_records();
    put_word(&mut file, 0x500 + 12, 2000);
    put_word(&mut file, 0xC00, 0xC00);
    let error = record_error(open(file).get(SURFACE));
    assert_eq!((error.id, error.offset), (SURFACE, 1020));
    assert_eq!(error.problem, ChainFault::Revisits(0xC00).to_string());
}

#[test]
fn input_79_a_chain_into_a_free_block() {
    let mut file = three_records();
    put_word(&mut file, 0x500 + 12, 3000);
    put_word(&mut file, 0xC00, 0x1000);
    put_word(&mut file, 0x1000, 0x8000_1400);
    let error = record_error(open(file.clone()).get(SURFACE));
    assert_eq!((error.offset, error.problem), (2040, ChainFault::RunsIntoFree(0x1000).to_string()));
    put_word(&mut file, 0x1000, 0);
    let error = record_error(open(file).get(SURFACE));
    assert_eq!((error.offset, error.problem), (2040, ChainFault::TooShort(0x1000).to_string()));
}

#[test]
fn input_80_size() {
    let mut file = three_records();
    put_word(&mut file, 0x500 + 12, 0xFFFF_FFF0);
    assert_eq!(record_error(open(file).get(SURFACE)).field, "size");
}

#[test]
fn input_81_iteration_record() {
    let mut file = three_records();
    put(&mut file, 0x1404, "A0 86 01 00 00 00 00 00");
    put_word(&mut file, 0x530 + 12, 4);
    let dat = open(file);
    assert_eq!(record_error(dat.iterations()).id, DatId::ITERATION);
    assert_eq!(dat.current_iteration(), 0);
    assert_eq!(dat.get(SURFACE).unwrap().len(), 20);
}

#[test]
fn input_82_uncompressed_size() {
    let mut file = with_compressed(20);
    put(&mut file, 0xC04, "FF FF FF FF");
    assert_eq!(record_error(open(file).get(SURFACE)).field, "uncompressed size");
}

#[test]
fn a_record_beyond_the_callers_limits_is_refused_and_others_are_read() {
    let compressed = open(with_compressed(31));
    let length = compressed.get(SURFACE).unwrap().len();
    let limited = |inflated_bytes| {
        open(with_compressed(31)).with_limits(Limits::default().inflated_bytes(inflated_bytes))
    };
    assert_eq!(limited(length).get(SURFACE).unwrap().len(), length);
    assert_eq!(record_error(limited(length - 1).get(SURFACE)).field, "uncompressed size");
    let stored =
        |record_bytes| open(with_compressed(31)).with_limits(Limits::default().record_bytes(record_bytes));
    assert_eq!(stored(31).get(SURFACE).unwrap().len(), length);
    assert_eq!(record_error(stored(30).get(SURFACE)).field, "size");
}
