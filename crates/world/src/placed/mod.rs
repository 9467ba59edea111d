//! What the dat files do not hold: things that a server places, and names of places.

mod folder;
mod object;
mod place;

pub use folder::{FolderError, OBJECTS_FILE, PLACES_FILE, read_objects, read_places};
pub use object::{ObjectKind, PlacedObject};
pub use place::{NamedPlace, PlaceError, PlaceKind};
