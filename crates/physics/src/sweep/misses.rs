//! Parts that need not be tested again.
//!
//! An object is in the list of every cell it touches, and a mover on the border of two cells would test it once for
//! each of them. A part that was nowhere near is nowhere near the second time, as long as the trial and what is asked
//! are the same.

use super::{Mode, Sweep};
use crate::{flags::MoverFlags, scene::Part};

/// Parts that are remembered; further ones are tested again.
const MAX_MISSES: usize = 4;

/// What is asked of a mesh: all that decides, beside the place of the trial, what counts as being there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Question {
    mode: Mode,
    ghost_target: bool,
    floor_probe: bool,
    going_down: bool,
    landing: bool,
    min_up: f32,
    flags: MoverFlags,
}

/// Parts that are not there, to one question.
#[derive(Debug, Default)]
pub(super) struct Misses<'w> {
    question: Option<Question>,
    parts: [Option<&'w Part>; MAX_MISSES],
    count: usize,
}

impl Misses<'_> {
    /// The trial has changed.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }
}

impl<'w> Sweep<'w> {
    fn question(&self) -> Question {
        Question {
            mode: self.path.mode,
            ghost_target: self.path.ghost_target,
            floor_probe: self.path.floor_probe,
            going_down: self.path.going_down,
            landing: self.path.landing,
            min_up: self.path.min_up,
            flags: self.flags,
        }
    }

    /// Whether the part is known not to be where the trial is.
    #[inline]
    pub(crate) fn has_missed(&self, part: &Part) -> bool {
        let misses = &self.path.misses;
        misses.parts[..misses.count].iter().flatten().any(|known| std::ptr::eq(*known, part))
            && misses.question == Some(self.question())
    }

    /// The part was tested and is not where the trial is.
    pub(crate) fn note_miss(&mut self, part: &'w Part) {
        let question = Some(self.question());
        let misses = &mut self.path.misses;
        if misses.question != question {
            misses.question = question;
            misses.count = 0;
        }
        if let Some(slot) = misses.parts.get_mut(misses.count) {
            *slot = Some(part);
            misses.count += 1;
        }
    }
}
