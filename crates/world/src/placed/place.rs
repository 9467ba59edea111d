//! Names of places.

use crate::{Position, loc::LocError};
use std::{fmt, str::FromStr};

/// The kind of a named place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names say it.
pub enum PlaceKind {
    Outdoors,
    Interior,
    Dungeon,
}

impl PlaceKind {
    const ALL: [PlaceKind; 3] = [PlaceKind::Outdoors, PlaceKind::Interior, PlaceKind::Dungeon];

    fn name(self) -> &'static str {
        match self {
            PlaceKind::Outdoors => "outdoors",
            PlaceKind::Interior => "interior",
            PlaceKind::Dungeon => "dungeon",
        }
    }

    /// The kind that a gazetteer names, in any case. Other kinds, of which there are many, are outdoors.
    fn named(name: &str) -> PlaceKind {
        let known = PlaceKind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name));
        known.unwrap_or(PlaceKind::Outdoors)
    }
}

impl fmt::Display for PlaceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A named place.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPlace {
    /// Unique in the world.
    pub name: String,
    /// Its kind.
    pub kind: PlaceKind,
    /// Its position.
    pub position: Position,
}

impl fmt::Display for NamedPlace {
    /// A line of the gazetteer: `name | type | loc`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {} | {}", self.name, self.kind, self.position)
    }
}

/// Why a line of a gazetteer cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// It lacks a field.
    #[error("expected `name | type | loc`")]
    Fields,
    /// Its place is not one.
    #[error(transparent)]
    Loc(#[from] LocError),
}

impl FromStr for NamedPlace {
    type Err = PlaceError;

    /// Reads a line of the gazetteer; a type that is not known counts as outdoors.
    fn from_str(line: &str) -> Result<NamedPlace, PlaceError> {
        let mut fields = line.split('|').map(str::trim);
        let (name, kind, loc) = (fields.next(), fields.next(), fields.next());
        let (Some(name), Some(kind), Some(loc)) = (name, kind, loc) else { return Err(PlaceError::Fields) };
        let kind = PlaceKind::named(kind);
        Ok(NamedPlace { name: name.to_owned(), kind, position: loc.parse()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_places_are_known_in_any_case() {
        let kind = |kind: &str| {
            let line = format!("A | {kind} | 0x00020100 [10 -20 0.005] 1 0 0 0");
            line.parse::<NamedPlace>().unwrap().kind
        };
        use PlaceKind::{Dungeon, Interior, Outdoors};
        let kinds = ["Dungeon", "dungeon", "INTERIOR", "Outdoors", "Town"].map(kind);
        assert_eq!(kinds, [Dungeon, Dungeon, Interior, Outdoors, Outdoors]);
        assert_eq!("Here | outdoors".parse::<NamedPlace>(), Err(PlaceError::Fields));
    }
}
