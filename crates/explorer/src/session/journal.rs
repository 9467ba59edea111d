//! What happened: a log for people, and every change of the player's cell.

use serde::Serialize;
use std::collections::VecDeque;
use threshold_world::CellId;

/// Entries that are kept of each.
const KEPT: usize = 1000;

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// When.
    pub tick: u64,
    /// What.
    pub text: String,
}

/// A change of the player's cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Crossing {
    /// When it was committed.
    pub tick: u64,
    /// Before.
    pub from: CellId,
    /// After.
    pub to: CellId,
}

/// The log and the timeline.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    entries: VecDeque<Entry>,
    crossings: VecDeque<Crossing>,
}

impl Journal {
    /// The log, oldest first.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.entries.iter()
    }

    /// Changes of cell, oldest first.
    pub fn crossings(&self) -> impl DoubleEndedIterator<Item = &Crossing> {
        self.crossings.iter()
    }

    pub(super) fn note(&mut self, tick: u64, text: impl Into<String>) {
        push(&mut self.entries, Entry { tick, text: text.into() });
    }

    pub(super) fn cross(&mut self, tick: u64, from: CellId, to: CellId) {
        push(&mut self.crossings, Crossing { tick, from, to });
    }

    /// Forgets what is later than a tick, after time was turned back.
    pub(super) fn forget_after(&mut self, tick: u64) {
        self.entries.retain(|entry| entry.tick <= tick);
        self.crossings.retain(|crossing| crossing.tick <= tick);
    }
}

fn push<T>(list: &mut VecDeque<T>, item: T) {
    if list.len() == KEPT {
        list.pop_front();
    }
    list.push_back(item);
}
