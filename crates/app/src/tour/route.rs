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
    Leg::See("Cottage Door"),
    Leg::Blocked { by: "Cottage Door", towards: "Cottage Vestibule" },
    Leg::Open("Cottage Door"),
    Leg::See("Cottage Vestibule"),
    Leg::See("Cottage Living Room"),
    Leg::See("Cottage Cellar Stairs"),
    Leg::See("Cottage Cellar"),
    Leg::Go("Cottage Living Room"),
    Leg::See("Cottage Upstairs"),
    Leg::See("Cottage Window"),
    Leg::See("Cottage Bedroom"),
    Leg::Go("Cottage Living Room"),
    Leg::Go("Cottage Door"),
    Leg::Close("Cottage Door"),
    Leg::Blocked { by: "Cottage Door", towards: "Cottage Vestibule" },
    Leg::Go("Village Street"),
    Leg::Go("Western Road"),
    Leg::Go("Village Street"),
    Leg::See("Village Green"),
    Leg::Go("Inn Door"),
    Leg::Open("Inn Door"),
    Leg::See("Inn Common Room"),
    Leg::See("Inn Corridor"),
    Leg::See("Inn Guest Room"),
    Leg::Go("Inn Door"),
    Leg::See("Landblock Border"),
    Leg::See("Bridge West End"),
    Leg::See("Bridge East End"),
    Leg::See("Tower Door"),
    Leg::Open("Tower Door"),
    Leg::See("Tower Ground Floor"),
    Leg::See("Tower Lookout"),
    Leg::Go("Tower Door"),
    Leg::Go("Hill Road"),
    Leg::See("Cave Entrance"),
    Leg::See("Cave Mouth"),
    Leg::See("Cave Slope"),
    Leg::See("Cave Chamber"),
    Leg::See("Cave Shrine"),
    Leg::Enter { portal: "Portal to the Dungeon", arrive: "Dungeon Entrance" },
    Leg::See("Dungeon Great Hall"),
    Leg::See("Dungeon Below the Pit"),
    Leg::See("Dungeon Depths"),
];
