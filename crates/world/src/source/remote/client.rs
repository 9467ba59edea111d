//! Where the records are needed.

use super::{
    super::{Listing, Source},
    message::{Answer, Directory, MessageError, Reader, Writer},
};
use std::{
    borrow::Cow,
    collections::{BTreeSet, HashMap},
    io,
    ops::RangeInclusive,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};
use threshold_dat::{DatId, Error, IdScheme, RecordError};

type Key = (bool, DatId);

/// Bytes of records that are kept at most; those that were used longest ago make room.
const MOST_BYTES: usize = 48 << 20;

/// Records that somebody else has, a [`RecordServer`](super::RecordServer).
///
/// A record that is not there yet is an error that passes soon ([`Error::is_pending`]): it is noted, asked for with the
/// next message, and there once the answer has been received.
pub struct RemoteSource {
    portal: Directory,
    cell: Directory,
    records: Mutex<Records>,
}

#[derive(Default)]
struct Records {
    here: HashMap<Key, Kept>,
    /// What is waited for and has not been asked for yet.
    wanted: BTreeSet<Key>,
    /// What has been asked for.
    asked: BTreeSet<Key>,
    bytes: usize,
    clock: u64,
}

struct Kept {
    answer: Answer,
    used: u64,
}

impl RemoteSource {
    /// A source of the records that the server's first message names.
    pub fn new(directories: &[u8]) -> Result<RemoteSource, MessageError> {
        let mut message = Reader::new(directories);
        let (mut portal, mut cell) = (message.directory()?, message.directory()?);
        for directory in [&mut portal, &mut cell] {
            directory.ids.sort_unstable();
        }
        Ok(RemoteSource { portal, cell, records: Mutex::default() })
    }

    /// The message that asks for what is waited for; `None` when there is nothing new.
    pub fn wanted(&self) -> Option<Vec<u8>> {
        let mut records = self.lock();
        let wanted = std::mem::take(&mut records.wanted);
        let mut message = Writer::default();
        for &(is_cell, id) in &wanted {
            message.key((if is_cell { IdScheme::Cell } else { IdScheme::Portal }, id));
        }
        records.asked.extend(wanted);
        Some(message.0).filter(|message| !message.is_empty())
    }

    /// Whether an answer is still to come.
    pub fn is_waiting(&self) -> bool {
        !self.lock().asked.is_empty()
    }

    /// Takes an answer over.
    pub fn receive(&self, answer: &[u8]) -> Result<(), MessageError> {
        let mut message = Reader::new(answer);
        let mut records = self.lock();
        // Before, so that all of an answer is there for those who wait for it.
        records.make_room();
        while !message.is_done() {
            let (scheme, id) = message.key()?;
            let answer = message.answer()?;
            records.take((scheme == IdScheme::Cell, id), answer);
        }
        Ok(())
    }

    fn directory(&self, scheme: IdScheme) -> &Directory {
        match scheme {
            IdScheme::Portal => &self.portal,
            IdScheme::Cell => &self.cell,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Records {
    fn take(&mut self, key: Key, answer: Answer) {
        self.asked.remove(&key);
        self.clock += 1;
        self.bytes += answer.bytes();
        if let Some(old) = self.here.insert(key, Kept { answer, used: self.clock }) {
            self.bytes -= old.answer.bytes();
        }
    }

    /// Forgets the older half of what is kept when that is too much.
    fn make_room(&mut self) {
        if self.bytes <= MOST_BYTES {
            return;
        }
        let mut by_age: Vec<(u64, Key)> = self.here.iter().map(|(&key, kept)| (kept.used, key)).collect();
        by_age.sort_unstable();
        for (_, key) in by_age {
            if self.bytes <= MOST_BYTES / 2 {
                break;
            }
            self.bytes -= self.here.remove(&key).map_or(0, |old| old.answer.bytes());
        }
    }
}

impl Answer {
    fn bytes(&self) -> usize {
        match self {
            Answer::Bytes(bytes) => bytes.len(),
            Answer::Absent => 0,
            Answer::Damaged(text) | Answer::NotNow(text) => text.len(),
        }
    }
}

fn refused(kind: io::ErrorKind, what: String) -> Error {
    Error::Io { path: PathBuf::from("the data files"), source: io::Error::new(kind, what) }
}

impl Source for RemoteSource {
    fn record(&self, scheme: IdScheme, id: DatId) -> Result<Option<Cow<'_, [u8]>>, Error> {
        let directory = self.directory(scheme);
        if directory.gaps.is_empty() && directory.ids.binary_search(&id).is_err() {
            return Ok(None);
        }
        let mut records = self.lock();
        let key = (scheme == IdScheme::Cell, id);
        records.clock += 1;
        let now = records.clock;
        let Some(kept) = records.here.get_mut(&key) else {
            if !records.asked.contains(&key) {
                records.wanted.insert(key);
            }
            return Err(refused(io::ErrorKind::WouldBlock, format!("{id} is on its way")));
        };
        kept.used = now;
        match &kept.answer {
            Answer::Absent => Ok(None),
            Answer::Bytes(bytes) => Ok(Some(Cow::Owned(bytes.clone()))),
            Answer::Damaged(what) => {
                let problem = what.clone();
                Err(RecordError { id, field: "stored bytes", offset: 0, problem }.into())
            }
            Answer::NotNow(what) => {
                let error = refused(io::ErrorKind::Other, what.clone());
                // The next one who asks has it asked for again.
                records.here.remove(&key);
                Err(error)
            }
        }
    }

    fn ids(&self, scheme: IdScheme, range: RangeInclusive<DatId>) -> Result<Listing, Error> {
        let Directory { ids, gaps } = self.directory(scheme);
        let (start, end) = (*range.start(), *range.end());
        let first = ids.partition_point(|id| *id < start);
        let found = ids[first..].iter().copied().take_while(|id| *id <= end).collect();
        let damage = gaps.iter().filter(|gap| gap.first <= end && gap.last >= start).map(|gap| Error::File {
            field: "directory",
            offset: 0,
            problem: gap.what.clone(),
        });
        Ok(Listing { ids: found, damage: damage.collect() })
    }
}
