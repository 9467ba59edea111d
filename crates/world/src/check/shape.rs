//! Shared geometry: structures, meshes, models.

use super::{COINCIDENT, Finding, Lint, Report, tree};
use crate::{Library, bsp::PhysicsMesh, library::read};
use glam::Vec3;
use std::collections::BTreeSet;
use threshold_dat::{
    DatId, Error, IdScheme,
    records::{BspNode, BspTree, DatRecord, Environment, GfxObj, Polygon, Setup, find_by_key},
};

/// Lints of an Environment, GfxObj or Setup, ordered by message. Other records have none.
pub fn check_shape(library: &Library, id: DatId) -> Result<Vec<Finding>, Error> {
    let mut report = Report::default();
    match id.0 >> 24 {
        0x01 => {
            if let Some(record) = load::<GfxObj>(library, id, &mut report)? {
                mesh(library, id, &record, &mut report)?;
            }
        }
        0x02 => {
            if let Some(record) = load::<Setup>(library, id, &mut report)? {
                setup(library, id, &record, &mut report)?;
            }
        }
        0x0D => {
            if let Some(record) = load::<Environment>(library, id, &mut report)? {
                environment(library, id, &record, &mut report)?;
            }
        }
        _ => {}
    }
    Ok(report.finish())
}

fn load<R: DatRecord>(library: &Library, id: DatId, report: &mut Report) -> Result<Option<R>, Error> {
    match read(&**library.source(), IdScheme::Portal, id) {
        Err(error) if !error.is_transient() => {
            report.unreadable(id, &error);
            Ok(None)
        }
        // The record that names it reports that it is missing.
        other => other,
    }
}

fn environment(library: &Library, id: DatId, record: &Environment, report: &mut Report) -> Result<(), Error> {
    for (key, stored) in &record.structures {
        let whose = format!("structure {key}");
        references(
            id,
            &format!("{whose}, physics tree"),
            &stored.physics_bsp,
            &stored.physics_polygons,
            report,
        );
        if let Some(drawing) = &stored.drawing_bsp {
            references(id, &format!("{whose}, drawing tree"), drawing, &stored.polygons, report);
        }
        planes(id, &format!("{whose}, cell tree"), &stored.cell_bsp, report);
        if !stored.portals.is_empty()
            && matches!(stored.cell_bsp.nodes.first(), Some(BspNode::Leaf(_)) | None)
        {
            report.find(
                id,
                Lint::CellVolume,
                format!("{whose}: the cell tree has no plane and contains everything"),
            );
        }
        for polygon in
            stored.portals.iter().filter(|&&polygon| find_by_key(&stored.polygons, polygon).is_none())
        {
            let what = format!("{whose}: the portal list names polygon {polygon}, which does not exist");
            report.find(id, Lint::PortalPolygon, what);
        }
        let structure = library.structure(id, *key)?;
        if let Some(physics) = structure.as_ref().and_then(|s| s.physics.as_ref()) {
            physics_tree(id, &whose, physics, report);
        }
    }
    Ok(())
}

fn mesh(library: &Library, id: DatId, record: &GfxObj, report: &mut Report) -> Result<(), Error> {
    if let Some(physics) = &record.physics {
        references(id, "physics tree", &physics.bsp, &physics.polygons, report);
    }
    if let Some(drawing) = &record.drawing {
        references(id, "drawing tree", &drawing.bsp, &drawing.polygons, report);
    }
    let Some(mesh) = library.mesh(id)? else { return Ok(()) };
    if let Some(physics) = &mesh.physics {
        physics_tree(id, "the mesh", physics, report);
    }
    for opening in &mesh.openings {
        for &(polygon, portal) in &opening.portals {
            let Some(polygon) = mesh.opening_polygons.polygons().get(usize::from(polygon)) else { continue };
            let off = mesh
                .opening_polygons
                .vertices(polygon)
                .map(|p| opening.plane.distance(p).abs())
                .fold(0.0, f32::max);
            if off > COINCIDENT {
                let what =
                    format!("the polygon of portal {portal} is {off:.3} m off the plane of its PORT node");
                report.find(id, Lint::ShellOpening, what);
            }
        }
    }
    Ok(())
}

fn setup(library: &Library, id: DatId, record: &Setup, report: &mut Report) -> Result<(), Error> {
    let parts: BTreeSet<DatId> = record.parts.iter().copied().filter(|part| part.0 != 0).collect();
    for part in parts {
        if library.mesh(part)?.is_none() {
            report.find(id, Lint::MissingRecord, format!("part {part} does not exist or cannot be used"));
        }
    }
    for (key, placement) in &record.placements {
        for (part, frame) in placement.parts.iter().enumerate() {
            report.frame(id, &format!("part {part} in placement {key:#x}"), frame);
        }
    }
    Ok(())
}

fn physics_tree(id: DatId, whose: &str, physics: &PhysicsMesh, report: &mut Report) {
    for fault in tree::faults(physics) {
        report.find(id, Lint::BrokenTree, format!("{whose}: {fault}"));
    }
}

/// Polygons that a tree names must exist.
fn references(id: DatId, whose: &str, tree: &BspTree, polygons: &[(u16, Polygon)], report: &mut Report) {
    planes(id, whose, tree, report);
    let known: BTreeSet<u16> = polygons.iter().map(|(id, _)| *id).collect();
    let named = tree.polygons.iter().copied().chain(tree.portals.iter().map(|portal| portal.polygon));
    let missing: BTreeSet<u16> = named.filter(|polygon| !known.contains(polygon)).collect();
    for polygon in missing {
        report.find(id, Lint::BrokenTree, format!("{whose} names polygon {polygon}, which does not exist"));
    }
}

fn planes(id: DatId, whose: &str, tree: &BspTree, report: &mut Report) {
    for (index, node) in tree.nodes.iter().enumerate() {
        let BspNode::Inner(inner) = node else { continue };
        let length = Vec3::from(inner.plane.normal).length();
        if (length - 1.0).abs() > 1e-3 {
            let what = format!("{whose}, node {index}: the plane's normal has length {length:.4}");
            report.find(id, Lint::BrokenTree, what);
        }
    }
}
