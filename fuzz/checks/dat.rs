//! What must hold for any bytes. The fuzz targets and the replay of their seeds share these.

mod ranged;

use std::collections::BTreeMap;
use threshold_dat::{
    DatId, IdScheme, Mode, RecordKind,
    container::{DatFile, Editor, Finding, Note, Sight},
    records::Record,
};

/// Bytes read from one file before the rest is left alone: entries may share blocks, so that a small file can
/// name far more than it holds.
const MAX_READ: usize = 16 << 20;

/// Opens any bytes as a file, looks at all of it, and edits it if it lets itself be edited.
pub(crate) fn container(data: &[u8]) {
    for mode in [Mode::Strict, Mode::Lenient] {
        ranged::assert_same(data, mode, [DatId(0), DatId(0x0101_0100), DatId::ITERATION].into_iter());
        let Ok(dat) = DatFile::from_bytes(data.to_vec()) else { return };
        let dat = dat.with_mode(mode);
        dat.notes();
        dat.iterations().ok();
        let free = dat.free_blocks().filter(Result::is_ok).count();
        assert!(free * dat.header().block_size as usize <= data.len());
        readable(&dat);
    }
    edit(data);
}

/// Every record that can be read. An id that an enumeration gives is found or in a damaged part, never absent,
/// as long as the order of the directory can be relied on.
fn readable(dat: &DatFile) -> BTreeMap<DatId, Vec<u8>> {
    let disordered = dat
        .survey()
        .any(|sight| matches!(sight, Sight::Finding(Finding::Node { .. } | Finding::Duplicate(_))));
    let mut records = BTreeMap::new();
    let mut total = 0;
    for entry in dat.entries().flatten() {
        if !disordered {
            assert_eq!(dat.find(entry.id).unwrap(), Some(entry));
        }
        if total > MAX_READ {
            break;
        }
        if let Ok(bytes) = dat.read(&entry) {
            assert!(entry.is_compressed() || bytes.len() == entry.size as usize);
            total += bytes.len();
            records.insert(entry.id, bytes.into_owned());
        }
    }
    records
}

/// An edit adds what it is told to and loses nothing that could be read before.
fn edit(data: &[u8]) {
    let Ok(mut editor) = Editor::from_bytes(data.to_vec()) else { return };
    let Ok(before) = DatFile::from_bytes(data.to_vec()) else { return };
    let unreliable = before.survey().any(|sight| {
        matches!(sight, Sight::Finding(Finding::SharedBlock { .. }) | Sight::Note(Note::UnalignedBlock(_)))
    });
    let (id, bytes) = (DatId(0x3100_0001), [7; 3000]);
    if editor.put(id, &bytes).is_err() {
        return;
    }
    let Ok(after) = editor.into_bytes() else { return };
    let after = DatFile::from_bytes(after).unwrap();
    assert_eq!(after.get(id).unwrap(), &bytes[..]);
    if !unreliable {
        for (other, bytes) in readable(&before).into_iter().filter(|(other, _)| *other != id) {
            assert_eq!(after.get(other).unwrap(), bytes);
        }
    }
}

/// The kind, id and bytes of a record: a byte for the sort of file, four for the id, then the record.
fn split(data: &[u8]) -> Option<(RecordKind, DatId, &[u8])> {
    let (&file, rest) = data.split_first()?;
    let (id, bytes) = rest.split_first_chunk()?;
    let id = DatId(u32::from_le_bytes(*id));
    let scheme = if file % 2 == 0 { IdScheme::Portal } else { IdScheme::Cell };
    Some((id.kind(scheme), id, bytes))
}

/// Decodes any bytes as a record of any kind; an error names a place inside them.
pub(crate) fn record(data: &[u8]) {
    let Some((kind, id, bytes)) = split(data) else { return };
    for mode in [Mode::Strict, Mode::Lenient] {
        if let Err(error) = Record::decode(id, kind, bytes, mode) {
            assert_eq!(error.id, id);
            assert!(error.offset <= bytes.len(), "{error}");
        }
    }
}

/// A record that is accepted comes out as it went in, and what is accepted strictly is accepted leniently.
pub(crate) fn roundtrip(data: &[u8]) {
    let Some((kind, id, bytes)) = split(data) else { return };
    let strict = Record::decode(id, kind, bytes, Mode::Strict);
    let Ok(lenient) = Record::decode(id, kind, bytes, Mode::Lenient) else {
        assert!(strict.is_err());
        return;
    };
    assert_eq!(lenient.encode().unwrap(), bytes);
    // The usual form of a value is stable.
    if let Ok(usual) = lenient.value.encode(id) {
        let again = Record::decode(id, kind, &usual, Mode::Lenient).unwrap();
        assert_eq!(again.value.encode(id).unwrap(), usual);
    }
}
