//! An object as the mover of a sweep. Spec: physics-objects §8.1, §8.2.

use super::{Entity, EntityKey, Scene, flood::DUMMY_SPHERE};
use crate::{
    flags::{MoverFlags, State, Transient},
    sweep::{Contact, MAX_MOVER_SPHERES, Mover, StartContact, SweepInput},
};
use glam::Vec3;
use threshold_world::{EPSILON, Position, geometry::Sphere};

/// Step height of an object without a setup.
const DEFAULT_STEP: f32 = 0.01;

/// Shape of the camera. Spec: physics §1.1.
pub const CAMERA_SPHERE: Sphere = Sphere { center: Vec3::ZERO, radius: 0.3 };

/// A camera without an owner, as a mover.
pub fn camera() -> Mover {
    Mover {
        entity: None,
        flags: MoverFlags::CAMERA,
        spheres: [CAMERA_SPHERE; MAX_MOVER_SPHERES],
        sphere_count: 1,
        step_up: DEFAULT_STEP,
        step_down: DEFAULT_STEP,
        state: State::empty(),
        target: None,
        bypasses_restrictions: true,
    }
}

impl Scene {
    /// The camera of an object as a mover: it never hits its owner, and counts as a player or as ethereal if its owner does.
    /// The camera of a removed object has no owner. Retail: the sweep of `SmartBox::update_viewer`.
    /// Spec: physics §1.4.
    pub fn camera_of(&self, owner: EntityKey) -> Mover {
        let Some(entity) = self.get(owner) else { return camera() };
        Mover {
            flags: MoverFlags::CAMERA | entity.role.mover_flags(),
            spheres: [CAMERA_SPHERE; MAX_MOVER_SPHERES],
            sphere_count: 1,
            ..entity.as_mover(owner)
        }
    }
}

impl Entity {
    /// The spheres it moves with, in its own space, scale applied.
    pub fn body_spheres(&self) -> [Sphere; MAX_MOVER_SPHERES] {
        let mut spheres = [DUMMY_SPHERE; MAX_MOVER_SPHERES];
        for (slot, sphere) in spheres.iter_mut().zip(&self.model.spheres) {
            *slot = Sphere { center: sphere.center * self.scale, radius: sphere.radius * self.scale };
        }
        spheres
    }

    /// The object as it is, and where it wants to go.
    #[inline]
    pub(super) fn sweep_input<'a>(&'a self, key: EntityKey, end: &'a Position) -> SweepInput<'a> {
        let (mover, contact, begin) = (self.as_mover(key), StartContact::default(), &self.position);
        let mut input = SweepInput { mover, contact, begin, end };
        input.contact = self.start_contact(&mut input.mover);
        input
    }

    /// Retail: `CPhysicsObj::get_object_info`, `OBJECTINFO::init`, for anything but contact.
    #[inline]
    pub(super) fn as_mover(&self, key: EntityKey) -> Mover {
        let flags = self.role.mover_flags()
            | MoverFlags::EDGE_SLIDE.when(self.state.contains(State::EDGE_SLIDE))
            | MoverFlags::FREE_ROTATE.when(self.model.free_heading)
            | MoverFlags::PATH_CLIPPED.when(self.state.contains(State::MISSILE));
        Mover {
            entity: Some(key),
            flags,
            spheres: self.body_spheres(),
            sphere_count: self.model.spheres.len().clamp(1, MAX_MOVER_SPHERES),
            step_up: self.model.step_up * self.scale,
            step_down: self.model.step_down * self.scale,
            state: self.state,
            target: self.target,
            bypasses_restrictions: self.role.bypasses_restrictions,
        }
    }

    /// The contact a sweep starts from, and the flags that go with it. A mover that leaves its ground keeps only the
    /// memory of it.
    #[inline]
    fn start_contact(&self, mover: &mut Mover) -> StartContact {
        let mut start = StartContact { stationary_stage: self.stationary_stage(), ..StartContact::default() };
        if self.has(Transient::CONTACT) {
            let contact = Contact {
                plane: self.contact_plane,
                cell: self.contact_cell,
                is_water: self.has(Transient::WATER_CONTACT),
            };
            let leaving = self.velocity.dot(self.contact_plane.normal) > EPSILON;
            if leaving {
                start.last_contact = Some(Contact { cell: threshold_world::CellId::NONE, ..contact });
            } else {
                start.contact = Some(contact);
                start.last_contact = Some(contact);
                mover.flags |= MoverFlags::CONTACT;
                mover.flags.set(MoverFlags::ON_WALKABLE, self.has(Transient::ON_WALKABLE));
            }
        }
        if self.has(Transient::SLIDING) {
            start.slide = Some(self.sliding_normal);
        }
        start
    }
}
