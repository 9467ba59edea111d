//! Blocks of a file that is being changed: taking, giving back, growing. Spec: dat-container §4.

use crate::{
    Error, Result,
    container::{
        DatFile, Entry, Header,
        block::{FREE, LINK_BYTES},
        block_set::BlockSet,
        header::{FIRST_BLOCK, HEADER_BYTES, MAX_FILE_BYTES},
        node::NODE_BYTES,
        node_form::NodeForm,
    },
};
use std::{
    collections::HashSet,
    io::{self, Read, Seek, SeekFrom, Write},
    path::PathBuf,
};

/// What the original writer grows a file by.
const GROWTH: u64 = 1 << 20;

/// Where an edited file is kept.
pub trait Store: Read + Write + Seek {}
impl<S: Read + Write + Seek> Store for S {}

/// A node together with its place.
pub(super) struct Node {
    blocks: Vec<u32>,
    pub(super) form: NodeForm,
}

impl Node {
    /// What parents and the header call the node by.
    pub(super) fn offset(&self) -> u32 {
        self.blocks[0]
    }
}

/// The blocks of a file, and its header, which is written last.
pub(super) struct Space<S> {
    store: S,
    path: PathBuf,
    header: Header,
    length: u64,
    /// Blocks that must not be given back, as others use them too.
    shared: BlockSet,
}

impl<S: Store> Space<S> {
    pub(super) fn new(dat: &DatFile, store: S, path: PathBuf, shared: BlockSet) -> Space<S> {
        let length = dat.blocks().file_bytes();
        Space { store, path, header: dat.header().clone(), length: length as u64, shared }
    }

    pub(super) fn into_store(self) -> S {
        self.store
    }

    #[cfg(test)]
    pub(super) fn store_mut(&mut self) -> &mut S {
        &mut self.store
    }

    pub(super) fn root(&self) -> u32 {
        self.header.root
    }

    pub(super) fn set_root(&mut self, root: u32) {
        self.header.root = root;
    }

    pub(super) fn blocks_for(&self, bytes: usize) -> usize {
        bytes.div_ceil(self.payload()).max(1)
    }

    fn block_size(&self) -> u64 {
        self.header.block_size.into()
    }

    fn payload(&self) -> usize {
        self.header.block_size as usize - LINK_BYTES
    }

    /// Stops using the blocks of a list that cannot be trusted.
    pub(super) fn abandon_free_list(&mut self) {
        (self.header.first_free, self.header.last_free, self.header.free_count) = (0, 0, 0);
    }

    /// Makes sure that `blocks` blocks can be taken, or fails before anything was written.
    pub(super) fn reserve(&mut self, blocks: usize) -> Result<()> {
        let missing = (blocks as u64).saturating_sub(self.header.free_count.into());
        if missing == 0 {
            return Ok(());
        }
        let start = self.end();
        let room = MAX_FILE_BYTES.saturating_sub(start) / self.block_size();
        if missing > room {
            return Err(Error::Unwritable(format!("the file would exceed {MAX_FILE_BYTES} bytes")));
        }
        let customary = missing.max(GROWTH / self.block_size()).min(room);
        self.grow(start, customary)
    }

    /// Where the next block of a longer file would lie.
    fn end(&self) -> u64 {
        let length = self.length.max(FIRST_BLOCK.into());
        let over = (length - u64::from(self.shared.phase())) % self.block_size();
        if over == 0 { length } else { length + self.block_size() - over }
    }

    fn grow(&mut self, start: u64, count: u64) -> Result<()> {
        // MAX_FILE_BYTES keeps all offsets below 2^31.
        let blocks: Vec<u32> = (0..count).map(|index| (start + index * self.block_size()) as u32).collect();
        let mut bytes = vec![0; (count * self.block_size()) as usize];
        for (block, next) in bytes.chunks_exact_mut(self.block_size() as usize).zip(blocks.iter().skip(1)) {
            block[..LINK_BYTES].copy_from_slice(&(next | FREE).to_le_bytes());
        }
        if let Some(last) = bytes.chunks_exact_mut(self.block_size() as usize).last() {
            last[..LINK_BYTES].copy_from_slice(&FREE.to_le_bytes());
        }
        self.write_at(start, &bytes)?;
        self.append_to_free_list(&blocks)
    }

    /// Hangs blocks, which are linked among themselves, to the end of the free list.
    fn append_to_free_list(&mut self, blocks: &[u32]) -> Result<()> {
        let (Some(&first), Some(&last)) = (blocks.first(), blocks.last()) else { return Ok(()) };
        if self.header.free_count == 0 {
            self.header.first_free = first;
        } else {
            self.write_link(self.header.last_free, first | FREE)?;
        }
        self.header.last_free = last;
        self.header.free_count += blocks.len() as u32;
        Ok(())
    }

    /// Takes the first block of the free list.
    fn take(&mut self) -> Result<u32> {
        let block = self.header.first_free;
        let count = self.header.free_count.checked_sub(1);
        self.header.free_count = count.ok_or_else(|| Error::Unwritable("no free block".to_owned()))?;
        self.header.first_free = self.read_link(block)? & !FREE;
        if self.header.free_count == 0 {
            self.header.last_free = 0;
        }
        Ok(block)
    }

    /// Gives blocks back, but for those that something else uses.
    fn release(&mut self, mut blocks: Vec<u32>) -> Result<()> {
        blocks.retain(|&block| !self.shared.contains(block));
        for (index, &block) in blocks.iter().enumerate() {
            let next = blocks.get(index + 1).copied().unwrap_or(0);
            self.write_link(block, next | FREE)?;
        }
        self.append_to_free_list(&blocks)
    }

    /// Gives back the blocks of a record. A chain that cannot be followed stays where it is: lost space is better
    /// than a block that is used twice.
    pub(super) fn release_record(&mut self, entry: &Entry) -> Result<()> {
        match self.chain(entry.offset, self.blocks_for(entry.size as usize))? {
            Some(blocks) => self.release(blocks),
            None => Ok(()),
        }
    }

    pub(super) fn release_node(&mut self, node: Node) -> Result<()> {
        self.release(node.blocks)
    }

    /// The blocks of a chain, if it has as many as it should.
    fn chain(&mut self, first: u32, count: usize) -> Result<Option<Vec<u32>>> {
        let mut blocks = Vec::new();
        let mut seen = HashSet::new();
        let mut block = first;
        while blocks.len() < count {
            let inside = block as usize >= HEADER_BYTES && u64::from(block) < self.length;
            if block & FREE != 0 || !inside || !seen.insert(block) {
                return Ok(None);
            }
            blocks.push(block);
            block = self.read_link(block)?;
        }
        Ok(Some(blocks))
    }

    /// Writes bytes into blocks of the free list.
    pub(super) fn write_new(&mut self, bytes: &[u8]) -> Result<u32> {
        let blocks = (0..self.blocks_for(bytes.len())).map(|_| self.take()).collect::<Result<Vec<_>>>()?;
        self.write_chain(&blocks, bytes)?;
        Ok(blocks[0])
    }

    fn write_chain(&mut self, blocks: &[u32], bytes: &[u8]) -> Result<()> {
        let payload = self.payload();
        let mut whole = vec![0; self.header.block_size as usize];
        for (index, &block) in blocks.iter().enumerate() {
            let piece = bytes.chunks(payload).nth(index).unwrap_or_default();
            let next = blocks.get(index + 1).copied().unwrap_or(0);
            whole.fill(0);
            whole[..LINK_BYTES].copy_from_slice(&next.to_le_bytes());
            whole[LINK_BYTES..LINK_BYTES + piece.len()].copy_from_slice(piece);
            self.write_at(block.into(), &whole)?;
        }
        Ok(())
    }

    pub(super) fn new_node(&mut self, form: NodeForm) -> Result<Node> {
        let count = self.blocks_for(NODE_BYTES);
        let blocks = (0..count).map(|_| self.take()).collect::<Result<Vec<_>>>()?;
        let node = Node { blocks, form };
        self.write_node(&node)?;
        Ok(node)
    }

    pub(super) fn write_node(&mut self, node: &Node) -> Result<()> {
        self.write_chain(&node.blocks, &node.form.to_bytes())
    }

    pub(super) fn read_node(&mut self, offset: u32) -> Result<Node> {
        let mut bytes = [0; NODE_BYTES];
        let mut blocks = Vec::new();
        let mut whole = vec![0; self.header.block_size as usize];
        let mut block = offset;
        for piece in bytes.chunks_mut(self.payload()) {
            self.read_at(block.into(), &mut whole)?;
            let (link, payload) = whole.split_at(LINK_BYTES);
            piece.copy_from_slice(&payload[..piece.len()]);
            blocks.push(block);
            block = u32::from_le_bytes([link[0], link[1], link[2], link[3]]);
        }
        Ok(Node { blocks, form: NodeForm::from_bytes(&bytes) })
    }

    /// Writes the header, with the journal emptied and the size as it is.
    pub(super) fn write_header(&mut self) -> Result<()> {
        self.header.file_size = self.length as u32;
        self.header.clear_journal();
        let bytes = self.header.to_bytes();
        self.write_at(0, &bytes)?;
        self.store.flush().map_err(|source| self.failed(source))
    }

    fn read_link(&mut self, block: u32) -> Result<u32> {
        let mut link = [0; LINK_BYTES];
        self.read_at(block.into(), &mut link)?;
        Ok(u32::from_le_bytes(link))
    }

    fn write_link(&mut self, block: u32, link: u32) -> Result<()> {
        self.write_at(block.into(), &link.to_le_bytes())
    }

    /// Reads bytes; those after the end of the file are zero, as the last block may be cut.
    fn read_at(&mut self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let there = self.length.saturating_sub(offset).min(bytes.len() as u64) as usize;
        let (bytes, beyond) = bytes.split_at_mut(there);
        beyond.fill(0);
        let read = self.store.seek(SeekFrom::Start(offset)).and_then(|_| self.store.read_exact(bytes));
        read.map_err(|source| self.failed(source))
    }

    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        let written = self.store.seek(SeekFrom::Start(offset)).and_then(|_| self.store.write_all(bytes));
        written.map_err(|source| self.failed(source))?;
        self.length = self.length.max(offset + bytes.len() as u64);
        Ok(())
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Io { path: self.path.clone(), source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::{Builder, FileKind};
    use crate::records::Iteration;
    use std::io::Cursor;

    fn space() -> Space<Cursor<Vec<u8>>> {
        let builder = Builder::in_memory(Header::new(FileKind::Cell)).unwrap();
        let dat = DatFile::from_bytes(builder.into_bytes(&Iteration::complete(1)).unwrap()).unwrap();
        let store = Cursor::new(dat.bytes().unwrap().to_vec());
        let shared = dat.survey().into_shared().unwrap();
        Space::new(&dat, store, PathBuf::new(), shared)
    }

    #[test]
    fn a_file_grows_by_a_mebibyte_or_by_what_is_needed() {
        let mut space = space();
        space.reserve(1).unwrap();
        assert_eq!(space.header.free_count, 4096);
        space.reserve(10_000).unwrap();
        assert_eq!(space.header.free_count, 10_000);
    }

    #[test]
    fn a_file_beyond_the_limit_is_refused_before_anything_is_written() {
        let mut space = space();
        let before = space.store.get_ref().clone();
        // As if the file were that long already.
        space.length = MAX_FILE_BYTES - 3 * 256;
        assert!(matches!(space.reserve(3), Err(Error::Unwritable(_))));
        assert_eq!((space.header.free_count, space.store.get_ref()), (0, &before));
    }

    #[test]
    fn the_last_blocks_below_the_limit_can_be_used() {
        let mut space = space();
        space.length = MAX_FILE_BYTES - 3 * 256;
        let start = space.end();
        assert_eq!((MAX_FILE_BYTES - start) / 256, 2);
        assert!(space.reserve(usize::MAX).is_err());
    }
}
