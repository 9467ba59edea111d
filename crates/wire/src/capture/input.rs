//! The bytes of a file, a piece at a time.

use flate2::read::MultiGzDecoder;
use std::{
    io::{self, Cursor, ErrorKind, Read},
    ops::Range,
};

/// Bytes that are read at once.
const CHUNK: usize = 1 << 18;
/// How a gzip file begins.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// A window on the input that moves forward.
pub(super) struct Input<'r> {
    reader: Box<dyn Read + 'r>,
    buffer: Vec<u8>,
    /// What is read and not consumed.
    start: usize,
    end: usize,
    ended: bool,
    failed: bool,
}

impl<'r> Input<'r> {
    pub(super) fn new(mut reader: impl Read + 'r) -> io::Result<Self> {
        let mut first = Vec::new();
        reader.by_ref().take(GZIP.len() as u64).read_to_end(&mut first)?;
        let is_gzip = first == GZIP;
        let whole = Cursor::new(first).chain(reader);
        let reader: Box<dyn Read + 'r> =
            if is_gzip { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) };
        Ok(Input { reader, buffer: Vec::new(), start: 0, end: 0, ended: false, failed: false })
    }

    /// At least `len` bytes of what comes next, fewer only at the end of the input.
    ///
    /// # Errors
    /// When the very first bytes cannot be read.
    pub(super) fn peek(&mut self, len: usize) -> io::Result<&[u8]> {
        let nothing_yet = self.end == 0;
        match self.fill(len) {
            Err(error) if nothing_yet => Err(error),
            _ => Ok(self.ahead(len)),
        }
    }

    /// The same, when input that breaks off counts as its end.
    #[inline]
    pub(super) fn ahead(&mut self, len: usize) -> &[u8] {
        if self.end - self.start < len && !self.ended && self.fill(len).is_err() {
            (self.ended, self.failed) = (true, true);
        }
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    fn fill(&mut self, len: usize) -> io::Result<()> {
        while self.end - self.start < len && !self.ended {
            if self.start > 0 {
                self.buffer.copy_within(self.start..self.end, 0);
                (self.start, self.end) = (0, self.end - self.start);
            }
            let room = self.end + len.max(CHUNK);
            if self.buffer.len() < room {
                self.buffer.resize(room, 0);
            }
            let space = self.buffer.get_mut(self.end..).unwrap_or_default();
            match self.reader.read(space) {
                Ok(0) => self.ended = true,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Moves past `len` bytes that are ahead, and returns where they lie.
    pub(super) fn consume(&mut self, len: usize) -> Range<usize> {
        let from = self.start;
        self.start = (from + len).min(self.end);
        from..self.start
    }

    /// Moves past any number of bytes; false when the input ends before.
    pub(super) fn skip(&mut self, mut len: usize) -> bool {
        while len > 0 {
            let here = self.ahead(len.min(CHUNK)).len().min(len);
            if here == 0 {
                return false;
            }
            self.consume(here);
            len -= here;
        }
        true
    }

    /// Bytes that were just consumed.
    pub(super) fn taken(&self, range: Range<usize>) -> &[u8] {
        self.buffer.get(range).unwrap_or_default()
    }

    /// Whether the input broke off rather than ended.
    pub(super) fn has_failed(&self) -> bool {
        self.failed
    }
}
