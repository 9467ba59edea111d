//! What a collision does to velocity, and who is told. Spec: physics-objects §8.10, §8.11.

use super::{Entity, EntityKey, Event, Scene, entity::Collision};
use crate::{
    flags::{State, Transient},
    sweep::{ContactLog, Sweeper},
};
use glam::Vec3;
use threshold_world::World;

/// Seconds a contact is remembered.
const CONTACT_MEMORY: f64 = 1.0;

impl Entity {
    /// What a collision does to the object itself; `previous` is its state before the sweep.
    pub(super) fn rebound(&mut self, log: &ContactLog, previous: Transient) {
        let walked_on = previous.contains(Transient::ON_WALKABLE) && self.has(Transient::ON_WALKABLE);
        let bounce = !walked_on || self.state.contains(State::SLEDDING);
        if log.still <= 1 {
            if bounce && log.hit_valid {
                if self.state.contains(State::INELASTIC) {
                    self.velocity = Vec3::ZERO;
                } else {
                    let into = self.velocity.dot(log.hit);
                    if into < 0.0 {
                        self.velocity -= log.hit * (into * (1.0 + self.elasticity));
                    }
                }
            }
        } else {
            self.velocity = Vec3::ZERO;
        }
        match log.still {
            1 => self.transient |= Transient::STILL_1,
            2 => self.transient |= Transient::STILL_2,
            _ => self.transient -= Transient::STILL_1 | Transient::STILL_2 | Transient::STILL_3,
        }
    }
}

impl Scene {
    /// Reports contacts and turns the velocity of what hit something. True when anything was reported.
    /// Retail: `CPhysicsObj::handle_all_collisions`.
    pub(super) fn respond(
        &mut self,
        key: EntityKey,
        log: &ContactLog,
        touched: &[EntityKey],
        previous: Transient,
    ) -> bool {
        let Some(entity) = self.entities.get(key) else { return false };
        let has_landed = entity.has(Transient::ON_WALKABLE) && !previous.contains(Transient::ON_WALKABLE);
        let mut reported = false;
        let has_contacts = !(touched.is_empty() && entity.collisions.is_empty());
        if has_contacts {
            for &other in touched {
                reported |= self.track(key, other);
            }
            self.end_contacts(key);
        }
        if let Some(entity) = self.entities.get_mut(key)
            && entity.colliding_with_environment
        {
            entity.colliding_with_environment = log.hit_environment;
        } else if log.hit_environment || has_landed {
            reported |= self.report_environment(key);
        }
        if let Some(entity) = self.entities.get_mut(key) {
            entity.rebound(log, previous);
        }
        reported
    }

    fn track(&mut self, key: EntityKey, other: EntityKey) -> bool {
        let Some(target) = self.entities.get(other) else { return false };
        if target.state.contains(State::STATIC) {
            return self.report_environment(key);
        }
        let now = Collision { other, since: self.now, ethereal: target.state.contains(State::ETHEREAL) };
        let Some(entity) = self.entities.get_mut(key) else { return false };
        match entity.collisions.iter_mut().find(|collision| collision.other == other) {
            Some(known) => {
                *known = now;
                false
            }
            None => {
                entity.collisions.push(now);
                self.report_pair(key, other)
            }
        }
    }

    fn end_contacts(&mut self, key: EntityKey) {
        let now = self.now;
        let Some(entity) = self.entities.get_mut(key) else { return };
        let events = &mut self.events;
        entity.collisions.retain(|collision| {
            let memory = if collision.ethereal { 0.0 } else { CONTACT_MEMORY };
            let fresh = now - collision.since <= memory;
            if !fresh {
                events.push(Event::CollisionEnded { entity: key, other: collision.other });
            }
            fresh
        });
    }

    fn report_environment(&mut self, key: EntityKey) -> bool {
        let Some(entity) = self.entities.get_mut(key) else { return false };
        if entity.colliding_with_environment {
            return false;
        }
        entity.colliding_with_environment = true;
        let told = entity.state.contains(State::REPORT_COLLISIONS) && entity.role.has_game_object;
        entity.end_flight();
        if told {
            self.events.push(Event::HitEnvironment(key));
        }
        told
    }

    fn report_pair(&mut self, key: EntityKey, other: EntityKey) -> bool {
        let Some(target) = self.entities.get(other) else { return false };
        if target.state.contains(State::REPORT_AS_ENVIRONMENT) {
            return self.report_environment(key);
        }
        let mut told = false;
        if !target.state.contains(State::IGNORE_COLLISIONS) {
            told = self.tell(key, other);
            if let Some(entity) = self.entities.get_mut(key) {
                entity.end_flight();
            }
        }
        let ignores = self.entities.get(key).is_some_and(|e| e.state.contains(State::IGNORE_COLLISIONS));
        let told_back = !ignores && self.tell(other, key);
        told || told_back
    }

    /// Tells one object of another, if it wants to know.
    fn tell(&mut self, key: EntityKey, other: EntityKey) -> bool {
        let told = self
            .entities
            .get(key)
            .is_some_and(|e| e.state.contains(State::REPORT_COLLISIONS) && e.role.has_game_object);
        if told {
            self.events.push(Event::Collided { entity: key, other });
        }
        told
    }

    /// An object that is no longer ethereal becomes solid only when nothing that can move stands in it.
    /// Spec: physics-objects §8.11.
    pub(super) fn become_solid(&mut self, world: &World, key: EntityKey) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        // An ethereal object is never in anybody's way: it is tested as what it wants to be.
        entity.state -= State::ETHEREAL;
        let mut sweeper = self.take_sweeper();
        let blocked = self.is_occupied(world, key, &mut sweeper);
        self.sweeper = Some(sweeper);
        if let Some(entity) = self.entities.get_mut(key) {
            entity.state.set(State::ETHEREAL, blocked);
            entity.transient.set(Transient::RECHECK_ETHEREAL, blocked);
        }
    }

    fn is_occupied(&self, world: &World, key: EntityKey, sweeper: &mut Sweeper) -> bool {
        let Some(entity) = self.entities.get(key) else { return false };
        if entity.parent.is_some() || entity.cell.is_none() {
            return false;
        }
        let cells = entity.shadows.iter().filter(|shadow| shadow.is_joined());
        cells.flat_map(|shadow| self.shadows_in(shadow.cell)).any(|&other| {
            let Some(neighbour) = self.entities.get(other) else { return false };
            other != key
                && neighbour.parent.is_none()
                && !neighbour.state.contains(State::STATIC)
                && sweeper.overlaps(world, self, neighbour.as_mover(other), &neighbour.position, key)
        })
    }
}
