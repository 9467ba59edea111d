//! Visible-cell lists as they are and as they should be.

use super::{Finding, Lint, Repair, Report, block::Block, building, cell, repair::repair};
use crate::{
    BlockId, Library,
    library::read,
    visible::{Opening, Rooms, Visibility},
};
use std::collections::BTreeSet;
use threshold_dat::{DatId, Error, IdScheme, records::DatRecord};

/// What is said of portals that are not set right.
const PORTAL_LINTS: [Lint; 6] = [
    Lint::PortalTarget,
    Lint::PortalPolygon,
    Lint::PortalSide,
    Lint::OneWayPortal,
    Lint::PortalIndex,
    Lint::PortalsApart,
];

/// What becomes of entries that cannot be seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Superfluous {
    /// They are found and left out.
    #[default]
    Remove,
    /// They are no fault.
    Keep,
}

/// A list of visible cells that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisibleList {
    /// The record: an interior cell, or the LandBlockInfo with the building.
    pub id: DatId,
    /// The building and its portal, in a LandBlockInfo.
    pub door: Option<(usize, usize)>,
    /// Cells that can be seen and are not listed.
    pub missing: Vec<u16>,
    /// Cells that are listed and cannot be seen, or do not exist, or are listed twice.
    pub superfluous: Vec<u16>,
}

/// What there is to say about the lists and portals of a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockLists {
    /// Interior cells that were looked at.
    pub cells: usize,
    /// Entries of all lists as they are, and as they should be.
    pub entries: [usize; 2],
    /// Lists that are not as they should be.
    pub lists: Vec<VisibleList>,
    /// Portals that can be set right without a doubt.
    pub repairs: Vec<Repair>,
    /// What else is wrong with portals.
    pub uncertain: Vec<Finding>,
    /// Openings for which an exact answer takes too long: more is listed there than can be seen.
    pub coarse: usize,
    /// The changed records, as they are to be stored.
    pub changed: Vec<(DatId, Vec<u8>)>,
    /// Records that would have to be changed and cannot, and why.
    pub unwritable: Vec<(DatId, String)>,
}

/// Compares the visible-cell lists of a block with what can be seen through its portals, as those are once they are set right.
pub fn visible_lists(library: &Library, id: BlockId, superfluous: Superfluous) -> Result<BlockLists, Error> {
    let record = |low: u16| DatId(id.cell(low).0);
    let cells = library.source().ids(IdScheme::Cell, record(0x100)..=record(0xFFFD))?;
    if cells.ids.is_empty() && cells.damage.is_empty() {
        return Ok(BlockLists::default());
    }
    let mut ignored = Report::default();
    let mut block = Block::read(library, id, &mut ignored)?;
    let mut found = BlockLists { cells: block.cells.len(), ..BlockLists::default() };
    let before = (block.cells.clone(), block.info.clone());
    found.repairs = repair(&mut block);
    found.uncertain = uncertain(&block);
    let (rooms, doors) = rooms(&block);
    match rooms.visible() {
        Ok(visibility) => {
            // What cannot be read may be all right once it can.
            let known = |id: &DatId| block.cells.contains_key(&(id.0 as u16));
            let unreadable: BTreeSet<u16> =
                cells.ids.iter().filter(|id| !known(id)).map(|id| id.0 as u16).collect();
            let is_spared = |low: u16| superfluous == Superfluous::Keep || unreadable.contains(&low);
            compare(&mut block, &visibility, &doors, is_spared, &mut found);
        }
        Err(error) => found.unwritable.push((record(0xFFFE), error.to_string())),
    }
    for (&low, cell) in &block.cells {
        if before.0.get(&low) != Some(cell) {
            keep(library, record(low), cell, &mut found)?;
        }
    }
    if before.1 != block.info {
        keep(library, record(0xFFFE), &block.info, &mut found)?;
    }
    Ok(found)
}

fn uncertain(block: &Block<'_>) -> Vec<Finding> {
    let mut report = Report::default();
    for (&low, cell) in &block.cells {
        cell::check_portals(block, low, cell, &mut report);
    }
    building::check_portals(block, &mut report);
    let mut findings = report.finish();
    findings.retain(|finding| PORTAL_LINTS.contains(&finding.lint));
    findings
}

/// The openings of a block, and for each door the building and portal that it is.
fn rooms(block: &Block<'_>) -> (Rooms, Vec<(usize, usize)>) {
    let mut rooms = Rooms::default();
    for (&low, cell) in &block.cells {
        let inner = cell.portals.iter().filter(|portal| !portal.is_exit());
        let openings = inner.map(|portal| Opening {
            // One without a polygon is closed, but leads to its cell all the same.
            corners: block.corners(low, portal.polygon).unwrap_or_default(),
            owner_is_positive: portal.flags.owner_is_positive(),
            target: portal.other_cell,
        });
        rooms.rooms.insert(low, openings.collect());
    }
    let mut doors = Vec::new();
    for door in building::shell_openings(block) {
        doors.push((door.building, door.index));
        rooms.doors.push(Opening {
            corners: door.corners,
            owner_is_positive: door.portal.flags.owner_is_positive(),
            target: door.portal.other_cell,
        });
    }
    (rooms, doors)
}

/// Puts the right lists into the records, and notes where they differ.
fn compare(
    block: &mut Block<'_>,
    visibility: &Visibility,
    doors: &[(usize, usize)],
    is_spared: impl Fn(u16) -> bool,
    found: &mut BlockLists,
) {
    found.coarse = visibility.coarse;
    let block_id = block.id;
    let record = |low: u16| DatId(block_id.cell(low).0);
    for (&low, seen) in &visibility.rooms {
        let Some(cell) = block.cells.get_mut(&low) else { continue };
        let spared = |other: u16| other == low || is_spared(other);
        found.compare(record(low), None, &mut cell.visible_cells, seen, spared);
    }
    for (&(building, portal), seen) in doors.iter().zip(&visibility.doors) {
        let stored = block.info.buildings.get_mut(building).and_then(|stored| stored.portals.get_mut(portal));
        let Some(stored) = stored else { continue };
        found.compare(record(0xFFFE), Some((building, portal)), &mut stored.visible_cells, seen, &is_spared);
    }
}

impl BlockLists {
    /// What stays keeps its place; what was missing is added at the end. Whether a cell lists itself is its own affair.
    fn compare(
        &mut self,
        id: DatId,
        door: Option<(usize, usize)>,
        list: &mut Vec<u16>,
        seen: &BTreeSet<u16>,
        is_spared: impl Fn(u16) -> bool,
    ) {
        let mut kept = BTreeSet::new();
        let (stays, superfluous): (Vec<u16>, Vec<u16>) =
            list.iter().partition(|low| (seen.contains(low) || is_spared(**low)) && kept.insert(**low));
        let missing: Vec<u16> = seen.difference(&kept).copied().collect();
        self.entries[0] += list.len();
        self.entries[1] += stays.len() + missing.len();
        if missing.is_empty() && superfluous.is_empty() {
            return;
        }
        *list = stays.into_iter().chain(missing.iter().copied()).collect();
        self.lists.push(VisibleList { id, door, missing, superfluous });
    }
}

/// Keeps a changed record, if nothing of the stored one is lost by writing it again.
fn keep<R: DatRecord>(
    library: &Library,
    id: DatId,
    changed: &R,
    found: &mut BlockLists,
) -> Result<(), Error> {
    let Some(stored) = library.source().record(IdScheme::Cell, id)? else { return Ok(()) };
    let same = read::<R>(&**library.source(), IdScheme::Cell, id)?
        .is_some_and(|record| record.encode(id).is_ok_and(|bytes| bytes[..] == stored[..]));
    let bytes = if same {
        changed.encode(id).map_err(|error| error.to_string())
    } else {
        Err("the record has parts that are not understood".to_owned())
    };
    match bytes {
        Ok(bytes) => found.changed.push((id, bytes)),
        Err(why) => found.unwritable.push((id, why)),
    }
    Ok(())
}
