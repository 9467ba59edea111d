//! Objects come and go.

use super::{Entity, EntityKey, EntityRole, Event, Motion, Scene, extras::MaybeExtras, sleep::Sleep};
use crate::{
    flags::{State, Transient},
    motion::MotionError,
};
use glam::Vec3;
use smallvec::SmallVec;
use std::sync::Arc;
use threshold_dat::DatId;
use threshold_world::{
    CellId, Position, World,
    coords::{CELL_SIDE, MAP_CELLS, adjust_to_outside, is_valid_cell_id},
    geometry::Plane,
    model::Model,
    placed::{ObjectKind, PlacedObject},
};

/// Smallest and largest size an object may have.
pub const SCALES: std::ops::RangeInclusive<f32> = 0.001..=1000.0;

/// Why a scene refused a change; it is then unchanged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The id is taken.
    #[error("an object with id {0:#010x} already exists")]
    DuplicateGuid(u32),
    /// No object has this key.
    #[error("no such object")]
    NoSuchEntity,
    /// A number is NaN, infinite or out of range.
    #[error("{0} is NaN, infinite or out of range")]
    NotFinite(&'static str),
    /// The position names a cell that cannot exist.
    #[error("{0} is not a cell of the map")]
    BadCell(CellId),
    /// The position lies beyond the borders of the map.
    #[error("a position in {0} lies outside the map")]
    OffMap(CellId),
    /// The state word has unknown bits.
    #[error("the state word {0:#010x} has unknown bits")]
    UnknownState(u32),
    /// The model has no such part.
    #[error("the model has no part {0}")]
    NoSuchPart(usize),
    /// An object would carry itself.
    #[error("the parent is carried by the object itself")]
    ParentCycle,
    /// An object would be carried by too many others, one on top of the other.
    #[error("more than {max} objects would carry one another", max = super::MAX_CARRY_DEPTH)]
    ParentDepth,
    /// The object is carried by its parent.
    #[error("the object is carried by another and has no position of its own")]
    Carried,
    /// The motion was refused.
    #[error(transparent)]
    Motion(#[from] MotionError),
    /// The sweep was refused.
    #[error(transparent)]
    Sweep(#[from] crate::sweep::SweepError),
}

/// Parameters for spawning an object.
#[derive(Clone, Debug)]
pub struct Spawn {
    /// Game id; `None` for statics.
    pub guid: Option<u32>,
    /// Shapes.
    pub model: Arc<Model>,
    /// Where.
    pub position: Position,
    /// State word, used unchanged.
    pub state: State,
    /// Size.
    pub scale: f32,
    /// What the game says of it.
    pub role: EntityRole,
}

/// Setup of a player.
pub const PLAYER_SETUP: DatId = DatId(0x0200_0001);
/// State word of a player and of any other walking object: gravity, edge slide, collision reports.
pub const PLAYER_STATE: State = State::from_bits_retain(0x0040_0408);

impl Spawn {
    /// A body of full size that walks, without a game id.
    pub fn walker(model: Arc<Model>, position: Position) -> Spawn {
        let role = EntityRole { creature: true, ..EntityRole::default() };
        Spawn { guid: None, model, position, state: PLAYER_STATE, scale: 1.0, role }
    }

    /// A player's body.
    pub fn player(guid: u32, model: Arc<Model>, position: Position) -> Spawn {
        let role = EntityRole { is_player: true, ..EntityRole::default() };
        Spawn { guid: Some(guid), role, ..Spawn::walker(model, position) }
    }

    /// An object that a server places.
    pub fn placed(object: &PlacedObject, model: Arc<Model>) -> Spawn {
        Spawn {
            guid: Some(object.id),
            model,
            position: object.position(),
            state: State::from_bits_retain(object.state),
            scale: object.scale,
            role: EntityRole {
                creature: object.is_living(),
                forced_into_cell: object.kind == ObjectKind::Chest,
                ..EntityRole::default()
            },
        }
    }
}

impl Scene {
    /// Spawns an object exactly at its position, without a search for a free spot. If its cell is not loaded, it waits until
    /// it is. An object whose cell is [`CellId::NONE`] is nowhere until it is placed.
    pub fn spawn(&mut self, world: &World, spawn: Spawn) -> Result<EntityKey, SceneError> {
        if let Some(guid) = spawn.guid
            && self.by_guid.contains_key(&guid)
        {
            return Err(SceneError::DuplicateGuid(guid));
        }
        if spawn.position.cell != CellId::NONE {
            check_position(&spawn.position)?;
        } else if !spawn.position.frame.is_finite() {
            return Err(SceneError::NotFinite("position"));
        }
        check_scale(spawn.scale)?;
        check_state(spawn.state)?;
        let guid = spawn.guid;
        let cell = world.cell(spawn.position.cell).map(|cell| cell.id());
        let is_static = spawn.state.contains(State::STATIC);
        let key = self.entities.insert(new_entity(spawn, cell, self.now, self.arrivals));
        self.arrivals += 1;
        if let Some(guid) = guid {
            self.by_guid.insert(guid, key);
        }
        if let Some(cell) = cell {
            self.residents.insert((cell, key));
        }
        if !is_static {
            self.note_mover(key);
        }
        self.reflood(world, key);
        self.entities.measure();
        Ok(key)
    }

    /// Removes an object; objects that it carried stay where they are.
    pub fn despawn(&mut self, world: &World, key: EntityKey) -> Result<(), SceneError> {
        self.exit_world(key);
        self.end_collisions(key);
        self.remove_shadows(key);
        let entity = self.entities.remove(key).ok_or(SceneError::NoSuchEntity)?;
        self.movers.remove(key, &entity);
        self.playing_statics.remove(&key);
        if let Some(cell) = entity.cell {
            self.residents.remove(&(cell, key));
        }
        if let Some(guid) = entity.guid {
            self.by_guid.remove(&guid);
        }
        if let Some(parent) = entity.parent.and_then(|parent| self.entities.get_mut(parent)) {
            parent.extras_mut().children.retain(|&child| child != key);
        }
        for &child in entity.children() {
            if let Some(child) = self.entities.get_mut(child) {
                child.parent = None;
            }
            self.reflood(world, child);
        }
        Ok(())
    }

    /// Removes everything but the statics of blocks and cells, and resets the clock: the scene as it was before anything was
    /// spawned.
    pub fn clear_guests(&mut self, world: &World) {
        let is_guest = |entity: &Entity| entity.role.has_game_object || entity.guid.is_some();
        let guests = |(key, entity): (EntityKey, &Entity)| is_guest(entity).then_some(key);
        let guests: Vec<EntityKey> = self.entities.iter().filter_map(guests).collect();
        for key in guests {
            let _ = self.despawn(world, key);
        }
        self.now = 0.0;
        self.events.clear();
    }

    /// Moves an existing object exactly to a position and registers it again.
    pub fn update_position(
        &mut self,
        world: &World,
        key: EntityKey,
        position: Position,
    ) -> Result<(), SceneError> {
        check_position(&position)?;
        self.free_entity(key)?.position = position;
        self.seat(world, key);
        Ok(())
    }

    /// An object that is not static is updated from now on.
    pub(super) fn note_mover(&mut self, key: EntityKey) {
        if let Some(entity) = self.entities.get(key) {
            self.movers.insert(key, entity);
        }
    }

    /// Removes an object from every list and cell, but keeps it; placing it brings it back.
    pub fn set_aside(&mut self, key: EntityKey) {
        self.remove_shadows(key);
        self.set_cell(key, None);
    }

    /// An object that may be put somewhere.
    pub(super) fn free_entity(&mut self, key: EntityKey) -> Result<&mut Entity, SceneError> {
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        if entity.parent.is_some() { Err(SceneError::Carried) } else { Ok(entity) }
    }

    /// Takes over the cell of an object's position, loaded or not, with everything attached to it.
    pub(super) fn seat(&mut self, world: &World, key: EntityKey) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        entity.place_parts();
        let cell = world.cell(entity.position.cell).map(|cell| cell.id());
        self.change_cell(key, cell);
        self.carry_children(key);
        self.reflood(world, key);
    }

    /// Moves an object from one cell to another, and says so. Retail: `CPhysicsObj::change_cell` (0x00513390).
    pub(super) fn change_cell(&mut self, key: EntityKey, to: Option<CellId>) -> Option<(CellId, CellId)> {
        let from = self.set_cell(key, to);
        (from != to).then(|| {
            let (from, to) = (from.unwrap_or(CellId::NONE), to.unwrap_or(CellId::NONE));
            self.events.push(Event::CellChanged { entity: key, from, to });
            (from, to)
        })
    }

    /// Notes the loaded cell an object is in; returns the one before.
    pub(super) fn set_cell(&mut self, key: EntityKey, to: Option<CellId>) -> Option<CellId> {
        let entity = self.entities.get_mut(key)?;
        let from = std::mem::replace(&mut entity.cell, to);
        if from != to {
            if let Some(from) = from {
                self.residents.remove(&(from, key));
            }
            if let Some(to) = to {
                self.residents.insert((to, key));
            }
        }
        from
    }
}

/// Refuses a position that cannot be on the map, whatever is loaded.
pub fn check_position(position: &Position) -> Result<(), SceneError> {
    if !position.frame.is_finite() {
        return Err(SceneError::NotFinite("position"));
    }
    let cell = position.cell;
    if !is_valid_cell_id(cell) || cell.low() == 0xFFFF {
        return Err(SceneError::BadCell(cell));
    }
    let origin = position.frame.origin;
    let is_near = origin.abs().max_element() <= MAP_CELLS as f32 * CELL_SIDE;
    if !is_near || (cell.is_outdoor() && adjust_to_outside(cell, origin).is_none()) {
        return Err(SceneError::OffMap(cell));
    }
    Ok(())
}

pub(super) fn check_scale(scale: f32) -> Result<(), SceneError> {
    if SCALES.contains(&scale) { Ok(()) } else { Err(SceneError::NotFinite("scale")) }
}

pub(super) fn check_state(state: State) -> Result<(), SceneError> {
    if State::all().contains(state) { Ok(()) } else { Err(SceneError::UnknownState(state.bits())) }
}

pub(super) fn new_entity(spawn: Spawn, cell: Option<CellId>, now: f64, serial: u64) -> Entity {
    let mut entity = Entity {
        guid: spawn.guid,
        has_physics_mesh: spawn.model.has_physics_mesh(),
        model: spawn.model,
        position: spawn.position,
        cell,
        state: spawn.state,
        transient: Transient::empty(),
        scale: spawn.scale,
        velocity: Vec3::ZERO,
        acceleration: Vec3::ZERO,
        omega: Vec3::ZERO,
        friction: 0.95,
        elasticity: 0.05,
        contact_plane: Plane::default(),
        contact_cell: CellId::NONE,
        sliding_normal: Vec3::ZERO,
        slid_along: None,
        cached_velocity: Vec3::ZERO,
        motion: Motion::default(),
        actor: None,
        role: spawn.role,
        target: None,
        parent: None,
        parts: Vec::new(),
        shadows: SmallVec::new(),
        extras: MaybeExtras::default(),
        colliding_with_environment: false,
        velocity_changed: false,
        last_update: now,
        serial,
        near_viewer: false,
        sleep: Sleep::Awake,
        girth: 0.0,
    };
    entity.girth = entity.compute_girth();
    entity.place_parts();
    entity.update_acceleration();
    if cell.is_some() {
        entity.set_active();
    }
    entity
}
