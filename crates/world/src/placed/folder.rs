//! Files next to dat files: `entities.json` and `Locations.txt`, as `threshold sample` writes them.

use super::{NamedPlace, PlaceError, PlacedObject};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Name of the file with the things that a server would place.
pub const OBJECTS_FILE: &str = "entities.json";
/// Name of the file with the names of places.
pub const PLACES_FILE: &str = "Locations.txt";
/// Largest file that is read.
const MAX_BYTES: u64 = 64 << 20;

/// Why a file of a folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// The file is too large.
    #[error("{0}: larger than {MAX_BYTES} bytes")]
    TooLarge(PathBuf),
    /// It is not a list of objects.
    #[error("{0}: {1}")]
    Objects(PathBuf, serde_json::Error),
    /// A line of the gazetteer.
    #[error("{0}:{1}: {2}")]
    Line(PathBuf, usize, PlaceError),
}

/// The objects that a server would place in a folder's world; empty when there is no list.
pub fn read_objects(dir: &Path) -> Result<Vec<PlacedObject>, FolderError> {
    let path = dir.join(OBJECTS_FILE);
    read(&path)?.map_or(Ok(Vec::new()), |text| parse_objects(&path, &text))
}

/// The things of a list with a name.
pub fn parse_objects(path: &Path, text: &str) -> Result<Vec<PlacedObject>, FolderError> {
    serde_json::from_str(text).map_err(|error| FolderError::Objects(path.to_owned(), error))
}

/// The named places of a folder's world, one per line; empty when there is no list.
pub fn read_places(dir: &Path) -> Result<Vec<NamedPlace>, FolderError> {
    let path = dir.join(PLACES_FILE);
    parse_places(&path, &read(&path)?.unwrap_or_default())
}

/// The named places of a list with a name, one a line.
pub fn parse_places(path: &Path, text: &str) -> Result<Vec<NamedPlace>, FolderError> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let place = |(number, line): (usize, &str)| {
        line.parse().map_err(|error| FolderError::Line(path.to_owned(), number, error))
    };
    lines.map(place).collect()
}

fn read(path: &Path) -> Result<Option<String>, FolderError> {
    let fail = |error| FolderError::Io(path.to_owned(), error);
    match fs::metadata(path) {
        Ok(about) if about.len() > MAX_BYTES => Err(FolderError::TooLarge(path.to_owned())),
        Ok(_) => fs::read_to_string(path).map(Some).map_err(fail),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(fail(error)),
    }
}
