//! Doors: opened by hand, ethereal while open, closed by themselves after a while unless something stands in them.

use super::TICKS_PER_SECOND;
use std::collections::BTreeMap;
use threshold_physics::{EntityKey, Scene, SceneError, State};
use threshold_world::World;

/// Ticks that a door stays open.
pub const OPEN_TICKS: u64 = 30 * TICKS_PER_SECOND;

/// A door and how it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Door {
    /// The object.
    pub key: EntityKey,
    /// It stands open.
    pub open: bool,
    /// The tick from which on it tries to close.
    closes_at: u64,
}

/// What became of an attempt to open or close a door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoorChange {
    /// It was opened.
    Opened,
    /// It was closed.
    Closed,
    /// It stays open, because something stands in it.
    Blocked,
}

/// All doors of the world.
#[derive(Clone, Debug, Default)]
pub struct Doors(BTreeMap<EntityKey, Door>);

impl Doors {
    pub(super) fn add(&mut self, key: EntityKey, scene: &Scene) {
        let open = scene.get(key).is_some_and(|door| door.state.contains(State::ETHEREAL));
        self.0.insert(key, Door { key, open, closes_at: OPEN_TICKS });
    }

    /// A door by its object.
    pub fn get(&self, key: EntityKey) -> Option<&Door> {
        self.0.get(&key)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Door> {
        self.0.values()
    }

    /// Those that stand open.
    pub fn open(&self) -> impl Iterator<Item = &Door> {
        self.0.values().filter(|door| door.open)
    }

    /// Has these stand open and no others.
    pub(super) fn restore(&mut self, open: &[Door]) {
        self.0.values_mut().for_each(|door| door.open = false);
        self.0.extend(open.iter().map(|door| (door.key, *door)));
    }

    /// Opens a closed door, closes an open one. None when there is no such door.
    pub(super) fn turn(
        &mut self,
        world: &World,
        scene: &mut Scene,
        key: EntityKey,
        now: u64,
    ) -> Result<Option<DoorChange>, SceneError> {
        let Some(door) = self.0.get_mut(&key) else { return Ok(None) };
        if door.open {
            return door.close(world, scene).map(Some);
        }
        scene.set_ethereal(world, key, true)?;
        door.open = true;
        door.closes_at = now + OPEN_TICKS;
        Ok(Some(DoorChange::Opened))
    }

    /// Closes what has been open long enough, one try per tick. Returns those that closed.
    pub(super) fn update(
        &mut self,
        world: &World,
        scene: &mut Scene,
        now: u64,
    ) -> Result<Vec<EntityKey>, SceneError> {
        let mut closed = Vec::new();
        for door in self.0.values_mut().filter(|door| door.open && door.closes_at <= now) {
            // One whose cell is not loaded is left as it is until somebody is near.
            let is_here = scene.get(door.key).is_some_and(|entity| entity.cell.is_some());
            if is_here && door.close(world, scene)? == DoorChange::Closed {
                closed.push(door.key);
            }
        }
        Ok(closed)
    }
}

impl Door {
    /// The scene refuses to make solid what somebody stands in, and would try again by itself; a door that cannot
    /// close stays open to the eye as well.
    fn close(&mut self, world: &World, scene: &mut Scene) -> Result<DoorChange, SceneError> {
        scene.set_ethereal(world, self.key, false)?;
        let is_blocked = scene.get(self.key).is_some_and(|door| door.state.contains(State::ETHEREAL));
        if is_blocked {
            scene.set_ethereal(world, self.key, true)?;
            return Ok(DoorChange::Blocked);
        }
        self.open = false;
        Ok(DoorChange::Closed)
    }
}
