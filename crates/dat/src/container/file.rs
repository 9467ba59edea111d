//! An open dat file, for reading.

use super::{
    ChainFault, Entries, Entry, FreeBlocks, Header, Limits, NodeFault, Note, ReadAt, Survey,
    block::Blocks,
    compression,
    header::HEADER_BYTES,
    image::{Image, View},
    lookup,
    ranges::Ranges,
};
use crate::{
    DatId, Error, IdScheme, Mode, RecordError, Result,
    records::{DatRecord, Iteration},
};
use std::{
    borrow::Cow,
    fs::File,
    io,
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

/// A dat file, open for reading from any number of threads.
///
/// ```no_run
/// # use threshold_dat::{DatId, container::DatFile};
/// let portal = DatFile::open("client_portal.dat")?;
/// let setup = portal.get(DatId(0x0200_0001))?;
/// println!("{} bytes, patch {}", setup.len(), portal.current_iteration());
/// # Ok::<(), threshold_dat::Error>(())
/// ```
pub struct DatFile {
    image: Image,
    header: Header,
    mode: Mode,
    limits: Limits,
}

impl DatFile {
    /// Opens a file and reads its header. With the feature `mmap` it is mapped, else read whole.
    pub fn open(path: impl AsRef<Path>) -> Result<DatFile> {
        let path = path.as_ref();
        let failed = |source| Error::Io { path: path.to_owned(), source };
        let file = File::open(path).map_err(failed)?;
        DatFile::from_image(Image::open(&file).map_err(failed)?)
    }

    /// Opens a file that is already in memory.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<DatFile> {
        DatFile::from_image(Image::Memory(bytes.into()))
    }

    /// Opens a file of which only parts are read and few are cached: for files that can neither be mapped nor read
    /// whole. Errors use `name`.
    pub fn from_ranges(name: impl Into<PathBuf>, reader: impl ReadAt + 'static) -> Result<DatFile> {
        DatFile::from_image(Image::Ranges(Ranges::new(name.into(), Box::new(reader))))
    }

    fn from_image(image: Image) -> Result<DatFile> {
        let view = image.view();
        let start = view.read(0, view.length().min(HEADER_BYTES));
        let start = start.map_err(|source| refused(view, source))?.unwrap_or_default();
        let header = Header::read(&start, view)?;
        Ok(DatFile { image, header, mode: Mode::Lenient, limits: Limits::DEFAULT })
    }

    /// The same file, with another answer to damage.
    pub fn with_mode(self, mode: Mode) -> DatFile {
        DatFile { mode, ..self }
    }

    /// The same file, with other limits on what is read into memory.
    pub fn with_limits(self, limits: Limits) -> DatFile {
        DatFile { limits, ..self }
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How its ids are to be read.
    pub fn scheme(&self) -> IdScheme {
        self.header.scheme()
    }

    /// Notes about the file as a whole.
    pub fn notes(&self) -> Vec<Note> {
        self.header.notes(self.blocks().file_bytes())
    }

    /// Length of the file in bytes.
    pub fn length(&self) -> usize {
        self.image.view().length()
    }

    /// The whole file, as stored; `None` when it is read by ranges.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self.image.view() {
            View::Whole(bytes) => Some(bytes),
            View::Ranges(_) => None,
        }
    }

    pub(super) fn blocks(&self) -> Blocks<'_> {
        Blocks::new(self.image.view(), self.header.block_size)
    }

    /// The directory's entry of an id; an error means that the id may be there, in a part that is damaged.
    pub fn find(&self, id: DatId) -> Result<Option<Entry>> {
        lookup::find(self.blocks(), self.header.root, id, self.mode)
            .map_err(|(offset, fault)| self.damaged(offset, fault))
    }

    /// The bytes of a record, borrowed from the file when they lie in one piece.
    pub fn get(&self, id: DatId) -> Result<Cow<'_, [u8]>> {
        self.read(&self.find(id)?.ok_or(Error::NotFound(id))?)
    }

    /// All entries, ascending by id.
    pub fn entries(&self) -> Entries<'_> {
        self.range(DatId(0)..=DatId(u32::MAX))
    }

    /// The entries of a range of ids, ascending.
    pub fn range(&self, ids: RangeInclusive<DatId>) -> Entries<'_> {
        Entries::new(self, ids, self.mode)
    }

    /// The bytes of a record whose entry is at hand.
    pub fn read(&self, entry: &Entry) -> Result<Cow<'_, [u8]>> {
        let mut buffer = Vec::new();
        match self.gather(entry, &mut buffer)? {
            Some(piece) => Ok(Cow::Borrowed(piece)),
            None => Ok(Cow::Owned(buffer)),
        }
    }

    /// Like [`DatFile::read`] without allocating: a record in several pieces is assembled in `buffer`, whose contents
    /// are lost.
    pub fn read_with<'a>(&'a self, entry: &Entry, buffer: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        match self.gather(entry, buffer)? {
            Some(piece) => Ok(piece),
            None => Ok(buffer),
        }
    }

    /// The bytes as they are stored, for copying: compressed ones stay so.
    pub fn read_stored(&self, entry: &Entry) -> Result<Cow<'_, [u8]>> {
        self.read(&Entry { flags: 0, ..*entry })
    }

    /// Either the record in one piece, or nothing and the record in `buffer`.
    fn gather(&self, entry: &Entry, buffer: &mut Vec<u8>) -> Result<Option<&[u8]>> {
        let size = self.checked_size(entry)?;
        if size <= self.blocks().payload_bytes() && !entry.is_compressed() {
            if size == 0 {
                return Ok(Some(&[]));
            }
            return match self.blocks().read(entry.offset, size) {
                Ok((_, Cow::Borrowed(piece))) => Ok(Some(piece)),
                Ok((_, Cow::Owned(piece))) => {
                    *buffer = piece;
                    Ok(None)
                }
                Err(fault) => Err(self.unreadable(entry, 0, fault)),
            };
        }
        buffer.clear();
        if let Err(fault) = self.blocks().append(entry.offset, size, buffer) {
            return Err(self.unreadable(entry, buffer.len(), fault));
        }
        if entry.is_compressed() {
            *buffer = compression::inflate(entry.id, buffer, self.limits.inflated_bytes)?;
        }
        Ok(None)
    }

    /// A size that the file can hold and that may be allocated.
    pub(super) fn checked_size(&self, entry: &Entry) -> Result<usize, RecordError> {
        let limit = self.blocks().file_bytes().min(self.limits.record_bytes);
        let size = entry.size as usize;
        if size > limit {
            let problem = format!("{size} bytes, more than the {limit} that can be");
            return Err(RecordError { id: entry.id, field: "size", offset: 0, problem });
        }
        Ok(size)
    }

    /// The error for a record whose blocks cannot be followed after `offset` bytes.
    pub(super) fn broken_chain(entry: &Entry, offset: usize, fault: ChainFault) -> RecordError {
        RecordError { id: entry.id, field: "block chain", offset, problem: fault.to_string() }
    }

    /// The error for a record that cannot be read: its own, or the system's.
    fn unreadable(&self, entry: &Entry, offset: usize, fault: ChainFault) -> Error {
        match fault {
            ChainFault::Unreadable { kind, .. } => refused(self.image.view(), kind.into()),
            fault => Self::broken_chain(entry, offset, fault).into(),
        }
    }

    /// The error for a node that cannot be read: its own, or the system's.
    pub(super) fn damaged(&self, offset: u32, fault: NodeFault) -> Error {
        match fault {
            NodeFault::Chain(ChainFault::Unreadable { kind, .. }) => refused(self.image.view(), kind.into()),
            fault => Error::Directory { offset: offset.into(), fault },
        }
    }

    /// The blocks that wait to be used again.
    pub fn free_blocks(&self) -> FreeBlocks<'_> {
        FreeBlocks::new(self)
    }

    /// A look at every node, chain and free block.
    pub fn survey(&self) -> Survey<'_> {
        Survey::new(self)
    }

    /// Returns the memory of cached or mapped parts to the system; they are read again when needed. For programs that read
    /// a large file once and want to stay small.
    pub fn release_pages(&self) {
        self.image.release_pages();
    }

    /// The patches this file has seen.
    pub fn iterations(&self) -> Result<Iteration> {
        Ok(Iteration::load(DatId::ITERATION, &self.get(DatId::ITERATION)?)?)
    }

    /// The newest patch; 0 when the file does not record it.
    pub fn current_iteration(&self) -> u32 {
        self.iterations().map_or(0, |set| set.current())
    }
}

/// The system's refusal to read.
fn refused(file: View<'_>, source: io::Error) -> Error {
    let path = match file {
        View::Ranges(ranges) => ranges.path.clone(),
        View::Whole(_) => PathBuf::new(),
    };
    Error::Io { path, source }
}
