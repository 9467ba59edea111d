//! What a route may use.

use crate::{Nav, Surroundings, nav::Way};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use threshold_physics::State;
use threshold_world::BlockId;

/// How closed doors are handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DoorPolicy {
    /// Opens them, unless they are locked.
    #[default]
    Opens,
    /// Uses only doors that are already open.
    LeavesShut,
}

/// What one may do on the way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Policy {
    /// Closed doors.
    pub doors: DoorPolicy,
    /// Game ids of doors that cannot be opened.
    pub locked: BTreeSet<u32>,
    /// The deepest fall, in metres.
    pub max_drop: f32,
    /// May wade through water.
    pub wades: bool,
    /// May use portals; otherwise a player goes around them.
    pub takes_portals: bool,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            doors: DoorPolicy::Opens,
            locked: BTreeSet::new(),
            max_drop: 6.0,
            wades: true,
            takes_portals: false,
        }
    }
}

impl Policy {
    /// A policy that leaves closed doors alone.
    pub fn leaving_doors_shut() -> Policy {
        Policy { doors: DoorPolicy::LeavesShut, ..Policy::default() }
    }

    /// The same with another [`Policy::doors`].
    pub fn doors(self, doors: DoorPolicy) -> Policy {
        Policy { doors, ..self }
    }

    /// The same with another [`Policy::locked`].
    pub fn locked(self, locked: BTreeSet<u32>) -> Policy {
        Policy { locked, ..self }
    }

    /// The same with another [`Policy::max_drop`].
    pub fn max_drop(self, max_drop: f32) -> Policy {
        Policy { max_drop, ..self }
    }

    /// The same with another [`Policy::wades`].
    pub fn wades(self, wades: bool) -> Policy {
        Policy { wades, ..self }
    }

    /// The same with another [`Policy::takes_portals`].
    pub fn takes_portals(self, takes_portals: bool) -> Policy {
        Policy { takes_portals, ..self }
    }

    /// Whether one may go through a door. Nobody comes out on the other side of a portal.
    pub(crate) fn passes(&self, around: &Surroundings<'_>, door: u32) -> bool {
        if around.portal(door).is_some() {
            return false;
        }
        is_open(around, door) || self.doors == DoorPolicy::Opens && !self.locked.contains(&door)
    }

    pub(crate) fn allows(&self, nav: &Nav, around: &Surroundings<'_>, way: &Way) -> bool {
        let is_dry = || nav.patch(way.to).is_none_or(|patch| !patch.is_wet);
        f32::from(way.link.drop) * 0.1 <= self.max_drop
            && nav.door_of(way).is_none_or(|door| self.passes(around, door))
            && (self.wades || is_dry())
    }
}

/// What a search goes by.
#[derive(Clone, Copy)]
pub(crate) struct Terms<'a> {
    pub(crate) policy: &'a Policy,
    /// Blocks whose meshes may be used; `None` when any may, and is built if it has not been.
    pub(crate) usable: Option<&'a (dyn Fn(BlockId) -> bool + Sync)>,
}

impl Terms<'_> {
    pub(crate) fn may_use(&self, block: BlockId) -> bool {
        self.usable.is_none_or(|is_usable| is_usable(block))
    }
}

/// Whether a door stands open; one that is gone does.
pub(crate) fn is_open(around: &Surroundings<'_>, door: u32) -> bool {
    around.scene.entity_by_guid(door).is_none_or(|door| door.state.contains(State::ETHEREAL))
}
