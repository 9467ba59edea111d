//! Where records come from.

mod dat;
#[cfg(feature = "serde")]
mod dump;
mod memory;
pub mod remote;

pub use dat::{CELL_FILE, DatSource, OpenError};
#[cfg(feature = "serde")]
pub use dump::{DumpError, read_dumps};
pub use memory::MemorySource;

use std::borrow::Cow;
use std::ops::RangeInclusive;
use threshold_dat::{DatId, Error, IdScheme};

/// A source of records by id; used from several threads at once.
///
/// Two id spaces: [`IdScheme::Cell`] for landblocks and rooms, [`IdScheme::Portal`] for everything they share.
pub trait Source: Send + Sync {
    /// The bytes of a record; `None` when there is no such record. [`Error::Io`] means that the source cannot answer now
    /// and is worth asking again; any other error is about the record and stays.
    fn record(&self, scheme: IdScheme, id: DatId) -> Result<Option<Cow<'_, [u8]>>, Error>;

    /// Ids of a range that exist. [`Error::Io`] means that the source cannot answer now and is worth asking again.
    fn ids(&self, scheme: IdScheme, range: RangeInclusive<DatId>) -> Result<Listing, Error>;
}

/// The ids of a range, as listed in a directory.
#[derive(Debug, Default)]
pub struct Listing {
    /// Ids that exist, ascending.
    pub ids: Vec<DatId>,
    /// Damaged parts of the directory; ids below them are unreachable, which is not the same as absent.
    pub damage: Vec<Error>,
}

impl From<Vec<DatId>> for Listing {
    fn from(ids: Vec<DatId>) -> Listing {
        Listing { ids, damage: Vec::new() }
    }
}
