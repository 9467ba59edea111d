//! Habits of placed objects.

use crate::Position;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// What an object does on its own; each habit is optional. Described in `docs/formats/entities.md`.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Habits {
    /// Places that it walks to, one after the other, over and over.
    #[cfg_attr(
        feature = "serde",
        serde(
            skip_serializing_if = "Vec::is_empty",
            serialize_with = "super::text::as_locs",
            deserialize_with = "super::text::from_locs"
        )
    )]
    pub patrol: Vec<Position>,
    /// It runs after players.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub chases: Option<Chase>,
    /// It throws something.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub throws: Option<Throw>,
    /// It holds something.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub holds: Option<Hold>,
}

/// Running after players.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Chase {
    /// Metres within which a player is noticed.
    pub radius: f32,
    /// Metres from where it started at which it gives up and goes home.
    pub gives_up: f32,
}

/// Throwing an object at another.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Throw {
    /// The thrown object; its state word must be that of a missile.
    pub missile: u32,
    /// The target.
    pub target: u32,
    /// Where it is held until then.
    pub hand: u32,
    /// Metres per second.
    pub speed: f32,
    /// Seconds between two throws.
    pub every: f32,
}

/// Holding an object.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Hold {
    /// The held object.
    pub object: u32,
    /// Where, one after the other: numbers of the setup's holding locations.
    pub hands: Vec<u32>,
    /// Seconds until it changes hands.
    pub every: f32,
}

impl Habits {
    /// Whether it has no habits.
    pub fn is_empty(&self) -> bool {
        *self == Habits::default()
    }
}
