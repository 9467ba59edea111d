//! From a link layer's frame to a UDP datagram. Spec: wire §2.2.

use super::{LinkType, Record};
use std::net::{Ipv4Addr, SocketAddrV4};

const ETHERNET: u32 = 1;
const LOOPBACK: u32 = 0;
const OPEN_BSD_LOOPBACK: u32 = 108;
const RAW_IP: [u32; 4] = [12, 14, 101, 228];
const LINUX_COOKED: u32 = 113;
const LINUX_COOKED_2: u32 = 276;

const IPV4: u16 = 0x0800;
const VLAN: [u16; 2] = [0x8100, 0x88A8];
/// Address family of IPv4 in loopback frames.
const FAMILY_INET: u32 = 2;
const UDP: u8 = 17;

/// A UDP datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datagram<'a> {
    /// Its sender.
    pub source: SocketAddrV4,
    /// Its recipient.
    pub target: SocketAddrV4,
    /// The captured part of its content.
    pub payload: &'a [u8],
    /// Bytes of its content that were not captured.
    pub missing: usize,
}

impl<'a> Record<'a> {
    /// The UDP datagram in the record; absent when it is something else.
    pub fn datagram(&self) -> Option<Datagram<'a>> {
        datagram(packet(self.link, self.data)?)
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|&word| u16::from_be_bytes(word))
}

/// The IPv4 packet in a frame.
fn packet(link: LinkType, frame: &[u8]) -> Option<&[u8]> {
    match link.0 {
        ETHERNET => {
            let mut at = 12;
            while VLAN.contains(&word(frame, at)?) {
                at += 4;
            }
            (word(frame, at)? == IPV4).then(|| frame.get(at + 2..))?
        }
        LOOPBACK | OPEN_BSD_LOOPBACK => {
            let (&family, packet) = frame.split_first_chunk()?;
            let is_inet = u32::from_be_bytes(family) == FAMILY_INET
                || link.0 == LOOPBACK && u32::from_le_bytes(family) == FAMILY_INET;
            is_inet.then_some(packet)
        }
        LINUX_COOKED => (word(frame, 14)? == IPV4).then(|| frame.get(16..))?,
        LINUX_COOKED_2 => (word(frame, 0)? == IPV4).then(|| frame.get(20..))?,
        raw if RAW_IP.contains(&raw) => Some(frame),
        _ => None,
    }
}

/// The UDP datagram in an IPv4 packet. Its total length is not used: the client-side logger writes 0 there.
fn datagram(packet: &[u8]) -> Option<Datagram<'_>> {
    let &[versions, _, _, _, _, _, f0, f1, _, protocol, _, _, s0, s1, s2, s3, t0, t1, t2, t3] =
        packet.first_chunk()?;
    let header = usize::from(versions & 0x0F) * 4;
    let is_first_piece = u16::from_be_bytes([f0, f1]) & 0x1FFF == 0;
    if versions >> 4 != 4 || header < 20 || protocol != UDP || !is_first_piece {
        return None;
    }
    let (&[p0, p1, q0, q1, l0, l1, _, _], rest) = packet.get(header..)?.split_first_chunk()?;
    let length = usize::from(u16::from_be_bytes([l0, l1]));
    // Ethernet pads short frames: the length cuts that off.
    let promised = length.checked_sub(8).unwrap_or(rest.len());
    Some(Datagram {
        source: SocketAddrV4::new(Ipv4Addr::new(s0, s1, s2, s3), u16::from_be_bytes([p0, p1])),
        target: SocketAddrV4::new(Ipv4Addr::new(t0, t1, t2, t3), u16::from_be_bytes([q0, q1])),
        payload: rest.get(..promised).unwrap_or(rest),
        missing: promised.saturating_sub(rest.len()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::hex;

    /// A packet with four bytes of options and two of padding.
    fn ip() -> Vec<u8> {
        hex(
            "46 00 00 00 00 00 00 00 00 11 00 00 7F 00 00 01 0A 00 00 02 01 01 01 01 23 29 30 39 00 0A 00 00 41 42 00 00",
        )
    }

    #[test]
    fn options_and_padding_are_not_part_of_the_datagram() {
        let ip = ip();
        let found = datagram(&ip).unwrap();
        assert_eq!(found.payload, b"AB");
        assert_eq!(found.source, "127.0.0.1:9001".parse().unwrap());
        assert_eq!(found.target, "10.0.0.2:12345".parse().unwrap());
        assert_eq!(datagram(&ip[..33]).unwrap().missing, 1);
    }

    #[test]
    fn other_traffic_is_no_datagram() {
        for (at, value) in [(0, 0x66), (0, 0x44), (9, 6), (7, 1), (6, 0x1F)] {
            let mut other = ip();
            other[at] = value;
            assert_eq!(datagram(&other), None, "byte {at}");
        }
        let short = ip();
        assert!((0..32).all(|len| datagram(&short[..len]).is_none()));
    }

    #[test]
    fn every_link_layer_leads_to_the_same_packet() {
        for (link, head) in [
            (1, "000000000000 000000000000 0800"),
            (1, "000000000000 000000000000 88A8 0001 8100 0002 0800"),
            (0, "02000000"),
            (0, "00000002"),
            (108, "00000002"),
            (12, ""),
            (14, ""),
            (101, ""),
            (228, ""),
            (113, "0000000000000000000000000000 0800"),
            (276, "0800 000000000000000000000000000000000000"),
        ] {
            let frame = [hex(head), ip()].concat();
            assert_eq!(packet(LinkType(link), &frame), Some(&ip()[..]), "{link}: {head}");
        }
        for (link, head) in
            [(1, "000000000000 000000000000 0806"), (108, "02000000"), (0, "18000000"), (147, "")]
        {
            assert_eq!(packet(LinkType(link), &[hex(head), ip()].concat()), None, "{link}: {head}");
        }
    }
}
