//! How a collision changes velocity, and when an object becomes solid again. Spec: physics-objects §8.10, §8.11.

use super::{Entity, EntityKey, Scene, SceneError};
use crate::{
    flags::{State, Transient},
    sweep::{ContactLog, Sweeper},
};
use glam::Vec3;
use threshold_world::{World, motion::Command};

impl Entity {
    /// Whether a collision, or its end, is something to report.
    #[inline]
    pub(super) fn has_news(&self, log: &ContactLog, touched: &[EntityKey], previous: Transient) -> bool {
        let has_landed = self.has(Transient::ON_WALKABLE) && !previous.contains(Transient::ON_WALKABLE);
        let hits = log.hit_environment || has_landed;
        !touched.is_empty() || !self.touches_nothing() || hits && !self.colliding_with_environment
    }

    /// The response to a collision without news.
    #[inline]
    pub(super) fn respond_alone(&mut self, log: &ContactLog, previous: Transient) {
        self.colliding_with_environment &= log.hit_environment;
        self.rebound(log, previous);
    }

    /// What a collision does to the object itself; `previous` is its state before the sweep.
    #[inline]
    pub(super) fn rebound(&mut self, log: &ContactLog, previous: Transient) {
        let walked_on = previous.contains(Transient::ON_WALKABLE) && self.has(Transient::ON_WALKABLE);
        let bounce = !walked_on || self.state.contains(State::SLEDDING);
        if log.stationary_stage <= 1 {
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
        match log.stationary_stage {
            1 => self.transient |= Transient::STATIONARY_1,
            2 => self.transient |= Transient::STATIONARY_2,
            _ => {
                self.transient -= Transient::STATIONARY_1 | Transient::STATIONARY_2 | Transient::STATIONARY_3
            }
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
        let Some(mut entity) = self.entities.get_mut(key) else { return false };
        let has_landed = entity.has(Transient::ON_WALKABLE) && !previous.contains(Transient::ON_WALKABLE);
        let mut reported = false;
        if !touched.is_empty() || !entity.touches_nothing() {
            for &other in touched {
                reported |= self.track(key, other, previous);
            }
            self.end_stale_collisions(key);
            let Some(again) = self.entities.get_mut(key) else { return reported };
            entity = again;
        }
        if entity.colliding_with_environment {
            entity.colliding_with_environment = log.hit_environment;
        } else if log.hit_environment || has_landed {
            reported |= self.report_environment(key, previous);
            let Some(again) = self.entities.get_mut(key) else { return reported };
            entity = again;
        }
        entity.rebound(log, previous);
        reported
    }

    /// An object that is no longer ethereal becomes solid only when nothing that can move stands in it.
    /// Spec: physics-objects §8.11.
    pub(super) fn become_solid(&mut self, world: &World, key: EntityKey) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        // An ethereal object is never in anybody's way: it is tested as what it wants to be.
        entity.state -= State::ETHEREAL;
        let mut sweeper = self.take_sweeper();
        let blocked = self.overlaps_any(world, key, &mut sweeper);
        self.sweeper = Some(sweeper);
        if let Some(entity) = self.entities.get_mut(key) {
            entity.state.set(State::ETHEREAL, blocked);
            entity.transient.set(Transient::RECHECK_ETHEREAL, blocked);
        }
    }

    /// Whether a moving object overlaps a solid one, such as a door that has closed on it.
    pub fn is_occupied(&self, world: &World, key: EntityKey) -> bool {
        self.overlaps_any(world, key, &mut Sweeper::new())
    }

    /// Whether a movable object is where an object would be if it were solid and in a substate of its motion table: a door
    /// checks this before it closes. An object without such a substate is tested where it is.
    pub fn is_blocked_in(
        &mut self,
        world: &World,
        key: EntityKey,
        substate: Command,
    ) -> Result<bool, SceneError> {
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        let state = entity.state;
        entity.state -= State::ETHEREAL;
        let rest = entity.actor.as_ref().and_then(|actor| actor.animator.resting_node(substate));
        if let Some(rest) = &rest {
            entity.place_parts_in(Some(rest.animation().pose(rest.range().0)));
        }
        let mut sweeper = self.take_sweeper();
        let is_blocked = self.overlaps_any(world, key, &mut sweeper);
        self.sweeper = Some(sweeper);
        if let Some(entity) = self.entities.get_mut(key) {
            entity.state = state;
            entity.place_parts();
        }
        Ok(is_blocked)
    }

    fn overlaps_any(&self, world: &World, key: EntityKey, sweeper: &mut Sweeper) -> bool {
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
