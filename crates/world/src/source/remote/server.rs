//! Where the records are.

use super::{
    super::{Listing, Source},
    message::{Answer, Directory, Gap, MessageError, Reader, Writer},
};
use crate::{BlockId, Library, load_block};
use std::{
    borrow::Cow,
    collections::HashSet,
    ops::RangeInclusive,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use threshold_dat::{DatId, Error, IdScheme};

type Key = (IdScheme, DatId);

/// Number of the record of a block that is read first: its reader is about to load the block.
const LAND: u32 = 0xFFFF;
/// Blocks between two times that the library forgets what it has made of their records.
const BLOCKS_KEPT: u32 = 64;

/// Answers what a [`RemoteSource`](super::RemoteSource) asks.
///
/// Who asks for the land of a block gets everything that loading the block needs, so that it need not ask record by record.
pub struct RecordServer {
    noted: Arc<Noted>,
    library: Library,
    sent: HashSet<Key>,
    blocks: u32,
}

/// A source that notes what is read from it.
struct Noted {
    source: Arc<dyn Source>,
    read: Mutex<Vec<(Key, Answer)>>,
}

impl Noted {
    fn lock(&self) -> MutexGuard<'_, Vec<(Key, Answer)>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Source for Noted {
    fn record(&self, scheme: IdScheme, id: DatId) -> Result<Option<Cow<'_, [u8]>>, Error> {
        let answer = self.source.record(scheme, id);
        let noted = match &answer {
            Ok(None) => Answer::Absent,
            Ok(Some(bytes)) => Answer::Bytes(bytes.to_vec()),
            Err(error) if error.is_transient() => Answer::NotNow(error.to_string()),
            Err(error) => Answer::Damaged(error.to_string()),
        };
        self.lock().push(((scheme, id), noted));
        answer
    }

    fn ids(&self, scheme: IdScheme, range: RangeInclusive<DatId>) -> Result<Listing, Error> {
        self.source.ids(scheme, range)
    }
}

impl RecordServer {
    /// Answers from a source.
    pub fn new(source: Arc<dyn Source>) -> RecordServer {
        let noted = Arc::new(Noted { source, read: Mutex::default() });
        let library = Library::new(noted.clone());
        RecordServer { noted, library, sent: HashSet::new(), blocks: 0 }
    }

    /// The first message: which records there are, as the directories say.
    pub fn directories(&self) -> Result<Vec<u8>, Error> {
        let mut message = Writer::default();
        for scheme in [IdScheme::Portal, IdScheme::Cell] {
            message.directory(&self.directory(scheme)?);
        }
        Ok(message.0)
    }

    fn directory(&self, scheme: IdScheme) -> Result<Directory, Error> {
        let Listing { ids, damage } = self.noted.source.ids(scheme, DatId(0)..=DatId(u32::MAX))?;
        let mut gaps = Vec::new();
        // Where it is damaged: looked for in parts, so that not all of it is suspected.
        for high in (0..=0xFF_u32).filter(|_| !damage.is_empty()) {
            let (first, last) = (DatId(high << 24), DatId(high << 24 | 0xFF_FFFF));
            let part = self.noted.source.ids(scheme, first..=last)?;
            gaps.extend(part.damage.iter().map(|error| Gap { first, last, what: error.to_string() }));
        }
        Ok(Directory { ids, gaps })
    }

    /// The answer to a message that asks for records.
    pub fn answer(&mut self, wanted: &[u8]) -> Result<Vec<u8>, MessageError> {
        let mut wanted = Reader::new(wanted);
        let mut message = Writer::default();
        while !wanted.is_done() {
            let key = wanted.key()?;
            // An error is about a record that somebody will ask for.
            let _ = self.noted.record(key.0, key.1);
            let asked = self.noted.lock().pop();
            if key.0 == IdScheme::Cell && key.1.0 & 0xFFFF == LAND {
                self.load(BlockId((key.1.0 >> 16) as u16));
            }
            self.sent.remove(&key);
            let read = std::mem::take(&mut *self.noted.lock());
            for (key, answer) in asked.into_iter().chain(read) {
                if self.sent.insert(key) {
                    message.key(key);
                    message.answer(&answer);
                }
            }
        }
        Ok(message.0)
    }

    /// Reads what a block needs. What others have needed before may be in the library, and was sent then.
    fn load(&mut self, block: BlockId) {
        let _ = load_block(&self.library, block);
        self.library.take_problems();
        self.blocks += 1;
        if self.blocks.is_multiple_of(BLOCKS_KEPT) {
            self.library.release_unused();
        }
    }
}
