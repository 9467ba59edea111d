//! Finding room for a mover. Spec: physics-transition §7.9, §7.10.

use super::{Mode, StartContact, Sweep, Verdict, driver::MIN_STEP_SQ, insert::LANDING_Z};
use glam::Vec3;

/// How far the search goes.
const REACH: f32 = 4.0;
/// How far it goes for tiny movers.
const TINY_REACH: f32 = 2.0;
/// Radius below which a mover is tiny.
const TINY_RADIUS: f32 = 0.125;
/// Least radius the rings are spaced by.
const MIN_RING_RADIUS: f32 = 0.48;
/// The original's own π.
#[allow(clippy::approx_constant, reason = "the literal of the original, not π")]
const RING_PI: f32 = 3.141_6;

impl Sweep<'_> {
    /// Retail: `CTransition::find_placement_position`.
    pub(super) fn find_placement_position(&mut self) -> bool {
        self.path.mode = Mode::FirstPlace;
        let verdict = self.test_placement();
        if self.accept_placement(verdict, true) != Verdict::Clear {
            return false;
        }
        self.path.mode = Mode::Place;
        if !self.search_rings() {
            return false;
        }
        if self.may_step_down() {
            self.settle_placement();
        }
        self.accept_placement(Verdict::Clear, true) == Verdict::Clear
    }

    fn test_placement(&mut self) -> Verdict {
        match self.insert_into_cell(3) {
            Verdict::Clear => self.check_other_cells(),
            verdict => verdict,
        }
    }

    /// Retail: `CTransition::validate_placement`.
    fn accept_placement(&mut self, verdict: Verdict, adjust: bool) -> Verdict {
        if self.path.trial_cell.is_none() {
            return Verdict::Blocked;
        }
        match self.blocked_unless_finite(verdict) {
            Verdict::Clear => {
                self.path.hold_trial();
                Verdict::Clear
            }
            Verdict::Nudged | Verdict::Slid if adjust => {
                let verdict = self.test_placement();
                self.accept_placement(verdict, false)
            }
            verdict => verdict,
        }
    }

    /// Lowers a placed mover onto the ground below, if there is any within a step.
    fn settle_placement(&mut self) {
        let mut height = self.mover.step_down;
        self.path.min_up = LANDING_Z;
        self.path.save_trial();
        let mode = std::mem::replace(&mut self.path.mode, Mode::Move);
        let diameter = 2.0 * self.path.radius();
        if self.path.count < 2 && diameter < height {
            height = self.path.radius() * 0.5;
        }
        let settled = if diameter >= height {
            self.step_down(height, LANDING_Z)
        } else {
            height *= 0.5;
            self.step_down(height, LANDING_Z) || self.step_down(height, LANDING_Z)
        };
        if !settled {
            self.path.restore_trial();
            self.log.void_contact();
        }
        self.path.mode = mode;
        self.path.floor = None;
    }

    /// The exact place, then rings around it. Retail: `CTransition::find_placement_pos`.
    fn search_rings(&mut self) -> bool {
        self.path.place_trial_at_held();
        if self.attempt() {
            return true;
        }
        if !self.path.may_search {
            return false;
        }
        let mut radius = self.path.radius();
        let tiny = radius < TINY_RADIUS;
        let (reach, ratio) = if tiny {
            (TINY_REACH, REACH / radius * 0.5)
        } else {
            radius = radius.max(MIN_RING_RADIUS);
            (REACH, REACH / radius)
        };
        // A mover without size would search for ever.
        if !(ratio > 1.0 && ratio <= 1000.0) {
            return false;
        }
        let rings = ratio.ceil();
        let step = reach / rings;
        let grow = step / radius * RING_PI;
        let (mut distance, mut turn) = (0.0_f32, 0.0_f32);
        for _ in 0..rings as u32 {
            distance += step;
            turn += grow;
            let directions = 2 * turn.ceil() as u32;
            for j in 0..directions {
                self.path.place_trial_at_held();
                let heading = (j as f32 * 360.0 / directions as f32).to_radians();
                let direction = Vec3::new(libm::sinf(heading), libm::cosf(heading), 0.0);
                let offset = self.adjust_offset(direction * distance);
                if offset.length_squared() >= MIN_STEP_SQ {
                    self.path.shift_trial(offset);
                    if self.attempt() {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Tests the trial as it stands and holds it when there is room. A failed attempt forgets all contact.
    fn attempt(&mut self) -> bool {
        self.log.slide_valid = false;
        self.log.void_contact();
        let verdict = self.insert(3);
        let verdict = self.blocked_unless_finite(verdict);
        if self.path.trial_cell.is_none() {
            return false;
        }
        if verdict == Verdict::Clear {
            self.path.hold_trial();
            return true;
        }
        if self.path.may_search {
            self.log.begin(&StartContact::default());
            self.touched.clear();
        }
        false
    }
}
