//! Changing the records of an existing file. Spec: dat-container §6, §11.

mod space;
mod tree;

use super::{
    DatFile, Entry, Finding, FreeListFault, Limits, Note, Owner, Replacement, Sight, entry::COMPRESSED,
    header::MAX_FILE_BYTES, node::NODE_BYTES,
};
use crate::{
    DatId, Error, Result,
    records::{DatRecord, Iteration},
};
use space::{Space, Store};
use std::{
    io::Cursor,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

/// More levels than a tree that is kept half full can have.
const MAX_LEVELS: usize = 8;

/// Attributes that an edit sets; absent ones are kept, or chosen for a new entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Default of a new entry: 2.
    pub version: Option<u16>,
    /// Default: now.
    pub date: Option<u32>,
    /// Default of a new entry: the file's newest patch. A newer one is added to the iteration record.
    pub iteration: Option<u32>,
}

/// Inserts, replaces and removes records in a copy of a file, which then takes the place of the original or of another file.
///
/// Until [`commit`](Editor::commit), the original is unchanged.
pub struct Editor<S: Store> {
    space: Space<S>,
    iterations: Iteration,
    abandoned: Option<FreeListFault>,
    failed: bool,
}

impl Editor<Replacement> {
    /// Makes a copy next to the file and checks its whole structure, because a writer that trusts a wrong free list
    /// or a wrong tree would destroy data.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Editor::copy(path.as_ref(), path.as_ref())
    }

    /// The same, but the original stays, and the changed copy is to become `target`, beside which it is made.
    pub fn copy(path: impl AsRef<Path>, target: impl AsRef<Path>) -> Result<Self> {
        let dat = DatFile::open(path.as_ref())?;
        let copy = Replacement::copy_of(path.as_ref(), target.as_ref())?;
        let path = copy.target().to_owned();
        Editor::new(&dat, copy, path)
    }

    /// Puts the changed copy in the place of the original, or of the target.
    pub fn commit(self) -> Result<()> {
        self.finish()?.commit()
    }
}

impl Editor<Cursor<Vec<u8>>> {
    /// Edits a file in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        let store = Cursor::new(bytes.clone());
        let dat = DatFile::from_bytes(bytes)?;
        Editor::new(&dat, store, PathBuf::new())
    }

    /// The changed file.
    pub fn into_bytes(self) -> Result<Vec<u8>> {
        self.finish().map(Cursor::into_inner)
    }
}

impl<S: Store> Editor<S> {
    fn new(dat: &DatFile, store: S, path: PathBuf) -> Result<Self> {
        if dat.blocks().file_bytes() as u64 > MAX_FILE_BYTES {
            return Err(Error::Unwritable(format!("the file exceeds {MAX_FILE_BYTES} bytes")));
        }
        let mut survey = dat.survey();
        let mut abandoned = None;
        for sight in survey.by_ref() {
            match sight {
                Sight::Finding(Finding::FreeList(fault)) => abandoned = Some(fault),
                Sight::Finding(finding) => refuse_unsafe(finding)?,
                Sight::Note(note @ (Note::UnevenLeaf { .. } | Note::UnalignedBlock(_))) => {
                    return Err(Error::Unwritable(note.to_string()));
                }
                Sight::Entry(_) | Sight::Note(_) => {}
            }
        }
        let shared = survey
            .into_shared()
            .ok_or_else(|| Error::Unwritable("some blocks belong to three records".to_owned()))?;
        let mut space = Space::new(dat, store, path, shared);
        if abandoned.is_some() {
            space.abandon_free_list();
        }
        let iterations = dat.iterations().unwrap_or_default();
        Ok(Editor { space, iterations, abandoned, failed: false })
    }

    /// Why the free list of the file was given up, if it was: its blocks are lost space now.
    pub fn abandoned_free_list(&self) -> Option<FreeListFault> {
        self.abandoned
    }

    /// The patches the file has seen.
    pub fn iterations(&self) -> &Iteration {
        &self.iterations
    }

    /// The directory's entry of an id.
    pub fn find(&mut self, id: DatId) -> Result<Option<Entry>> {
        self.guarded(|editor| tree::find(&mut editor.space, id))
    }

    /// Stores a record under an id, new or not, and returns the entry it replaces.
    pub fn put(&mut self, id: DatId, bytes: &[u8]) -> Result<Option<Entry>> {
        self.put_with(id, bytes, Change::default())
    }

    /// Like [`Editor::put`], also setting attributes of the entry.
    pub fn put_with(&mut self, id: DatId, bytes: &[u8], change: Change) -> Result<Option<Entry>> {
        // A file must not lose its patch number to a wrong record.
        let iterations = (id == DatId::ITERATION).then(|| Iteration::load(id, bytes)).transpose()?;
        let old = self.store(id, bytes, change)?;
        if let Some(iterations) = iterations {
            self.iterations = iterations;
        }
        if let Some(iteration) = change.iteration
            && iteration > self.iterations.current()
        {
            self.set_iterations(self.iterations.with(iteration))?;
        }
        Ok(old)
    }

    /// Replaces the set of patches the file has seen.
    pub fn set_iterations(&mut self, iterations: Iteration) -> Result<()> {
        let change = Change { iteration: Some(iterations.current()), ..Change::default() };
        self.store(DatId::ITERATION, &iterations.encode(DatId::ITERATION)?, change)?;
        self.iterations = iterations;
        Ok(())
    }

    /// Removes a record and returns the entry it had.
    pub fn remove(&mut self, id: DatId) -> Result<Entry> {
        if id == DatId::ITERATION {
            return Err(Error::Unwritable(format!("{id}, the iteration record, belongs to every file")));
        }
        self.guarded(|editor| {
            let entry = tree::find(&mut editor.space, id)?.ok_or(Error::NotFound(id))?;
            tree::remove(&mut editor.space, id)?;
            editor.space.release_record(&entry)?;
            Ok(entry)
        })
    }

    fn store(&mut self, id: DatId, bytes: &[u8], change: Change) -> Result<Option<Entry>> {
        let limit = Limits::DEFAULT.record_bytes;
        if bytes.len() > limit {
            let problem = format!("{id} has {} bytes, the limit is {limit}", bytes.len());
            return Err(Error::Unwritable(problem));
        }
        self.guarded(|editor| {
            let old = tree::find(&mut editor.space, id)?;
            let space = &mut editor.space;
            space.reserve(space.blocks_for(bytes.len()) + (MAX_LEVELS + 1) * space.blocks_for(NODE_BYTES))?;
            let offset = space.write_new(bytes)?;
            let default_version = if id == DatId::ITERATION { 1 } else { 2 };
            let entry = Entry {
                id,
                flags: old.map_or(0, |old| old.flags & !COMPRESSED),
                version: change.version.or(old.map(|old| old.version)).unwrap_or(default_version),
                offset,
                size: bytes.len() as u32,
                date: change.date.unwrap_or_else(now),
                iteration: change
                    .iteration
                    .or(old.map(|old| old.iteration))
                    .unwrap_or(editor.iterations.current()),
            };
            match old {
                Some(old) => {
                    tree::replace(&mut editor.space, entry)?;
                    editor.space.release_record(&old)?;
                }
                None => tree::insert(&mut editor.space, entry)?,
            }
            Ok(old)
        })
    }

    /// Runs a step; after one that failed half way the copy is worth nothing and nothing more is done with it.
    fn guarded<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.failed {
            return Err(Error::Unwritable("an earlier write failed".to_owned()));
        }
        let result = step(self);
        self.failed = matches!(result, Err(Error::Io { .. } | Error::Directory { .. }));
        result
    }

    fn finish(mut self) -> Result<S> {
        self.guarded(|editor| editor.space.write_header())?;
        Ok(self.space.into_store())
    }
}

/// Fails on damage that a change would spread: every rule for changing the tree presumes a sound one.
fn refuse_unsafe(finding: Finding) -> Result<()> {
    match finding {
        Finding::Node { offset, fault } => Err(Error::Directory { offset: offset.into(), fault }),
        Finding::Duplicate(_) | Finding::SharedBlock { owner: Owner::Node(_), .. } => {
            Err(Error::Unwritable(finding.to_string()))
        }
        _ => Ok(()),
    }
}

fn now() -> u32 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u32::try_from(since.as_secs()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::{Builder, FileKind, Header};
    use std::io::{self, Read, Seek, SeekFrom, Write};

    /// A disk that is full after so many writes.
    struct FullDisk {
        file: Cursor<Vec<u8>>,
        writes_left: usize,
    }

    impl Read for FullDisk {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.file.read(buffer)
        }
    }

    impl Write for FullDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let left = self.writes_left.checked_sub(1).ok_or(io::ErrorKind::StorageFull)?;
            self.writes_left = left;
            self.file.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Seek for FullDisk {
        fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
            self.file.seek(position)
        }
    }

    #[test]
    fn a_write_that_failed_half_way_can_only_be_given_up() {
        let builder = Builder::in_memory(Header::new(FileKind::Portal)).unwrap();
        let file = builder.into_bytes(&Iteration::complete(1)).unwrap();
        let dat = DatFile::from_bytes(file.clone()).unwrap();
        let mut outcomes = [0, 0];
        for writes_left in 0..12 {
            let disk = FullDisk { file: Cursor::new(file.clone()), writes_left };
            let mut editor = Editor::new(&dat, disk, PathBuf::from("full.dat")).unwrap();
            let put = editor.put(DatId(1), &[1; 3000]);
            if put.is_ok() {
                outcomes[0] += 1;
                continue;
            }
            outcomes[1] += 1;
            assert!(put.unwrap_err().to_string().starts_with("full.dat: "));
            // With room again: what was written so far must still not be used.
            editor.space.store_mut().writes_left = usize::MAX;
            assert!(matches!(editor.put(DatId(2), b"x"), Err(Error::Unwritable(_))));
            assert!(matches!(editor.finish(), Err(Error::Unwritable(_))));
        }
        assert!(outcomes.iter().all(|&count| count > 0), "{outcomes:?}");
    }
}
