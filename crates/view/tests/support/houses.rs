//! Random houses of convex rooms.
#![allow(dead_code, unreachable_pub)] // Each test file uses its own part.

use super::support::*;
use proptest::prelude::*;
use threshold_view::camera::orientation;
use threshold_world::Frame;

/// A house whose rows of rooms are divided each in its own way, like bricks, so that long rooms lie beside short ones.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Borders of the rooms of each row.
    rows: Vec<Vec<f32>>,
    /// Borders of the rows.
    y: Vec<f32>,
    /// For each wall in turn: where the door starts and ends, part of the wall, and whether its sides are equal.
    doors: Vec<Option<(f32, f32, bool)>>,
    turn: f32,
}

pub fn house_plan() -> impl Strategy<Value = Plan> {
    let row = prop::collection::vec(1.0f32..12.0, 1..6).prop_map(|widths| borders(&widths));
    let y = prop::collection::vec(1.0f32..8.0, 5).prop_map(|widths| borders(&widths));
    let door = prop::option::weighted(0.8, (0.03f32..0.5, 0.55f32..0.97, any::<bool>()));
    (prop::collection::vec(row, 5), y, prop::collection::vec(door, 60), 0.0f32..360.0)
        .prop_map(|(rows, y, doors, turn)| Plan { rows, y, doors, turn })
}

fn borders(widths: &[f32]) -> Vec<f32> {
    let mut at = 0.0;
    std::iter::once(0.0)
        .chain(widths.iter().map(|w| {
            at += w;
            at
        }))
        .collect()
}

/// A wall between two rooms (or a room and the outdoors), as two ends of a line that has the first room on its left.
struct Wall {
    from: (f32, f32),
    to: (f32, f32),
    rooms: (usize, Option<usize>),
}

impl Plan {
    pub fn frame(&self) -> Frame {
        Frame::new(v(90.0, 90.0, 10.0), orientation(self.turn, 0.0))
    }

    /// Each room's borders: west, east, south, north.
    pub fn boxes(&self) -> Vec<[f32; 4]> {
        let row = |j: usize| self.rows[j].windows(2).map(move |x| [x[0], x[1], self.y[j], self.y[j + 1]]);
        (0..self.rows.len()).flat_map(row).collect()
    }

    fn walls(&self) -> Vec<Wall> {
        let boxes = self.boxes();
        let mut walls = Vec::new();
        for (a, [_, east, south, north]) in boxes.iter().enumerate() {
            let beside = boxes.iter().position(|b| b[0] == *east && b[2] == *south);
            walls.push(Wall { from: (*east, *south), to: (*east, *north), rooms: (a, beside) });
        }
        for (a, [west, east, _, north]) in boxes.iter().enumerate() {
            for (b, above) in boxes.iter().enumerate().filter(|(_, above)| above[2] == *north) {
                let (from, to) = (west.max(above[0]), east.min(above[1]));
                if to - from > 0.5 {
                    walls.push(Wall { from: (to, *north), to: (from, *north), rooms: (a, Some(b)) });
                }
            }
        }
        walls
    }

    pub fn rooms(&self) -> Vec<Room> {
        let mut rooms: Vec<Room> = Vec::new();
        for (index, [west, east, south, north]) in self.boxes().into_iter().enumerate() {
            let shape = room(R0 + index as u16, vec![]).bounds(v(west, south, 0.0), v(east, north, 3.0));
            rooms.push(Room { frame: self.frame(), ..shape });
        }
        for (wall, door) in self.walls().into_iter().zip(self.doors.iter().cycle()) {
            let Some((start, end, exact)) = *door else { continue };
            // The far side's polygon is narrower when the pair is not exact. Its normal points into the first room.
            let polygon = |narrower: f32| {
                let at = |part: f32| {
                    let along = |a: f32, b: f32| a + (b - a) * part;
                    (along(wall.from.0, wall.to.0), along(wall.from.1, wall.to.1))
                };
                let (a, b) = (at(start + narrower), at(end));
                vec![v(b.0, b.1, 0.2), v(a.0, a.1, 0.2), v(a.0, a.1, 2.4), v(b.0, b.1, 2.4)]
            };
            let (here, there) = wall.rooms;
            let Some(there) = there else {
                rooms[here].portals.push(Portal::exit(polygon(0.0), 0));
                continue;
            };
            let (own, other) = (rooms[here].portals.len() as u16, rooms[there].portals.len() as u16);
            let mut out = Portal::to(R0 + there as u16, polygon(0.0), 0).other(other);
            let mut back =
                Portal::to(R0 + here as u16, polygon(if exact { 0.0 } else { 0.04 }), 1).other(own);
            (out.exact, back.exact) = (exact, exact);
            rooms[here].portals.push(out);
            rooms[there].portals.push(back);
        }
        rooms
    }
}
