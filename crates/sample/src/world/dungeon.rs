//! A dungeon of three floors in a landblock of its own.

use super::{
    house::{Facing, spot},
    props::{Props, column},
    skins::Skins,
};
use crate::{
    error::BuildError,
    plan::{Finish, Flight, Plan, RoomId},
    texture::hash,
};
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;
use threshold_world::BlockId;

/// Far from the island; nothing outdoors leads here.
pub(super) const BLOCK: BlockId = BlockId(0x2040);

/// Where the plan's origin lies in the block: parts of the dungeon reach beyond the block's square.
pub(super) const ORIGIN: DVec3 = DVec3::new(-30.0, -20.0, -30.0);

/// Metres between the middles of neighbouring rooms, and between floors.
const PITCH: f64 = 12.0;
const STOREY: f64 = 9.0;

/// Maps, north at the top: `o` a room, `x` a cross-shaped one, a capital letter a room that covers all tiles with it,
/// `.` nothing; `-` and `|` are passages.
const FLOORS: [[&str; 11]; 3] = [
    [
        "o-o-o-o-o-o-o-o-o",
        "|   |   |   |   |",
        "o-o o-o-o o-o o-o",
        "  | |     | | |  ",
        "o-o-o-o . o-o-o-o",
        "|     |     |   |",
        "o-o-x-o-o-o-o o-o",
        "| |     |     | |",
        "o o-o-o-o-o-o-o o",
        "|   |     |   | |",
        "o-o-o o-o-o-o-o-o",
    ],
    [
        "o-o-o-o o-o-o-o-o",
        "|   | | |   |   |",
        "o . o-o-o o-o-o o",
        "|   |     |     |",
        "o-o-o-o . o . . o",
        "|   | |   |     |",
        "o-o o HHH o-o-o-o",
        "| | | HHH |   | |",
        "o-o-o-HHH-o-o o-o",
        "|   |     |   | |",
        "o-o-o-o-o-o-o-o-o",
    ],
    [
        "o-o-o-o-o-o-o-o-o",
        "|   | |   |   | |",
        "o . o-o o-o-o o-o",
        "|   |   |       |",
        "o-o-o-o-o-o . . o",
        "|     |   |     |",
        "o o-o-o-o o-o-o-o",
        "| |   |   |   | |",
        "o-o o-o-o-o o-o-o",
        "|   |     |   | |",
        "o-o-o-o-o-o-o-o-o",
    ],
];

/// Stairs stand in a tile that is empty on both floors: from the room west of it down to the one east of it.
const STAIRS: [(usize, Tile); 2] = [(0, (4, 3)), (1, (1, 4))];
/// A ramp from a room down to one farther east, through empty tiles.
const RAMP: (usize, Tile, Tile) = (1, (5, 3), (8, 3));
/// A shaft from a room's floor into the room below.
const PIT: (usize, Tile) = (0, (7, 0));

/// Column from the west, row from the south.
type Tile = (usize, usize);

/// A room on the map: the cells it consists of and the box around it.
struct Chamber {
    cells: Vec<RoomId>,
    min: DVec3,
    max: DVec3,
}

pub(super) struct Dungeon {
    pub(super) plan: Plan,
    /// Where the portal leads to.
    pub(super) entrance: RoomId,
    pub(super) hall: RoomId,
    pub(super) pit: RoomId,
    pub(super) ramp: RoomId,
    pub(super) deepest: RoomId,
    /// Rooms with a chest, rooms with a beast.
    pub(super) treasures: Vec<(RoomId, DVec3)>,
    pub(super) lairs: Vec<(RoomId, DVec3)>,
}

pub(super) fn dungeon(s: &Skins, props: &Props) -> Result<Dungeon, BuildError> {
    let mut plan = Plan::default();
    let mut chambers: BTreeMap<(usize, Tile), Chamber> = BTreeMap::new();
    for (floor, map) in FLOORS.iter().enumerate() {
        for (tiles, symbol) in rooms_of(map) {
            let chamber = carve(&mut plan, floor, &tiles, symbol, s)?;
            furnish(&mut plan, props, floor, tiles[0], &chamber, symbol);
            for tile in tiles {
                let Chamber { cells, min, max } = &chamber;
                chambers.insert((floor, tile), Chamber { cells: cells.clone(), min: *min, max: *max });
            }
        }
        for (a, b) in passages_of(map) {
            passage(&mut plan, floor, &chambers, a, b, s)?;
        }
    }
    let room = |floor: usize, tile: Tile| &chambers[&(floor, tile)];
    for (floor, (column, row)) in STAIRS {
        stairs(&mut plan, room(floor, (column - 1, row)), room(floor + 1, (column + 1, row)), s)?;
    }
    let (floor, from, to) = RAMP;
    let ramp = ramp(&mut plan, room(floor, from), room(floor + 1, to), s)?;
    let (floor, tile) = PIT;
    let (above, below) = (room(floor, tile), room(floor + 1, tile));
    let middle = middle(above).truncate();
    let shaft = (
        middle.extend(below.max.z) - DVec3::new(1.2, 1.2, 0.0),
        middle.extend(above.min.z) + DVec3::new(1.2, 1.2, 0.0),
    );
    plan.doorway("pit", (above.cells[0], below.cells[0]), shaft, look(s, 0))?;

    let spots = |list: &[(usize, Tile)]| {
        list.iter().map(|&(f, t)| (room(f, t).cells[0], corner(room(f, t)))).collect()
    };
    Ok(Dungeon {
        entrance: room(0, (0, 0)).cells[0],
        hall: room(1, (3, 2)).cells[0],
        pit: below.cells[0],
        ramp,
        deepest: room(2, (8, 5)).cells[0],
        treasures: spots(&[(0, (8, 5)), (1, (0, 5)), (2, (8, 5)), (2, (3, 2))]),
        lairs: spots(&[(0, (5, 3)), (1, (6, 1)), (2, (2, 4)), (2, (4, 4))]),
        plan,
    })
}

fn look(s: &Skins, floor: usize) -> Finish {
    match floor {
        0 => Finish { floor: s.dungeon_floor, wall: s.dungeon_wall, ceiling: s.dungeon_vault },
        1 => Finish { floor: s.flagstone, wall: s.stone, ceiling: s.dungeon_vault },
        _ => Finish { floor: s.cave_floor, wall: s.rock, ceiling: s.rock },
    }
}

fn middle(chamber: &Chamber) -> DVec3 {
    ((chamber.min + chamber.max) / 2.0).with_z(chamber.min.z)
}

/// A place near a corner, clear of doors and torches.
fn corner(chamber: &Chamber) -> DVec3 {
    chamber.min + DVec3::new(1.2, 1.2, 0.0)
}

/// Character of a map at a tile; rows are written from the north.
fn symbol(map: &[&str; 11], (column, row): Tile) -> Option<char> {
    map.get(10usize.checked_sub(2 * row)?)?.chars().nth(2 * column).filter(|c| c.is_alphabetic())
}

/// Rooms of a map with the tiles they cover, in order.
fn rooms_of(map: &[&str; 11]) -> Vec<(Vec<Tile>, char)> {
    let mut rooms: Vec<(Vec<Tile>, char)> = Vec::new();
    for tile in (0..9).flat_map(|column| (0..6).map(move |row| (column, row))) {
        match symbol(map, tile) {
            Some(c) if c.is_uppercase() && rooms.iter().any(|r| r.1 == c) => {
                rooms.iter_mut().filter(|r| r.1 == c).for_each(|r| r.0.push(tile));
            }
            Some(c) => rooms.push((vec![tile], c)),
            None => {}
        }
    }
    rooms
}

/// Pairs of tiles that a map joins: the first is west or south of the second.
fn passages_of(map: &[&str; 11]) -> Vec<(Tile, Tile)> {
    let at = |line: usize, place: usize| map[line].chars().nth(place);
    let mut pairs = Vec::new();
    for (column, row) in (0..9).flat_map(|column| (0..6).map(move |row| (column, row))) {
        if column < 8 && at(10 - 2 * row, 2 * column + 1) == Some('-') {
            pairs.push(((column, row), (column + 1, row)));
        }
        if row < 5 && at(9 - 2 * row, 2 * column) == Some('|') {
            pairs.push(((column, row), (column, row + 1)));
        }
    }
    pairs
}

/// A number in 0…1 that belongs to a tile.
fn roll(what: u32, floor: usize, (column, row): Tile) -> f64 {
    f64::from(hash(500 + what, (floor * 16 + column) as u32, row as u32))
}

/// Rounded to the grid of the textures, so that equal rooms share their structures.
fn quarter(value: f64) -> f64 {
    (value * 4.0).round() / 4.0
}

fn carve(
    plan: &mut Plan,
    floor: usize,
    tiles: &[Tile],
    symbol: char,
    s: &Skins,
) -> Result<Chamber, BuildError> {
    let z = -(floor as f64) * STOREY;
    let first = tiles.iter().fold((usize::MAX, usize::MAX), |a, t| (a.0.min(t.0), a.1.min(t.1)));
    let last = tiles.iter().fold((0, 0), |a, t| (a.0.max(t.0), a.1.max(t.1)));
    let center = |t: Tile| DVec2::new(t.0 as f64, t.1 as f64) * PITCH;
    let half = match symbol {
        'o' => DVec2::new(quarter(3.5 + roll(1, floor, first)), quarter(3.5 + roll(2, floor, first))),
        _ => DVec2::splat(4.5),
    };
    let height = match symbol {
        'o' => 3.25 + quarter(1.5 * roll(3, floor, first)),
        'x' => 4.5,
        _ => 8.0,
    };
    let (min, max) = ((center(first) - half).extend(z), (center(last) + half).extend(z + height));
    let mut look = look(s, floor);
    if symbol.is_uppercase() {
        look.floor = s.marble;
    }
    let name = match symbol {
        'o' => format!("dungeon {} {}-{}", floor + 1, first.0 + 1, first.1 + 1),
        'x' => "dungeon cross".to_owned(),
        _ => "great hall".to_owned(),
    };
    let cells = if symbol == 'x' {
        let (c, a, b) = (center(first), 1.75, 4.5);
        let arms = [
            (-a, -b),
            (a, -b),
            (a, -a),
            (b, -a),
            (b, a),
            (a, a),
            (a, b),
            (-a, b),
            (-a, a),
            (-b, a),
            (-b, -a),
            (-a, -a),
        ];
        plan.hall(&name, &arms.map(|p| c + DVec2::from(p)), (z, z + height), look)?
    } else {
        vec![plan.block(name, min, max, look)]
    };
    if symbol.is_uppercase() {
        // Two aisles, from passage to passage, stay clear.
        for (px, py) in [
            (3.2, 8.6),
            (-3.2, 8.6),
            (3.2, -8.6),
            (-3.2, -8.6),
            (8.6, 3.2),
            (8.6, -3.2),
            (-8.6, 3.2),
            (-8.6, -3.2),
        ] {
            let at = ((min + max) / 2.0).truncate() + DVec2::new(px, py);
            plan.solid(cells[0], column(at, 0.7, 8, (z, z + height), s.limestone));
        }
        plan.solid(cells[0], column(((min + max) / 2.0).truncate(), 2.0, 8, (z, z + 0.4), s.marble));
    }
    Ok(Chamber { cells, min, max })
}

/// A corridor between two neighbouring rooms; its place along the walls varies.
fn passage(
    plan: &mut Plan,
    floor: usize,
    chambers: &BTreeMap<(usize, Tile), Chamber>,
    a: Tile,
    b: Tile,
    s: &Skins,
) -> Result<(), BuildError> {
    let (from, to) = (&chambers[&(floor, a)], &chambers[&(floor, b)]);
    let facing = if a.1 == b.1 { Facing::East } else { Facing::North };
    let plain = from.cells.len() == 1 && to.cells.len() == 1;
    let shift = if plain { quarter(2.0 * roll(4, floor, a) - 1.0) } else { 0.0 };
    let (planes, along) = match facing {
        Facing::East => ((from.max.x, to.min.x), a.1 as f64 * PITCH + shift),
        _ => ((from.max.y, to.min.y), a.0 as f64 * PITCH + shift),
    };
    let floor_z = from.min.z;
    let (min, max) = facing.span(planes, (along - 1.0, along + 1.0), (floor_z, floor_z + 2.5));
    let room = plan.block("dungeon passage", min, max, look(s, floor));
    for side in [from, to] {
        join_any(plan, room, side)?;
    }
    Ok(())
}

/// Joins a room to whichever cell of a chamber it touches.
fn join_any(plan: &mut Plan, room: RoomId, chamber: &Chamber) -> Result<(), BuildError> {
    let mut last = Ok(());
    for &cell in &chamber.cells {
        last = plan.join(room, cell);
        if last.is_ok() {
            break;
        }
    }
    last
}

/// A stairwell: a tall shaft with steps along its whole length, the upper room in the west, the lower one in the east.
fn stairs(plan: &mut Plan, upper: &Chamber, lower: &Chamber, s: &Skins) -> Result<(), BuildError> {
    let y = middle(upper).y;
    let (west, east) = (upper.max.x, lower.min.x);
    let (bottom, top) = (lower.min.z, upper.min.z);
    let steps = ((top - bottom) / 0.25).round() as u32 - 1;
    let landing = 1.5;
    let run = (east - west - 2.0 * landing) / f64::from(steps);
    let walls = look(s, 0);
    let well = plan.block(
        "stairwell",
        DVec3::new(west, y - 1.25, bottom),
        DVec3::new(east, y + 1.25, top + 3.25),
        walls,
    );
    let foot = DVec3::new(east - landing, y, bottom);
    let flight = Flight { foot, up: -DVec2::X, width: 2.5, rise: 0.25, run, steps };
    for step in flight.solids(walls.floor) {
        plan.solid(well, step);
    }
    let platform = crate::geom::Convex::block(
        DVec3::new(west, y - 1.25, bottom),
        DVec3::new(west + landing, y + 1.25, top),
        walls.floor,
    );
    plan.solid(well, platform);
    join_any(plan, well, upper)?;
    join_any(plan, well, lower)
}

/// A sloping corridor.
fn ramp(plan: &mut Plan, upper: &Chamber, lower: &Chamber, s: &Skins) -> Result<RoomId, BuildError> {
    let y = middle(upper).y;
    let (west, east) = (upper.max.x, lower.min.x);
    let (top, bottom) = (upper.min.z, lower.min.z);
    let at = DVec3::new;
    let floor = [
        at(west, y - 1.5, top),
        at(east, y - 1.5, bottom),
        at(east, y + 1.5, bottom),
        at(west, y + 1.5, top),
    ];
    let room = plan.between("dungeon ramp", &floor, &floor.map(|p| p + DVec3::Z * 2.75), look(s, 1));
    join_any(plan, room, upper)?;
    join_any(plan, room, lower)?;
    Ok(room)
}

fn furnish(plan: &mut Plan, props: &Props, floor: usize, tile: Tile, chamber: &Chamber, symbol: char) {
    let Chamber { cells, min, max } = chamber;
    let cell = cells[0];
    if cells.len() > 1 {
        return;
    }
    let mut torch = |x: f64, y: f64, heading: f64| {
        plan.furnish(cell, props.torch, spot(DVec3::new(x, y, min.z + 1.9), heading));
    };
    torch(min.x + 0.8, max.y, 0.0);
    torch(max.x - 0.8, min.y, 180.0);
    if symbol.is_uppercase() {
        torch(max.x - 0.8, max.y, 0.0);
        torch(min.x + 0.8, min.y, 180.0);
        plan.furnish(cell, props.obelisk, spot(middle(chamber) + DVec3::Z * 0.4, 0.0));
        return;
    }
    let (x, y) = (max.x - 1.0, max.y - 1.0);
    match (roll(5, floor, tile) * 5.0) as u32 {
        0 => plan.furnish(cell, props.barrel, spot(DVec3::new(x, y, min.z), 15.0)),
        1 => plan.furnish(cell, props.crate_box, spot(DVec3::new(x, y, min.z), 8.0)),
        2 => {
            plan.furnish(cell, props.crate_box, spot(DVec3::new(x, y, min.z), 3.0));
            plan.furnish(cell, props.barrel, spot(DVec3::new(x - 1.1, y + 0.1, min.z), 40.0));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_rectangles_of_known_symbols() {
        for map in FLOORS {
            for line in map {
                assert_eq!(line.len(), 17, "{line}");
                assert!(line.chars().all(|c| " -|.oxH".contains(c)), "{line}");
            }
            for (a, b) in passages_of(&map) {
                assert!(symbol(&map, a).is_some() && symbol(&map, b).is_some(), "{a:?} to {b:?}");
            }
        }
    }

    #[test]
    fn there_are_at_least_150_rooms() {
        assert!(FLOORS.iter().map(|map| rooms_of(map).len()).sum::<usize>() >= 150);
    }
}
