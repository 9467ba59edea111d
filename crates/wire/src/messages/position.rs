//! Places as messages carry them. Spec: wire §1, §6.

use crate::codec::{Codec, Layout, Result, layout_struct};
use threshold_world::CellId;

layout_struct! {
    /// A point in the coordinates of a cell's block.
    pub struct Origin {
        /// The cell; it need not exist.
        pub cell: CellId,
        /// Metres from the block's south-west corner.
        pub origin: [f32; 3],
    }

    /// A point and an orientation.
    pub struct Position {
        /// The cell; it need not exist.
        pub cell: CellId,
        /// Metres from the block's south-west corner.
        pub origin: [f32; 3],
        /// w, x, y, z; need not have unit length.
        pub rotation: [f32; 4],
    }

    /// Sequence numbers that come with a position of the server.
    pub struct PositionStamps {
        /// Of the object's life.
        pub instance: u16,
        /// Of its positions.
        pub position: u16,
        /// Of its teleports.
        pub teleport: u16,
        /// Of positions that it must take.
        pub force_position: u16,
    }
}

impl From<&Position> for threshold_world::Position {
    /// The place as the engine has it: a rotation that is not unit is brought to unit length.
    fn from(sent: &Position) -> Self {
        let frame = threshold_world::Frame::new(sent.origin.into(), sent.rotation.into());
        threshold_world::Position::new(sent.cell, frame)
    }
}

/// An object's position, from the server. Retail: `PositionPack`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PackedPosition {
    /// The place. Parts of the rotation that are zero are not sent.
    pub position: Position,
    /// Metres per second.
    pub velocity: Option<[f32; 3]>,
    /// Animation frame.
    pub placement: Option<u32>,
    /// Contact with walkable ground.
    pub contact: bool,
    /// Which position of the object it is.
    pub stamps: PositionStamps,
}

impl PackedPosition {
    const VELOCITY: u32 = 0x1;
    const PLACEMENT: u32 = 0x2;
    const CONTACT: u32 = 0x4;
    /// Set when w, x, y or z is absent.
    const NO_ROTATION: [u32; 4] = [0x8, 0x10, 0x20, 0x40];

    fn flags(&self) -> u32 {
        let mut flags = if self.velocity.is_some() { Self::VELOCITY } else { 0 };
        flags |= if self.placement.is_some() { Self::PLACEMENT } else { 0 };
        flags |= if self.contact { Self::CONTACT } else { 0 };
        // Zero to the bit: what is absent is read as 0, not as −0.
        let absent =
            self.position.rotation.iter().zip(Self::NO_ROTATION).filter(|(part, _)| part.to_bits() == 0);
        absent.fold(flags, |flags, (_, bit)| flags | bit)
    }
}

impl Layout for PackedPosition {
    const MIN: usize = 4 + Origin::MIN + PositionStamps::MIN;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        let flags = c.word::<4>(self.flags(), "flags")?;
        c.value(&mut self.position.cell, "cell")?;
        c.value(&mut self.position.origin, "origin")?;
        for (part, absent) in self.position.rotation.iter_mut().zip(Self::NO_ROTATION) {
            if !flags.has(absent) {
                c.value(part, "rotation")?;
            }
        }
        c.optional(flags.has(Self::VELOCITY), &mut self.velocity, "velocity")?;
        c.optional(flags.has(Self::PLACEMENT), &mut self.placement, "placement")?;
        self.contact = flags.has(Self::CONTACT);
        c.value(&mut self.stamps, "stamps")?;
        c.settle(flags, self.flags());
        Ok(())
    }
}
