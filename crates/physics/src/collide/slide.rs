//! The slide that everything shares. Spec: physics-spheres §6.5.

use crate::sweep::{Sweep, Verdict, unit};
use glam::Vec3;
use threshold_world::EPSILON;

impl Sweep<'_> {
    /// Takes out of the sub-step what leads sphere `i` into `normal` (of any length), along the ground if there is one.
    /// Retail: `CSphere::slide_sphere`, the four-argument form.
    pub(crate) fn slide(&mut self, i: usize, normal: Vec3) -> Verdict {
        if normal == Vec3::ZERO {
            let back = (self.path.held_centers[i] - self.path.trial_spheres[i].center) * 0.5;
            self.path.shift_trial(back);
            return Verdict::Nudged;
        }
        self.log.set_hit(normal);
        let movement = self.path.movement(i);
        let ground = self.log.ground_normal();
        if let Some(verdict) = self.slide_along_crease(normal.cross(ground), movement) {
            return verdict;
        }
        if normal.dot(ground) >= 0.0 {
            self.path.shift_trial(normal * -movement.dot(normal));
            return Verdict::Slid;
        }
        if let Some(back) = unit(-movement) {
            self.log.set_hit(back);
        }
        Verdict::Blocked
    }

    /// Keeps only the part of the movement along the crease; `None` when there is no crease.
    pub(super) fn slide_along_crease(&mut self, crease: Vec3, movement: Vec3) -> Option<Verdict> {
        let length_sq = crease.length_squared();
        if length_sq < EPSILON {
            return None;
        }
        let along = crease * (movement.dot(crease) / length_sq);
        if along.length_squared() < EPSILON {
            return Some(Verdict::Blocked);
        }
        self.path.shift_trial(along - movement);
        Some(Verdict::Slid)
    }
}
