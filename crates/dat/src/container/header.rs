//! The 400 bytes at the start of a file.

use super::{Note, block::Blocks, entry::read_word, image::View};
use crate::{Error, IdScheme, Result};

/// Length of the header proper.
pub(super) const HEADER_BYTES: usize = 400;
/// Offsets are signed in the original.
pub(super) const MAX_FILE_BYTES: u64 = (1 << 31) - 1;
/// Where the first block of a new file lies, whatever its block size.
pub(super) const FIRST_BLOCK: u32 = 1024;

const MAGIC: u32 = 0x0000_5442;
const JOURNAL_AT: usize = 0x100;
const FIELDS_AT: usize = 0x140;
const MAJOR_VERSION_AT: usize = 0x17C;
const MINOR_VERSION_AT: usize = 0x18C;

/// A journal without a pending operation. Spec: dat-container §10.
const EMPTY_JOURNAL: [u8; 64] = {
    let mut bytes = [0; 64];
    bytes[1] = 0x50;
    bytes[2] = 0x4C;
    bytes
};

/// The files the game ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// `client_portal.dat`: everything that is not bound to a place.
    Portal,
    /// `client_highres.dat`: larger versions of textures.
    Highres,
    /// `client_cell_1.dat`: land blocks and interior cells.
    Cell,
    /// `client_local_English.dat`: texts and layouts.
    Local,
}

/// `HiFi`, the only thing that tells the highres file from portal.
const HIGHRES_SUBSET: u32 = 0x6946_6948;

/// The header of a file. Spec: dat-container §2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Decorative text, zero padded, never interpreted.
    pub version_text: [u8; 256],
    /// Redo record of the original writer; kept, never replayed.
    pub journal: [u8; 64],
    /// Bytes per block, the 4-byte link included.
    pub block_size: u32,
    /// Length of the file as it was last written.
    pub file_size: u32,
    /// 1 portal and highres, 2 cell, 3 local.
    pub file_type: u32,
    /// Region, language, or the mark of the highres file.
    pub subset: u32,
    /// Head of the free list; without meaning when `free_count` is 0.
    pub first_free: u32,
    /// Tail of the free list; without meaning when `free_count` is 0.
    pub last_free: u32,
    /// Length of the free list.
    pub free_count: u32,
    /// First block of the directory's root node, 0 when there are no records.
    pub root: u32,
    /// Unused in client files.
    pub newest_lru: u32,
    /// Unused in client files.
    pub oldest_lru: u32,
    /// Unused in client files.
    pub use_lru: u32,
    /// 0x25000000 in portal.
    pub master_map: u32,
    /// 110, or 22 for cell.
    pub engine_version: u32,
    /// 0; the original refuses other values.
    pub game_version: u32,
    /// A guid, copied verbatim.
    pub major_version: [u8; 16],
    /// 6657 at the end of retail.
    pub minor_version: u32,
}

impl Header {
    /// The header of a new, empty file, numbered like the last retail set.
    pub fn new(kind: FileKind) -> Header {
        let (block_size, file_type, subset, master_map, engine_version) = match kind {
            FileKind::Portal => (1024, 1, 0, 0x2500_0000, 110),
            FileKind::Highres => (1024, 1, HIGHRES_SUBSET, 0, 110),
            FileKind::Cell => (256, 2, 1, 0, 22),
            FileKind::Local => (1024, 3, 1, 0, 110),
        };
        Header {
            version_text: [0; 256],
            journal: EMPTY_JOURNAL,
            block_size,
            file_size: FIRST_BLOCK,
            file_type,
            subset,
            first_free: 0,
            last_free: 0,
            free_count: 0,
            root: 0,
            newest_lru: 0,
            oldest_lru: 0,
            use_lru: 0,
            master_map,
            engine_version,
            game_version: 0,
            major_version: [0; 16],
            minor_version: 6657,
        }
    }

    /// Which of the game's files this is, if any.
    pub fn kind(&self) -> Option<FileKind> {
        match (self.file_type, self.subset) {
            (1, HIGHRES_SUBSET) => Some(FileKind::Highres),
            (1, _) => Some(FileKind::Portal),
            (2, _) => Some(FileKind::Cell),
            (3, _) => Some(FileKind::Local),
            _ => None,
        }
    }

    /// How the ids of this file are to be read.
    pub fn scheme(&self) -> IdScheme {
        match self.kind() {
            Some(FileKind::Cell) => IdScheme::Cell,
            _ => IdScheme::Portal,
        }
    }

    /// Marks the journal as done, which every writer must: the original would replay it against a different tree.
    pub(super) fn clear_journal(&mut self) {
        self.journal = EMPTY_JOURNAL;
    }

    /// Reads the header at the start of a file and refuses one that cannot be opened at all.
    pub(super) fn read(start: &[u8], file: View<'_>) -> Result<Header> {
        let Some(bytes) = start.first_chunk::<HEADER_BYTES>() else {
            return Err(refused("length", 0, format!("{} bytes, a header has {HEADER_BYTES}", start.len())));
        };
        let magic = read_word(bytes, FIELDS_AT);
        if magic != MAGIC {
            return Err(refused("magic", FIELDS_AT, format!("{magic:#010x}, expected {MAGIC:#010x}")));
        }
        let header = Header::from_bytes(bytes);
        if !header.block_size.is_multiple_of(4) || !(64..=65536).contains(&header.block_size) {
            let problem = format!("{}, expected a multiple of 4 from 64 to 65536", header.block_size);
            return Err(refused("block size", FIELDS_AT + 4, problem));
        }
        let blocks = Blocks::new(file, header.block_size);
        if header.root != 0 && !blocks.has_whole_block(header.root) {
            let problem = format!("{:#x} is outside of the file's {:#x} bytes", header.root, file.length());
            return Err(refused("root block", FIELDS_AT + 0x20, problem));
        }
        Ok(header)
    }

    fn from_bytes(bytes: &[u8; HEADER_BYTES]) -> Header {
        let field = |index: usize| read_word(bytes, FIELDS_AT + index * 4);
        let mut header = Header::new(FileKind::Portal);
        header.version_text.copy_from_slice(&bytes[..JOURNAL_AT]);
        header.journal.copy_from_slice(&bytes[JOURNAL_AT..FIELDS_AT]);
        header.major_version.copy_from_slice(&bytes[MAJOR_VERSION_AT..MINOR_VERSION_AT]);
        Header {
            block_size: field(1),
            file_size: field(2),
            file_type: field(3),
            subset: field(4),
            first_free: field(5),
            last_free: field(6),
            free_count: field(7),
            root: field(8),
            newest_lru: field(9),
            oldest_lru: field(10),
            use_lru: field(11),
            master_map: field(12),
            engine_version: field(13),
            game_version: field(14),
            minor_version: read_word(bytes, MINOR_VERSION_AT),
            ..header
        }
    }

    /// The stored form.
    pub(super) fn to_bytes(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..JOURNAL_AT].copy_from_slice(&self.version_text);
        bytes[JOURNAL_AT..FIELDS_AT].copy_from_slice(&self.journal);
        let fields = [
            MAGIC,
            self.block_size,
            self.file_size,
            self.file_type,
            self.subset,
            self.first_free,
            self.last_free,
            self.free_count,
            self.root,
            self.newest_lru,
            self.oldest_lru,
            self.use_lru,
            self.master_map,
            self.engine_version,
            self.game_version,
        ];
        for (slot, value) in bytes[FIELDS_AT..MAJOR_VERSION_AT].chunks_exact_mut(4).zip(fields) {
            slot.copy_from_slice(&value.to_le_bytes());
        }
        bytes[MAJOR_VERSION_AT..MINOR_VERSION_AT].copy_from_slice(&self.major_version);
        bytes[MINOR_VERSION_AT..].copy_from_slice(&self.minor_version.to_le_bytes());
        bytes
    }

    /// What is unusual but accepted, given the file's real length.
    pub(super) fn notes(&self, length: usize) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.kind().is_none() {
            notes.push(Note::UnknownFileType(self.file_type));
        }
        if self.file_size as usize != length {
            notes.push(Note::FileSizeField { field: self.file_size, length: length as u64 });
        }
        if !self.root.is_multiple_of(self.block_size) {
            notes.push(Note::UnalignedRoot(self.root));
        }
        if !self.version_text.contains(&0) {
            notes.push(Note::UnterminatedVersionText);
        }
        if self.game_version != 0 {
            notes.push(Note::GameVersion(self.game_version));
        }
        if self.journal != EMPTY_JOURNAL && self.journal != [0; 64] {
            notes.push(Note::PendingJournal);
        }
        notes
    }
}

fn refused(field: &'static str, offset: usize, problem: String) -> Error {
    Error::File { field, offset: offset as u64, problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highres_mark_spells_hifi() {
        assert_eq!(&HIGHRES_SUBSET.to_le_bytes(), b"HiFi");
        assert_eq!(Header::new(FileKind::Highres).kind(), Some(FileKind::Highres));
    }

    #[test]
    fn every_byte_of_a_header_survives() {
        let mut bytes: [u8; HEADER_BYTES] = std::array::from_fn(|i| (i * 7 + i / 256) as u8);
        bytes[FIELDS_AT..FIELDS_AT + 4].copy_from_slice(&MAGIC.to_le_bytes());
        assert_eq!(Header::from_bytes(&bytes).to_bytes(), bytes);
    }
}
