//! Recording: every sweep of the player as a line that `threshold replay` makes again.

use super::Session;
use crate::platform::{self, OutputFile};
use anyhow::{Context, Result};
use std::{
    io::Write,
    path::{Path, PathBuf},
};
use threshold_physics::Entity;
use threshold_scenario::{Bystanders, EntitySpec, StepReport, Witness};

impl Session {
    /// Begins a capture file.
    pub fn start_recording(&mut self, path: &Path) -> Result<()> {
        let recorder = Recorder::create(path)?;
        self.note(format!("recording to {}", recorder.path.display()));
        self.recorder = Some(recorder);
        Ok(())
    }

    /// The recording under way.
    pub fn recorder(&self) -> Option<&Recorder> {
        self.recorder.as_ref()
    }

    /// Ends the capture file; its path and how many sweeps are in it.
    pub fn stop_recording(&mut self) -> Result<Option<(PathBuf, u64)>> {
        let Some(recorder) = self.recorder.take() else { return Ok(None) };
        let done = recorder.finish()?;
        self.note(format!("recorded {} sweeps to {}", done.1, done.0.display()));
        Ok(Some(done))
    }

    /// Writes down the sweep that was made for the player, if there was one and a file is being written.
    pub(super) fn record(&mut self, sweep: &Witness, others: &Bystanders) -> Result<()> {
        let player = self.sim.entity(self.player)?;
        match &mut self.recorder {
            Some(recorder) => recorder.write(player, others, sweep, &self.last),
            None => Ok(()),
        }
    }
}

/// A capture file being written.
pub struct Recorder {
    path: PathBuf,
    file: OutputFile,
    written: Vec<EntitySpec>,
    count: u64,
}

impl Recorder {
    /// Begins a file.
    pub(super) fn create(path: &Path) -> Result<Recorder> {
        let file = platform::create_file(path)?;
        Ok(Recorder { path: platform::full_path(path), file, written: Vec::new(), count: 0 })
    }

    /// Where it is written to.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Sweeps written so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Writes a sweep down. `others` are the objects that the player may meet, `line` is what became of it.
    fn write(
        &mut self,
        player: &Entity,
        others: &Bystanders,
        sweep: &Witness,
        line: &StepReport,
    ) -> Result<()> {
        let id = format!("explorer#{}", self.count);
        let Some(mut record) = sweep.record(id, player, others, line) else { return Ok(()) };
        // A list that is as in the line before is left out.
        if self.count > 0 && record.entities.as_ref() == Some(&self.written) {
            record.entities = None;
        } else if let Some(entities) = &record.entities {
            self.written.clone_from(entities);
        }
        self.count += 1;
        let context = || self.path.display().to_string();
        serde_json::to_writer(&mut self.file, &record).with_context(context)?;
        self.file.write_all(b"\n").with_context(context)
    }

    /// Ends the file.
    pub(super) fn finish(self) -> Result<(PathBuf, u64)> {
        platform::finish_file(self.file).with_context(|| self.path.display().to_string())?;
        Ok((self.path, self.count))
    }
}
