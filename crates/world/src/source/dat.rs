//! The game's own files.

use super::{Listing, Source};
use std::{
    borrow::Cow,
    fmt, io,
    ops::RangeInclusive,
    path::{Path, PathBuf},
};
use threshold_dat::{
    DatId, Error, IdScheme,
    container::{DatFile, FileKind},
};

/// Name of the file with landblocks and interior cells.
pub const CELL_FILE: &str = "client_cell_1.dat";
const PORTAL: &str = "client_portal.dat";
/// Where a file's header says which of the game's files it is.
const FILE_TYPE_OFFSET: u64 = 0x14C;
/// Files that a folder may hold beside the two it must hold.
const OPTIONAL: [&str; 2] = ["client_highres.dat", "client_local_English.dat"];

/// A file that a folder of dat files needs and that cannot be used.
#[derive(Debug)]
pub struct OpenError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub error: Error,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.error {
            // It names the file already.
            Error::Io { .. } => self.error.fmt(f),
            error => write!(f, "{}: {error}", self.path.display()),
        }
    }
}

impl std::error::Error for OpenError {}

fn open(path: PathBuf) -> Result<DatFile, OpenError> {
    DatFile::open(&path).map_err(|error| OpenError { path, error })
}

/// A file in the place of another one would look like a world in which everything is missing.
fn expect_scheme(file: &DatFile, expected: IdScheme) -> Result<(), Error> {
    if file.scheme() == expected {
        return Ok(());
    }
    let (name, found, other) = match expected {
        IdScheme::Cell => (CELL_FILE, "not a cell file", PORTAL),
        IdScheme::Portal => (PORTAL, "a cell file", CELL_FILE),
    };
    let problem = format!(
        "the file given as {name} is {found} (its file type is {}); it and {other} seem to be swapped",
        file.header().file_type
    );
    Err(Error::File { field: "file type", offset: FILE_TYPE_OFFSET, problem })
}

/// A folder with dat files.
pub struct DatSource {
    cell: DatFile,
    /// The portal file first; the others add records that it lacks.
    portal: Vec<DatFile>,
}

impl DatSource {
    /// Opens `client_portal.dat` and `client_cell_1.dat` of a folder, and those of the other files that are there.
    pub fn open(dir: impl AsRef<Path>) -> Result<DatSource, OpenError> {
        let dir = dir.as_ref();
        let open_as = |name: &str, scheme| {
            let path = dir.join(name);
            let file = open(path.clone())?;
            expect_scheme(&file, scheme).map_err(|error| OpenError { path, error })?;
            Ok(file)
        };
        let cell = open_as(CELL_FILE, IdScheme::Cell)?;
        let mut portal = vec![open_as(PORTAL, IdScheme::Portal)?];
        for path in OPTIONAL.iter().map(|name| dir.join(name)).filter(|path| path.is_file()) {
            portal.push(open(path)?);
        }
        Ok(DatSource { cell, portal })
    }

    /// Files of any names, each taken for what its contents say it is: one portal file, one cell file, and those of the
    /// others that are there.
    pub fn from_files(files: Vec<(PathBuf, DatFile)>) -> Result<DatSource, OpenError> {
        let refused = |path: &Path, problem: String| {
            let error = Error::File { field: "file type", offset: FILE_TYPE_OFFSET, problem };
            Err(OpenError { path: path.to_owned(), error })
        };
        let (mut cell, mut portal, mut others) = (None, None, Vec::new());
        for (path, file) in files {
            let slot = match file.header().kind() {
                Some(FileKind::Cell) => &mut cell,
                Some(FileKind::Portal) => &mut portal,
                Some(FileKind::Highres | FileKind::Local) => {
                    others.push(file);
                    continue;
                }
                None => {
                    return refused(
                        &path,
                        format!("unknown file type {}: not one of the game's files", file.header().file_type),
                    );
                }
            };
            if let Some((first, _)) = slot {
                let first: &PathBuf = first;
                return refused(
                    &path,
                    format!("{} is a file of the same kind; exactly one is needed", first.display()),
                );
            }
            *slot = Some((path, file));
        }
        let missing = |name: &str| OpenError {
            path: PathBuf::from(name),
            error: Error::Io {
                path: PathBuf::from(name),
                source: io::Error::new(
                    io::ErrorKind::NotFound,
                    format!("it is not among the files; a world needs {PORTAL} and {CELL_FILE}"),
                ),
            },
        };
        let (_, cell) = cell.ok_or_else(|| missing(CELL_FILE))?;
        let (_, first) = portal.ok_or_else(|| missing(PORTAL))?;
        let mut portal = vec![first];
        portal.append(&mut others);
        Ok(DatSource { cell, portal })
    }

    /// The two files a world consists of; refuses them if they are swapped.
    pub fn new(portal: DatFile, cell: DatFile) -> Result<DatSource, Error> {
        expect_scheme(&portal, IdScheme::Portal)?;
        expect_scheme(&cell, IdScheme::Cell)?;
        Ok(DatSource { cell, portal: vec![portal] })
    }

    /// The cell file.
    pub fn cell_file(&self) -> &DatFile {
        &self.cell
    }

    /// The portal file.
    pub fn portal_file(&self) -> &DatFile {
        &self.portal[0]
    }

    fn files(&self, scheme: IdScheme) -> &[DatFile] {
        match scheme {
            IdScheme::Cell => std::slice::from_ref(&self.cell),
            IdScheme::Portal => &self.portal,
        }
    }
}

impl Source for DatSource {
    fn record(&self, scheme: IdScheme, id: DatId) -> Result<Option<Cow<'_, [u8]>>, Error> {
        for file in self.files(scheme) {
            if let Some(entry) = file.find(id)? {
                return file.read(&entry).map(Some);
            }
        }
        Ok(None)
    }

    fn ids(&self, scheme: IdScheme, range: RangeInclusive<DatId>) -> Result<Listing, Error> {
        let mut listing = Listing::default();
        for entry in self.files(scheme).iter().flat_map(|file| file.range(range.clone())) {
            match entry {
                Ok(entry) => listing.ids.push(entry.id),
                Err(error) if error.is_transient() => return Err(error),
                Err(error) => listing.damage.push(error),
            }
        }
        listing.ids.sort_unstable();
        listing.ids.dedup();
        Ok(listing)
    }
}
