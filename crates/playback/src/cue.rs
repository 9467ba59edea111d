//! Maps events of a session to actions of a simulation.

use threshold_sim::{Position, motion::RawState, update::Update};
use threshold_wire::{
    Event, EventKind, Message, Side,
    messages::{self, GameAction},
};

/// The server ends the connection. Spec: wire §11.
const LOG_OFF: u32 = 0xF653;

/// An action of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub enum Cue {
    /// Forgets earlier server updates: another connection starts, or the player logs off.
    Forget,
    /// An update from the server.
    Update(Update),
    /// A report from the client.
    Report(Report),
}

/// A client's report of its own player. Spec: entities §2.8, wire §9.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// The keys have changed.
    Keys {
        /// What they ask for.
        keys: Box<RawState>,
        /// Where that was.
        at: Position,
    },
    /// Where its physics has put it.
    Position(Position),
    /// It jumps.
    Jump {
        /// 0 to 1.
        power: f32,
        /// From where; some clients do not say.
        at: Option<Position>,
    },
}

impl Report {
    /// The position of the client's player.
    pub fn position(&self) -> Option<&Position> {
        match self {
            Report::Keys { at, .. } | Report::Position(at) => Some(at),
            Report::Jump { at, .. } => at.as_ref(),
        }
    }
}

/// The actions for an event, in order.
pub fn cues(event: &Event<'_>) -> Vec<Cue> {
    match &event.kind {
        EventKind::Connected => vec![Cue::Forget],
        EventKind::Malformed(_) => Vec::new(),
        EventKind::Message { message, .. } => match message {
            Message::Other { opcode: LOG_OFF, .. } if event.from == Some(Side::Server) => vec![Cue::Forget],
            Message::GameAction { action, .. } => report(action).map(Cue::Report).into_iter().collect(),
            message => message.updates().map(Cue::Update).collect(),
        },
    }
}

/// What a client's action reports of its player.
pub(crate) fn report(action: &GameAction<'_>) -> Option<Report> {
    let place = |sent: &messages::Position| Position::from(sent);
    Some(match action {
        GameAction::MoveToState(sent) => {
            Report::Keys { keys: Box::new((&sent.motion).into()), at: place(&sent.position) }
        }
        GameAction::AutonomousPosition(sent) => Report::Position(place(&sent.position)),
        GameAction::Jump(sent) => Report::Jump { power: sent.extent, at: sent.position.as_ref().map(place) },
        GameAction::PlainJump(sent) => Report::Jump { power: sent.extent, at: None },
        _ => return None,
    })
}
