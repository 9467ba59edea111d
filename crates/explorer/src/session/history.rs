//! The last minute, tick by tick: snapshots of everything, which share what did not change between them.

use crate::platform;
use std::collections::VecDeque;
use threshold_sim::{Snapshot, TICKS_PER_SECOND};

/// Ticks that are remembered.
pub const REMEMBERED: usize = platform::SECONDS_REMEMBERED * TICKS_PER_SECOND as usize;

/// The moments that are remembered; while time stands still, one of them may be shown.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    moments: VecDeque<Snapshot>,
    /// The moment that is shown; `None` in the present, which is not in the list.
    pub(super) shown: Option<usize>,
}

impl History {
    /// Remembers a moment, and forgets the oldest one if there are too many.
    pub(super) fn push(&mut self, moment: Snapshot) {
        if self.moments.len() == REMEMBERED {
            self.moments.pop_front();
        }
        self.moments.push_back(moment);
    }

    pub(super) fn len(&self) -> usize {
        self.moments.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<&Snapshot> {
        self.moments.get(index)
    }

    /// Forgets the shown moment and everything after it: time goes on from there.
    pub(super) fn cut(&mut self) {
        if let Some(shown) = self.shown.take() {
            self.moments.truncate(shown);
        }
    }
}
