//! Lints of one landblock: its terrain, its records, its cells and buildings.

use super::{Finding, Lint, Report, building, cell};
use crate::{BlockId, Library, build, cell::CellStruct, landblock::Landblock, library::read, load_block};
use glam::Vec3;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use threshold_dat::{
    DatId, Error, IdScheme,
    records::{self, DatRecord, LandBlock, LandBlockInfo},
};

/// The records of a block, and what loading makes of them.
pub(super) struct Block<'l> {
    pub(super) library: &'l Library,
    pub(super) id: BlockId,
    /// Empty when there is no usable record.
    pub(super) info: LandBlockInfo,
    /// Cells that can be read.
    pub(super) cells: BTreeMap<u16, records::EnvCell>,
    /// Structures of those cells, where they exist.
    pub(super) structures: BTreeMap<u16, Arc<CellStruct>>,
    pub(super) loaded: Arc<Landblock>,
}

/// Lints of a block, in order of id. Records that several blocks share are checked by [`super::check_shape`].
pub fn check_block(library: &Library, id: BlockId) -> Result<Vec<Finding>, Error> {
    let mut report = Report::default();
    terrain(library, id, &mut report)?;
    let block = Block::read(library, id, &mut report)?;
    unreachable_cells(&block, &mut report);
    for low in block.cells.keys() {
        cell::check(&block, *low, &mut report)?;
    }
    building::check(&block, &mut report)?;
    Ok(report.finish())
}

/// Environments, meshes and models that a block uses, for [`super::check_shape`].
pub fn shapes_of_block(library: &Library, id: BlockId) -> Result<BTreeSet<DatId>, Error> {
    let block = load_block(library, id)?.block;
    let cells = || block.env_cells.iter().flatten();
    let statics =
        block.statics.iter().chain(cells().flat_map(|cell| &cell.statics)).map(|object| object.model_id);
    let mut shapes: BTreeSet<DatId> =
        statics.chain(block.buildings.iter().map(|building| building.model_id)).collect();
    shapes.extend(cells().map(|cell| cell.structure.environment));
    for model in shapes.clone().into_iter().filter(|id| id.0 >> 24 == 0x02) {
        let model = library.model(model)?;
        let parts = model.iter().flat_map(|m| &m.parts);
        shapes.extend(parts.filter_map(|part| part.mesh.as_ref()).map(|mesh| mesh.id));
    }
    Ok(shapes)
}

/// The terrain, and its edges towards the blocks to the east and north.
fn terrain(library: &Library, id: BlockId, report: &mut Report) -> Result<(), Error> {
    let own_id = DatId(id.cell(0xFFFF).0);
    if library.source().record(IdScheme::Cell, own_id)?.is_none() {
        report.find(own_id, Lint::MissingRecord, "the block has no terrain");
    }
    let Some(own) = read_or_report::<LandBlock>(library, own_id, report)? else { return Ok(()) };
    for (dx, dy) in [(1, 0), (0, 1)] {
        let other = DatId(BlockId::new(id.x().saturating_add(dx), id.y().saturating_add(dy)).cell(0xFFFF).0);
        // Its own check tells when it cannot be read.
        let Ok(Some(neighbour)) = read::<LandBlock>(&**library.source(), IdScheme::Cell, other) else {
            continue;
        };
        let edge = |i: usize| if dx == 1 { (72 + i, i) } else { (i * 9 + 8, i * 9) };
        let differing = (0..9).filter(|&i| own.heights[edge(i).0] != neighbour.heights[edge(i).1]).count();
        if differing > 0 {
            report.find(
                own_id,
                Lint::TerrainSeam,
                format!("{differing} of 9 heights differ from those of {other}"),
            );
        }
    }
    Ok(())
}

fn read_or_report<R: DatRecord>(
    library: &Library,
    id: DatId,
    report: &mut Report,
) -> Result<Option<R>, Error> {
    match read(&**library.source(), IdScheme::Cell, id) {
        Err(error) if !error.is_transient() => {
            report.unreadable(id, &error);
            Ok(None)
        }
        other => other,
    }
}

impl<'l> Block<'l> {
    pub(super) fn read(library: &'l Library, id: BlockId, report: &mut Report) -> Result<Block<'l>, Error> {
        let record = |low: u16| DatId(id.cell(low).0);
        let listing = library.source().ids(IdScheme::Cell, record(0x100)..=record(0xFFFD))?;
        for error in &listing.damage {
            report.unreadable(record(0xFFFE), error);
        }
        let ids = listing.ids;
        let mut cells = BTreeMap::new();
        for id in &ids {
            if let Some(cell) = read_or_report::<records::EnvCell>(library, *id, report)? {
                cells.insert(id.0 as u16, cell);
            }
        }
        let info_id = record(0xFFFE);
        let info = read_or_report::<LandBlockInfo>(library, info_id, report)?;
        match &info {
            None if ids.is_empty() => {}
            None => {
                let what = format!("{} interior cells exist, but no usable LandBlockInfo", ids.len());
                report.find(info_id, Lint::MissingRecord, what);
            }
            Some(info) => {
                let gaps = ids.iter().zip(0x100..).any(|(id, expected)| id.0 & 0xFFFF != expected);
                if gaps || info.cell_count as usize != ids.len() {
                    let gaps = if gaps { ", with gaps between their numbers" } else { "" };
                    let what = format!("counts {} cells; {} exist{gaps}", info.cell_count, ids.len());
                    report.find(info_id, Lint::CellCount, what);
                }
            }
        }
        let mut structures = BTreeMap::new();
        for (&low, cell) in &cells {
            let (environment, key) = (cell.environment_id(), cell.structure);
            match library.structure(environment, key.into())? {
                Some(structure) => {
                    structures.insert(low, structure);
                }
                None => {
                    let what = format!("structure {key} of {environment} does not exist or cannot be read");
                    report.find(record(low), Lint::MissingRecord, what);
                }
            }
        }
        let loaded = load_block(library, id)?.block;
        Ok(Block { library, id, info: info.unwrap_or_default(), cells, structures, loaded })
    }

    /// Id of a record of the block.
    pub(super) fn record(&self, low: u16) -> DatId {
        DatId(self.id.cell(low).0)
    }

    /// Corners of a polygon of a cell's structure in block coordinates; `None` when it cannot be used.
    pub(super) fn corners(&self, low: u16, polygon: u16) -> Option<Vec<Vec3>> {
        let set = &self.structures.get(&low)?.portal_polygons;
        let polygon = &set.polygons()[set.index_of(polygon)?];
        let frame = build::frame(&self.cells.get(&low)?.frame);
        Some(set.vertices(polygon).map(|p| frame.apply(p)).collect())
    }

    /// The middle of a cell's corners in block coordinates.
    pub(super) fn middle(&self, low: u16) -> Option<Vec3> {
        let set = &self.structures.get(&low)?.portal_polygons;
        let mut corners: Vec<Vec3> = set.polygons().iter().flat_map(|p| set.vertices(p)).collect();
        corners.sort_by(|a, b| a.to_array().map(f32::to_bits).cmp(&b.to_array().map(f32::to_bits)));
        corners.dedup();
        let frame = build::frame(&self.cells.get(&low)?.frame);
        (!corners.is_empty()).then(|| frame.apply(corners.iter().sum::<Vec3>() / corners.len() as f32))
    }

    /// A model that is placed somewhere must exist. Returns whether it can be used.
    pub(super) fn model(
        &self,
        id: DatId,
        whose: &str,
        model: DatId,
        report: &mut Report,
    ) -> Result<bool, Error> {
        let usable = matches!(model.0 >> 24, 1 | 2) && self.library.model(model)?.is_some();
        if !usable {
            report.find(
                id,
                Lint::MissingRecord,
                format!("{whose}: model {model} does not exist or cannot be used"),
            );
        }
        Ok(usable)
    }
}

/// Cells that no portal leads to.
fn unreachable_cells(block: &Block<'_>, report: &mut Report) {
    let mut reached: BTreeSet<u16> = block
        .info
        .buildings
        .iter()
        .flat_map(|building| &building.portals)
        .map(|portal| portal.other_cell)
        .collect();
    for (&low, cell) in &block.cells {
        let portals = cell.portals.iter().filter(|portal| !portal.is_exit() && portal.other_cell != low);
        reached.extend(portals.map(|portal| portal.other_cell));
    }
    for &low in block.cells.keys().filter(|low| !reached.contains(low)) {
        let what = "no portal of another cell or of a building leads here";
        report.find(block.record(low), Lint::UnreachableCell, what);
    }
}
