//! The objects of scenarios and captures, brought into a simulation.

use super::{
    error::ScenarioError,
    format::{EntitySpec, MoverSpec, SCENERY_IDS, ScriptEntity, ScriptMover},
};
use std::sync::Arc;
use threshold_dat::DatId;
use threshold_physics::{
    flags::State,
    movement::Skills,
    scene::{EntityKey, PlaceOptions, Placement, SceneError, Spawn},
};
use threshold_sim::{Residency, Scenery, SimError, Simulation};
use threshold_world::{CellId, Frame, Library, Position, SMALL_WORLD, block_ids, model::Model};

/// Game id of a scenario's mover.
pub const MOVER_ID: u32 = 0x5000_0001;

/// State word of an object before a server's word replaces it.
const NEW_STATE: State = State::from_bits_retain(0x0040_0C08);

/// What makes an object move by itself.
#[derive(Default)]
struct Life {
    table: Option<DatId>,
    /// Of a player that is controlled here.
    skills: Option<Skills>,
    is_autonomous: bool,
}

/// A simulation for scenarios and captures, without placed objects: a small world is loaded completely, a large one where
/// it is reached.
pub fn simulation(library: Library) -> Result<Simulation, SimError> {
    let is_small = block_ids(&**library.source())?.0.len() <= SMALL_WORLD;
    let residency = if is_small { Residency::Whole } else { Residency::Reached };
    Simulation::builder().library(Arc::new(library)).residency(residency).build()
}

impl EntitySpec {
    /// Its exact position.
    pub fn position(&self) -> Position {
        Position::new(self.cell, Frame::new(self.origin.into(), self.rotation))
    }

    /// The parameters for spawning it, with the model from the library. See [`EntitySpec::admission`] for which players it admits.
    pub fn spawn(&self, library: &Library) -> Result<Spawn, ScenarioError> {
        Ok(Spawn {
            guid: Some(self.id),
            model: model(library, self.setup, "entity")?,
            position: self.position(),
            state: self.state.0,
            scale: self.scale,
            role: self.role(),
        })
    }
}

impl MoverSpec {
    /// The parameters for spawning it, with the model from the library.
    pub fn spawn(&self, library: &Library, position: Position) -> Result<Spawn, ScenarioError> {
        Ok(Spawn {
            guid: None,
            model: model(library, self.setup, "mover")?,
            position,
            state: self.state.0,
            scale: self.scale,
            role: self.role(),
        })
    }
}

fn model(library: &Library, setup: DatId, field: &str) -> Result<Arc<Model>, ScenarioError> {
    library.model(setup)?.ok_or_else(|| ScenarioError::NoModel { field: field.into(), id: setup })
}

/// Takes interior cells, or whole blocks named by any of their land cells, out of what is loaded.
pub(super) fn unload(sim: &mut Simulation, cells: &[CellId]) -> Result<(), ScenarioError> {
    for (i, &cell) in cells.iter().enumerate() {
        let at = Position::new(cell, Frame::IDENTITY);
        sim.reach(&at, &at)?;
        if !sim.has_loaded(cell) {
            return Err(ScenarioError::NoCell { field: format!("unloaded[{i}]"), cell });
        }
        if cell.is_interior() { sim.take_out(cell)? } else { sim.take_out_block(cell.block())? }
    }
    Ok(())
}

/// Brings in the objects of a capture. Scenery among them takes the place of the world's own.
pub fn spawn_entities(sim: &mut Simulation, entities: &[EntitySpec]) -> Result<(), ScenarioError> {
    for (i, entity) in entities.iter().enumerate() {
        spawn_entity(sim, entity, &format!("entities[{i}]"))?;
    }
    Ok(())
}

/// Brings in an object exactly where it is said to be.
fn spawn_entity(sim: &mut Simulation, entity: &EntitySpec, field: &str) -> Result<EntityKey, ScenarioError> {
    let spawn = spawn_of(sim, entity, field)?;
    let (world, scene) = sim.parts_mut();
    let key = scene.spawn(world, spawn).and_then(|key| {
        scene.set_admission(key, entity.admission())?;
        Ok(key)
    });
    key.map_err(|source| ScenarioError::Scene { field: field.into(), source })
}

/// What is to be spawned, after loading what is around it.
fn spawn_of(sim: &mut Simulation, entity: &EntitySpec, field: &str) -> Result<Spawn, ScenarioError> {
    if entity.id >= SCENERY_IDS {
        sim.set_scenery(Scenery::Absent)?;
    }
    let position = entity.position();
    sim.reach(&position, &position)?;
    entity.spawn(sim.library()).map_err(|error| error.in_field(field))
}

/// Brings in an object of a scenario; one with a motion table moves by itself.
pub(super) fn spawn_script_entity(
    sim: &mut Simulation,
    entity: &ScriptEntity,
    field: &str,
) -> Result<EntityKey, ScenarioError> {
    let Some(table) = entity.motion_table else { return spawn_entity(sim, &entity.body, field) };
    let spawn = spawn_of(sim, &entity.body, field)?;
    let position = spawn.position;
    let key = create(sim, spawn, Life { table: Some(table), ..Life::default() }, field)?;
    let (world, scene) = sim.parts_mut();
    let mut enter = || {
        scene.set_admission(key, entity.body.admission())?;
        let is_in = if entity.is_exact {
            scene.update_position(world, key, position)?;
            true
        } else {
            let placed = scene.place(world, key, &position, PlaceOptions::default())?;
            placed.0 == Placement::Placed
        };
        if is_in { scene.enter_world(key) } else { Ok(()) }
    };
    enter().map_err(|source| ScenarioError::Scene { field: field.into(), source })?;
    Ok(key)
}

/// Brings in the mover of a scenario without putting it anywhere yet.
pub(super) fn spawn_script_mover(
    sim: &mut Simulation,
    mover: &ScriptMover,
    position: Position,
) -> Result<EntityKey, ScenarioError> {
    sim.reach(&position, &position)?;
    let body = mover.body.spawn(sim.library(), position)?;
    let spawn = Spawn { guid: Some(MOVER_ID), role: mover.role(), ..body };
    let is_autonomous = !mover.life.remote;
    let life = Life { table: mover.life.motion_table, skills: mover.skills(), is_autonomous };
    create(sim, spawn, life, "mover")
}

/// Makes an object that is nowhere yet, as the original makes one that a server describes. Spec: entities §1.5.
fn create(sim: &mut Simulation, spawn: Spawn, life: Life, field: &str) -> Result<EntityKey, ScenarioError> {
    let table = match life.table {
        Some(id) => {
            let table = sim.library().motion_table(id)?;
            let missing = || ScenarioError::NoMotionTable { field: field.into(), id };
            Some(table.ok_or_else(missing)?)
        }
        None => None,
    };
    let state = spawn.state;
    let (world, scene) = sim.parts_mut();
    let make = || -> Result<EntityKey, SceneError> {
        let key = scene.spawn(world, Spawn { state: NEW_STATE, ..spawn })?;
        scene.set_aside(key);
        if life.skills.is_some() {
            scene.set_skills(key, life.skills)?;
        }
        if let Some(table) = table {
            scene.set_last_move_autonomous(key, life.is_autonomous)?;
            scene.set_motion_table(key, Some(table))?;
        }
        scene.set_state(key, state)?;
        Ok(key)
    };
    make().map_err(|source| ScenarioError::Scene { field: field.into(), source })
}

/// Spawns the mover of a capture exactly at its position.
pub fn spawn_mover(
    sim: &mut Simulation,
    mover: &MoverSpec,
    position: Position,
) -> Result<EntityKey, ScenarioError> {
    sim.reach(&position, &position)?;
    let spawn = mover.spawn(sim.library(), position)?;
    let (world, scene) = sim.parts_mut();
    scene.spawn(world, spawn).map_err(|source| ScenarioError::Scene { field: "mover".into(), source })
}
