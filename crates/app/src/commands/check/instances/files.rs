//! The files that are meant.

use anyhow::{Context, Result, ensure};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};
use threshold_ace::Database;

/// Files in the order in which they are read.
pub(super) struct Files {
    pub(super) paths: Vec<PathBuf>,
}

/// What became of them.
#[derive(Default)]
pub(super) struct Read {
    /// Files that were read to their end.
    pub(super) good: usize,
    /// Files that could not be used, and why.
    pub(super) bad: Vec<(PathBuf, String)>,
    /// Files without a single row about objects or classes.
    pub(super) empty: Vec<PathBuf>,
}

impl Files {
    /// Files as they are named, the .sql files of folders, and what patterns stand for; each once.
    pub(super) fn find(wanted: &[String]) -> Result<Files> {
        let mut files = Files { paths: Vec::new() };
        let mut known = BTreeSet::new();
        for text in wanted {
            let mut found = Vec::new();
            let path = Path::new(text);
            if path.is_dir() {
                in_folder(path, &mut found)?;
                ensure!(!found.is_empty(), "{text}: there is no .sql file in this folder");
            } else if path.exists() || !text.contains(['*', '?', '[']) {
                found.push(path.to_owned());
            } else {
                let pattern = glob::glob(text).with_context(|| format!("--instances: `{text}`"))?;
                found.extend(pattern.filter_map(Result::ok).filter(|path| path.is_file()));
                ensure!(!found.is_empty(), "{text}: no file matches");
            }
            files.paths.extend(found.into_iter().filter(|path| known.insert(path.clone())));
        }
        Ok(files)
    }

    /// What all files say; one that cannot be used does not stop the others.
    pub(super) fn read(&self) -> (Database, Read) {
        let (mut database, mut read) = (Database::new(), Read::default());
        for path in &self.paths {
            match database.read_file(path) {
                Ok(rows) => {
                    read.good += 1;
                    if rows == 0 {
                        read.empty.push(path.clone());
                    }
                }
                Err(error) => read.bad.push((path.clone(), error.to_string())),
            }
        }
        (database, read)
    }
}

/// The .sql files of a folder and of all folders in it, by name.
fn in_folder(dir: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(dir).with_context(|| dir.display().to_string())? {
        entries.push(entry.with_context(|| dir.display().to_string())?);
    }
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type()?);
        // Links to folders are left alone: they may lead back here.
        if kind.is_dir() {
            in_folder(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sql")) {
            found.push(path);
        }
    }
    Ok(())
}
