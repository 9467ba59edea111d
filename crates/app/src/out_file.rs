//! Single files that a command writes, without losing what others put there.

use crate::commands::conform::JUNIT_NAME;
use anyhow::{Context, Result, bail, ensure};
use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};
use threshold_playback::Recorded;
use threshold_render::picture::SOFTWARE;

/// Bytes at the beginning of a file among which the mark of a program stands.
const HEAD: u64 = 512;

/// The option of commands that write a file.
#[derive(clap::Args, Clone, Copy, Default)]
pub(crate) struct ForceArg {
    /// Replace the file even if this program did not write it
    #[arg(long)]
    pub(crate) force: bool,
}

/// How a file shows that this program wrote it.
#[derive(Clone, Copy)]
pub(crate) enum Mark {
    /// A picture that names the program.
    Picture,
    /// A recorded session whose login names it.
    Session,
    /// A JUnit report that names the command.
    Junit,
    /// It does not show.
    None,
}

/// A file that may be written: it is absent, or written by this program before, or to be replaced by force.
#[derive(Debug)]
pub(crate) struct OutFile {
    path: PathBuf,
    /// A file that may only be replaced by the same bytes.
    foreign: bool,
}

impl OutFile {
    /// A picture; its name must say that it is a PNG.
    pub(crate) fn picture(path: &Path, force: ForceArg) -> Result<OutFile> {
        let is_png = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
        ensure!(
            is_png,
            "{}: pictures are written as PNG; call it {}",
            path.display(),
            path.with_extension("png").display()
        );
        OutFile::new(path, Mark::Picture, force)
    }

    /// Refuses a file that would be lost, before any work is done. One without a mark is refused when it is written, unless
    /// it would stay as it is.
    pub(crate) fn new(path: &Path, mark: Mark, force: ForceArg) -> Result<OutFile> {
        let allowed = |foreign| Ok(OutFile { path: path.to_owned(), foreign });
        let about = match fs::metadata(path) {
            Ok(about) => about,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return allowed(false),
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        };
        ensure!(!about.is_dir(), "{} is a folder", path.display());
        // Devices and pipes lose nothing.
        if force.force || !about.is_file() {
            return allowed(false);
        }
        let mut head = Vec::new();
        let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
        read.with_context(|| path.display().to_string())?;
        let contains = |text: &[u8]| head.windows(text.len()).any(|window| window == text);
        match mark {
            Mark::Picture if contains(format!("Software\0{SOFTWARE}").as_bytes()) => allowed(false),
            Mark::Session if contains(Recorded::MARK.as_bytes()) => allowed(false),
            Mark::Junit if contains(JUNIT_NAME.as_bytes()) => allowed(false),
            Mark::None => allowed(true),
            Mark::Picture | Mark::Session | Mark::Junit => refuse(path),
        }
    }

    /// Writes the file at once, so that it is never half written.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<()> {
        let context = || self.path.display().to_string();
        if self.foreign {
            if fs::read(&self.path).with_context(context)? == bytes {
                return Ok(());
            }
            return refuse(&self.path);
        }
        let is_special = fs::metadata(&self.path).is_ok_and(|about| !about.is_file());
        let write = || -> io::Result<()> {
            if is_special {
                return fs::write(&self.path, bytes);
            }
            let mut name = self.path.file_name().unwrap_or_default().to_owned();
            name.push(".part");
            let part = self.path.with_file_name(name);
            fs::write(&part, bytes)?;
            fs::rename(&part, &self.path)
        };
        write().with_context(context)
    }
}

fn refuse<T>(path: &Path) -> Result<T> {
    bail!(
        "{} exists and was not written by this command; choose another name, or --force to replace it",
        path.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_render::picture::encode_rgb;

    const KEEP: ForceArg = ForceArg { force: false };
    const FORCE: ForceArg = ForceArg { force: true };

    #[test]
    fn own_pictures_are_replaced_and_others_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.png");
        let [one, two] = [1, 2].map(|pixel| encode_rgb((1, 1), &[pixel; 3]).unwrap());
        OutFile::picture(&path, KEEP).unwrap().write(&one).unwrap();
        OutFile::picture(&path, KEEP).unwrap().write(&two).unwrap();
        assert_eq!(fs::read(&path).unwrap(), two);
        fs::write(&path, "a photograph").unwrap();
        let error = OutFile::picture(&path, KEEP).unwrap_err().to_string();
        assert!(error.contains("a.png") && error.contains("--force"), "{error}");
        OutFile::picture(&path, FORCE).unwrap().write(&one).unwrap();
        assert_eq!(fs::read(&path).unwrap(), one);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left behind");
    }

    #[test]
    fn a_name_that_is_not_of_a_png_is_refused() {
        let error = OutFile::picture(Path::new("x.jpg"), FORCE).unwrap_err().to_string();
        assert!(error.contains("PNG") && error.contains("x.png"), "{error}");
        assert!(OutFile::picture(Path::new("x"), KEEP).is_err());
        assert!(OutFile::picture(Path::new("x.PNG"), KEEP).is_ok());
    }

    #[test]
    fn a_file_without_a_mark_is_replaced_only_by_itself() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("record");
        OutFile::new(&path, Mark::None, KEEP).unwrap().write(b"one").unwrap();
        OutFile::new(&path, Mark::None, KEEP).unwrap().write(b"one").unwrap();
        assert!(OutFile::new(&path, Mark::None, KEEP).unwrap().write(b"two").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"one");
        OutFile::new(&path, Mark::None, FORCE).unwrap().write(b"two").unwrap();
        assert!(OutFile::new(dir.path(), Mark::None, FORCE).unwrap_err().to_string().contains("folder"));
    }
}
