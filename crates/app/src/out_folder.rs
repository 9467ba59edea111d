//! Folders that a command fills, and may fill again, without losing what others put there.

use anyhow::{Context, Result, bail, ensure};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Refused files that are named; the rest is counted.
const NAMED_REFUSALS: usize = 3;

/// A folder with a list of what the command wrote there. A file that is not on the list, or has changed since, belongs
/// to somebody else and is replaced only by force.
pub(crate) struct OutFolder {
    dir: PathBuf,
    command: &'static str,
    force: bool,
    written: BTreeSet<Entry>,
}

/// A file as it was written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    name: String,
    length: u64,
    fingerprint: u64,
}

impl Entry {
    fn new(name: &str, bytes: &[u8]) -> Entry {
        Entry { name: name.to_owned(), length: bytes.len() as u64, fingerprint: fingerprint(bytes) }
    }

    /// A line of the list: `fingerprint length name`.
    fn parse(line: &str) -> Option<Entry> {
        let mut words = line.splitn(3, ' ');
        let (fingerprint, length, name) = (words.next()?, words.next()?, words.next()?);
        Some(Entry {
            name: name.to_owned(),
            length: length.parse().ok()?,
            fingerprint: u64::from_str_radix(fingerprint, 16).ok()?,
        })
    }
}

/// 64-bit FNV-1a: tells a changed file from an unchanged one, not a forged one.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

impl OutFolder {
    /// A folder, which need not exist yet. With `force` everything in it may be replaced.
    pub(crate) fn open(dir: &Path, command: &'static str, force: bool) -> Result<OutFolder> {
        let mut folder = OutFolder { dir: dir.to_owned(), command, force, written: BTreeSet::new() };
        let list = folder.list_path();
        match fs::read(&list) {
            Ok(bytes) => {
                folder.written = String::from_utf8_lossy(&bytes).lines().filter_map(Entry::parse).collect();
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| list.display().to_string()),
        }
        Ok(folder)
    }

    /// Refuses before any work is done if a file with one of these names is not to be replaced.
    pub(crate) fn check(&self, names: &[&str]) -> Result<()> {
        self.refuse(names.iter().map(|name| (*name, None)))
    }

    /// Writes all of the files, or none when one of them is not to be replaced. Names may contain folders.
    pub(crate) fn write(mut self, files: &[(String, Vec<u8>)]) -> Result<()> {
        self.refuse(files.iter().map(|(name, bytes)| (name.as_str(), Some(bytes.as_slice()))))?;
        let before = self.written.clone();
        // Listed before they are written: a command that is interrupted can be run again.
        self.written.extend(files.iter().map(|(name, bytes)| Entry::new(name, bytes)));
        self.write_list()?;
        for (name, bytes) in files {
            self.replace(name, bytes)?;
        }
        let now: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        let kept = before.into_iter().filter(|entry| !now.contains(entry.name.as_str()));
        self.written = files.iter().map(|(name, bytes)| Entry::new(name, bytes)).chain(kept).collect();
        self.write_list()
    }

    /// Begins to write files one by one, as they are made; for more of them than memory holds.
    pub(crate) fn begin(self) -> Result<OutFiles> {
        fs::create_dir_all(&self.dir).with_context(|| self.dir.display().to_string())?;
        self.write_list()?;
        let mut known: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
        for entry in &self.written {
            known.entry(entry.name.clone()).or_default().push(entry.clone());
        }
        let path = self.list_path();
        let list =
            fs::OpenOptions::new().append(true).open(&path).with_context(|| path.display().to_string())?;
        Ok(OutFiles { folder: self, known, list: Mutex::new((list, Vec::new())), parts: AtomicUsize::new(0) })
    }

    fn refuse<'f>(&self, files: impl Iterator<Item = (&'f str, Option<&'f [u8]>)>) -> Result<()> {
        let mut refused = Vec::new();
        for (name, bytes) in files {
            if !self.may_replace(name, bytes)? {
                refused.push(self.dir.join(name).display().to_string());
            }
        }
        if refused.is_empty() {
            return Ok(());
        }
        let (are, them) = if refused.len() == 1 { ("is", "it") } else { ("are", "them") };
        let more = match refused.len().checked_sub(NAMED_REFUSALS) {
            Some(more @ 1..) => format!(" and {more} more"),
            _ => String::new(),
        };
        refused.truncate(NAMED_REFUSALS);
        let (names, command) = (refused.join(", "), self.command);
        bail!(
            "{names}{more} {are} not as `threshold {command}` wrote {them}; choose another folder, or --force to replace {them}"
        )
    }

    /// Whether nothing would be lost: no such file, one that this command wrote, or one with the same bytes.
    fn may_replace(&self, name: &str, bytes: Option<&[u8]>) -> Result<bool> {
        let own: Vec<Entry> = self.written.iter().filter(|entry| entry.name == name).cloned().collect();
        self.may_replace_one(name, own, bytes)
    }

    /// The same for a file of which is known how it was written.
    fn may_replace_one(&self, name: &str, own: Vec<Entry>, bytes: Option<&[u8]>) -> Result<bool> {
        let path = self.dir.join(name);
        let context = || path.display().to_string();
        let about = match fs::metadata(&path) {
            Ok(about) => about,
            Err(error) if is_absent(&error) => return Ok(true),
            Err(error) => return Err(error).with_context(context),
        };
        ensure!(!about.is_dir(), "{} is a folder", path.display());
        let mut harmless = own;
        harmless.extend(bytes.map(|bytes| Entry::new(name, bytes)));
        harmless.retain(|entry| entry.length == about.len());
        if self.force || harmless.is_empty() {
            return Ok(self.force);
        }
        let found = Entry::new(name, &fs::read(&path).with_context(context)?);
        Ok(harmless.contains(&found))
    }

    /// Puts a file in its place at once, so that none is ever half written.
    fn replace(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.replace_by_part(name, bytes, &format!(".threshold-{}.part", self.command))
    }

    fn replace_by_part(&self, name: &str, bytes: &[u8], part: &str) -> Result<()> {
        let path = self.dir.join(name);
        let part = self.dir.join(part);
        let write = || -> io::Result<()> {
            fs::create_dir_all(path.parent().unwrap_or(&self.dir))?;
            fs::write(&part, bytes)?;
            fs::rename(&part, &path)
        };
        write().with_context(|| path.display().to_string())
    }

    fn list_path(&self) -> PathBuf {
        self.dir.join(self.list_name())
    }

    fn list_name(&self) -> String {
        format!(".threshold-{}", self.command)
    }

    fn write_list(&self) -> Result<()> {
        let mut text = format!(
            "Files that `threshold {}` wrote here and may replace as long as they are unchanged:\n",
            self.command
        );
        for Entry { name, length, fingerprint } in &self.written {
            let _ = writeln!(text, "{fingerprint:016x} {length} {name}");
        }
        self.replace(&self.list_name(), text.as_bytes())
    }
}

/// Files of a folder that are written one by one, from any thread.
pub(crate) struct OutFiles {
    folder: OutFolder,
    known: BTreeMap<String, Vec<Entry>>,
    /// The list, and what was added to it.
    list: Mutex<(fs::File, Vec<Entry>)>,
    parts: AtomicUsize,
}

impl OutFiles {
    /// Writes a file, unless one would be lost by it.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let known = self.known.get(name).cloned().unwrap_or_default();
        if !self.folder.may_replace_one(name, known, Some(bytes))? {
            return self.folder.refuse([(name, Some(bytes))].into_iter());
        }
        let entry = Entry::new(name, bytes);
        {
            let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
            // Listed before it is written: a command that is interrupted can be run again.
            let Entry { name, length, fingerprint } = &entry;
            let line = format!("{fingerprint:016x} {length} {name}\n");
            io::Write::write_all(&mut list.0, line.as_bytes())
                .with_context(|| self.folder.list_path().display().to_string())?;
            list.1.push(entry);
        }
        let part = self.parts.fetch_add(1, Ordering::Relaxed);
        self.folder.replace_by_part(name, bytes, &format!(".threshold-{}-{part}.part", self.folder.command))
    }

    /// Writes the list anew; returns how many files were written.
    pub(crate) fn finish(self) -> Result<usize> {
        let OutFiles { mut folder, list, .. } = self;
        let (_, added) = list.into_inner().unwrap_or_else(PoisonError::into_inner);
        let now: BTreeSet<&str> = added.iter().map(|entry| entry.name.as_str()).collect();
        let kept: Vec<Entry> =
            folder.written.iter().filter(|entry| !now.contains(entry.name.as_str())).cloned().collect();
        let count = now.len();
        folder.written = kept.into_iter().chain(added).collect();
        folder.write_list()?;
        Ok(count)
    }
}

/// Whether there is no file: not even a folder it could be in.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(contents: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
        contents.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
    }

    fn write(dir: &Path, force: bool, contents: &[(&str, &str)]) -> Result<()> {
        OutFolder::open(dir, "test", force)?.write(&files(contents))
    }

    fn text(dir: &Path, name: &str) -> String {
        fs::read_to_string(dir.join(name)).unwrap()
    }

    #[test]
    fn what_the_command_wrote_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let dir = &dir.path().join("made/on/the/way");
        write(dir, false, &[("a", "1"), ("b/c", "2")]).unwrap();
        write(dir, false, &[("a", "one"), ("b/c", "two")]).unwrap();
        assert_eq!((text(dir, "a"), text(dir, "b/c")), ("one".into(), "two".into()));
        // A run that wrote fewer files forgets nothing.
        write(dir, false, &[("a", "1")]).unwrap();
        write(dir, false, &[("b/c", "2")]).unwrap();
        assert_eq!(text(dir, "b/c"), "2");
    }

    #[test]
    fn files_of_others_and_changed_files_are_kept_unless_forced() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        fs::write(dir.join("b"), "mine").unwrap();
        let error = write(dir, false, &[("a", "1"), ("b", "2")]).unwrap_err().to_string();
        assert!(error.contains(&dir.join("b").display().to_string()) && error.contains("--force"), "{error}");
        assert!(!dir.join("a").exists(), "all or nothing");
        assert_eq!(text(dir, "b"), "mine");
        write(dir, true, &[("a", "1"), ("b", "2")]).unwrap();
        write(dir, false, &[("a", "3"), ("b", "4")]).unwrap();
        // As long as before, but changed.
        fs::write(dir.join("a"), "x").unwrap();
        assert!(write(dir, false, &[("a", "5"), ("b", "6")]).is_err());
        assert_eq!((text(dir, "a"), text(dir, "b")), ("x".into(), "4".into()));
    }

    #[test]
    fn what_is_the_same_anyway_is_no_loss() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a"), "1").unwrap();
        write(dir.path(), false, &[("a", "1")]).unwrap();
        write(dir.path(), false, &[("a", "2")]).unwrap();
    }

    #[test]
    fn lists_of_other_commands_do_not_count() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), false, &[("a", "1")]).unwrap();
        let other = OutFolder::open(dir.path(), "other", false).unwrap();
        assert!(other.check(&["a"]).is_err());
        assert!(other.check(&["b", "a/c"]).is_ok());
        assert!(OutFolder::open(dir.path(), "test", false).unwrap().check(&["a"]).is_ok());
    }

    #[test]
    fn an_interrupted_command_can_be_run_again() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), false, &[("a", "1"), ("b", "1")]).unwrap();
        // As if it had ended after the first file.
        let mut folder = OutFolder::open(dir.path(), "test", false).unwrap();
        folder.written.extend([Entry::new("a", b"2"), Entry::new("b", b"2")]);
        folder.write_list().unwrap();
        folder.replace("a", b"2").unwrap();
        write(dir.path(), false, &[("a", "3"), ("b", "3")]).unwrap();
        assert_eq!((text(dir.path(), "a"), text(dir.path(), "b")), ("3".into(), "3".into()));
    }

    #[test]
    fn files_written_one_by_one_are_as_safe_as_files_written_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let dir = &dir.path().join("new");
        let open = |force| OutFolder::open(dir, "test", force).unwrap().begin().unwrap();
        let files = open(false);
        files.put("a", b"1").unwrap();
        files.put("b/c", b"2").unwrap();
        assert_eq!(files.finish().unwrap(), 2);
        // Not finished, as if it had been interrupted: all that was written may be replaced all the same.
        open(false).put("a", b"one").unwrap();
        open(false).put("a", b"1").unwrap();
        fs::write(dir.join("a"), "mine").unwrap();
        let error = open(false).put("a", b"1").unwrap_err().to_string();
        assert!(error.contains("--force") && text(dir, "a") == "mine", "{error}");
        open(false).put("b/c", b"two").unwrap();
        open(true).put("a", b"2").unwrap();
        assert_eq!((text(dir, "a"), text(dir, "b/c")), ("2".into(), "two".into()));
        let left = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert_eq!(left.filter(|name| name.ends_with(".part")).count(), 0);
    }

    #[test]
    fn folders_are_never_replaced() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("a")).unwrap();
        assert!(write(dir.path(), true, &[("a", "1")]).unwrap_err().to_string().contains("is a folder"));
    }

    #[test]
    fn a_list_that_makes_no_sense_lists_nothing() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a"), "1").unwrap();
        fs::write(dir.path().join(".threshold-test"), b"\xFF\n1 a\nzz 1 a\n0 -1 a\n").unwrap();
        assert!(OutFolder::open(dir.path(), "test", false).unwrap().check(&["a"]).is_err());
    }
}
