//! Recording: every sweep of the player as a line that `threshold replay` makes again.

use super::Session;
use anyhow::{Context, Result};
use std::{
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};
use threshold_physics::{Admission, Entity, EntityKey, Scene, Transient};
use threshold_scenario::{
    After, Before, EntitySpec, MoverSpec, Record, SCENERY_IDS, StateWord, StepReport, Target,
};
use threshold_world::Position;

/// A sweep that is about to be made.
pub(super) struct Intent {
    before: Before,
    target: Target,
}

impl Intent {
    /// The mover right before its sweep, and where it wants to go.
    pub(super) fn of(entity: &Entity, target: &Position) -> Intent {
        let ground = entity.has(Transient::CONTACT);
        let plane = entity.contact_plane;
        let [x, y, z] = plane.normal.to_array();
        let before = Before {
            cell: entity.position.cell,
            origin: entity.position.frame.origin.into(),
            rotation: entity.position.frame.rotation(),
            contact: ground,
            on_walkable: entity.has(Transient::ON_WALKABLE),
            contact_plane: ground.then_some([x, y, z, plane.d]),
            contact_plane_cell: ground.then_some(entity.contact_cell),
            water: entity.has(Transient::WATER_CONTACT),
            sliding_normal: entity.has(Transient::SLIDING).then(|| entity.sliding_normal.into()),
            stationary: entity.stationary_stage(),
            velocity: entity.velocity.into(),
        };
        let target = Target { origin: target.frame.origin.into(), rotation: target.frame.rotation() };
        Intent { before, target }
    }
}

impl Session {
    /// Begins a capture file.
    pub fn start_recording(&mut self, path: &Path) -> Result<()> {
        self.recorder = Some(Recorder::create(path)?);
        self.journal.note(self.ticks, format!("recording to {}", path.display()));
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
        self.journal.note(self.ticks, format!("recorded {} sweeps to {}", done.1, done.0.display()));
        Ok(Some(done))
    }

    /// Writes down the sweep that was made for the player, if there was one and a file is being written.
    pub(super) fn record(&mut self, intent: Option<Intent>) -> Result<()> {
        let (Some(recorder), Some(intent)) = (&mut self.recorder, intent) else { return Ok(()) };
        let scene = &self.scene;
        let player = scene.get(self.player).context("the player is gone")?;
        let guests = scene.entities().filter(|(key, entity)| *key != self.player && entity.cell.is_some());
        let mut others: Vec<(u32, EntityKey)> =
            guests.filter_map(|(key, entity)| Some((entity.guid?, key))).collect();
        others.extend((SCENERY_IDS..).zip(scene.scenery()));
        recorder.write(scene, player, &others, intent, &self.last, &self.touched)
    }
}

/// A capture file being written.
pub struct Recorder {
    path: PathBuf,
    file: BufWriter<File>,
    written: Option<Vec<EntitySpec>>,
    count: u64,
}

impl Recorder {
    /// Begins a file.
    pub(super) fn create(path: &Path) -> Result<Recorder> {
        let file = File::create(path).with_context(|| path.display().to_string())?;
        Ok(Recorder { path: path.to_owned(), file: BufWriter::new(file), written: None, count: 0 })
    }

    /// Where it is written to.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Sweeps written so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Writes a sweep down. `others` are the objects that the player may meet, with their ids.
    pub(super) fn write(
        &mut self,
        scene: &Scene,
        player: &Entity,
        others: &[(u32, EntityKey)],
        intent: Intent,
        line: &StepReport,
        touched: &[EntityKey],
    ) -> Result<()> {
        let entities: Vec<EntitySpec> =
            others.iter().filter_map(|&(id, key)| Some(spec(id, scene.get(key)?))).collect();
        let entities = if self.written.as_ref() == Some(&entities) { None } else { Some(entities) };
        let id_of = |key: &EntityKey| others.iter().find(|(_, other)| other == key).map(|&(id, _)| id);
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
            entities: entities.clone(),
            before: intent.before,
            target: intent.target,
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
                collided_with: touched.iter().filter_map(id_of).collect(),
                cell_array: line.cell_array.clone(),
                lost: line.lost,
            },
            fragile: false,
            fragile_cells: false,
        };
        self.written = entities.or(self.written.take());
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
