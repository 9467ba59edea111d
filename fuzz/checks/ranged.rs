//! Files that are read by ranges.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use threshold_dat::{
    DatId, Mode,
    container::{DatFile, ReadAt},
};

/// Bytes read from one file before the rest is left alone: entries may share blocks.
const MAX_READ: usize = 16 << 20;

/// A file of which only parts are handed out, and counted.
pub(crate) struct Ranged {
    bytes: Vec<u8>,
    /// Bytes that were handed out.
    pub(crate) read: Arc<AtomicUsize>,
}

impl Ranged {
    pub(crate) fn new(bytes: Vec<u8>) -> Ranged {
        Ranged { bytes, read: Arc::default() }
    }
}

impl ReadAt for Ranged {
    fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        buffer.copy_from_slice(&self.bytes[offset as usize..][..buffer.len()]);
        self.read.fetch_add(buffer.len(), Ordering::Relaxed);
        Ok(())
    }
}

/// Whatever the bytes are, a file that is read by ranges answers as one that is in memory does.
pub(crate) fn assert_same(bytes: &[u8], mode: Mode, ids: impl Iterator<Item = DatId>) {
    let whole = DatFile::from_bytes(bytes.to_vec());
    let ranged = DatFile::from_ranges("ranged", Ranged::new(bytes.to_vec()));
    let (whole, ranged) = match (whole, ranged) {
        (Ok(whole), Ok(ranged)) => (whole.with_mode(mode), ranged.with_mode(mode)),
        (whole, ranged) => {
            assert_eq!(text(whole.err()), text(ranged.err()));
            return;
        }
    };
    assert_eq!((whole.header(), whole.notes()), (ranged.header(), ranged.notes()));
    assert!(whole.survey().eq(ranged.survey()));
    assert!(whole.free_blocks().eq(ranged.free_blocks()));
    let (entries, same) = (whole.entries().collect::<Vec<_>>(), ranged.entries().collect::<Vec<_>>());
    assert_eq!(text(&entries), text(same));
    let mut total = 0;
    for entry in entries.iter().flatten() {
        if total > MAX_READ {
            break;
        }
        let (bytes, same) = (whole.read(entry), ranged.read(entry));
        total += bytes.as_ref().map_or(0, |bytes| bytes.len());
        match (bytes, same) {
            (Ok(bytes), Ok(same)) => assert!(bytes == same, "{}", entry.id),
            (bytes, same) => assert_eq!(text(bytes), text(same)),
        }
    }
    for id in ids {
        assert_eq!(text(whole.find(id)), text(ranged.find(id)));
    }
}

fn text(value: impl std::fmt::Debug) -> String {
    format!("{value:?}")
}
