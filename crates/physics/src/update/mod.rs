//! A server's updates of objects, as plain data: descriptions, and updates of single aspects.
//!
//! `threshold-wire` makes them from messages, and `threshold-sim` applies them. Objects are named by their
//! game ids. Nothing here has been checked against a world: cells need not exist, numbers need not be finite.
//! Spec: entities §1, §2.

mod appearance;
mod game;
mod movement;
mod stamps;

pub use appearance::{Appearance, ColorRange, PartChange, TextureChange};
pub use game::{GameObject, GuestList, House};
pub use movement::{
    CommandIndex, MoveOrder, MovementOrder, MovementUpdate, OrderKind, OrderedAction, OrderedState,
};
pub use stamps::{Age, Stamps, is_newer};

use crate::flags::State;
use glam::Vec3;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use threshold_dat::DatId;
use threshold_world::Position;

/// A server's update.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Update {
    /// The recipient's own player is the object with this id.
    OwnPlayer(u32),
    /// Creates an object or describes it again.
    Create(Box<ObjectDescription>),
    /// Creates an object, replacing one with the same id.
    CreateAnew(Box<ObjectDescription>),
    /// An object is gone.
    Delete {
        /// The object.
        guid: u32,
        /// Its life.
        instance: u16,
    },
    /// An object is somewhere.
    Position(PositionUpdate),
    /// An object moves.
    Movement(Box<MovementUpdate>),
    /// An object has another state.
    State(StateUpdate),
    /// An object has another velocity.
    Vector(VectorUpdate),
    /// An object is held by another one.
    Parent(ParentUpdate),
    /// An object leaves the world, into a container.
    Pickup(PickupUpdate),
    /// An object looks different.
    Appearance(Box<AppearanceUpdate>),
    /// An object plays a script.
    Script(ScriptUpdate),
    /// An object makes a noise.
    Sound(SoundUpdate),
    /// The own player is about to be teleported; the number is that of the position which will follow.
    Teleport(u16),
}

impl Update {
    /// The object that it is about; for a parent update, the held object.
    pub fn guid(&self) -> Option<u32> {
        Some(match self {
            Update::OwnPlayer(guid) | Update::Delete { guid, .. } => *guid,
            Update::Create(object) | Update::CreateAnew(object) => object.guid,
            Update::Position(update) => update.guid,
            Update::Movement(update) => update.guid,
            Update::State(update) => update.guid,
            Update::Vector(update) => update.guid,
            Update::Parent(update) => update.child,
            Update::Pickup(update) => update.guid,
            Update::Appearance(update) => update.guid,
            Update::Script(update) => update.guid,
            Update::Sound(update) => update.guid,
            Update::Teleport(_) => return None,
        })
    }
}

/// A full description of an object. Absent fields have the original's defaults. Spec: entities §1.2.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct ObjectDescription {
    /// Its game id.
    pub guid: u32,
    /// What the game says of it.
    pub game: GameObject,
    /// Differences from its setup in appearance and parts.
    pub appearance: Appearance,
    /// State word; unknown bits are ignored.
    pub state: u32,
    /// Its initial pose.
    pub pose: Pose,
    /// Its position; absent if it is in a container.
    pub position: Option<Position>,
    /// Its shapes.
    pub setup: Option<DatId>,
    /// Record with its motions.
    pub motion_table: Option<DatId>,
    /// Record with its sounds.
    pub sound_table: Option<DatId>,
    /// Record with its scripts.
    pub script_table: Option<DatId>,
    /// Its holder; if present, its position is ignored.
    pub parent: Option<Hold>,
    /// Objects that it holds.
    pub children: Vec<Hold>,
    /// Size.
    pub scale: f32,
    /// Slowing on the ground.
    pub friction: f32,
    /// Bounce.
    pub elasticity: f32,
    /// 0 opaque to 1 invisible.
    pub translucency: f32,
    /// Metres per second.
    pub velocity: Vec3,
    /// Radians per second.
    pub omega: Vec3,
    /// Type of the script that it plays by itself; 0 for none.
    pub default_script: u32,
    /// Its intensity.
    pub default_script_intensity: f32,
    /// Current sequence numbers of its aspects.
    pub stamps: Stamps,
}

impl Default for ObjectDescription {
    fn default() -> Self {
        ObjectDescription {
            guid: 0,
            game: GameObject::default(),
            appearance: Appearance::default(),
            state: State::empty().bits(),
            pose: Pose::default(),
            position: None,
            setup: None,
            motion_table: None,
            sound_table: None,
            script_table: None,
            parent: None,
            children: Vec::new(),
            scale: 1.0,
            friction: 0.95,
            elasticity: 0.05,
            translucency: 0.0,
            velocity: Vec3::ZERO,
            omega: Vec3::ZERO,
            default_script: 0,
            default_script_intensity: 0.0,
            stamps: Stamps::default(),
        }
    }
}

/// The initial pose of an object.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Pose {
    /// A placement frame of its setup.
    Placed(u32),
    /// It moves.
    Moving {
        /// How.
        order: Box<MovementOrder>,
        /// Its own player decided it.
        autonomous: bool,
    },
}

impl Default for Pose {
    fn default() -> Self {
        Pose::Placed(0)
    }
}

/// One object in the hand of another, or at some other place of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Hold {
    /// The other one.
    pub guid: u32,
    /// Which place of the holder's setup.
    pub location: u32,
}

/// An object is somewhere. Spec: entities §2.2.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct PositionUpdate {
    /// The object.
    pub guid: u32,
    /// Where.
    pub position: Position,
    /// It touches ground.
    pub contact: bool,
    /// Placement frame, for objects without an animation.
    pub placement: u32,
    /// Its life.
    pub instance: u16,
    /// Which of its positions.
    pub position_stamp: u16,
    /// Which of its teleports it belongs to.
    pub teleport: u16,
    /// Which of the positions that a player must take.
    pub force_position: u16,
}

/// An object has another state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct StateUpdate {
    /// The object.
    pub guid: u32,
    /// State word; unknown bits are ignored.
    pub state: u32,
    /// Its life.
    pub instance: u16,
    /// Which of its states.
    pub state_stamp: u16,
}

/// An object has another velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct VectorUpdate {
    /// The object.
    pub guid: u32,
    /// Metres per second.
    pub velocity: Vec3,
    /// Radians per second.
    pub omega: Vec3,
    /// Its life.
    pub instance: u16,
    /// Which of its velocities.
    pub vector: u16,
}

/// Another object now holds this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct ParentUpdate {
    /// Its holder.
    pub parent: u32,
    /// The object.
    pub child: u32,
    /// Which place of the holder's setup.
    pub location: u32,
    /// Its placement frame.
    pub placement: u32,
    /// Life of the holder.
    pub parent_instance: u16,
    /// Which of the object's positions.
    pub position_stamp: u16,
}

/// An object leaves the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct PickupUpdate {
    /// The object.
    pub guid: u32,
    /// Its life.
    pub instance: u16,
    /// Which of its positions.
    pub position_stamp: u16,
}

/// An object looks different.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct AppearanceUpdate {
    /// The object.
    pub guid: u32,
    /// Differences from its setup.
    pub appearance: Appearance,
    /// Its life.
    pub instance: u16,
    /// Which of its appearances.
    pub appearance_stamp: u16,
}

/// An object plays a script.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct ScriptUpdate {
    /// The object.
    pub guid: u32,
    /// Which one.
    pub script: ScriptChoice,
}

/// Which script is played.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum ScriptChoice {
    /// A record.
    Id(DatId),
    /// One that the object's script table has for a type and an intensity.
    Type(u32, f32),
}

/// An object makes a noise.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct SoundUpdate {
    /// The object.
    pub guid: u32,
    /// Which one of its sounds.
    pub sound: u32,
    /// How loud.
    pub volume: f32,
}
