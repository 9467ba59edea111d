//! A file that takes the place of another in one step, or not at all.

use crate::{Error, Result};
use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;

/// A file under construction next to its destination.
///
/// Until it is committed the destination is untouched; dropping this removes the new file. The
/// step itself is a rename, so that a program or machine that dies at any moment leaves the old file or the new
/// one, whole. (One that is killed leaves the unfinished file behind, under a name that starts with a dot.)
pub struct Replacement {
    temporary: NamedTempFile,
    target: PathBuf,
}

impl Replacement {
    /// An empty file that is to become `path`.
    pub(super) fn new(path: &Path) -> Result<Replacement> {
        // What a link points to is replaced, not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let failed = |source| Error::Io { path: target.clone(), source };
        let permissions = fs::metadata(&target).ok().map(|old| old.permissions());
        if permissions.as_ref().is_some_and(fs::Permissions::readonly) {
            // A rename would not ask.
            return Err(failed(io::ErrorKind::PermissionDenied.into()));
        }
        let folder =
            target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut options = tempfile::Builder::new();
        options.prefix(".threshold-").suffix(".tmp");
        // Unlike other temporary files this one is to stay, so it gets what any new file gets.
        #[cfg(unix)]
        options.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = options.tempfile_in(folder).map_err(failed)?;
        if let Some(permissions) = permissions {
            temporary.as_file().set_permissions(permissions).map_err(failed)?;
        }
        Ok(Replacement { temporary, target })
    }

    /// A copy of `path`, to be changed and put in the place of `target`, which may be the same file.
    pub(super) fn copy_of(path: &Path, target: &Path) -> Result<Replacement> {
        let mut copy = Replacement::new(target)?;
        let copied = File::open(path).and_then(|mut file| io::copy(&mut file, copy.temporary.as_file_mut()));
        copied.map_err(|source| copy.failed(source))?;
        Ok(copy)
    }

    /// Puts the file in place of the old one.
    pub(super) fn commit(self) -> Result<()> {
        self.temporary.as_file().sync_all().map_err(|source| self.failed(source))?;
        let Replacement { temporary, target } = self;
        let failed = |source| Error::Io { path: target.clone(), source };
        temporary.persist(&target).map_err(|error| failed(error.error))?;
        // The new name itself must survive a power cut too.
        #[cfg(unix)]
        if let Some(folder) = target.parent() {
            File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
        }
        Ok(())
    }

    /// The file that is to be replaced.
    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Io { path: self.target.clone(), source }
    }
}

impl Read for Replacement {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.temporary.as_file_mut().read(buffer)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.as_file_mut().flush()
    }
}

impl Seek for Replacement {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.temporary.as_file_mut().seek(position)
    }
}
