//! Records that the source could not read, and when they are retried; and work that there was no time for.
//!
//! A failed read is not cached: anything made in the meantime is provisional. Materials are fixed in
//! place; everything else that is provisional notes [`Assets::answers`] and is rebuilt when that has changed.

use super::Assets;
use std::collections::BTreeMap;
use threshold_dat::{DatId, Error, IdScheme};
use threshold_world::Library;

/// Frames until a record is asked for again; doubles with every failure, up to the limit.
const RETRY_FRAMES: u64 = 8;
const MAX_DOUBLINGS: u32 = 4;

/// What a frame may have no time to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Making {
    /// A slice of a merged texture of the ground, until which the ground is drawn plainly; or something that it is merged from.
    Ground,
    /// The texture of a surface; until then it is grey.
    Surface,
}

/// Why there is no record to hand out.
pub(super) enum Refusal {
    /// It is damaged, and stays so.
    Damaged(String),
    /// The source could not answer; it is asked again later.
    NotNow,
}

struct Wait {
    attempts: u32,
    retry_at: u64,
}

/// Records that are waited for.
#[derive(Default)]
pub(super) struct Unanswered {
    waits: BTreeMap<DatId, Wait>,
    /// Frames so far.
    clock: u64,
    /// How often something was asked for in vain.
    refusals: u64,
    /// How often something that was waited for has come.
    answers: u64,
    /// Says whether this frame has time to make something more; absent where frames wait for everything.
    has_time: Option<fn(Making) -> bool>,
    /// Something of the kind was made in this frame, by [`Making`].
    has_made: [bool; 2],
    /// Something was left for the next frame.
    has_postponed: bool,
}

impl Unanswered {
    fn wait_for(&mut self, id: DatId, error: &Error) {
        let wait = self.waits.entry(id).or_insert(Wait { attempts: 0, retry_at: 0 });
        // An answer that is on its way is there soon; a disk that fails takes its time.
        if error.is_pending() {
            wait.retry_at = self.clock + 1;
        } else {
            wait.retry_at = self.clock + (RETRY_FRAMES << wait.attempts.min(MAX_DOUBLINGS));
            wait.attempts += 1;
        }
    }
}

impl Assets {
    /// Asks the library for something made of a record, unless it could not be read a moment ago.
    pub(super) fn ask<T>(
        &mut self,
        id: DatId,
        read: impl FnOnce(&Library) -> Result<Option<T>, Error>,
    ) -> Result<Option<T>, Refusal> {
        if self.unanswered.waits.contains_key(&id) {
            self.unanswered.refusals += 1;
            return Err(Refusal::NotNow);
        }
        read(&self.library).map_err(|error| {
            if !error.is_transient() {
                return Refusal::Damaged(error.to_string());
            }
            self.unanswered.wait_for(id, &error);
            self.unanswered.refusals += 1;
            if !error.is_pending() {
                self.report(id, format!("cannot be read now and is tried again later: {error}"));
            }
            Refusal::NotNow
        })
    }

    /// Lets frames make what takes long only while a function says that there is time for it, and at least one of each kind in every frame.
    pub fn make_while(&mut self, has_time: fn(Making) -> bool) {
        self.unanswered.has_time = Some(has_time);
    }

    /// Whether the last frame had no time for something that it needed, which the next ones make.
    pub fn has_postponed(&self) -> bool {
        self.unanswered.has_postponed
    }

    /// Whether a frame may run out of time to make things.
    pub(crate) fn is_hasty(&self) -> bool {
        self.unanswered.has_time.is_some()
    }

    /// Whether there is time to make something; what needed it is provisional otherwise.
    pub(super) fn may_make(&mut self, what: Making) -> bool {
        let state = &mut self.unanswered;
        let may = !state.has_made[what as usize] || state.has_time.is_none_or(|has_time| has_time(what));
        if may {
            state.has_made[what as usize] = true;
        } else {
            state.has_postponed = true;
            state.refusals += 1;
        }
        may
    }

    /// Makes something, and says whether every record that it needs was there or is known not to be.
    pub(crate) fn surely<T>(&mut self, make: impl FnOnce(&mut Assets) -> T) -> (T, bool) {
        let before = self.unanswered.refusals;
        let made = make(self);
        (made, self.unanswered.refusals == before)
    }

    /// As [`Assets::surely`] for what is mended elsewhere when the answer comes: whatever is made of it is sure.
    pub(super) fn mended<T>(&mut self, make: impl FnOnce(&mut Assets) -> T) -> (T, bool) {
        let before = self.unanswered.refusals;
        let (made, is_sure) = self.surely(make);
        self.unanswered.refusals = before;
        (made, is_sure)
    }

    /// Changes when a record that could not be read before can be read now, or when there is time again for what was postponed.
    pub(crate) fn answers(&self) -> u64 {
        self.unanswered.answers
    }

    /// Asks again for what could not be read and is due. Called once for every frame and every step of time.
    pub(crate) fn retry(&mut self) {
        self.unanswered.clock += 1;
        self.unanswered.has_made = [false; 2];
        let mut has_answer = std::mem::take(&mut self.unanswered.has_postponed);
        let now = self.unanswered.clock;
        let due = self.unanswered.waits.iter().filter(|(_, wait)| wait.retry_at <= now);
        let due: Vec<DatId> = due.map(|(&id, _)| id).collect();
        for id in due {
            match self.library.source().record(IdScheme::Portal, id) {
                Err(error) if error.is_transient() => self.unanswered.wait_for(id, &error),
                _ => {
                    self.unanswered.waits.remove(&id);
                    has_answer = true;
                }
            }
        }
        if has_answer {
            self.unanswered.answers += 1;
            self.mend_materials();
            self.mend_terrain();
        }
    }
}
