//! Re-running recorded sweeps, each from its own state.

use super::{
    acdream::AcdreamRecord,
    cast::{spawn_entities, spawn_mover},
    compare::{Difference, Tolerance, compare, origin_error},
    error::ScenarioError,
    format::{After, Before, Record},
};
use serde::{Deserialize, Serialize, de::IgnoredAny};
use std::{borrow::Cow, collections::BTreeMap};
use threshold_physics::{
    flags::Transient,
    scene::{Body, EntityKey, MoveResult, Scene, SceneError},
    sweep::{SweepInput, Sweeper},
};
use threshold_sim::Simulation;
use threshold_world::{Frame, Position, geometry::Plane};

/// Why a line of a capture could not be re-run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The line is no record.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// The record does not fit the world.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
}

/// How a re-run sweep compares with its record.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// Name of the record.
    pub id: String,
    /// The record's outcome depends on arithmetic noise or an open point.
    pub fragile: bool,
    /// Metres between the recorded place and the one found.
    pub origin_error: f32,
    /// Fields that differ.
    pub differences: Vec<Difference>,
}

/// The result of a re-run sweep.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// Name of the record.
    pub id: String,
    /// Its outcome, as in a record.
    #[serde(flatten)]
    pub after: After,
}

/// Lines of a capture, re-run one after the other. Objects stay in the simulation until a record names others.
pub struct Replay<'s> {
    sim: &'s mut Simulation,
    tolerance: Tolerance,
}

impl<'s> Replay<'s> {
    /// Clears the simulation.
    pub fn new(sim: &'s mut Simulation, tolerance: Tolerance) -> Replay<'s> {
        sim.clear();
        Replay { sim, tolerance }
    }

    /// Re-runs a line: one of our records, or one of acdream's. Fields that a record lacks are not compared.
    pub fn line(&mut self, text: &str) -> Result<Replayed, ReplayError> {
        #[derive(Deserialize)]
        struct Kind<'t> {
            input: Option<IgnoredAny>,
            #[serde(borrow, default)]
            after: BTreeMap<Cow<'t, str>, IgnoredAny>,
        }
        let kind: Kind<'_> = serde_json::from_str(text)?;
        if kind.input.is_some() {
            let record: AcdreamRecord = serde_json::from_str(text)?;
            let (recorded, found) = record.replay(self.sim)?;
            return Ok(self.compare(record.id(), false, &recorded, &found, true));
        }
        let mut replayed = self.record(serde_json::from_str(text)?)?;
        replayed.differences.retain(|d| d.field == "lost" || kind.after.contains_key(&*d.field));
        Ok(replayed)
    }

    /// Re-runs a line and returns the result, without comparing.
    pub fn answer(&mut self, text: &str) -> Result<Answer, ReplayError> {
        let record: Record = serde_json::from_str(text)?;
        let after = self.rerun(&record)?;
        Ok(Answer { id: record.id, after })
    }

    fn rerun(&mut self, record: &Record) -> Result<After, ScenarioError> {
        if let Some(entities) = &record.entities {
            self.sim.clear();
            spawn_entities(self.sim, entities)?;
        }
        replay_record(self.sim, record)
    }

    /// Re-runs a record.
    pub fn record(&mut self, record: Record) -> Result<Replayed, ScenarioError> {
        let found = self.rerun(&record)?;
        Ok(self.compare(record.id, record.fragile, &record.after, &found, !record.fragile_cells))
    }

    fn compare(&self, id: String, fragile: bool, recorded: &After, found: &After, cells: bool) -> Replayed {
        Replayed {
            id,
            fragile,
            origin_error: origin_error(recorded, found),
            differences: compare(recorded, found, &self.tolerance, cells),
        }
    }
}

impl Before {
    /// Where the mover was.
    pub fn position(&self) -> Position {
        Position::new(self.cell, Frame::new(self.origin.into(), self.rotation))
    }

    /// The state that the mover is to be brought back to.
    pub fn body(&self) -> Body {
        let mut transient = Transient::ACTIVE;
        transient.set(Transient::CONTACT, self.contact);
        transient.set(Transient::ON_WALKABLE, self.on_walkable);
        transient.set(Transient::WATER_CONTACT, self.water);
        transient.set(Transient::SLIDING, self.sliding_normal.is_some());
        transient.set(Transient::STATIONARY_1, self.stationary == 1);
        transient.set(Transient::STATIONARY_2, self.stationary == 2);
        transient.set(Transient::STATIONARY_3, self.stationary >= 3);
        let [x, y, z, d] = self.contact_plane.unwrap_or_default();
        Body {
            position: self.position(),
            transient,
            velocity: self.velocity.into(),
            contact_plane: Plane { normal: glam::Vec3::new(x, y, z), d },
            contact_cell: self.contact_plane_cell.unwrap_or_default(),
            sliding_normal: self.sliding_normal.unwrap_or_default().into(),
            slid_along: None,
        }
    }
}

/// Runs a record in a simulation that holds its objects. The simulation is left as it was.
pub fn replay_record(sim: &mut Simulation, record: &Record) -> Result<After, ScenarioError> {
    let before = &record.before;
    let position = before.position();
    let target = Position::new(before.cell, Frame::new(record.target.origin.into(), record.target.rotation));
    sim.reach(&position, &target)?;
    let refused = |source| ScenarioError::Scene { field: record.id.clone(), source };
    if record.mover.viewer {
        let mover = record.mover.camera();
        let mut sweeper = Sweeper::new();
        sweeper
            .sweep(sim.world(), sim.scene(), SweepInput::new(mover, &position, &target), None)
            .map_err(|source| refused(source.into()))?;
        return Ok(camera_after(sim.scene(), &position, &sweeper));
    }
    let mover = spawn_mover(sim, &record.mover, position);
    let key = mover.map_err(|error| error.placed_by("before"))?;
    let body = before.body();
    let (world, scene) = sim.parts_mut();
    let result = scene
        .restore_body(world, key, &body)
        .and_then(|()| scene.move_to(world, key, &target, None))
        .map(|result| object_after(scene, key, &result));
    scene.despawn(world, key).map_err(refused)?;
    result.map_err(refused)?.ok_or_else(|| refused(SceneError::NoSuchEntity))
}

fn object_after(scene: &Scene, key: EntityKey, result: &MoveResult) -> Option<After> {
    let entity = scene.get(key)?;
    let ground = entity.has(Transient::CONTACT).then_some(entity.contact_plane);
    let sweeper = scene.last_sweep();
    let log = result.swept.then(|| sweeper.outcome().log);
    Some(After {
        ok: result.ok,
        cell: entity.position.cell,
        origin: entity.position.frame.origin.into(),
        rotation: Some(entity.position.frame.rotation()),
        contact: entity.has(Transient::CONTACT),
        on_walkable: entity.has(Transient::ON_WALKABLE),
        contact_plane: ground.map(|p| [p.normal.x, p.normal.y, p.normal.z, p.d]),
        sliding_normal: entity.has(Transient::SLIDING).then(|| entity.sliding_normal.into()),
        collision_normal: log.filter(|log| log.hit_valid).map(|log| log.hit.into()),
        collided_env: log.is_some_and(|log| log.hit_environment),
        collided_with: sweeper.touched().iter().filter_map(|&touched| scene.get(touched)?.guid).collect(),
        cell_array: sweeper.cells().ids().collect(),
        lost: entity.cell.is_none(),
    })
}

fn camera_after(scene: &Scene, before: &Position, sweeper: &Sweeper) -> After {
    let outcome = sweeper.outcome();
    let ok = outcome.ok;
    let position = if ok { &outcome.position } else { before };
    let touched = sweeper.touched().iter();
    After {
        ok,
        cell: position.cell,
        origin: position.frame.origin.into(),
        rotation: Some(position.frame.rotation()),
        contact: false,
        on_walkable: false,
        contact_plane: None,
        sliding_normal: None,
        collision_normal: outcome.log.hit_valid.then(|| outcome.log.hit.into()),
        collided_env: outcome.log.hit_environment,
        collided_with: touched.filter_map(|&key| scene.get(key)?.guid).collect(),
        cell_array: sweeper.cells().ids().collect(),
        lost: ok && outcome.cell.is_none(),
    }
}
