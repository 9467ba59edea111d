//! A mover against an upright cylinder. Spec: physics-spheres §6.3.

use crate::{
    flags::MoverFlags,
    sweep::{Mode, Sweep, Verdict, unit},
};
use glam::Vec3;
use threshold_world::{
    EPSILON,
    geometry::{Cylinder, Sphere},
};

/// Direction in which a cylinder was hit.
#[derive(Clone, Copy)]
struct CylinderNormal {
    normal: Vec3,
    /// The side or the cap was hit for certain; else the mover came in over the rim.
    definite: bool,
}

impl Sweep<'_> {
    /// The target is in the trial's block coordinates.
    /// Retail: `CCylSphere::intersects_sphere`.
    pub(super) fn collide_with_cylinder(&mut self, target: &Cylinder) -> Verdict {
        let count = self.path.count;
        let reach = target.radius - EPSILON + self.path.trial_spheres[0].radius;
        let overlaps = |sphere: &Sphere| {
            let d = sphere.center - target.low;
            d.x * d.x + d.y * d.y <= reach * reach && within_height(target, sphere.radius, d.z)
        };
        let first = overlaps(&self.path.trial_spheres[0]);
        let second = count > 1 && overlaps(&self.path.trial_spheres[1]);
        let blocked_if = |hit: bool| if hit { Verdict::Blocked } else { Verdict::Clear };

        if self.path.ghost_target || self.path.mode == Mode::Place {
            return blocked_if(first || second);
        }
        if self.path.going_down {
            return if first || second { self.step_down_on_cylinder(target) } else { Verdict::Clear };
        }
        if self.path.floor_probe {
            return blocked_if(first || second);
        }
        if self.path.landing {
            return if first || second { self.land_on_cylinder(target, reach) } else { Verdict::Clear };
        }
        if self.flags.intersects(MoverFlags::CONTACT | MoverFlags::ON_WALKABLE) {
            return if first {
                self.step_up_cylinder(target, reach)
            } else if second {
                self.slide_on_cylinder(target, reach, 1)
            } else {
                Verdict::Clear
            };
        }
        if self.is(MoverFlags::PATH_CLIPPED) {
            return if first { self.stop_at_cylinder(target, reach, 0) } else { Verdict::Clear };
        }
        if first {
            match unit(self.cylinder_normal(target, reach, 0).normal) {
                Some(normal) => self.begin_landing(normal),
                None => Verdict::Blocked,
            }
        } else if second {
            self.stop_at_cylinder(target, reach, 1)
        } else {
            Verdict::Clear
        }
    }

    /// Spec: physics-spheres §6.3.1.
    fn step_down_on_cylinder(&mut self, target: &Cylinder) -> Verdict {
        let step = self.path.down_amount * self.path.budget;
        if step.abs() < EPSILON {
            return Verdict::Blocked;
        }
        let sphere = self.path.trial_spheres[0];
        let lift = target.height + sphere.radius - (sphere.center.z - target.low.z);
        if !self.spend(lift / step) {
            return Verdict::Blocked;
        }
        self.stand_on(Vec3::Z, sphere.center + Vec3::new(0.0, 0.0, lift - sphere.radius));
        self.path.shift_trial(Vec3::new(0.0, 0.0, lift));
        Verdict::Nudged
    }

    /// Spec: physics-spheres §6.3.2.
    fn land_on_cylinder(&mut self, target: &Cylinder, reach: f32) -> Verdict {
        let back = -self.path.movement(0);
        if back.z.abs() < EPSILON {
            return Verdict::Blocked;
        }
        let sphere = self.path.trial_spheres[0];
        let offset = sphere.center - target.low;
        let t = (target.height + sphere.radius - offset.z) / back.z;
        let shift = back * t;
        if (offset + shift).truncate().length_squared() > reach * reach {
            return Verdict::Clear;
        }
        if !self.spend(t) {
            return Verdict::Blocked;
        }
        self.stand_on(Vec3::Z, sphere.center + shift - Vec3::new(0.0, 0.0, sphere.radius));
        self.path.shift_trial(shift);
        Verdict::Nudged
    }

    /// Retail: `CCylSphere::normal_of_collision`. Spec: physics-spheres §6.3.3.
    fn cylinder_normal(&self, target: &Cylinder, reach: f32, i: usize) -> CylinderNormal {
        let sphere = self.path.trial_spheres[i];
        let held = self.path.held_centers[i] - target.low;
        let trial_z = sphere.center.z - target.low.z;
        if held.x * held.x + held.y * held.y > reach * reach {
            let definite =
                within_height(target, sphere.radius, held.z) || (held.z - trial_z).abs() <= EPSILON;
            return CylinderNormal { normal: Vec3::new(held.x, held.y, 0.0), definite };
        }
        let normal = if trial_z - held.z <= 0.0 { Vec3::Z } else { Vec3::NEG_Z };
        CylinderNormal { normal, definite: true }
    }

    /// Spec: physics-spheres §6.3.4.
    fn slide_on_cylinder(&mut self, target: &Cylinder, reach: f32, i: usize) -> Verdict {
        match unit(self.cylinder_normal(target, reach, i).normal) {
            Some(normal) => self.slide(i, normal),
            None => Verdict::Blocked,
        }
    }

    /// The normal is turned by the target's orientation although it is in block coordinates already, as in the
    /// original. Spec: physics-spheres §6.3.5.
    fn step_up_cylinder(&mut self, target: &Cylinder, reach: f32) -> Verdict {
        let sphere = self.path.trial_spheres[0];
        if self.mover.step_up < sphere.radius + target.height - (sphere.center.z - target.low.z) {
            return self.slide_on_cylinder(target, reach, 0);
        }
        let Some(normal) = unit(self.cylinder_normal(target, reach, 0).normal) else {
            return Verdict::Blocked;
        };
        let normal = self.path.local.position.frame.rotate(normal);
        if self.step_up(normal) { Verdict::Clear } else { self.step_up_slide() }
    }

    /// Spec: physics-spheres §6.3.6.
    fn stop_at_cylinder(&mut self, target: &Cylinder, reach: f32, i: usize) -> Verdict {
        let CylinderNormal { normal, definite } = self.cylinder_normal(target, reach, i);
        let Some(normal) = unit(normal) else { return Verdict::Blocked };
        if !self.is(MoverFlags::PERFECT_CLIP) {
            self.log.set_hit(normal);
            return Verdict::Blocked;
        }
        let sphere = self.path.trial_spheres[i];
        let held = self.path.held_centers[0];
        let stop = CylinderStop {
            movement: sphere.center - held + self.path.held_to_trial(),
            from: held - target.low,
            radius: sphere.radius,
            height: target.height,
            reach: reach + EPSILON,
        };
        let Some((t, normal)) = stop.find(normal, definite) else { return Verdict::Blocked };
        if !(0.0..=1.0).contains(&t) {
            return Verdict::Blocked;
        }
        self.log.set_hit(normal);
        self.path.shift_trial(held + stop.movement * t - sphere.center);
        Verdict::Nudged
    }
}

/// Whether a sphere at height `z` over the cylinder's base reaches its span.
fn within_height(target: &Cylinder, radius: f32, z: f32) -> bool {
    let half = target.height * 0.5;
    radius - EPSILON + half >= (half - z).abs()
}

/// A straight move that ends in a cylinder.
struct CylinderStop {
    movement: Vec3,
    /// Start, seen from the low point.
    from: Vec3,
    radius: f32,
    height: f32,
    reach: f32,
}

impl CylinderStop {
    /// Fraction of the move at which it stops and the normal there.
    fn find(&self, normal: Vec3, definite: bool) -> Option<(f32, Vec3)> {
        if definite && normal.z == 0.0 {
            return self.at_side();
        }
        if self.movement.z.abs() < EPSILON {
            return None;
        }
        let (cap, t) = if self.movement.z > 0.0 {
            (Vec3::NEG_Z, -(self.from.z + self.radius) / self.movement.z)
        } else {
            (Vec3::Z, (self.radius + self.height - self.from.z) / self.movement.z)
        };
        if definite {
            return Some((t, normal));
        }
        let end = (self.from + self.movement * t).truncate();
        if end.length_squared() < self.reach * self.reach {
            return Some((t, cap));
        }
        let (a, _, discriminant) = self.quadratic();
        if a < EPSILON {
            return None;
        }
        if discriminant >= 0.0 && a > EPSILON {
            return self.at_side();
        }
        Some((t, self.side_normal(t)))
    }

    fn at_side(&self) -> Option<(f32, Vec3)> {
        let (a, b, discriminant) = self.quadratic();
        if discriminant < 0.0 || a < EPSILON {
            return None;
        }
        let root = discriminant.sqrt();
        let t = if b - root < 0.0 { (b + root) / a } else { (b - root) / a };
        Some((t, self.side_normal(t)))
    }

    fn quadratic(&self) -> (f32, f32, f32) {
        let (m, o) = (self.movement.truncate(), self.from.truncate());
        let (a, b) = (m.dot(m), -m.dot(o));
        (a, b, b * b - (o.dot(o) - self.reach * self.reach) * a)
    }

    fn side_normal(&self, t: f32) -> Vec3 {
        let end = self.from + self.movement * t;
        Vec3::new(end.x / self.reach, end.y / self.reach, 0.0)
    }
}
