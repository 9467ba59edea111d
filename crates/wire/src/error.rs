//! Faults in bytes from the network, layer by layer. Spec: wire §10.

use std::fmt;

/// Why a message could not be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A field reaches past the message.
    Truncated,
    /// A count times its smallest element, or the length of a buffer, exceeds the rest of the message.
    Count,
    /// The length of a string exceeds the rest of the message.
    String,
    /// A version or type that does not exist, or a number that is not finite.
    Value,
}

impl Reason {
    /// The word that events use.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Truncated => "truncated",
            Reason::Count => "count",
            Reason::String => "string",
            Reason::Value => "value",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Truncated => "reaches past the end of the message",
            Reason::Count => "counts more than the message can hold",
            Reason::String => "is a string longer than the rest of the message",
            Reason::Value => "has an invalid value",
        })
    }
}

/// A message that was refused: which field, where, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{field} at byte {offset} {reason}", opcode.map(|opcode| format!("message 0x{opcode:04X}: ")).unwrap_or_default())]
pub struct MessageError {
    /// What is wrong.
    pub reason: Reason,
    /// The message's opcode, if it is long enough to have one.
    pub opcode: Option<u32>,
    /// Byte offset from the opcode.
    pub offset: usize,
    /// Field that could not be read or written.
    pub field: &'static str,
}

/// Why a packet was refused as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PacketReason {
    /// Fewer than 20 bytes.
    ShortHeader,
    /// The header promises more bytes than there are.
    Size,
    /// A section that does not exist.
    Flags,
    /// A section reaches past the packet.
    Optional,
    /// A fragment whose size is impossible or reaches past the packet.
    FragmentSize,
}

impl PacketReason {
    /// The word that events use.
    pub fn name(self) -> &'static str {
        match self {
            PacketReason::ShortHeader => "short_header",
            PacketReason::Size => "size",
            PacketReason::Flags => "flags",
            PacketReason::Optional => "optional",
            PacketReason::FragmentSize => "fragment_size",
        }
    }
}

/// A packet that was refused: which field, where, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("packet: {field} at byte {offset}: {}", reason.name())]
pub struct PacketError {
    /// What is wrong.
    pub reason: PacketReason,
    /// Byte offset from the header.
    pub offset: usize,
    /// Field or section at fault.
    pub field: &'static str,
}
