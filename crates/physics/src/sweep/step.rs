//! Stepping up, stepping down and settling. Spec: physics-transition §7.4 step 7, §7.4.1, §7.4.2, §7.5.

use super::{Mode, Sweep, Verdict, insert::LANDING_Z};
use crate::flags::MoverFlags;
use glam::Vec3;
use threshold_world::terrain::FLOOR_Z;

/// Height of a step for a mover that touches ground it cannot walk on.
const SMALL_STEP: f32 = 0.04;

impl Sweep<'_> {
    /// Lowers the trial by `height` (unless stepping up) and asks for a floor no steeper than `limit`. The trial is
    /// not restored on failure. Retail: `CTransition::step_down`.
    pub(super) fn step_down(&mut self, height: f32, limit: f32) -> bool {
        self.path.back_face = None;
        self.path.going_down = true;
        self.path.down_amount = height;
        self.path.budget = 1.0;
        if !self.path.going_up {
            self.path.shift_trial(Vec3::new(0.0, 0.0, -height));
        }
        let verdict = self.insert(5);
        self.path.going_down = false;
        let found =
            verdict == Verdict::Clear && self.log.contact_valid && self.log.contact.plane.normal.z >= limit;
        if !found || !(!self.is(MoverFlags::EDGE_SLIDE) || self.path.going_up || self.floor_check(limit)) {
            return false;
        }
        let mode = std::mem::replace(&mut self.path.mode, Mode::Place);
        let verdict = self.insert(1);
        self.path.mode = mode;
        verdict == Verdict::Clear
    }

    /// Re-tests the overlapping trial in step-down mode, so that floors under it lift it. The trial is restored on
    /// failure. Retail: `CTransition::step_up`.
    pub(crate) fn step_up(&mut self, normal: Vec3) -> bool {
        self.log.void_contact();
        self.path.going_up = true;
        self.path.bump_normal = normal;
        let (height, limit) = self.step_limits(self.mover.step_up);
        self.path.min_up = limit;
        self.path.save_trial();
        let ok = self.step_down(height, limit);
        self.path.going_up = false;
        self.path.floor = None;
        if !ok {
            self.path.restore_trial();
        }
        ok
    }

    /// Slides along what could not be stepped on. Retail: `SPHEREPATH::step_up_slide`.
    pub(crate) fn step_up_slide(&mut self) -> Verdict {
        self.log.void_contact();
        self.path.going_up = false;
        self.slide(0, self.path.bump_normal)
    }

    /// Follows the ground down; at an edge the edge rules decide. `Ok` ends the insertion, `Err` asks for another
    /// attempt.
    pub(super) fn settle(&mut self) -> Result<Verdict, Verdict> {
        let (mut height, limit) = self.step_limits(self.mover.step_down);
        self.path.min_up = limit;
        self.path.save_trial();
        let diameter = 2.0 * self.path.radius();
        if self.path.count < 2 && diameter < height {
            height = self.path.radius() * 0.5;
        }
        let settled = if diameter >= height {
            self.step_down(height, limit)
        } else {
            height *= 0.5;
            self.step_down(height, limit) || self.step_down(height, limit)
        };
        if settled {
            self.path.floor = None;
            return Ok(Verdict::Clear);
        }
        self.edge_slide(height, limit)
    }

    /// Step height and least upward component of a floor for the mover's footing.
    fn step_limits(&self, full: f32) -> (f32, f32) {
        if self.is(MoverFlags::ON_WALKABLE) { (full, FLOOR_Z) } else { (SMALL_STEP, LANDING_Z) }
    }
}
