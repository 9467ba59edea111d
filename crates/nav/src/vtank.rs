//! Virindi Tank routes: `.nav` files. The format is described in `docs/formats/nav.md`.

use crate::lattice::neighbours;
use std::fmt::Write;
use threshold_world::{
    BlockId, Frame, Position, World,
    coords::{BLOCK_SIDE, MAP_CELLS, block_offset},
    placed::seat_without_cell,
};

/// The first line of a file.
const HEADER: &str = "uTank2 NAV 1.2";
/// Metres per unit of map coordinates.
const UNIT: f64 = 240.0;
/// Where map coordinates are zero, in units from the south-west corner of the map.
const ORIGIN: f64 = 101.95;
/// Most waypoints of a file.
const MAX_POINTS: usize = 100_000;

/// What happens at the end of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NavKind {
    /// It starts over.
    Circular,
    /// It is walked back.
    Linear,
    /// It is walked once.
    Once,
}

/// A waypoint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NavPoint {
    /// East, north and up, in units of map coordinates.
    pub at: [f64; 3],
    /// Whether it is a place to walk to; other waypoints are actions on the way.
    pub is_place: bool,
}

/// A `.nav` file.
#[derive(Clone, Debug, PartialEq)]
pub struct NavFile {
    /// What happens at its end.
    pub kind: NavKind,
    /// Waypoints in order.
    pub points: Vec<NavPoint>,
}

/// Why a `.nav` file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct NavFileError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

/// Lines with their numbers.
struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    line: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self, what: &str) -> Result<&'a str, NavFileError> {
        let Some((index, text)) = self.lines.next() else {
            return Err(NavFileError { line: self.line + 1, what: format!("the file ends before {what}") });
        };
        self.line = index + 1;
        Ok(text.trim())
    }

    fn number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, NavFileError> {
        let text = self.next(what)?;
        text.parse().map_err(|_| self.refuse(format!("`{text}` is not {what}")))
    }

    fn refuse(&self, what: String) -> NavFileError {
        NavFileError { line: self.line, what }
    }
}

impl NavFile {
    /// Reads a file.
    pub fn parse(text: &str) -> Result<NavFile, NavFileError> {
        let text = text.trim_start_matches('\u{feff}');
        let mut lines = Lines { lines: text.lines().enumerate(), line: 0 };
        let header = lines.next("its header")?;
        if header != HEADER {
            return Err(lines.refuse(format!("`{header}` is not `{HEADER}`")));
        }
        let kind = match lines.number::<u32>("the kind of route")? {
            1 => NavKind::Circular,
            2 => NavKind::Linear,
            4 => NavKind::Once,
            3 => return Err(lines.refuse("a route that follows somebody has no waypoints".into())),
            other => return Err(lines.refuse(format!("there is no kind of route {other}"))),
        };
        let count = lines.number::<usize>("the number of waypoints")?;
        if count > MAX_POINTS {
            return Err(lines.refuse(format!("{count} waypoints are more than {MAX_POINTS}")));
        }
        let mut points = Vec::new();
        for _ in 0..count {
            points.push(point(&mut lines)?);
        }
        Ok(NavFile { kind, points })
    }

    /// A route that is walked once.
    pub fn once(places: &[Position]) -> NavFile {
        let points = places.iter().map(|place| NavPoint { at: coordinates(place), is_place: true });
        NavFile { kind: NavKind::Once, points: points.collect() }
    }

    /// The text of the file, with its plain waypoints.
    pub fn text(&self) -> String {
        let kind = match self.kind {
            NavKind::Circular => 1,
            NavKind::Linear => 2,
            NavKind::Once => 4,
        };
        let places: Vec<&NavPoint> = self.points.iter().filter(|point| point.is_place).collect();
        let mut text = format!("{HEADER}\r\n{kind}\r\n{}\r\n", places.len());
        for NavPoint { at: [x, y, z], .. } in places {
            let _ = write!(text, "0\r\n{x}\r\n{y}\r\n{z}\r\n0\r\n");
        }
        text
    }

    /// The blocks of its places and those around them, because rooms may lie next to their block; some may not exist.
    pub fn blocks(&self) -> Vec<BlockId> {
        let places = self.points.iter().filter(|p| p.is_place).filter_map(|p| Some(block_of(p.at)?.0));
        let mut own: Vec<BlockId> = places.collect();
        own.sort_unstable();
        own.dedup();
        let mut blocks: Vec<BlockId> = own.into_iter().flat_map(neighbours).collect();
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    }

    /// The places to walk to, each in the cell that contains it; `None` for those where nothing is loaded.
    pub fn places(&self, world: &World) -> Vec<Option<Position>> {
        self.points.iter().filter(|point| point.is_place).map(|point| place(world, point.at)).collect()
    }
}

/// A waypoint and the lines that its kind has.
fn point(lines: &mut Lines<'_>) -> Result<NavPoint, NavFileError> {
    let kind = lines.number::<u32>("the kind of a waypoint")?;
    let mut at = [0.0; 3];
    for (v, name) in at.iter_mut().zip(["east", "north", "a height"]) {
        *v = lines.number::<f64>(name)?;
        if !v.is_finite() || v.abs() > 1e4 {
            return Err(lines.refuse(format!("{v} is not on the map")));
        }
    }
    lines.next("the end of a waypoint")?;
    let more = match kind {
        0 | 8 => 0,
        1..=4 => 1,
        5 => 2,
        6 | 7 => 6,
        9 => 3,
        other => return Err(lines.refuse(format!("there is no kind of waypoint {other}"))),
    };
    for _ in 0..more {
        lines.next("what a waypoint does")?;
    }
    Ok(NavPoint { at, is_place: matches!(kind, 0 | 8) })
}

/// A place in units of map coordinates.
fn coordinates(place: &Position) -> [f64; 3] {
    let block = place.cell.block();
    let origin = place.frame.origin;
    let axis = |block: u8, v: f32| (f64::from(block) * f64::from(BLOCK_SIDE) + f64::from(v)) / UNIT - ORIGIN;
    [axis(block.x(), origin.x), axis(block.y(), origin.y), f64::from(origin.z) / UNIT]
}

/// The block that a place lies in, and the place in its coordinates.
fn block_of([x, y, z]: [f64; 3]) -> Option<(BlockId, glam::Vec3)> {
    let side = f64::from(BLOCK_SIDE);
    let map = f64::from(MAP_CELLS) / 8.0;
    let (x, y) = ((x + ORIGIN) * UNIT, (y + ORIGIN) * UNIT);
    let (i, j) = ((x / side).floor(), (y / side).floor());
    let is_on_map = (0.0..map).contains(&i) && (0.0..map).contains(&j);
    let point = glam::Vec3::new((x - i * side) as f32, (y - j * side) as f32, (z * UNIT) as f32);
    is_on_map.then(|| (BlockId::new(i as u8, j as u8), point))
}

fn place(world: &World, at: [f64; 3]) -> Option<Position> {
    let (home, point) = block_of(at)?;
    // The sole of a body lies on a floor, and a floor is the border of its cell.
    let lift = glam::Vec3::Z * 0.5;
    let seat = |id: BlockId| {
        let point = point - block_offset(home.cell(1), id.cell(1));
        let (cell, origin) = seat_without_cell(world.block_data(id)?, point + lift)?;
        world.cell(cell)?;
        Some(Position::new(cell, Frame::at(origin - lift)))
    };
    // The rooms of a dungeon may lie beside their block.
    let inside = |id: BlockId| seat(id).filter(|place| place.cell.is_interior());
    inside(home).or_else(|| neighbours(home).find_map(inside)).or_else(|| seat(home))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_survives_the_file() {
        let place: Position = "0xA9B40019 [84 7.1 94.005]".parse().expect("a place");
        let text = NavFile::once(&[place, place]).text();
        assert!(text.starts_with("uTank2 NAV 1.2\r\n4\r\n2\r\n0\r\n33."), "{text}");
        let read = NavFile::parse(&text).expect("what was written");
        assert_eq!((read.kind, read.points.len()), (NavKind::Once, 2));
        // 169 × 192 + 84 metres east: 135.55 units, less 101.95.
        let [x, y, z] = read.points[0].at;
        assert!(
            (x - 33.6).abs() < 1e-9 && (y - 42.079_583).abs() < 1e-5 && (z - 0.391_687_5).abs() < 1e-6,
            "{x} {y} {z}"
        );
    }

    #[test]
    fn other_kinds_of_waypoints_are_read_over() {
        let file = "uTank2 NAV 1.2\n1\n3\n0\n1\n2\n0.1\n0\n3\n1\n2\n0.1\n0\n5000\n0\n1.5\n2\n0.1\n0\n";
        let read = NavFile::parse(file).expect("a file");
        assert_eq!(read.kind, NavKind::Circular);
        assert_eq!(read.points.iter().map(|p| p.is_place).collect::<Vec<_>>(), [true, false, true]);
    }

    #[test]
    fn broken_files_say_which_line() {
        for (text, line) in [
            ("", 1),
            ("uTank2 NAV 1.1\n", 1),
            ("uTank2 NAV 1.2\nx\n", 2),
            ("uTank2 NAV 1.2\n3\n", 2),
            ("uTank2 NAV 1.2\n1\n99999999\n", 3),
            ("uTank2 NAV 1.2\n1\n1\n0\nNaN\n", 5),
            ("uTank2 NAV 1.2\n1\n1\n77\n0\n0\n0\n0\n", 8),
            ("uTank2 NAV 1.2\n1\n1\n0\n1\n", 6),
        ] {
            assert_eq!(NavFile::parse(text).expect_err(text).line, line, "{text:?}");
        }
    }
}
