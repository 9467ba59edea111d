//! Cell sets of spheres. Spec: physics-cells §3.3, §3.5–3.7.

use super::CellSet;
use glam::Vec3;
use threshold_world::{
    Cell, CellId, EPSILON, Position, World,
    bsp::Overlap,
    cell::{EnvCell, PortalTarget},
    coords::{CELL_SIDE, LandCoord, adjust_to_outside, block_offset, within_cell},
    geometry::{Cylinder, Sphere},
    landblock::LandCell,
};

/// Cylinders considered when flooding; further ones are ignored without notice, as in the original.
pub const MAX_FLOOD_CYLINDERS: usize = 10;

/// Builds the set of cells that spheres touch, starting from `position`'s cell.
///
/// The spheres are in block coordinates of that cell. `pick` asks for the cell that contains the first sphere's
/// centre: the first interior one, else the last outdoor one; it is left alone when the anchor is not loaded.
/// `touches_inside` is set when an interior cell is involved.
/// Retail: `CObjCell::find_cell_list` (0x0052B4E0). Spec: physics-cells §3.3.
pub fn build(
    world: &World,
    set: &mut CellSet,
    position: &Position,
    spheres: &[Sphere],
    pick: Option<&mut Option<CellId>>,
    touches_inside: &mut bool,
) {
    set.clear();
    let seed = position.cell;
    let anchor = world.cell(seed);
    if seed.is_interior() {
        *touches_inside = true;
        set.add(seed, anchor.is_some());
    } else {
        add_ring(world, set, position, spheres);
    }
    let Some(anchor) = anchor else {
        set.miss(seed);
        return;
    };
    if spheres.is_empty() {
        return;
    }
    let mut i = 0;
    while let Some(entry) = set.entries.get(i).copied() {
        match world.cell(entry.id).filter(|_| entry.loaded) {
            Some(Cell::Env(cell)) => transit_env(world, set, position, cell, spheres),
            Some(Cell::Land(cell)) => transit_land(world, set, position, cell, spheres, touches_inside),
            None => {}
        }
        i += 1;
    }
    if let Some(pick) = pick {
        *pick = containing_cell(world, set, seed, spheres[0].center, touches_inside);
    }
    if let Cell::Env(anchor) = anchor
        && set.no_load
    {
        set.prune(|id| anchor.sees(id));
    }
}

fn containing_cell(
    world: &World,
    set: &CellSet,
    seed: CellId,
    center: Vec3,
    touches_inside: &mut bool,
) -> Option<CellId> {
    let mut found = None;
    for entry in set.entries.iter().filter(|entry| entry.loaded) {
        let Some(cell) = world.cell(entry.id) else { continue };
        if cell.contains(center - block_offset(seed, entry.id)) {
            found = Some(entry.id);
            if entry.id.is_interior() {
                *touches_inside = true;
                break;
            }
        }
    }
    found
}

/// Retail: `CEnvCell::find_transit_cells` (0x0052C820). Spec: physics-cells §3.5.
fn transit_env(world: &World, set: &mut CellSet, position: &Position, cell: &EnvCell, spheres: &[Sphere]) {
    let mut needs_outside = false;
    for portal in &cell.portals {
        let distances = |sphere: &Sphere| {
            let t = portal.plane.distance(cell.position.frame.apply_inverse(sphere.center));
            (t, sphere.radius + EPSILON)
        };
        match portal.target {
            PortalTarget::Outside => {
                needs_outside |= spheres.iter().map(distances).any(|(t, reach)| -reach < t && t < reach);
            }
            PortalTarget::Cell(id) if set.contains(id) => {}
            PortalTarget::Cell(id) => match world.env_cell(id) {
                Some(neighbour) => {
                    if touches_volume(neighbour, spheres) {
                        set.push(id, true);
                    }
                }
                None => {
                    let reaches = |(t, reach): (f32, f32)| {
                        if portal.neighbour_is_positive { t > -reach } else { t < reach }
                    };
                    if spheres.iter().map(distances).any(reaches) {
                        set.push(id, false);
                    } else {
                        set.miss(id);
                    }
                }
            },
        }
    }
    if needs_outside {
        add_ring(world, set, position, spheres);
    }
}

fn touches_volume(cell: &EnvCell, spheres: &[Sphere]) -> bool {
    spheres.iter().any(|sphere| {
        let local =
            Sphere { center: cell.position.frame.apply_inverse(sphere.center), radius: sphere.radius };
        cell.structure.volume.overlap_sphere(&local) != Overlap::Outside
    })
}

/// The ring, then the way into a building. No block shift is applied to the interior cell, so a building of another
/// block is entered only once the mover has been re-homed there.
/// Retail: `CLandCell::find_transit_cells` (0x00533800), `CBuildingObj::find_building_transit_cells` (0x006B5230),
/// `CEnvCell::check_building_transit` (0x0052C5D0). Spec: physics-cells §3.6.
fn transit_land(
    world: &World,
    set: &mut CellSet,
    position: &Position,
    cell: LandCell<'_>,
    spheres: &[Sphere],
    touches_inside: &mut bool,
) {
    add_ring(world, set, position, spheres);
    let Some(building) = cell.building() else { return };
    for portal in building.portals.iter().filter(|portal| portal.other_portal.is_some()) {
        match world.env_cell(portal.cell) {
            Some(interior) if touches_volume(interior, spheres) => {
                *touches_inside = true;
                set.add(portal.cell, true);
            }
            Some(_) => {}
            None => set.miss(portal.cell),
        }
    }
}

/// Outdoor cells under the spheres, neighbours included when a sphere hangs over. Once per set.
/// Retail: `CLandCell::add_all_outside_cells` (0x00533630). Spec: physics-cells §3.7.
fn add_ring(world: &World, set: &mut CellSet, position: &Position, spheres: &[Sphere]) {
    if set.outside_done {
        return;
    }
    set.outside_done = true;
    if spheres.is_empty() {
        if let Some((id, _)) = adjust_to_outside(position.cell, position.frame.origin)
            && let Some(place) = LandCoord::of_cell(id)
        {
            set.add_outside(world, place);
        }
        return;
    }
    for sphere in spheres {
        let Some((id, p)) = adjust_to_outside(position.cell, sphere.center) else { return };
        let Some(place) = LandCoord::of_cell(id) else { continue };
        let (fx, fy) = (within_cell(p.x), within_cell(p.y));
        let (low, high) = (sphere.radius, CELL_SIDE - sphere.radius);
        let mut add =
            |dx: i32, dy: i32| set.add_outside(world, LandCoord { x: place.x + dx, y: place.y + dy });
        add(0, 0);
        for (dx, over) in [(1, fx > high), (-1, fx < low)] {
            if over {
                add(dx, 0);
                if fy > high {
                    add(dx, 1);
                }
                if fy < low {
                    add(dx, -1);
                }
            }
        }
        if fy > high {
            add(0, 1);
        }
        if fy < low {
            add(0, -1);
        }
    }
}

/// The set of one sphere given in the position's own space. Spec: physics-cells §3.3, overloads.
pub fn flood_sphere(world: &World, set: &mut CellSet, position: &Position, local: &Sphere) {
    let sphere = Sphere { center: position.frame.apply(local.center), radius: local.radius };
    build(world, set, position, &[sphere], None, &mut false);
}

/// The set of cylinders: only their low points count, and only the first ten of them.
/// Spec: physics-cells §3.3, overloads.
pub fn flood_cylinders(world: &World, set: &mut CellSet, position: &Position, cylinders: &[Cylinder]) {
    let mut spheres = [Sphere::default(); MAX_FLOOD_CYLINDERS];
    let count = cylinders.len().min(MAX_FLOOD_CYLINDERS);
    for (sphere, cylinder) in spheres.iter_mut().zip(cylinders) {
        *sphere = Sphere { center: position.frame.apply(cylinder.low), radius: cylinder.radius };
    }
    build(world, set, position, &spheres[..count], None, &mut false);
}
