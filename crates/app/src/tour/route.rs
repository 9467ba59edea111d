//! Where the tour goes.

use std::fmt;

/// A part of the tour. Places and things are named as in the gazetteer and the entity list.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leg {
    /// Walk to a place.
    Go(&'static str),
    /// Walk to a place, face the way it faces, and take a picture.
    See(&'static str),
    /// Walk against something that must hold.
    Blocked { by: &'static str, towards: &'static str },
    /// Open a door.
    Open(&'static str),
    /// Close a door.
    Close(&'static str),
    /// Walk into a portal, which leads to a place.
    Enter { portal: &'static str, arrive: &'static str },
}

impl Leg {
    /// The place the leg leads to.
    pub(crate) fn place(&self) -> &'static str {
        match self {
            Leg::Go(place) | Leg::See(place) => place,
            Leg::Blocked { towards, .. } => towards,
            Leg::Open(door) | Leg::Close(door) => door,
            Leg::Enter { arrive, .. } => arrive,
        }
    }
}

impl fmt::Display for Leg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Leg::Go(place) | Leg::See(place) => write!(f, "to {place}"),
            Leg::Blocked { by, .. } => write!(f, "against {by}"),
            Leg::Open(door) => write!(f, "open {door}"),
            Leg::Close(door) => write!(f, "close {door}"),
            Leg::Enter { portal, arrive } => write!(f, "through {portal} to {arrive}"),
        }
    }
}

/// The walk through the sample world.
pub(crate) const SAMPLE_ROUTE: &[Leg] = &[
    Leg::See("Village Street"),
    Leg::Go("Cottage Door"),
    Leg::Blocked { by: "Cottage Door", towards: "Cottage Vestibule" },
    Leg::Open("Cottage Door"),
    Leg::See("Cottage Vestibule"),
    Leg::See("Cottage Living Room"),
    Leg::Go("Cottage Cellar Stairs"),
    Leg::See("Cottage Cellar"),
];
