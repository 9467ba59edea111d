//! An object of the scene. Spec: physics-objects §8, §9.2.

use super::EntityKey;
use crate::flags::{State, Transient};
use glam::Vec3;
use std::sync::Arc;
use threshold_world::{
    CellId, Frame, Position,
    geometry::Plane,
    model::{Mesh, Model, ModelPart},
};

/// What the game says of an object; none of it is in the dat files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The object is known to the game at all; scenery and statics are not.
    pub has_game_object: bool,
    /// A player.
    pub is_player: bool,
    /// Something that lives: the camera passes it, and nobody stands on its spheres.
    pub creature: bool,
    /// Players collide with it.
    pub impenetrable: bool,
    /// Player killer.
    pub pk: bool,
    /// Player killer, lite.
    pub pk_lite: bool,
    /// Chests and corpses are put where they are said to be, without a search for room.
    pub forced_into_cell: bool,
    /// Guards a cell and lets nobody in.
    pub refuses_entry: bool,
    /// Passes every such guard.
    pub bypasses_restrictions: bool,
}

impl Default for Facts {
    fn default() -> Self {
        Facts {
            has_game_object: true,
            is_player: false,
            creature: false,
            impenetrable: false,
            pk: false,
            pk_lite: false,
            forced_into_cell: false,
            refuses_entry: false,
            bypasses_restrictions: true,
        }
    }
}

/// An entry of an object in a cell's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shadow {
    /// The cell.
    pub cell: CellId,
    /// Whether the object is in the cell's list; a cell that was not loaded is remembered by id alone.
    pub joined: bool,
}

/// A part with a mesh, where it is now.
#[derive(Clone, Debug)]
pub struct Part {
    /// The mesh.
    pub mesh: Arc<Mesh>,
    /// Block coordinates of the object's cell.
    pub position: Position,
    /// Collision scale: the Z component of the part's own scale times the object's.
    pub scale: f32,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Entity {
    /// Game id; statics have none.
    pub guid: Option<u32>,
    /// Shapes.
    pub model: Arc<Model>,
    /// Where it is.
    pub position: Position,
    /// The loaded cell it is in.
    pub cell: Option<CellId>,
    /// Lasting state.
    pub state: State,
    /// State from tick to tick.
    pub transient: Transient,
    /// Size.
    pub scale: f32,
    /// Metres per second.
    pub velocity: Vec3,
    /// Metres per second squared.
    pub acceleration: Vec3,
    /// Radians per second.
    pub omega: Vec3,
    /// Slowing on walkable ground, 0…1.
    pub friction: f32,
    /// Bounce, 0…0.1.
    pub elasticity: f32,
    /// Ground it stands on; only meaningful with contact.
    pub contact_plane: Plane,
    /// The cell the ground was found in.
    pub contact_cell: CellId,
    /// What it slides along; only meaningful while sliding.
    pub sliding_normal: Vec3,
    /// Last committed displacement over time.
    pub cached_velocity: Vec3,
    /// What the game says of it.
    pub facts: Facts,
    /// Carries it.
    pub parent: Option<EntityKey>,
    /// Where it is held, in its parent's space.
    pub attachment: Frame,
    /// What it carries.
    pub children: Vec<EntityKey>,
    pub(super) parts: Vec<Part>,
    pub(super) shadows: Vec<Shadow>,
    pub(super) collisions: Vec<Collision>,
    pub(super) colliding_with_environment: bool,
    pub(super) velocity_changed: bool,
    pub(super) last_update: f64,
}

/// A contact that has been reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Collision {
    pub(super) other: EntityKey,
    pub(super) since: f64,
    pub(super) ethereal: bool,
}

impl Entity {
    /// Parts that can be hit, in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The object's entries in cells' lists, in the order of its flood.
    pub fn shadows(&self) -> &[Shadow] {
        &self.shadows
    }

    /// Whether a transient bit is set.
    pub fn has(&self, bit: Transient) -> bool {
        self.transient.contains(bit)
    }

    /// Rung of the stationary ladder, 0…3.
    pub fn still(&self) -> u8 {
        [Transient::STILL_3, Transient::STILL_2, Transient::STILL_1]
            .iter()
            .position(|&bit| self.has(bit))
            .map_or(0, |i| 3 - i as u8)
    }

    /// Puts the parts where the object's frame says; emitters leave theirs behind. Only models with physics meshes
    /// keep parts, so that moving anything else costs nothing here. Spec: physics-objects §9.2.
    pub(super) fn place_parts(&mut self) {
        if self.state.contains(State::PARTICLE_EMITTER) && !self.parts.is_empty() {
            return;
        }
        if !self.model.has_physics_mesh() {
            return;
        }
        let (position, scale) = (self.position, self.scale);
        if self.parts.is_empty() {
            self.parts.extend(self.model.parts.iter().filter_map(|part| place_part(part, &position, scale)));
        } else {
            let placed = self.model.parts.iter().filter_map(|part| place_part(part, &position, scale));
            for (slot, part) in self.parts.iter_mut().zip(placed) {
                slot.position = part.position;
                slot.scale = part.scale;
            }
        }
    }
}

/// A model's part in the world.
pub(super) fn place_part(part: &ModelPart, object: &Position, scale: f32) -> Option<Part> {
    let mut inner = part.frame;
    inner.origin *= scale;
    Some(Part {
        mesh: part.mesh.clone()?,
        position: Position::new(object.cell, object.frame.compose(&inner)),
        scale: part.scale.z * scale,
    })
}
