//! The inn: a common room that one can look through from street to yard, kitchen, store, and guest rooms upstairs.

use super::{
    house::{Facing, front_door, gable_roof, spot, timber_frame, trim, window},
    props::{Props, slab},
    skins::Skins,
};
use crate::{
    error::BuildError,
    material::Materials,
    mesh::Mesh,
    plan::{Finish, Flight, Plan, RoomId},
};
use glam::{DVec2, DVec3};

/// Outer and inner faces of the outer walls.
const OUTER: (f64, f64) = (9.0, 6.0);
const INNER: (f64, f64) = (8.6, 5.6);

const FLOOR: f64 = 0.25;
const CEILING: f64 = 3.05;
const UPPER_FLOOR: f64 = 3.25;
const UPPER_CEILING: f64 = 5.75;

/// The rooms one wants to find again.
pub(super) struct Inn {
    pub(super) plan: Plan,
    pub(super) shell: Mesh,
    pub(super) doorway: RoomId,
    pub(super) yard_door: RoomId,
    pub(super) common: RoomId,
    pub(super) kitchen: RoomId,
    pub(super) corridor: RoomId,
    pub(super) guest_room: RoomId,
}

/// Where the street door and the yard door are along their walls.
pub(super) const DOOR_X: f64 = -3.0;
pub(super) const YARD_DOOR_X: f64 = 5.6;

pub(super) fn inn(s: &Skins, props: &Props, materials: &Materials) -> Result<Inn, BuildError> {
    let mut plan = Plan::default();
    let look = Finish { floor: s.boards, wall: s.plaster, ceiling: s.ceiling };
    let reveal = Finish { floor: s.beam, wall: s.plaster, ceiling: s.beam };
    let sill = Finish { floor: s.stone, wall: s.plaster, ceiling: s.beam };
    let (x, y) = INNER;
    let at = DVec3::new;

    let common = plan.block("common room", at(-x, -y, FLOOR), at(2.4, y, CEILING), look);
    let stone = Finish { floor: s.flagstone, ..look };
    let kitchen = plan.block("kitchen", at(2.6, -y, FLOOR), at(x, -0.1, CEILING), stone);
    let store = plan.block("store", at(2.6, 0.1, FLOOR), at(x, y, CEILING), stone);
    for (name, rooms, span) in [
        ("kitchen door", (common, kitchen), (at(2.4, -3.7, FLOOR), at(2.6, -2.3, FLOOR + 2.2))),
        ("store door", (kitchen, store), (at(4.9, -0.1, FLOOR), at(6.3, 0.1, FLOOR + 2.2))),
    ] {
        plan.doorway(name, rooms, span, reveal)?;
    }
    let doorway =
        front_door(&mut plan, common, Facing::South, (-OUTER.1, -y), (DOOR_X, FLOOR), (sill, s.beam))?;
    let yard_door =
        front_door(&mut plan, store, Facing::North, (y, OUTER.1), (YARD_DOOR_X, FLOOR), (sill, s.beam))?;

    // Upstairs: a corridor over the stairs, guest rooms on both sides.
    let up =
        Flight { foot: at(-6.6, 0.0, FLOOR), up: DVec2::X, width: 1.4, rise: 0.25, run: 0.28, steps: 11 };
    for step in up.solids(s.boards) {
        plan.solid(common, step);
    }
    let head = up.foot.x + up.length();
    plan.solid(common, slab((head, -0.7, FLOOR), (head + 0.12, 0.7, CEILING), s.plaster));
    let corridor = plan.block("corridor", at(-6.6, -1.1, UPPER_FLOOR), at(x, 1.1, UPPER_CEILING), look);
    let hatch = (at(up.foot.x, -0.7, CEILING), at(head, 0.7, UPPER_FLOOR));
    plan.doorway("stairwell", (common, corridor), hatch, Finish { wall: s.beam, ..look })?;
    let walls = [s.rose_plaster, s.plaster, s.rose_plaster];
    let mut guests = Vec::new();
    for (side, facing) in [(-1.0, Facing::South), (1.0, Facing::North)] {
        for (i, (from, to)) in [(-x, -3.1), (-2.9, 2.7), (2.9, x)].into_iter().enumerate() {
            let (a, b) = (1.3 * side, y * side);
            let name = format!("guest room {}", guests.len() + 1);
            let volume = (at(from, a.min(b), UPPER_FLOOR), at(to, a.max(b), UPPER_CEILING));
            let room = plan.block(name, volume.0, volume.1, Finish { wall: walls[i], ..look });
            let middle = if i == 0 { -3.9 } else { (from + to) / 2.0 };
            let span = facing.span(
                (1.1 * side, 1.3 * side),
                (middle - 0.6, middle + 0.6),
                (UPPER_FLOOR, UPPER_FLOOR + 2.1),
            );
            plan.doorway("guest door", (room, corridor), span, reveal)?;
            let planes = (y * side, OUTER.1 * side);
            window(
                &mut plan,
                room,
                facing,
                planes,
                ((from + to) / 2.0, UPPER_FLOOR + 0.8),
                sill,
                props.pane,
            )?;
            plan.furnish(
                room,
                props.bed,
                spot(at(from + 0.75, (y - 1.4) * side, UPPER_FLOOR), if side > 0.0 { 0.0 } else { 180.0 }),
            );
            plan.furnish(room, props.candle, spot(at(to - 0.6, (y - 0.5) * side, UPPER_FLOOR), 0.0));
            guests.push(room);
        }
    }

    // Windows that face each other across the common room.
    for along in [-7.0, 0.6] {
        window(&mut plan, common, Facing::South, (-y, -OUTER.1), (along, FLOOR + 0.95), sill, props.pane)?;
        window(&mut plan, common, Facing::North, (y, OUTER.1), (along, FLOOR + 0.95), sill, props.pane)?;
    }
    window(&mut plan, common, Facing::West, (-x, -OUTER.0), (3.0, FLOOR + 0.95), sill, props.pane)?;
    window(&mut plan, kitchen, Facing::South, (-y, -OUTER.1), (5.6, FLOOR + 0.95), sill, props.pane)?;
    window(&mut plan, kitchen, Facing::East, (x, OUTER.0), (-2.8, FLOOR + 0.95), sill, props.pane)?;

    furnish(&mut plan, s, props, (common, kitchen, store, corridor));
    let shell = shell(&plan, s, materials);
    Ok(Inn { plan, shell, doorway, yard_door, common, kitchen, corridor, guest_room: guests[1] })
}

fn furnish(
    plan: &mut Plan,
    s: &Skins,
    props: &Props,
    (common, kitchen, store, corridor): (RoomId, RoomId, RoomId, RoomId),
) {
    let at = DVec3::new;
    // The bar.
    plan.solid(common, slab((-0.6, 3.0, FLOOR), (2.4, 3.6, FLOOR + 1.0), s.ceiling));
    plan.solid(common, slab((-0.6, 3.6, FLOOR), (-0.1, 4.6, FLOOR + 1.0), s.ceiling));
    let mut put =
        |room: RoomId, model, place: DVec3, heading: f64| plan.furnish(room, model, spot(place, heading));
    for (tx, ty) in [(-6.6, -3.6), (-6.4, 3.2), (0.2, 1.0)] {
        put(common, props.table, at(tx, ty, FLOOR), 0.0);
        put(common, props.bench, at(tx, ty - 0.95, FLOOR), 0.0);
        put(common, props.bench, at(tx, ty + 0.95, FLOOR), 0.0);
        put(common, props.candle, at(tx + 0.2, ty, FLOOR + 0.8), 0.0);
    }
    put(common, props.hearth, at(-3.2, INNER.1, FLOOR), 0.0);
    put(common, props.barrel, at(1.9, 5.1, FLOOR), 0.0);
    put(common, props.barrel, at(1.1, 5.1, FLOOR), 30.0);
    put(common, props.wall_lamp, at(2.4, 0.6, 2.3), 90.0);
    put(common, props.wall_lamp, at(-INNER.0, -1.5, 2.3), 270.0);
    put(kitchen, props.hearth, at(INNER.0, -4.3, FLOOR), 90.0);
    put(kitchen, props.table, at(4.6, -1.0, FLOOR), 0.0);
    put(kitchen, props.crate_box, at(7.9, -0.8, FLOOR), 7.0);
    for (i, (bx, by)) in [(3.2, 5.0), (4.1, 5.0), (8.0, 1.0), (3.2, 4.1)].into_iter().enumerate() {
        put(store, props.barrel, at(bx, by, FLOOR), i as f64 * 20.0);
    }
    put(store, props.crate_box, at(7.9, 2.4, FLOOR), 3.0);
    put(store, props.crate_box, at(7.9, 2.4, FLOOR + 1.0), 18.0);
    put(store, props.wall_lamp, at(INNER.0, 3.9, 2.3), 90.0);
    put(corridor, props.wall_lamp, at(INNER.0, 0.0, UPPER_FLOOR + 1.7), 90.0);
    put(corridor, props.wall_lamp, at(-6.6, 0.0, UPPER_FLOOR + 1.7), 270.0);
}

fn shell(plan: &Plan, s: &Skins, materials: &Materials) -> Mesh {
    let (x, y) = OUTER;
    let mut shell = Mesh::default();
    shell.solid(slab((-x, -y, CEILING), (x, y, 5.9), s.plaster));
    shell.solid(slab((-x, -y, -0.6), (x, y, CEILING), s.stone));
    shell.solid(gable_roof((-x - 0.5, x + 0.5), y + 0.6, (5.8, 9.8), (s.slate, s.plaster)));
    shell.solid(slab((-3.8, 4.0, 5.9), (-2.6, 5.2, 10.2), s.brick));
    shell.solid(slab((7.4, -4.9, 5.9), (8.4, -3.7, 9.0), s.brick));
    shell.solid(slab((DOOR_X - 1.4, -y - 1.2, -0.3), (DOOR_X + 1.4, -y, 0.1), s.stone));
    shell.solid(slab((YARD_DOOR_X - 1.2, y, -0.3), (YARD_DOOR_X + 1.2, y + 1.0, 0.1), s.stone));
    timber_frame(
        &mut shell,
        (DVec3::new(-x, -y, CEILING), DVec3::new(x, y, 5.7)),
        &[CEILING, 5.5],
        s,
        materials,
    );
    trim(&mut shell, plan, s.beam, materials);
    shell
}
