//! In which cells an object is drawn: every cell that its bounding sphere reaches.

use glam::Vec3;
use threshold_world::{
    CellId, Position, World,
    bsp::Overlap,
    cell::{EnvCell, PortalTarget},
    coords::{CELL_SIDE, LandCoord, block_offset},
    geometry::Sphere,
};

/// The cells that a sphere (in the coordinates of the position's block) reaches from a position, its own cell first.
///
/// Indoors it spreads through portals into cells whose volume it overlaps, and outdoors through exits it straddles;
/// outdoors it takes the land cells below it and goes in through the buildings that stand there.
pub fn cells_touched(world: &World, position: &Position, sphere: &Sphere) -> Vec<CellId> {
    let mut touched = vec![position.cell];
    let mut outdoors = position.cell.is_outdoor();
    let mut next = 0;
    if outdoors {
        land_cells(position.cell, sphere, &mut touched);
    }
    while let Some(&id) = touched.get(next) {
        next += 1;
        let local = Sphere { center: sphere.center + block_offset(id, position.cell), ..*sphere };
        if id.is_interior() {
            let Some(cell) = world.env_cell(id) else { continue };
            outdoors |= spread(world, cell, &local, &mut touched);
            if outdoors && !touched.iter().any(|id| id.is_outdoor()) {
                land_cells(position.cell, sphere, &mut touched);
            }
        } else if let Some(building) = world.land_cell(id).and_then(|cell| cell.building()) {
            for portal in &building.portals {
                if world.env_cell(portal.cell).is_some_and(|cell| overlaps(cell, &local)) {
                    push(&mut touched, portal.cell);
                }
            }
        }
    }
    touched
}

fn push(list: &mut Vec<CellId>, id: CellId) {
    if !list.contains(&id) {
        list.push(id);
    }
}

fn overlaps(cell: &EnvCell, sphere: &Sphere) -> bool {
    let center = cell.position.frame.apply_inverse(sphere.center);
    cell.structure.volume.overlap_sphere(&Sphere { center, radius: sphere.radius }) != Overlap::Outside
}

/// Adds the neighbours that the sphere overlaps; true when it straddles an exit.
fn spread(world: &World, cell: &EnvCell, sphere: &Sphere, touched: &mut Vec<CellId>) -> bool {
    let center = cell.position.frame.apply_inverse(sphere.center);
    let mut exits = false;
    for portal in &cell.portals {
        match portal.target {
            PortalTarget::Outside => exits |= portal.plane.distance(center).abs() <= sphere.radius,
            PortalTarget::Cell(id) => {
                if world.env_cell(id).is_some_and(|other| overlaps(other, sphere)) {
                    push(touched, id);
                }
            }
        }
    }
    exits
}

/// Adds the land cells that the sphere's shadow touches.
fn land_cells(from: CellId, sphere: &Sphere, touched: &mut Vec<CellId>) {
    // An object larger than a few cells is seen from its own cell's neighbours at least.
    let radius = sphere.radius.min(3.0 * CELL_SIDE);
    let reach = Vec3::new(radius, radius, 0.0);
    let corner = |p: Vec3| LandCoord::under(from, p);
    let (Some(low), Some(high)) = (corner(sphere.center - reach), corner(sphere.center + reach)) else {
        return;
    };
    for x in low.x..=high.x {
        for y in low.y..=high.y {
            if let Some(cell) = (LandCoord { x, y }).cell() {
                push(touched, cell);
            }
        }
    }
}
