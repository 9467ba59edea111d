//! How an object is to move. Spec: entities §2.5.

use crate::motion::MovementParameters;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use threshold_world::Position;

/// A command by the low half of its id; the object's motion table determines the full id. 0 means no command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct CommandIndex(pub u16);

impl CommandIndex {
    /// Standing, ready for anything.
    pub const READY: CommandIndex = CommandIndex(0x03);
    /// The style of peace.
    pub const NON_COMBAT: CommandIndex = CommandIndex(0x3D);
}

/// An object moves.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct MovementUpdate {
    /// The object.
    pub guid: u32,
    /// Its life.
    pub instance: u16,
    /// Which of its movements.
    pub movement_stamp: u16,
    /// Which of the server's orders to move.
    pub server_control: u16,
    /// Its own player decided it.
    pub autonomous: bool,
    /// The order.
    pub order: MovementOrder,
}

/// A movement order.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct MovementOrder {
    /// The style that it takes on first.
    pub style: CommandIndex,
    /// The kind of order.
    pub kind: OrderKind,
}

/// The five types of movement that a server orders.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum OrderKind {
    /// A new movement state (type 0).
    State(OrderedState),
    /// Move to an object, or to its last position if it is not known (type 6).
    MoveToObject(u32, MoveOrder),
    /// Move to a place (type 7).
    MoveToPosition(MoveOrder),
    /// It turns towards an object, or to a heading if that is not known (type 8).
    TurnToObject(u32, f32, MovementParameters),
    /// It turns to the heading of the parameters (type 9).
    TurnToHeading(MovementParameters),
}

/// Where an object is to go.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct MoveOrder {
    /// The place; its rotation is ignored.
    pub to: Position,
    /// How.
    pub parameters: MovementParameters,
    /// New run rate.
    pub run_rate: f32,
}

/// A movement state. The default is what absent fields mean.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct OrderedState {
    /// Style.
    pub style: CommandIndex,
    /// Forward, or another substate.
    pub forward: CommandIndex,
    /// To the right.
    pub side: CommandIndex,
    /// Clockwise.
    pub turn: CommandIndex,
    /// Speed of the forward command.
    pub forward_speed: f32,
    /// Negative to the left.
    pub side_speed: f32,
    /// Negative counter-clockwise.
    pub turn_speed: f32,
    /// Oldest first.
    pub actions: Vec<OrderedAction>,
    /// An object to stick to.
    pub sticky: Option<u32>,
    /// It is about to make a long jump.
    pub standing_long_jump: bool,
}

impl Default for OrderedState {
    fn default() -> Self {
        OrderedState {
            style: CommandIndex::NON_COMBAT,
            forward: CommandIndex::READY,
            side: CommandIndex::default(),
            turn: CommandIndex::default(),
            forward_speed: 1.0,
            side_speed: 1.0,
            turn_speed: 1.0,
            actions: Vec::new(),
            sticky: None,
            standing_long_jump: false,
        }
    }
}

/// An action that is performed once.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct OrderedAction {
    /// What.
    pub command: CommandIndex,
    /// Number of 15 bits.
    pub stamp: u16,
    /// Its player began it.
    pub autonomous: bool,
    /// Its speed.
    pub speed: f32,
}
