//! Object messages of the server. Spec: wire §5, §8.1.

use super::{Appearance, Movement, PackedPosition, PhysicsDescription, WeenieDescription};
use crate::{
    Guid,
    codec::{Codec, Layout, Result, layout_struct},
};

layout_struct! {
    /// A full description of an object, new or known.
    pub struct ObjectDescription {
        /// The object.
        pub guid: Guid,
        /// Its appearance.
        pub appearance: Appearance,
        /// Its physics.
        pub physics: PhysicsDescription,
        /// Its public game properties.
        pub weenie: WeenieDescription,
    }

    /// An object changes its clothes.
    pub struct AppearanceChange {
        /// The object.
        pub guid: Guid,
        /// Its new appearance.
        pub appearance: Appearance,
        /// Sequence number of its life.
        pub instance: u16,
        /// Sequence number of its appearances.
        pub appearance_stamp: u16,
    }

    /// The recipient's own character.
    pub struct PlayerCreated {
        /// The object that is it.
        pub guid: Guid,
    }

    /// An object is somewhere.
    pub struct PositionUpdate {
        /// The object.
        pub guid: Guid,
        /// Where.
        pub position: PackedPosition,
    }

    /// An object was attached to another one.
    pub struct Parented {
        /// Its parent.
        pub parent: Guid,
        /// The object.
        pub child: Guid,
        /// Where on the parent.
        pub location: u32,
        /// Animation frame of the object.
        pub placement: u32,
        /// Sequence number of the parent's life.
        pub parent_instance: u16,
        /// Sequence number of the object's positions.
        pub position: u16,
    }

    /// An object was put into a container.
    pub struct PickedUp {
        /// The object.
        pub guid: Guid,
        /// Sequence number of its life.
        pub instance: u16,
        /// Sequence number of its positions.
        pub position: u16,
    }

    /// The physics state of an object.
    pub struct StateChange {
        /// The object.
        pub guid: Guid,
        /// Its bits.
        pub state: u32,
        /// Sequence number of its life.
        pub instance: u16,
        /// Sequence number of its states.
        pub state_stamp: u16,
    }

    /// The velocity of an object.
    pub struct VectorUpdate {
        /// The object.
        pub guid: Guid,
        /// Metres per second.
        pub velocity: [f32; 3],
        /// Rotation, radians per second.
        pub omega: [f32; 3],
        /// Sequence number of its life.
        pub instance: u16,
        /// Sequence number of its velocities.
        pub vector: u16,
    }

    /// An object makes a noise.
    pub struct Sound {
        /// The object.
        pub guid: Guid,
        /// Which one of its sounds.
        pub sound: u32,
        /// How loud.
        pub volume: f32,
    }

    /// An object plays a script, named by its record.
    pub struct ScriptById {
        /// The object.
        pub guid: Guid,
        /// The record.
        pub script: u32,
    }

    /// An object plays a script, named by its type.
    pub struct ScriptByType {
        /// The object.
        pub guid: Guid,
        /// Looked up in the object's script table.
        pub script_type: u32,
        /// How strongly.
        pub intensity: f32,
    }
}

/// An object is gone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deleted {
    /// The object.
    pub guid: Guid,
    /// Sequence number of its life.
    pub instance: u16,
}

impl Layout for Deleted {
    const MIN: usize = 6;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        c.value(&mut self.guid, "guid")?;
        c.value(&mut self.instance, "instance")?;
        c.align();
        Ok(())
    }
}

/// The recipient's character is teleported.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Teleport {
    /// Sequence number of its teleports.
    pub teleport: u16,
}

impl Layout for Teleport {
    const MIN: usize = 2;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        c.value(&mut self.teleport, "teleport")?;
        c.align();
        Ok(())
    }
}

/// A movement and whether the object's own client decided it: the end of both messages that carry one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Sequence number of the object's movements.
    pub movement_stamp: u16,
    /// Sequence number of the server's control over it.
    pub server_control: u16,
    /// Its own client moves it.
    pub autonomous: bool,
    /// How it moves.
    pub movement: Movement,
}

impl Layout for Motion {
    const MIN: usize = 5 + Movement::MIN;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        c.value(&mut self.movement_stamp, "movement")?;
        c.value(&mut self.server_control, "server_control")?;
        c.truth::<1>(&mut self.autonomous, "autonomous")?;
        c.align();
        c.value(&mut self.movement, "movement")
    }
}

layout_struct! {
    /// An object moves.
    pub struct MotionUpdate {
        /// The object.
        pub guid: Guid,
        /// Sequence number of its life.
        pub instance: u16,
        /// How it moves.
        pub motion: Motion,
    }

    /// An object is somewhere, and moves.
    pub struct PositionAndMotion {
        /// The object.
        pub guid: Guid,
        /// Where it is.
        pub position: PackedPosition,
        /// How it moves.
        pub motion: Motion,
    }
}
