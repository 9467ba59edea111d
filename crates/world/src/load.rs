//! Landblocks from records.
//!
//! Two passes, because the meaning of a portal or a list depends on which other cells exist: first all cell records of
//! the block are read, then the cells are built. Spec: dat-cell §2–§6.

use crate::{
    BlockId, World, build,
    cell::{CellPortal, CellStruct, EnvCell, PortalTarget, StaticObject},
    coords::adjust_to_outside,
    frame::Position,
    landblock::{Building, BuildingPortal, Landblock},
    library::{Library, REGION, read},
    model::{Mesh, Model},
    parallel,
    problem::Problem,
    scenery::grow,
    source::Source,
    terrain::Terrain,
};
use std::sync::Arc;
use threshold_dat::{
    DatId, Error, IdScheme,
    records::{self, DatRecord},
};

/// First number of an interior cell.
const FIRST_CELL: u16 = 0x100;
/// Numbers that a block with few cells may leave out; each costs as much memory as a cell.
const GAPS: usize = 4096;
/// The first id that a record of a block can have.
const FIRST_BLOCK: DatId = DatId(0);
/// Terrain type of the block that stands in for a missing one.
const DEEP_SEA: u16 = 20;

/// By default, a world of at most this many blocks is loaded completely; a larger one on demand.
pub const SMALL_WORLD: usize = 1024;

/// How often a source that cannot answer is asked before loading everything fails.
const ATTEMPTS: usize = 3;

/// A block, and the problems found while loading it.
#[derive(Clone, Debug)]
pub struct LoadedBlock {
    /// The block.
    pub block: Arc<Landblock>,
    /// Whether its LandBlock record can be used; see [`Landblock::has_land`] for blocks without one.
    /// Spec: dat-cell §2.
    pub has_terrain: bool,
    /// What was omitted.
    pub problems: Vec<Problem>,
}

/// Loads a block with the models of its objects. An error means that the source could not answer at the moment; damaged
/// and missing records are problems of the loaded block instead.
///
/// Every loader follows this rule for land: a block with a usable LandBlock record has its terrain; another block of
/// the map ([`block_ids`]), in a source with a region, is flat deep sea, which is reported as a problem; a block
/// beyond the map has no land. Spec: dat-cell §2.
pub fn load_block(library: &Library, id: BlockId) -> Result<LoadedBlock, Error> {
    let mut loader = Loader { library, id, problems: Vec::new() };
    let land = loader.land()?;
    let info = loader.info()?;
    let cells = loader.cell_records(info.as_ref())?;
    let built = loader.env_cells(&cells)?;
    let has_terrain = matches!(land, Land::Usable(_));
    let has_records = !matches!(land, Land::Absent) || info.is_some() || !cells.0.is_empty();
    let has_region = || Ok::<_, Error>(library.source().record(IdScheme::Portal, REGION)?.is_some());
    let is_on_map = has_records || library.has_block(id)?;
    let has_land = has_terrain || (is_on_map && has_region()?);
    let terrain = loader.terrain(land, is_on_map)?;
    let info = info.unwrap_or_default();
    let buildings = loader.buildings(&info.buildings, &cells, &built)?;
    let statics = loader.statics(DatId(id.cell(0xFFFE).0), &info.objects)?;
    let mut block = Landblock {
        id,
        terrain,
        has_land,
        cell_buildings: Landblock::assign_buildings(id, &buildings),
        buildings,
        statics,
        scenery: Box::default(),
        env_cells: built.into_env_cells(),
        restrictions: info.restrictions.iter().flat_map(|table| &table.entries).copied().collect(),
    };
    if has_terrain && library.grows_scenery() {
        block.scenery = grow(&block, library)?.into();
    }
    Ok(LoadedBlock { block: Arc::new(block), has_terrain, problems: loader.problems })
}

/// Loads every block of the map, with all its cells resident. Problems are in order of id.
///
/// A source that cannot answer is retried a few times, which is reported as a problem; if it still fails, nothing is loaded.
pub fn load_all(library: &Library) -> Result<(World, Vec<Problem>), Error> {
    let (ids, damage) = insist(library, FIRST_BLOCK, || block_ids(&**library.source()))?;
    let load = |&id: &BlockId| insist(library, DatId(id.cell(0xFFFF).0), || load_block(library, id));
    let loaded = parallel::map(&ids, load).into_iter().collect::<Result<Vec<LoadedBlock>, _>>()?;
    let mut world = World::new();
    let mut problems = library.take_problems();
    problems.extend(damage);
    for LoadedBlock { block, problems: own, .. } in loaded {
        world.insert_resident(block);
        problems.extend(own);
    }
    problems.sort();
    Ok((world, problems))
}

/// Asks a few times for what the source may not be able to read now.
fn insist<T>(library: &Library, id: DatId, ask: impl Fn() -> Result<T, Error>) -> Result<T, Error> {
    let mut result = ask();
    for _ in 1..ATTEMPTS {
        let Err(error) = &result else { break };
        library.report(Problem::new(id, format!("could not be read at first: {error}")));
        result = ask();
    }
    result
}

/// Blocks of the map, ascending, and problems of the directory.
///
/// The map has every block of which the source has any record, and the holes among them: blocks without any record that
/// have others to the west, the east, the south and the north. Beyond those the map ends: a source may hold a part of the
/// game's 255 × 255 blocks. Spec: dat-cell §2.
pub fn block_ids(source: &dyn Source) -> Result<(Vec<BlockId>, Vec<Problem>), Error> {
    let listing = source.ids(IdScheme::Cell, FIRST_BLOCK..=DatId(0xFEFE_FFFF))?;
    let ids = listing.ids.into_iter().map(|id| BlockId((id.0 >> 16) as u16));
    let mut blocks: Vec<BlockId> = ids.filter(|id| id.is_on_map()).collect();
    blocks.dedup();
    fill_holes(&mut blocks);
    let what = |error: &Error| format!("blocks may be missing: {error}");
    let problems = listing.damage.iter().map(|error| Problem::new(FIRST_BLOCK, what(error)));
    Ok((blocks, problems.collect()))
}

/// Adds the blocks that have others on all four sides.
fn fill_holes(blocks: &mut Vec<BlockId>) {
    let (mut columns, mut rows) = ([(u8::MAX, 0); 256], [(u8::MAX, 0); 256]);
    for block in blocks.iter() {
        let (x, y) = (block.x(), block.y());
        let grow =
            |(first, last): &mut (u8, u8), at: u8| (*first, *last) = ((*first).min(at), (*last).max(at));
        grow(&mut columns[usize::from(x)], y);
        grow(&mut rows[usize::from(y)], x);
    }
    let is_within = |(first, last): (u8, u8), at: u8| first < at && at < last;
    let is_enclosed = |block: &BlockId| {
        let (x, y) = (block.x(), block.y());
        is_within(columns[usize::from(x)], y) && is_within(rows[usize::from(y)], x)
    };
    let enclosed: Vec<BlockId> = (0..=u16::MAX).map(BlockId).filter(is_enclosed).collect();
    blocks.extend(enclosed);
    blocks.sort_unstable();
    blocks.dedup();
}

/// A block's LandBlock record.
enum Land {
    Usable(Box<records::LandBlock>),
    Damaged,
    Absent,
}

/// Cell records of a block by number from [`FIRST_CELL`].
struct CellRecords(Vec<Option<records::EnvCell>>);

impl CellRecords {
    fn get(&self, low: u16) -> Option<&records::EnvCell> {
        self.0.get(usize::from(low.checked_sub(FIRST_CELL)?))?.as_ref()
    }

    /// A list of cell numbers without repetitions, missing cells and `own`. Spec: dat-cell §4, bad input.
    fn known(&self, list: &[u16], own: Option<u16>) -> Box<[u16]> {
        let mut seen = vec![false; self.0.len()];
        let is_news = |low: &u16| !std::mem::replace(&mut seen[usize::from(low - FIRST_CELL)], true);
        let wanted = |low: &u16| Some(*low) != own && self.get(*low).is_some();
        list.iter().copied().filter(wanted).filter(is_news).collect()
    }
}

/// Built cells by number from [`FIRST_CELL`], each with the stored index of every portal that was kept.
struct BuiltCells(Vec<Option<(EnvCell, Vec<u16>)>>);

impl BuiltCells {
    /// The index among the kept portals of what a record calls portal `stored` of cell `low`.
    fn kept_portal(&self, low: u16, stored: u16) -> Option<u16> {
        let (_, kept) = self.0.get(usize::from(low.checked_sub(FIRST_CELL)?))?.as_ref()?;
        kept.binary_search(&stored).ok().map(|index| index as u16)
    }

    /// Portals refer to each other by the indices of the records; leaving one out moves those behind it.
    fn renumber_portals(&mut self) {
        for cell in 0..self.0.len() {
            let portals = self.0[cell].as_ref().map_or(0, |(cell, _)| cell.portals.len());
            for portal in 0..portals {
                let Some((owner, _)) = &self.0[cell] else { continue };
                let CellPortal { target, other_portal, .. } = owner.portals[portal];
                let renumbered = match target {
                    PortalTarget::Cell(id) => {
                        other_portal.and_then(|stored| self.kept_portal(id.low(), stored))
                    }
                    PortalTarget::Outside => None,
                };
                if let Some((owner, _)) = &mut self.0[cell] {
                    owner.portals[portal].other_portal = renumbered;
                }
            }
        }
    }

    fn into_env_cells(self) -> Box<[Option<EnvCell>]> {
        self.0.into_iter().map(|cell| cell.map(|(cell, _)| cell)).collect()
    }
}

struct Loader<'l> {
    library: &'l Library,
    id: BlockId,
    problems: Vec<Problem>,
}

impl Loader<'_> {
    fn problem(&mut self, id: DatId, what: impl Into<String>) {
        self.problems.push(Problem::new(id, what));
    }

    /// A cell-file record; damage is a problem, and the record then counts as missing.
    fn read<R: DatRecord>(&mut self, id: DatId) -> Result<Option<R>, Error> {
        match read(&**self.library.source(), IdScheme::Cell, id) {
            Err(error) if !error.is_transient() => {
                self.problems.push(Problem::unreadable(id, &error));
                Ok(None)
            }
            other => other,
        }
    }

    fn land(&mut self) -> Result<Land, Error> {
        let id = DatId(self.id.cell(0xFFFF).0);
        match read(&**self.library.source(), IdScheme::Cell, id) {
            Ok(record) => Ok(record.map_or(Land::Absent, |record| Land::Usable(Box::new(record)))),
            Err(error) if error.is_transient() => Err(error),
            Err(error) => {
                self.problems.push(Problem::unreadable(id, &error));
                Ok(Land::Damaged)
            }
        }
    }

    fn terrain(&mut self, land: Land, is_on_map: bool) -> Result<Terrain, Error> {
        let Land::Usable(record) = land else {
            if is_on_map {
                let id = DatId(self.id.cell(0xFFFF).0);
                self.problem(id, "no usable terrain; a flat deep sea takes its place");
            }
            return Ok(Terrain::new(self.id, [0.0; 81], [DEEP_SEA << 2; 81]));
        };
        let table = self.library.heights()?;
        let heights = record.heights.map(|index| table[usize::from(index)]);
        Ok(Terrain::new(self.id, heights, record.terrain.map(|word| word.0)))
    }

    fn info(&mut self) -> Result<Option<records::LandBlockInfo>, Error> {
        self.read(DatId(self.id.cell(0xFFFE).0))
    }

    /// Reads the cells that the info record counts, or, without a usable one, those that exist.
    fn cell_records(&mut self, info: Option<&records::LandBlockInfo>) -> Result<CellRecords, Error> {
        let info_id = DatId(self.id.cell(0xFFFE).0);
        let (first, last) = (DatId(self.id.cell(FIRST_CELL).0), DatId(self.id.cell(0xFFFD).0));
        let mut ids = match info {
            Some(info) if info.cell_count == 0 => Vec::new(),
            _ => {
                let listing = self.library.source().ids(IdScheme::Cell, first..=last)?;
                for error in &listing.damage {
                    self.problem(info_id, format!("interior cells may be missing: {error}"));
                }
                listing.ids
            }
        };
        if let Some(info) = info {
            let expected = info.cell_count as usize;
            ids.retain(|id| ((id.0 - first.0) as usize) < expected);
            if ids.len() < expected {
                self.problem(info_id, format!("{expected} interior cells are counted, {} exist", ids.len()));
            }
        }
        // Cells are numbered without gaps; a few may be missing, but one far away must not cost memory for all between.
        let limit = 4 * ids.len() + GAPS;
        let mut cells = Vec::new();
        for id in ids {
            let index = (id.0 - first.0) as usize;
            if index >= limit {
                self.problem(id, "is too far from the other cells of its block and left out");
                continue;
            }
            cells.resize_with(index + 1, || None);
            cells[index] = self.read(id)?;
        }
        Ok(CellRecords(cells))
    }

    fn env_cells(&mut self, cells: &CellRecords) -> Result<BuiltCells, Error> {
        let mut built = BuiltCells(Vec::with_capacity(cells.0.len()));
        for (low, record) in (FIRST_CELL..).zip(&cells.0) {
            built.0.push(match record {
                Some(record) => self.env_cell(low, record, cells)?,
                None => None,
            });
        }
        built.renumber_portals();
        Ok(built)
    }

    /// The cell, and for each of its portals the index in the record.
    fn env_cell(
        &mut self,
        low: u16,
        record: &records::EnvCell,
        cells: &CellRecords,
    ) -> Result<Option<(EnvCell, Vec<u16>)>, Error> {
        let id = self.id.cell(low);
        let environment = record.environment_id();
        let Some(structure) = self.library.structure(environment, u32::from(record.structure))? else {
            let what = format!(
                "structure {} of {environment} does not exist; the cell is left out",
                record.structure
            );
            self.problem(DatId(id.0), what);
            return Ok(None);
        };
        let (mut portals, mut kept) =
            (Vec::with_capacity(record.portals.len()), Vec::with_capacity(record.portals.len()));
        for (index, stored) in (0u16..).zip(&record.portals) {
            match self.cell_portal(low, stored, &structure, cells) {
                Ok(portal) => {
                    portals.push(portal);
                    kept.push(index);
                }
                Err(what) => self.problem(DatId(id.0), format!("portal {index} {what}; it is left out")),
            }
        }
        let cell = EnvCell {
            position: Position::new(id, build::frame(&record.frame)),
            structure,
            portals: portals.into(),
            visible_cells: cells.known(&record.visible_cells, Some(low)),
            seen_outside: record.seen_outside(),
            statics: self.statics(DatId(id.0), &record.statics)?,
            surfaces: record.surfaces.as_slice().into(),
            restriction: record.restriction,
        };
        Ok(Some((cell, kept)))
    }

    /// A portal, or why it cannot be one. Spec: dat-cell §4, bad input.
    fn cell_portal(
        &mut self,
        low: u16,
        stored: &records::CellPortal,
        structure: &CellStruct,
        cells: &CellRecords,
    ) -> Result<CellPortal, String> {
        let polygon = structure.portal_polygons.index_of(stored.polygon);
        let polygon = polygon
            .ok_or_else(|| format!("uses polygon {}, which does not exist or has no area", stored.polygon))?;
        let other = self.id.cell(stored.other_cell);
        let target = match stored.is_exit() {
            true => PortalTarget::Outside,
            false if stored.other_cell == low => return Err("leads to its own cell".into()),
            false => PortalTarget::Cell(other),
        };
        if !stored.is_exit() && cells.get(stored.other_cell).is_none() {
            self.problem(
                DatId(self.id.cell(low).0),
                format!("a portal leads to {other}, which does not exist; it stays closed"),
            );
        }
        Ok(CellPortal {
            plane: structure.portal_polygons.polygons()[polygon].plane,
            polygon: polygon as u16,
            target,
            other_portal: u16::try_from(stored.other_portal).ok(),
            exact_match: stored.flags.is_exact(),
            neighbour_is_positive: !stored.flags.owner_is_positive(),
        })
    }

    fn statics(
        &mut self,
        owner: DatId,
        objects: &[records::PlacedObject],
    ) -> Result<Box<[StaticObject]>, Error> {
        let mut statics = Vec::with_capacity(objects.len());
        for (index, object) in objects.iter().enumerate() {
            if !object.frame.is_placed() {
                self.problem(
                    owner,
                    format!("object {index} ({}) has an invalid position and is omitted", object.model),
                );
            } else if !matches!(object.model.0 >> 24, 0x01 | 0x02) {
                self.problem(
                    owner,
                    format!("object {index}: {} is not a model; it is omitted", object.model),
                );
            } else {
                statics.push(StaticObject {
                    model_id: object.model,
                    model: self.library.model(object.model)?,
                    frame: build::frame(&object.frame),
                });
            }
        }
        Ok(statics.into())
    }

    fn buildings(
        &mut self,
        stored: &[records::Building],
        cells: &CellRecords,
        built: &BuiltCells,
    ) -> Result<Box<[Building]>, Error> {
        let owner = DatId(self.id.cell(0xFFFE).0);
        let mut buildings = Vec::with_capacity(stored.len());
        for (index, record) in stored.iter().enumerate() {
            if !record.frame.is_placed() {
                self.problem(
                    owner,
                    format!("building {index} ({}) has an invalid position and is omitted", record.model),
                );
                continue;
            }
            let model = self.library.model(record.model)?;
            if model.is_none() {
                self.problem(owner, format!("building {index}: its shell {} cannot be used", record.model));
            }
            let mut frame = build::frame(&record.frame);
            // Off the map it belongs to no cell.
            let (cell, origin) = adjust_to_outside(self.id.cell(0xFFFF), frame.origin)
                .unwrap_or((self.id.cell(0), frame.origin));
            frame.origin = origin;
            let portals = (0..)
                .zip(&record.portals)
                .map(|(i, portal)| self.building_portal(index, i, portal, cells, built));
            let portals = portals.collect();
            let levels = self.shell_levels(model.as_deref())?;
            let building = Building::new(record.model, model, Position::new(cell, frame), portals);
            buildings.push(Building { levels, ..building });
        }
        Ok(buildings.into())
    }

    /// Meshes of a shell's distance ladder besides its own.
    fn shell_levels(&self, model: Option<&Model>) -> Result<Box<[Arc<Mesh>]>, Error> {
        let shell = model.and_then(|model| model.parts.first()?.mesh.as_ref());
        let ladder = shell.and_then(|shell| shell.ladder.as_ref());
        let levels = ladder.iter().flat_map(|ladder| ladder.levels()).filter_map(|level| level.mesh);
        let others = levels.filter(|id| shell.is_some_and(|shell| shell.id != *id));
        let meshes: Result<Vec<_>, Error> = others.map(|id| self.library.mesh(id)).collect();
        Ok(meshes?.into_iter().flatten().collect())
    }

    fn building_portal(
        &mut self,
        building: usize,
        index: usize,
        stored: &records::BuildingPortal,
        cells: &CellRecords,
        built: &BuiltCells,
    ) -> BuildingPortal {
        let cell = self.id.cell(stored.other_cell);
        if cells.get(stored.other_cell).is_none() {
            let what = format!(
                "building {building}, portal {index} leads to {cell}, which does not exist; it stays closed"
            );
            self.problem(DatId(self.id.cell(0xFFFE).0), what);
        }
        BuildingPortal {
            cell,
            other_portal: u16::try_from(stored.other_portal)
                .ok()
                .and_then(|i| built.kept_portal(stored.other_cell, i)),
            exact_match: stored.flags.is_exact(),
            neighbour_is_positive: !stored.flags.owner_is_positive(),
            visible_cells: cells.known(&stored.visible_cells, None),
        }
    }
}
