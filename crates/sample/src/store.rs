//! Records to be written to dat files.

use std::collections::BTreeMap;
use threshold_dat::{
    DatId, Error, RecordError, RecordKind,
    container::{Attributes, Builder, FileKind, Header},
    records::{DatRecord, EnvCell, Iteration, LandBlock, LandBlockInfo},
};

/// Encoded records by id, for both files of a world. Numbers are assigned in order of adding.
#[derive(Debug, Default)]
pub struct Store {
    portal: BTreeMap<DatId, Vec<u8>>,
    cell: BTreeMap<DatId, Vec<u8>>,
    next: BTreeMap<u32, u32>,
}

impl Store {
    /// Reserves an unused number for a record of this kind; 1 is the first.
    pub fn reserve<R: DatRecord>(&mut self) -> DatId {
        let base = first_id(R::KIND);
        let next = self.next.entry(base).or_insert(1);
        let id = DatId(base + *next);
        *next += 1;
        id
    }

    /// Adds a record to the portal file under the next free number.
    pub fn add<R: DatRecord>(&mut self, record: &R) -> Result<DatId, RecordError> {
        let id = self.reserve::<R>();
        self.put(id, record)?;
        Ok(id)
    }

    /// Stores a record under a given id, in the file its kind belongs to.
    pub fn put<R: DatRecord>(&mut self, id: DatId, record: &R) -> Result<(), RecordError> {
        let bytes = record.encode(id)?;
        let in_cell_file = [LandBlock::KIND, LandBlockInfo::KIND, EnvCell::KIND].contains(&R::KIND);
        let file = if in_cell_file { &mut self.cell } else { &mut self.portal };
        file.insert(id, bytes);
        Ok(())
    }

    /// Stores an encoded record in the portal file.
    pub(crate) fn put_portal(&mut self, id: DatId, bytes: Vec<u8>) {
        self.portal.insert(id, bytes);
    }

    /// All records of the portal file, by ascending id.
    pub fn portal(&self) -> &BTreeMap<DatId, Vec<u8>> {
        &self.portal
    }

    /// All records of the cell file, by ascending id.
    pub fn cell(&self) -> &BTreeMap<DatId, Vec<u8>> {
        &self.cell
    }

    /// `client_portal.dat`.
    pub fn portal_file(&self) -> Result<Vec<u8>, Error> {
        file(FileKind::Portal, &self.portal)
    }

    /// `client_cell_1.dat`.
    pub fn cell_file(&self) -> Result<Vec<u8>, Error> {
        file(FileKind::Cell, &self.cell)
    }
}

fn file(kind: FileKind, records: &BTreeMap<DatId, Vec<u8>>) -> Result<Vec<u8>, Error> {
    let mut builder = Builder::in_memory(Header::new(kind))?;
    for (id, bytes) in records {
        builder.add(*id, bytes, Attributes::default())?;
    }
    builder.into_bytes(&Iteration::complete(1))
}

/// Number 0 of a kind's range. Spec: dat §3.
fn first_id(kind: RecordKind) -> u32 {
    let high = match kind {
        RecordKind::GfxObj => 0x01,
        RecordKind::Setup => 0x02,
        RecordKind::Animation => 0x03,
        RecordKind::Palette => 0x04,
        RecordKind::SurfaceTexture => 0x05,
        RecordKind::RenderSurface => 0x06,
        RecordKind::Surface => 0x08,
        RecordKind::MotionTable => 0x09,
        RecordKind::Environment => 0x0D,
        RecordKind::PaletteSet => 0x0F,
        RecordKind::DegradeInfo => 0x11,
        RecordKind::Scene => 0x12,
        RecordKind::ParticleEmitter => 0x32,
        RecordKind::PhysicsScript => 0x33,
        RecordKind::PhysicsScriptTable => 0x34,
        _ => 0x7F,
    };
    high << 24
}
