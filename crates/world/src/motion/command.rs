//! Motion commands. Spec: motion §1.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::fmt;

/// Number of commands that have an index on the wire.
pub const WIRE_COMMANDS: u16 = 408;

/// A style, a substate, a modifier or an action; some are several of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Command(pub u32);

impl Command {
    /// No command.
    pub const NONE: Command = Command(0);
    /// Standing, ready for anything.
    pub const READY: Command = Command(0x4100_0003);
    /// Walking forward.
    pub const WALK_FORWARD: Command = Command(0x4500_0005);
    /// Walking backwards.
    pub const WALK_BACKWARDS: Command = Command(0x4500_0006);
    /// Running forward.
    pub const RUN_FORWARD: Command = Command(0x4400_0007);
    /// Lying on the ground.
    pub const FALLEN: Command = Command(0x4000_0008);
    /// An open door.
    pub const ON: Command = Command(0x4000_000B);
    /// A closed door.
    pub const OFF: Command = Command(0x4000_000C);
    /// Turning clockwise.
    pub const TURN_RIGHT: Command = Command(0x6500_000D);
    /// Turning counter-clockwise.
    pub const TURN_LEFT: Command = Command(0x6500_000E);
    /// Stepping to the right.
    pub const SIDE_STEP_RIGHT: Command = Command(0x6500_000F);
    /// Stepping to the left.
    pub const SIDE_STEP_LEFT: Command = Command(0x6500_0010);
    /// Dead.
    pub const DEAD: Command = Command(0x4000_0011);
    /// Crouching.
    pub const CROUCH: Command = Command(0x4100_0012);
    /// Sitting.
    pub const SITTING: Command = Command(0x4100_0013);
    /// Sleeping.
    pub const SLEEPING: Command = Command(0x4100_0014);
    /// In the air.
    pub const FALLING: Command = Command(0x4000_0015);
    /// The style of unarmed combat.
    pub const HAND_COMBAT: Command = Command(0x8000_003C);
    /// The style of peace.
    pub const NON_COMBAT: Command = Command(0x8000_003D);

    const STYLE: u32 = 0x8000_0000;
    pub(super) const SUBSTATE: u32 = 0x4000_0000;
    pub(super) const MODIFIER: u32 = 0x2000_0000;
    const ACTION: u32 = 0x1000_0000;
    const CHAT_EMOTE: u32 = 0x0200_0000;

    /// A stance that others motions belong to.
    pub fn is_style(self) -> bool {
        self.0 & Self::STYLE != 0
    }

    /// A state that lasts until it is changed.
    pub fn is_substate(self) -> bool {
        self.0 & Self::SUBSTATE != 0
    }

    /// A motion that is added to a substate.
    pub fn is_modifier(self) -> bool {
        self.0 & Self::MODIFIER != 0
    }

    /// A motion that is performed once.
    pub fn is_action(self) -> bool {
        self.0 & Self::ACTION != 0
    }

    /// A gesture that goes with chat.
    pub fn is_chat_emote(self) -> bool {
        self.0 & Self::CHAT_EMOTE != 0
    }

    /// Turning to either side.
    pub fn is_turn(self) -> bool {
        self == Self::TURN_RIGHT || self == Self::TURN_LEFT
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08X}", self.0)
    }
}
