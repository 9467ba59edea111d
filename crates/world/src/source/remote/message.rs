//! The bytes of messages: words of 32 bits, low byte first, and runs of bytes with their length before them.

use threshold_dat::{DatId, IdScheme};

/// A message that nobody has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a message about records makes no sense at byte {0}")]
pub struct MessageError(pub usize);

/// What becomes of a record that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// There is no such record.
    Absent,
    Bytes(Vec<u8>),
    /// It is damaged, and stays so.
    Damaged(String),
    /// It cannot be read now.
    NotNow(String),
}

/// A part of a directory that is damaged: ids of this range may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    pub(super) first: DatId,
    pub(super) last: DatId,
    pub(super) what: String,
}

/// All ids of one sort, ascending, and where some may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Directory {
    pub(super) ids: Vec<DatId>,
    pub(super) gaps: Vec<Gap>,
}

#[derive(Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn word(&mut self, word: u32) {
        self.0.extend(word.to_le_bytes());
    }

    fn run(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u32);
        self.0.extend(bytes);
    }

    pub(super) fn key(&mut self, (scheme, id): (IdScheme, DatId)) {
        self.word(u32::from(scheme == IdScheme::Cell));
        self.word(id.0);
    }

    pub(super) fn answer(&mut self, answer: &Answer) {
        let (number, bytes) = match answer {
            Answer::Absent => (0, &[][..]),
            Answer::Bytes(bytes) => (1, &bytes[..]),
            Answer::Damaged(text) => (2, text.as_bytes()),
            Answer::NotNow(text) => (3, text.as_bytes()),
        };
        self.word(number);
        self.run(bytes);
    }

    pub(super) fn directory(&mut self, directory: &Directory) {
        self.word(directory.ids.len() as u32);
        directory.ids.iter().for_each(|id| self.word(id.0));
        self.word(directory.gaps.len() as u32);
        for gap in &directory.gaps {
            self.word(gap.first.0);
            self.word(gap.last.0);
            self.run(gap.what.as_bytes());
        }
    }
}

pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0 }
    }

    pub(super) fn is_done(&self) -> bool {
        self.at >= self.bytes.len()
    }

    fn refused(&self) -> MessageError {
        MessageError(self.at)
    }

    pub(super) fn word(&mut self) -> Result<u32, MessageError> {
        let word = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk).ok_or(self.refused())?;
        self.at += 4;
        Ok(u32::from_le_bytes(*word))
    }

    fn run(&mut self) -> Result<&'a [u8], MessageError> {
        let length = self.word()? as usize;
        let run = self.bytes.get(self.at..).and_then(|rest| rest.get(..length)).ok_or(self.refused())?;
        self.at += length;
        Ok(run)
    }

    fn text(&mut self) -> Result<String, MessageError> {
        Ok(String::from_utf8_lossy(self.run()?).into_owned())
    }

    pub(super) fn key(&mut self) -> Result<(IdScheme, DatId), MessageError> {
        let scheme = match self.word()? {
            0 => IdScheme::Portal,
            1 => IdScheme::Cell,
            _ => return Err(self.refused()),
        };
        Ok((scheme, DatId(self.word()?)))
    }

    pub(super) fn answer(&mut self) -> Result<Answer, MessageError> {
        match self.word()? {
            0 => self.run().map(|_| Answer::Absent),
            1 => Ok(Answer::Bytes(self.run()?.to_vec())),
            2 => Ok(Answer::Damaged(self.text()?)),
            3 => Ok(Answer::NotNow(self.text()?)),
            _ => Err(self.refused()),
        }
    }

    pub(super) fn directory(&mut self) -> Result<Directory, MessageError> {
        let mut directory = Directory::default();
        for _ in 0..self.word()? {
            directory.ids.push(DatId(self.word()?));
        }
        for _ in 0..self.word()? {
            let (first, last) = (DatId(self.word()?), DatId(self.word()?));
            directory.gaps.push(Gap { first, last, what: self.text()? });
        }
        Ok(directory)
    }
}
