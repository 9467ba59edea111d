//! A body that moves through a scene without being part of it.

use super::{
    Entity, EntityKey, Motion, Placement, Scene, SceneError, Spawn,
    spawn::{check_position, check_scale, check_state, new_entity},
};
use crate::{
    flags::Transient,
    sweep::{Contact, Outcome, PlacementInput, Sweeper},
};
use glam::Vec3;
use threshold_world::{Position, World};

/// The position and ground of a standing body: enough to continue from there as if it had just come to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foothold {
    /// Where.
    pub position: Position,
    /// The ground under it.
    pub ground: Contact,
}

/// A body that moves through a scene without being part of it: it hits what an object of the scene would hit and moves
/// like one, bit for bit, but nothing hits it or notices it, and the scene does not change. Any number of probes can
/// move through one scene at the same time.
#[derive(Debug)]
pub struct Probe {
    /// The object it stands for and never hits; names nothing for a body of its own.
    key: EntityKey,
    entity: Entity,
    sweeper: Sweeper,
    sweeps: u64,
}

impl Probe {
    /// A new body.
    pub fn new(world: &World, spawn: Spawn) -> Result<Probe, SceneError> {
        check_position(&spawn.position)?;
        check_scale(spawn.scale)?;
        check_state(spawn.state)?;
        let cell = world.cell(spawn.position.cell).map(|cell| cell.id());
        let entity = new_entity(spawn, cell, 0.0, 0);
        Ok(Probe { key: EntityKey::default(), entity, sweeper: Sweeper::new(), sweeps: 0 })
    }

    /// A body like an object of the scene, at its position. [`Probe::set_motion`] sets its leg motion, even if the object has
    /// a motion table.
    pub fn of(scene: &Scene, key: EntityKey) -> Result<Probe, SceneError> {
        let mut entity = scene.get(key).ok_or(SceneError::NoSuchEntity)?.clone();
        entity.parent = None;
        if !entity.carries_nothing() {
            entity.extras_mut().children.clear();
        }
        entity.actor = None;
        entity.set_active();
        Ok(Probe { key, entity, sweeper: Sweeper::new(), sweeps: 0 })
    }

    /// The current state of the body.
    pub fn entity(&self) -> &Entity {
        &self.entity
    }

    /// The last step's sweep: its outcome, cells and touched objects.
    pub fn last_sweep(&self) -> &Sweeper {
        &self.sweeper
    }

    /// How many sweeps and tries to be put down it has made: what it has cost, the same on every machine.
    pub fn sweeps(&self) -> u64 {
        self.sweeps
    }

    /// Puts the body somewhere with the original's search for a free spot. Where there is no room it stays.
    pub fn place(&mut self, world: &World, scene: &Scene, at: &Position) -> Result<Placement, SceneError> {
        check_position(at)?;
        let mover = self.entity.as_mover(self.key);
        let seated = world.reseat(at, mover.spheres[0].center);
        let Some(seated) = seated.filter(|seated| world.cell(seated.cell).is_some()) else {
            return Ok(Placement::NoCell);
        };
        let input = PlacementInput { mover, at: &seated, may_search: true, no_load: false };
        self.sweeps += 1;
        let outcome = self.sweeper.place(world, scene, input, None)?;
        Ok(match outcome.cell {
            _ if !outcome.ok => Placement::NoValidPosition,
            None => Placement::NoCell,
            Some(_) => {
                take_over(&mut self.entity, outcome);
                Placement::Placed
            }
        })
    }

    /// Where the body stands; `None` while it does not stand on walkable ground.
    pub fn foothold(&self) -> Option<Foothold> {
        let entity = &self.entity;
        let ground = Contact {
            plane: entity.contact_plane,
            cell: entity.contact_cell,
            is_water: entity.has(Transient::WATER_CONTACT),
        };
        (entity.stands() && entity.cell.is_some()).then_some(Foothold { position: entity.position, ground })
    }

    /// Makes the body stand at a place at rest, without checking whether there is room.
    pub fn stand(&mut self, world: &World, at: &Foothold) -> Result<(), SceneError> {
        check_position(&at.position)?;
        let entity = &mut self.entity;
        entity.position = at.position;
        entity.cell = world.cell(at.position.cell).map(|cell| cell.id());
        entity.velocity = Vec3::ZERO;
        entity.contact_plane = at.ground.plane;
        entity.contact_cell = at.ground.cell;
        entity.transient = Transient::ACTIVE | Transient::CONTACT | Transient::ON_WALKABLE;
        entity.transient.set(Transient::WATER_CONTACT, at.ground.is_water);
        entity.slid_along = None;
        entity.update_acceleration();
        entity.place_parts();
        Ok(())
    }

    /// One sweep to a place that lies `by` from here, whatever the legs do. False when it found no valid position, in which
    /// case the body stays.
    pub fn shift(&mut self, world: &World, scene: &Scene, by: Vec3) -> Result<bool, SceneError> {
        if self.entity.cell.is_none() {
            return Ok(false);
        }
        let mut end = self.entity.position;
        end.frame.origin += by;
        let input = self.entity.sweep_input(self.key, &end);
        self.sweeps += 1;
        let outcome = self.sweeper.sweep(world, scene, input, None)?;
        if outcome.ok {
            take_over(&mut self.entity, outcome);
        }
        Ok(outcome.ok)
    }

    /// Whether there is room for the body exactly at a place, in its cell.
    pub fn fits(&mut self, world: &World, scene: &Scene, at: &Position) -> Result<bool, SceneError> {
        let mover = self.entity.as_mover(self.key);
        let input = PlacementInput { mover, at, may_search: false, no_load: false };
        self.sweeps += 1;
        let outcome = self.sweeper.place(world, scene, input, None)?;
        Ok(outcome.ok && outcome.cell.is_some())
    }

    /// Sets the leg motion.
    pub fn set_motion(&mut self, motion: Motion) -> Result<(), SceneError> {
        if !(motion.velocity.is_finite() && motion.turn.is_finite()) {
            return Err(SceneError::NotFinite("motion"));
        }
        self.entity.motion = motion;
        Ok(())
    }

    /// Turns the body in place to a heading in degrees, clockwise from north.
    pub fn face(&mut self, degrees: f32) {
        self.entity.position.frame.set_heading(degrees);
        self.entity.place_parts();
    }

    /// Like [`Scene::jump`].
    pub fn jump(&mut self, upward: f32) -> Result<bool, SceneError> {
        if !upward.is_finite() {
            return Err(SceneError::NotFinite("jump"));
        }
        let grounded = self.entity.stands();
        if grounded {
            self.entity.set_on_walkable(false, upward);
        }
        Ok(grounded)
    }

    /// One step, like [`Scene::update`]. False when the sweep found no valid position; the body then only turned. A body that
    /// leaves every cell no longer moves.
    pub fn step(&mut self, world: &World, scene: &Scene, seconds: f32) -> Result<bool, SceneError> {
        if self.entity.cell.is_none() {
            return Ok(false);
        }
        let candidate = self.entity.take_candidate(seconds, None);
        if !self.entity.leaves_its_place(candidate.origin) {
            self.entity.stay();
            self.entity.position.frame.set_rotation(candidate.rotation());
            self.entity.place_parts();
            return Ok(true);
        }
        let stride = self.entity.aim(candidate, seconds);
        let input = self.entity.sweep_input(self.key, &stride.to);
        self.sweeps += 1;
        let outcome = self.sweeper.sweep(world, scene, input, None)?;
        if outcome.stopped {
            self.entity.set_velocity(Vec3::ZERO);
        }
        if outcome.ok {
            take_over(&mut self.entity, outcome);
        } else {
            self.entity.position.frame.set_rotation(stride.to.frame.rotation());
            self.entity.place_parts();
        }
        Ok(outcome.ok)
    }
}

/// The commit of a sweep, as far as it concerns the mover alone.
fn take_over(entity: &mut Entity, outcome: &Outcome) {
    let previous = entity.transient;
    entity.cell = outcome.cell;
    let Some(cell) = outcome.cell else {
        entity.position = outcome.position;
        return;
    };
    let log = &outcome.log;
    entity.hold(cell, outcome);
    entity.set_on_walkable(log.is_walkable(), 0.0);
    entity.remember_slide(log);
    entity.rebound(log, previous);
}
