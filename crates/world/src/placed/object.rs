//! Things that a server places.

use super::Habits;
use crate::{CellId, Frame, Position, Quat};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use threshold_dat::DatId;

/// What a placed object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
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
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct PlacedObject {
    /// Unique in the world.
    pub id: u32,
    /// For people.
    pub name: String,
    /// What it is.
    pub kind: ObjectKind,
    /// Its model.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::text::from_text"))]
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
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "super::text::as_hex", deserialize_with = "super::text::from_hex")
    )]
    pub state: u32,
    /// Where a portal leads.
    #[cfg_attr(
        feature = "serde",
        serde(skip_serializing_if = "Option::is_none", serialize_with = "super::text::as_loc")
    )]
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "super::text::from_loc"))]
    pub destination: Option<Position>,
    /// Seconds until a door closes by itself.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub reset_interval: Option<f32>,
    /// Metres from which it can be used.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub use_radius: Option<f32>,
    /// Its habits.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Habits::is_empty"))]
    pub habits: Box<Habits>,
}

impl PlacedObject {
    /// An object of scale 1, without a name or habits.
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
