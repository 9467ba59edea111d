//! Where the tour goes.

use std::fmt;

/// A part of the tour. Places and things are named as in the gazetteer and the entity list.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leg {
    /// Walk to a place.
    Go(&'static str),
    /// Walk to a place, face the way it faces, and look around.
    See(&'static str),
    /// Walk straight to a point that lies metres east and north of a place: around stairs and hatches.
    Via(&'static str, [f32; 2]),
    /// Walk around an axis that lies metres east and north of a place, between two angles from east in degrees.
    Wind { place: &'static str, axis: [f32; 2], radius: f32, from: f32, to: f32 },
    /// Walk against something that must hold.
    Blocked { by: &'static str, towards: &'static str },
    /// Open a door; it closes by itself after a while.
    Open(&'static str),
    /// Close a door.
    Close(&'static str),
    /// Walk to a place, and watch something until there is something to see.
    Watch { place: &'static str, what: &'static str, until: Sight },
    /// Walk into a portal, which leads to a place.
    Enter { portal: &'static str, arrive: &'static str },
}

/// Something worth waiting for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sight {
    /// A missile flies, and is as near to what is watched as this, in metres.
    InFlight(&'static str, f32),
    /// What is watched has come as near as this.
    Near(f32),
    /// What is watched has been taken into another hand.
    ChangedHands,
}

impl Leg {
    /// The place the leg leads to.
    pub(crate) fn place(&self) -> &'static str {
        match self {
            Leg::Go(place) | Leg::See(place) | Leg::Via(place, _) | Leg::Wind { place, .. } => place,
            Leg::Blocked { towards, .. } => towards,
            Leg::Open(door) | Leg::Close(door) => door,
            Leg::Watch { place, .. } => place,
            Leg::Enter { arrive, .. } => arrive,
        }
    }
}

impl fmt::Display for Leg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Leg::Go(place) | Leg::See(place) => write!(f, "to {place}"),
            Leg::Via(place, _) | Leg::Wind { place, .. } => write!(f, "on the stairs near {place}"),
            Leg::Blocked { by, .. } => write!(f, "against {by}"),
            Leg::Open(door) => write!(f, "open {door}"),
            Leg::Close(door) => write!(f, "close {door}"),
            Leg::Watch { what, .. } => write!(f, "to see the {what}"),
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
    Leg::Via("Cottage Cellar Stairs", [1.9, -4.6]),
    Leg::Via("Cottage Cellar Stairs", [0.0, -4.6]),
    Leg::Via("Cottage Cellar Stairs", [0.0, 0.0]),
    Leg::See("Cottage Cellar"),
    Leg::See("Cottage Cellar Stairs"),
    Leg::Via("Cottage Cellar Stairs", [0.0, -4.6]),
    Leg::Via("Cottage Cellar Stairs", [1.9, -4.6]),
    Leg::Go("Cottage Living Room"),
    Leg::Via("Cottage Living Room", [-3.3, 2.95]),
    Leg::Via("Cottage Living Room", [1.3, 2.95]),
    Leg::Via("Cottage Living Room", [1.4, 1.5]),
    Leg::See("Cottage Upstairs"),
    Leg::See("Cottage Window"),
    Leg::See("Cottage Bedroom"),
    Leg::Go("Cottage Upstairs"),
    Leg::Via("Cottage Living Room", [1.4, 1.5]),
    Leg::Via("Cottage Living Room", [1.3, 2.95]),
    Leg::Via("Cottage Living Room", [-3.3, 2.95]),
    Leg::Go("Cottage Living Room"),
    Leg::Open("Cottage Door"),
    Leg::Go("Cottage Door"),
    Leg::Close("Cottage Door"),
    Leg::Blocked { by: "Cottage Door", towards: "Cottage Vestibule" },
    Leg::Go("Village Street"),
    Leg::Go("Western Road"),
    Leg::Go("Village Street"),
    Leg::See("Village Green"),
    Leg::Watch { place: "Practice Ground", what: "Target", until: Sight::InFlight("Dart", 6.0) },
    Leg::Watch { place: "Boar Meadow", what: "Angry Boar", until: Sight::Near(5.0) },
    Leg::Watch { place: "Watchman's Round", what: "Watchman", until: Sight::Near(7.0) },
    Leg::Watch { place: "Watchman's Round", what: "Watchman's Torch", until: Sight::ChangedHands },
    Leg::Go("Inn Door"),
    Leg::Open("Inn Door"),
    Leg::See("Inn Common Room"),
    Leg::Via("Inn Common Room", [-4.4, 0.6]),
    Leg::Via("Inn Common Room", [-4.4, 2.0]),
    Leg::Via("Inn Common Room", [0.1, 2.0]),
    Leg::See("Inn Corridor"),
    Leg::See("Inn Guest Room"),
    Leg::Go("Inn Corridor"),
    Leg::Via("Inn Common Room", [0.1, 2.0]),
    Leg::Via("Inn Common Room", [-4.4, 2.0]),
    Leg::Via("Inn Common Room", [-4.4, 0.6]),
    Leg::Go("Inn Common Room"),
    Leg::Open("Inn Door"),
    Leg::Go("Inn Door"),
    Leg::See("Landblock Border"),
    Leg::See("Bridge West End"),
    Leg::See("Bridge East End"),
    Leg::See("Tower Door"),
    Leg::Open("Tower Door"),
    Leg::See("Tower Ground Floor"),
    Leg::Wind { place: "Tower Ground Floor", axis: [-1.0, 2.8], radius: 2.8, from: -45.0, to: 1100.0 },
    Leg::See("Tower Lookout"),
    Leg::Wind { place: "Tower Ground Floor", axis: [-1.0, 2.8], radius: 2.8, from: 1100.0, to: -45.0 },
    Leg::Go("Tower Ground Floor"),
    Leg::Open("Tower Door"),
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
