//! Records in memory: worlds made in code, and tests.

use super::{Listing, Source};
use std::{borrow::Cow, collections::BTreeMap, ops::RangeInclusive};
use threshold_dat::{DatId, Error, IdScheme, RecordError, records::DatRecord};

/// Records kept in memory.
#[derive(Clone, Debug, Default)]
pub struct MemorySource {
    cell: BTreeMap<DatId, Vec<u8>>,
    portal: BTreeMap<DatId, Vec<u8>>,
}

impl MemorySource {
    /// A source without records.
    pub fn new() -> MemorySource {
        MemorySource::default()
    }

    /// A copy of everything that another source can read.
    pub fn copy_of(source: &dyn Source) -> Result<MemorySource, Error> {
        let mut copy = MemorySource::new();
        for scheme in [IdScheme::Cell, IdScheme::Portal] {
            for id in source.ids(scheme, DatId(0)..=DatId(u32::MAX))?.ids {
                if let Some(bytes) = source.record(scheme, id)? {
                    copy.insert(scheme, id, bytes.into_owned());
                }
            }
        }
        Ok(copy)
    }

    /// Stores the bytes of a record.
    pub fn insert(&mut self, scheme: IdScheme, id: DatId, bytes: Vec<u8>) {
        self.map_mut(scheme).insert(id, bytes);
    }

    /// Writes and stores a record.
    pub fn insert_record<R: DatRecord>(
        &mut self,
        scheme: IdScheme,
        id: DatId,
        record: &R,
    ) -> Result<(), RecordError> {
        let bytes = record.encode(id)?;
        self.insert(scheme, id, bytes);
        Ok(())
    }

    /// Takes a record away.
    pub fn remove(&mut self, scheme: IdScheme, id: DatId) -> Option<Vec<u8>> {
        self.map_mut(scheme).remove(&id)
    }

    fn map(&self, scheme: IdScheme) -> &BTreeMap<DatId, Vec<u8>> {
        match scheme {
            IdScheme::Cell => &self.cell,
            IdScheme::Portal => &self.portal,
        }
    }

    fn map_mut(&mut self, scheme: IdScheme) -> &mut BTreeMap<DatId, Vec<u8>> {
        match scheme {
            IdScheme::Cell => &mut self.cell,
            IdScheme::Portal => &mut self.portal,
        }
    }
}

impl Source for MemorySource {
    fn record(&self, scheme: IdScheme, id: DatId) -> Result<Option<Cow<'_, [u8]>>, Error> {
        Ok(self.map(scheme).get(&id).map(|bytes| Cow::Borrowed(bytes.as_slice())))
    }

    fn ids(&self, scheme: IdScheme, range: RangeInclusive<DatId>) -> Result<Listing, Error> {
        if range.is_empty() {
            return Ok(Listing::default());
        }
        Ok(self.map(scheme).range(range).map(|(&id, _)| id).collect::<Vec<_>>().into())
    }
}
