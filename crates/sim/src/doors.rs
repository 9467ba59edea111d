//! Doors: opened by use, closed automatically after a while unless something is in the way.
//!
//! An opened door swings by its motion table and is ethereal at once. A closed one swings back, and is solid when it has
//! come to rest; what has stepped into it by then keeps it ethereal until it is gone. Spec: render-data §14, motion §8.5,
//! physics-objects §8.11.

use crate::{Event, SimError, Simulation, clock::TICKS_PER_SECOND};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use threshold_physics::{
    Entity, EntityKey, Scene, SceneError, State,
    flags::Transient,
    motion::{CylinderShape, Movement, MovementParameters, cylinder_distance},
};
use threshold_world::{World, motion::Command};

/// Seconds that a door stays open when nothing else is said of it.
const DEFAULT_RESET: f32 = 30.0;

/// A door and its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Door {
    /// The object.
    pub key: EntityKey,
    /// It is open, or swings open.
    pub open: bool,
    /// It swings shut and is not solid yet.
    closing: bool,
    /// Ticks that it stays open.
    reset: u64,
    /// The tick from which on it tries to close.
    closes_at: u64,
}

/// The result of opening or closing a door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoorChange {
    /// It was opened.
    Opened,
    /// It was closed.
    Closed,
    /// It stays open because something is in the way.
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
    pub(crate) fn new(
        key: EntityKey,
        scene: &mut Scene,
        reset: Option<f32>,
        now: u64,
    ) -> Result<Door, SceneError> {
        let open = scene.get(key).is_some_and(|door| door.state.contains(State::ETHEREAL));
        if open {
            swing(scene, key, Command::ON)?;
            scene.enter_world(key)?;
        }
        let reset = reset_ticks(reset);
        Ok(Door { key, open, closing: false, reset, closes_at: now.saturating_add(reset) })
    }

    fn open(&mut self, world: &World, scene: &mut Scene, now: u64) -> Result<DoorChange, SceneError> {
        swing(scene, self.key, Command::ON)?;
        scene.set_ethereal(world, self.key, true)?;
        self.open = true;
        self.closing = false;
        self.closes_at = now.saturating_add(self.reset);
        Ok(DoorChange::Opened)
    }

    /// A door that something stands in the way of stays open to the eye as well.
    fn close(&mut self, world: &World, scene: &mut Scene) -> Result<DoorChange, SceneError> {
        if scene.is_blocked_in(world, self.key, Command::OFF)? {
            return Ok(DoorChange::Blocked);
        }
        swing(scene, self.key, Command::OFF)?;
        self.open = false;
        self.closing = true;
        self.come_to_rest(world, scene)?;
        Ok(DoorChange::Closed)
    }

    /// Makes a door that swings shut solid once its leaf is where it belongs. One that nobody is near does not move.
    fn come_to_rest(&mut self, world: &World, scene: &mut Scene) -> Result<(), SceneError> {
        let moves = |door: &Entity| is_swinging(door) && door.has(Transient::ACTIVE);
        if self.closing && !scene.get(self.key).is_some_and(moves) {
            self.closing = false;
            scene.set_ethereal(world, self.key, false)?;
        }
        Ok(())
    }
}

/// Ticks that a door stays open.
fn reset_ticks(seconds: Option<f32>) -> u64 {
    let seconds = seconds.filter(|s| s.is_finite() && *s > 0.0).unwrap_or(DEFAULT_RESET);
    ((f64::from(seconds) * TICKS_PER_SECOND as f64).round() as u64).max(1)
}

/// Begins to swing; a door without such a motion only changes its state.
fn swing(scene: &mut Scene, door: EntityKey, motion: Command) -> Result<(), SceneError> {
    match scene.perform(door, &Movement::DoInterpreted(motion, MovementParameters::default())) {
        Ok(()) | Err(SceneError::Motion(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Whether an object is on its way from one motion to the next.
fn is_swinging(entity: &Entity) -> bool {
    entity.actor().is_some_and(|actor| actor.animator.sequence().nodes().len() > 1)
}

impl Simulation {
    /// All doors, in order of key.
    pub fn doors(&self) -> impl Iterator<Item = &Door> {
        self.doors.values()
    }

    /// The door state of an object; `None` when it is not a door.
    pub fn door(&self, key: EntityKey) -> Option<&Door> {
        self.doors.get(&key)
    }

    /// Whether a door is swinging.
    pub fn is_swinging(&self, key: EntityKey) -> bool {
        self.doors.contains_key(&key) && self.scene.get(key).is_some_and(is_swinging)
    }

    /// Makes an object a door that stays open for some seconds, half a minute by default. An object that is already a door
    /// keeps its state; the new time applies when it next opens.
    pub fn add_door(&mut self, key: EntityKey, reset: Option<f32>) -> Result<(), SimError> {
        self.entity(key)?;
        if let Some(door) = self.doors.get_mut(&key) {
            door.reset = reset_ticks(reset);
            return Ok(());
        }
        let door = Door::new(key, &mut self.scene, reset, self.clock.ticks)?;
        self.doors.insert(key, door);
        Ok(())
    }

    /// Opens a door; an open one stays open. `None` when the object is not a door.
    pub fn open_door(&mut self, key: EntityKey) -> Result<Option<DoorChange>, SimError> {
        let Some(door) = self.doors.get_mut(&key) else { return Ok(None) };
        if door.open {
            return Ok(Some(DoorChange::Opened));
        }
        let change = door.open(&self.world, &mut self.scene, self.clock.ticks)?;
        self.events.push(change.event(key));
        Ok(Some(change))
    }

    /// Closes a door unless something is in the way; a closed one stays closed. It is solid when its leaf has come to rest.
    /// `None` when the object is not a door.
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

    /// Like [`Simulation::use_object`], by a user that must be within the object's use radius, measured between the edges of
    /// the two. Objects without a use radius can be used from anywhere.
    pub fn use_object_by(&mut self, user: EntityKey, key: EntityKey) -> Result<Option<DoorChange>, SimError> {
        if let Some(reach) = self.placed(key).and_then(|placed| placed.use_radius) {
            let (user, used) = (self.entity(user)?, self.entity(key)?);
            let shape = |e: &Entity| CylinderShape {
                radius: e.model.radius * e.scale,
                height: e.model.height * e.scale,
            };
            let way = user.position.offset_to(&used.position);
            let distance = cylinder_distance(shape(user), shape(used), way);
            if distance > reach {
                return Err(SimError::OutOfReach { distance, reach });
            }
        }
        self.use_object(key)
    }

    /// After the objects of a tick: closes what has been open long enough, one try per tick, and makes solid what has come
    /// to rest. One whose cell is not loaded stays as it is.
    pub(crate) fn close_doors(&mut self) -> Result<(), SimError> {
        let now = self.clock.ticks;
        for door in self.doors.values_mut() {
            let is_due = door.open && door.closes_at <= now;
            let is_here = || self.scene.get(door.key).is_some_and(|entity| entity.cell.is_some());
            if !(door.closing || is_due && is_here()) {
                continue;
            }
            if door.closing {
                door.come_to_rest(&self.world, &mut self.scene)?;
            } else if door.close(&self.world, &mut self.scene)? == DoorChange::Closed {
                self.events.push(Event::DoorClosed(door.key));
            }
        }
        Ok(())
    }
}
