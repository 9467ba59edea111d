//! An object as plain data.

use crate::{
    flags::{State, Transient},
    motion::{Actor, ActorState},
    scene::{
        Admission, Attachment, Entity, EntityKey, EntityRole, Motion, Part, PartSwap, SCALES, SceneError,
        Shadow, entity::Collision, extras::Extras, properties::swap_parts, sleep::Sleep,
        spawn::check_position,
    },
};
use glam::Vec3;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::{cell::Cell, sync::Arc};
use threshold_dat::{DatId, Error};
use threshold_world::{
    CellId, Frame, Library, Position,
    geometry::Plane,
    model::{Model, ModelPart},
    motion::SavedAnimatorError,
};

/// How an object is carried.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
struct AttachmentState {
    part: u32,
    frame: Frame,
}

/// Where a part is and how large.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
struct PartState {
    place: Position,
    scale: f32,
}

/// An object at one moment.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub(super) struct ObjectState {
    pub(super) key: EntityKey,
    guid: Option<u32>,
    model: u32,
    /// Parts that show another mesh.
    swaps: Vec<(u32, u32)>,
    place: Position,
    pub(super) cell: Option<CellId>,
    state: u32,
    transient: u32,
    scale: f32,
    velocity: Vec3,
    acceleration: Vec3,
    omega: Vec3,
    friction: f32,
    elasticity: f32,
    contact_plane: (Vec3, f32),
    contact_cell: CellId,
    sliding_normal: Vec3,
    slid_along: Option<EntityKey>,
    cached_velocity: Vec3,
    motion: (Vec3, f32),
    actor: Option<Box<ActorState>>,
    role: EntityRole,
    admission: Admission,
    target: Option<EntityKey>,
    parent: Option<EntityKey>,
    /// Absent as long as it is that of an object which was never carried.
    attachment: Option<AttachmentState>,
    children: Vec<EntityKey>,
    parts: Vec<PartState>,
    /// Cells it is registered in, and whether they were loaded then.
    shadows: Vec<(CellId, bool)>,
    awaits: Vec<CellId>,
    collisions: Vec<Collision>,
    colliding_with_environment: bool,
    velocity_changed: bool,
    last_update: f64,
    serial: u64,
    near_viewer: bool,
}

impl ObjectState {
    pub(super) fn of(key: EntityKey, entity: &Entity) -> ObjectState {
        // Every field by name, so that none is forgotten.
        let Entity {
            guid,
            model,
            position,
            cell,
            state,
            transient,
            scale,
            velocity,
            acceleration,
            omega,
            friction,
            elasticity,
            contact_plane,
            contact_cell,
            sliding_normal,
            slid_along,
            cached_velocity,
            motion,
            actor,
            role,
            target,
            parent,
            parts,
            // Follow from the model and the size; sleep changes nothing.
            has_physics_mesh: _,
            girth: _,
            sleep: _,
            shadows,
            extras: _,
            colliding_with_environment,
            velocity_changed,
            last_update,
            serial,
            near_viewer,
        } = entity;
        let Extras { swaps, admission, attachment, children, awaits, collisions } = entity.extras();
        let carried = |attachment: &Attachment| AttachmentState {
            part: attachment.part as u32,
            frame: attachment.frame,
        };
        ObjectState {
            key,
            guid: *guid,
            model: model.id.0,
            swaps: swaps.iter().map(|&(part, mesh)| (part as u32, mesh.0)).collect(),
            place: *position,
            cell: *cell,
            state: state.bits(),
            transient: transient.bits(),
            scale: *scale,
            velocity: *velocity,
            acceleration: *acceleration,
            omega: *omega,
            friction: *friction,
            elasticity: *elasticity,
            contact_plane: (contact_plane.normal, contact_plane.d),
            contact_cell: *contact_cell,
            sliding_normal: *sliding_normal,
            slid_along: *slid_along,
            cached_velocity: *cached_velocity,
            motion: (motion.velocity, motion.turn),
            actor: actor.as_ref().map(|actor| Box::new(actor.save())),
            role: *role,
            admission: admission.clone(),
            target: *target,
            parent: *parent,
            attachment: (*attachment != Attachment::default()).then(|| carried(attachment)),
            children: children.clone(),
            parts: parts.iter().map(|part| PartState { place: part.position, scale: part.scale }).collect(),
            shadows: shadows.iter().map(|shadow| (shadow.cell, shadow.is_joined())).collect(),
            awaits: awaits.clone(),
            collisions: collisions.clone(),
            colliding_with_environment: *colliding_with_environment,
            velocity_changed: *velocity_changed,
            last_update: *last_update,
            serial: *serial,
            near_viewer: *near_viewer,
        }
    }

    /// The same, last updated at another time.
    pub(super) fn updated_at(mut self, time: f64) -> ObjectState {
        self.last_update = time;
        self
    }

    /// The object again, in no list yet.
    pub(super) fn entity(&self, library: &Library) -> Result<Entity, ObjectError> {
        self.check()?;
        let model = self.find_model(library)?;
        let extras = Extras {
            swaps: self.swaps.iter().map(|&(part, mesh)| (part as usize, DatId(mesh))).collect(),
            admission: self.admission.clone(),
            attachment: self.attachment.map_or_else(Attachment::default, |attachment| Attachment {
                part: attachment.part as usize,
                frame: attachment.frame,
            }),
            children: self.children.clone(),
            awaits: self.awaits.clone(),
            collisions: self.collisions.clone(),
        };
        let mut entity = Entity {
            guid: self.guid,
            has_physics_mesh: model.has_physics_mesh(),
            position: self.place,
            cell: self.cell,
            state: State::from_bits_retain(self.state),
            transient: Transient::from_bits_retain(self.transient),
            scale: self.scale,
            velocity: self.velocity,
            acceleration: self.acceleration,
            omega: self.omega,
            friction: self.friction,
            elasticity: self.elasticity,
            contact_plane: Plane { normal: self.contact_plane.0, d: self.contact_plane.1 },
            contact_cell: self.contact_cell,
            sliding_normal: self.sliding_normal,
            slid_along: self.slid_along,
            cached_velocity: self.cached_velocity,
            motion: Motion { velocity: self.motion.0, turn: self.motion.1 },
            actor: self.find_actor(library)?,
            role: self.role,
            target: self.target,
            parent: self.parent,
            parts: self.placed_parts(&model.parts)?,
            shadows: self.shadows.iter().map(|&(cell, _)| Shadow { cell, joined: false }).collect(),
            extras: extras.into(),
            colliding_with_environment: self.colliding_with_environment,
            velocity_changed: self.velocity_changed,
            last_update: self.last_update,
            serial: self.serial,
            near_viewer: self.near_viewer,
            sleep: Sleep::Awake,
            girth: 0.0,
            model,
        };
        entity.girth = entity.compute_girth();
        Ok(entity)
    }

    /// Cells it is registered in, and whether it is in their lists.
    pub(super) fn shadows(&self) -> impl Iterator<Item = (CellId, bool)> {
        self.shadows.iter().copied()
    }

    fn find_actor(&self, library: &Library) -> Result<Option<Box<Actor>>, ObjectError> {
        let Some(actor) = &self.actor else { return Ok(None) };
        let unanswered = Cell::new(None);
        let tables = |id| answer(library.motion_table(id), id, &unanswered);
        let animator = actor.animator.restore(tables, |id| answer(library.animation(id), id, &unanswered));
        match unanswered.take() {
            Some(error) => Err(error),
            None => Ok(Some(Box::new(actor.actor(animator?)))),
        }
    }

    fn find_model(&self, library: &Library) -> Result<Arc<Model>, ObjectError> {
        let find = |id: u32| {
            let id = DatId(id);
            library.model(id).map_err(|error| unreadable(id, &error))?.ok_or(ObjectError::Model(id))
        };
        let model = find(self.model)?;
        let mut swaps = Vec::with_capacity(self.swaps.len());
        for &(part, id) in &self.swaps {
            // A bare mesh is a model of one part.
            let mesh = find(id)?.parts.first().and_then(|part| part.mesh.clone());
            swaps.push(PartSwap { part: part as usize, mesh: mesh.ok_or(ObjectError::Model(DatId(id)))? });
        }
        Ok(swap_parts(&model, &swaps)?)
    }

    fn placed_parts(&self, parts: &[ModelPart]) -> Result<Vec<Part>, ObjectError> {
        let meshes = parts.iter().filter_map(|part| part.mesh.as_ref());
        if !self.parts.is_empty() && meshes.clone().count() != self.parts.len() {
            return Err(ObjectError::Parts(DatId(self.model)));
        }
        let placed = meshes.zip(&self.parts);
        Ok(placed.map(|(mesh, part)| Part::new(mesh, part.place, part.scale)).collect())
    }

    /// Refuses what no scene could have come to.
    fn check(&self) -> Result<(), ObjectError> {
        let position = self.place;
        if self.cell.is_some() {
            check_position(&position)?;
        }
        if State::from_bits(self.state).is_none() {
            return Err(SceneError::UnknownState(self.state).into());
        }
        if Transient::from_bits(self.transient).is_none() {
            return Err(ObjectError::Transient(self.transient));
        }
        let vectors = [
            self.velocity,
            self.acceleration,
            self.omega,
            self.contact_plane.0,
            self.sliding_normal,
            self.cached_velocity,
            self.motion.0,
        ];
        let numbers = [self.friction, self.elasticity, self.contact_plane.1, self.motion.1];
        let parts = self.parts.iter().map(|part| &part.place.frame);
        let frames = parts.chain(self.attachment.as_ref().map(|attachment| &attachment.frame));
        let times = self.collisions.iter().map(|collision| collision.since);
        for (field, is_usable) in [
            ("position", position.frame.is_finite()),
            ("scale", SCALES.contains(&self.scale)),
            ("motion", vectors.iter().all(|v| v.is_finite()) && numbers.iter().all(|n| n.is_finite())),
            ("parts", frames.into_iter().all(|frame| frame.is_finite())),
            ("scale of a part", self.parts.iter().all(|part| part.scale.is_finite())),
            ("movement", self.actor.as_ref().is_none_or(|actor| actor.is_sound())),
            ("time", times.chain([self.last_update]).all(f64::is_finite)),
        ] {
            if !is_usable {
                return Err(SceneError::NotFinite(field).into());
            }
        }
        Ok(())
    }
}

fn unreadable(id: DatId, error: &Error) -> ObjectError {
    ObjectError::Unreadable { id, reason: error.to_string() }
}

/// What a library answered; an error is noted.
fn answer<T>(
    answer: Result<Option<Arc<T>>, Error>,
    id: DatId,
    unanswered: &Cell<Option<ObjectError>>,
) -> Option<Arc<T>> {
    answer.unwrap_or_else(|error| {
        unanswered.set(Some(unreadable(id, &error)));
        None
    })
}

/// Why an object cannot be brought back.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ObjectError {
    /// A value that the scene would have refused.
    #[error(transparent)]
    Value(#[from] SceneError),
    /// The transient state has unknown bits.
    #[error("the transient state {0:#010x} has unknown bits")]
    Transient(u32),
    /// The model is missing or broken.
    #[error("model {0} is missing or broken")]
    Model(DatId),
    /// Its model cannot be read at the moment; another attempt may succeed.
    #[error("{id} cannot be read now: {reason}")]
    Unreadable {
        /// The record.
        id: DatId,
        /// Why.
        reason: String,
    },
    /// The model has another number of parts.
    #[error("the parts of model {0} have changed")]
    Parts(DatId),
    /// Its animations are missing or have changed.
    #[error(transparent)]
    Animator(#[from] SavedAnimatorError),
}
