//! Interior cells: portals, visible lists, objects.

use super::{COINCIDENT, Lint, Report, block::Block, geometry};
use crate::{
    bsp::Overlap,
    build,
    geometry::{Sphere, polygon_plane},
};
use glam::Vec3;
use std::collections::BTreeSet;
use threshold_dat::{
    Error,
    records::{CellPortal, EnvCell, PlacedObject},
};

/// A point this close to a plane says nothing about its side.
const IN_PLANE: f32 = 0.01;
/// How far an object's origin may be outside its cell: pictures hang in walls, furniture sinks into floors.
const OVERHANG: f32 = 0.5;

pub(super) fn check(block: &Block<'_>, low: u16, report: &mut Report) -> Result<(), Error> {
    let Some(cell) = block.cells.get(&low) else { return Ok(()) };
    let id = block.record(low);
    report.frame(id, "the cell", &cell.frame);
    visible_cells(block, low, &cell.visible_cells, report);
    check_portals(block, low, cell, report);
    exits(block, low, cell, report);
    for (index, object) in cell.statics.iter().enumerate() {
        let whose = format!("object {index}");
        report.frame(id, &whose, &object.frame);
        if block.model(id, &whose, object.model, report)? {
            static_place(block, low, &whose, object, report)?;
        }
    }
    Ok(())
}

/// Each portal, and whether it and its other side fit.
pub(super) fn check_portals(block: &Block<'_>, low: u16, cell: &EnvCell, report: &mut Report) {
    for (index, portal) in cell.portals.iter().enumerate() {
        check_portal(block, low, cell, index, portal, report);
    }
}

fn visible_cells(block: &Block<'_>, low: u16, list: &[u16], report: &mut Report) {
    for other in list.iter().filter(|other| !block.cells.contains_key(other)) {
        let what = format!("visible cell {} does not exist", block.record(*other));
        report.find(block.record(low), Lint::VisibleCell, what);
    }
}

/// Whether anybody outdoors can come in, and whether the outdoors is loaded in here.
fn exits(block: &Block<'_>, low: u16, cell: &EnvCell, report: &mut Report) {
    if !cell.portals.iter().any(CellPortal::is_exit) {
        return;
    }
    let mut doors = block.info.buildings.iter().flat_map(|building| &building.portals);
    if !doors.any(|door| door.other_cell == low) {
        let what = "the cell has an exit, but no building of the block has a portal to it";
        report.find(block.record(low), Lint::ExitWithoutBuilding, what);
    }
    if !cell.seen_outside() {
        report.find(
            block.record(low),
            Lint::NotSeenOutside,
            "the cell has an exit and is not marked 'seen outside'",
        );
    }
}

fn check_portal(
    block: &Block<'_>,
    low: u16,
    cell: &EnvCell,
    index: usize,
    portal: &CellPortal,
    report: &mut Report,
) {
    let id = block.record(low);
    let whose = format!("portal {index}");
    if !block.structures.contains_key(&low) {
        return;
    }
    let corners = block.corners(low, portal.polygon);
    match &corners {
        None => {
            let what = format!("{whose}: polygon {} does not exist or has no area", portal.polygon);
            report.find(id, Lint::PortalPolygon, what);
        }
        Some(corners) => {
            if let Some(fault) = geometry::shape_fault(corners) {
                report.find(id, Lint::PortalPolygon, format!("{whose}: polygon {} {fault}", portal.polygon));
            }
            side(block, low, portal.flags.owner_is_positive(), &whose, corners, report);
            volume(block, low, &whose, corners, report);
        }
    }
    if portal.is_exit() {
        if portal.other_cell != 0xFFFF || !portal.flags.is_exit() {
            let what =
                format!("{whose} names cell {:#06x} with flags {:#x}", portal.other_cell, portal.flags.0);
            report.find(id, Lint::ExitMark, what);
        }
        return;
    }
    let other_id = block.record(portal.other_cell);
    if portal.other_cell == low {
        report.find(id, Lint::PortalTarget, format!("{whose} leads to its own cell"));
        return;
    }
    let Some(other) = block.cells.get(&portal.other_cell) else {
        report.find(id, Lint::PortalTarget, format!("{whose} leads to {other_id}, which does not exist"));
        return;
    };
    if !cell.visible_cells.contains(&portal.other_cell) {
        let what = format!("{whose} leads to {other_id}, which is not among the visible cells");
        report.find(id, Lint::HiddenNeighbour, what);
    }
    let Ok(back_index) = usize::try_from(portal.other_portal) else {
        report.find(
            id,
            Lint::OneWayPortal,
            format!("{whose} leads to {other_id} without naming a portal there"),
        );
        return;
    };
    let Some(back) = other.portals.get(back_index) else {
        let what =
            format!("{whose} names portal {back_index} of {other_id}, which has {}", other.portals.len());
        report.find(id, Lint::PortalIndex, what);
        return;
    };
    if back.is_exit() || back.other_cell != low || usize::try_from(back.other_portal) != Ok(index) {
        let what = format!("{whose} leads to {other_id}, whose portal {back_index} does not lead back to it");
        report.find(id, Lint::OneWayPortal, what);
        return;
    }
    let (Some(corners), Some(other_corners)) = (corners, block.corners(portal.other_cell, back.polygon))
    else {
        return;
    };
    let gap = geometry::gap(&corners, &other_corners);
    if gap > COINCIDENT {
        let lint = if portal.flags.is_exact() { Lint::PortalsApart } else { Lint::InexactPortal };
        report.find(id, lint, format!("{whose} and portal {back_index} of {other_id} are {gap:.3} m apart"));
    }
}

/// The cell must lie on the side of the opening that its flag says.
fn side(block: &Block<'_>, low: u16, positive: bool, whose: &str, corners: &[Vec3], report: &mut Report) {
    let (Some(plane), Some(middle)) = (polygon_plane(corners), block.middle(low)) else { return };
    let distance = plane.distance(middle);
    if distance.abs() > IN_PLANE && (distance > 0.0) != positive {
        let what = format!("{whose}: flag bit 2 puts the cell on the wrong side of the opening");
        report.find(block.record(low), Lint::PortalSide, what);
    }
}

/// Openings bound the cell's volume; a mover that goes through one was inside up to there.
fn volume(block: &Block<'_>, low: u16, whose: &str, corners: &[Vec3], report: &mut Report) {
    let (Some(structure), Some(cell)) = (block.structures.get(&low), block.cells.get(&low)) else { return };
    let frame = build::frame(&cell.frame);
    let outside = |p: &Vec3| {
        let local = frame.apply_inverse(*p);
        structure.volume.planes().iter().map(|plane| -plane.distance(local)).fold(0.0, f32::max)
    };
    let worst = corners.iter().map(outside).fold(0.0, f32::max);
    if worst > COINCIDENT {
        let what = format!("{whose}: a corner of the opening is {worst:.3} m outside the cell's volume");
        report.find(block.record(low), Lint::CellVolume, what);
    }
}

fn static_place(
    block: &Block<'_>,
    low: u16,
    whose: &str,
    object: &PlacedObject,
    report: &mut Report,
) -> Result<(), Error> {
    let Some(cell) = block.loaded.env_cell(low) else { return Ok(()) };
    let frame = build::frame(&object.frame);
    let overlap = |center: Vec3, radius: f32| {
        let local = Sphere { center: cell.position.frame.apply_inverse(center), radius };
        cell.structure.volume.overlap_sphere(&local)
    };
    if !object.frame.is_placed() || overlap(frame.origin, OVERHANG) != Overlap::Outside {
        return Ok(());
    }
    let others = block.loaded.env_cells.iter().flatten();
    let homes: BTreeSet<_> =
        others.filter(|other| other.contains(frame.origin)).map(|other| other.id()).collect();
    let touches = block.library.model(object.model)?.is_some_and(|model| {
        let sphere = model.sorting_sphere;
        overlap(frame.apply(sphere.center), sphere.radius) != Overlap::Outside
    });
    let what = match homes.first() {
        Some(home) => format!("{whose} ({}) stands in {home}", object.model),
        None if touches => return Ok(()),
        None => format!("{whose} ({}) stands outside the cell", object.model),
    };
    report.find(block.record(low), Lint::StaticInWrongCell, what);
    Ok(())
}
