//! Finds the cells of objects that name none.

use crate::{
    CellId,
    cell::{EnvCell, PortalTarget},
    coords::adjust_to_outside,
    landblock::Landblock,
};
use glam::Vec3;

/// How near its exit a cell must be to be preferred.
const NEAR_EXIT: f32 = 1.0;

/// The cell that contains a point of a block, and the point in the coordinates of the cell's block: an interior cell,
/// preferably one with an exit next to the point; otherwise the land under it. Server data has many doors without a cell,
/// and they are in vestibules. `None` off the map. Spec: ace-world.
pub fn seat_without_cell(block: &Landblock, point: Vec3) -> Option<(CellId, Vec3)> {
    let cells: Vec<&EnvCell> = block.env_cells.iter().flatten().filter(|cell| cell.contains(point)).collect();
    let by_exit = cells.iter().filter_map(|cell| Some((exit_distance(cell, point)?, cell.id())));
    let nearest = by_exit.filter(|(distance, _)| *distance <= NEAR_EXIT).min_by(|a, b| a.0.total_cmp(&b.0));
    let interior = nearest.map(|(_, id)| id).or_else(|| cells.first().map(|cell| cell.id()));
    interior.map(|cell| (cell, point)).or_else(|| adjust_to_outside(block.id.cell(1), point))
}

/// Distance of a point from the nearest plane of a cell's exits.
fn exit_distance(cell: &EnvCell, point: Vec3) -> Option<f32> {
    let local = cell.position.frame.apply_inverse(point);
    let exits = cell.portals.iter().filter(|portal| portal.target == PortalTarget::Outside);
    exits.map(|portal| portal.plane.distance(local).abs()).min_by(f32::total_cmp)
}
