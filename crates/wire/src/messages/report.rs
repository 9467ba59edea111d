//! A client's reports about its own movement. Spec: wire §9.

use super::{Action, Position, flag};
use crate::{
    codec::{Codec, Layout, Result, layout_struct},
    error::Reason,
};

layout_struct! {
    /// Sequence numbers that come with the client's reports.
    pub struct ReportStamps {
        /// Of the character's life.
        pub instance: u16,
        /// Of the server's control over it.
        pub server_control: u16,
        /// Of its teleports.
        pub teleport: u16,
        /// Of positions that it had to take.
        pub force_position: u16,
    }

    /// A jump of which only the strength is sent.
    pub struct PlainJump {
        /// 0 to 1.
        pub extent: f32,
    }

    /// A motion begins.
    pub struct MovementCommand {
        /// The whole motion id.
        pub command: u32,
        /// Factor of the speed.
        pub speed: f32,
        /// 0 invalid, 1 none, 2 run.
        pub hold_key: u32,
    }

    /// A motion ends.
    pub struct StopCommand {
        /// The whole motion id.
        pub command: u32,
        /// 0 invalid, 1 none, 2 run.
        pub hold_key: u32,
    }

    /// Whether server or client moves the character.
    pub struct AutonomyLevel {
        /// 2: the client itself.
        pub level: u32,
    }
}

/// The keys change the motion. Retail: `CommandInterpreter::SendMovementEvent`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveToState {
    /// State of the keys.
    pub motion: RawState,
    /// Where that was.
    pub position: Position,
    /// Sequence numbers.
    pub stamps: ReportStamps,
    /// Contact with walkable ground.
    pub contact: bool,
    /// A standing long jump.
    pub long_jump: bool,
}

impl MoveToState {
    fn bits(&self) -> u32 {
        u32::from(self.contact) | u32::from(self.long_jump) << 1
    }
}

impl Layout for MoveToState {
    const MIN: usize = RawState::MIN + Position::MIN + ReportStamps::MIN + 1;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        c.value(&mut self.motion, "motion")?;
        c.value(&mut self.position, "position")?;
        c.value(&mut self.stamps, "stamps")?;
        let word = c.word::<1>(self.bits(), "contact")?;
        (self.contact, self.long_jump) = (word.has(0x1), word.has(0x2));
        c.settle(word, self.bits());
        c.align();
        Ok(())
    }
}

/// Where the client's own physics has put its character. Retail: `CommandInterpreter::SendPositionEvent`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AutonomousPosition {
    /// Where.
    pub position: Position,
    /// Sequence numbers.
    pub stamps: ReportStamps,
    /// Contact with walkable ground.
    pub contact: bool,
}

impl Layout for AutonomousPosition {
    const MIN: usize = Position::MIN + ReportStamps::MIN + 1;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        c.value(&mut self.position, "position")?;
        c.value(&mut self.stamps, "stamps")?;
        c.truth::<1>(&mut self.contact, "contact")?;
        c.align();
        Ok(())
    }
}

/// A jump.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jump {
    /// 0 to 1.
    pub extent: f32,
    /// Metres per second, in the character's own frame.
    pub velocity: [f32; 3],
    /// From where; some clients do not send it.
    pub position: Option<Position>,
    /// Sequence numbers.
    pub stamps: ReportStamps,
}

impl Layout for Jump {
    const MIN: usize = 16 + ReportStamps::MIN;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        c.value(&mut self.extent, "extent")?;
        c.value(&mut self.velocity, "velocity")?;
        let fits = c.remaining().is_some_and(|bytes| bytes >= Position::MIN + ReportStamps::MIN);
        c.optional(fits, &mut self.position, "position")?;
        c.value(&mut self.stamps, "stamps")
    }
}

/// State of the keys; absent fields have their value without keys. Retail: `RawMotionState::UnPack`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawState {
    /// 0 invalid, 1 none, 2 run.
    pub hold_key: Option<u32>,
    /// The whole motion id of the style.
    pub style: Option<u32>,
    /// A whole motion id.
    pub forward: Option<u32>,
    /// The hold key of that motion.
    pub forward_hold_key: Option<u32>,
    /// Factor of the speed.
    pub forward_speed: Option<f32>,
    /// A whole motion id.
    pub sidestep: Option<u32>,
    /// The hold key of that motion.
    pub sidestep_hold_key: Option<u32>,
    /// Factor of the speed.
    pub sidestep_speed: Option<f32>,
    /// A whole motion id.
    pub turn: Option<u32>,
    /// The hold key of that motion.
    pub turn_hold_key: Option<u32>,
    /// Factor of the speed.
    pub turn_speed: Option<f32>,
    /// Motions that are played once; at most 31.
    pub actions: Vec<Action>,
}

impl RawState {
    const ACTIONS: u32 = 0x1F;

    fn flags(&self) -> u32 {
        flag(&self.hold_key, 0x1)
            | flag(&self.style, 0x2)
            | flag(&self.forward, 0x4)
            | flag(&self.forward_hold_key, 0x8)
            | flag(&self.forward_speed, 0x10)
            | flag(&self.sidestep, 0x20)
            | flag(&self.sidestep_hold_key, 0x40)
            | flag(&self.sidestep_speed, 0x80)
            | flag(&self.turn, 0x100)
            | flag(&self.turn_hold_key, 0x200)
            | flag(&self.turn_speed, 0x400)
            | (self.actions.len() as u32 & Self::ACTIONS) << 11
    }
}

impl Layout for RawState {
    const MIN: usize = 4;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        if self.actions.len() > Self::ACTIONS as usize {
            return Err(c.fault(Reason::Count, "actions"));
        }
        let flags = c.word::<4>(self.flags(), "flags")?;
        c.optional(flags.has(0x1), &mut self.hold_key, "hold_key")?;
        c.optional(flags.has(0x2), &mut self.style, "style")?;
        c.optional(flags.has(0x4), &mut self.forward, "forward")?;
        c.optional(flags.has(0x8), &mut self.forward_hold_key, "forward_hold_key")?;
        c.optional(flags.has(0x10), &mut self.forward_speed, "forward_speed")?;
        c.optional(flags.has(0x20), &mut self.sidestep, "sidestep")?;
        c.optional(flags.has(0x40), &mut self.sidestep_hold_key, "sidestep_hold_key")?;
        c.optional(flags.has(0x80), &mut self.sidestep_speed, "sidestep_speed")?;
        c.optional(flags.has(0x100), &mut self.turn, "turn")?;
        c.optional(flags.has(0x200), &mut self.turn_hold_key, "turn_hold_key")?;
        c.optional(flags.has(0x400), &mut self.turn_speed, "turn_speed")?;
        c.elements((flags.sent >> 11 & Self::ACTIONS) as usize, &mut self.actions, "actions")?;
        c.settle(flags, self.flags());
        Ok(())
    }
}
