//! Testing the trial: its own cell, then the others it touches. Spec: physics-transition §7.4, §7.5a.

use super::{Mode, Sweep, Verdict};
use crate::flags::MoverFlags;
use threshold_world::coords::adjust_to_outside;

/// Least upward component of ground accepted when landing, and when the mover is not on walkable ground: sin 5°.
pub(crate) const LANDING_Z: f32 = 0.087_155_7;

impl Sweep<'_> {
    /// Tests the trial, letting it be nudged up to `attempts` times.
    /// Retail: `CTransition::transitional_insert` (0x0050B6F0).
    pub(super) fn insert(&mut self, attempts: u32) -> Verdict {
        if self.path.trial_cell.is_none() {
            return Verdict::Clear;
        }
        let mut verdict = Verdict::Invalid;
        for _ in 0..attempts {
            verdict = self.insert_into_cell(attempts);
            if verdict == Verdict::Clear {
                verdict = self.check_other_cells();
            }
            match verdict {
                Verdict::Clear => {}
                Verdict::Blocked => {
                    self.path.back_face = None;
                    return Verdict::Blocked;
                }
                Verdict::Slid => {
                    self.log.void_contact();
                    self.path.back_face = None;
                    continue;
                }
                Verdict::Nudged | Verdict::Invalid => {
                    self.path.back_face = None;
                    continue;
                }
            }
            if self.path.landing {
                return self.land(attempts);
            }
            if let Some(back) = self.path.back_face
                && !self.path.going_down
                && !self.path.going_up
            {
                self.path.back_face = None;
                verdict = if back.steps {
                    if self.step_up(back.normal) { Verdict::Clear } else { self.step_up_slide() }
                } else {
                    self.slide(0, back.normal)
                };
                continue;
            }
            if self.log.contact_valid
                || !self.is(MoverFlags::CONTACT)
                || self.path.going_down
                || self.path.trial_cell.is_none()
                || !self.may_step_down()
            {
                return Verdict::Clear;
            }
            match self.settle() {
                Ok(finished) => return finished,
                Err(again) => verdict = again,
            }
        }
        verdict
    }

    /// A trial that a division by nothing has thrown out of the world is no place to be held at.
    #[inline]
    pub(super) fn blocked_unless_finite(&self, verdict: Verdict) -> Verdict {
        if self.path.trial.frame.origin.is_finite() { verdict } else { Verdict::Blocked }
    }

    /// The trial's own cell, re-tested while it nudges. Retail: `CTransition::insert_into_cell` (0x00509E70).
    pub(super) fn insert_into_cell(&mut self, attempts: u32) -> Verdict {
        let Some(cell) = self.path.trial_cell else { return Verdict::Blocked };
        let mut verdict = Verdict::Invalid;
        for _ in 0..attempts {
            verdict = self.collide_with_cell(cell);
            match verdict {
                Verdict::Clear | Verdict::Blocked => return verdict,
                Verdict::Slid => self.log.void_contact(),
                Verdict::Nudged | Verdict::Invalid => {}
            }
        }
        verdict
    }

    /// Every other cell the trial touches, in set order; then the cell that contains it becomes the candidate.
    ///
    /// The set is read live: a nested step rebuilds it, and the scan goes on in the new one, as in the original.
    /// Retail: `CTransition::check_other_cells` (0x0050AE50). Spec: physics-transition §7.5a.
    pub(super) fn check_other_cells(&mut self) -> Verdict {
        let current = self.path.trial_cell;
        let picked = self.build_cells();
        let mut i = 0;
        while let Some(entry) = self.cells.entries().get(i).copied() {
            i += 1;
            if !entry.loaded || Some(entry.id) == current {
                continue;
            }
            match self.collide_with_cell(entry.id) {
                Verdict::Clear | Verdict::Invalid => {}
                Verdict::Slid => {
                    self.log.void_contact();
                    return Verdict::Slid;
                }
                verdict => return verdict,
            }
        }
        self.path.trial_cell = picked;
        match picked {
            Some(id) => {
                self.path.rehome_trial(id);
                Verdict::Clear
            }
            None => self.leave_all_cells(),
        }
    }

    /// No cell contains the first sphere: an outdoor id is normalised, an interior one kept, and the trial goes on
    /// without a cell. Spec: physics-transition §7.5a.4, physics §11 row 1.
    fn leave_all_cells(&mut self) -> Verdict {
        if self.path.going_down {
            return Verdict::Blocked;
        }
        let mut position = self.path.trial;
        if position.cell.is_outdoor() {
            let Some((id, origin)) = adjust_to_outside(position.cell, position.frame.origin) else {
                return Verdict::Blocked;
            };
            position.cell = id;
            position.frame.origin = origin;
        }
        if position.cell.0 == 0 {
            return Verdict::Blocked;
        }
        self.path.rehome_trial(position.cell);
        self.path.place_trial(&position, None);
        Verdict::Clear
    }

    /// The second pass after an airborne hit: is there ground to land on?
    fn land(&mut self, attempts: u32) -> Verdict {
        self.path.landing = false;
        let landed = self.log.contact_valid && self.floor_check(LANDING_Z) && {
            let mode = std::mem::replace(&mut self.path.mode, Mode::Place);
            let verdict = self.insert(attempts);
            self.path.mode = mode;
            verdict == Verdict::Clear
        };
        self.path.floor = None;
        if landed {
            return Verdict::Clear;
        }
        self.path.restore_trial();
        self.log.void_contact();
        if self.log.last_contact_valid {
            self.stopped = true;
            self.log.last_contact_valid = false;
        } else {
            self.log.set_hit(self.path.bump_normal);
        }
        Verdict::Blocked
    }
}
