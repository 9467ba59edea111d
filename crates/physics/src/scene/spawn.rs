//! Objects come, change and go.

use super::{Entity, EntityKey, Event, Facts, Scene};
use crate::flags::{State, Transient};
use glam::Vec3;
use std::sync::Arc;
use threshold_dat::DatId;
use threshold_world::{
    BlockId, CellId, Frame, Position, World, cell::StaticObject, coords::adjust_to_outside, geometry::Plane,
    model::Model,
};

/// Why a scene refused a change; it is then unchanged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SceneError {
    /// The id is taken.
    #[error("an object with id {0:#010x} is there already")]
    DuplicateGuid(u32),
    /// The key names nothing.
    #[error("no such object")]
    NoSuchEntity,
    /// A coordinate, rotation or scale is NaN, infinite or out of range.
    #[error("{0} is not a usable number")]
    NotFinite(&'static str),
    /// The position names a cell that cannot exist.
    #[error("{0} is not a cell of the map")]
    BadCell(CellId),
    /// An object would carry itself.
    #[error("the parent is carried by the object itself")]
    ParentCycle,
    /// The sweep was refused.
    #[error(transparent)]
    Sweep(#[from] crate::sweep::SweepError),
}

/// What is needed to bring an object into a scene.
#[derive(Clone, Debug)]
pub struct Spawn {
    /// Game id; none for statics.
    pub guid: Option<u32>,
    /// Shapes.
    pub model: Arc<Model>,
    /// Where.
    pub position: Position,
    /// State word, taken as it is.
    pub state: State,
    /// Size.
    pub scale: f32,
    /// What the game says of it.
    pub facts: Facts,
}

impl Scene {
    /// Brings an object in exactly where it is said to be, without a search for room.
    pub fn spawn(&mut self, world: &World, spawn: Spawn) -> Result<EntityKey, SceneError> {
        if let Some(guid) = spawn.guid
            && self.by_guid.contains_key(&guid)
        {
            return Err(SceneError::DuplicateGuid(guid));
        }
        check_position(&spawn.position)?;
        check_scale(spawn.scale)?;
        let guid = spawn.guid;
        let key = self.entities.insert(new_entity(spawn, self.now));
        if let Some(guid) = guid {
            self.by_guid.insert(guid, key);
        }
        self.seat(world, key);
        Ok(key)
    }

    /// Takes an object out; its children stay where they are.
    pub fn despawn(&mut self, key: EntityKey) -> Result<(), SceneError> {
        if !self.entities.contains_key(key) {
            return Err(SceneError::NoSuchEntity);
        }
        let _ = self.set_parent_raw(key, None);
        self.remove_shadows(key);
        if let Some(entity) = self.entities.remove(key) {
            for child in entity.children {
                if let Some(child) = self.entities.get_mut(child) {
                    child.parent = None;
                }
            }
            if let Some(guid) = entity.guid {
                self.by_guid.remove(&guid);
            }
        }
        Ok(())
    }

    /// Takes out everything but the statics of blocks and cells, and sets the clock back: a scene as it was before
    /// anything came in.
    pub fn clear_guests(&mut self) {
        let guests = |(key, entity): (EntityKey, &Entity)| entity.facts.has_game_object.then_some(key);
        let guests: Vec<EntityKey> = self.entities.iter().filter_map(guests).collect();
        for key in guests {
            let _ = self.despawn(key);
        }
        self.now = 0.0;
        self.events.clear();
    }

    /// Puts an existing object exactly somewhere and registers it anew.
    /// Retail: `CPhysicsObj::ForceIntoCell`. Spec: physics-objects §8.7 step 3 of "Try".
    pub fn update_position(
        &mut self,
        world: &World,
        key: EntityKey,
        position: Position,
    ) -> Result<(), SceneError> {
        check_position(&position)?;
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        entity.position = position;
        self.seat(world, key);
        Ok(())
    }

    /// Replaces the state word, as the game's server does. It takes effect at once in every cell, as lists hold
    /// objects, not copies. Retail: `CPhysicsObj::set_state`.
    pub fn set_state(&mut self, key: EntityKey, state: State) -> Result<(), SceneError> {
        self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?.state = state;
        Ok(())
    }

    /// Makes an object ethereal, or solid again as soon as nothing that moves stands in it; until then it is tried
    /// with every tick. Retail: `CPhysicsObj::set_ethereal`. Spec: physics-objects §8.11.
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

    /// Changes an object's size and registers it anew.
    pub fn set_scale(&mut self, world: &World, key: EntityKey, scale: f32) -> Result<(), SceneError> {
        check_scale(scale)?;
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        entity.scale = scale;
        self.seat(world, key);
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

    /// Lets `parent` carry an object at a place in its own space, or nobody. Carried objects are listed with their parent and never tested.
    /// Retail: `CPhysicsObj::set_parent`. Spec: physics-objects §8.14.
    pub fn set_parent(
        &mut self,
        world: &World,
        key: EntityKey,
        parent: Option<EntityKey>,
        attachment: Frame,
    ) -> Result<(), SceneError> {
        if !attachment.is_finite() {
            return Err(SceneError::NotFinite("attachment"));
        }
        self.set_parent_raw(key, parent)?;
        if let Some(entity) = self.entities.get_mut(key) {
            entity.attachment = attachment;
        }
        match parent {
            Some(parent) => {
                self.carry_children(parent);
                self.reflood(world, parent);
            }
            None => self.seat(world, key),
        }
        Ok(())
    }

    fn set_parent_raw(&mut self, key: EntityKey, parent: Option<EntityKey>) -> Result<(), SceneError> {
        if !self.entities.contains_key(key) {
            return Err(SceneError::NoSuchEntity);
        }
        let mut above = parent;
        while let Some(ancestor) = above {
            if ancestor == key {
                return Err(SceneError::ParentCycle);
            }
            above = self.entities.get(ancestor).ok_or(SceneError::NoSuchEntity)?.parent;
        }
        let old = std::mem::replace(&mut self.entities[key].parent, parent);
        if let Some(old) = old.and_then(|old| self.entities.get_mut(old)) {
            old.children.retain(|&child| child != key);
        }
        if let Some(parent) = parent {
            self.entities[parent].children.push(key);
        }
        Ok(())
    }

    /// Takes an object out of every list and cell, but keeps it; placing it brings it back.
    pub fn set_aside(&mut self, key: EntityKey) {
        self.remove_shadows(key);
        if let Some(entity) = self.entities.get_mut(key) {
            entity.cell = None;
        }
    }

    /// Brings in the static objects of a block's info record; those whose model is unknown are left out.
    /// Spec: physics-objects §8.14.
    pub fn spawn_outdoor_statics(
        &mut self,
        world: &World,
        block: BlockId,
        model: &mut dyn FnMut(DatId) -> Option<Arc<Model>>,
    ) {
        let Some(data) = world.block_data(block).cloned() else { return };
        for object in &data.statics {
            if let Some((cell, origin)) = adjust_to_outside(block.cell(1), object.frame.origin) {
                let position = Position::new(cell, Frame::new(origin, object.frame.rotation()));
                self.spawn_static(world, object, position, model);
            }
        }
    }

    /// Brings in the static objects of a block's interior cells; those whose model is unknown are left out.
    /// Spec: physics-objects §8.14.
    pub fn spawn_indoor_statics(
        &mut self,
        world: &World,
        block: BlockId,
        model: &mut dyn FnMut(DatId) -> Option<Arc<Model>>,
    ) {
        let Some(data) = world.block_data(block).cloned() else { return };
        for cell in data.env_cells.iter().flatten() {
            for object in &cell.statics {
                self.spawn_static(world, object, Position::new(cell.id(), object.frame), model);
            }
        }
    }

    fn spawn_static(
        &mut self,
        world: &World,
        object: &StaticObject,
        position: Position,
        model: &mut dyn FnMut(DatId) -> Option<Arc<Model>>,
    ) {
        let Some(model) = model(object.model) else { return };
        let mut state = State::STATIC;
        state.set(State::HAS_PHYSICS_BSP, model.has_physics_mesh());
        let facts = Facts { has_game_object: false, ..Facts::default() };
        // Refused only for positions off the map or not finite: then there is nothing to stand on either.
        let _ = self.spawn(world, Spawn { guid: None, model, position, state, scale: 1.0, facts });
    }

    /// Re-derives an object's cell, parts and registration from its position.
    fn seat(&mut self, world: &World, key: EntityKey) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        let cell = world.cell(entity.position.cell).map(|cell| cell.id());
        let before = std::mem::replace(&mut entity.cell, cell);
        entity.place_parts();
        if let (Some(from), None) = (before, cell) {
            self.events.push(Event::CellChanged { entity: key, from, to: CellId::NONE });
        }
        self.reflood(world, key);
    }
}

fn check_position(position: &Position) -> Result<(), SceneError> {
    if !position.frame.is_finite() {
        return Err(SceneError::NotFinite("position"));
    }
    if !threshold_world::coords::is_valid_cell_id(position.cell) {
        return Err(SceneError::BadCell(position.cell));
    }
    Ok(())
}

fn check_scale(scale: f32) -> Result<(), SceneError> {
    if scale.is_finite() && scale > 0.0 { Ok(()) } else { Err(SceneError::NotFinite("scale")) }
}

fn new_entity(spawn: Spawn, now: f64) -> Entity {
    Entity {
        guid: spawn.guid,
        model: spawn.model,
        position: spawn.position,
        cell: None,
        state: spawn.state,
        transient: if spawn.state.contains(State::STATIC) { Transient::empty() } else { Transient::ACTIVE },
        scale: spawn.scale,
        velocity: Vec3::ZERO,
        acceleration: Vec3::ZERO,
        omega: Vec3::ZERO,
        friction: 0.95,
        elasticity: 0.05,
        contact_plane: Plane::default(),
        contact_cell: CellId::NONE,
        sliding_normal: Vec3::ZERO,
        cached_velocity: Vec3::ZERO,
        facts: spawn.facts,
        parent: None,
        attachment: Frame::IDENTITY,
        children: Vec::new(),
        parts: Vec::new(),
        shadows: Vec::new(),
        collisions: Vec::new(),
        colliding_with_environment: false,
        velocity_changed: false,
        last_update: now,
    }
}
