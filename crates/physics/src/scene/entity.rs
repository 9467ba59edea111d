//! An object of the scene. Spec: physics-objects §8, §9.2.

use super::{EntityKey, extras::MaybeExtras, order::Turn, sleep::Sleep};
use crate::{
    flags::{MoverFlags, State, Transient},
    motion::Actor,
};
use glam::Vec3;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::sync::Arc;
use threshold_dat::records;
use threshold_world::{
    CellId, Frame, Position, Quat,
    geometry::Plane,
    model::{Mesh, Model},
};

/// The role of an object in the game; none of this is in the dat files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct EntityRole {
    /// The object is known to the game at all; scenery and statics are not.
    pub has_game_object: bool,
    /// A player.
    pub is_player: bool,
    /// A living object; players always count as one ([`EntityRole::is_creature`]).
    pub creature: bool,
    /// It can be attacked.
    pub attackable: bool,
    /// A door.
    pub door: bool,
    /// Players collide with it.
    pub impenetrable: bool,
    /// Player killer.
    pub pk: bool,
    /// Player killer, lite.
    pub pk_lite: bool,
    /// Placed exactly at its position, without a search for a free spot, like chests and corpses.
    pub forced_into_cell: bool,
    /// Enters every cell, whatever its keeper says ([`super::Admission`]).
    pub bypasses_restrictions: bool,
}

impl Default for EntityRole {
    fn default() -> Self {
        EntityRole { has_game_object: true, ..EntityRole::UNKNOWN }
    }
}

impl EntityRole {
    /// The role of objects that are unknown to the game, such as scenery.
    pub const UNKNOWN: EntityRole = EntityRole {
        has_game_object: false,
        is_player: false,
        creature: false,
        attackable: false,
        door: false,
        impenetrable: false,
        pk: false,
        pk_lite: false,
        forced_into_cell: false,
        bypasses_restrictions: true,
    };

    /// Whether it is alive, as every player is: it walks and jumps on its own, the camera passes through it, and nothing can
    /// stand on its spheres.
    pub fn is_creature(&self) -> bool {
        self.creature || self.is_player
    }

    /// The flags that a sweep derives from the mover's role. Retail: the queries of `OBJECTINFO::init`. Spec: physics-objects §8.1.
    pub fn mover_flags(&self) -> MoverFlags {
        MoverFlags::IMPENETRABLE.when(self.impenetrable)
            | MoverFlags::PLAYER.when(self.is_player)
            | MoverFlags::PK.when(self.pk)
            | MoverFlags::PK_LITE.when(self.pk_lite)
    }
}

/// An entry of an object in a cell's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shadow {
    /// The cell.
    pub cell: CellId,
    /// The object is in the cell's list; otherwise the cell was not loaded and is remembered by id alone.
    pub(super) joined: bool,
}

impl Shadow {
    /// Whether the object is in the cell's list.
    pub fn is_joined(&self) -> bool {
        self.joined
    }
}

/// Leg motion of an object without a motion table. Retail: the root motion of the current animation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Metres per second in the object's own space (x right, y forward). Moves it while it stands on walkable ground,
    /// and is the velocity it leaves the ground with.
    pub velocity: Vec3,
    /// Radians per second, clockwise seen from above.
    pub turn: f32,
}

/// How an object is carried.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Attachment {
    /// The part that holds it; the object as a whole when there is no such part.
    pub part: usize,
    /// Where it is held, in the holder's space.
    pub frame: Frame,
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
    /// Distance from the part's origin within which all of it that can be hit lies.
    pub(crate) reach: f32,
}

impl Part {
    pub(super) fn new(mesh: &Arc<Mesh>, position: Position, scale: f32) -> Part {
        let extent = mesh.physics_sphere.map_or(0.0, |s| s.center.length() + s.radius);
        // A part without a proper size is never out of reach.
        let reach = if scale > 0.0 { extent * scale } else { f32::INFINITY };
        Part { mesh: mesh.clone(), position, scale, reach }
    }
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
    /// Normal of the surface it slides along; only meaningful while sliding.
    pub sliding_normal: Vec3,
    /// The object that the sweep that began the slide ran into last; `None` when it met only walls, ground and statics.
    pub slid_along: Option<EntityKey>,
    /// Last committed displacement over time.
    pub cached_velocity: Vec3,
    /// Its leg motion, as long as it has no motion table.
    pub motion: Motion,
    /// What makes it move by itself; `None` before something of it is needed.
    pub(crate) actor: Option<Box<Actor>>,
    /// What the game says of it.
    pub role: EntityRole,
    /// The target of a missile.
    pub target: Option<EntityKey>,
    /// Carries it.
    pub parent: Option<EntityKey>,
    pub(super) parts: Vec<Part>,
    pub(super) has_physics_mesh: bool,
    pub(super) shadows: SmallVec<[Shadow; 2]>,
    /// What few objects have.
    pub(super) extras: MaybeExtras,
    pub(super) colliding_with_environment: bool,
    pub(super) velocity_changed: bool,
    /// Time of its last update, as far as it does not sleep.
    pub(crate) last_update: f64,
    /// How many objects came before it.
    pub(super) serial: u64,
    /// A viewer was near it in its last tick.
    pub(super) near_viewer: bool,
    pub(super) sleep: Sleep,
    /// Distance from its vertical axis within which its shapes lie while it is upright.
    pub(super) girth: f32,
}

/// A contact that has been reported.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
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

    /// The object's entries in the lists of cells, in flood order.
    pub fn shadows(&self) -> &[Shadow] {
        &self.shadows
    }

    /// Whether it never moves by itself.
    pub fn is_static(&self) -> bool {
        self.state.contains(State::STATIC)
    }

    /// When it has its turn in a tick.
    pub(super) fn turn(&self) -> Turn {
        Turn::new(self.guid, self.serial)
    }

    /// Whether a viewer was nearer than [`ACTIVE_RANGE`](super::ACTIVE_RANGE) at the object's last update. Near objects are
    /// interpolated to server positions, others jump to them. Spec: entities §2.3.
    pub fn is_near_viewer(&self) -> bool {
        self.near_viewer
    }

    /// Whether a transient bit is set.
    pub fn has(&self, bit: Transient) -> bool {
        self.transient.contains(bit)
    }

    /// Whether it stands on walkable ground.
    pub fn stands(&self) -> bool {
        self.transient.contains(Transient::CONTACT | Transient::ON_WALKABLE)
    }

    /// How long it has not moved, 0…3 ([`Entity::stationary_stage`](crate::Entity::stationary_stage)).
    pub fn stationary_stage(&self) -> u8 {
        [Transient::STATIONARY_3, Transient::STATIONARY_2, Transient::STATIONARY_1]
            .iter()
            .position(|&bit| self.has(bit))
            .map_or(0, |i| 3 - i as u8)
    }

    /// Whether the object's cells are found by the boxes of its parts.
    pub(super) fn floods_by_boxes(&self) -> bool {
        self.state.contains(State::HAS_PHYSICS_BSP)
            || (self.state.contains(State::STATIC) && self.model.cylinders.is_empty())
    }

    /// Whether its parts matter to physics: it collides or is registered by them.
    pub(super) fn keeps_parts(&self) -> bool {
        self.has_physics_mesh || self.floods_by_boxes()
    }

    /// Where a part is in the object's space, as the animation had it when the object was last placed, or else by the model's placement; `None` when the
    /// model has no such part. Not scaled. Spec: motion §6.6.
    pub fn part_frame(&self, part: usize) -> Option<Frame> {
        let placement = self.model.parts.get(part)?.frame;
        let pose = self.actor.as_ref().and_then(|actor| actor.animator.shown_pose());
        Some(pose.and_then(|pose| pose.get(part)).map_or(placement, animated))
    }

    /// Puts the parts where the object's frame and its animation say; emitters leave theirs behind, and parts that the
    /// animation does not know keep their place. Only objects that collide or are registered by their parts keep them,
    /// so that moving anything else costs nothing here. Spec: physics-objects §9.2.
    #[inline]
    pub(crate) fn place_parts(&mut self) {
        if let Some(actor) = self.actor.as_deref_mut() {
            actor.animator.show();
        }
        if self.keeps_parts() {
            self.place_parts_as_shown();
        }
    }

    fn place_parts_as_shown(&mut self) {
        // Lent, as the pose is the actor's.
        let actor = self.actor.take();
        self.place_parts_in(actor.as_ref().and_then(|actor| actor.animator.shown_pose()));
        self.actor = actor;
    }

    /// Puts the parts where a pose says, else where the model's placement says.
    pub(super) fn place_parts_in(&mut self, pose: Option<&[records::Frame]>) {
        let (object, scale) = (&self.position, self.scale);
        let is_new = self.parts.is_empty();
        let placed = self.model.parts.iter().enumerate().filter_map(|(i, part)| {
            let mesh = part.mesh.as_ref()?;
            let stored = pose.map(|pose| pose.get(i));
            if stored == Some(None) && !is_new {
                return Some((mesh, None, part.scale.z * scale));
            }
            let mut inner = stored.flatten().map_or(part.frame, animated);
            inner.origin *= scale;
            Some((mesh, Some(object.frame.compose(&inner)), part.scale.z * scale))
        });
        let at = |frame: Option<Frame>, before: Frame| Position::new(object.cell, frame.unwrap_or(before));
        if self.parts.is_empty() {
            let parts = placed.map(|(mesh, frame, scale)| Part::new(mesh, at(frame, Frame::IDENTITY), scale));
            self.parts.extend(parts);
        } else if !self.state.contains(State::PARTICLE_EMITTER) {
            for (part, (mesh, frame, scale)) in self.parts.iter_mut().zip(placed) {
                let position = at(frame, part.position.frame);
                if part.scale == scale {
                    part.position = position;
                } else {
                    *part = Part::new(mesh, position, scale);
                }
            }
        }
    }

    /// Where something that the object holds is.
    pub(super) fn holds_at(&self, attachment: &Attachment) -> Position {
        let mut frame = self.position.frame;
        if let Some(mut inner) = self.part_frame(attachment.part) {
            inner.origin *= self.scale;
            frame = frame.compose(&inner);
        }
        Position::new(self.position.cell, frame.compose(&attachment.frame))
    }

    /// Distance from its vertical axis within which its shapes lie.
    #[inline]
    pub(super) fn breadth(&self) -> f32 {
        if self.position.frame.is_upright() { self.girth } else { self.bulk() }
    }

    /// The same however it is turned.
    #[cold]
    pub(super) fn bulk(&self) -> f32 {
        self.farthest(Vec3::length)
    }

    /// The same as long as it is upright.
    pub(super) fn compute_girth(&self) -> f32 {
        self.farthest(|p| p.truncate().length())
    }

    /// Distance within which its shapes lie, by the distance of a point.
    fn farthest(&self, distance: impl Fn(Vec3) -> f32) -> f32 {
        let cylinders = self.model.cylinders.iter().map(|c| distance(c.low) + c.radius.abs());
        let spheres = self.model.spheres.iter().map(|s| distance(s.center) + s.radius.abs());
        let parts = self.model.parts.iter().filter_map(|part| {
            let sphere = part.mesh.as_ref()?.physics_sphere?;
            let extent = sphere.center.length() + sphere.radius;
            Some(part.frame.origin.length() + extent * part.scale.max_element())
        });
        cylinders.chain(spheres).chain(parts).fold(0.0, f32::max) * self.scale
    }
}

/// A stored placement of an animation as a frame.
fn animated(stored: &records::Frame) -> Frame {
    Frame::new(Vec3::from(stored.origin), Quat::from(stored.rotation))
}
