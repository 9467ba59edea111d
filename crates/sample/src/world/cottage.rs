//! A cottage: vestibule, living room, pantry, study; stairs up to a bedroom; stairs down to a cellar.

use super::{
    house::{Facing, front_door, gable_roof, spot, timber_frame, trim, window},
    props::{Props, slab},
    skins::Skins,
};
use crate::{
    error::BuildError,
    geom::Convex,
    material::Materials,
    mesh::Mesh,
    plan::{Finish, Flight, Plan, RoomId},
};
use glam::{DVec2, DVec3};

/// Outer faces of the walls.
const OUTER: (f64, f64) = (6.0, 5.0);
/// Inner faces of the outer walls.
const INNER: (f64, f64) = (5.6, 4.6);

/// Levels: floors and ceilings of the three storeys.
const FLOOR: f64 = 0.25;
const CEILING: f64 = 3.05;
const UPPER_FLOOR: f64 = 3.25;
const UPPER_CEILING: f64 = 5.45;
const CELLAR_FLOOR: f64 = -2.75;
const CELLAR_CEILING: f64 = -0.15;

const RISE: f64 = 0.25;
const RUN: f64 = 0.28;
const STEPS: u32 = 11;

/// The rooms one wants to find again.
pub(super) struct Cottage {
    pub(super) plan: Plan,
    pub(super) shell: Mesh,
    pub(super) doorway: RoomId,
    pub(super) vestibule: RoomId,
    pub(super) main: RoomId,
    pub(super) upstairs: RoomId,
    pub(super) bedroom: RoomId,
    pub(super) cellar_stairs: RoomId,
    pub(super) cellar: RoomId,
}

pub(super) fn cottage(s: &Skins, props: &Props, materials: &Materials) -> Result<Cottage, BuildError> {
    let mut plan = Plan::default();
    let look = Finish { floor: s.boards, wall: s.plaster, ceiling: s.ceiling };
    let reveal = Finish { floor: s.beam, wall: s.plaster, ceiling: s.beam };
    let sill = Finish { floor: s.stone, wall: s.plaster, ceiling: s.beam };
    let (x, y) = INNER;
    let at = DVec3::new;

    let vestibule = plan.block(
        "vestibule",
        at(-1.4, -y, FLOOR),
        at(1.4, -2.8, CEILING),
        Finish { floor: s.flagstone, ..look },
    );
    let pantry = plan.block(
        "pantry",
        at(-x, -y, FLOOR),
        at(-1.6, -2.8, CEILING),
        Finish { floor: s.flagstone, ..look },
    );
    let study = plan.block("study", at(1.6, -y, FLOOR), at(x, -2.8, CEILING), look);
    let main = plan.block("living room", at(-x, -2.6, FLOOR), at(x, y, CEILING), look);
    let doorway =
        front_door(&mut plan, vestibule, Facing::South, (-OUTER.1, -y), (0.0, FLOOR), (sill, s.beam))?;
    for (name, room, middle) in
        [("inner door", vestibule, 0.0), ("pantry door", pantry, -3.4), ("study door", study, 3.6)]
    {
        let span = (at(middle - 0.7, -2.8, FLOOR), at(middle + 0.7, -2.6, FLOOR + 2.2));
        plan.doorway(name, (room, main), span, reveal)?;
    }

    // Up: along the north wall.
    let upstairs = plan.block("upstairs", at(-x, -y, UPPER_FLOOR), at(1.0, y, UPPER_CEILING), look);
    let bedroom = plan.block(
        "bedroom",
        at(1.2, -y, UPPER_FLOOR),
        at(x, y, UPPER_CEILING),
        Finish { wall: s.rose_plaster, ..look },
    );
    let span = (at(1.0, -2.3, UPPER_FLOOR), at(1.2, -0.9, UPPER_FLOOR + 2.1));
    plan.doorway("bedroom door", (upstairs, bedroom), span, reveal)?;
    let up = Flight {
        foot: at(-3.4, y - 0.65, FLOOR),
        up: DVec2::X,
        width: 1.3,
        rise: RISE,
        run: RUN,
        steps: STEPS,
    };
    for step in up.solids(s.boards) {
        plan.solid(main, step);
    }
    let head = up.foot.x + up.length();
    plan.solid(main, slab((head, y - 1.3, FLOOR), (head + 0.12, y, CEILING), s.plaster));
    let hatch = (at(up.foot.x, y - 1.3, CEILING), at(head, y, UPPER_FLOOR));
    plan.doorway("stairwell", (main, upstairs), hatch, Finish { wall: s.beam, ..look })?;

    // Down: along the west wall, well away from any window, so that nobody on the steps touches the outdoors. Twice as
    // wide as a person, with as much floor before it: nobody has to aim.
    let stone = Finish { floor: s.flagstone, wall: s.stone, ceiling: s.ceiling };
    let (west, east) = (-x, -3.4);
    let down = Flight {
        foot: at((west + east) / 2.0, 1.78, CELLAR_FLOOR),
        up: -DVec2::Y,
        width: east - west,
        rise: RISE,
        run: RUN,
        steps: STEPS,
    };
    let top = down.foot.y - down.length();
    let cellar_stairs = plan.block("cellar stairs", at(west, top, CELLAR_FLOOR), at(east, 3.6, 0.05), stone);
    for step in down.solids(s.stone) {
        plan.solid(cellar_stairs, step);
    }
    let pit = (at(west, top, 0.05), at(east, down.foot.y, FLOOR));
    plan.doorway("cellar hatch", (cellar_stairs, main), pit, Finish { wall: s.beam, ..look })?;
    let cellar =
        plan.block("cellar", at(east + 0.2, -3.0, CELLAR_FLOOR), at(4.4, 4.0, CELLAR_CEILING), stone);
    let span = (at(east, 1.9, CELLAR_FLOOR), at(east + 0.2, 3.4, CELLAR_FLOOR + 2.1));
    plan.doorway("cellar door", (cellar_stairs, cellar), span, stone)?;
    plan.solid(cellar, slab((0.0, 0.3, CELLAR_FLOOR), (0.5, 0.8, CELLAR_CEILING), s.brick));

    for (room, facing, along, level) in [
        (study, Facing::South, 3.6, FLOOR + 0.95),
        (pantry, Facing::South, -3.6, FLOOR + 0.95),
        (main, Facing::East, 0.6, FLOOR + 0.95),
        (main, Facing::North, 2.0, FLOOR + 0.95),
        (upstairs, Facing::South, -3.0, UPPER_FLOOR + 0.8),
        (upstairs, Facing::West, 0.0, UPPER_FLOOR + 0.8),
        (bedroom, Facing::South, 3.4, UPPER_FLOOR + 0.8),
        (bedroom, Facing::East, 0.6, UPPER_FLOOR + 0.8),
    ] {
        let planes = match facing {
            Facing::North => (y, OUTER.1),
            Facing::South => (-y, -OUTER.1),
            Facing::East => (x, OUTER.0),
            Facing::West => (-x, -OUTER.0),
        };
        window(&mut plan, room, facing, planes, (along, level), sill, props.pane)?;
    }

    furnish(&mut plan, props, &[vestibule, pantry, study, main, upstairs, bedroom, cellar, cellar_stairs]);
    let shell = shell(&plan, s, materials);
    Ok(Cottage { plan, shell, doorway, vestibule, main, upstairs, bedroom, cellar_stairs, cellar })
}

fn furnish(plan: &mut Plan, props: &Props, rooms: &[RoomId; 8]) {
    let &[vestibule, pantry, study, main, upstairs, bedroom, cellar, cellar_stairs] = rooms;
    let at = DVec3::new;
    let mut put =
        |room: RoomId, model, place: DVec3, heading: f64| plan.furnish(room, model, spot(place, heading));
    put(vestibule, props.wall_lamp, at(1.4, -3.7, 2.2), 90.0);
    put(pantry, props.barrel, at(-5.1, -4.1, FLOOR), 10.0);
    put(pantry, props.crate_box, at(-5.0, -3.4, FLOOR), 4.0);
    put(study, props.shelf, at(5.35, -3.7, FLOOR), 90.0);
    put(study, props.table, at(3.4, -4.05, FLOOR), 0.0);
    put(study, props.candle, at(2.8, -4.2, FLOOR + 0.8), 0.0);
    put(main, props.hearth, at(4.4, 4.6, FLOOR), 0.0);
    put(main, props.table, at(1.6, 0.2, FLOOR), 0.0);
    put(main, props.bench, at(1.6, -0.75, FLOOR), 0.0);
    put(main, props.bench, at(1.6, 1.15, FLOOR), 0.0);
    put(main, props.candle, at(1.5, 0.2, FLOOR + 0.8), 0.0);
    put(main, props.carpet, at(-1.2, 0.6, FLOOR), 0.0);
    put(main, props.wall_lamp, at(-3.0, -2.6, 2.3), 180.0);
    put(upstairs, props.carpet, at(-2.6, -1.6, UPPER_FLOOR), 90.0);
    put(upstairs, props.shelf, at(-0.6, -4.38, UPPER_FLOOR), 180.0);
    put(upstairs, props.wall_lamp, at(-5.6, -2.4, UPPER_FLOOR + 1.6), 270.0);
    put(bedroom, props.bed, at(4.8, -3.2, UPPER_FLOOR), 180.0);
    put(bedroom, props.bed, at(4.8, 3.3, UPPER_FLOOR), 0.0);
    put(bedroom, props.wall_lamp, at(2.2, 4.6, UPPER_FLOOR + 1.5), 0.0);
    put(cellar, props.torch, at(4.4, 0.5, CELLAR_FLOOR + 1.7), 90.0);
    put(cellar, props.torch, at(-3.2, -1.5, CELLAR_FLOOR + 1.7), 270.0);
    for (i, (bx, by)) in [(3.6, 3.3), (2.7, 3.4), (3.7, 2.4), (-2.6, -2.5)].into_iter().enumerate() {
        put(cellar, props.barrel, at(bx, by, CELLAR_FLOOR), i as f64 * 25.0);
    }
    put(cellar, props.crate_box, at(3.5, -2.2, CELLAR_FLOOR), 12.0);
    put(cellar_stairs, props.torch, at(-4.5, 3.6, CELLAR_FLOOR + 1.8), 0.0);
}

fn shell(plan: &Plan, s: &Skins, materials: &Materials) -> Mesh {
    let (x, y) = OUTER;
    let mut shell = Mesh::default();
    shell.solid(slab((-x, -y, FLOOR), (x, y, 5.6), s.plaster));
    shell.solid(slab((-x, -y, -0.6), (x, y, FLOOR), s.stone));
    shell.solid(gable_roof((-x - 0.5, x + 0.5), y + 0.6, (5.45, 8.9), (s.thatch, s.plaster)));
    // Over the hearth, and the step before the door.
    shell.solid(slab((3.9, 3.4, 5.6), (4.9, 4.4, 9.4), s.brick));
    shell.solid(Convex::block(DVec3::new(-1.3, -y - 1.0, -0.3), DVec3::new(1.3, -y, 0.1), s.stone));
    timber_frame(&mut shell, (DVec3::new(-x, -y, FLOOR), DVec3::new(x, y, 5.4)), &[2.95], s, materials);
    trim(&mut shell, plan, s.beam, materials);
    shell
}
