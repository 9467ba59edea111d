//! Data that is not in the dat files: objects that a server places, and names of places.

mod find;
#[cfg(feature = "serde")]
mod folder;
mod habits;
mod object;
mod place;
mod seat;
#[cfg(feature = "serde")]
mod text;

pub use find::{FindPlaceError, complete_place, find_place};
#[cfg(feature = "serde")]
pub use folder::{
    FolderError, OBJECTS_FILE, PLACES_FILE, parse_objects, parse_places, read_objects, read_places,
};
pub use habits::{Chase, Habits, Hold, Throw};
pub use object::{ObjectKind, PlacedObject};
pub use place::{NamedPlace, PlaceError, PlaceKind};
pub use seat::seat_without_cell;
