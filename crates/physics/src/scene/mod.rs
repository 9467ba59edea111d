//! The scene: every object, and for every cell the list of objects that can be hit in it.
//! Spec: physics-objects §8, §9.

mod alone;
mod announce;
mod ask;
mod begin;
mod clock;
mod commit;
mod describe;
mod entities;
mod entity;
mod entry;
mod extents;
mod extras;
mod family;
mod flood;
mod hash;
mod hooks;
mod leave;
mod many;
mod motion;
mod order;
mod probe;
mod properties;
mod reports;
mod residency;
mod response;
mod setpos;
mod shadows;
mod sleep;
mod slide;
mod spawn;
mod state;
mod static_motion;
mod statics;
#[cfg(test)]
mod tests;
mod tick;
mod viewers;

pub use commit::{Body, MoveResult, SweptStep, Watch, Watching};
pub use describe::{CAMERA_SPHERE, camera};
pub use entities::EntityKey;
pub use entity::{Attachment, Entity, EntityRole, Motion, Part, Shadow};
pub use entry::Admission;
pub use family::MAX_CARRY_DEPTH;
pub use many::CrowdReport;
pub use probe::{Foothold, Probe};
pub use properties::{MAX_ELASTICITY, PartSwap};
pub use reports::{CollisionProfile, ProfileFlags, Quadrant};
pub use setpos::{PlaceOptions, Placement, Scatter};
pub use spawn::{PLAYER_SETUP, PLAYER_STATE, SCALES, SceneError, Spawn, check_position};
pub use state::{ObjectError, RestoreError, SceneState, StaticState};
pub use tick::{GRAVITY, HUGE_QUANTUM, MAX_QUANTUM, MAX_SPEED, MIN_QUANTUM};
pub use viewers::{ACTIVE_RANGE, Viewer};

pub(crate) use extents::{Extent, on_map};

use crate::{
    motion::{HookRun, MotionError},
    sweep::Sweeper,
};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use shadows::ShadowLists;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::LazyLock,
};
use threshold_world::{CellId, Position, motion::Command};

/// An event for the owner of a scene.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Event {
    /// A committed move ended in another cell; 0 means none.
    CellChanged {
        /// Who moved.
        entity: EntityKey,
        /// Cell before.
        from: CellId,
        /// Cell after.
        to: CellId,
    },
    /// An object that wants reports touched another one, or was touched by it, for the first time.
    Collided {
        /// Who is told.
        entity: EntityKey,
        /// Objects it touched.
        other: EntityKey,
        /// How.
        profile: CollisionProfile,
    },
    /// A missile hit an object.
    MissileHit {
        /// The missile.
        missile: EntityKey,
        /// What it hit.
        target: EntityKey,
        /// Where.
        quadrant: Quadrant,
    },
    /// A contact between two objects has ended.
    CollisionEnded {
        /// Who is told.
        entity: EntityKey,
        /// What it no longer touches.
        other: EntityKey,
    },
    /// An object hit the environment for the first time.
    HitEnvironment {
        /// Who is told.
        entity: EntityKey,
        /// Its velocity before the bounce.
        velocity: glam::Vec3,
        /// It touched ground before it moved.
        had_contact: bool,
    },
    /// An object left walkable ground.
    LeftGround(EntityKey),
    /// An object reached walkable ground.
    HitGround(EntityKey),
    /// An object is no longer in any loaded cell; it keeps its last position.
    Lost(EntityKey),
    /// The cell of an object that waited for it has been loaded.
    Found(EntityKey),
    /// A motion of an object is over.
    MotionDone {
        /// Whose.
        entity: EntityKey,
        /// Which.
        motion: Command,
        /// False when it was cut short.
        success: bool,
    },
    /// A hook of an animation was run.
    HookRun {
        /// Whose.
        entity: EntityKey,
        /// Which.
        hook: HookRun,
    },
    /// A move-to has ended.
    MoveToEnded {
        /// Whose.
        entity: EntityKey,
        /// Why; 0 when nothing was left to do.
        code: MotionError,
    },
    /// An object could not follow the positions that a server reported, and was put at the last of them.
    GaveUpFollowing {
        /// The object.
        entity: EntityKey,
        /// Where it had come to.
        from: Position,
    },
}

/// Objects and the per-cell lists they can be hit in.
#[derive(Debug, Default)]
pub struct Scene {
    entities: entities::Entities,
    by_guid: HashMap<u32, EntityKey>,
    shadows: ShadowLists,
    /// Who is at home in which loaded cell. Retail: `CObjCell::object_list`.
    residents: BTreeSet<(CellId, EntityKey)>,
    /// Statics by what lists them.
    statics: BTreeMap<CellId, Vec<EntityKey>>,
    /// Statics that play something.
    playing_statics: BTreeSet<EntityKey>,
    /// Statics that are yet to begin what they play.
    new_statics: Vec<EntityKey>,
    movers: order::Movers,
    /// Objects that have ever come in.
    arrivals: u64,
    viewers: viewers::Viewers,
    /// Seconds since the scene began.
    now: f64,
    events: Vec<Event>,
    flood: crate::cells::CellSet,
    /// Taken while it sweeps; `None` before the first sweep.
    sweeper: Option<Box<Sweeper>>,
    crowd: many::Crowd,
    last_saved: state::LastSaved,
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

    /// All objects in order of key.
    pub fn entities(&self) -> impl Iterator<Item = (EntityKey, &Entity)> {
        self.entities.iter()
    }

    /// Everything that is not static, in the order in which a tick updates it: bucket by bucket of the original's
    /// table of objects, in each the newest first. Spec: entities §1.1.
    pub fn in_turn(&self) -> impl Iterator<Item = EntityKey> + '_ {
        self.movers.in_turn()
    }

    /// Number of objects.
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.entities.len() == 0
    }

    /// Objects that can be hit in a cell, in the order they are tested.
    #[inline]
    pub fn shadows_in(&self, cell: CellId) -> &[EntityKey] {
        self.shadows.list(cell)
    }

    /// Cells in which something can be hit, ascending, each with its objects.
    pub fn shadow_lists(&self) -> impl Iterator<Item = (CellId, &[EntityKey])> {
        self.shadows.filled()
    }

    /// Number of pairs of an object and an unloaded cell whose loading would cause the object to be registered again.
    pub fn waiting(&self) -> usize {
        self.shadows.waiting_len()
    }

    /// Removes and returns the events since the last call, in order.
    #[inline]
    pub fn drain_events(&mut self) -> std::vec::Drain<'_, Event> {
        self.events.drain(..)
    }

    /// The last sweep: how it ended, its cell set and the objects it touched.
    pub fn last_sweep(&self) -> &Sweeper {
        static NONE: LazyLock<Sweeper> = LazyLock::new(Sweeper::new);
        self.sweeper.as_deref().unwrap_or_else(|| &NONE)
    }

    /// How far an object reaches.
    #[inline]
    pub(crate) fn extent(&self, key: EntityKey) -> &Extent {
        self.entities.extent(key)
    }

    /// The sweeper, to be put back after use.
    #[inline]
    fn take_sweeper(&mut self) -> Box<Sweeper> {
        self.entities.measure_if_many();
        self.sweeper.take().unwrap_or_default()
    }
}
