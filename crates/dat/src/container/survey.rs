//! Looking at every node, chain and free block of a file.

use super::{
    ChainFault, DatFile, Entry, FreeListFault, Note,
    block_set::{BlockSet, Inserted},
    compression::MIN_STORED,
    free_list::FreeBlocks,
    header::FIRST_BLOCK,
    node::{MIN_ENTRIES, NODE_BYTES, NodeFault},
    walk::{Step, Walk},
};
use crate::{DatId, RecordError};
use std::collections::VecDeque;
use thiserror::Error;

/// Mapped bytes that are looked at before their pages are given back.
const PAGES_KEPT: u64 = 16 << 20;

/// Something wrong with the structure of a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Finding {
    /// Part of the directory is unreachable or out of order.
    #[error("directory node at offset {offset:#x}: {fault}")]
    Node {
        /// Byte offset of the node.
        offset: u32,
        /// What is wrong with it.
        fault: NodeFault,
    },
    /// Two entries of one id; the first one counts.
    #[error("{0} is in the directory more than once")]
    Duplicate(DatId),
    /// The blocks of a record cannot be followed.
    #[error(transparent)]
    Record(RecordError),
    /// A block that has two owners.
    #[error("{owner} lies in block {block:#x}, which is also used by something else")]
    SharedBlock {
        /// The second owner.
        owner: Owner,
        /// The block.
        block: u32,
    },
    /// The free list cannot be used.
    #[error("free list: {0}")]
    FreeList(FreeListFault),
    /// Blocks without an owner: lost space.
    #[error("{count} blocks belong to nothing, the first at {first:#x}")]
    Orphans {
        /// How many.
        count: u32,
        /// Offset of the first.
        first: u32,
    },
    /// The file does not record its patch.
    #[error("there is no iteration record")]
    NoIterationRecord,
}

/// The owner of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Owner {
    /// A node of the directory, by its offset.
    #[error("directory node {0:#x}")]
    Node(u32),
    /// A record.
    #[error("record {0}")]
    Record(DatId),
}

/// An item of a [`Survey`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sight {
    /// An entry whose record can be read and shares no block with an earlier one.
    Entry(Entry),
    /// Something wrong.
    Finding(Finding),
    /// Something unusual.
    Note(Note),
}

/// Totals of a survey.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Entries of the directory.
    pub entries: u32,
    /// Nodes of the directory.
    pub nodes: u32,
    /// Blocks of records and nodes.
    pub used_blocks: u32,
    /// Blocks of the free list.
    pub free_blocks: u32,
}

/// Surveys the whole structure of a file: entries in order of id, findings where they arise, then the free list and the
/// blocks without an owner.
///
/// It needs one bit of memory per block, and returns pages of the map to the system as it goes.
pub struct Survey<'a> {
    dat: &'a DatFile,
    walk: Option<Walk<'a>>,
    pending: VecDeque<Sight>,
    used: BlockSet,
    shared: BlockSet,
    unaccounted: bool,
    /// Blocks off the grid that are still followed; there cannot be more of them than fit into the file.
    unaligned_left: usize,
    leaf_depth: Option<usize>,
    iteration_seen: bool,
    totals: Totals,
    looked_at: u64,
}

impl<'a> Survey<'a> {
    pub(super) fn new(dat: &'a DatFile) -> Survey<'a> {
        let none = BlockSet::new(dat.header(), dat.blocks().file_bytes());
        Survey {
            dat,
            walk: Some(Walk::new(dat, DatId(0)..=DatId(u32::MAX))),
            pending: dat.notes().into_iter().map(Sight::Note).collect(),
            used: none.clone(),
            shared: none,
            unaccounted: false,
            unaligned_left: dat.blocks().file_bytes() / dat.header().block_size as usize,
            leaf_depth: None,
            iteration_seen: false,
            totals: Totals::default(),
            looked_at: 0,
        }
    }

    /// The numbers so far; complete once the iterator has ended.
    pub fn totals(&self) -> Totals {
        Totals { used_blocks: self.used.len(), ..self.totals }
    }

    /// Blocks with more than one owner; nothing when the owners of some blocks could not be told.
    pub(super) fn into_shared(self) -> Option<BlockSet> {
        (!self.unaccounted).then_some(self.shared)
    }

    fn find(&mut self, finding: Finding) {
        self.pending.push_back(Sight::Finding(finding));
    }

    fn note(&mut self, note: Note) {
        self.pending.push_back(Sight::Note(note));
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Node { offset, depth, count, leaf, ordered } => {
                self.node(offset, depth, count, leaf, ordered)
            }
            Step::Fault { offset, fault } => self.find(Finding::Node { offset, fault }),
            Step::Duplicate(entry) => {
                self.find(Finding::Duplicate(entry.id));
                self.record(&entry);
            }
            Step::Entry(entry) => {
                self.totals.entries += 1;
                self.iteration_seen |= entry.id == DatId::ITERATION;
                if self.record(&entry) {
                    self.pending.push_back(Sight::Entry(entry));
                }
            }
        }
    }

    fn node(&mut self, offset: u32, depth: usize, count: usize, leaf: bool, ordered: bool) {
        self.totals.nodes += 1;
        if !ordered {
            self.find(Finding::Node { offset, fault: NodeFault::Disordered });
        }
        if depth > 0 && count < MIN_ENTRIES {
            self.note(Note::SparseNode { offset, count });
        }
        if leaf && *self.leaf_depth.get_or_insert(depth) != depth {
            self.note(Note::UnevenLeaf { offset, depth });
        }
        if let Err((_, fault)) = self.claim(Owner::Node(offset), offset, NODE_BYTES) {
            self.find(Finding::Node { offset, fault: fault.into() });
        }
    }

    /// Looks at the blocks of a record; true when it can be read and shares none with what came before.
    fn record(&mut self, entry: &Entry) -> bool {
        let size = match self.dat.checked_size(entry) {
            Ok(size) => size,
            Err(error) => {
                self.find(Finding::Record(error));
                return false;
            }
        };
        if size == 0 {
            self.note(Note::EmptyRecord(entry.id));
        }
        if entry.is_compressed() && size < MIN_STORED {
            self.note(Note::ShortCompressed(entry.id));
        }
        // An empty record has a block too, but a reader does not need it.
        match self.claim(Owner::Record(entry.id), entry.offset, size.max(1)) {
            Ok(alone) => alone,
            Err(_) if size == 0 => true,
            Err((offset, fault)) => {
                self.find(Finding::Record(DatFile::broken_chain(entry, offset, fault)));
                false
            }
        }
    }

    /// Marks the blocks of a chain as used; false when another has some of them.
    fn claim(&mut self, owner: Owner, first: u32, length: usize) -> Result<bool, (usize, ChainFault)> {
        let mut done = 0;
        let mut alone = true;
        for piece in self.dat.blocks().chain(first, length) {
            let (block, bytes) = piece.map_err(|fault| (done, fault))?;
            done += bytes.len();
            match self.used.insert(block) {
                Inserted::New => {}
                Inserted::Present => {
                    if std::mem::take(&mut alone) {
                        self.find(Finding::SharedBlock { owner, block });
                    }
                    if self.shared.insert(block) == Inserted::Present {
                        // A third owner. Following it would let a small directory claim a large chain
                        // again and again.
                        self.unaccounted = true;
                        break;
                    }
                }
                Inserted::Misplaced => {
                    if !std::mem::replace(&mut self.unaccounted, true) {
                        self.note(Note::UnalignedBlock(block));
                    }
                    let Some(left) = self.unaligned_left.checked_sub(1) else {
                        alone = false;
                        break;
                    };
                    self.unaligned_left = left;
                }
            }
        }
        self.looked_at += done as u64;
        if self.looked_at > PAGES_KEPT {
            self.looked_at = 0;
            self.dat.release_pages();
        }
        Ok(alone)
    }

    /// What can only be said once all owners are known.
    fn conclude(&mut self) {
        if !self.iteration_seen {
            self.find(Finding::NoIterationRecord);
        }
        let mut list = FreeBlocks::new(self.dat);
        let fault = list.by_ref().find_map(|block| match block {
            Ok(block) => self.used.contains(block).then_some(FreeListFault::InUse(block)),
            Err(fault) => Some(fault),
        });
        self.totals.free_blocks = list.seen().len();
        if let Some(fault) = fault {
            self.find(Finding::FreeList(fault));
        }
        // With blocks that could not be accounted for, nobody knows what is an orphan.
        if !self.unaccounted {
            self.orphans(list.seen());
        }
    }

    fn orphans(&mut self, free: &BlockSet) {
        let block_size = self.dat.header().block_size;
        let end = u32::try_from(self.dat.blocks().file_bytes()).unwrap_or(u32::MAX);
        let start = FIRST_BLOCK + (self.used.phase() + block_size - FIRST_BLOCK % block_size) % block_size;
        let owned = |block: &u32| self.used.contains(*block) || free.contains(*block);
        let mut orphans = (start..end).step_by(block_size as usize).filter(|block| !owned(block));
        if let Some(first) = orphans.next() {
            let count = 1 + orphans.count() as u32;
            self.find(Finding::Orphans { count, first });
        }
    }
}

impl Iterator for Survey<'_> {
    type Item = Sight;

    fn next(&mut self) -> Option<Sight> {
        while self.pending.is_empty() {
            match self.walk.as_mut()?.next() {
                Some(step) => self.step(step),
                None => {
                    self.walk = None;
                    self.conclude();
                }
            }
        }
        self.pending.pop_front()
    }
}
