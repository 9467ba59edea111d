//! Properties of an object that can change, besides its position.
//!
//! Lists refer to objects, not copies: a change takes effect immediately wherever the object can be hit. Changes of its
//! shape register it again.

use super::{
    EntityKey, EntityRole, Motion, Scene, SceneError,
    spawn::{check_scale, check_state},
};
use crate::flags::{State, Transient};
use glam::Vec3;
use std::sync::Arc;
use threshold_world::{
    World,
    model::{Mesh, Model},
};

/// Maximum elasticity; higher values have the same effect. Spec: physics §1.1 DEF_ELASTICITY.
pub const MAX_ELASTICITY: f32 = 0.1;

/// A part whose mesh, for drawing and collision, differs from its model's.
#[derive(Clone, Debug)]
pub struct PartSwap {
    /// The part.
    pub part: usize,
    /// Its mesh.
    pub mesh: Arc<Mesh>,
}

/// Whether an object is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Drawn {
    Yes,
    No,
}

/// A model with some of its parts swapped.
pub(super) fn swap_parts(model: &Arc<Model>, swaps: &[PartSwap]) -> Result<Arc<Model>, SceneError> {
    let mut swapped = model.clone();
    for PartSwap { part, mesh } in swaps {
        let parts = &mut Arc::make_mut(&mut swapped).parts;
        parts.get_mut(*part).ok_or(SceneError::NoSuchPart(*part))?.mesh = Some(mesh.clone());
    }
    Ok(swapped)
}

impl Scene {
    /// Replaces the state word, as the game's server does. It takes effect at once in every cell, as lists hold
    /// objects, not copies. Retail: `CPhysicsObj::set_state`.
    pub fn set_state(&mut self, key: EntityKey, state: State) -> Result<(), SceneError> {
        check_state(state)?;
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        let before = std::mem::replace(&mut entity.state, state);
        entity.update_acceleration();
        if entity.parts.is_empty() {
            entity.place_parts();
        }
        match (before.contains(State::STATIC), state.contains(State::STATIC)) {
            (false, true) => {
                entity.transient -= Transient::ACTIVE;
                self.movers.remove(key, entity);
                self.entities.note_static_change();
            }
            (true, false) => self.note_mover(key),
            _ => {}
        }
        self.note_static_motion(key);
        match (before.contains(State::HIDDEN), state.contains(State::HIDDEN)) {
            (false, true) => self.hide(key),
            (true, false) => self.unhide(key),
            _ => {}
        }
        Ok(())
    }

    /// What comes into hiding touches nothing any more. Retail: `CPhysicsObj::set_hidden`. Spec: entities §2.1.
    fn hide(&mut self, key: EntityKey) {
        self.draw_children(key, Drawn::No);
        let Some(entity) = self.entities.get_mut(key) else { return };
        entity.state |= State::IGNORE_COLLISIONS;
        if entity.state.contains(State::REPORT_COLLISIONS) {
            self.end_collisions(key);
            if let Some(entity) = self.entities.get_mut(key) {
                entity.state -= State::REPORT_COLLISIONS;
            }
        }
    }

    /// What comes out of hiding reports anew what it touches. Retail: `CPhysicsObj::set_hidden`. Spec: entities §2.1.
    fn unhide(&mut self, key: EntityKey) {
        self.draw_children(key, Drawn::Yes);
        let Some(entity) = self.entities.get_mut(key) else { return };
        entity.state -= State::IGNORE_COLLISIONS;
        if !entity.state.contains(State::REPORT_COLLISIONS) {
            entity.state |= State::REPORT_COLLISIONS;
            self.report_collisions_anew(key);
        }
    }

    fn draw_children(&mut self, key: EntityKey, drawn: Drawn) {
        for i in 0.. {
            let Some(&child) = self.entities.get(key).and_then(|e| e.children().get(i)) else { return };
            self.draw(child, drawn);
        }
    }

    /// Says whether what is carried is drawn.
    pub(super) fn draw(&mut self, key: EntityKey, drawn: Drawn) {
        if let Some(entity) = self.entities.get_mut(key) {
            entity.state.set(State::NO_DRAW, drawn == Drawn::No);
        }
    }

    /// Makes an object ethereal, or solid again as soon as no moving object overlaps it; until then every tick retries.
    /// Retail: `CPhysicsObj::set_ethereal`. Spec: physics-objects §8.11.
    pub fn set_ethereal(&mut self, world: &World, key: EntityKey, ethereal: bool) -> Result<(), SceneError> {
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        if ethereal {
            entity.state |= State::ETHEREAL;
            entity.transient -= Transient::RECHECK_ETHEREAL;
        } else if entity.state.contains(State::ETHEREAL) {
            self.become_solid(world, key);
        }
        Ok(())
    }

    /// Changes an object's scale and registers it again.
    pub fn set_scale(&mut self, world: &World, key: EntityKey, scale: f32) -> Result<(), SceneError> {
        check_scale(scale)?;
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        entity.scale = scale;
        entity.girth = entity.compute_girth();
        entity.place_parts();
        self.carry_children(key);
        self.reflood(world, key);
        Ok(())
    }

    /// Replaces an object's velocity, at most 50 m/s. Retail: `CPhysicsObj::set_velocity`.
    pub fn set_velocity(&mut self, key: EntityKey, velocity: Vec3) -> Result<(), SceneError> {
        if !velocity.is_finite() {
            return Err(SceneError::NotFinite("velocity"));
        }
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        entity.set_velocity(velocity);
        Ok(())
    }

    /// Turns an object in place to a heading in degrees, clockwise from north.
    pub fn face(&mut self, key: EntityKey, degrees: f32) -> Result<(), SceneError> {
        if !degrees.is_finite() {
            return Err(SceneError::NotFinite("a heading"));
        }
        let entity = self.entity_mut(key)?;
        entity.position.frame.set_heading(degrees);
        entity.place_parts();
        Ok(())
    }

    /// Sets an object's leg motion. Only living objects have one.
    pub fn set_motion(&mut self, key: EntityKey, motion: Motion) -> Result<(), SceneError> {
        if !(motion.velocity.is_finite() && motion.turn.is_finite()) {
            return Err(SceneError::NotFinite("motion"));
        }
        self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?.motion = motion;
        Ok(())
    }

    /// Gives an object another model, or swaps parts of the one it has, and registers it again. Earlier swaps are undone.
    /// Retail: `CPhysicsObj::InitPartArrayObject`, `CPartArray::SetPart`. Spec: physics-objects §8.9.
    pub fn set_model(
        &mut self,
        world: &World,
        key: EntityKey,
        model: &Arc<Model>,
        swaps: &[PartSwap],
    ) -> Result<(), SceneError> {
        let model = swap_parts(model, swaps)?;
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        entity.has_physics_mesh = model.has_physics_mesh();
        entity.state.set(State::HAS_PHYSICS_BSP, entity.has_physics_mesh);
        entity.model = model;
        entity.extras_mut().swaps = swaps.iter().map(|swap| (swap.part, swap.mesh.id)).collect();
        entity.parts.clear();
        entity.girth = entity.compute_girth();
        entity.place_parts();
        self.carry_children(key);
        self.reflood(world, key);
        Ok(())
    }

    /// Replaces the meshes of some parts, for drawing and collision. Parts that are not named keep their last
    /// mesh, and the model has no others; the cells and shapes by which the object collides do not change.
    /// Retail: `CPhysicsObj::DoObjDescChanges`, `CPartArray::SetPart`. Spec: entities §1.6.
    pub fn swap_parts(&mut self, key: EntityKey, swaps: &[PartSwap]) -> Result<(), SceneError> {
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        let is_new = |swap: &&PartSwap| {
            let part = entity.model.parts.get(swap.part);
            part.is_some_and(|part| part.mesh.as_ref().is_none_or(|mesh| !Arc::ptr_eq(mesh, &swap.mesh)))
        };
        let swaps: Vec<PartSwap> = swaps.iter().filter(is_new).cloned().collect();
        if !swaps.is_empty() {
            entity.model = swap_parts(&entity.model, &swaps)?;
            let known = &mut entity.extras_mut().swaps;
            known.retain(|(part, _)| swaps.iter().all(|swap| swap.part != *part));
            known.extend(swaps.iter().map(|swap| (swap.part, swap.mesh.id)));
            entity.has_physics_mesh = entity.model.has_physics_mesh();
            entity.girth = entity.compute_girth();
            entity.parts.clear();
            entity.place_parts();
        }
        Ok(())
    }

    /// Replaces an object's role.
    pub fn set_role(&mut self, key: EntityKey, role: EntityRole) -> Result<(), SceneError> {
        self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?.role = role;
        Ok(())
    }

    /// Sets how strongly walkable ground slows an object: 0 not at all, 1 at once. Brought into that range.
    pub fn set_friction(&mut self, key: EntityKey, friction: f32) -> Result<(), SceneError> {
        if friction.is_nan() {
            return Err(SceneError::NotFinite("friction"));
        }
        self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?.friction = friction.clamp(0.0, 1.0);
        Ok(())
    }

    /// Sets which part of its speed an object keeps when it bounces, from 0 to [`MAX_ELASTICITY`]. Brought into that
    /// range. Retail: `CPhysicsObj::set_elasticity`.
    pub fn set_elasticity(&mut self, key: EntityKey, elasticity: f32) -> Result<(), SceneError> {
        if elasticity.is_nan() {
            return Err(SceneError::NotFinite("elasticity"));
        }
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        entity.elasticity = elasticity.clamp(0.0, MAX_ELASTICITY);
        Ok(())
    }

    /// Makes an object spin, in radians per second about each axis, until it stands on the ground.
    pub fn set_omega(&mut self, key: EntityKey, omega: Vec3) -> Result<(), SceneError> {
        if !omega.is_finite() {
            return Err(SceneError::NotFinite("omega"));
        }
        self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?.omega = omega;
        Ok(())
    }

    /// Aims a missile: it passes every creature but its target. Spec: physics-cells §4.6.
    pub fn set_target(&mut self, key: EntityKey, target: Option<EntityKey>) -> Result<(), SceneError> {
        if target.is_some_and(|target| !self.entities.contains_key(target)) {
            return Err(SceneError::NoSuchEntity);
        }
        self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?.target = target;
        Ok(())
    }
}
