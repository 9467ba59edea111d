//! Collision reports: to which objects, how often, and with what content. Spec: entities §6, physics-objects §8.10.

use super::{Entity, EntityKey, Event, Scene, entity::Collision};
use crate::flags::{State, Transient};
use bitflags::bitflags;
use glam::Vec3;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

#[cfg(test)]
mod tests;

/// Seconds a contact is remembered; one with an ethereal object only until the next commit without it.
const CONTACT_MEMORY: f64 = 1.0;
/// Parts of a target's height below which a hit is low, or in the middle.
const LOW: f32 = 0.333_333_33;
const MIDDLE: f32 = 0.666_666_7;

bitflags! {
    /// What a report tells an object about the other one. Retail: `ObjCollisionProfile`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    #[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
    #[cfg_attr(feature = "serde", serde(transparent))]
    pub struct ProfileFlags: u32 {
        /// The other one lives.
        const CREATURE = 0x1;
        /// The other one is a player.
        const PLAYER = 0x2;
        /// The other one can be attacked.
        const ATTACKABLE = 0x4;
        /// The other one is a missile. In the report to what was touched: the mover touched ground before.
        const MISSILE = 0x8;
        /// The other one touches ground. In the report to what was touched: the mover was a missile.
        const IN_CONTACT = 0x10;
        /// The one that is told touches ground.
        const SELF_IN_CONTACT = 0x20;
        /// The other one is a door.
        const DOOR = 0x40;
    }

    /// Where a missile hit its target, as seen by the target. Retail: the quadrant of `AtkCollisionProfile`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
    #[cfg_attr(feature = "serde", serde(transparent))]
    pub struct Quadrant: u32 {
        /// The upper third.
        const HIGH = 0x1;
        /// The middle third.
        const MIDDLE = 0x2;
        /// The lower third.
        const LOW = 0x4;
        /// Its left side.
        const LEFT = 0x8;
        /// Its right side.
        const RIGHT = 0x10;
        /// Its front.
        const FRONT = 0x20;
        /// Its back.
        const BACK = 0x40;
    }
}

/// How one object touched another.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct CollisionProfile {
    /// Velocity of the mover relative to what it touched, before the bounce; the same in the reports to both.
    pub velocity: Vec3,
    /// Properties of the other object.
    pub flags: ProfileFlags,
}

impl Quadrant {
    /// The quadrant of a point in the axes of a target of this height.
    pub fn of(point: Vec3, height: f32) -> Quadrant {
        let side = if point.x >= 0.0 { Quadrant::RIGHT } else { Quadrant::LEFT };
        let front = if point.y >= 0.0 { Quadrant::FRONT } else { Quadrant::BACK };
        let level = if point.z < height * LOW {
            Quadrant::LOW
        } else if point.z < height * MIDDLE {
            Quadrant::MIDDLE
        } else {
            Quadrant::HIGH
        };
        side | front | level
    }
}

impl Entity {
    /// Whether it wants to be told of collisions, and there is anyone to tell.
    fn wants_reports(&self) -> bool {
        self.state.contains(State::REPORT_COLLISIONS) && self.role.has_game_object
    }

    /// What others are told of it, apart from missiles and contact.
    fn profile_flags(&self) -> ProfileFlags {
        let mut flags = ProfileFlags::empty();
        flags.set(ProfileFlags::CREATURE, self.role.is_creature());
        flags.set(ProfileFlags::PLAYER, self.role.is_player);
        flags.set(ProfileFlags::ATTACKABLE, self.role.attackable);
        flags.set(ProfileFlags::DOOR, self.role.door);
        flags
    }

    /// Where a missile is, as seen by the object that it hit.
    fn quadrant_of(&self, missile: &Entity) -> Quadrant {
        let local = self.position.frame.rotate_inverse(self.position.offset_to(&missile.position));
        Quadrant::of(local, self.model.height * self.scale)
    }
}

/// What a report to one of two objects says, by who they were before anything was reported.
#[derive(Clone, Copy)]
struct Report {
    to: EntityKey,
    about: EntityKey,
    velocity: Vec3,
    missile: bool,
    in_contact: bool,
    self_in_contact: bool,
}

impl Scene {
    /// Notes that an object touched another one; true when that was reported.
    /// Retail: `CPhysicsObj::track_object_collision`.
    pub(super) fn track(&mut self, key: EntityKey, other: EntityKey, previous: Transient) -> bool {
        let Some(target) = self.entities.get(other) else { return false };
        if target.is_static() {
            return self.report_environment(key, previous);
        }
        let now = Collision { other, since: self.now, ethereal: target.state.contains(State::ETHEREAL) };
        let Some(entity) = self.entities.get_mut(key) else { return false };
        let collisions = &mut entity.extras_mut().collisions;
        match collisions.iter_mut().find(|collision| collision.other == other) {
            Some(known) => {
                *known = now;
                false
            }
            None => {
                collisions.push(now);
                self.report_pair(key, other, previous)
            }
        }
    }

    /// Ends the collisions that were not renewed in time. Retail: `CPhysicsObj::report_collision_end`.
    pub(super) fn end_stale_collisions(&mut self, key: EntityKey) {
        let now = self.now;
        self.end_collisions_if(key, |collision| {
            let memory = if collision.ethereal { 0.0 } else { CONTACT_MEMORY };
            now - collision.since > memory
        });
    }

    /// Ends all collisions of an object that is taken away from where it is.
    pub(super) fn end_collisions(&mut self, key: EntityKey) {
        self.end_collisions_if(key, |_| true);
    }

    fn end_collisions_if(&mut self, key: EntityKey, has_ended: impl Fn(&Collision) -> bool) {
        let mut at = 0;
        while let Some(entity) = self.entities.get_mut(key)
            && let Some(collision) = entity.collisions().get(at).copied()
        {
            if has_ended(&collision) {
                entity.extras_mut().collisions.remove(at);
                self.report_end(key, collision.other);
            } else {
                at += 1;
            }
        }
    }

    /// Reports again what an object touches already.
    pub(super) fn report_collisions_anew(&mut self, key: EntityKey) {
        for at in 0.. {
            let Some(entity) = self.entities.get(key) else { return };
            let (Some(collision), now) = (entity.collisions().get(at), entity.transient) else { return };
            self.report_pair(key, collision.other, now);
        }
    }

    fn report_end(&mut self, key: EntityKey, other: EntityKey) {
        let target = self.entities.get(other);
        if target.is_some_and(|target| target.state.contains(State::REPORT_AS_ENVIRONMENT)) {
            return;
        }
        let told = [(key, other), (other, key)];
        for (entity, other) in told {
            if self.entities.get(entity).is_some_and(Entity::wants_reports) {
                self.events.push(Event::CollisionEnded { entity, other });
            }
        }
    }

    /// Reports a hit of the environment, unless the last one still lasts. Missiles fly no farther.
    /// Retail: `CPhysicsObj::report_environment_collision`.
    pub(super) fn report_environment(&mut self, key: EntityKey, previous: Transient) -> bool {
        let Some(entity) = self.entities.get_mut(key) else { return false };
        if entity.colliding_with_environment {
            return false;
        }
        entity.colliding_with_environment = true;
        let (told, velocity) = (entity.wants_reports(), entity.velocity);
        entity.end_flight();
        if told {
            let had_contact = previous.contains(Transient::CONTACT);
            self.events.push(Event::HitEnvironment { entity: key, velocity, had_contact });
        }
        told
    }

    /// Reports a first touch to both objects. Retail: `CPhysicsObj::report_object_collision`.
    fn report_pair(&mut self, key: EntityKey, other: EntityKey, previous: Transient) -> bool {
        let (Some(entity), Some(target)) = (self.entities.get(key), self.entities.get(other)) else {
            return false;
        };
        if target.state.contains(State::REPORT_AS_ENVIRONMENT) {
            return self.report_environment(key, previous);
        }
        let velocity = entity.velocity - target.velocity;
        let (had_contact, contact) = (previous.contains(Transient::CONTACT), target.has(Transient::CONTACT));
        let was_missile = entity.state.contains(State::MISSILE);
        let to_self = Report {
            to: key,
            about: other,
            velocity,
            missile: target.state.contains(State::MISSILE),
            in_contact: contact,
            self_in_contact: had_contact,
        };
        // The original passes contact and missile of the mover the wrong way round.
        let (missile, in_contact) = (had_contact, was_missile);
        let to_other =
            Report { to: other, about: key, velocity, missile, in_contact, self_in_contact: contact };
        let ignores = entity.state.contains(State::IGNORE_COLLISIONS);
        let mut told = false;
        if !target.state.contains(State::IGNORE_COLLISIONS) {
            told = self.tell(to_self);
            if let Some(entity) = self.entities.get_mut(key) {
                entity.end_flight();
            }
        }
        let told_back = !ignores && self.tell(to_other);
        told || told_back
    }

    /// Tells one object of another, if it wants to know.
    fn tell(&mut self, report: Report) -> bool {
        let Report { to, about, velocity, missile, in_contact, self_in_contact } = report;
        let (Some(entity), Some(other)) = (self.entities.get(to), self.entities.get(about)) else {
            return false;
        };
        if !entity.wants_reports() {
            return false;
        }
        self.events.push(if entity.state.contains(State::MISSILE) {
            Event::MissileHit { missile: to, target: about, quadrant: other.quadrant_of(entity) }
        } else {
            let mut flags = other.profile_flags();
            flags.set(ProfileFlags::MISSILE, missile);
            flags.set(ProfileFlags::IN_CONTACT, in_contact);
            flags.set(ProfileFlags::SELF_IN_CONTACT, self_in_contact);
            Event::Collided { entity: to, other: about, profile: CollisionProfile { velocity, flags } }
        });
        true
    }
}
