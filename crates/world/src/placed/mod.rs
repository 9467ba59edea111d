//! What the dat files do not hold: things that a server places, and names of places.

mod find;
mod folder;
mod object;
mod place;

pub use find::{FindPlaceError, complete_place, find_place};
pub use folder::{FolderError, OBJECTS_FILE, PLACES_FILE, read_objects, read_places};
pub use object::{ObjectKind, PlacedObject};
pub use place::{NamedPlace, PlaceError, PlaceKind};
