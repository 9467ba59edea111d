//! Messages: an opcode and its body, as typed values and back. One family per file. Spec: wire §5–§9.

mod appearance;
mod movement;
mod names;
mod object;
mod physics;
mod position;
mod report;
mod weenie;

pub use appearance::{Appearance, PartChange, Subpalette, TextureChange};
pub use movement::{Action, InterpretedState, MoveTo, Movement, MovementKind, TurnTo};
pub use names::{action_name, event_name, message_name};
pub use object::{
    AppearanceChange, Deleted, Motion, MotionUpdate, ObjectDescription, Parented, PickedUp, PlayerCreated,
    PositionAndMotion, PositionUpdate, ScriptById, ScriptByType, Sound, StateChange, Teleport, VectorUpdate,
};
pub use physics::{Attachment, ObjectStamps, PhysicsDescription, Pose};
pub use position::{Origin, PackedPosition, Position, PositionStamps};
pub use report::{
    AutonomousPosition, AutonomyLevel, Jump, MoveToState, MovementCommand, PlainJump, RawState, ReportStamps,
    StopCommand,
};
pub use weenie::{Guest, RestrictionHead, Restrictions, WeenieDescription, WeenieField, WeenieFields};

use crate::{
    Guid, Side,
    codec::{Codec, Forms, Layout, Reader, Result, Writer},
    error::MessageError,
};

/// The flag of an optional field.
fn flag<T>(field: &Option<T>, bit: u32) -> u32 {
    if field.is_some() { bit } else { 0 }
}

/// A message of the server that carries events of the game.
const GAME_EVENT: u32 = 0xF7B0;
/// A message of the client that carries a game action.
const GAME_ACTION: u32 = 0xF7B1;

/// The server's messages: opcode and content.
macro_rules! messages {
    ($($(#[$meta:meta])* $opcode:literal $name:ident($type:ty),)*) => {
        /// One message. It owns its lists and texts; parts that are not decoded stay a slice of the input.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Message<'a> {
            $($(#[$meta])* $name($type),)*
            /// An event of the game, which is not looked into.
            GameEvent(GameEvent<'a>),
            /// A request or report of the client.
            GameAction {
                /// Number of the action.
                sequence: u32,
                /// The action.
                action: GameAction<'a>,
            },
            /// Any other message, or one in the wrong direction.
            Other {
                /// Which one.
                opcode: u32,
                /// What follows the opcode.
                body: &'a [u8],
            },
        }

        impl<'a> Message<'a> {
            fn read(from: Side, opcode: u32, r: &mut Reader<'a>) -> Result<Message<'a>> {
                Ok(match (from, opcode) {
                    $((Side::Server, $opcode) => {
                        let mut content = <$type>::default();
                        r.value(&mut content, stringify!($name))?;
                        Message::$name(content)
                    })*
                    (Side::Server, GAME_EVENT) => Message::GameEvent(GameEvent::read(r)?),
                    (Side::Client, GAME_ACTION) => {
                        let (mut sequence, mut number) = (0, 0);
                        r.value(&mut sequence, "sequence")?;
                        r.value(&mut number, "type")?;
                        Message::GameAction { sequence, action: GameAction::read(number, r)? }
                    }
                    _ => Message::Other { opcode, body: r.take_rest() },
                })
            }

            /// The opcode.
            pub fn opcode(&self) -> u32 {
                match self {
                    $(Message::$name(_) => $opcode,)*
                    Message::GameEvent(_) => GAME_EVENT,
                    Message::GameAction { .. } => GAME_ACTION,
                    Message::Other { opcode, .. } => *opcode,
                }
            }

            fn write(&self, w: &mut Writer<'_>) -> Result<()> {
                match self.clone() {
                    $(Message::$name(mut content) => w.value(&mut content, stringify!($name)),)*
                    Message::GameEvent(event) => event.write(w),
                    Message::GameAction { mut sequence, action } => {
                        w.value(&mut sequence, "sequence")?;
                        w.value(&mut action.number(), "type")?;
                        action.write(w)
                    }
                    Message::Other { body, .. } => {
                        w.put(body);
                        Ok(())
                    }
                }
            }
        }
    };
}

messages! {
    /// An object comes into sight.
    0xF745 CreateObject(Box<ObjectDescription>),
    /// An object is described again.
    0xF7DB UpdateObject(Box<ObjectDescription>),
    /// An object changes its clothes.
    0xF625 Appearance(Box<AppearanceChange>),
    /// The recipient's own character.
    0xF746 CreatePlayer(PlayerCreated),
    /// An object is gone.
    0xF747 DeleteObject(Deleted),
    /// An object is somewhere.
    0xF748 UpdatePosition(PositionUpdate),
    /// An object is attached to another one.
    0xF749 Parent(Parented),
    /// An object was put into a container.
    0xF74A Pickup(PickedUp),
    /// The physics state of an object.
    0xF74B SetState(StateChange),
    /// An object moves.
    0xF74C Movement(Box<MotionUpdate>),
    /// The velocity of an object.
    0xF74E VectorUpdate(VectorUpdate),
    /// An object makes a noise.
    0xF750 Sound(Sound),
    /// The recipient is teleported.
    0xF751 PlayerTeleport(Teleport),
    /// An object plays a script, named by its record.
    0xF754 PlayScriptId(ScriptById),
    /// An object plays a script, named by its type.
    0xF755 PlayScriptType(ScriptByType),
    /// An object is somewhere, and moves.
    0xF619 PositionAndMovement(Box<PositionAndMotion>),
}

impl<T: Layout> Layout for Box<T> {
    const MIN: usize = T::MIN;

    fn layout<C: Codec>(&mut self, c: &mut C, field: &'static str) -> Result<()> {
        T::layout(self, c, field)
    }
}

impl<'a> Message<'a> {
    /// Reads a message that came from one side; bytes after its last field are ignored.
    ///
    /// # Errors
    /// Names the opcode, the field and its offset.
    pub fn decode(from: Side, bytes: &'a [u8]) -> std::result::Result<Message<'a>, MessageError> {
        Message::decode_with(from, Reader::new(bytes)).map(|(message, _)| message)
    }

    /// Reads a message so that [`encode`](Message::encode) with the forms gives the same bytes again.
    ///
    /// # Errors
    /// Names the opcode, the field and its offset.
    pub fn decode_exact(
        from: Side,
        bytes: &'a [u8],
    ) -> std::result::Result<(Message<'a>, Forms), MessageError> {
        Message::decode_with(from, Reader::exact(bytes)).map(|(message, r)| (message, r.into_forms()))
    }

    #[inline]
    fn decode_with(
        from: Side,
        mut r: Reader<'a>,
    ) -> std::result::Result<(Message<'a>, Reader<'a>), MessageError> {
        let mut opcode = 0;
        r.value(&mut opcode, "opcode")?;
        match Message::read(from, opcode, &mut r) {
            Ok(message) => Ok((message, r)),
            Err(error) => Err(MessageError { opcode: Some(opcode), ..error }),
        }
    }

    /// The bytes of the message: in the usual forms with `Forms::default()`, or as they were read.
    ///
    /// # Errors
    /// When a field has a value that cannot be sent, such as NaN.
    pub fn encode(&self, forms: &Forms) -> std::result::Result<Vec<u8>, MessageError> {
        let mut w = Writer::new(forms);
        w.put(&self.opcode().to_le_bytes());
        match self.write(&mut w) {
            Ok(()) => Ok(w.into_bytes()),
            Err(error) => Err(MessageError { opcode: Some(self.opcode()), ..error }),
        }
    }

    /// The object that the message is about.
    pub fn guid(&self) -> Option<Guid> {
        Some(match self {
            Message::CreateObject(object) | Message::UpdateObject(object) => object.guid,
            Message::Appearance(change) => change.guid,
            Message::CreatePlayer(player) => player.guid,
            Message::DeleteObject(deleted) => deleted.guid,
            Message::UpdatePosition(update) => update.guid,
            Message::Parent(parented) => parented.child,
            Message::Pickup(picked_up) => picked_up.guid,
            Message::SetState(change) => change.guid,
            Message::Movement(update) => update.guid,
            Message::VectorUpdate(update) => update.guid,
            Message::Sound(sound) => sound.guid,
            Message::PlayScriptId(script) => script.guid,
            Message::PlayScriptType(script) => script.guid,
            Message::PositionAndMovement(update) => update.guid,
            Message::GameEvent(event) => event.guid,
            Message::PlayerTeleport(_) | Message::GameAction { .. } | Message::Other { .. } => return None,
        })
    }
}

/// An event of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameEvent<'a> {
    /// The recipient's character.
    pub guid: Guid,
    /// Number of the event.
    pub sequence: u32,
    /// Type of the event.
    pub number: u32,
    /// The bytes after the type.
    pub body: &'a [u8],
}

impl<'a> GameEvent<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        let mut event = GameEvent { guid: Guid(0), sequence: 0, number: 0, body: &[] };
        r.value(&mut event.guid, "guid")?;
        r.value(&mut event.sequence, "sequence")?;
        r.value(&mut event.number, "type")?;
        event.body = r.take_rest();
        Ok(event)
    }

    fn write(mut self, w: &mut Writer<'_>) -> Result<()> {
        w.value(&mut self.guid, "guid")?;
        w.value(&mut self.sequence, "sequence")?;
        w.value(&mut self.number, "type")?;
        w.put(self.body);
        Ok(())
    }
}

/// The client's actions: type and content.
macro_rules! actions {
    ($($(#[$meta:meta])* $number:literal $name:ident($type:ty),)*) => {
        /// A request or report of the client.
        #[derive(Clone, Debug, PartialEq)]
        pub enum GameAction<'a> {
            $($(#[$meta])* $name($type),)*
            /// Any other action.
            Other {
                /// Which one.
                number: u32,
                /// The bytes after the type.
                body: &'a [u8],
            },
        }

        impl<'a> GameAction<'a> {
            fn read(number: u32, r: &mut Reader<'a>) -> Result<GameAction<'a>> {
                Ok(match number {
                    $($number => {
                        let mut content = <$type>::default();
                        r.value(&mut content, stringify!($name))?;
                        GameAction::$name(content)
                    })*
                    _ => GameAction::Other { number, body: r.take_rest() },
                })
            }

            /// The number of the action.
            pub fn number(&self) -> u32 {
                match self {
                    $(GameAction::$name(_) => $number,)*
                    GameAction::Other { number, .. } => *number,
                }
            }

            fn write(self, w: &mut Writer<'_>) -> Result<()> {
                match self {
                    $(GameAction::$name(mut content) => w.value(&mut content, stringify!($name)),)*
                    GameAction::Other { body, .. } => {
                        w.put(body);
                        Ok(())
                    }
                }
            }
        }
    };
}

actions! {
    /// The keys change the motion.
    0xF61C MoveToState(Box<MoveToState>),
    /// Where the client's physics has put its character.
    0xF753 AutonomousPosition(AutonomousPosition),
    /// A jump.
    0xF61B Jump(Jump),
    /// A jump of which only the strength is sent.
    0xF7C9 PlainJump(PlainJump),
    /// A motion begins.
    0xF61E DoMovementCommand(MovementCommand),
    /// A motion ends.
    0xF661 StopMovementCommand(StopCommand),
    /// Whether server or client moves the character.
    0xF752 AutonomyLevel(AutonomyLevel),
}
