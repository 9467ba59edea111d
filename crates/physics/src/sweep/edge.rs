//! Edges, cliffs and precipices. Spec: physics-transition §7.7, §7.8.

use super::{Sweep, Verdict, log::unit};
use crate::{bsp, flags::MoverFlags};
use glam::Vec3;
use threshold_world::geometry::Plane;

impl Sweep<'_> {
    /// Whether some floor is under the trial. Retail: `CTransition::check_walkable`.
    pub(super) fn floor_check(&mut self, limit: f32) -> bool {
        if !self.is(MoverFlags::ON_WALKABLE) {
            return true;
        }
        let Some(floor) = &mut self.path.floor else { return true };
        floor.sphere.radius *= 0.5;
        if bsp::footprint(&floor.mesh.polygons, floor.polygon(), &floor.sphere, floor.up) {
            return true;
        }
        let (trial, cell) = (self.path.trial, self.path.trial_cell);
        self.path.min_up = limit;
        self.path.floor_probe = true;
        let radius = self.path.radius();
        let mut height = self.mover.step_down;
        if self.path.count < 2 && height > 2.0 * radius {
            height = radius * 0.5;
        }
        if height > 2.0 * radius {
            height *= 0.5;
        }
        self.path.shift_trial(Vec3::new(0.0, 0.0, -height));
        let verdict = self.insert(1);
        self.path.floor_probe = false;
        self.path.place_trial(&trial, cell);
        verdict != Verdict::Clear
    }

    /// What to do when no floor was found below. `Ok` ends the insertion, `Err` asks for another attempt.
    /// Retail: `CTransition::edge_slide`.
    pub(super) fn edge_slide(&mut self, height: f32, limit: f32) -> Result<Verdict, Verdict> {
        let finish_if_blocked = |v: Verdict| if v == Verdict::Blocked { Ok(v) } else { Err(v) };
        if !self.is(MoverFlags::ON_WALKABLE | MoverFlags::EDGE_SLIDE) {
            return Ok(self.walk_off());
        }
        if self.log.contact_valid && self.log.contact.plane.normal.z < limit {
            self.path.floor = None;
            self.path.restore_trial();
            let verdict = self.cliff_slide(self.log.contact.plane);
            self.log.void_contact();
            return Err(verdict);
        }
        if self.path.floor.is_some() {
            self.path.restore_trial();
            self.log.void_contact();
            return finish_if_blocked(self.precipice_slide());
        }
        if self.log.contact_valid {
            return Ok(self.walk_off());
        }
        self.path.shift_trial(self.path.held_centers[0] - self.path.trial_spheres[0].center);
        self.step_down(height, limit);
        self.log.void_contact();
        self.path.restore_trial();
        let Some(mut floor) = self.path.floor else { return Ok(Verdict::Blocked) };
        self.path.localise(floor.position, floor.scale);
        floor.sphere = self.path.local.spheres[0];
        self.path.floor = Some(floor);
        finish_if_blocked(self.precipice_slide())
    }

    /// Leaves the trial where it was before settling: the mover walks off the edge.
    fn walk_off(&mut self) -> Verdict {
        self.path.floor = None;
        self.path.restore_trial();
        self.log.void_contact();
        Verdict::Clear
    }

    /// Slides along the edge of the floor that is being left. Retail: `SPHEREPATH::precipice_slide`.
    fn precipice_slide(&mut self) -> Verdict {
        let Some(floor) = self.path.floor.take() else { return Verdict::Blocked };
        let edge = bsp::crossed_edge(&floor.mesh.polygons, floor.polygon(), floor.sphere.center, floor.up);
        let Some(edge) = edge else { return Verdict::Blocked };
        self.path.going_up = false;
        let mut normal = floor.position.frame.rotate(edge);
        if normal.dot(self.path.movement(0)) > 0.0 {
            normal = -normal;
        }
        self.slide(0, normal)
    }

    /// Follows the line where walkable ground meets ground too steep to walk on.
    /// Retail: `CTransition::cliff_slide`.
    pub(super) fn cliff_slide(&mut self, cliff: Plane) -> Verdict {
        let crease = cliff.normal.cross(self.log.last_contact.plane.normal);
        let Some(normal) = unit(Vec3::new(-crease.y, crease.x, 0.0)) else { return Verdict::Clear };
        let into = normal.dot(self.path.movement(0));
        if into <= 0.0 {
            self.path.shift_trial(normal * into);
            self.log.set_hit(normal);
        } else {
            self.path.shift_trial(normal * -into);
            self.log.set_hit(-normal);
        }
        Verdict::Nudged
    }
}
