//! Larger worlds for measuring.
#![allow(dead_code, unreachable_pub)] // Each user takes its own part.

use super::support::*;
use threshold_view::{Lens, Viewer, camera::orientation};
use threshold_world::{BlockId, Frame, Position, World};

/// A generator with a fixed start.
pub struct Random(pub u32);

impl Random {
    pub fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 24) as f32
    }
}

/// Rooms of 8 m on a grid `columns` wide with `doors` openings in each inner wall.
pub fn rooms_on_a_grid(count: usize, columns: usize, doors: usize, seed: u32) -> Vec<Room> {
    const SIDE: f32 = 8.0;
    let mut random = Random(seed);
    let corner = |index: usize| v((index % columns) as f32 * SIDE, (index / columns) as f32 * SIDE, 0.0);
    let mut rooms: Vec<Room> = (0..count)
        .map(|i| room(R0 + i as u16, vec![]).bounds(corner(i), corner(i) + v(SIDE, SIDE, 4.0)))
        .collect();
    for here in 0..count {
        for (there, north) in [(here + columns, true), (here + 1, false)] {
            if there >= count || (!north && there % columns == 0) {
                continue;
            }
            for opening in 0..doors {
                // Each opening takes up to four fifths of its share of the wall.
                let share = SIDE / doors as f32;
                let width = share * (0.4 + 0.4 * random.next());
                let from = share * opening as f32 + (share - width) * random.next();
                let at = corner(there);
                let polygon = if north {
                    door(at.y, [at.x + from, at.x + from + width], [0.0, 3.0])
                } else {
                    let (a, b) = (at.y + from, at.y + from + width);
                    vec![v(at.x, b, 0.0), v(at.x, a, 0.0), v(at.x, a, 3.0), v(at.x, b, 3.0)]
                };
                let (own, other) = (rooms[here].portals.len() as u16, rooms[there].portals.len() as u16);
                let (here_low, there_low) = (R0 + here as u16, R0 + there as u16);
                rooms[here].portals.push(Portal::to(there_low, polygon.clone(), 0).other(other));
                rooms[there].portals.push(Portal::to(here_low, polygon, 1).other(own));
            }
        }
    }
    rooms
}

pub fn dungeon(count: usize) -> World {
    block(rooms_on_a_grid(count, (count as f32).sqrt().ceil() as usize, 1, 7)).no_landscape().world()
}

/// Halls separated by rows of pillars: every cell is seen through many openings.
pub fn mirror_maze() -> World {
    block(rooms_on_a_grid(64, 8, 3, 9)).no_landscape().world()
}

/// Viewpoints in the middle of every cell, all around.
pub fn viewpoints(world: &World, lens: Lens) -> Vec<Viewer> {
    let mut viewers = Vec::new();
    for block in world.block_ids().filter_map(|id| world.block_data(id)) {
        for cell in block.env_cells.iter().flatten() {
            let bounds = cell.structure.bounds;
            let eye = cell.position.frame.apply(bounds.min + (bounds.max - bounds.min) * v(0.4, 0.6, 0.5));
            for yaw in 0..12 {
                let position = Position::new(cell.id(), Frame::new(eye, orientation(yaw as f32 * 30.0, 0.0)));
                viewers.push(Viewer { position, lens, player_cell: cell.id() });
            }
        }
    }
    viewers
}

/// Ten houses of four rooms along a street, with doors and windows towards it, in nine blocks of open ground.
pub fn street() -> (World, Viewer) {
    let mut rooms = Vec::new();
    let mut houses = Vec::new();
    for n in 0..10u16 {
        // One house per land cell: five on each side, the street runs east along y = 96.
        let (x, south_side) = (12.0 + f32::from(n / 2) * 24.0, n % 2 == 0);
        let (y, turn) = if south_side { (84.0, 180.0) } else { (108.0, 0.0) };
        let frame = Frame::new(v(x, y, 0.0), orientation(turn, 0.0));
        let low = R0 + n * 4;
        let first = rooms.len();
        rooms.extend(rooms_on_a_grid(4, 2, 1, u32::from(n)));
        let visible: Vec<u16> = (low..low + 4).collect();
        let mut nodes = Vec::new();
        for (i, room) in rooms[first..].iter_mut().enumerate() {
            room.low = low + i as u16;
            room.frame = frame;
            for portal in &mut room.portals {
                portal.target = portal.target.map(|t| t - R0 + low);
                portal.corners.iter_mut().for_each(|p| *p -= v(8.0, 8.0, 0.0));
            }
            (room.min, room.max) = (room.min - v(8.0, 8.0, 0.0), room.max - v(8.0, 8.0, 0.0));
            room.visible = Some(visible.clone());
            room.seen_outside = true;
            // The two front rooms have a door and a window in the south wall.
            if i < 2 {
                let west = room.min.x;
                for (x, z) in [([west + 1.0, west + 2.5], [0.0, 2.5]), ([west + 4.0, west + 6.5], [1.0, 2.5])]
                {
                    let opening = door(-8.0, x, z);
                    let mut into = Opening::into(room.low, opening.clone(), 0).sees(&visible);
                    into.other = Some(room.portals.len() as u16);
                    nodes.push(into.node());
                    room.portals.push(Portal::exit(opening, 1));
                }
            }
        }
        let cell = 1 + (x / 24.0) as u16 * 8 + (y / 24.0) as u16;
        houses.push(House { cell, frame, nodes, radius: 12.0 });
    }
    let mut world = World::new();
    for (dx, dy) in (0..9u8).map(|n| (n / 3, n % 3)) {
        let id = BlockId::new(0xA8 + dx, 0xB3 + dy);
        if id != BLOCK {
            Block { id, ..block(vec![]) }.add_to(&mut world);
        }
    }
    block(rooms).houses(houses).add_to(&mut world);
    let lens = Lens::new(60f32.to_radians(), 1280, 720).unwrap();
    let at = Position::new(id(4), Frame::new(v(1.0, 96.0, 2.0), orientation(90.0, 0.0)));
    (world, Viewer { position: at, lens, player_cell: id(4) })
}
