//! Recording: every sweep of the player as a line that `threshold replay` makes again.

use super::{Session, sweep::Sweep};
use crate::platform::{self, OutputFile};
use anyhow::{Context, Result};
use std::{
    io::Write,
    path::{Path, PathBuf},
};
use threshold_physics::{Admission, Entity, EntityKey, Scene};
use threshold_scenario::{After, EntitySpec, MoverSpec, Record, SCENERY_IDS, StateWord, StepReport};

/// The objects that the player may meet, with their keys, as a tick finds them.
pub(super) type Others = Vec<(EntityKey, EntitySpec)>;

/// Everything that has a game id or grows by itself.
pub(super) fn others(scene: &Scene, player: EntityKey) -> Others {
    let guests = scene.entities().filter(|(key, entity)| *key != player && entity.cell.is_some());
    let guests = guests.filter_map(|(key, entity)| Some((entity.guid?, key)));
    let known = guests.chain((SCENERY_IDS..).zip(scene.scenery()));
    known.filter_map(|(id, key)| Some((key, spec(id, scene.get(key)?)))).collect()
}

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
    pub(super) fn record(&mut self, sweep: &Sweep, others: Others) -> Result<()> {
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
    fn write(&mut self, player: &Entity, others: Others, sweep: &Sweep, line: &StepReport) -> Result<()> {
        let Some((before, target)) = sweep.intent.clone() else { return Ok(()) };
        let id_of = |key: &EntityKey| others.iter().find(|(other, _)| other == key).map(|(_, spec)| spec.id);
        let collided_with = sweep.touched.iter().filter_map(id_of).collect();
        let entities: Vec<EntitySpec> = others.into_iter().map(|(_, spec)| spec).collect();
        let is_new = self.count == 0 || self.written != entities;
        let record = Record {
            id: format!("explorer#{}", self.count),
            world: None,
            mover: MoverSpec {
                setup: player.model.id,
                state: StateWord(player.state),
                is_player: true,
                scale: player.scale,
                viewer: false,
                pk: player.role.pk,
                pk_lite: player.role.pk_lite,
                impenetrable: player.role.impenetrable,
                bypass: player.role.bypasses_restrictions,
            },
            entities: is_new.then(|| entities.clone()),
            before,
            target,
            after: After {
                ok: line.ok,
                cell: line.cell,
                origin: line.origin,
                rotation: Some(line.rotation),
                contact: line.contact,
                on_walkable: line.on_walkable,
                contact_plane: line.contact_plane,
                sliding_normal: line.sliding_normal,
                collision_normal: line.collision_normal,
                collided_env: line.collided_env,
                collided_with,
                cell_array: line.cell_array.clone(),
                lost: line.lost,
            },
            fragile: false,
            fragile_cells: false,
        };
        self.written = entities;
        self.count += 1;
        let context = || self.path.display().to_string();
        serde_json::to_writer(&mut self.file, &record).with_context(context)?;
        self.file.write_all(b"\n").with_context(context)
    }

    /// Ends the file.
    pub(super) fn finish(mut self) -> Result<(PathBuf, u64)> {
        self.file.flush().with_context(|| self.path.display().to_string())?;
        Ok((self.path, self.count))
    }
}

fn spec(id: u32, entity: &Entity) -> EntitySpec {
    EntitySpec {
        id,
        setup: entity.model.id,
        cell: entity.position.cell,
        origin: entity.position.frame.origin.into(),
        rotation: entity.position.frame.rotation(),
        scale: entity.scale,
        state: StateWord(entity.state),
        is_player: entity.role.is_player,
        creature: entity.role.creature,
        impenetrable: entity.role.impenetrable,
        pk: entity.role.pk,
        pk_lite: entity.role.pk_lite,
        refuses: entity.admission == Admission::Nobody,
    }
}
