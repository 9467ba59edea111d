//! Packets: a header, optional sections, fragments. Spec: wire §3.

mod fragment;
mod sections;

pub use fragment::{Fragment, MAX_PIECE, MessageNumber, pieces};
pub use sections::{ConnectRequest, Flow, Login, Referral, Sections, Sequences, ServerSwitch};

use crate::error::{PacketError, PacketReason};
use fragment::Fragments;

/// Bytes of the header.
const HEADER: usize = 20;
/// What stands in the header for its checksum while that is computed.
const UNSUMMED: u32 = 0xBADD_70DD;

bitflags::bitflags! {
    /// Flags of a packet. Those of sections are set by [`Packet::encode`] as the sections are there.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct PacketFlags: u32 {
        /// Sent again.
        const RESENT = 0x1;
        /// The checksum is keyed.
        const KEYED = 0x2;
        /// Fragments follow the sections.
        const FRAGMENTS = 0x4;
        /// Ends the connection, among emulators.
        const DISCONNECT = 0x8000;
        /// A client logs in.
        const LOGIN = 0x1_0000;
        /// A server answers a login.
        const CONNECT_REQUEST = 0x4_0000;
        const _ = !0;
    }
}

/// Bits that no section has and no packet may have.
const UNKNOWN: u32 = 0xF080_0000;

/// One packet, its parts still in the bytes it was read from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Packet<'a> {
    /// Counts packets that must arrive; others repeat the last number.
    pub sequence: u32,
    /// All flags as sent.
    pub flags: PacketFlags,
    /// As sent; it is not checked.
    pub checksum: u32,
    /// Number of the recipient.
    pub id: u16,
    /// The sender's interval counter.
    pub time: u16,
    /// 1 after the first connect.
    pub iteration: u16,
    /// The optional sections.
    pub sections: Sections<'a>,
    /// Fragments, when the flags say so.
    pub body: &'a [u8],
}

impl<'a> Packet<'a> {
    /// Reads the payload of a datagram. The checksum is not checked.
    ///
    /// # Errors
    /// Names the field and its offset. All fragments are checked; a bad one makes the whole packet invalid.
    pub fn decode(payload: &'a [u8]) -> Result<Packet<'a>, PacketError> {
        let error = |reason, offset, field| Err(PacketError { reason, offset, field });
        let Some((&head, rest)) = payload.split_first_chunk::<HEADER>() else {
            return error(PacketReason::ShortHeader, payload.len(), "header");
        };
        let [s0, s1, s2, s3, f0, f1, f2, f3, c0, c1, c2, c3, i0, i1, t0, t1, n0, n1, r0, r1] = head;
        let flags = u32::from_le_bytes([f0, f1, f2, f3]);
        let Some(content) = rest.get(..u16::from_le_bytes([n0, n1]).into()) else {
            return error(PacketReason::Size, 16, "size");
        };
        if flags & UNKNOWN != 0 {
            return error(PacketReason::Flags, 4, "flags");
        }
        let (sections, body) = Sections::decode(flags, content).map_err(|(left, field)| PacketError {
            reason: PacketReason::Optional,
            offset: HEADER + content.len() - left,
            field,
        })?;
        let packet = Packet {
            sequence: u32::from_le_bytes([s0, s1, s2, s3]),
            flags: PacketFlags::from_bits_retain(flags),
            checksum: u32::from_le_bytes([c0, c1, c2, c3]),
            id: u16::from_le_bytes([i0, i1]),
            time: u16::from_le_bytes([t0, t1]),
            iteration: u16::from_le_bytes([r0, r1]),
            sections,
            body,
        };
        let mut fragments = packet.fragments();
        while fragments.next().is_some() {}
        match fragments.rest() {
            [] => Ok(packet),
            rest => error(PacketReason::FragmentSize, HEADER + content.len() - rest.len(), "fragment size"),
        }
    }

    /// The fragments in order.
    pub fn fragments(&self) -> Fragments<'a> {
        Fragments::new(if self.flags.contains(PacketFlags::FRAGMENTS) { self.body } else { &[] })
    }

    /// The bytes of the packet, with its checksum unchanged: [`checksum_for`](Packet::checksum_for) computes one.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = self.header(self.checksum).to_vec();
        self.sections.each(|section| bytes.extend_from_slice(section));
        bytes.extend_from_slice(self.body);
        bytes
    }

    fn header(&self, checksum: u32) -> [u8; HEADER] {
        let mut size = self.body.len();
        self.sections.each(|section| size += section.len());
        let flags = self.flags.bits() & !Sections::FLAGS | self.sections.flags();
        let mut header = [0; HEADER];
        let fields = [
            &self.sequence.to_le_bytes()[..],
            &flags.to_le_bytes(),
            &checksum.to_le_bytes(),
            &self.id.to_le_bytes(),
            &self.time.to_le_bytes(),
            &u16::try_from(size).unwrap_or(u16::MAX).to_le_bytes(),
            &self.iteration.to_le_bytes(),
        ];
        for (byte, &sent) in header.iter_mut().zip(fields.into_iter().flatten()) {
            *byte = sent;
        }
        header
    }

    /// The checksum that the packet should have. Packets with [`PacketFlags::KEYED`] need the sender's key for their
    /// sequence number. Spec: wire §3.3.
    pub fn checksum_for(&self, key: Option<u32>) -> u32 {
        let mut payload = 0_u32;
        self.sections.each(|section| payload = payload.wrapping_add(sum(section)));
        for fragment in self.fragments() {
            payload = payload.wrapping_add(sum(&fragment.header())).wrapping_add(sum(fragment.data));
        }
        sum(&self.header(UNSUMMED)).wrapping_add(payload ^ key.unwrap_or(0))
    }
}

/// The protocol's sum over a stretch of bytes.
fn sum(bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<4>();
    let words = words.iter().fold(0_u32, |sum, word| sum.wrapping_add(u32::from_le_bytes(*word)));
    let mut last = [0; 4];
    for (byte, &left) in last.iter_mut().zip(rest) {
        *byte = left;
    }
    ((bytes.len() as u32) << 16).wrapping_add(words).wrapping_add(u32::from_be_bytes(last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::hex;

    #[test]
    fn an_acknowledgement_has_a_plain_checksum() {
        let bytes = hex("3B 00 00 00 00 40 00 00 B8 B9 F9 45 32 00 03 8B 04 00 01 00 6A 08 00 00");
        let packet = Packet::decode(&bytes).unwrap();
        assert_eq!((packet.sequence, packet.id, packet.sections.acknowledged), (0x3B, 0x32, Some(0x86A)));
        assert_eq!(packet.checksum, packet.checksum_for(None));
        assert_eq!(packet.encode(), bytes);
    }

    #[test]
    fn a_packet_with_a_message_has_a_keyed_checksum() {
        let bytes = hex("02 00 00 00 06 00 00 00 A5 C9 7F B7 0B 00 0D F7 20 00 01 00 \
             25 00 00 00 00 00 00 80 01 00 20 00 00 00 0A 00 4B F7 00 00 01 00 08 78 0C 00 01 00 00 00 01 00");
        let packet = Packet::decode(&bytes).unwrap();
        assert_eq!(packet.checksum, packet.checksum_for(Some(0xFDD4_AFEB)));
        assert_eq!(packet.encode(), bytes);
        let fragments: Vec<_> = packet.fragments().collect();
        assert_eq!(fragments.len(), 1);
        assert_eq!((fragments[0].number.0, fragments[0].queue), (0x8000_0000_0000_0025, 10));
        let plain = Packet { sequence: 7, flags: PacketFlags::FRAGMENTS, ..packet };
        assert_eq!(plain.checksum_for(None), u32::from_le_bytes([0x91, 0x68, 0x54, 0xAA]));
    }

    #[test]
    fn a_fragment_that_reaches_past_the_packet_refuses_all_of_it() {
        let mut bytes = hex("02 00 00 00 04 00 00 00 00 00 00 00 0B 00 00 00 22 00 01 00 \
             25 00 00 00 00 00 00 80 01 00 11 00 00 00 0A 00 4B \
             26 00 00 00 00 00 00 80 01 00 12 00 00 00 0A 00 4B");
        let error = Packet::decode(&bytes).unwrap_err();
        assert_eq!((error.reason, error.offset), (PacketReason::FragmentSize, 37));
        bytes[37 + 10] = 0x11;
        assert_eq!(Packet::decode(&bytes).unwrap().fragments().count(), 2);
    }

    #[test]
    fn sections_stand_in_the_order_of_their_flags() {
        let bytes = hex("01 00 00 00 00 50 00 0B 00 00 00 00 0B 00 00 00 2A 00 01 00 \
             02 00 00 00 07 00 00 00 08 00 00 00 09 00 00 00 \
             00 00 00 00 00 00 F0 3F 00 00 80 3F 00 00 01 00 02 00 AB CD EF 01 02 03 04 05 06 07");
        let packet = Packet::decode(&bytes).unwrap();
        let sections = &packet.sections;
        assert_eq!(sections.resend.unwrap().iter().collect::<Vec<_>>(), [7, 8]);
        assert_eq!((sections.acknowledged, sections.time), (Some(9), Some(1.0)));
        assert_eq!(
            (sections.echo_request, sections.flow),
            (Some(1.0), Some(Flow { bytes: 0x1_0000, interval: 2 }))
        );
        assert_eq!(packet.body, [0xAB, 0xCD, 0xEF, 1, 2, 3, 4, 5], "not fragments, and cut off by the size");
        assert_eq!(packet.encode(), bytes[..62]);
    }
}
