//! Motion messages of the server. Spec: wire §7.

use super::{Origin, flag};
use crate::{
    Guid,
    codec::{Codec, Layout, Result, layout_struct},
    error::Reason,
};

/// How an object is to move. Retail: `MovementManager::unpack_movement`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Movement {
    /// Low half of the style's motion id.
    pub style: u16,
    /// Byte of options; has a meaning only with [`MovementKind::Interpreted`].
    pub options: u8,
    /// The kind of movement.
    pub kind: MovementKind,
}

/// The five types of movement that are sent.
#[derive(Clone, Debug, PartialEq)]
pub enum MovementKind {
    /// The state of its motions, and the object it sticks to.
    Interpreted(InterpretedState, Option<Guid>),
    /// Towards an object.
    MoveToObject(Guid, MoveTo),
    /// Towards a point.
    MoveToPosition(MoveTo),
    /// To face an object, with the heading of that object.
    TurnToObject(Guid, f32, TurnTo),
    /// To a heading.
    TurnToHeading(TurnTo),
}

impl Default for MovementKind {
    fn default() -> Self {
        MovementKind::Interpreted(InterpretedState::default(), None)
    }
}

impl MovementKind {
    fn number(&self) -> u8 {
        match self {
            MovementKind::Interpreted(..) => 0,
            MovementKind::MoveToObject(..) => 6,
            MovementKind::MoveToPosition(_) => 7,
            MovementKind::TurnToObject(..) => 8,
            MovementKind::TurnToHeading(_) => 9,
        }
    }

    /// The type with this number, to be filled in.
    fn of(number: u8) -> Option<MovementKind> {
        Some(match number {
            0 => MovementKind::default(),
            6 => MovementKind::MoveToObject(Guid::default(), MoveTo::default()),
            7 => MovementKind::MoveToPosition(MoveTo::default()),
            8 => MovementKind::TurnToObject(Guid::default(), 0.0, TurnTo::default()),
            9 => MovementKind::TurnToHeading(TurnTo::default()),
            _ => return None,
        })
    }
}

impl Movement {
    /// Option of [`MovementKind::Interpreted`]: an object to stick to follows.
    const STICKY: u8 = 0x1;
    const LONG_JUMP: u8 = 0x2;

    /// A standing long jump.
    pub fn is_long_jump(&self) -> bool {
        matches!(self.kind, MovementKind::Interpreted(..)) && self.options & Self::LONG_JUMP != 0
    }
}

impl Layout for Movement {
    const MIN: usize = 4;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        let mut number = self.kind.number();
        c.value(&mut number, "movement type")?;
        if number != self.kind.number() {
            self.kind = MovementKind::of(number).ok_or_else(|| c.fault(Reason::Value, "movement type"))?;
        }
        if let MovementKind::Interpreted(_, sticky) = &self.kind {
            self.options = self.options & !Self::STICKY | flag(sticky, Self::STICKY.into()) as u8;
        }
        c.value(&mut self.options, "options")?;
        c.value(&mut self.style, "style")?;
        match &mut self.kind {
            MovementKind::Interpreted(state, sticky) => {
                c.value(state, "state")?;
                c.optional(self.options & Self::STICKY != 0, sticky, "sticky")
            }
            MovementKind::MoveToObject(target, to) => {
                c.value(target, "target")?;
                c.value(to, "move")
            }
            MovementKind::MoveToPosition(to) => c.value(to, "move"),
            MovementKind::TurnToObject(target, heading, to) => {
                c.value(target, "target")?;
                c.value(heading, "target_heading")?;
                c.value(to, "turn")
            }
            MovementKind::TurnToHeading(to) => c.value(to, "turn"),
        }
    }
}

layout_struct! {
    /// Where to walk, and how.
    pub struct MoveTo {
        /// The point, or where the object was.
        pub to: Origin,
        /// Bits of the original's `MovementParameters`.
        pub parameters: u32,
        /// Distance to the object at which it ends.
        pub distance: f32,
        /// Nearest that it comes.
        pub min_distance: f32,
        /// Distance after which it gives up.
        pub fail_distance: f32,
        /// Factor of the speed.
        pub speed: f32,
        /// From this distance on it runs.
        pub walk_run_threshold: f32,
        /// Degrees clockwise from north to face at the end.
        pub heading: f32,
        /// Factor of running.
        pub run_rate: f32,
    }

    /// Where to turn, and how.
    pub struct TurnTo {
        /// Bits of the original's `MovementParameters`.
        pub parameters: u32,
        /// Factor of the speed.
        pub speed: f32,
        /// Degrees clockwise from north.
        pub heading: f32,
    }
}

/// The motions of an object. Absent ones are at rest. Retail: `InterpretedMotionState::UnPack`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InterpretedState {
    /// Low half of the style's motion id.
    pub current_style: Option<u16>,
    /// Low half of a motion id.
    pub forward: Option<u16>,
    /// Low half of a motion id.
    pub sidestep: Option<u16>,
    /// Low half of a motion id.
    pub turn: Option<u16>,
    /// Factor of the forward speed.
    pub forward_speed: Option<f32>,
    /// Factor of the sidestep speed.
    pub sidestep_speed: Option<f32>,
    /// Factor of the turn speed.
    pub turn_speed: Option<f32>,
    /// Motions that are played once; at most 31.
    pub actions: Vec<Action>,
}

impl InterpretedState {
    const ACTIONS: u32 = 0x1F;

    fn flags(&self) -> u32 {
        flag(&self.current_style, 0x1)
            | flag(&self.forward, 0x2)
            | flag(&self.forward_speed, 0x4)
            | flag(&self.sidestep, 0x8)
            | flag(&self.sidestep_speed, 0x10)
            | flag(&self.turn, 0x20)
            | flag(&self.turn_speed, 0x40)
            | (self.actions.len() as u32 & Self::ACTIONS) << 7
    }
}

impl Layout for InterpretedState {
    const MIN: usize = 4;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        if self.actions.len() > Self::ACTIONS as usize {
            return Err(c.fault(Reason::Count, "actions"));
        }
        let flags = c.word::<4>(self.flags(), "flags")?;
        c.optional(flags.has(0x1), &mut self.current_style, "current_style")?;
        c.optional(flags.has(0x2), &mut self.forward, "forward")?;
        c.optional(flags.has(0x8), &mut self.sidestep, "sidestep")?;
        c.optional(flags.has(0x20), &mut self.turn, "turn")?;
        c.optional(flags.has(0x4), &mut self.forward_speed, "forward_speed")?;
        c.optional(flags.has(0x10), &mut self.sidestep_speed, "sidestep_speed")?;
        c.optional(flags.has(0x40), &mut self.turn_speed, "turn_speed")?;
        c.elements((flags.sent >> 7 & Self::ACTIONS) as usize, &mut self.actions, "actions")?;
        c.settle(flags, self.flags());
        c.align();
        Ok(())
    }
}

/// A motion that is played once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Action {
    /// Low half of a motion id.
    pub command: u16,
    /// Number of the action, 15 bits.
    pub sequence: u16,
    /// The client began it by itself.
    pub autonomous: bool,
    /// Factor of the speed.
    pub speed: f32,
}

impl Layout for Action {
    const MIN: usize = 8;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        c.value(&mut self.command, "action command")?;
        if self.sequence > 0x7FFF {
            return Err(c.fault(Reason::Value, "action sequence"));
        }
        let mut packed = self.sequence | if self.autonomous { 0x8000 } else { 0 };
        c.value(&mut packed, "action sequence")?;
        (self.sequence, self.autonomous) = (packed & 0x7FFF, packed & 0x8000 != 0);
        c.value(&mut self.speed, "action speed")
    }
}
