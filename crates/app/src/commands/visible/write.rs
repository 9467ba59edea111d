//! The copy of the cell file.

use crate::{dats::DatsArg, out_file::ForceArg, text::say};
use anyhow::{Context, Result, ensure};
use std::{
    fs,
    path::{Path, PathBuf},
};
use threshold_dat::{
    DatId,
    container::{DatFile, Editor, Replacement},
};

/// A copy under construction. The file it is to become appears when all of it is written, or not at all.
pub(super) struct Writer {
    editor: Editor<Replacement>,
    /// For the dates of the entries: a list that is computed again makes the same file again.
    original: DatFile,
    out: PathBuf,
    records: usize,
}

impl Writer {
    /// Refuses before any work is done what is not to be written over.
    pub(super) fn open(dats: &DatsArg, out: &Path, force: ForceArg) -> Result<Writer> {
        let path = dats.cell_file()?;
        ensure!(!out.is_dir(), "{} is a folder; name the file to write", out.display());
        if let Ok(there) = fs::canonicalize(out) {
            let own = fs::canonicalize(&path).with_context(|| path.display().to_string())?;
            ensure!(
                there != own,
                "{} is the cell file itself; --write makes a copy under another name",
                out.display()
            );
            ensure!(force.force, "{} exists; choose another name, or --force to replace it", out.display());
        }
        let editor = Editor::copy(&path, out).with_context(|| path.display().to_string())?;
        if let Some(fault) = editor.abandoned_free_list() {
            say!("threshold: {}: warning: the free list is not used, {fault}", path.display());
        }
        let original = DatFile::open(&path).with_context(|| path.display().to_string())?;
        Ok(Writer { editor, original, out: out.to_owned(), records: 0 })
    }

    pub(super) fn put(&mut self, changed: &[(DatId, Vec<u8>)]) -> Result<()> {
        for (id, bytes) in changed {
            let date = self.original.find(*id)?.map(|entry| entry.date);
            let change = threshold_dat::container::Change { date, ..Default::default() };
            self.editor.put_with(*id, bytes, change).with_context(|| self.out.display().to_string())?;
        }
        self.records += changed.len();
        Ok(())
    }

    /// Puts the copy in its place; returns its name and how many records were changed.
    pub(super) fn commit(self) -> Result<(PathBuf, usize)> {
        self.editor.commit().with_context(|| self.out.display().to_string())?;
        Ok((self.out, self.records))
    }
}
