//! The kit's worlds as files, for engines that open them.

use anyhow::{Context, Result};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};
use tempfile::TempDir;
use threshold_world::{Library, source::DatSource};

/// A folder of worlds that lasts as long as this.
pub(super) struct Kit {
    dir: TempDir,
}

impl Kit {
    /// Writes the dat files of these worlds; names without dat files are passed over.
    pub(super) fn unpack(worlds: impl Iterator<Item = &'static str>) -> Result<Kit> {
        let kit = Kit { dir: tempfile::tempdir().context("a temporary folder")? };
        let is_world =
            |name: &&str| *name == threshold_golden::MOTION_WORLD || threshold_golden::WORLDS.contains(name);
        for world in worlds.filter(is_world) {
            let dir = kit.world(world);
            let write = || -> std::io::Result<()> {
                fs::create_dir_all(&dir)?;
                threshold_golden::world_files(world)
                    .try_for_each(|(name, bytes)| fs::write(dir.join(name), bytes))
            };
            write().with_context(|| dir.display().to_string())?;
        }
        Ok(kit)
    }

    /// Where everything is: files of single cases may be put here.
    pub(super) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The folder of a world.
    pub(super) fn world(&self, world: &str) -> PathBuf {
        self.path().join(world)
    }

    /// A world for this engine.
    pub(super) fn library(&self, world: &str) -> Result<Library> {
        Ok(Library::new(Arc::new(DatSource::open(self.world(world))?)))
    }

    /// Puts the file of a case where a program finds it. Cases are played at the same time: each has a name of its own.
    pub(super) fn put(&self, name: &str, bytes: &[u8]) -> Result<PathBuf> {
        let path = self.path().join(name);
        let write = || -> std::io::Result<()> {
            fs::create_dir_all(path.parent().unwrap_or(self.path()))?;
            fs::write(&path, bytes)
        };
        write().with_context(|| path.display().to_string())?;
        Ok(path)
    }
}
