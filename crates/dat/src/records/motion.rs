//! Which animations a creature's movements are. Spec: dat-portal §10.

use super::{DatRecord, Vec3};
use crate::codec::{Reader, Result, Wire, Writer, wire_struct};
use crate::{DatId, RecordKind};
#[cfg(feature = "serde")]
use serde::Serialize;

/// Animations by style and movement; keys as stored, in stored order.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct MotionTable {
    /// The style an object starts out in.
    pub default_style: u32,
    /// Style → the substate it starts out in.
    pub style_defaults: Vec<(u32, u32)>,
    /// (style << 16) | (substate & 0xFFFFFF) → what is repeated.
    pub cycles: Vec<(u32, Motion)>,
    /// The same key with a modifier command, or the command alone → what is added.
    pub modifiers: Vec<(u32, Motion)>,
    /// From that state to a command → what is played between.
    pub links: Vec<(u32, Vec<(u32, Motion)>)>,
}

impl DatRecord for MotionTable {
    const KIND: RecordKind = RecordKind::MotionTable;
}

impl Wire for MotionTable {
    const MIN: usize = 20;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let start = r.pos();
        let table = MotionTable {
            default_style: r.read("default style")?,
            style_defaults: r.read("style defaults")?,
            cycles: r.read("cycles")?,
            modifiers: r.read("modifiers")?,
            links: r.read("links")?,
        };
        r.align("padding")?;
        r.note_duplicates("cycle key", start, table.cycles.iter().map(|(key, _)| *key));
        r.note_duplicates("modifier key", start, table.modifiers.iter().map(|(key, _)| *key));
        r.note_duplicates("link key", start, table.links.iter().map(|(key, _)| *key));
        Ok(table)
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        w.write(&self.default_style, "default style")?;
        w.write(&self.style_defaults, "style defaults")?;
        w.write(&self.cycles, "cycles")?;
        w.write(&self.modifiers, "modifiers")?;
        w.write(&self.links, "links")?;
        w.align();
        Ok(())
    }
}

/// Animations played one after the other, with the movement they mean.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Motion {
    /// Bit 0: clears modifiers; bit 1: only from the style's default substate.
    pub bits: u8,
    /// Stored flags; those of velocity and omega follow from the fields when written.
    pub flags: u8,
    /// In order.
    pub animations: Vec<MotionAnimation>,
    /// Metres per second.
    pub velocity: Option<Vec3>,
    /// Radians per second.
    pub omega: Option<Vec3>,
}

impl Motion {
    const HAS_VELOCITY: u8 = 1;
    const HAS_OMEGA: u8 = 2;
}

impl Wire for Motion {
    // The padding after the three bytes depends on where the motion begins.
    const MIN: usize = 3;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let offset = r.pos();
        let [count, bits, flags] = r.chunk("motion counts")?;
        r.align("motion padding")?;
        r.check_count(count.into(), MotionAnimation::MIN as u64, offset, "animation count")?;
        let animations = r.elements(count.into(), |r| r.read("motion animation"))?;
        let velocity = if flags & Self::HAS_VELOCITY != 0 { Some(r.read("velocity")?) } else { None };
        let omega = if flags & Self::HAS_OMEGA != 0 { Some(r.read("omega")?) } else { None };
        Ok(Motion { bits, flags, animations, velocity, omega })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        let mut flags = self.flags & !(Self::HAS_VELOCITY | Self::HAS_OMEGA);
        flags |= if self.velocity.is_some() { Self::HAS_VELOCITY } else { 0 };
        flags |= if self.omega.is_some() { Self::HAS_OMEGA } else { 0 };
        w.count_as::<u8>(self.animations.len(), "animation count")?;
        w.raw(&[self.bits, flags]);
        w.align();
        w.elements(&self.animations, "motion animation")?;
        w.elements(self.velocity.as_slice(), "velocity")?;
        w.elements(self.omega.as_slice(), "omega")
    }
}

wire_struct! {
    /// A run of frames of an animation.
    #[derive(Copy, Default)]
    pub struct MotionAnimation {
        /// Animation.
        pub animation: DatId,
        /// First frame.
        pub low: i32,
        /// Last frame; −1 for the animation's last.
        pub high: i32,
        /// Frames per second; negative backwards.
        pub rate: f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::testing::wire;

    #[test]
    fn a_motion_has_its_documented_bytes() {
        let (key, motion): (u32, Motion) = wire(
            "03 00 3D 00 01 00 01 00 01 00 00 03 00 00 00 00 FF FF FF FF 00 00 F0 41 00 00 00 00 14 AE 47 40
             00 00 00 00",
        );
        assert_eq!(key, 0x003D_0003);
        assert_eq!(motion.velocity, Some([0.0, 3.12, 0.0]));
        assert_eq!(motion.omega, None);
        let animation = MotionAnimation { animation: DatId(0x0300_0001), low: 0, high: -1, rate: 30.0 };
        assert_eq!(motion.animations, [animation]);
    }
}
