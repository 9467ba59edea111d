//! The community's `/loc` notation and map coordinates, read and written.

use crate::{
    BlockId, CellId, Frame, Position, Quat, World,
    coords::{BLOCK_SIDE, CELL_SIDE, CELLS_PER_BLOCK, LandCoord, MAP_CELLS, is_valid_cell_id},
};
use glam::Vec3;
use std::{fmt, str::FromStr};

/// What chat windows put in front of a position.
const CHAT_PREFIX: &str = "Your location is:";

/// Metres in one unit of map coordinates.
const MAP_UNIT: f64 = 240.0;

/// Why a text is not a place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a place such as `0xA9B40019 [84 7.1 94] 1 0 0 0` or `42.1N, 33.6E`: {problem}")]
pub struct LocError {
    text: String,
    problem: String,
}

impl LocError {
    fn new(text: &str, problem: impl Into<String>) -> LocError {
        LocError { text: text.trim().to_owned(), problem: problem.into() }
    }
}

impl fmt::Display for Position {
    /// `/loc` notation: cell, origin in brackets, quaternion w x y z, six decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let o = self.frame.origin;
        let [w, x, y, z] = self.frame.rotation().into();
        write!(f, "{} [{:.6} {:.6} {:.6}] {w:.6} {x:.6} {y:.6} {z:.6}", self.cell, o.x, o.y, o.z)
    }
}

impl FromStr for Position {
    type Err = LocError;

    /// Accepts `/loc` notation, also without `0x`, brackets or rotation, and after "Your location is:".
    fn from_str(text: &str) -> Result<Position, LocError> {
        let fail = |problem: String| LocError::new(text, problem);
        let body = text.trim();
        let body = match body.get(..CHAT_PREFIX.len()) {
            Some(start) if start.eq_ignore_ascii_case(CHAT_PREFIX) => &body[CHAT_PREFIX.len()..],
            _ => body,
        };
        let mut words =
            body.split(|c: char| c.is_whitespace() || "[],".contains(c)).filter(|word| !word.is_empty());
        let id = words.next().ok_or_else(|| fail("it is empty".into()))?;
        let cell: CellId = id.parse().map_err(|_| fail(format!("`{id}` is not a cell id")))?;
        if !is_valid_cell_id(cell) || cell.low() == 0xFFFF {
            return Err(fail(format!("there can be no cell {cell}")));
        }
        let numbers: Vec<f32> = words
            .map(|word| number(word).ok_or_else(|| fail(format!("`{word}` is not a number"))))
            .collect::<Result<_, _>>()?;
        let (x, y, z, rotation) = match numbers[..] {
            [x, y, z] => (x, y, z, Quat::IDENTITY),
            [x, y, z, qw, qx, qy, qz] => (x, y, z, Quat::from([qw, qx, qy, qz])),
            _ => return Err(fail(format!("3 or 7 numbers must follow the cell, not {}", numbers.len()))),
        };
        let length = rotation.dot(rotation);
        if !(length.is_finite() && length > 1e-12) {
            return Err(fail("the rotation has no direction".into()));
        }
        Ok(Position::new(cell, Frame::new(Vec3::new(x, y, z), rotation)))
    }
}

fn number(word: &str) -> Option<f32> {
    word.parse::<f32>().ok().filter(|v| v.is_finite())
}

/// Map coordinates: units of 240 m from the middle of the map, north and east positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapCoords {
    /// Northing; south is negative.
    pub north: f64,
    /// Easting; west is negative.
    pub east: f64,
}

impl MapCoords {
    /// Coordinates of an outdoor position; none indoors and off the map.
    pub fn of(position: &Position) -> Option<MapCoords> {
        let cell = position.cell;
        LandCoord::of_cell(cell)?;
        let units = |block: u8, local: f32| {
            (f64::from(block) * f64::from(BLOCK_SIDE) + f64::from(local)) / MAP_UNIT - half_map()
        };
        let (block, origin) = (cell.block(), position.frame.origin);
        Some(MapCoords { north: units(block.y(), origin.y), east: units(block.x(), origin.x) })
    }

    /// The place at height zero; none off the map.
    pub fn position(self) -> Option<Position> {
        let metres = |units: f64| (units + half_map()) * MAP_UNIT;
        let (x, y) = (metres(self.east), metres(self.north));
        let cell_of = |metres: f64| (metres / f64::from(CELL_SIDE)).floor() as i32;
        let coord = LandCoord { x: cell_of(x), y: cell_of(y) };
        let cell = coord.cell()?;
        let base: BlockId = cell.block();
        let local = |metres: f64, block: u8| (metres - f64::from(block) * f64::from(BLOCK_SIDE)) as f32;
        let origin = Vec3::new(local(x, base.x()), local(y, base.y()), 0.0);
        Some(Position::new(cell, Frame::at(origin)))
    }
}

/// Map units from the edge of the map to its middle: 102.
fn half_map() -> f64 {
    f64::from(MAP_CELLS / CELLS_PER_BLOCK) * f64::from(BLOCK_SIDE) / MAP_UNIT / 2.0
}

impl fmt::Display for MapCoords {
    /// One decimal, as in the game: `42.1N, 33.6E`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |v: f64, positive: char, negative: char| if v < 0.0 { negative } else { positive };
        let (ns, ew) = (letter(self.north, 'N', 'S'), letter(self.east, 'E', 'W'));
        write!(f, "{:.1}{ns}, {:.1}{ew}", self.north.abs(), self.east.abs())
    }
}

impl FromStr for MapCoords {
    type Err = LocError;

    /// Accepts `42.1N, 33.6E`, with or without the comma and spaces, in either order and case.
    fn from_str(text: &str) -> Result<MapCoords, LocError> {
        let fail = |problem: &str| LocError::new(text, problem);
        let (mut north, mut east) = (None, None);
        let compact: String = text.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
        let mut rest = compact.as_str();
        while let Some(end) = rest.find(|c: char| c.is_ascii_alphabetic()) {
            let value = number(&rest[..end])
                .filter(|v| v.is_sign_positive())
                .ok_or_else(|| fail("a number must precede N, S, E and W"))?;
            // Through text, so that 42.1 stays 42.1 and does not become the nearest f32.
            let value: f64 = rest[..end].parse().unwrap_or(f64::from(value));
            let (slot, sign) = match rest.as_bytes()[end].to_ascii_uppercase() {
                b'N' => (&mut north, 1.0),
                b'S' => (&mut north, -1.0),
                b'E' => (&mut east, 1.0),
                b'W' => (&mut east, -1.0),
                _ => return Err(fail("the directions are N, S, E and W")),
            };
            if slot.replace(value * sign).is_some() {
                return Err(fail("a direction is given twice"));
            }
            rest = &rest[end + 1..];
        }
        match (north, east) {
            (Some(north), Some(east)) if rest.is_empty() => Ok(MapCoords { north, east }),
            _ => Err(fail("both north/south and east/west are needed")),
        }
    }
}

/// A place as a person gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// `/loc` notation.
    Exact(Position),
    /// Map coordinates, which know no height.
    Map(MapCoords),
}

impl Place {
    /// The position meant: map coordinates are put on the ground, where the ground is loaded.
    pub fn resolve(self, world: &World) -> Option<Position> {
        match self {
            Place::Exact(position) => Some(position),
            Place::Map(coords) => {
                let mut position = coords.position()?;
                if let Some(cell) = world.land_cell(position.cell) {
                    let ground = cell.block.terrain.ground(cell.index(), position.frame.origin);
                    position.frame.origin.z = ground.map_or(0.0, |ground| ground.height);
                }
                Some(position)
            }
        }
    }

    /// The place at height zero when it is given in map coordinates; for choosing what to load.
    pub fn flat(self) -> Option<Position> {
        match self {
            Place::Exact(position) => Some(position),
            Place::Map(coords) => coords.position(),
        }
    }
}

impl FromStr for Place {
    type Err = LocError;

    fn from_str(text: &str) -> Result<Place, LocError> {
        let start =
            text.trim_start().trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim_start();
        let is_map = match start.chars().next() {
            Some('N' | 'n' | 'S' | 's' | 'W' | 'w') => true,
            // A hexadecimal id can begin like that too, but has no north.
            Some('E' | 'e') => text.contains(['N', 'n', 'S', 's']),
            _ => false,
        };
        if is_map { text.parse().map(Place::Map) } else { text.parse().map(Place::Exact) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EXAMPLE: &str = "0xA9B40019 [84.000000 7.100000 94.005005] 1.000000 0.000000 0.000000 0.000000";

    #[test]
    fn the_contracts_example_prints_as_it_was_read() {
        let position: Position = EXAMPLE.parse().unwrap();
        assert_eq!(position.cell, CellId(0xA9B4_0019));
        assert_eq!(position.frame.origin, Vec3::new(84.0, 7.1, 94.005005));
        assert_eq!(position.frame.rotation(), Quat::IDENTITY);
        assert_eq!(position.to_string(), EXAMPLE);
    }

    #[test]
    fn shorter_forms_mean_the_same() {
        let expected: Position = EXAMPLE.parse().unwrap();
        for text in [
            "A9B40019 84 7.1 94.005005",
            "0xa9b40019 [84 7.1 94.005005]",
            "Your location is: 0xA9B40019 [84.0 7.1 94.005005] 1 0 0 0",
            "  your location is:a9b40019, 84, 7.1, 94.005005, 2 0 0 0 ",
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
            assert_eq!(text.parse(), Ok(Place::Exact(expected)), "{text}");
        }
    }

    #[test]
    fn what_is_no_position_is_refused_with_the_reason() {
        for (text, reason) in [
            ("", "it is empty"),
            ("here", "`here` is not a cell id"),
            ("0xA9B40019", "3 or 7 numbers must follow the cell, not 0"),
            ("0xA9B40019 1 2 3 4", "3 or 7 numbers must follow the cell, not 4"),
            ("0xA9B40019 1 2 NaN", "`NaN` is not a number"),
            ("0xA9B40019 1 2 1e99", "`1e99` is not a number"),
            ("0xA9B40019 1 2 3 0 0 0 0", "the rotation has no direction"),
            ("0xA9B40050 1 2 3", "there can be no cell 0xA9B40050"),
            ("0xFFB40001 1 2 3", "there can be no cell 0xFFB40001"),
            ("0xA9B4FFFF 1 2 3", "there can be no cell 0xA9B4FFFF"),
            ("42.1N", "both north/south and east/west are needed"),
            ("42.1N 3S", "a direction is given twice"),
            (".N, 3E", "a number must precede N, S, E and W"),
        ] {
            let error = text.parse::<Place>().unwrap_err();
            assert_eq!(error.problem, reason, "{text}");
        }
    }

    #[test]
    fn map_coordinates_count_from_the_middle_of_the_map() {
        let middle = MapCoords { north: 0.0, east: 0.0 }.position().unwrap();
        assert_eq!(
            middle.to_string(),
            "0x7F7F0025 [96.000000 96.000000 0.000000] 1.000000 0.000000 0.000000 0.000000"
        );
        let town: MapCoords = "42.1n 33.6e".parse().unwrap();
        assert_eq!(town.to_string(), "42.1N, 33.6E");
        assert_eq!("33.6E,42.1N".parse(), Ok(town));
        let position = town.position().unwrap();
        assert_eq!(position.cell, CellId(0xA9B4_0022));
        assert_eq!(MapCoords::of(&position).unwrap().to_string(), "42.1N, 33.6E");
        assert_eq!("1.5S, 0.3W".parse::<MapCoords>().unwrap().to_string(), "1.5S, 0.3W");
        assert_eq!(MapCoords { north: 102.0, east: 0.0 }.position(), None);
        assert_eq!(MapCoords { north: -102.0, east: -102.0 }.position().unwrap().cell, CellId(0x0000_0001));
    }

    proptest! {
        #[test]
        fn printed_positions_read_back(
            x in 0u8..255, y in 0u8..255, low in prop_oneof![1u16..=0x40, 0x100u16..0xFFFE],
            origin in prop::array::uniform3(-2000.0f32..2000.0), rotation in prop::array::uniform4(-1.0f32..1.0),
        ) {
            prop_assume!(rotation.iter().map(|v| v * v).sum::<f32>() > 1e-4);
            let position = Position::new(BlockId::new(x, y).cell(low), Frame::new(origin.into(), rotation.into()));
            let back: Position = position.to_string().parse().unwrap();
            prop_assert_eq!(back.cell, position.cell);
            prop_assert!((back.frame.origin - position.frame.origin).abs().max_element() <= 1e-6);
            let (a, b) = (back.frame.rotation(), position.frame.rotation());
            prop_assert!((a.w - b.w).abs().max((a.v - b.v).abs().max_element()) <= 2e-6);
        }

        #[test]
        fn map_coordinates_and_positions_are_inverse(x in 0i32..MAP_CELLS, y in 0i32..MAP_CELLS, dx in 0.0f32..23.9, dy in 0.0f32..23.9) {
            let cell = LandCoord { x, y }.cell().unwrap();
            let corner = Vec3::new((x % 8) as f32 * CELL_SIDE, (y % 8) as f32 * CELL_SIDE, 0.0);
            let position = Position::new(cell, Frame::at(corner + Vec3::new(dx, dy, 0.0)));
            let coords = MapCoords::of(&position).unwrap();
            let back = coords.position().unwrap();
            prop_assert!(back.distance_to(&position) < 1e-3, "{position} {back}");
            let read: MapCoords = coords.to_string().parse().unwrap();
            prop_assert!((read.north - coords.north).abs() <= 0.0501 && (read.east - coords.east).abs() <= 0.0501);
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC*", words in prop::collection::vec("[0-9a-fxXNSEW.,\\[\\]-]{0,9}", 0..9)) {
            let _ = text.parse::<Place>();
            let _ = words.join(" ").parse::<Place>();
        }
    }
}
