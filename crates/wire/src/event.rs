//! Events of a session.

use crate::{
    Side, Time,
    capture::CaptureFault,
    error::{MessageError, PacketError},
    messages::Message,
    reassembly::{Abandoned, FragmentFault},
};

/// One event, in the order in which messages become complete.
#[derive(Clone, Debug, PartialEq)]
pub struct Event<'a> {
    /// Number of the captured record that completed it; for messages that stay incomplete, of the one that started them.
    pub packet: u64,
    /// When that was; unknown in faults of the capture file.
    pub time: Option<Time>,
    /// The sender; unknown for faults of the capture file.
    pub from: Option<Side>,
    /// Which client and server it is between, counted from 0 in order of appearance.
    pub connection: Option<u32>,
    /// What happened.
    pub kind: EventKind<'a>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind<'a> {
    /// A login or its answer: earlier state of the connection no longer applies.
    Connected,
    /// A message is complete.
    Message {
        /// The message.
        message: Message<'a>,
        /// Its bytes, the opcode included.
        size: usize,
    },
    /// A part was malformed; reading continued after it.
    Malformed(Fault),
}

/// A malformed part, by layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The capture file ends here.
    #[error("capture: {0}")]
    Capture(CaptureFault),
    /// A datagram was captured only in part.
    #[error("datagram: {missing} bytes were not captured")]
    Udp {
        /// Bytes that are missing.
        missing: usize,
    },
    /// A packet was refused.
    #[error(transparent)]
    Packet(#[from] PacketError),
    /// A fragment was refused.
    #[error(transparent)]
    Fragment(#[from] FragmentFault),
    /// A message that never became complete was given up.
    #[error("message {} was abandoned with {} of {} fragments", .0.number, .0.have, .0.count)]
    Abandoned(Abandoned),
    /// A message was refused.
    #[error(transparent)]
    Message(#[from] MessageError),
}
