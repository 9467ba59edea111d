//! What the dat files do not hold: things that a server would place, and names of places.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use std::{borrow::Cow, fmt, str::FromStr};
use threshold_dat::{DatId, parse_hex};
use threshold_world::{CellId, Frame, Position, Quat};

/// What an entity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // The names say it.
pub enum EntityKind {
    Door,
    Chest,
    Sign,
    Creature,
    Person,
    Portal,
    Other,
}

/// An object that moves, opens or is spoken to: not part of the dat files. Serialized as scenarios list entities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    /// Unique in the world.
    pub id: u32,
    /// For people.
    pub name: String,
    /// What it is.
    pub kind: EntityKind,
    /// Its model.
    #[serde(deserialize_with = "from_text")]
    pub setup: DatId,
    /// The cell it is in.
    pub cell: CellId,
    /// In the coordinates of the cell's block.
    pub origin: [f32; 3],
    /// w, x, y, z.
    pub rotation: [f32; 4],
    /// Size.
    pub scale: f32,
    /// Object state bits. Spec: physics §1.2.
    #[serde(serialize_with = "as_hex", deserialize_with = "from_hex")]
    pub state: u32,
    /// Where a portal leads.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_loc")]
    #[serde(default, deserialize_with = "from_loc")]
    pub destination: Option<Position>,
}

impl Entity {
    pub(crate) fn new(
        id: u32,
        kind: EntityKind,
        name: &str,
        setup: DatId,
        position: Position,
        state: u32,
    ) -> Entity {
        Entity {
            id,
            name: name.to_owned(),
            kind,
            setup,
            cell: position.cell,
            origin: position.frame.origin.to_array(),
            rotation: position.frame.rotation().into(),
            scale: 1.0,
            state,
            destination: None,
        }
    }
}

impl Entity {
    /// Where it is.
    pub fn position(&self) -> Position {
        Position::new(self.cell, Frame::new(self.origin.into(), Quat::from(self.rotation)))
    }

    /// Whether it is alive.
    pub fn is_living(&self) -> bool {
        matches!(self.kind, EntityKind::Creature | EntityKind::Person)
    }
}

fn as_hex<S: Serializer>(state: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{state:#X}"))
}

fn as_loc<S: Serializer>(position: &Option<Position>, serializer: S) -> Result<S::Ok, S::Error> {
    match position {
        Some(position) => serializer.collect_str(position),
        None => serializer.serialize_none(),
    }
}

fn from_text<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let text = Cow::<str>::deserialize(deserializer)?;
    text.parse().map_err(|_| D::Error::custom(format_args!("`{text}` cannot be read")))
}

fn from_hex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let text = Cow::<str>::deserialize(deserializer)?;
    parse_hex(&text).map_err(|_| D::Error::custom(format_args!("`{text}` is not a state word such as 0x408")))
}

fn from_loc<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Position>, D::Error> {
    from_text(deserializer).map(Some)
}

/// What kind of place a name stands for.
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
    pub(crate) fn named(name: &str) -> PlaceKind {
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
pub struct Place {
    /// Unique in the world.
    pub name: String,
    /// What sort of place it is.
    pub kind: PlaceKind,
    /// Where one stands there.
    pub position: Position,
}

impl fmt::Display for Place {
    /// A line of the gazetteer: `name | type | loc`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {} | {}", self.name, self.kind, self.position)
    }
}
