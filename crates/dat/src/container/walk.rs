//! Visiting all entries in order of id. Spec: dat-container §5.4.

use super::{
    DatFile, Entry,
    block::LINK_BYTES,
    node::{FILLER, MAX_DEPTH, NODE_BYTES, NodeFault, NodeView, is_ordered},
    node_form::NodeForm,
};
use crate::{DatId, Mode, Result};
use std::{collections::HashSet, ops::RangeInclusive};

/// How many entries before its turn a record is fetched.
const AHEAD: usize = 10;
/// Most bytes of a record that are fetched before its turn.
const MOST_AHEAD: usize = 8192;

/// What a walk comes across.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A node is entered, in order or not.
    Node { offset: u32, depth: usize, count: usize, leaf: bool, ordered: bool },
    /// An entry of the range.
    Entry(Entry),
    /// An entry whose id occurred before; the first one counts.
    Duplicate(Entry),
    /// A subtree that is skipped.
    Fault { offset: u32, fault: NodeFault },
}

/// A walk over the nodes that can hold ids of a range, each visited once.
pub(super) struct Walk<'a> {
    dat: &'a DatFile,
    range: RangeInclusive<DatId>,
    stack: Vec<OpenNode>,
    /// The node to enter next.
    child: Option<Child>,
    visited: HashSet<u32>,
    nodes_left: usize,
    highest: Option<DatId>,
    found: usize,
    /// Every id so far; only kept once one was not above all before it.
    seen: Option<HashSet<DatId>>,
    /// Records are fetched before their turn.
    prefetches: bool,
}

struct Child {
    offset: u32,
    above: Option<DatId>,
    below: Option<DatId>,
}

/// A node on the way from the root to where the walk is.
struct OpenNode {
    offset: u32,
    node: NodeForm,
    index: usize,
    /// Whether the child left of the entry at `index` has been dealt with.
    descended: bool,
    ordered: bool,
    above: Option<DatId>,
    below: Option<DatId>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(dat: &'a DatFile, range: RangeInclusive<DatId>) -> Walk<'a> {
        let root = dat.header().root;
        let blocks = dat.blocks();
        let node_bytes = NODE_BYTES.div_ceil(blocks.payload_bytes()) * (blocks.payload_bytes() + LINK_BYTES);
        Walk {
            dat,
            range,
            stack: Vec::new(),
            child: (root != 0).then_some(Child { offset: root, above: None, below: None }),
            visited: HashSet::new(),
            nodes_left: (blocks.file_bytes() / node_bytes).max(1),
            highest: None,
            found: 0,
            seen: None,
            prefetches: false,
        }
    }

    fn enter(&mut self, child: Child) -> Step {
        let Child { offset, above, below } = child;
        let depth = self.stack.len();
        let fault = |fault| Step::Fault { offset, fault };
        if depth == MAX_DEPTH {
            return fault(NodeFault::TooDeep);
        }
        if !self.visited.insert(offset) {
            return fault(NodeFault::Cycle);
        }
        if self.nodes_left == 0 {
            return fault(NodeFault::TooManyNodes);
        }
        self.nodes_left -= 1;
        let node = match NodeView::open(self.dat.blocks(), offset) {
            Ok(node) => node.form(),
            Err(problem) => return fault(problem),
        };
        let entries = &node.entries;
        let ordered = is_ordered(entries.iter().map(|entry| entry.id), above, below);
        let before = |entry: &Entry| entry.id < *self.range.start();
        let index = if ordered { entries.partition_point(before) } else { 0 };
        let step = Step::Node { offset, depth, count: entries.len(), leaf: node.is_leaf(), ordered };
        if node.is_leaf() && self.prefetches {
            entries.iter().skip(index).take(AHEAD).for_each(|entry| prefetch(self.dat, entry));
        }
        self.stack.push(OpenNode { offset, node, index, descended: false, ordered, above, below });
        step
    }

    /// The next entry, when it is only a step further in an ordered leaf: nearly always.
    #[inline]
    fn next_in_leaf(&mut self) -> Option<Entry> {
        let frame = self.stack.last_mut().filter(|frame| frame.ordered && frame.node.is_leaf())?;
        let entry = frame.node.entries.get(frame.index)?;
        let ascends = self.seen.is_none() && self.highest.is_none_or(|highest| entry.id > highest);
        if !ascends || entry.id > *self.range.end() {
            return None;
        }
        if self.prefetches
            && let Some(later) = frame.node.entries.get(frame.index + AHEAD)
        {
            prefetch(self.dat, later);
        }
        frame.index += 1;
        self.highest = Some(entry.id);
        self.found += 1;
        Some(*entry)
    }

    /// Remembers an id; false when it came before.
    fn is_new(&mut self, id: DatId) -> bool {
        if self.seen.is_none() && self.highest.is_none_or(|highest| id > highest) {
            self.highest = Some(id);
            self.found += 1;
            return true;
        }
        let (dat, range, found) = (self.dat, self.range.clone(), self.found);
        let seen = self.seen.get_or_insert_with(|| {
            Walk::new(dat, range)
                .filter_map(|step| if let Step::Entry(entry) = step { Some(entry.id) } else { None })
                .take(found)
                .collect()
        });
        seen.insert(id)
    }
}

/// Asks the processor for the bytes of a record, which nearly always lie side by side.
#[inline]
fn prefetch(dat: &DatFile, entry: &Entry) {
    let length = (entry.size as usize).min(MOST_AHEAD);
    dat.blocks().view().prefetch(entry.offset as usize, length);
}

impl Iterator for Walk<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        loop {
            if let Some(child) = self.child.take() {
                return Some(self.enter(child));
            }
            let frame = self.stack.last_mut()?;
            let entry = frame.node.entries.get(frame.index).copied();
            if !frame.node.is_leaf() && !frame.descended {
                frame.descended = true;
                match frame.child(entry.as_ref()) {
                    Ok(child) => self.child = Some(child),
                    Err(fault) => return Some(Step::Fault { offset: frame.offset, fault }),
                }
                continue;
            }
            match entry {
                Some(entry) if !frame.ordered || entry.id <= *self.range.end() => {
                    frame.index += 1;
                    frame.descended = false;
                    if self.range.contains(&entry.id) {
                        let new = self.is_new(entry.id);
                        return Some(if new { Step::Entry(entry) } else { Step::Duplicate(entry) });
                    }
                }
                _ => {
                    self.stack.pop();
                }
            }
        }
    }
}

impl OpenNode {
    /// The child left of the entry at the index.
    fn child(&self, entry: Option<&Entry>) -> Result<Child, NodeFault> {
        let index = self.index;
        match self.node.children.get(index) {
            None | Some(&(0 | FILLER)) => Err(NodeFault::MissingChild(index)),
            Some(&offset) => Ok(Child {
                offset,
                above: index.checked_sub(1).map(|left| self.node.entries[left].id).or(self.above),
                below: entry.map(|entry| entry.id).or(self.below),
            }),
        }
    }
}

/// The entries of a file in ascending order of their ids.
///
/// A damaged part of the directory gives one error and is skipped; later entries are still found. In strict
/// mode, nodes out of order count as damaged too, and the first damage ends the walk.
pub struct Entries<'a> {
    walk: Walk<'a>,
    mode: Mode,
    ended: bool,
}

impl<'a> Entries<'a> {
    pub(super) fn new(dat: &'a DatFile, range: RangeInclusive<DatId>, mode: Mode) -> Entries<'a> {
        Entries { walk: Walk::new(dat, range), mode, ended: false }
    }

    /// For callers that read every record: has the processor fetch each a little before its turn.
    pub fn prefetching(mut self) -> Entries<'a> {
        self.walk.prefetches = true;
        self
    }

    fn damaged(&mut self, offset: u32, fault: NodeFault) -> Result<Entry> {
        self.ended = self.mode == Mode::Strict;
        Err(self.walk.dat.damaged(offset, fault))
    }
}

impl Iterator for Entries<'_> {
    type Item = Result<Entry>;

    #[inline]
    fn next(&mut self) -> Option<Result<Entry>> {
        while !self.ended {
            if let Some(entry) = self.walk.next_in_leaf() {
                return Some(Ok(entry));
            }
            match self.walk.next()? {
                Step::Entry(entry) => return Some(Ok(entry)),
                Step::Fault { offset, fault } => return Some(self.damaged(offset, fault)),
                Step::Node { offset, ordered: false, .. } if self.mode == Mode::Strict => {
                    return Some(self.damaged(offset, NodeFault::Disordered));
                }
                Step::Node { .. } | Step::Duplicate(_) => {}
            }
        }
        None
    }
}
