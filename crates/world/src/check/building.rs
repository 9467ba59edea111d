//! Buildings and outdoor objects of a block.

use super::{COINCIDENT, Lint, Report, block::Block, geometry};
use crate::{coords::BLOCK_SIDE, geometry::polygon_plane, landblock::Building, model::Mesh};
use glam::Vec3;
use std::collections::BTreeMap;
use threshold_dat::{Error, records};

/// A point this close to a plane says nothing about its side.
const IN_PLANE: f32 = 0.01;

pub(super) fn check(block: &Block<'_>, report: &mut Report) -> Result<(), Error> {
    let id = block.record(0xFFFE);
    for (index, object) in block.info.objects.iter().enumerate() {
        let whose = format!("object {index}");
        report.frame(id, &whose, &object.frame);
        block.model(id, &whose, object.model, report)?;
        if object.frame.is_placed() && is_far_outside(&object.frame) {
            let what = format!("{whose} ({}) stands more than a block away", object.model);
            report.find(id, Lint::StaticInWrongCell, what);
        }
    }
    for (index, stored) in block.info.buildings.iter().enumerate() {
        report.frame(id, &format!("building {index}"), &stored.frame);
    }
    for (index, stored, building) in placed(block) {
        let whose = format!("building {index}");
        block.model(id, &whose, stored.model, report)?;
        place(block, &whose, building, report);
    }
    check_portals(block, report);
    Ok(())
}

fn is_far_outside(frame: &records::Frame) -> bool {
    let [x, y, _] = frame.origin;
    ![x, y].iter().all(|v| (-BLOCK_SIDE..=2.0 * BLOCK_SIDE).contains(v))
}

/// A building belongs to the outdoor cell under its origin, if that is free and of this block.
fn place(block: &Block<'_>, whose: &str, building: &Building, report: &mut Report) {
    let cell = building.position.cell;
    let land_cell = block.loaded.land_cell(cell.low()).filter(|_| cell.block() == block.id);
    let what = match land_cell.and_then(|cell| cell.building()) {
        None => format!("{whose} ({}) stands outside its block and is ignored", building.model_id),
        Some(owner) if !std::ptr::eq(owner, building) => {
            format!(
                "{whose} ({}) stands in {cell}, which has a building already, and is ignored",
                building.model_id
            )
        }
        Some(_) => return,
    };
    report.find(block.record(0xFFFE), Lint::BuildingInWrongCell, what);
}

/// A portal of a building and the polygon of its shell.
pub(super) struct ShellOpening<'b> {
    pub(super) building: usize,
    pub(super) index: usize,
    pub(super) portal: &'b records::BuildingPortal,
    /// In block coordinates.
    pub(super) corners: Vec<Vec3>,
}

/// Portals of a block's buildings that have an opening in the shell.
pub(super) fn shell_openings<'b>(block: &'b Block<'_>) -> Vec<ShellOpening<'b>> {
    let mut openings = Vec::new();
    for (building, stored, loaded) in placed(block) {
        let polygons = shell(loaded).map(|mesh| shell_polygons(mesh, loaded)).unwrap_or_default();
        for (index, portal) in (0u16..).zip(&stored.portals) {
            if let Some(corners) = polygons.get(&index).filter(|corners| !corners.is_empty()) {
                openings.push(ShellOpening {
                    building,
                    index: index.into(),
                    portal,
                    corners: corners.clone(),
                });
            }
        }
    }
    openings
}

/// Buildings that loading does not leave out for having no place, by their index in the record.
fn placed<'b>(block: &'b Block<'_>) -> impl Iterator<Item = (usize, &'b records::Building, &'b Building)> {
    let placed = block.info.buildings.iter().enumerate().filter(|(_, building)| building.frame.is_placed());
    placed.zip(&block.loaded.buildings).map(|((index, stored), loaded)| (index, stored, loaded))
}

fn shell(building: &Building) -> Option<&Mesh> {
    building.model.as_ref()?.parts.first()?.mesh.as_deref()
}

/// The polygon of each portal that a shell opens, in block coordinates.
fn shell_polygons(mesh: &Mesh, building: &Building) -> BTreeMap<u16, Vec<Vec3>> {
    let set = &mesh.opening_polygons;
    let mut polygons = BTreeMap::new();
    for &(polygon, portal) in mesh.openings.iter().flat_map(|opening| &opening.portals) {
        let corners = || {
            let polygon = set.polygons().get(usize::from(polygon));
            let vertices = polygon.into_iter().flat_map(|polygon| set.vertices(polygon));
            vertices.map(|p| building.shell.frame.apply(p)).collect()
        };
        polygons.entry(portal).or_insert_with(corners);
    }
    polygons
}

/// Portals of the records against the openings of the shells and the exits of the cells behind them.
pub(super) fn check_portals(block: &Block<'_>, report: &mut Report) {
    for (index, stored, building) in placed(block) {
        openings(block, &format!("building {index}"), stored, building, report);
    }
}

fn openings(
    block: &Block<'_>,
    whose: &str,
    stored: &records::Building,
    building: &Building,
    report: &mut Report,
) {
    let id = block.record(0xFFFE);
    let mesh = shell(building);
    let polygons = mesh.map(|mesh| shell_polygons(mesh, building)).unwrap_or_default();
    if let Some(mesh) = mesh {
        for portal in polygons.keys().filter(|portal| usize::from(**portal) >= stored.portals.len()) {
            let what =
                format!("{whose}: the shell {} opens portal {portal} of {}", mesh.id, stored.portals.len());
            report.find(id, Lint::ShellOpening, what);
        }
    }
    for (index, portal) in (0u16..).zip(&stored.portals) {
        let whose = format!("{whose}, portal {index}");
        let corners = polygons.get(&index);
        if let (None, Some(mesh)) = (corners, mesh) {
            report.find(
                id,
                Lint::ShellOpening,
                format!("{whose}: the shell {} has no opening for it", mesh.id),
            );
        }
        check_portal(block, &whose, portal, corners.map(Vec::as_slice), report);
    }
}

fn check_portal(
    block: &Block<'_>,
    whose: &str,
    portal: &records::BuildingPortal,
    corners: Option<&[Vec3]>,
    report: &mut Report,
) {
    let id = block.record(0xFFFE);
    let cell_id = block.record(portal.other_cell);
    for low in portal.visible_cells.iter().filter(|low| !block.cells.contains_key(low)) {
        report.find(
            id,
            Lint::VisibleCell,
            format!("{whose}: visible cell {} does not exist", block.record(*low)),
        );
    }
    let Some(cell) = block.cells.get(&portal.other_cell) else {
        report.find(id, Lint::PortalTarget, format!("{whose} leads to {cell_id}, which does not exist"));
        return;
    };
    if !portal.visible_cells.contains(&portal.other_cell) {
        let what = format!("{whose} leads to {cell_id}, which is not among its visible cells");
        report.find(id, Lint::HiddenNeighbour, what);
    }
    let Ok(index) = usize::try_from(portal.other_portal) else {
        let what = format!("{whose} leads to {cell_id} without naming an exit there: nobody can go in");
        report.find(id, Lint::OneWayPortal, what);
        return;
    };
    let Some(exit) = cell.portals.get(index) else {
        let what = format!("{whose} names portal {index} of {cell_id}, which has {}", cell.portals.len());
        report.find(id, Lint::PortalIndex, what);
        return;
    };
    if !exit.is_exit() {
        report.find(
            id,
            Lint::OneWayPortal,
            format!("{whose} names portal {index} of {cell_id}, which is not an exit"),
        );
        return;
    }
    let Some(corners) = corners else { return };
    if let Some(inner) = block.corners(portal.other_cell, exit.polygon) {
        let gap = geometry::gap(corners, &inner);
        if gap > COINCIDENT {
            let what = format!("{whose} and portal {index} of {cell_id} are {gap:.3} m apart");
            report.find(id, Lint::PortalsApart, what);
        }
    }
    // The outdoors lies on the side that the flag says, the cell behind it on the other.
    if let (Some(plane), Some(middle)) = (polygon_plane(corners), block.middle(portal.other_cell)) {
        let distance = plane.distance(middle);
        if distance.abs() > IN_PLANE && (distance < 0.0) != portal.flags.owner_is_positive() {
            let what = format!("{whose}: flag bit 2 puts {cell_id} on the wrong side of the opening");
            report.find(id, Lint::PortalSide, what);
        }
    }
}
