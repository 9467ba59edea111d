//! Files that people and programs write: plain or gzipped, with or without a byte order mark.

use crate::text::without_mark;
use anyhow::{Context, Result, bail};
use flate2::read::MultiGzDecoder;
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

/// Largest file that is read as a whole, unpacked.
const MAX_FILE: u64 = 256 << 20;
/// Longest line; records with hundreds of objects have a few hundred kilobytes.
const MAX_LINE: u64 = 64 << 20;
const GZIP: &[u8] = b"\x1F\x8B";

/// What a reader yields, unpacked when it begins as gzip does.
pub(crate) fn unpacked(reader: impl Read + 'static) -> io::Result<Box<dyn BufRead>> {
    let mut reader = BufReader::new(reader);
    if reader.fill_buf()?.starts_with(GZIP) {
        return Ok(Box::new(BufReader::new(MultiGzDecoder::new(reader))));
    }
    Ok(Box::new(reader))
}

/// The text of a file without its byte order mark.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let context = || path.display().to_string();
    let mut bytes = Vec::new();
    let read =
        File::open(path).and_then(unpacked).and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut bytes));
    read.with_context(context)?;
    if bytes.len() as u64 > MAX_FILE {
        bail!("{}: larger than {} MiB", context(), MAX_FILE >> 20);
    }
    Ok(without_mark(&bytes).to_vec())
}

/// The lines of a file, numbered from 1; blank ones are passed over.
pub(crate) struct Lines {
    reader: Box<dyn BufRead>,
    buffer: Vec<u8>,
    number: u64,
    /// The packed file ended before its end.
    is_cut_off: bool,
}

/// A line of a file.
pub(crate) struct Line<'l> {
    /// From 1.
    pub(crate) number: u64,
    pub(crate) text: &'l [u8],
    /// A line break follows: whatever wrote it was done with it.
    pub(crate) is_whole: bool,
}

impl Lines {
    pub(crate) fn new(reader: impl Read + 'static) -> io::Result<Lines> {
        Ok(Lines { reader: unpacked(reader)?, buffer: Vec::new(), number: 0, is_cut_off: false })
    }

    /// The next line; `None` at the end. A gzip file that was cut off ends in a line that is not whole.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        loop {
            self.buffer.clear();
            if self.is_cut_off {
                return Ok(None);
            }
            self.number += 1;
            match (&mut self.reader).take(MAX_LINE).read_until(b'\n', &mut self.buffer) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    self.is_cut_off = true;
                    break;
                }
                Err(error) => return Err(error),
                Ok(0) => return Ok(None),
                Ok(_) => {}
            }
            if self.buffer.len() as u64 == MAX_LINE {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a line is too long"));
            }
            let first = self.number == 1;
            if !(if first { without_mark(&self.buffer) } else { &self.buffer }).trim_ascii().is_empty() {
                break;
            }
        }
        let is_whole = self.buffer.ends_with(b"\n");
        let text = if self.number == 1 { without_mark(&self.buffer) } else { &self.buffer };
        Ok(Some(Line { number: self.number, text: text.trim_ascii(), is_whole }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::{Cursor, Write};

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn lines(bytes: Vec<u8>) -> Vec<(u64, String, bool)> {
        let mut lines = Lines::new(Cursor::new(bytes)).unwrap();
        let mut all = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            all.push((line.number, String::from_utf8(line.text.to_vec()).unwrap(), line.is_whole));
        }
        all
    }

    #[test]
    fn packed_and_plain_lines_are_the_same() {
        let text = "\u{FEFF}{\"a\": 1}\r\n\n  \n{\"b\"".as_bytes().to_vec();
        let expected = [(1, "{\"a\": 1}".to_owned(), true), (4, "{\"b\"".to_owned(), false)];
        assert_eq!(lines(gzip(&text)), expected);
        assert_eq!(lines(text), expected);
        assert_eq!(lines(Vec::new()), []);
    }

    #[test]
    fn a_packed_file_that_was_cut_off_ends_in_a_torn_line() {
        let text: String =
            (0..5000).map(|i| format!("{{\"number\": {i}, \"noise\": {}}}\n", i * 7919 % 1013)).collect();
        let mut packed = gzip(text.as_bytes());
        packed.truncate(packed.len() / 2);
        let lines = lines(packed);
        assert!(lines.len() > 100 && lines.len() < 5000, "{}", lines.len());
        assert!(lines[..lines.len() - 1].iter().all(|(.., is_whole)| *is_whole));
    }

    #[test]
    fn whole_files_may_be_packed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("scenario.json.gz");
        std::fs::write(&path, gzip("\u{FEFF}{}".as_bytes())).unwrap();
        assert_eq!(read(&path).unwrap(), b"{}");
        assert!(read(&dir.path().join("none")).unwrap_err().to_string().contains("none"));
    }
}
