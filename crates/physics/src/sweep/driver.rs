//! Sub-stepping a move. Spec: physics-transition §7.2, §7.3.

use super::{Sweep, SweepError, Verdict, log::unit};
use crate::flags::MoverFlags;
use glam::Vec3;
use threshold_world::{EPSILON, Position, coords::block_offset};

/// Shortest squared length of a sub-step.
pub(super) const MIN_STEP_SQ: f32 = EPSILON * EPSILON;

/// Sub-steps a move may have: two kilometres for a mover of 2 cm radius. Nothing in the game comes near it.
const MAX_STEPS: f32 = 100_000.0;

/// How a move is cut up.
struct Steps {
    count: u32,
    each: Vec3,
}

impl Sweep<'_> {
    /// Retail: `CTransition::find_transitional_position` (0x0050BDF0). Spec: physics-transition §7.2.
    pub(super) fn find_transitional_position(
        &mut self,
        begin: &Position,
        end: &Position,
    ) -> Result<bool, SweepError> {
        if self.path.held_cell.is_none() {
            return Ok(false);
        }
        let total = begin.offset_to(end);
        let length = total.length();
        let steps = self.count_steps(total, length)?;
        let free = self.is(MoverFlags::FREE_ROTATE);
        if (free || steps.count == 0) && self.path.held.frame.set_rotation(end.frame.rotation()) {
            self.path.place_trial_at_held();
        }
        if steps.count == 0 {
            self.build_cells();
            return Ok(true);
        }
        // A rotation that is kept as it is comes out the same at the end of the way.
        let (from, to) = (begin.frame.rotation(), end.frame.rotation());
        let turns = !(free || (steps.count == 1 && from.is_same(to) && to.is_normalized()));
        let viewer = self.is(MoverFlags::VIEWER);
        let mut verdict = Verdict::Clear;
        for i in 0..steps.count {
            let mut each = steps.each;
            if viewer && i == steps.count - 1 && length > EPSILON {
                each = total * ((length - self.path.radius() * (steps.count - 1) as f32) / length);
            }
            let step = self.adjust_offset(each);
            if !viewer && step.length_squared() < MIN_STEP_SQ {
                return Ok(i != 0 && verdict == Verdict::Clear);
            }
            if turns {
                let t = (i + 1) as f32 / steps.count as f32;
                self.path.turn_trial(from.interpolate(to, t));
            }
            self.log.slide_valid = false;
            self.log.void_contact();
            self.path.shift_trial(step);
            let tested = self.insert(3);
            let tested = self.blocked_unless_finite(tested);
            if let Some(observer) = self.observer.as_deref_mut() {
                observer.tested(i, &self.path.trial, self.path.trial_cell, tested);
            }
            verdict = self.validate(tested);
            if let Some(observer) = self.observer.as_deref_mut() {
                observer.held(i, &self.path.held, self.path.held_cell, self.log);
            }
            if self.log.stationary_stage > 0 || (self.log.hit_valid && self.is(MoverFlags::PATH_CLIPPED)) {
                break;
            }
        }
        Ok(verdict == Verdict::Clear)
    }

    /// Retail: `CTransition::calc_num_steps`.
    fn count_steps(&self, total: Vec3, length: f32) -> Result<Steps, SweepError> {
        let ratio = length / self.path.radius();
        if ratio.is_nan() && total == Vec3::ZERO {
            return Ok(Steps { count: 0, each: total });
        }
        if ratio.is_nan() || ratio > MAX_STEPS {
            return Err(SweepError::TooLong);
        }
        Ok(if self.is(MoverFlags::VIEWER) {
            if length <= EPSILON {
                Steps { count: 0, each: total }
            } else {
                Steps { count: ratio.floor() as u32 + 1, each: total / ratio }
            }
        } else if ratio > 1.0 {
            let count = ratio.ceil();
            Steps { count: count as u32, each: total / count }
        } else {
            Steps { count: u32::from(total != Vec3::ZERO), each: total }
        })
    }

    /// Bends a step along the ground and along what the mover slides on.
    /// Retail: `CTransition::adjust_offset`. Spec: physics-transition §7.3.
    #[inline(always)]
    pub(super) fn adjust_offset(&mut self, offset: Vec3) -> Vec3 {
        let mut step = offset;
        let slide = self.log.slide;
        let sliding = self.log.slide_valid && step.dot(slide) < 0.0;
        self.log.slide_valid = sliding;
        if !self.log.contact_valid {
            if sliding {
                step -= slide * step.dot(slide);
            }
            return step;
        }
        let contact = self.log.contact;
        let normal = contact.plane.normal;
        let climb = step.dot(normal);
        if sliding {
            step = unit(normal.cross(slide)).map_or(Vec3::ZERO, |crease| crease * step.dot(crease));
        } else if climb <= 0.0 {
            step -= normal * climb;
        } else if normal.z.abs() > EPSILON {
            step.z = -(normal.x * step.x + normal.y * step.y) / normal.z;
        }
        if !contact.is_water && contact.cell.0 != 0 {
            let radius = self.path.radius();
            let center = self.path.trial_spheres[0].center - block_offset(self.path.trial.cell, contact.cell);
            let height = contact.plane.distance(center);
            if height < radius - EPSILON {
                let rise = (radius - height) / normal.z;
                if radius > rise.abs() {
                    self.path.shift_trial(Vec3::new(0.0, 0.0, rise));
                }
            }
        }
        step
    }
}
