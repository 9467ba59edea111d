//! Accepting or undoing a sub-step. Spec: physics-transition §7.6.

use super::{Contact, Sweep, Verdict};
use crate::flags::{MoverFlags, State};
use glam::Vec3;
use threshold_world::{EPSILON, geometry::Plane, terrain::FLOOR_Z};

impl Sweep<'_> {
    /// The only place where a sub-step, and with it the cell, is accepted.
    /// Retail: `CTransition::validate_transition` (0x0050AA70).
    pub(super) fn validate(&mut self, verdict: Verdict) -> Verdict {
        let mut progress = false;
        let mut answer = verdict;
        match verdict {
            Verdict::Clear => {
                progress = !self.path.trial.nearly_equals(&self.path.held);
                self.path.hold_and_refresh_trial();
            }
            Verdict::Blocked | Verdict::Nudged | Verdict::Slid => {
                progress = self.undo();
                answer = Verdict::Clear;
            }
            Verdict::Invalid => {}
        }
        if self.log.hit_valid {
            self.log.set_slide(self.log.hit);
        }
        if !self.is(MoverFlags::VIEWER) && self.mover.state.contains(State::GRAVITY) {
            self.advance_stationary_stage(progress);
        }
        self.log.last_contact_valid = self.log.contact_valid;
        if self.log.contact_valid {
            self.log.last_contact = self.log.contact;
        }
        let grounded = self.log.contact_valid;
        self.flags.set(MoverFlags::CONTACT, grounded);
        let walkable = grounded && self.log.contact.plane.normal.z >= FLOOR_Z;
        self.flags.set(MoverFlags::ON_WALKABLE, walkable);
        answer
    }

    /// Back to the held place, standing on what the mover stood on before. True when that counts as progress.
    fn undo(&mut self) -> bool {
        let mut progress = false;
        if self.log.last_contact_valid {
            self.stopped = true;
            let height = self.log.last_contact.plane.distance(self.path.held_centers[0]);
            if self.path.radius() + EPSILON > height.abs() {
                self.log.set_contact(self.log.last_contact);
                progress = self.is(MoverFlags::ON_WALKABLE);
            }
        }
        if !self.log.hit_valid {
            self.log.set_hit(Vec3::Z);
        }
        self.path.place_trial_at_held();
        self.build_cells();
        progress
    }

    /// A falling body that cannot move is declared standing after three sub-steps.
    fn advance_stationary_stage(&mut self, progress: bool) {
        if progress {
            self.log.stationary_stage = 0;
            return;
        }
        self.log.stationary_stage = (self.log.stationary_stage + 1).min(3);
        if self.log.stationary_stage == 3 {
            let d = self.path.radius() - self.path.trial_spheres[0].center.z;
            self.log.set_contact(Contact {
                plane: Plane { normal: Vec3::Z, d },
                cell: self.path.trial.cell,
                is_water: false,
            });
            if !self.is(MoverFlags::CONTACT) {
                self.log.set_hit(Vec3::Z);
                self.log.hit_environment = true;
            }
        }
    }
}
