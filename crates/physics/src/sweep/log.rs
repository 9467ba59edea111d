//! What a sweep records. Spec: physics §2.5.

use super::StartContact;
use crate::scene::EntityKey;
use glam::Vec3;
use threshold_world::{CellId, EPSILON, geometry::Plane, terrain::FLOOR_Z};

/// Ground under a mover.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Contact {
    /// Plane in the block coordinates of `cell`.
    pub plane: Plane,
    /// The cell it was found in.
    pub cell: CellId,
    /// Under water; also set for spheres and cylinders, which must not push the mover up.
    pub is_water: bool,
}

/// The contact log. Values behind a cleared `valid` bit keep their last value, as slides read them.
/// Retail: `COLLISIONINFO`.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct ContactLog {
    /// Ground found in this sub-step.
    pub contact: Contact,
    /// Whether `contact` counts.
    pub contact_valid: bool,
    /// Ground of the last accepted sub-step.
    pub last_contact: Contact,
    /// Whether `last_contact` counts.
    pub last_contact_valid: bool,
    /// Horizontal normal the mover slides along.
    pub slide: Vec3,
    /// Whether `slide` counts.
    pub slide_valid: bool,
    /// Normal of the hit surface; zero when it was too short to have a direction.
    pub hit: Vec3,
    /// Whether `hit` counts.
    pub hit_valid: bool,
    /// The environment was hit.
    pub hit_environment: bool,
    /// The last obstacle, unless it is static.
    pub last_touched: Option<EntityKey>,
    /// How long it has not moved, 0…3 ([`Entity::stationary_stage`](crate::Entity::stationary_stage)).
    pub stationary_stage: u8,
}

impl ContactLog {
    /// Whether the mover ended on ground that it can walk on.
    pub fn is_walkable(&self) -> bool {
        self.contact_valid && self.contact.plane.normal.z >= FLOOR_Z
    }

    /// Forgets everything but what a sweep starts from.
    #[inline(always)]
    pub(super) fn begin(&mut self, start: &StartContact) {
        *self = ContactLog { stationary_stage: start.stationary_stage, ..ContactLog::default() };
        if let Some(contact) = start.contact {
            self.set_contact(contact);
        }
        if let Some(contact) = start.last_contact {
            self.last_contact = contact;
            self.last_contact_valid = true;
        }
        if let Some(slide) = start.slide {
            self.set_slide(slide);
        }
    }

    pub(crate) fn set_contact(&mut self, contact: Contact) {
        self.contact = contact;
        self.contact_valid = true;
    }

    /// Contact no longer counts; its plane stays readable.
    pub(crate) fn void_contact(&mut self) {
        self.contact_valid = false;
        self.contact.is_water = false;
    }

    pub(crate) fn set_hit(&mut self, normal: Vec3) {
        self.hit = unit_or_zero(normal);
        self.hit_valid = true;
    }

    pub(crate) fn set_slide(&mut self, normal: Vec3) {
        self.slide = unit_or_zero(Vec3::new(normal.x, normal.y, 0.0));
        self.slide_valid = true;
    }

    /// Normal that slides take their crease from: the contact's, else the last one's, valid or not.
    pub(crate) fn ground_normal(&self) -> Vec3 {
        if self.contact_valid { self.contact.plane.normal } else { self.last_contact.plane.normal }
    }

    /// The ground found, if it counts.
    pub fn ground(&self) -> Option<Contact> {
        self.contact_valid.then_some(self.contact)
    }
}

/// Unit length, or none for a vector too short to have a direction. Retail: `Vector3::normalize_check_small`.
#[inline]
pub(crate) fn unit(v: Vec3) -> Option<Vec3> {
    let length = v.length();
    (length >= EPSILON).then(|| v / length)
}

fn unit_or_zero(v: Vec3) -> Vec3 {
    unit(v).unwrap_or(Vec3::ZERO)
}
