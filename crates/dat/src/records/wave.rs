//! Sounds as samples. Spec: dat-portal §15.

use super::{Blob, DatRecord};
use crate::RecordKind;
use crate::codec::{Reader, Result, Wire, Writer};
#[cfg(feature = "serde")]
use serde::Serialize;

/// A sound: a header with its format, and the samples.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Wave {
    /// A bare WAVEFORMATEX; see [`Wave::format`].
    pub header: Blob,
    /// Samples, or an MP3 stream.
    pub data: Blob,
}

/// The header of a wave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct WaveFormat {
    /// 1 PCM, 0x55 MP3.
    pub tag: u16,
    /// 1 mono, 2 stereo.
    pub channels: u16,
    /// Samples per second.
    pub rate: u32,
    /// Bytes per second.
    pub bytes_per_second: u32,
    /// Bytes of one sample of all channels.
    pub block_align: u16,
    /// Bits per sample.
    pub bits: u16,
}

impl WaveFormat {
    /// Whether it makes sense to play it.
    pub fn is_playable(&self) -> bool {
        (1..=8).contains(&self.channels) && (1..=192_000).contains(&self.rate) && self.block_align > 0
    }
}

impl Wave {
    /// A header without extensions.
    const SMALLEST_HEADER: usize = 16;

    /// Reads the header; `None` when it is too short to be one.
    pub fn format(&self) -> Option<WaveFormat> {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *self.header.0.first_chunk()?;
        Some(WaveFormat {
            tag: u16::from_le_bytes([a, b]),
            channels: u16::from_le_bytes([c, d]),
            rate: u32::from_le_bytes([e, f, g, h]),
            bytes_per_second: u32::from_le_bytes([i, j, k, l]),
            block_align: u16::from_le_bytes([m, n]),
            bits: u16::from_le_bytes([o, p]),
        })
    }
}

impl DatRecord for Wave {
    const KIND: RecordKind = RecordKind::Wave;
}

impl Wire for Wave {
    const MIN: usize = 8 + Wave::SMALLEST_HEADER;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let offset = r.pos();
        let [header_len, data_len]: [u32; 2] = r.read("lengths")?;
        if (header_len as usize) < Wave::SMALLEST_HEADER {
            return Err(r.error("header length", offset, format!("{header_len} is less than 16")));
        }
        r.check_count(1, u64::from(header_len) + u64::from(data_len), offset, "lengths")?;
        let header = Blob(r.slice(header_len as usize, "header")?.to_vec());
        let wave = Wave { header, data: Blob(r.slice(data_len as usize, "data")?.to_vec()) };
        if let Some(format) = wave.format().filter(|format| !format.is_playable()) {
            r.note("header", offset + 8, || format!("cannot be played: {format:?}"));
        }
        Ok(wave)
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        if self.header.0.len() < Wave::SMALLEST_HEADER {
            return Err(w.error("header length", format!("{} is less than 16", self.header.0.len())));
        }
        w.count_as::<u32>(self.header.0.len(), "header length")?;
        w.count_as::<u32>(self.data.0.len(), "data length")?;
        w.raw(&self.header.0);
        w.raw(&self.data.0);
        Ok(())
    }
}
