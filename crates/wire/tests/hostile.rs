//! Damaged input: nothing panics, nothing after the damage is lost, memory stays bounded.

use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;
use std::{io::Write, sync::LazyLock};
use threshold_golden::{WireCapture, wire_captures};
use threshold_wire::{
    Arrival, Capture, CaptureError, DEFAULT_PORTS, Datagram, EventKind, Fault, Message, Session, Side,
    decode,
    packet::{Fragment, MAX_PIECE, MessageNumber, Packet, PacketFlags},
};

/// All sessions with their lines; those that are too large to be decoded hundreds of times are left out.
static SESSIONS: LazyLock<Vec<(WireCapture, Vec<String>)>> = LazyLock::new(|| {
    let sessions = wire_captures().into_iter().filter(|session| session.bytes.len() < 120_000);
    sessions
        .map(|session| (lines(&session.bytes).unwrap(), session))
        .map(|(lines, session)| (session, lines))
        .collect()
});

fn lines(bytes: &[u8]) -> Result<Vec<String>, CaptureError> {
    let mut lines = Vec::new();
    decode(Capture::new(bytes)?, DEFAULT_PORTS, &mut |event| {
        lines.extend(event.lines().map(|line| line.to_string()));
    });
    Ok(lines)
}

/// Lines before those that only say that the file ended.
fn before_the_end(lines: &[String]) -> usize {
    let is_end =
        |line: &&String| line.contains("\"layer\":\"capture\"") || line.contains("\"reason\":\"incomplete\"");
    lines.len() - lines.iter().rev().take_while(is_end).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_file_that_is_cut_gives_everything_before_the_cut(which in any::<prop::sample::Index>(), at in any::<prop::sample::Index>()) {
        let (session, whole) = which.get(&SESSIONS);
        let cut = &session.bytes[..at.index(session.bytes.len())];
        let Ok(found) = lines(cut) else {
            prop_assert!(cut.len() < 24, "only a file without a header cannot be read");
            return Ok(());
        };
        let before = before_the_end(&found);
        prop_assert_eq!(&found[..before], &whole[..before]);
        // Compressed, it is the same file.
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(cut).unwrap();
        prop_assert_eq!(lines(&packed.finish().unwrap()).unwrap(), found);
    }

    #[test]
    fn bytes_that_are_changed_change_no_record_of_others(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let (session, whole) = which.get(&SESSIONS);
        let mut bytes = session.bytes.clone();
        let mut first = bytes.len();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
            first = first.min(at);
        }
        let Ok(found) = lines(&bytes) else { return Ok(()) };
        for line in &found {
            prop_assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{}", line);
        }
        // What lies before the first change is as it was.
        let same = lines(&session.bytes[..first]).map_or(0, |before| before_the_end(&before));
        prop_assert!(found.len() >= same && found[..same] == whole[..same]);
    }

    #[test]
    fn any_bytes_are_a_message_that_is_written_again_or_an_error_inside_of_it(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        server in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let (session, _) = which.get(&SESSIONS);
        let from = if server { Side::Server } else { Side::Client };
        // Messages begin at opcodes: look for one from here on.
        let start = at.index(session.bytes.len());
        let opcode = |window: &[u8]| matches!(window, [_, 0xF6 | 0xF7, 0, 0]);
        let start = session.bytes[start..].windows(4).position(opcode).map_or(start, |skipped| start + skipped);
        let mut bytes = session.bytes[start..session.bytes.len().min(start + 600)].to_vec();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        match Message::decode_exact(from, &bytes) {
            Ok((message, forms)) => {
                prop_assert_eq!(message.encode(&forms).unwrap(), &bytes[..]);
                prop_assert_eq!(Message::decode(from, &bytes), Ok(message));
            }
            Err(error) => prop_assert!(error.offset <= bytes.len(), "{}", error),
        }
    }
}

#[test]
fn packed_input_that_breaks_off_gives_what_came_before() {
    let session = threshold_golden::wire_capture("village.pcap");
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&session.bytes).unwrap();
    let packed = packed.finish().unwrap();
    let whole = lines(&packed).unwrap();
    assert_eq!(whole.len(), session.expected.len());
    let found = lines(&packed[..packed.len() / 2]).unwrap();
    let before = before_the_end(&found);
    assert!(before > 50 && before < whole.len());
    assert_eq!(found[..before], whole[..before]);
    assert!(found[before].contains("truncated_record"), "{}", found[before]);
}

#[test]
fn other_files_are_not_captures() {
    for bytes in
        [&b""[..], b"\xD4\xC3\xB2\xA1", &[0; 100], b"#!/bin/sh\necho this is a script and no capture\n"]
    {
        assert!(matches!(Capture::new(bytes), Err(CaptureError::Unknown)), "{bytes:?}");
    }
}

/// Sends one fragment from a client of its own.
fn send(
    session: &mut Session,
    number: u64,
    client: u32,
    sequence: u32,
    fragment: &Fragment<'_>,
) -> (usize, usize) {
    let mut body = Vec::new();
    fragment.encode(&mut body);
    let packet =
        Packet { sequence, flags: PacketFlags::FRAGMENTS, body: &body, ..Packet::default() }.encode();
    let datagram = Datagram {
        source: std::net::SocketAddrV4::new(client.into(), 1000),
        target: "10.0.0.1:9000".parse().unwrap(),
        payload: &packet,
        missing: 0,
    };
    let (mut evicted, mut bytes) = (0, 0);
    session.datagram(Arrival { packet: number, ..Arrival::default() }, &datagram, &mut |event| match &event
        .kind
    {
        EventKind::Malformed(Fault::Abandoned(open)) => {
            evicted += 1;
            bytes += usize::from(open.have) * MAX_PIECE;
        }
        other => panic!("{other:?}"),
    });
    (evicted, bytes)
}

#[test]
fn what_is_held_for_messages_that_never_end_is_bounded() {
    const MESSAGES: u64 = 200;
    let mut session = Session::new(DEFAULT_PORTS);
    let piece = |number: u64, index: u16| Fragment {
        number: MessageNumber(number),
        count: u16::MAX,
        index,
        queue: 10,
        data: &[7; MAX_PIECE],
    };
    // 200 messages of a megabyte each, none of which ends.
    let (mut sent, mut evicted, mut freed) = (0, 0, 0);
    for number in 0..MESSAGES {
        for index in 0..2400 {
            sent += 1;
            let (messages, bytes) =
                send(&mut session, sent, number as u32 % 7, sent as u32, &piece(number, index));
            evicted += messages;
            freed += bytes;
        }
    }
    let held = sent as usize * MAX_PIECE - freed;
    assert!(evicted > 100, "{evicted}");
    assert!(held <= 65 << 20, "{held} bytes are held");
}

#[test]
fn connections_that_never_end_are_bounded() {
    let mut session = Session::new(DEFAULT_PORTS);
    let open = Fragment { number: MessageNumber(1), count: 2, index: 0, queue: 10, data: &[0; MAX_PIECE] };
    let evicted: usize = (0..3000).map(|client| send(&mut session, client, client as u32, 1, &open).0).sum();
    assert_eq!(evicted, 3000 - 1024);
    let mut incomplete = 0;
    session.finish(&mut |_| incomplete += 1);
    assert_eq!(incomplete, 1024);
}
