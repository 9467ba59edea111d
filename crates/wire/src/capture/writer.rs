//! Sessions as capture files: messages to packets to records. Spec: wire §2.1, §2.2, §3, §4.

use crate::{
    Forms, Side, Time,
    error::MessageError,
    messages::Message,
    packet::{ConnectRequest, Login, MessageNumber, Packet, PacketFlags, Sections, pieces},
};

/// Bytes of a record's link, IP and UDP headers.
const LINK: usize = 14;
const IP: usize = 20;
const UDP: usize = 8;
/// Address and port of the client, as client-side logs have them.
const CLIENT: ([u8; 4], u16) = ([127, 0, 0, 1], 12345);
/// Address and port of the server.
const SERVER: ([u8; 4], u16) = ([10, 0, 0, 1], 9000);
/// Hardware addresses, as client-side logs have them.
const CLIENT_CARD: [u8; 6] = [0x08, 0x00, 0x27, 0x01, 0x02, 0x03];
const SERVER_CARD: [u8; 6] = [0x00, 0x24, 0xB2, 0x01, 0x02, 0x03];
/// The largest record that is announced.
const SNAP_LENGTH: u32 = 65_535;
/// Version of the protocol that a client names when it logs in.
const VERSION: &[u8; 4] = b"1802";

/// Writes one client's session as a pcap file (Ethernet, microseconds). The same messages give the same bytes.
#[derive(Clone, Debug)]
pub struct SessionWriter {
    bytes: Vec<u8>,
    server: Sent,
    client: Sent,
}

/// What one side has sent.
#[derive(Clone, Copy, Debug)]
struct Sent {
    /// Number of the next packet.
    sequence: u32,
    /// Number of the next message.
    message: u64,
    /// Number of the recipient.
    id: u16,
}

impl SessionWriter {
    /// A file that begins with a client's login under the name `account`.
    pub fn new(start: Time, account: &str) -> SessionWriter {
        let mut bytes = Vec::new();
        for word in [0xA1B2_C3D4, 0x0004_0002, 0, 0, SNAP_LENGTH, 1] {
            bytes.extend_from_slice(&u32::to_le_bytes(word));
        }
        let sent = |id| Sent { sequence: 2, message: 0x8000_0000_0000_0001, id };
        let mut writer = SessionWriter { bytes, server: sent(11), client: sent(50) };
        let mut login = Vec::from((VERSION.len() as u16).to_le_bytes());
        login.extend_from_slice(VERSION);
        login.extend_from_slice(&[0; 2]);
        login.extend_from_slice(&(account.len() as u32).to_le_bytes());
        login.extend_from_slice(account.as_bytes());
        writer.handshake(start, Side::Client, Sections { login: Some(Login(&login)), ..Sections::default() });
        let answer = ConnectRequest {
            server_time: start.seconds(),
            client_id: writer.client.id.into(),
            ..ConnectRequest::default()
        };
        let sections = Sections { connect_request: Some(answer), ..Sections::default() };
        writer.handshake(start, Side::Server, sections);
        writer
    }

    fn handshake(&mut self, time: Time, from: Side, sections: Sections<'_>) {
        let packet = Packet {
            sequence: 0,
            flags: PacketFlags::empty(),
            checksum: 0,
            id: 0,
            time: 0,
            iteration: 0,
            sections,
            body: &[],
        };
        self.packet(time, from, packet);
    }

    /// Adds a message. Times must not run backwards.
    ///
    /// # Errors
    /// When a field has a value that cannot be sent, such as NaN; nothing is added then.
    pub fn message(&mut self, time: Time, from: Side, message: &Message<'_>) -> Result<(), MessageError> {
        let content = message.encode(&Forms::default())?;
        let queue = match message {
            Message::GameAction { .. } => 3,
            Message::GameEvent(_) => 9,
            _ => 10,
        };
        let number = MessageNumber(self.sent(from).message);
        self.sent(from).message += 1;
        for piece in pieces(number, queue, &content) {
            let mut body = Vec::new();
            piece.encode(&mut body);
            let Sent { sequence, id, .. } = *self.sent(from);
            self.sent(from).sequence = sequence.wrapping_add(1);
            let packet = Packet {
                sequence,
                flags: PacketFlags::FRAGMENTS,
                checksum: 0,
                id,
                time: 0,
                iteration: 1,
                sections: Sections::default(),
                body: &body,
            };
            self.packet(time, from, packet);
        }
        Ok(())
    }

    fn sent(&mut self, side: Side) -> &mut Sent {
        match side {
            Side::Server => &mut self.server,
            Side::Client => &mut self.client,
        }
    }

    fn packet(&mut self, time: Time, from: Side, packet: Packet<'_>) {
        let checksum = packet.checksum_for(None);
        self.record(time, from, &Packet { checksum, ..packet }.encode());
    }

    fn record(&mut self, time: Time, from: Side, payload: &[u8]) {
        let (source, target, cards) = match from {
            Side::Server => (SERVER, CLIENT, [CLIENT_CARD, SERVER_CARD]),
            Side::Client => (CLIENT, SERVER, [SERVER_CARD, CLIENT_CARD]),
        };
        let length = LINK + IP + UDP + payload.len();
        let (seconds, micros) = (time.0 / 1_000_000, time.0 % 1_000_000);
        for word in [seconds as u32, micros as u32, length as u32, length as u32] {
            self.bytes.extend_from_slice(&word.to_le_bytes());
        }
        self.bytes.extend(cards.into_iter().flatten().chain([0x08, 0x00]));
        self.bytes.extend(ip_header(source.0, target.0, (IP + UDP + payload.len()) as u16));
        for word in [source.1, target.1, (UDP + payload.len()) as u16, 0] {
            self.bytes.extend_from_slice(&word.to_be_bytes());
        }
        self.bytes.extend_from_slice(payload);
    }

    /// The bytes written since the last call, so that a long file can be written in pieces.
    pub fn drain(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// The file, or the part of it that has not been drained.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

fn ip_header(source: [u8; 4], target: [u8; 4], length: u16) -> [u8; IP] {
    let [l0, l1] = length.to_be_bytes();
    let [s0, s1, s2, s3] = source;
    let [t0, t1, t2, t3] = target;
    let mut header = [0x45, 0, l0, l1, 0, 0, 0, 0, 64, 17, 0, 0, s0, s1, s2, s3, t0, t1, t2, t3];
    let sum: u32 = header.as_chunks::<2>().0.iter().map(|&word| u32::from(u16::from_be_bytes(word))).sum();
    let folded = (sum & 0xFFFF) + (sum >> 16);
    [header[10], header[11]] = (!(folded as u16)).to_be_bytes();
    header
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Capture, DEFAULT_PORTS, EventKind, Guid, decode,
        messages::{AutonomyLevel, GameAction, ObjectDescription, PlayerCreated},
    };
    use threshold_dat::records::Text;

    #[test]
    fn what_is_written_is_read() {
        let mut object = ObjectDescription { guid: Guid(7), ..ObjectDescription::default() };
        object.weenie.name = Text(vec![b'x'; 1000]);
        let level = GameAction::AutonomyLevel(AutonomyLevel { level: 2 });
        let sent = [
            (Side::Server, Message::CreatePlayer(PlayerCreated { guid: Guid(5) })),
            (Side::Server, Message::CreateObject(Box::new(object))),
            (Side::Client, Message::GameAction { sequence: 1, action: level }),
        ];
        let mut writer = SessionWriter::new(Time(1_000_000_000), "someone");
        for (n, (from, message)) in (1..).zip(&sent) {
            writer.message(Time(1_000_000_000 + n), *from, message).unwrap();
        }
        let file = writer.into_bytes();
        let (mut read, mut logins, mut at) = (Vec::new(), 0, Vec::new());
        decode(Capture::new(&file[..]).unwrap(), DEFAULT_PORTS, &mut |event| match &event.kind {
            EventKind::Connected => logins += 1,
            EventKind::Message { message, .. } => {
                read.push((event.from.unwrap(), message.encode(&Forms::default()).unwrap()));
                at.push(event.time.unwrap().0 - 1_000_000_000);
            }
            EventKind::Malformed(fault) => panic!("{fault}"),
        });
        let sent = sent.map(|(from, message)| (from, message.encode(&Forms::default()).unwrap()));
        assert_eq!((read, logins, at), (sent.to_vec(), 2, vec![1, 2, 3]));
    }

    #[test]
    fn the_ip_header_has_a_checksum_that_holds() {
        let header = ip_header([10, 0, 0, 1], [127, 0, 0, 1], 60);
        let sum: u32 = header.as_chunks::<2>().0.iter().map(|&w| u32::from(u16::from_be_bytes(w))).sum();
        assert_eq!((sum & 0xFFFF) + (sum >> 16), 0xFFFF);
    }
}
