//! Capture files: records of pcap and pcapng, and the datagrams in them. Spec: wire §2.

mod input;
mod link;
mod pcap;
mod pcapng;
mod writer;

pub use link::Datagram;
pub use writer::SessionWriter;

use crate::reassembly::Arrival;
use input::Input;
use pcap::Pcap;
use pcapng::PcapNg;
use std::{fmt, fs::File, io, io::Read, path::Path};

/// Longest record; longer ones do not exist and end the file.
const MAX_RECORD: usize = 262_144;
/// Bytes of a pcap file's header; a shorter file is no capture.
const SMALLEST_FILE: usize = 24;

/// Why the rest of the file was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CaptureFault {
    /// A record or block reaches past the end of the file.
    TruncatedRecord,
    /// A record is longer than any can be.
    OversizeRecord,
    /// A block of impossible length, or a packet of an interface that is not described.
    BadBlock,
}

impl CaptureFault {
    /// The word that events use.
    pub fn name(self) -> &'static str {
        match self {
            CaptureFault::TruncatedRecord => "truncated_record",
            CaptureFault::OversizeRecord => "oversize_record",
            CaptureFault::BadBlock => "bad_block",
        }
    }
}

impl fmt::Display for CaptureFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CaptureFault::TruncatedRecord => "a record reaches past the end of the file",
            CaptureFault::OversizeRecord => "a record is longer than 262,144 bytes",
            CaptureFault::BadBlock => "a block is impossible",
        })
    }
}

/// Why a file cannot be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaptureError {
    /// The operating system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Not one of the formats, or too short for a header.
    #[error("neither pcap nor pcapng")]
    Unknown,
}

/// A link layer, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkType(pub u32);

/// One captured record.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Its number and time.
    pub arrival: Arrival,
    /// How its bytes begin.
    pub link: LinkType,
    /// The captured bytes.
    pub data: &'a [u8],
}

/// A capture file, read a piece at a time: pcap or pcapng, either of them gzipped or not.
pub struct Capture<'r> {
    input: Input<'r>,
    format: Format,
    records: u64,
    ended: bool,
}

enum Format {
    Pcap(Pcap),
    PcapNg(PcapNg),
}

impl Capture<'static> {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read or is no capture.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, CaptureError> {
        Capture::new(File::open(path)?)
    }
}

impl<'r> Capture<'r> {
    /// Reads the header of a capture.
    ///
    /// # Errors
    /// When it cannot be read or is no capture.
    pub fn new(reader: impl Read + 'r) -> Result<Self, CaptureError> {
        let mut input = Input::new(reader)?;
        let head = input.peek(SMALLEST_FILE)?;
        let head = head.get(..SMALLEST_FILE).ok_or(CaptureError::Unknown)?;
        let format = match Pcap::new(head) {
            Some(pcap) => {
                input.consume(SMALLEST_FILE);
                Format::Pcap(pcap)
            }
            None => Format::PcapNg(PcapNg::new(head).ok_or(CaptureError::Unknown)?),
        };
        Ok(Capture { input, format, records: 0, ended: false })
    }

    /// The next record. After a fault there is none.
    #[expect(
        clippy::should_implement_trait,
        reason = "a record borrows the buffer that the next one is read into"
    )]
    pub fn next(&mut self) -> Option<Result<Record<'_>, CaptureFault>> {
        if self.ended {
            return None;
        }
        let found = match &mut self.format {
            Format::Pcap(pcap) => pcap.next(&mut self.input),
            Format::PcapNg(pcapng) => pcapng.next(&mut self.input),
        };
        match found {
            Some(Ok(Found { time, link, data })) => {
                let packet = self.records;
                self.records += 1;
                let data = self.input.taken(data);
                Some(Ok(Record { arrival: Arrival { packet, time }, link, data }))
            }
            Some(Err(fault)) => {
                self.ended = true;
                Some(Err(fault))
            }
            None => {
                self.ended = true;
                // A stream that broke off between two records has lost the rest all the same.
                self.input.has_failed().then_some(Err(CaptureFault::TruncatedRecord))
            }
        }
    }

    /// How many records have been read.
    pub fn records(&self) -> u64 {
        self.records
    }
}

/// A record that has been taken from the input, which still holds its bytes.
struct Found {
    time: crate::Time,
    link: LinkType,
    data: std::ops::Range<usize>,
}
