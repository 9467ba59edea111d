//! Every recorded session gives exactly the expected events, and its bytes again.

use serde_json::Value;
use std::collections::BTreeSet;
use threshold_golden::{WireCapture, wire_captures, wire_difference};
use threshold_wire::{
    Added, Arrival, Capture, DEFAULT_PORTS, Message, Reassembly, Side, decode, packet::Packet,
};

fn lines(bytes: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    decode(Capture::new(bytes).unwrap(), DEFAULT_PORTS, &mut |event| {
        lines.extend(event.lines().map(|line| line.to_string()));
    });
    lines
}

/// Decodes and compares a session; the number of lines.
fn check(session: &WireCapture) -> usize {
    let lines = lines(&session.bytes);
    for (index, (line, expected)) in lines.iter().zip(&session.expected).enumerate() {
        let found: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        if let Some(difference) = wire_difference(&found, expected) {
            panic!(
                "{}, line {}: {difference}\nfound    {line}\nexpected {expected}",
                session.name,
                index + 1
            );
        }
    }
    assert_eq!(lines.len(), session.expected.len(), "{}", session.name);
    lines.len()
}

#[test]
fn every_session_decodes_to_exactly_the_expected_lines() {
    let sessions = wire_captures();
    assert!(sessions.len() >= 29);
    let lines: usize = sessions.iter().map(check).sum();
    assert!(lines >= 14_000, "{lines}");
}

/// Every packet of a session is written as it was; shows every whole message.
fn each_message(session: &WireCapture, mut show: impl FnMut(Side, &[u8])) -> usize {
    let mut capture = Capture::new(&session.bytes[..]).unwrap();
    let mut flows = [Reassembly::default(), Reassembly::default()];
    let mut packets = 0;
    while let Some(Ok(record)) = capture.next() {
        let Some(datagram) = record.datagram().filter(|datagram| datagram.missing == 0) else { continue };
        let side = if DEFAULT_PORTS.contains(&datagram.target.port()) { Side::Client } else { Side::Server };
        let Ok(packet) = Packet::decode(datagram.payload) else { continue };
        let bytes = packet.encode();
        assert_eq!(
            bytes,
            datagram.payload[..bytes.len()],
            "{}, packet {}",
            session.name,
            record.arrival.packet
        );
        packets += 1;
        let mut body = Vec::new();
        for fragment in packet.fragments() {
            fragment.encode(&mut body);
            let flow = &mut flows[usize::from(side == Side::Client)];
            if let (_, Added::Whole(message)) = flow.add(Arrival::default(), &fragment) {
                show(side, &message);
            }
        }
        assert!(body.is_empty() || body == packet.body, "{}", session.name);
    }
    packets
}

#[test]
fn packets_and_messages_are_written_as_they_were_read() {
    let (mut packets, mut messages, mut usual) = (0, 0, 0);
    let mut kinds = BTreeSet::new();
    for session in wire_captures() {
        packets += each_message(&session, |side, bytes| {
            let Ok((message, forms)) = Message::decode_exact(side, bytes) else { return };
            assert_eq!(message.encode(&forms).unwrap(), bytes, "{}: {message:?}", session.name);
            assert_eq!(Message::decode(side, bytes), Ok(message.clone()));
            kinds.insert(match &message {
                Message::GameAction { action, .. } => action.number(),
                message => message.opcode(),
            });
            messages += 1;
            usual += usize::from(forms.is_usual());
        });
    }
    assert!(packets > 5000 && messages > 3500, "{packets} packets, {messages} messages");
    for typed in [
        0xF745, 0xF7DB, 0xF625, 0xF746, 0xF747, 0xF748, 0xF749, 0xF74A, 0xF74B, 0xF74C, 0xF74E, 0xF750,
        0xF751, 0xF754, 0xF755, 0xF619, 0xF7B0, 0xF61C, 0xF753, 0xF61B, 0xF7C9, 0xF61E, 0xF661, 0xF752,
    ] {
        assert!(kinds.contains(&typed), "no session has a {typed:#06X}");
    }
    assert!(usual * 10 > messages * 9, "{usual} of {messages} are in the usual form");
}
