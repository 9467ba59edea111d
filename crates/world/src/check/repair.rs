//! Portals that can be set right without a doubt.
//!
//! Two openings belong together when their polygons coincide, they look at each other, and at least one of them names the
//! other's cell already. Only where there is exactly one such opening anything is changed.

use super::{COINCIDENT, block::Block, building::shell_openings, geometry};
use crate::{build, geometry::polygon_plane};
use glam::Vec3;
use std::{collections::BTreeMap, fmt};
use threshold_dat::{
    DatId,
    records::{CellPortal, EnvCell, LandBlockInfo, PortalFlags},
};

/// Openings in one place among which no partner is looked for any more.
const CROWD: usize = 32;
/// Metres a side of the boxes that openings are sorted into.
const BOX: f32 = 0.25;

/// A field of a portal that can be set right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortalField {
    /// The flags.
    Flags(u16),
    /// The cell behind it.
    OtherCell(u16),
    /// The opening of that cell.
    OtherPortal(i16),
}

/// A correction of one field of one portal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The record: an interior cell, or the LandBlockInfo with the building.
    pub id: DatId,
    /// The building, in a LandBlockInfo.
    pub building: Option<usize>,
    /// Index of the portal.
    pub portal: usize,
    /// The field as it is.
    pub found: PortalField,
    /// The field as it should be.
    pub right: PortalField,
}

impl fmt::Display for PortalField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PortalField::Flags(flags) => write!(f, "flags {flags:#x}"),
            PortalField::OtherCell(cell) => write!(f, "other_cell {cell:#06x}"),
            PortalField::OtherPortal(portal) => write!(f, "other_portal {portal}"),
        }
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.id)?;
        if let Some(building) = self.building {
            write!(f, "building {building}, ")?;
        }
        write!(f, "portal {}: {} should be {}", self.portal, self.found, self.right)
    }
}

impl Repair {
    /// Puts the right value into a cell's record.
    pub(super) fn apply_to_cell(&self, cell: &mut EnvCell) {
        let Some(portal) = cell.portals.get_mut(self.portal) else { return };
        match self.right {
            PortalField::Flags(flags) => portal.flags = PortalFlags(flags),
            PortalField::OtherCell(cell) => portal.other_cell = cell,
            PortalField::OtherPortal(other) => portal.other_portal = other,
        }
    }

    /// Puts the right value into the record of a block's buildings.
    pub(super) fn apply_to_info(&self, info: &mut LandBlockInfo) {
        let building = self.building.and_then(|building| info.buildings.get_mut(building));
        let Some(portal) = building.and_then(|building| building.portals.get_mut(self.portal)) else {
            return;
        };
        match self.right {
            PortalField::Flags(flags) => portal.flags = PortalFlags(flags),
            PortalField::OtherCell(cell) => portal.other_cell = cell,
            PortalField::OtherPortal(other) => portal.other_portal = other,
        }
    }
}

/// Sets right what is certain in the records of a block, and returns what that was.
pub(super) fn repair(block: &mut Block<'_>) -> Vec<Repair> {
    let mut repairs = Vec::new();
    let mut change = |block: &mut Block<'_>, found: Vec<Repair>| {
        for repair in &found {
            match block.cells.get_mut(&(repair.id.0 as u16)) {
                Some(cell) => repair.apply_to_cell(cell),
                None => repair.apply_to_info(&mut block.info),
            }
        }
        repairs.extend(found);
    };
    // What looks which way must be right before partners are looked for.
    let found = flags_of_cells(block);
    change(block, found);
    let found = links(block);
    change(block, found);
    let found = doors(block);
    change(block, found);
    repairs
}

/// On which side of an opening a whole cell lies; `None` when it lies on both.
fn side_of_cell(block: &Block<'_>, low: u16, corners: &[Vec3]) -> Option<bool> {
    let plane = polygon_plane(corners)?;
    let set = &block.structures.get(&low)?.portal_polygons;
    let frame = build::frame(&block.cells.get(&low)?.frame);
    let distances =
        set.polygons().iter().flat_map(|p| set.vertices(p)).map(|p| plane.distance(frame.apply(p)));
    let (below, above) = distances.fold((0.0f32, 0.0f32), |(low, high), d| (low.min(d), high.max(d)));
    match (below < -COINCIDENT, above > COINCIDENT) {
        (false, true) => Some(true),
        (true, false) => Some(false),
        _ => None,
    }
}

fn with_side(flags: PortalFlags, positive: bool) -> u16 {
    if positive { flags.0 | PortalFlags::POSITIVE_SIDE } else { flags.0 & !PortalFlags::POSITIVE_SIDE }
}

fn flags_of_cells(block: &Block<'_>) -> Vec<Repair> {
    let mut repairs = Vec::new();
    for (&low, cell) in &block.cells {
        for (index, portal) in cell.portals.iter().enumerate() {
            let corners = block.corners(low, portal.polygon);
            let side = corners.and_then(|corners| side_of_cell(block, low, &corners));
            let mut flags = side.map_or(portal.flags.0, |positive| with_side(portal.flags, positive));
            // There is no cell with this number.
            if portal.other_cell == 0xFFFF {
                flags |= PortalFlags::EXIT;
            }
            if flags != portal.flags.0 {
                repairs.push(Repair {
                    id: block.record(low),
                    building: None,
                    portal: index,
                    found: PortalField::Flags(portal.flags.0),
                    right: PortalField::Flags(flags),
                });
            }
        }
    }
    repairs
}

/// A cell's portal that can be used.
struct Side<'b> {
    low: u16,
    index: usize,
    portal: &'b CellPortal,
    corners: Vec<Vec3>,
    /// The way out of the cell.
    onwards: Vec3,
}

fn sides<'b>(block: &'b Block<'_>) -> Vec<Side<'b>> {
    let mut sides = Vec::new();
    for (&low, cell) in &block.cells {
        for (index, portal) in cell.portals.iter().enumerate() {
            let Some(corners) = block.corners(low, portal.polygon) else { continue };
            let Some(plane) = polygon_plane(&corners) else { continue };
            let onwards = if portal.flags.owner_is_positive() { -plane.normal } else { plane.normal };
            sides.push(Side { low, index, portal, corners, onwards });
        }
    }
    sides
}

/// Openings by the place they are in.
struct Places(BTreeMap<[i32; 3], Vec<usize>>);

impl Places {
    fn new(sides: &[Side<'_>]) -> Places {
        let mut places: BTreeMap<[i32; 3], Vec<usize>> = BTreeMap::new();
        for (index, side) in sides.iter().enumerate() {
            places.entry(Places::key(middle(&side.corners))).or_default().push(index);
        }
        Places(places)
    }

    fn key(p: Vec3) -> [i32; 3] {
        (p / BOX).floor().to_array().map(|v| v as i32)
    }

    /// Openings that may coincide with a polygon; none where there are too many to tell.
    fn near(&self, corners: &[Vec3]) -> Vec<usize> {
        let middle = middle(corners);
        let (low, high) = (Places::key(middle - COINCIDENT * 2.0), Places::key(middle + COINCIDENT * 2.0));
        let mut found = Vec::new();
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    found.extend(self.0.get(&[x, y, z]).into_iter().flatten());
                }
            }
        }
        if found.len() > CROWD {
            found.clear();
        }
        found
    }
}

/// The middle of the box around some points: nearly the same for polygons that coincide.
fn middle(corners: &[Vec3]) -> Vec3 {
    let (low, high) = corners
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), &p| (low.min(p), high.max(p)));
    (low + high) / 2.0
}

fn links(block: &Block<'_>) -> Vec<Repair> {
    let sides = sides(block);
    let places = Places::new(&sides);
    let names = |side: &Side<'_>, other: &Side<'_>| side.portal.other_cell == other.low;
    let is_linked = |side: &Side<'_>| {
        let back = block
            .cells
            .get(&side.portal.other_cell)
            .and_then(|cell| cell.portals.get(usize::try_from(side.portal.other_portal).ok()?));
        side.portal.other_cell != side.low
            && back.is_some_and(|back| {
                !back.is_exit()
                    && back.other_cell == side.low
                    && usize::try_from(back.other_portal) == Ok(side.index)
            })
    };
    let partners = |own: usize| {
        let side = &sides[own];
        let mut found: Vec<usize> = places.near(&side.corners);
        found.retain(|&index| {
            let other = &sides[index];
            other.low != side.low
                && !other.portal.is_exit()
                && (names(side, other) || names(other, side))
                && other.onwards.dot(side.onwards) < -0.9
                && geometry::gap(&side.corners, &other.corners) <= COINCIDENT
        });
        found
    };
    let mut repairs = Vec::new();
    for (own, side) in sides.iter().enumerate() {
        if side.portal.is_exit() || is_linked(side) {
            continue;
        }
        let &[partner] = partners(own).as_slice() else { continue };
        if partners(partner) != [own] || is_linked(&sides[partner]) {
            continue;
        }
        // The other side is set right when its turn comes.
        let other = &sides[partner];
        let mut repair = |found: PortalField, right: PortalField| {
            if found != right {
                repairs.push(Repair {
                    id: block.record(side.low),
                    building: None,
                    portal: side.index,
                    found,
                    right,
                });
            }
        };
        repair(PortalField::OtherCell(side.portal.other_cell), PortalField::OtherCell(other.low));
        if let Ok(index) = i16::try_from(other.index) {
            repair(PortalField::OtherPortal(side.portal.other_portal), PortalField::OtherPortal(index));
        }
    }
    repairs
}

/// The same for openings of buildings, which lead to exits.
fn doors(block: &Block<'_>) -> Vec<Repair> {
    let sides = sides(block);
    let places = Places::new(&sides);
    let mut repairs = Vec::new();
    for door in shell_openings(block) {
        let exit = block
            .cells
            .get(&door.portal.other_cell)
            .and_then(|cell| cell.portals.get(usize::try_from(door.portal.other_portal).ok()?));
        let mut repair = |found: PortalField, right: PortalField| {
            if found != right {
                repairs.push(Repair {
                    id: block.record(0xFFFE),
                    building: Some(door.building),
                    portal: door.index,
                    found,
                    right,
                });
            }
        };
        let mut target = door.portal.other_cell;
        if !exit.is_some_and(CellPortal::is_exit) {
            let is_known = block.cells.contains_key(&target);
            let mut found: Vec<usize> = places.near(&door.corners);
            found.retain(|&index| {
                let side = &sides[index];
                side.portal.is_exit()
                    && (side.low == target || !is_known)
                    && geometry::gap(&door.corners, &side.corners) <= COINCIDENT
            });
            if let [exit] = found[..]
                && let Ok(index) = i16::try_from(sides[exit].index)
            {
                target = sides[exit].low;
                repair(PortalField::OtherCell(door.portal.other_cell), PortalField::OtherCell(target));
                repair(PortalField::OtherPortal(door.portal.other_portal), PortalField::OtherPortal(index));
            }
        }
        // The cell lies behind the opening, the outdoors in front of it.
        if let Some(positive) = side_of_cell(block, target, &door.corners) {
            let flags = with_side(door.portal.flags, !positive);
            repair(PortalField::Flags(door.portal.flags.0), PortalField::Flags(flags));
        }
    }
    repairs
}
