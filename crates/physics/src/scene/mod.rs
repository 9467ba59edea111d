//! The scene: every object, and for every cell the list of objects that can be hit in it.
//! Spec: physics-objects §8, §9.

mod commit;
mod describe;
mod entity;
mod flood;
mod response;
mod setpos;
mod shadows;
mod spawn;
mod tick;

pub use commit::{Body, MoveResult};
pub use describe::{CAMERA_SPHERE, camera};
pub use entity::{Entity, Facts, Part, Shadow};
pub use setpos::{PlaceOptions, Placement};
pub use spawn::{SceneError, Spawn};
pub use tick::{GRAVITY, HUGE_QUANTUM, MAX_QUANTUM, MAX_SPEED, MIN_QUANTUM};

use crate::sweep::Sweeper;
use shadows::ShadowLists;
use slotmap::{SlotMap, new_key_type};
use std::collections::HashMap;
use threshold_world::CellId;

new_key_type! {
    /// Names an object of a [`Scene`]; a key of an object that is gone never names another one.
    pub struct EntityKey;
}

/// Something the owner of a scene may want to know.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A committed move ended in another cell; 0 stands for none.
    CellChanged {
        /// Who moved.
        entity: EntityKey,
        /// Cell before.
        from: CellId,
        /// Cell after.
        to: CellId,
    },
    /// Two objects touched for the first time.
    Collided {
        /// The mover.
        entity: EntityKey,
        /// What it touched.
        other: EntityKey,
    },
    /// A contact between two objects has ended.
    CollisionEnded {
        /// The mover.
        entity: EntityKey,
        /// What it no longer touches.
        other: EntityKey,
    },
    /// An object hit the environment for the first time.
    HitEnvironment(EntityKey),
    /// An object left walkable ground.
    LeftGround(EntityKey),
    /// An object reached walkable ground.
    HitGround(EntityKey),
    /// An object is in no loaded cell any more; it is kept where it was last held.
    Lost(EntityKey),
}

/// Objects and the per-cell lists they can be hit in.
#[derive(Debug, Default)]
pub struct Scene {
    entities: SlotMap<EntityKey, Entity>,
    by_guid: HashMap<u32, EntityKey>,
    shadows: ShadowLists,
    /// Seconds since the scene began; advanced by ticks.
    now: f64,
    events: Vec<Event>,
    flood: crate::cells::CellSet,
    sweeper: Sweeper,
}

impl Scene {
    /// A scene without objects.
    pub fn new() -> Scene {
        Scene::default()
    }

    /// An object.
    #[inline]
    pub fn get(&self, key: EntityKey) -> Option<&Entity> {
        self.entities.get(key)
    }

    /// The object with a game id.
    pub fn key_of(&self, guid: u32) -> Option<EntityKey> {
        self.by_guid.get(&guid).copied()
    }

    /// The object with a game id.
    pub fn entity_by_guid(&self, guid: u32) -> Option<&Entity> {
        self.get(self.key_of(guid)?)
    }

    /// All objects in the order of their keys.
    pub fn entities(&self) -> impl Iterator<Item = (EntityKey, &Entity)> {
        self.entities.iter()
    }

    /// Number of objects.
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }

    /// Objects that can be hit in a cell, in the order they are tested.
    #[inline]
    pub fn shadows_in(&self, cell: CellId) -> &[EntityKey] {
        self.shadows.list(cell)
    }

    /// What happened since the last call, in order.
    pub fn drain_events(&mut self) -> std::vec::Drain<'_, Event> {
        self.events.drain(..)
    }

    /// Scratch of the last sweep: its cell set and the objects it touched.
    pub fn last_sweep(&self) -> &Sweeper {
        &self.sweeper
    }
}
