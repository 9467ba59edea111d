//! What lies beside dat files in a folder: `entities.json` and `Locations.txt`, as the sample world is written.

use crate::{Entity, Place, PlaceKind};
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use threshold_world::Position;

/// Name of the file with the things that a server would place.
pub const ENTITIES_FILE: &str = "entities.json";
/// Name of the file with the names of places.
pub const LOCATIONS_FILE: &str = "Locations.txt";
/// Largest file that is read.
const MAX_BYTES: u64 = 64 << 20;

/// Why a file of a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// Nobody has so many places.
    #[error("{0}: larger than {MAX_BYTES} bytes")]
    TooLarge(PathBuf),
    /// It is not a list of entities.
    #[error("{0}: {1}")]
    Entities(PathBuf, serde_json::Error),
    /// A line of the gazetteer.
    #[error("{0}:{1}: {2}")]
    Line(PathBuf, usize, String),
}

/// The things that a server would place in a folder's world; nothing when there is no list of them.
pub fn read_entities(dir: &Path) -> Result<Vec<Entity>, FolderError> {
    let path = dir.join(ENTITIES_FILE);
    match read(&path)? {
        Some(text) => serde_json::from_str(&text).map_err(|error| FolderError::Entities(path, error)),
        None => Ok(Vec::new()),
    }
}

/// The named places of a folder's world: lines `name | type | loc`; nothing when there is no list of them.
pub fn read_places(dir: &Path) -> Result<Vec<Place>, FolderError> {
    let path = dir.join(LOCATIONS_FILE);
    let text = read(&path)?.unwrap_or_default();
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let place = |(number, line): (usize, &str)| {
        let fail = |problem: String| FolderError::Line(path.clone(), number + 1, problem);
        let mut fields = line.split('|').map(str::trim);
        let (name, kind, loc) = (fields.next(), fields.next(), fields.next());
        let (Some(name), Some(kind), Some(loc)) = (name, kind, loc) else {
            return Err(fail("a line is `name | type | loc`".into()));
        };
        let position: Position =
            loc.parse().map_err(|error: threshold_world::loc::LocError| fail(error.to_string()))?;
        Ok(Place { name: name.to_owned(), kind: PlaceKind::named(kind), position })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_places_are_known_in_any_case() {
        let dir = tempfile::tempdir().unwrap();
        let loc = "0x00020100 [10 -20 0.005] 1 0 0 0";
        let lines = ["Dungeon", "dungeon", "INTERIOR", "Outdoors", "Town"]
            .map(|kind| format!("A | {kind} | {loc}\n"));
        fs::write(dir.path().join(LOCATIONS_FILE), lines.concat()).unwrap();
        let kinds: Vec<PlaceKind> = read_places(dir.path()).unwrap().iter().map(|place| place.kind).collect();
        use PlaceKind::{Dungeon, Interior, Outdoors};
        assert_eq!(kinds, [Dungeon, Dungeon, Interior, Outdoors, Outdoors]);
    }
}
