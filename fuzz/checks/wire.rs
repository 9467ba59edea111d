//! What must hold for any bytes that come from the network or out of a capture file.

use threshold_wire::{
    Capture, DEFAULT_PORTS, EventKind, Fault, Message, Side, decode,
    packet::{Packet, PacketFlags},
};

/// A packet is written as it was read, and so is a message; an error lies inside of its bytes.
pub(crate) fn packet(data: &[u8]) {
    match Packet::decode(data) {
        Ok(packet) => {
            let bytes = packet.encode();
            assert!(data.starts_with(&bytes));
            if packet.flags.contains(PacketFlags::FRAGMENTS) {
                let mut body = Vec::new();
                packet.fragments().for_each(|fragment| fragment.encode(&mut body));
                assert_eq!(body, packet.body);
                packet.fragments().for_each(|fragment| message(fragment.data));
            }
        }
        Err(error) => assert!(error.offset <= data.len(), "{error}"),
    }
    message(data);
}

fn message(data: &[u8]) {
    for from in [Side::Server, Side::Client] {
        match Message::decode_exact(from, data) {
            Ok((message, forms)) => {
                assert_eq!(message.encode(&forms).as_deref(), Ok(data));
                assert_eq!(Message::decode(from, data), Ok(message));
            }
            Err(error) => {
                assert!(error.offset <= data.len(), "{error}");
                assert_eq!(Message::decode(from, data), Err(error));
            }
        }
    }
}

/// A capture gives lines that are JSON, no more of them than its bytes can hold, in the order of its records.
pub(crate) fn session(data: &[u8]) {
    let Ok(capture) = Capture::new(data) else { return };
    let (mut lines, mut last) = (0, 0);
    decode(capture, DEFAULT_PORTS, &mut |event| {
        let is_late = matches!(event.kind, EventKind::Malformed(Fault::Abandoned(_)));
        assert!(is_late || event.packet >= last);
        last = last.max(event.packet);
        for line in event.lines() {
            let line = line.to_string();
            assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok(), "{line}");
            lines += 1;
        }
    });
    let is_packed = data.starts_with(&[0x1F, 0x8B]);
    assert!(is_packed || lines * 8 <= data.len() + 64, "{lines} lines");
}
