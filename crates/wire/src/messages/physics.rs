//! The physical side of an object's description. Spec: wire §8.3.

use super::{Movement, Position, flag};
use crate::{
    Guid,
    codec::{Codec, Layout, Result, layout_struct},
};
use threshold_dat::DatId;

/// The initial physics state of an object. Retail: `PhysicsDesc::UnPack`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PhysicsDescription {
    /// Bits of the object's physics state.
    pub state: u32,
    /// Its motion or its pose.
    pub pose: Pose,
    /// Where it is; absent in containers.
    pub position: Option<Position>,
    /// Record with its motions.
    pub motion_table: Option<DatId>,
    /// Record with its sounds.
    pub sound_table: Option<DatId>,
    /// Record with its scripts.
    pub script_table: Option<DatId>,
    /// Its parts.
    pub setup: Option<DatId>,
    /// Its parent; if present, its position is ignored.
    pub parent: Option<Attachment>,
    /// Its children.
    pub children: Option<Vec<Attachment>>,
    /// Factor of its size.
    pub scale: Option<f32>,
    /// Friction on the ground.
    pub friction: Option<f32>,
    /// Its elasticity.
    pub elasticity: Option<f32>,
    /// 0 opaque to 1 invisible.
    pub translucency: Option<f32>,
    /// Metres per second.
    pub velocity: Option<[f32; 3]>,
    /// Metres per second squared.
    pub acceleration: Option<[f32; 3]>,
    /// Rotation, radians per second.
    pub omega: Option<[f32; 3]>,
    /// Script type that is played at first.
    pub default_script: Option<u32>,
    /// Its intensity.
    pub default_script_intensity: Option<f32>,
    /// Where the sequence numbers of the object's aspects start.
    pub stamps: ObjectStamps,
}

/// The initial pose of an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Pose {
    /// Not given.
    #[default]
    Unsaid,
    /// It moves; the movement may be empty. The bool tells whether its own client moves it.
    Moving(Option<(Movement, bool)>),
    /// An animation frame.
    Placed(u32),
}

layout_struct! {
    /// One object hanging on another.
    pub struct Attachment {
        /// The other one.
        pub guid: Guid,
        /// Where on the parent.
        pub location: u32,
    }

    /// Sequence numbers of all aspects of an object.
    pub struct ObjectStamps {
        /// Of its positions.
        pub position: u16,
        /// Of its movements.
        pub movement: u16,
        /// Of its states.
        pub state: u16,
        /// Of its velocities.
        pub vector: u16,
        /// Of its teleports.
        pub teleport: u16,
        /// Of the server's control over it.
        pub server_control: u16,
        /// Of positions that it must take.
        pub force_position: u16,
        /// Of its appearances.
        pub appearance: u16,
        /// Of its life.
        pub instance: u16,
    }
}

const MOVEMENT: u32 = 0x1_0000;
const PLACEMENT: u32 = 0x2_0000;

impl PhysicsDescription {
    fn flags(&self) -> u32 {
        let pose = match &self.pose {
            Pose::Unsaid => 0,
            Pose::Moving(_) => MOVEMENT,
            Pose::Placed(_) => PLACEMENT,
        };
        pose | flag(&self.position, 0x8000)
            | flag(&self.motion_table, 0x2)
            | flag(&self.sound_table, 0x800)
            | flag(&self.script_table, 0x1000)
            | flag(&self.setup, 0x1)
            | flag(&self.parent, 0x20)
            | flag(&self.children, 0x40)
            | flag(&self.scale, 0x80)
            | flag(&self.friction, 0x100)
            | flag(&self.elasticity, 0x200)
            | flag(&self.translucency, 0x4_0000)
            | flag(&self.velocity, 0x4)
            | flag(&self.acceleration, 0x8)
            | flag(&self.omega, 0x10)
            | flag(&self.default_script, 0x2000)
            | flag(&self.default_script_intensity, 0x4000)
    }
}

impl Pose {
    fn layout<C: Codec>(&mut self, c: &mut C, flags: u32) -> Result<()> {
        if flags & MOVEMENT != 0 {
            let (mut movement, mut autonomous) = match std::mem::take(self) {
                Pose::Moving(Some((movement, autonomous))) => (Some(movement), autonomous),
                _ => (None, false),
            };
            c.buffer(&mut movement, "movement")?;
            if movement.is_some() {
                c.truth::<4>(&mut autonomous, "autonomous")?;
            }
            *self = Pose::Moving(movement.map(|movement| (movement, autonomous)));
        } else if flags & PLACEMENT != 0 {
            let mut placement = if let Pose::Placed(placement) = self { *placement } else { 0 };
            c.value(&mut placement, "placement")?;
            *self = Pose::Placed(placement);
        }
        Ok(())
    }
}

impl Layout for PhysicsDescription {
    const MIN: usize = 8 + ObjectStamps::MIN;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        let flags = c.word::<4>(self.flags(), "physics flags")?;
        c.value(&mut self.state, "state")?;
        self.pose.layout(c, flags.sent)?;
        c.optional(flags.has(0x8000), &mut self.position, "position")?;
        c.optional(flags.has(0x2), &mut self.motion_table, "motion_table")?;
        c.optional(flags.has(0x800), &mut self.sound_table, "sound_table")?;
        c.optional(flags.has(0x1000), &mut self.script_table, "script_table")?;
        c.optional(flags.has(0x1), &mut self.setup, "setup")?;
        c.optional(flags.has(0x20), &mut self.parent, "parent")?;
        c.optional_with(flags.has(0x40), &mut self.children, |c, children| {
            let count = c.count::<4>(children.len(), "children")?;
            c.elements(count, children, "children")
        })?;
        c.optional(flags.has(0x80), &mut self.scale, "scale")?;
        c.optional(flags.has(0x100), &mut self.friction, "friction")?;
        c.optional(flags.has(0x200), &mut self.elasticity, "elasticity")?;
        c.optional(flags.has(0x4_0000), &mut self.translucency, "translucency")?;
        c.optional(flags.has(0x4), &mut self.velocity, "velocity")?;
        c.optional(flags.has(0x8), &mut self.acceleration, "acceleration")?;
        c.optional(flags.has(0x10), &mut self.omega, "omega")?;
        c.optional(flags.has(0x2000), &mut self.default_script, "default_script")?;
        c.optional(flags.has(0x4000), &mut self.default_script_intensity, "default_script_intensity")?;
        c.value(&mut self.stamps, "stamps")?;
        c.settle(flags, self.flags());
        c.align();
        Ok(())
    }
}
