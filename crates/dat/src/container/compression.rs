//! Compressed records: a length and a zlib stream. Spec: dat-container §9.

use crate::{DatId, RecordError};
use flate2::read::ZlibDecoder;
use std::io::Read;

/// Fewest bytes that the original stores compressed.
pub(super) const MIN_STORED: usize = 16;

/// The most that deflate can shrink anything.
const MAX_RATIO: u64 = 1032;

/// Unpacks the stored bytes of a compressed record to at most `limit` bytes.
pub(super) fn inflate(id: DatId, stored: &[u8], limit: usize) -> Result<Vec<u8>, RecordError> {
    let refused = |field, offset, problem| RecordError { id, field, offset, problem };
    let Some((length, stream)) = stored.split_first_chunk() else {
        return Err(refused("uncompressed size", 0, format!("{} stored bytes", stored.len())));
    };
    let claimed = u32::from_le_bytes(*length);
    if u64::from(claimed) > MAX_RATIO * stored.len() as u64 {
        let problem = format!("{claimed} bytes cannot come from {} stored ones", stored.len());
        return Err(refused("uncompressed size", 0, problem));
    }
    if claimed as usize > limit {
        return Err(refused("uncompressed size", 0, format!("{claimed} bytes, the limit is {limit}")));
    }
    let mut bytes = Vec::with_capacity(claimed as usize);
    // One byte more than claimed, to notice a stream that goes on.
    let mut decoder = ZlibDecoder::new(stream).take(u64::from(claimed) + 1);
    decoder.read_to_end(&mut bytes).map_err(|error| refused("zlib stream", 4, error.to_string()))?;
    if bytes.len() != claimed as usize {
        let problem = format!("gives {} bytes or more, expected {claimed}", bytes.len());
        return Err(refused("zlib stream", 4, problem));
    }
    Ok(bytes)
}
