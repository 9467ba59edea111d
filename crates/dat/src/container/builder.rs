//! Writing a new file in one pass. Spec: dat-container §5.7, §11.

use super::{
    Entry, Header, Limits, Replacement,
    block::LINK_BYTES,
    header::{FIRST_BLOCK, MAX_FILE_BYTES},
    node::MAX_ENTRIES,
    node_form::NodeForm,
};
use crate::{
    DatId, Error, Result,
    records::{DatRecord, Iteration},
};
use std::{
    io::{self, BufWriter, Cursor, Seek, Write},
    path::{Path, PathBuf},
};

/// The directory's attributes of a record, apart from its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// 2 or 3; no difference is known.
    pub version: u16,
    /// Unix seconds.
    pub date: u32,
    /// Patch in which the record was last changed.
    pub iteration: u32,
}

impl Default for Attributes {
    /// Version 2, the first second of 2000, patch 1.
    fn default() -> Attributes {
        Attributes { version: 2, date: 946_684_800, iteration: 1 }
    }
}

/// Writes a new file: records as they come, the directory at the end. Only the directory is held in memory.
///
/// ```
/// # use threshold_dat::{DatId, container::{Builder, DatFile, FileKind, Header}, records::Iteration};
/// let mut builder = Builder::in_memory(Header::new(FileKind::Portal))?;
/// builder.add(DatId(0x3100_0001), b"hello", Default::default())?;
/// let dat = DatFile::from_bytes(builder.into_bytes(&Iteration::complete(1))?)?;
/// assert_eq!(dat.get(DatId(0x3100_0001))?, &b"hello"[..]);
/// # Ok::<(), threshold_dat::Error>(())
/// ```
pub struct Builder<W: Write + Seek> {
    out: BufWriter<W>,
    path: PathBuf,
    header: Header,
    entries: Vec<Entry>,
    next: u32,
}

impl Builder<Cursor<Vec<u8>>> {
    /// A file in memory.
    pub fn in_memory(header: Header) -> Result<Self> {
        Builder::new(Cursor::default(), PathBuf::new(), header)
    }

    /// Writes the directory and hands out the file.
    pub fn into_bytes(self, iterations: &Iteration) -> Result<Vec<u8>> {
        self.finish(iterations).map(Cursor::into_inner)
    }
}

impl Builder<Replacement> {
    /// A file on disk, which appears (or replaces an older one) when it is committed.
    pub fn create(path: impl AsRef<Path>, header: Header) -> Result<Self> {
        let file = Replacement::new(path.as_ref())?;
        let path = file.target().to_owned();
        Builder::new(file, path, header)
    }

    /// Writes the directory and puts the file in its place.
    pub fn commit(self, iterations: &Iteration) -> Result<()> {
        self.finish(iterations)?.commit()
    }
}

impl<W: Write + Seek> Builder<W> {
    fn new(out: W, path: PathBuf, header: Header) -> Result<Self> {
        let mut builder = Builder {
            out: BufWriter::with_capacity(1 << 20, out),
            path,
            header,
            entries: Vec::new(),
            next: FIRST_BLOCK,
        };
        builder.write(&[0; FIRST_BLOCK as usize])?;
        Ok(builder)
    }

    /// Adds a record; ids may come in any order, each once.
    pub fn add(&mut self, id: DatId, bytes: &[u8], attributes: Attributes) -> Result<()> {
        let Attributes { version, date, iteration } = attributes;
        self.add_stored(&Entry { id, flags: 0, version, date, iteration, ..Entry::default() }, bytes)
    }

    /// Adds a record as stored in another file: keeps all of the entry except location and size.
    pub fn add_stored(&mut self, entry: &Entry, stored: &[u8]) -> Result<()> {
        if entry.id == DatId::ITERATION {
            return Err(Error::Unwritable(format!("{} is written at the end, by itself", entry.id)));
        }
        self.append(entry, stored)
    }

    fn append(&mut self, entry: &Entry, stored: &[u8]) -> Result<()> {
        let limit = Limits::DEFAULT.record_bytes;
        if stored.len() > limit {
            let problem = format!("{} has {} bytes, the limit is {limit}", entry.id, stored.len());
            return Err(Error::Unwritable(problem));
        }
        let offset = self.write_chain(stored)?;
        self.entries.push(Entry { offset, size: stored.len() as u32, ..*entry });
        Ok(())
    }

    /// Writes the iteration record, the directory and the header.
    fn finish(mut self, iterations: &Iteration) -> Result<W> {
        let date = self.entries.iter().map(|entry| entry.date).max().unwrap_or(Attributes::default().date);
        let iteration = iterations.current();
        let entry = Entry { id: DatId::ITERATION, version: 1, date, iteration, ..Entry::default() };
        self.append(&entry, &iterations.encode(DatId::ITERATION)?)?;
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_by_key(|entry| entry.id);
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(Error::Unwritable(format!("{} was added twice", pair[0].id)));
        }
        self.header.root = self.write_tree(entries)?;
        self.header.file_size = self.next;
        self.header.clear_journal();
        (self.header.first_free, self.header.last_free, self.header.free_count) = (0, 0, 0);
        let header = self.header.to_bytes();
        let written = self.out.rewind().and_then(|()| self.out.write_all(&header));
        written.map_err(|source| self.failed(source))?;
        let Builder { out, path, .. } = self;
        out.into_inner().map_err(|error| Error::Io { path, source: error.into_error() })
    }

    /// Writes the tree level by level, its root last.
    fn write_tree(&mut self, mut entries: Vec<Entry>) -> Result<u32> {
        let mut children: Vec<u32> = Vec::new();
        while entries.len() > MAX_ENTRIES {
            let mut separators = Vec::new();
            let mut offsets = Vec::new();
            let (mut rest, mut below) = (entries.as_slice(), children.as_slice());
            for length in level(entries.len()) {
                let (own, after) = rest.split_at(length);
                let branches = if below.is_empty() { 0 } else { length + 1 };
                let (own_children, after_children) = below.split_at(branches);
                let node = NodeForm { entries: own.to_vec(), children: own_children.to_vec() };
                offsets.push(self.write_chain(&node.to_bytes())?);
                if let Some((separator, after)) = after.split_first() {
                    separators.push(*separator);
                    rest = after;
                }
                below = after_children;
            }
            (entries, children) = (separators, offsets);
        }
        self.write_chain(&NodeForm { entries, children }.to_bytes())
    }

    /// Writes bytes into blocks that follow each other, and returns the first.
    fn write_chain(&mut self, bytes: &[u8]) -> Result<u32> {
        let block_size = self.header.block_size;
        let payload = block_size as usize - LINK_BYTES;
        let blocks = bytes.len().div_ceil(payload).max(1);
        let first = self.next;
        let end = u64::from(first) + blocks as u64 * u64::from(block_size);
        if end > MAX_FILE_BYTES {
            return Err(Error::Unwritable(format!("the file would exceed {MAX_FILE_BYTES} bytes")));
        }
        for index in 0..blocks {
            let start = index * payload;
            let piece = &bytes[start..bytes.len().min(start + payload)];
            self.next += block_size;
            let link = if index + 1 == blocks { 0 } else { self.next };
            self.write(&link.to_le_bytes())?;
            self.write(piece)?;
            self.pad(payload - piece.len())?;
        }
        Ok(first)
    }

    fn pad(&mut self, mut length: usize) -> Result<()> {
        const ZEROS: [u8; 256] = [0; 256];
        while length > 0 {
            let part = length.min(ZEROS.len());
            self.write(&ZEROS[..part])?;
            length -= part;
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes).map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Io { path: self.path.clone(), source }
    }
}

/// Entries of each node of a level that holds `total` of them, one separator between each two nodes left out.
/// All have between 30 and 61.
fn level(total: usize) -> impl Iterator<Item = usize> {
    let nodes = (total + 1).div_ceil(MAX_ENTRIES);
    let inside = total + 1 - nodes;
    (0..nodes).map(move |index| inside / nodes + usize::from(index < inside % nodes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::node::MIN_ENTRIES;

    #[test]
    fn every_node_of_a_level_is_at_least_half_full() {
        for total in 62..=10_000 {
            let lengths: Vec<usize> = level(total).collect();
            assert_eq!(lengths.iter().sum::<usize>() + lengths.len() - 1, total);
            assert!(lengths.iter().all(|length| (MIN_ENTRIES..=MAX_ENTRIES).contains(length)), "{total}");
        }
    }
}
