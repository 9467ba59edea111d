//! The newer format: sections of blocks. Spec: wire §2.1.
//!
//! Blocks are delimited here rather than by `pcap-parser`, which refuses packets whose options or second
//! length are damaged, even in blocks that are only skipped.

use super::{CaptureFault, Found, LinkType, MAX_RECORD, input::Input};
use crate::Time;
use pcap_parser::pcapng::{
    InterfaceDescriptionBlock, parse_interfacedescriptionblock_be, parse_interfacedescriptionblock_le,
};

const SECTION_HEADER: u32 = 0x0A0D_0D0A;
const INTERFACE: u32 = 1;
const SIMPLE_PACKET: u32 = 3;
const ENHANCED_PACKET: u32 = 6;
/// What a section begins with behind its length: says the byte order.
const BYTE_ORDER: u32 = 0x1A2B_3C4D;
/// Type, length, and the length again at the end.
const SMALLEST_BLOCK: usize = 12;
/// Longest block that is looked into: a record with room for options.
const LARGEST_BLOCK: usize = 2 * MAX_RECORD;
/// More interfaces than any machine has.
const MAX_INTERFACES: usize = 65_536;

/// What the current section has said.
pub(super) struct PcapNg {
    big_endian: bool,
    interfaces: Vec<Interface>,
}

struct Interface {
    link: LinkType,
    /// Units of time per second; absent when they are too small to count.
    units: Option<u128>,
    /// Seconds to add.
    offset: i64,
    snap_length: usize,
}

impl PcapNg {
    /// Absent when the file does not begin with a section.
    pub(super) fn new(head: &[u8]) -> Option<PcapNg> {
        let words = head.as_chunks::<4>().0;
        let is_section = u32::from_le_bytes(*words.first()?) == SECTION_HEADER;
        let big_endian = byte_order(*words.get(2)?)?;
        is_section.then_some(PcapNg { big_endian, interfaces: Vec::new() })
    }

    fn number(&self, bytes: [u8; 4]) -> u32 {
        if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    }

    pub(super) fn next(&mut self, input: &mut Input<'_>) -> Option<Result<Found, CaptureFault>> {
        loop {
            match self.block(input) {
                Ok(Block::End) => return None,
                Ok(Block::Passed) => {}
                Ok(Block::Packet(found)) => return Some(Ok(found)),
                Err(fault) => return Some(Err(fault)),
            }
        }
    }

    fn block(&mut self, input: &mut Input<'_>) -> Result<Block, CaptureFault> {
        let head = input.ahead(SMALLEST_BLOCK);
        if head.is_empty() {
            return Ok(Block::End);
        }
        let &[kind, length, third] =
            head.as_chunks::<4>().0.first_chunk().ok_or(CaptureFault::TruncatedRecord)?;
        if u32::from_le_bytes(kind) == SECTION_HEADER {
            self.big_endian = byte_order(third).ok_or(CaptureFault::BadBlock)?;
            self.interfaces.clear();
        }
        let length = self.number(length) as usize;
        if length < SMALLEST_BLOCK || !length.is_multiple_of(4) {
            return Err(CaptureFault::BadBlock);
        }
        let kind = self.number(kind);
        if !matches!(kind, INTERFACE | SIMPLE_PACKET | ENHANCED_PACKET) {
            return if input.skip(length) { Ok(Block::Passed) } else { Err(CaptureFault::TruncatedRecord) };
        }
        if length > LARGEST_BLOCK {
            let whole = input.skip(length);
            return Err(if whole { CaptureFault::OversizeRecord } else { CaptureFault::TruncatedRecord });
        }
        let block = input.ahead(length).get(..length).ok_or(CaptureFault::TruncatedRecord)?;
        let packet = match kind {
            INTERFACE => {
                self.describe(block)?;
                None
            }
            SIMPLE_PACKET => Some(self.simple(block)?),
            _ => Some(self.enhanced(block)?),
        };
        let block = input.consume(length);
        Ok(match packet {
            Some(Found { time, link, data }) => {
                let data = block.start + data.start..block.start + data.end;
                Block::Packet(Found { time, link, data })
            }
            None => Block::Passed,
        })
    }

    fn describe(&mut self, block: &[u8]) -> Result<(), CaptureFault> {
        let parse = if self.big_endian {
            parse_interfacedescriptionblock_be
        } else {
            parse_interfacedescriptionblock_le
        };
        let (_, interface) = parse(block).map_err(|_| CaptureFault::BadBlock)?;
        if self.interfaces.len() >= MAX_INTERFACES {
            return Err(CaptureFault::BadBlock);
        }
        self.interfaces.push(Interface::new(&interface));
        Ok(())
    }

    fn enhanced(&self, block: &[u8]) -> Result<Found, CaptureFault> {
        let (words, _) = block.as_chunks::<4>();
        let &[_, _, interface, high, low, captured, _, _] =
            words.first_chunk().ok_or(CaptureFault::BadBlock)?;
        let interface = self.interfaces.get(self.number(interface) as usize).ok_or(CaptureFault::BadBlock)?;
        let captured = self.number(captured) as usize;
        if captured > MAX_RECORD {
            return Err(CaptureFault::OversizeRecord);
        }
        if captured > block.len() - 32 {
            return Err(CaptureFault::BadBlock);
        }
        let ticks = u64::from(self.number(high)) << 32 | u64::from(self.number(low));
        Ok(Found { time: interface.time(ticks), link: interface.link, data: 28..28 + captured })
    }

    fn simple(&self, block: &[u8]) -> Result<Found, CaptureFault> {
        let (words, _) = block.as_chunks::<4>();
        let &[_, _, original, _] = words.first_chunk().ok_or(CaptureFault::BadBlock)?;
        let interface = self.interfaces.first().ok_or(CaptureFault::BadBlock)?;
        let captured = (self.number(original) as usize).min(interface.snap_length).min(block.len() - 16);
        if captured > MAX_RECORD {
            return Err(CaptureFault::OversizeRecord);
        }
        Ok(Found { time: Time(0), link: interface.link, data: 12..12 + captured })
    }
}

/// What a block was.
enum Block {
    /// There is none.
    End,
    /// Not a packet.
    Passed,
    /// A packet, its data counted from the start of the block.
    Packet(Found),
}

/// Whether a section is big-endian.
fn byte_order(mark: [u8; 4]) -> Option<bool> {
    match (u32::from_le_bytes(mark), u32::from_be_bytes(mark)) {
        (BYTE_ORDER, _) => Some(false),
        (_, BYTE_ORDER) => Some(true),
        _ => None,
    }
}

impl Interface {
    fn new(block: &InterfaceDescriptionBlock<'_>) -> Interface {
        let exponent = u32::from(block.if_tsresol & 0x7F);
        let units =
            if block.if_tsresol & 0x80 != 0 { Some(1 << exponent) } else { 10_u128.checked_pow(exponent) };
        let snap_length = if block.snaplen == 0 { usize::MAX } else { block.snaplen as usize };
        Interface { link: LinkType(block.linktype.0 as u32), units, offset: block.if_tsoffset, snap_length }
    }

    fn time(&self, ticks: u64) -> Time {
        let micros = self.units.map_or(0, |units| u128::from(ticks) * 1_000_000 / units);
        let micros = i128::try_from(micros).unwrap_or(i128::MAX);
        let micros = micros.saturating_add(i128::from(self.offset) * 1_000_000);
        Time(u64::try_from(micros.max(0)).unwrap_or(u64::MAX))
    }
}
