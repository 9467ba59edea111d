//! The community's `/loc` notation and map coordinates, read and written.

use crate::{
    CellId, Frame, Position, Quat, World,
    coords::{CELL_SIDE, CELLS_PER_BLOCK, LandCoord, is_valid_cell_id},
};
use glam::Vec3;
use std::{fmt, str::FromStr};

/// What chat windows and the comments of SQL files put in front of a position.
const PREFIXES: [&str; 3] = ["Your location is:", "@teleloc", "/teleloc"];

/// The column and the row of land cells whose map coordinate is 0.
const MAP_ORIGIN: i32 = 1019;

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

    /// Accepts `/loc` notation, also without `0x`, brackets or rotation, and after "Your location is:" or `@teleloc`.
    fn from_str(text: &str) -> Result<Position, LocError> {
        let fail = |problem: String| LocError::new(text, problem);
        let mut words = without_prefix(text)
            .split(|c: char| c.is_whitespace() || "[],".contains(c))
            .filter(|word| !word.is_empty());
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

fn without_prefix(text: &str) -> &str {
    let text = text.trim();
    let rest = PREFIXES.iter().find_map(|prefix| {
        let (start, rest) = text.split_at_checked(prefix.len())?;
        start.eq_ignore_ascii_case(prefix).then_some(rest)
    });
    rest.unwrap_or(text).trim_start()
}

/// Map coordinates as the game prints them, `42.1N, 33.6E`: the name of a land cell, not of a point.
///
/// Per axis (g − 1019) / 10, g being the column or row of the cell in the map-wide grid. Retail:
/// `LandDefs::CellidToCoordinateString`. Spec: dat-cell §1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapCoords {
    cell: CellId,
}

impl MapCoords {
    /// The coordinates of an outdoor cell; `None` for interior cells and off the map.
    pub fn of(cell: CellId) -> Option<MapCoords> {
        LandCoord::of_cell(cell).map(|_| MapCoords { cell })
    }

    /// The land cell they name.
    pub fn cell(self) -> CellId {
        self.cell
    }

    /// The cell's centre, at a height.
    pub fn center(self, height: f32) -> Position {
        let side = CELLS_PER_BLOCK as u16;
        let index = self.cell.low() - 1;
        let middle = |steps: u16| (f32::from(steps) + 0.5) * CELL_SIDE;
        let origin = Vec3::new(middle(index / side), middle(index % side), height);
        Position::new(self.cell, Frame::at(origin))
    }

    /// Tenths north and east of the origin.
    fn tenths(self) -> [i32; 2] {
        LandCoord::of_cell(self.cell).map_or([0, 0], |at| [at.y - MAP_ORIGIN, at.x - MAP_ORIGIN])
    }

    fn from_terms(terms: &[Term]) -> Result<MapCoords, String> {
        let (mut north, mut east) = (None, None);
        for term in terms {
            let (slot, sign) = match term.letter {
                Some('N') => (&mut north, 1.0),
                Some('S') => (&mut north, -1.0),
                Some('E') => (&mut east, 1.0),
                Some('W') => (&mut east, -1.0),
                // The game prints no letter at 0; north comes first.
                None if term.value == 0.0 && north.is_none() && !lacks_only_east(terms) => (&mut north, 1.0),
                None if term.value == 0.0 => (&mut east, 1.0),
                _ => return Err("a direction must be N, S, E or W".into()),
            };
            if term.value < 0.0 {
                return Err("use a letter (N, S, E or W) instead of a sign".into());
            }
            if slot.replace(sign * term.value).is_some() {
                return Err("a direction is given twice".into());
            }
        }
        let (Some(north), Some(east)) = (north, east) else {
            return Err("both north/south and east/west are needed".into());
        };
        let axis = |value: f64| MAP_ORIGIN.saturating_add((value * 10.0).round() as i32);
        let cell = LandCoord { x: axis(east), y: axis(north) }.cell();
        cell.map(|cell| MapCoords { cell }).ok_or_else(|| "it is off the map".into())
    }
}

/// Whether a letter for north or south stands somewhere, so that a bare 0 can only mean the other axis.
fn lacks_only_east(terms: &[Term]) -> bool {
    terms.iter().any(|term| matches!(term.letter, Some('N' | 'S')))
}

/// A number of map coordinates with the letter behind it, in upper case.
#[derive(Clone, Copy, Debug)]
struct Term {
    value: f64,
    letter: Option<char>,
}

impl Term {
    /// The terms of a text, separated by commas, spaces or nothing.
    fn all(text: &str) -> Result<Vec<Term>, String> {
        let skip = |text: &'_ str, extra: char| {
            text.len() - text.trim_start_matches(|c: char| c.is_whitespace() || c == extra).len()
        };
        let mut terms = Vec::new();
        let mut rest = &text[skip(text, ',')..];
        while !rest.is_empty() {
            let end = rest.find(|c: char| !(c.is_ascii_digit() || "+-.".contains(c))).unwrap_or(rest.len());
            let value: f64 = rest[..end].parse().map_err(|_| "a number must precede N, S, E, W and z")?;
            rest = &rest[end + skip(&rest[end..], ' ')..];
            let letter = rest.chars().next().filter(char::is_ascii_alphabetic);
            rest = &rest[letter.map_or(0, char::len_utf8)..];
            rest = &rest[skip(rest, ',')..];
            terms.push(Term { value, letter: letter.map(|c| c.to_ascii_uppercase()) });
        }
        Ok(terms)
    }
}

impl fmt::Display for MapCoords {
    /// One decimal and no letter at 0, as in the game: `42.1N, 33.6E`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [north, east] = self.tenths();
        let axis = |tenths: i32, positive: &'static str, negative: &'static str| {
            let letter = match tenths.signum() {
                1 => positive,
                -1 => negative,
                _ => "",
            };
            format!("{}.{}{letter}", tenths.abs() / 10, tenths.abs() % 10)
        };
        write!(f, "{}, {}", axis(north, "N", "S"), axis(east, "E", "W"))
    }
}

impl FromStr for MapCoords {
    type Err = LocError;

    /// Accepts `42.1N, 33.6E`, with or without the comma and spaces, in either order and case.
    fn from_str(text: &str) -> Result<MapCoords, LocError> {
        let coords = Term::all(text).and_then(|terms| MapCoords::from_terms(&terms));
        coords.map_err(|problem| LocError::new(text, problem))
    }
}

/// A place as a person gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// `/loc` notation.
    Exact(Position),
    /// Map coordinates: the centre of the cell they name.
    Map {
        /// Which cell.
        coords: MapCoords,
        /// Metres; on the ground when none is given.
        height: Option<f32>,
    },
}

impl Place {
    /// The position meant: map coordinates without a height are put on the ground, where the ground is loaded.
    pub fn resolve(self, world: &World) -> Position {
        let mut position = self.flat();
        if let Place::Map { height: None, .. } = self
            && let Some(cell) = world.land_cell(position.cell)
        {
            let ground = cell.block.terrain.ground(cell.index(), position.frame.origin);
            position.frame.origin.z = ground.map_or(0.0, |ground| ground.height);
        }
        position
    }

    /// The position, at height zero if it is given in map coordinates without a height; for choosing what to load.
    pub fn flat(self) -> Position {
        match self {
            Place::Exact(position) => position,
            Place::Map { coords, height } => coords.center(height.unwrap_or(0.0)),
        }
    }
}

impl From<MapCoords> for Place {
    fn from(coords: MapCoords) -> Place {
        Place::Map { coords, height: None }
    }
}

impl FromStr for Place {
    type Err = LocError;

    /// Accepts what [`Position`] and [`MapCoords`] do, and map coordinates with a height: `12.3N, 41.4E, 150z`.
    fn from_str(text: &str) -> Result<Place, LocError> {
        let body = without_prefix(text);
        if !looks_like_map_coords(body) {
            return text.parse().map(Place::Exact);
        }
        let fail = |problem: String| LocError::new(text, problem);
        let terms = Term::all(body).map_err(fail)?;
        let (coords, heights): (Vec<Term>, Vec<Term>) =
            terms.into_iter().partition(|term| term.letter != Some('Z'));
        let height = match heights[..] {
            [] => None,
            [Term { value, .. }] => Some(value as f32),
            _ => return Err(fail("the height is given twice".into())),
        };
        let coords = MapCoords::from_terms(&coords).map_err(fail)?;
        if height.is_some_and(|height| !height.is_finite()) {
            return Err(fail("the height is not finite".into()));
        }
        Ok(Place::Map { coords, height })
    }
}

/// Whether a text begins with a number that is not a cell id.
fn looks_like_map_coords(text: &str) -> bool {
    let first = text.split(|c: char| c.is_whitespace() || "[],".contains(c)).next().unwrap_or("");
    let is_id = first.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("0x"))
        || first.len() == 8 && first.bytes().all(|b| b.is_ascii_hexdigit());
    !is_id && first.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockId, coords::MAP_CELLS};
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
            "@teleloc 0xA9B40019 [84.000000 7.100000 94.005005] 1.000000 0.000000 0.000000 0.000000",
            "/teleloc 0xA9B40019 84 7.1 94.005005",
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
            (".N, 3E", "a number must precede N, S, E, W and z"),
            ("42.1N, 3E, z", "a number must precede N, S, E, W and z"),
            ("42.1N, 3E, 1z, 2z", "the height is given twice"),
            ("42.1N, 3E, 1", "a direction must be N, S, E or W"),
            ("-42.1N, 3E", "use a letter (N, S, E or W) instead of a sign"),
            ("0, 0, 0", "a direction is given twice"),
            ("102.1N, 3E", "it is off the map"),
            ("3N, 102.0W", "it is off the map"),
            ("3N, 999999999999W", "it is off the map"),
        ] {
            let error = text.parse::<Place>().unwrap_err();
            assert_eq!(error.problem, reason, "{text}");
        }
    }

    #[test]
    fn map_coordinates_name_land_cells() {
        for (cell, name) in [
            (0xA9B4_0019, "42.1N, 33.6E"),
            (0x7F7F_001C, "0.0, 0.0"),
            (0x7F7F_0024, "0.0, 0.1E"),
            (0x7F7F_001D, "0.1N, 0.0"),
            (0x7F7F_0013, "0.1S, 0.1W"),
            (0x0000_0001, "101.9S, 101.9W"),
            (0xFEFE_0040, "102.0N, 102.0E"),
        ] {
            let coords = MapCoords::of(CellId(cell)).unwrap();
            assert_eq!(coords.to_string(), name);
            assert_eq!(name.parse(), Ok(coords));
            assert_eq!(name.parse(), Ok(Place::from(coords)));
            assert_eq!(coords.cell(), CellId(cell));
        }
        assert_eq!(MapCoords::of(CellId(0xA9B4_0100)), None);
    }

    #[test]
    fn map_coordinates_mean_the_centre_of_their_cell() {
        let town: Place = "42.1N, 33.6E".parse().unwrap();
        let centre = town.flat();
        assert_eq!((centre.cell, centre.frame.origin), (CellId(0xA9B4_0019), Vec3::new(84.0, 12.0, 0.0)));
        for text in ["42.1n 33.6e", "33.6E,42.1N", "42.1 N 33.6 E", "42.1N33.6E", "42.14N, 33.56E"] {
            assert_eq!(text.parse(), Ok(town), "{text}");
        }
    }

    #[test]
    fn a_height_may_follow_map_coordinates() {
        for (text, height) in [("12.3N, 41.4E, 150z", 150.0), ("41.4e 12.3n -7.5Z", -7.5)] {
            let position = text.parse::<Place>().unwrap().flat();
            assert_eq!(position.frame.origin.z, height, "{text}");
            assert_eq!(MapCoords::of(position.cell).unwrap().to_string(), "12.3N, 41.4E");
        }
    }

    #[test]
    fn a_zero_without_a_letter_takes_the_axis_that_is_left() {
        for (text, name) in [
            ("0, 0", "0.0, 0.0"),
            ("0.0, 3.2W", "0.0, 3.2W"),
            ("3.2W, 0.0", "0.0, 3.2W"),
            ("0.0, 3.2S", "3.2S, 0.0"),
            ("33E, 0", "0.0, 33.0E"),
        ] {
            assert_eq!(text.parse::<MapCoords>().unwrap().to_string(), name, "{text}");
            assert_eq!(text.parse(), Ok(Place::from(name.parse::<MapCoords>().unwrap())), "{text}");
        }
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
        fn printed_map_coordinates_read_back(x in 0i32..MAP_CELLS, y in 0i32..MAP_CELLS) {
            let coords = MapCoords::of(LandCoord { x, y }.cell().unwrap()).unwrap();
            prop_assert_eq!(coords.to_string().parse(), Ok(coords));
            let centre = coords.center(0.0);
            prop_assert_eq!(LandCoord::under(centre.cell, centre.frame.origin), Some(LandCoord { x, y }));
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC*", words in prop::collection::vec("[0-9a-fxXNSEWz.,\\[\\]-]{0,9}", 0..9)) {
            let _ = text.parse::<Place>();
            let _ = words.join(" ").parse::<Place>();
        }
    }
}
