//! The older format: a header and records. Spec: wire §2.1.

use super::{CaptureFault, Found, LinkType, MAX_RECORD, input::Input};
use crate::Time;
use pcap_parser::{parse_pcap_frame, parse_pcap_frame_be, parse_pcap_header};

/// Bytes in front of a record's data.
const HEADER: usize = 16;

/// What the file's header says.
pub(super) struct Pcap {
    big_endian: bool,
    nanoseconds: bool,
    link: LinkType,
}

impl Pcap {
    /// Absent when the header is not one of this format.
    pub(super) fn new(header: &[u8]) -> Option<Pcap> {
        let (_, header) = parse_pcap_header(header).ok()?;
        (!header.is_modified_format()).then_some(Pcap {
            big_endian: header.is_bigendian(),
            nanoseconds: header.is_nanosecond_precision(),
            link: LinkType(header.network.0 as u32 & 0x0FFF_FFFF),
        })
    }

    pub(super) fn next(&mut self, input: &mut Input<'_>) -> Option<Result<Found, CaptureFault>> {
        let head = input.ahead(HEADER);
        if head.is_empty() {
            return None;
        }
        let Some(&[a, b, c, d]) =
            head.get(8..12).filter(|_| head.len() >= HEADER).and_then(<[u8]>::first_chunk)
        else {
            return Some(Err(CaptureFault::TruncatedRecord));
        };
        let number = if self.big_endian { u32::from_be_bytes } else { u32::from_le_bytes };
        let captured = number([a, b, c, d]) as usize;
        if captured > MAX_RECORD {
            return Some(Err(CaptureFault::OversizeRecord));
        }
        let record = input.ahead(HEADER + captured);
        let parse = if self.big_endian { parse_pcap_frame_be } else { parse_pcap_frame };
        let Ok((_, frame)) = parse(record) else { return Some(Err(CaptureFault::TruncatedRecord)) };
        let fraction = u64::from(frame.ts_usec) / if self.nanoseconds { 1000 } else { 1 };
        let time = Time(u64::from(frame.ts_sec) * 1_000_000 + fraction);
        input.consume(HEADER);
        Some(Ok(Found { time, link: self.link, data: input.consume(captured) }))
    }
}
