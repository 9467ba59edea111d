//! A mover against a sphere. Spec: physics-spheres §6.2.

use super::ground::MIN_BUDGET;
use crate::{
    flags::MoverFlags,
    sweep::{Contact, Mode, Sweep, Verdict, unit},
};
use glam::Vec3;
use threshold_world::{
    EPSILON,
    geometry::{Plane, Sphere},
};

impl Sweep<'_> {
    /// The target is in the trial's block coordinates; `alive` ones are never stood on.
    /// Retail: `CSphere::intersects_sphere`.
    pub(super) fn collide_with_sphere(&mut self, target: &Sphere, alive: bool) -> Verdict {
        let count = self.path.count;
        let offset_of = |i: usize| self.path.trial_spheres[i].center - target.center;
        let offset = [offset_of(0), offset_of(1.min(count - 1))];
        let reach = target.radius + self.path.trial_spheres[0].radius - EPSILON;
        let overlaps = |d: Vec3| d.length_squared() <= reach * reach;
        let first = overlaps(offset[0]);
        let second = count > 1 && overlaps(offset[1]);
        let blocked_if = |hit: bool| if hit { Verdict::Blocked } else { Verdict::Clear };

        if self.path.ghost_target || self.path.mode == Mode::Place {
            return blocked_if(first || second);
        }
        if self.path.going_down {
            return if alive || !(first || second) {
                Verdict::Clear
            } else {
                self.step_down_on_sphere(target, offset[0], reach + EPSILON)
            };
        }
        if self.path.floor_probe {
            return blocked_if(first || second);
        }
        if self.path.landing {
            return if alive || !(first || second) {
                Verdict::Clear
            } else {
                self.land_on_sphere(offset[0], reach + EPSILON)
            };
        }
        if self.flags.intersects(MoverFlags::CONTACT | MoverFlags::ON_WALKABLE) {
            return if first {
                self.step_up_sphere(target, offset[0], reach + EPSILON)
            } else if second {
                match self.direction_from(target, 1) {
                    Some(normal) => self.slide(1, normal),
                    None => Verdict::Blocked,
                }
            } else {
                Verdict::Clear
            };
        }
        if self.is(MoverFlags::PATH_CLIPPED) {
            return if first { self.stop_at_sphere(target, 0, reach + EPSILON) } else { Verdict::Clear };
        }
        if first {
            match self.direction_from(target, 0) {
                Some(normal) => self.begin_landing(normal),
                None => Verdict::Blocked,
            }
        } else if second {
            self.stop_at_sphere(target, 1, reach + EPSILON)
        } else {
            Verdict::Clear
        }
    }

    /// Direction from the target to where sphere `i` is held.
    fn direction_from(&self, target: &Sphere, i: usize) -> Option<Vec3> {
        unit(self.path.held_centers[i] - target.center)
    }

    /// Uses up budget for a way back of `fraction` of the step; false when there is not enough.
    pub(super) fn spend(&mut self, fraction: f32) -> bool {
        let budget = self.path.budget;
        let rest = (1.0 - fraction) * budget;
        let enough = !(rest >= budget || rest < MIN_BUDGET);
        if enough {
            self.path.budget = rest;
        }
        enough
    }

    /// Ground made by a sphere or cylinder. Marked as water, which keeps the ground push away from it.
    pub(super) fn stand_on(&mut self, normal: Vec3, point: Vec3) {
        let plane = Plane::through(normal, point);
        self.log.set_contact(Contact { plane, cell: self.path.trial.cell, is_water: true });
    }

    /// Spec: physics-spheres §6.2.1.
    fn step_down_on_sphere(&mut self, target: &Sphere, offset: Vec3, reach: f32) -> Verdict {
        let step = self.path.down_amount * self.path.budget;
        let radicand = reach * reach - offset.x * offset.x - offset.y * offset.y;
        if step.abs() < EPSILON || radicand < 0.0 {
            return Verdict::Blocked;
        }
        let lift = radicand.sqrt() - offset.z;
        let budget = self.path.budget;
        let rest = (1.0 - lift / step) * budget;
        if rest >= budget || rest < MIN_BUDGET {
            return Verdict::Blocked;
        }
        let normal = Vec3::new(offset.x, offset.y, offset.z + lift) / reach;
        if normal.z <= self.path.min_up {
            return Verdict::Clear;
        }
        self.stand_on(normal, target.center + normal * target.radius);
        self.path.budget = rest;
        self.path.shift_trial(Vec3::new(0.0, 0.0, lift));
        Verdict::Nudged
    }

    /// Spec: physics-spheres §6.2.2, §6.2.3b.
    fn step_up_sphere(&mut self, target: &Sphere, offset: Vec3, reach: f32) -> Verdict {
        if self.mover.step_up >= reach - offset.z {
            let normal = self.path.held_centers[0] - target.center;
            return if self.step_up(normal) { Verdict::Clear } else { self.step_up_slide() };
        }
        let Some(normal) = self.direction_from(target, 0) else { return Verdict::Blocked };
        self.log.set_hit(normal);
        let movement = self.path.movement(0);
        let ground = self.log.ground_normal();
        if let Some(verdict) = self.slide_along_crease(normal.cross(ground), movement) {
            return verdict;
        }
        if ground.dot(offset) < 0.0 {
            return Verdict::Blocked;
        }
        self.path.shift_trial(normal * -movement.dot(normal));
        Verdict::Slid
    }

    /// Spec: physics-spheres §6.2.4.
    fn land_on_sphere(&mut self, offset: Vec3, reach: f32) -> Verdict {
        let back = -self.path.movement(0);
        let a = back.length_squared();
        let b = -back.dot(offset);
        if a < EPSILON {
            return Verdict::Blocked;
        }
        let mut q = b + (b * b - (offset.length_squared() - reach * reach) * a).sqrt();
        if q > 1.0 {
            q = 2.0 * b - q;
        }
        let t = q / a;
        let budget = self.path.budget;
        let rest = (1.0 - t) * budget;
        if rest >= budget || rest < MIN_BUDGET || rest.is_nan() {
            return Verdict::Blocked;
        }
        let back = back * t;
        let normal = (offset + back) / reach;
        if normal.z <= self.path.min_up {
            return Verdict::Clear;
        }
        let sphere = self.path.trial_spheres[0];
        self.stand_on(normal, sphere.center - normal * sphere.radius);
        self.path.budget = rest;
        self.path.shift_trial(back);
        Verdict::Nudged
    }

    /// Retail: `CSphere::collide_with_point`. Spec: physics-spheres §6.2.5.
    fn stop_at_sphere(&mut self, target: &Sphere, i: usize, reach: f32) -> Verdict {
        let from_center = self.path.held_centers[i] - target.center;
        if !self.is(MoverFlags::PERFECT_CLIP) {
            if let Some(normal) = unit(from_center) {
                self.log.set_hit(normal);
            }
            return Verdict::Blocked;
        }
        let movement = self.path.movement(i);
        let t = time_of_contact(movement, from_center, reach);
        if !(EPSILON..=1.0).contains(&t) {
            return Verdict::Blocked;
        }
        let offset = movement * (t - 1.0);
        self.log.set_hit((self.path.trial_spheres[i].center + offset - target.center) / reach);
        self.path.shift_trial(offset);
        Verdict::Nudged
    }
}

/// Fraction of `movement` at which a point starting at `from` comes within `reach` of the origin; −1 for never.
/// Spec: physics-spheres §6.2.5.
pub(crate) fn time_of_contact(movement: Vec3, from: Vec3, reach: f32) -> f32 {
    let c = from.length_squared() - reach * reach;
    let a = movement.length_squared();
    let b = -from.dot(movement);
    let discriminant = b * b - c * a;
    if c < EPSILON || a < EPSILON || discriminant < 0.0 {
        return -1.0;
    }
    let root = discriminant.sqrt();
    if b - root < 0.0 { (b + root) / a } else { (b - root) / a }
}
