//! Terrain under a mover. Spec: physics-cells §4.2.

use crate::{
    flags::{MoverFlags, State},
    sweep::{Contact, Sweep, Verdict},
};
use glam::{Vec2, Vec3};
use threshold_world::{
    CellId, EPSILON,
    coords::block_offset,
    geometry::{Plane, Sphere},
    landblock::LandCell,
    terrain::{FLOOR_Z, WaterClass},
};

/// Least budget a step may leave on terrain, spheres and cylinders.
pub(super) const MIN_BUDGET: f32 = -0.1;

/// The ground under a point. A step down and its confirmation come back to the same one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground {
    /// The point in plan view, in the coordinates of the cell's block.
    point: Vec2,
    contact: Contact,
    /// Of the water on it.
    depth: f32,
}

impl Ground {
    /// Of no cell.
    pub(crate) const NONE: Ground = Ground {
        point: Vec2::ZERO,
        contact: Contact { plane: Plane { normal: Vec3::ZERO, d: 0.0 }, cell: CellId::NONE, is_water: false },
        depth: 0.0,
    };
}

impl Sweep<'_> {
    /// Retail: `CLandCell::find_env_collisions` (0x00532F20).
    #[inline]
    pub(super) fn collide_with_terrain(&mut self, cell: LandCell<'_>) -> Verdict {
        let id = cell.id();
        let shift = block_offset(self.path.trial.cell, id);
        let low = self.path.trial_low - shift;
        if !(self.ground.contact.cell == id && self.ground.point == low.truncate())
            && let Err(verdict) = self.find_ground(cell, low)
        {
            return verdict;
        }
        let sphere = Sphere {
            center: self.path.trial_spheres[0].center - shift,
            radius: self.path.trial_spheres[0].radius,
        };
        if self.is(MoverFlags::VIEWER) {
            self.collide_viewer_with_ground(&sphere)
        } else {
            self.collide_with_ground(&sphere)
        }
    }

    /// Looks up the ground under a point; the verdict when the mover is not over the cell, or may not be.
    fn find_ground(&mut self, cell: LandCell<'_>, low: Vec3) -> Result<(), Verdict> {
        if self.is_land_entry_refused(cell) {
            return Err(Verdict::Blocked);
        }
        let terrain = &cell.block.terrain;
        let half = terrain.triangle_under(cell.index(), low).ok_or(Verdict::Clear)?;
        if terrain.block_water == WaterClass::Full
            && !self.is(MoverFlags::VIEWER)
            && !self.mover.state.contains(State::MISSILE)
        {
            return Err(Verdict::Blocked);
        }
        let contact = Contact {
            plane: *terrain.plane(cell.index(), half),
            cell: cell.id(),
            is_water: terrain.water(cell.index()) != WaterClass::Dry,
        };
        self.ground =
            Ground { point: low.truncate(), contact, depth: terrain.water_depth(cell.index(), low) };
        Ok(())
    }

    /// Retail: `OBJECTINFO::validate_walkable`, the viewer's branch. Spec: physics-cells §4.2.1.
    fn collide_viewer_with_ground(&mut self, sphere: &Sphere) -> Verdict {
        let plane = self.ground.contact.plane;
        let gap = plane.distance(sphere.center) - sphere.radius;
        if gap > -EPSILON {
            return Verdict::Clear;
        }
        let movement = sphere.center - self.path.held_centers[0];
        let t = gap / movement.dot(plane.normal);
        if (t <= 0.0 || t > 1.0) && self.path.from_inside {
            return Verdict::Clear;
        }
        self.path.shift_trial(movement * -t);
        self.log.set_hit(plane.normal);
        self.log.hit_environment = true;
        Verdict::Nudged
    }

    /// Retail: `OBJECTINFO::validate_walkable`. Spec: physics-cells §4.2.1.
    fn collide_with_ground(&mut self, sphere: &Sphere) -> Verdict {
        let Ground { contact, depth, .. } = self.ground;
        let plane = contact.plane;
        let lowest = sphere.center - Vec3::new(0.0, 0.0, sphere.radius);
        let gap = plane.normal.dot(lowest) + plane.d + depth;
        if gap > EPSILON {
            return Verdict::Clear;
        }
        let accepted = self.path.going_down || !self.is(MoverFlags::ON_WALKABLE) || plane.normal.z >= FLOOR_Z;
        let mut verdict = Verdict::Clear;
        if gap < -EPSILON {
            if self.path.floor_probe {
                return Verdict::Blocked;
            }
            if accepted {
                let depth = gap / plane.normal.z;
                self.log.set_contact(contact);
                if self.path.going_down {
                    let budget = self.path.budget;
                    let rest = (1.0 + depth / (self.path.down_amount * budget)) * budget;
                    if rest >= budget || rest < MIN_BUDGET {
                        return Verdict::Blocked;
                    }
                    self.path.budget = rest;
                }
                self.path.shift_trial(Vec3::new(0.0, 0.0, -depth));
                verdict = Verdict::Nudged;
            }
        } else if accepted {
            self.log.set_contact(contact);
        }
        if !self.is(MoverFlags::CONTACT) && !self.path.going_down {
            self.log.set_hit(plane.normal);
            self.log.hit_environment = true;
        }
        verdict
    }
}
