//! Things that a server places.

use super::Habits;
use crate::{CellId, Frame, Position, Quat};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use std::{borrow::Cow, str::FromStr};
use threshold_dat::{DatId, parse_hex};

/// What a placed object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // The names say it.
pub enum ObjectKind {
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
pub struct PlacedObject {
    /// Unique in the world.
    pub id: u32,
    /// For people.
    pub name: String,
    /// What it is.
    pub kind: ObjectKind,
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
    /// Seconds until a door closes by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reset_interval: Option<f32>,
    /// Metres from which it can be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub use_radius: Option<f32>,
    /// What it does by itself.
    #[serde(default, skip_serializing_if = "Habits::is_empty")]
    pub habits: Box<Habits>,
}

impl PlacedObject {
    /// An object of full size, without a name, that does nothing by itself.
    pub fn new(kind: ObjectKind, setup: DatId, position: Position) -> PlacedObject {
        PlacedObject {
            id: 0,
            name: String::new(),
            kind,
            setup,
            cell: position.cell,
            origin: position.frame.origin.to_array(),
            rotation: position.frame.rotation().into(),
            scale: 1.0,
            state: 0,
            destination: None,
            reset_interval: None,
            use_radius: None,
            habits: Box::default(),
        }
    }

    /// Where it is.
    pub fn position(&self) -> Position {
        Position::new(self.cell, Frame::new(self.origin.into(), Quat::from(self.rotation)))
    }

    /// Whether it is alive.
    pub fn is_living(&self) -> bool {
        matches!(self.kind, ObjectKind::Creature | ObjectKind::Person)
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

pub(super) fn as_locs<S: Serializer>(places: &[Position], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(places.iter().map(Position::to_string))
}

pub(super) fn from_locs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Position>, D::Error> {
    let texts = Vec::<Cow<str>>::deserialize(deserializer)?;
    let place = |text: &Cow<str>| {
        text.parse().map_err(|_| {
            D::Error::custom(format_args!("`{text}` is not a place such as 0x80800024 [98 93 20]"))
        })
    };
    texts.iter().map(place).collect()
}
