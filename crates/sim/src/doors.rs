//! Doors: opened by hand, ethereal while open, closed by themselves after a while unless something stands in them.

use crate::{Event, SimError, Simulation, clock::TICKS_PER_SECOND};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use threshold_physics::{EntityKey, Scene, SceneError, State};
use threshold_world::World;

/// Seconds that a door stays open when nothing else is said of it.
const DEFAULT_RESET: f32 = 30.0;

/// A door and how it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Door {
    /// The object.
    pub key: EntityKey,
    /// It stands open.
    pub open: bool,
    /// Ticks that it stays open.
    reset: u64,
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

impl DoorChange {
    fn event(self, key: EntityKey) -> Event {
        match self {
            DoorChange::Opened => Event::DoorOpened(key),
            DoorChange::Closed => Event::DoorClosed(key),
            DoorChange::Blocked => Event::DoorBlocked(key),
        }
    }
}

/// All doors by their objects.
pub(crate) type Doors = BTreeMap<EntityKey, Door>;

impl Door {
    /// A door that stands as its object's state says; `reset` are the seconds that it stays open.
    pub(crate) fn new(key: EntityKey, scene: &Scene, reset: Option<f32>, now: u64) -> Door {
        let open = scene.get(key).is_some_and(|door| door.state.contains(State::ETHEREAL));
        let seconds = reset.filter(|s| s.is_finite() && *s > 0.0).unwrap_or(DEFAULT_RESET);
        let reset = ((f64::from(seconds) * TICKS_PER_SECOND as f64).round() as u64).max(1);
        Door { key, open, reset, closes_at: now.saturating_add(reset) }
    }

    fn open(&mut self, world: &World, scene: &mut Scene, now: u64) -> Result<DoorChange, SceneError> {
        scene.set_ethereal(world, self.key, true)?;
        self.open = true;
        self.closes_at = now.saturating_add(self.reset);
        Ok(DoorChange::Opened)
    }

    /// The scene refuses to make solid what something stands in, and would try again by itself; a door that cannot
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

impl Simulation {
    /// All doors, in the order of their keys.
    pub fn doors(&self) -> impl Iterator<Item = &Door> {
        self.doors.values()
    }

    /// The door that an object is.
    pub fn door(&self, key: EntityKey) -> Option<&Door> {
        self.doors.get(&key)
    }

    /// Makes an object a door that stays open for some seconds; half a minute when nothing is said.
    pub fn add_door(&mut self, key: EntityKey, reset: Option<f32>) -> Result<(), SimError> {
        self.scene.get(key).ok_or(threshold_physics::SceneError::NoSuchEntity)?;
        self.doors.insert(key, Door::new(key, &self.scene, reset, self.clock.ticks));
        Ok(())
    }

    /// Opens a door; one that is open stays so. `None` when the object is not a door.
    pub fn open_door(&mut self, key: EntityKey) -> Result<Option<DoorChange>, SimError> {
        let Some(door) = self.doors.get_mut(&key) else { return Ok(None) };
        if door.open {
            return Ok(Some(DoorChange::Opened));
        }
        let change = door.open(&self.world, &mut self.scene, self.clock.ticks)?;
        self.events.push(change.event(key));
        Ok(Some(change))
    }

    /// Closes a door unless something stands in it; one that is closed stays so. `None` when the object is not a door.
    pub fn close_door(&mut self, key: EntityKey) -> Result<Option<DoorChange>, SimError> {
        let Some(door) = self.doors.get_mut(&key) else { return Ok(None) };
        if !door.open {
            return Ok(Some(DoorChange::Closed));
        }
        let change = door.close(&self.world, &mut self.scene)?;
        self.events.push(change.event(key));
        Ok(Some(change))
    }

    /// Uses an object as a player would: opens a closed door, closes an open one. `None` when it is not a door.
    pub fn use_object(&mut self, key: EntityKey) -> Result<Option<DoorChange>, SimError> {
        match self.doors.get(&key).map(|door| door.open) {
            Some(true) => self.close_door(key),
            Some(false) => self.open_door(key),
            None => Ok(None),
        }
    }

    /// Closes what has been open long enough, one try per tick. One whose cell is not loaded stays as it is.
    pub(crate) fn close_doors(&mut self) -> Result<(), SimError> {
        let now = self.clock.ticks;
        for door in self.doors.values_mut().filter(|door| door.open && door.closes_at <= now) {
            let is_here = self.scene.get(door.key).is_some_and(|entity| entity.cell.is_some());
            if is_here && door.close(&self.world, &mut self.scene)? == DoorChange::Closed {
                self.events.push(Event::DoorClosed(door.key));
            }
        }
        Ok(())
    }
}
