//! Motions that are not over yet. Retail: `MotionTableManager`. Spec: motion §5.

use super::{Command, RepeatQueue};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A motion and how many animations must end before it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct PendingMotion {
    /// The motion.
    pub motion: Command,
    /// Animations.
    pub animations: u32,
}

/// The motions, oldest first, and how many animations have ended towards the oldest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Pending {
    queue: RepeatQueue<PendingMotion>,
    counter: u32,
}

impl Pending {
    /// Oldest first.
    #[inline]
    pub fn motions(&self) -> impl ExactSizeIterator<Item = PendingMotion> {
        self.queue.iter()
    }

    /// Animations that have ended towards the oldest.
    pub fn counter(&self) -> u32 {
        self.counter
    }

    pub(super) fn has_room(&self) -> bool {
        self.queue.has_room()
    }

    /// Appends a motion; returns how many link animations became redundant. Spec: motion §5.3.
    pub(super) fn push(&mut self, motion: Command, animations: u32) -> usize {
        self.queue.push_back(PendingMotion { motion, animations });
        self.truncate_redundant()
    }

    /// A motion that leads back to one that is still to come makes everything between pointless.
    /// Retail: `MotionTableManager::remove_redundant_links`.
    fn truncate_redundant(&mut self) -> usize {
        let Some(kept) = self.last_kept() else { return 0 };
        let mut removed = 0;
        for place in kept + 1..self.queue.len() {
            if let Some(entry) = self.queue.get(place).filter(|entry| entry.animations != 0) {
                removed += entry.animations as usize;
                self.queue.set(place, PendingMotion { animations: 0, ..entry });
            }
        }
        removed
    }

    /// The place of the motion behind which all animations are pointless, if there is one. Only the last motion with
    /// animations is looked at.
    fn last_kept(&self) -> Option<usize> {
        let mut entries = self.queue.iter().enumerate().rev();
        let target = entries.find(|(_, entry)| entry.animations != 0)?.1.motion;
        let is_plain_substate = target.is_substate() && !target.is_modifier();
        for (place, entry) in entries {
            let has_animations = entry.animations != 0;
            let (is_same, stops) = if is_plain_substate {
                (entry.motion == target && has_animations, entry.motion.0 & 0xB000_0000 != 0)
            } else if target.is_style() {
                (entry.motion == target, entry.motion.0 & 0x7000_0000 != 0)
            } else {
                return None;
            };
            if is_same {
                return Some(place);
            }
            if has_animations && stops {
                return None;
            }
        }
        None
    }

    /// An animation has ended; false when no motion waits for one.
    pub(super) fn count(&mut self) -> bool {
        if self.queue.is_empty() {
            return false;
        }
        self.counter = self.counter.saturating_add(1);
        true
    }

    /// The oldest motion, when it is over.
    pub(super) fn over(&self) -> Option<Command> {
        self.queue.front().filter(|head| head.animations <= self.counter).map(|head| head.motion)
    }

    /// The oldest motion, when it never had to wait.
    pub(super) fn completed(&self) -> Option<Command> {
        self.queue.front().filter(|head| head.animations == 0).map(|head| head.motion)
    }

    /// Takes off the oldest motion, with the animations it waited for.
    pub(super) fn retire(&mut self) {
        if let Some(head) = self.queue.pop_front() {
            self.counter = self.counter.saturating_sub(head.animations);
        }
    }

    /// Forgets a count that belongs to nothing.
    pub(super) fn settle(&mut self) {
        if self.queue.is_empty() {
            self.counter = 0;
        }
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}
