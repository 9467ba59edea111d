//! A physics tick: velocity, gravity, friction, then a sweep. Spec: physics-objects §8.3, §8.5, §8.6.

use super::{Entity, EntityKey, MoveResult, Scene, SceneError};
use crate::flags::{State, Transient};
use glam::Vec3;
use threshold_world::{EPSILON, Frame, Position, Quat, World};

/// A remainder not longer than this is carried over to the next tick.
pub const MIN_QUANTUM: f64 = 1.0 / 30.0;
/// Longest single step.
pub const MAX_QUANTUM: f64 = 0.2;
/// Longer gaps are dropped.
pub const HUGE_QUANTUM: f64 = 2.0;
/// Acceleration of what falls.
pub const GRAVITY: f32 = -9.8;
/// Nothing is faster.
pub const MAX_SPEED: f32 = 50.0;
/// Squared speed below which movement ends.
const SMALL_SPEED_SQ: f32 = 0.0625;

impl Entity {
    /// Retail: `CPhysicsObj::set_velocity`.
    pub(super) fn set_velocity(&mut self, velocity: Vec3) {
        if velocity != self.velocity {
            self.velocity = clamp_speed(velocity);
            self.velocity_changed = true;
        }
        self.set_active();
    }

    pub(super) fn set_active(&mut self) {
        if !self.state.contains(State::STATIC) {
            self.transient |= Transient::ACTIVE;
        }
    }

    /// A missile that hit something flies no more.
    pub(super) fn end_flight(&mut self) {
        if self.state.contains(State::MISSILE) {
            self.state -= State::MISSILE | State::ALIGN_PATH | State::PATH_CLIPPED;
        }
    }

    /// Retail: `CPhysicsObj::calc_acceleration`. Spec: physics-objects §8.6.
    pub(super) fn update_acceleration(&mut self) {
        let grounded = self.transient.contains(Transient::CONTACT | Transient::ON_WALKABLE);
        if grounded && !self.state.contains(State::SLEDDING) {
            self.acceleration = Vec3::ZERO;
            self.omega = Vec3::ZERO;
        } else if self.state.contains(State::GRAVITY) {
            self.acceleration = Vec3::new(0.0, 0.0, GRAVITY);
        } else {
            self.acceleration = Vec3::ZERO;
        }
    }

    /// Retail: `CPhysicsObj::calc_friction`. Spec: physics-objects §8.6.
    fn apply_friction(&mut self, quantum: f32, speed_sq: f32) {
        if !self.has(Transient::ON_WALKABLE) {
            return;
        }
        let normal = self.contact_plane.normal;
        let away = self.velocity.dot(normal);
        if away >= 0.25 {
            return;
        }
        self.velocity -= normal * away;
        let mut friction = self.friction;
        if self.state.contains(State::SLEDDING) {
            if speed_sq < 1.5625 {
                friction = 1.0;
            } else if speed_sq >= 6.25 && normal.z < 0.984_807_75 {
                friction = 0.2;
            }
        }
        self.velocity *= libm::powf(1.0 - friction, quantum);
    }

    /// Retail: `CPhysicsObj::UpdatePhysicsInternal`. Spec: physics-objects §8.5.
    fn integrate(&mut self, quantum: f32, candidate: &mut Frame) {
        let mut speed_sq = self.velocity.length_squared();
        if speed_sq > 0.0 {
            if speed_sq > MAX_SPEED * MAX_SPEED {
                self.velocity = clamp_speed(self.velocity);
                speed_sq = MAX_SPEED * MAX_SPEED;
            }
            self.apply_friction(quantum, speed_sq);
            if speed_sq - SMALL_SPEED_SQ < EPSILON {
                self.velocity = Vec3::ZERO;
            }
            candidate.origin += self.velocity * quantum + self.acceleration * (0.5 * quantum * quantum);
        }
        self.velocity += self.acceleration * quantum;
        let turn = self.omega * quantum;
        let angle = turn.length();
        if angle > EPSILON {
            let (sin, cos) = (libm::sinf(angle * 0.5), libm::cosf(angle * 0.5));
            let rotation = Quat { w: cos, v: turn * (sin / angle) };
            candidate.set_rotation(rotation.then_after(candidate.rotation()));
        }
    }
}

fn clamp_speed(velocity: Vec3) -> Vec3 {
    let speed = velocity.length();
    if speed > MAX_SPEED { velocity * (MAX_SPEED / speed) } else { velocity }
}

impl Scene {
    /// Lets time pass for one object: as many steps as the original would take for `seconds`.
    ///
    /// `root_motion` is what its animation moves it by per second while it walks, in its own space.
    /// Retail: `CPhysicsObj::update_object`. Spec: physics-objects §8.3.
    pub fn tick(
        &mut self,
        world: &World,
        key: EntityKey,
        seconds: f64,
        root_motion: Vec3,
    ) -> Result<MoveResult, SceneError> {
        if !(seconds.is_finite() && root_motion.is_finite()) {
            return Err(SceneError::NotFinite("time or motion"));
        }
        self.now += seconds.max(0.0);
        self.update(world, key, root_motion)
    }

    fn update(&mut self, world: &World, key: EntityKey, root_motion: Vec3) -> Result<MoveResult, SceneError> {
        let now = self.now;
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        if entity.parent.is_some() || entity.cell.is_none() || entity.state.contains(State::FROZEN) {
            entity.transient -= Transient::ACTIVE;
            return Ok(MoveResult::still(true));
        }
        entity.set_active();
        let mut rest = now - entity.last_update;
        if rest <= f64::from(EPSILON) || rest > HUGE_QUANTUM {
            entity.last_update = now;
            return Ok(MoveResult::still(true));
        }
        if rest <= MAX_QUANTUM {
            entity.last_update = now;
            return self.step(world, key, rest as f32, root_motion);
        }
        let mut result = MoveResult::still(true);
        loop {
            let quantum = if rest > MAX_QUANTUM { MAX_QUANTUM } else { rest };
            if quantum < MAX_QUANTUM && quantum <= MIN_QUANTUM {
                break;
            }
            let cell_changed = result.cell_changed;
            result = self.step(world, key, quantum as f32, root_motion)?;
            result.cell_changed = match (cell_changed, result.cell_changed) {
                (Some((from, _)), Some((_, to))) => Some((from, to)).filter(|(from, to)| from != to),
                (earlier, later) => later.or(earlier),
            };
            rest -= quantum;
            if let Some(entity) = self.entities.get_mut(key) {
                entity.last_update += quantum;
            }
            if rest <= 0.0 {
                break;
            }
        }
        Ok(result)
    }

    /// One integration step. Retail: `CPhysicsObj::UpdateObjectInternal` (0x005156B0).
    fn step(
        &mut self,
        world: &World,
        key: EntityKey,
        quantum: f32,
        root_motion: Vec3,
    ) -> Result<MoveResult, SceneError> {
        let entity = self.entities.get(key).ok_or(SceneError::NoSuchEntity)?;
        if !entity.has(Transient::ACTIVE) || entity.cell.is_none() {
            return Ok(MoveResult::still(true));
        }
        if entity.has(Transient::RECHECK_ETHEREAL) {
            self.become_solid(world, key);
        }
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        entity.velocity_changed = false;
        let current = entity.position;
        let mut candidate = current.frame;
        if !entity.state.contains(State::HIDDEN) {
            if entity.has(Transient::ON_WALKABLE) {
                candidate.origin += current.frame.rotate(root_motion * (quantum * entity.scale));
            }
            entity.integrate(quantum, &mut candidate);
        }
        let displacement = candidate.origin - current.frame.origin;
        if entity.model.spheres.is_empty() || displacement.abs().max_element() <= EPSILON {
            entity.cached_velocity = Vec3::ZERO;
            self.turn(key, candidate.rotation());
            return Ok(MoveResult::still(true));
        }
        if entity.state.contains(State::ALIGN_PATH) {
            candidate.set_rotation(heading_of(displacement));
        } else if entity.state.contains(State::SLEDDING) && entity.velocity != Vec3::ZERO {
            candidate.set_rotation(heading_of(entity.velocity));
        }
        let target = Position::new(current.cell, candidate);
        let result = self.move_to(world, key, &target, None)?;
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        if result.ok {
            entity.cached_velocity = current.offset_to(&entity.position) / quantum;
        } else {
            entity.cached_velocity = Vec3::ZERO;
            self.turn(key, candidate.rotation());
        }
        Ok(result)
    }

    /// Turns an object in place, without a sweep.
    fn turn(&mut self, key: EntityKey, rotation: Quat) {
        if let Some(entity) = self.entities.get_mut(key)
            && entity.position.frame.rotation() != rotation
        {
            entity.position.frame.set_rotation(rotation);
            entity.place_parts();
            self.carry_children(key);
        }
    }
}

/// Orientation that faces along a direction.
fn heading_of(direction: Vec3) -> Quat {
    Quat::from_heading(libm::atan2f(direction.x, direction.y).to_degrees())
}
