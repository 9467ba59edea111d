//! Cell sets of part boxes: objects that collide by their meshes. Spec: physics-cells §3.8–3.11.

use super::CellSet;
use crate::scene::Part;
use threshold_world::{
    Cell, CellId, EPSILON, Position, World,
    cell::{CellPortal, EnvCell, PortalTarget},
    coords::{CELL_SIDE, LandCoord, adjust_to_outside, block_offset},
    geometry::{Aabb, Side, Sphere},
    landblock::LandCell,
};

/// Outdoor cells a box may extend from its object's own; bounds the work a mesh with absurd vertices can cause.
const MAX_REACH: i32 = 32;

/// Grows the set from the object's own cell through every opening that a part's box reaches.
/// Retail: `CPhysicsObj::find_bbox_cell_list` (0x00510FC0). Spec: physics-objects §8.9.
pub fn flood_boxes(world: &World, set: &mut CellSet, home: CellId, parts: &[Part]) {
    set.clear();
    set.add(home, world.cell(home).is_some());
    let mut i = 0;
    while let Some(entry) = set.now.entries.get(i).copied() {
        match world.cell(entry.id).filter(|_| entry.loaded) {
            Some(Cell::Env(cell)) => transit_env(world, set, cell, parts),
            Some(Cell::Land(cell)) => transit_land(world, set, cell, parts),
            None => {}
        }
        i += 1;
    }
}

/// Bounding sphere of a part in a cell's space (its radius unscaled), and the part's box there.
struct PartInCell {
    sphere: Sphere,
    bounds: Aabb,
}

fn usable(parts: &[Part]) -> impl Iterator<Item = (&Part, Sphere)> {
    parts.iter().filter_map(|part| Some((part, part.mesh.flood_sphere()?)))
}

fn in_cell(part: &Part, sphere: Sphere, cell: &Position) -> PartInCell {
    let place = |p| cell.local_point_of(&part.position, p);
    PartInCell {
        sphere: Sphere { center: place(sphere.center), radius: sphere.radius },
        bounds: part.mesh.bounds.transformed(place),
    }
}

/// The side on which a cell itself lies: the number retail compares box sides with.
fn own_side(portal: &CellPortal) -> Side {
    if portal.neighbour_is_positive { Side::Negative } else { Side::Positive }
}

/// Retail: `CEnvCell::find_transit_cells`, parts form (0x0052CAE0). Spec: physics-cells §3.8.
fn transit_env(world: &World, set: &mut CellSet, cell: &EnvCell, parts: &[Part]) {
    let mut needs_outside = false;
    for portal in &cell.portals {
        for (part, sphere) in usable(parts) {
            let here = in_cell(part, sphere, &cell.position);
            let t = portal.plane.distance(here.sphere.center);
            let reach = here.sphere.radius + EPSILON;
            let short = if portal.neighbour_is_positive { t < -reach } else { t > reach };
            if short || portal.plane.side_of_box(&here.bounds) == own_side(portal) {
                continue;
            }
            match portal.target {
                PortalTarget::Outside => {
                    needs_outside = true;
                    break;
                }
                PortalTarget::Cell(id) => match world.env_cell(id) {
                    None => {
                        set.add(id, false);
                        break;
                    }
                    Some(neighbour) => {
                        let there = in_cell(part, sphere, &neighbour.position);
                        if neighbour.structure.volume.intersects_box(&there.bounds) {
                            set.add(id, true);
                            break;
                        }
                    }
                },
            }
        }
    }
    if needs_outside {
        add_block(world, set, parts);
    }
}

/// Retail: `CLandCell::find_transit_cells`, parts form. Spec: physics-cells §3.11, §3.9.
fn transit_land(world: &World, set: &mut CellSet, cell: LandCell<'_>, parts: &[Part]) {
    add_block(world, set, parts);
    let Some(building) = cell.building() else { return };
    for portal in &building.portals {
        let Some(index) = portal.other_portal else { continue };
        let Some(interior) = world.env_cell(portal.cell) else {
            set.miss(portal.cell);
            continue;
        };
        let Some(door) = interior.portals.get(usize::from(index)) else { continue };
        let enters = usable(parts).any(|(part, sphere)| {
            let here = in_cell(part, sphere, &interior.position);
            let t = door.plane.distance(here.sphere.center);
            let reach = here.sphere.radius + EPSILON;
            let short = if door.neighbour_is_positive { t > reach } else { t < -reach };
            if short {
                return false;
            }
            let side = door.plane.side_of_box(&here.bounds);
            (side == Side::Crossing || side == own_side(door))
                && interior.structure.volume.intersects_box(&here.bounds)
        });
        if enters {
            set.add(portal.cell, true);
            transit_env(world, set, interior, parts);
        }
    }
}

/// The rectangle of outdoor cells under the boxes. Once per set.
/// Retail: `CLandCell::add_all_outside_cells`, parts form (0x00533360). Spec: physics-cells §3.10.
fn add_block(world: &World, set: &mut CellSet, parts: &[Part]) {
    if set.outside_done {
        return;
    }
    set.outside_done = true;
    let Some(first) = parts.first() else { return };
    let Some((reference, _)) = adjust_to_outside(first.position.cell, first.position.frame.origin) else {
        return;
    };
    if world.land_cell(reference).is_none() {
        set.miss(reference);
        return;
    }
    let Some(place) = LandCoord::of_cell(reference) else { return };
    let local = (place.x & 7, place.y & 7);
    let (mut min, mut max) = ((0, 0), (0, 0));
    for part in parts {
        let bounds = if part.mesh.flat_only {
            let Some(sphere) = part.mesh.flood_sphere() else { continue };
            let origin = part.position.frame.origin;
            Aabb { min: origin - sphere.radius, max: origin + sphere.radius }
        } else {
            let shift = block_offset(reference, part.position.cell);
            part.mesh.bounds.transformed(|p| part.position.frame.apply(p) + shift)
        };
        let cells = |v: f32, local: i32| ((v / CELL_SIDE).floor() as i32).saturating_sub(local);
        min = (min.0.min(cells(bounds.min.x, local.0)), min.1.min(cells(bounds.min.y, local.1)));
        max = (max.0.max(cells(bounds.max.x, local.0)), max.1.max(cells(bounds.max.y, local.1)));
    }
    let reach = |v: i32| v.clamp(-MAX_REACH, MAX_REACH);
    for x in place.x + reach(min.0)..=place.x + reach(max.0) {
        for y in place.y + reach(min.1)..=place.y + reach(max.1) {
            set.add_outside(world, LandCoord { x, y });
        }
    }
}
