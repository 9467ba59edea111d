//! Where records come from.

mod dat;
mod dump;
mod memory;

pub use dat::{DatSource, OpenError};
pub use dump::{DumpError, read_dumps};
pub use memory::MemorySource;

use std::borrow::Cow;
use std::ops::RangeInclusive;
use threshold_dat::{DatId, Error, IdScheme};

/// Records by id, from whatever holds them; asked from several threads at once.
///
/// Two id spaces: [`IdScheme::Cell`] for landblocks and rooms, [`IdScheme::Portal`] for everything they share.
pub trait Source: Send + Sync {
    /// The bytes of a record; none when there is no such record. An error is worth another try later.
    fn record(&self, scheme: IdScheme, id: DatId) -> Result<Option<Cow<'_, [u8]>>, Error>;

    /// Ids of a range that exist, ascending.
    fn ids(&self, scheme: IdScheme, range: RangeInclusive<DatId>) -> Vec<DatId>;
}
