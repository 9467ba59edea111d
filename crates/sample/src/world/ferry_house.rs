//! A house that stands across a landblock border.
//!
//! Its shell can be touched only from the land cell that owns it, so the part beyond the border has walls of its own: a
//! static object without a picture, which collides from every cell it reaches.

use super::{
    house::{Facing, front_door, gable_roof, spot, timber_frame, trim, window},
    props::{Props, slab},
    skins::Skins,
};
use crate::{
    error::BuildError,
    material::Materials,
    mesh::Mesh,
    plan::{Finish, Plan, RoomId},
};
use glam::DVec3;

const OUTER: (f64, f64) = (5.0, 4.0);
const INNER: (f64, f64) = (4.6, 3.6);
const FLOOR: f64 = 0.25;
const CEILING: f64 = 3.05;

pub(super) struct FerryHouse {
    pub(super) plan: Plan,
    pub(super) shell: Mesh,
    /// Collides beyond the border, which lies `border` metres east of the origin.
    pub(super) overhang: Mesh,
    pub(super) doorway: RoomId,
    pub(super) west: RoomId,
    pub(super) east: RoomId,
}

/// Where the door is along the north wall.
pub(super) const DOOR_X: f64 = -2.6;

pub(super) fn ferry_house(
    s: &Skins,
    props: &Props,
    materials: &Materials,
    border: f64,
) -> Result<FerryHouse, BuildError> {
    let mut plan = Plan::default();
    let look = Finish { floor: s.boards, wall: s.plaster, ceiling: s.ceiling };
    let sill = Finish { floor: s.stone, wall: s.plaster, ceiling: s.beam };
    let (x, y) = INNER;
    let at = DVec3::new;
    let west = plan.block("ferry house, west room", at(-x, -y, FLOOR), at(-0.1, y, CEILING), look);
    let east = plan.block(
        "ferry house, east room",
        at(0.1, -y, FLOOR),
        at(x, y, CEILING),
        Finish { wall: s.rose_plaster, ..look },
    );
    plan.doorway("inner door", (west, east), (at(-0.1, -0.8, FLOOR), at(0.1, 0.8, FLOOR + 2.2)), sill)?;
    let doorway = front_door(&mut plan, west, Facing::North, (y, OUTER.1), (DOOR_X, FLOOR), (sill, s.beam))?;
    for (room, facing, planes, along) in [
        (west, Facing::South, (-y, -OUTER.1), -2.6),
        (west, Facing::West, (-x, -OUTER.0), 0.0),
        (east, Facing::North, (y, OUTER.1), 2.6),
        (east, Facing::South, (-y, -OUTER.1), 2.6),
        (east, Facing::East, (x, OUTER.0), 0.0),
    ] {
        window(&mut plan, room, facing, planes, (along, FLOOR + 0.95), sill, props.pane)?;
    }
    plan.furnish(west, props.table, spot(at(-3.4, -2.4, FLOOR), 0.0));
    plan.furnish(west, props.candle, spot(at(-3.2, -2.4, FLOOR + 0.8), 0.0));
    plan.furnish(west, props.shelf, spot(at(-0.32, 2.4, FLOOR), 90.0));
    plan.furnish(east, props.bed, spot(at(3.9, -2.2, FLOOR), 180.0));
    plan.furnish(east, props.carpet, spot(at(2.0, 0.4, FLOOR), 0.0));
    plan.furnish(east, props.wall_lamp, spot(at(x, 2.2, 2.2), 90.0));

    let mut shell = Mesh::default();
    let (ox, oy) = OUTER;
    shell.solid(slab((-ox, -oy, FLOOR), (ox, oy, 3.4), s.rose_plaster));
    shell.solid(slab((-ox, -oy, -0.6), (ox, oy, FLOOR), s.stone));
    shell.solid(gable_roof((-ox - 0.4, ox + 0.4), oy + 0.5, (3.3, 6.2), (s.thatch, s.rose_plaster)));
    shell.solid(slab((DOOR_X - 1.2, oy, -0.3), (DOOR_X + 1.2, oy + 0.9, 0.1), s.stone));
    timber_frame(&mut shell, (at(-ox, -oy, FLOOR), at(ox, oy, 3.3)), &[], s, materials);
    trim(&mut shell, &plan, s.beam, materials);

    // Inside the walls' thickness, so that nobody in the rooms meets it.
    let mut overhang = Mesh::default();
    let inset = 0.1;
    for (min, max) in [
        (at(border - 0.6, y + inset, -0.6), at(ox, oy, 3.4)),
        (at(border - 0.6, -oy, -0.6), at(ox, -y - inset, 3.4)),
        (at(x + inset, -oy, -0.6), at(ox, oy, 3.4)),
    ] {
        overhang.collider(slab(min.into(), max.into(), s.stone));
    }
    Ok(FerryHouse { plan, shell, overhang, doorway, west, east })
}
