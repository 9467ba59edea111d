//! Copies of golden worlds that can be edited record by record.
#![allow(dead_code)] // Each test binary uses a part.

use std::sync::Arc;
use threshold_dat::{DatId, IdScheme, records::DatRecord};
use threshold_world::{
    Library, Problem, World, load_all,
    source::{DatSource, MemorySource, Source},
};

/// A golden world in memory.
pub(crate) fn copy(world: &str) -> MemorySource {
    MemorySource::copy_of(&DatSource::open(threshold_golden::world_dir(world)).unwrap()).unwrap()
}

/// Changes one record.
pub(crate) fn edit<R: DatRecord>(
    source: &mut MemorySource,
    scheme: IdScheme,
    id: u32,
    change: impl FnOnce(&mut R),
) {
    let id = DatId(id);
    let mut record = R::load(id, &source.record(scheme, id).unwrap().expect("the record exists")).unwrap();
    change(&mut record);
    source.insert_record(scheme, id, &record).unwrap();
}

/// Everything resident.
pub(crate) fn load(source: MemorySource) -> (World, Vec<Problem>) {
    load_all(&Library::new(Arc::new(source))).unwrap()
}
