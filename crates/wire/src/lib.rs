//! The network protocol of Asheron's Call: bytes to typed messages and back. No sockets, no keys.
//!
//! Three layers, each useful on its own. [`packet`] reads and writes packets and their fragments, [`Reassembly`] assembles
//! messages, [`Message`] decodes and encodes them byte for byte. [`Capture`] and [`Session`] do all of this for a
//! recorded session; they produce [`Event`]s, which [`Event::lines`] prints.
//!
//! ```
//! # let capture_file = threshold_golden::wire_capture("link-raw.pcap").bytes;
//! # let capture_file = &capture_file[..];
//! use threshold_wire::{Capture, DEFAULT_PORTS, EventKind, Message, decode};
//!
//! let mut doors = Vec::new();
//! decode(Capture::new(capture_file)?, DEFAULT_PORTS, &mut |event| { // Capture::open("session.pcap")? for a file
//!     if let EventKind::Message { message: Message::CreateObject(object), .. } = &event.kind {
//!         doors.extend(object.weenie.is_door().then(|| object.weenie.name.to_string()));
//!     }
//! });
//! assert_eq!(doors, ["Cottage Door"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing panics, hangs or allocates without bound, whatever the bytes are. A malformed part becomes an event that names
//! the packet, the message, the field and its offset, and reading continues after it.

mod capture;
mod codec;
mod error;
mod event;
mod ids;
mod json;
pub mod messages;
pub mod packet;
mod reassembly;
mod recording;
mod sequence;
mod session;
#[cfg(test)]
mod testing;
mod time;
mod update;

pub use capture::{Capture, CaptureError, CaptureFault, Datagram, LinkType, Record, SessionWriter};
pub use codec::Forms;
pub use error::{MessageError, PacketError, PacketReason, Reason};
pub use event::{Event, EventKind, Fault};
pub use ids::{Guid, Side};
pub use json::{JsonLine, KINDS};
pub use messages::Message;
pub use reassembly::{Abandoned, Added, Arrival, FragmentFault, FragmentReason, Reassembly};
pub use recording::Recording;
pub use session::{DEFAULT_PORTS, Session, Sink};
pub use time::{Time, TimeError};

use std::ops::RangeInclusive;

/// Decodes everything in a capture, in order; damage becomes events, too.
pub fn decode(capture: Capture<'_>, ports: RangeInclusive<u16>, sink: &mut Sink<'_>) {
    let mut recording = Recording::new(capture, ports);
    while recording.step(sink) {}
}
