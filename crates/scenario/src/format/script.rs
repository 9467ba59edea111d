//! Scenarios that are played in a world.

use super::{
    EntitySpec, MoverSpec, PlaceSpec, Step,
    fields::{number, table_id_option, yes},
};
use serde::Deserialize;
use threshold_dat::DatId;
use threshold_physics::{EntityRole, movement::Skills};
use threshold_world::CellId;

/// What makes the mover move on its own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct LifeSpec {
    /// Motion table.
    #[serde(default, deserialize_with = "table_id_option")]
    pub motion_table: Option<DatId>,
    /// Whether it is alive; by default players are.
    pub creature: Option<bool>,
    /// Controlled by a server.
    #[serde(default)]
    pub remote: bool,
    /// The game knows it.
    #[serde(default = "yes")]
    pub game_object: bool,
    /// Run skill.
    #[serde(default = "run_skill")]
    pub run_skill: u32,
    /// Jump skill.
    #[serde(default = "jump_skill")]
    pub jump_skill: u32,
    /// Burden as a fraction of capacity.
    #[serde(default = "load", deserialize_with = "number")]
    pub load: f32,
}

impl Default for LifeSpec {
    fn default() -> Self {
        LifeSpec {
            motion_table: None,
            creature: None,
            remote: false,
            game_object: true,
            run_skill: run_skill(),
            jump_skill: jump_skill(),
            load: load(),
        }
    }
}

fn run_skill() -> u32 {
    200
}

fn jump_skill() -> u32 {
    300
}

fn load() -> f32 {
    0.5
}

/// The mover of a scenario.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ScriptMover {
    /// Its body.
    #[serde(flatten)]
    pub body: MoverSpec,
    /// What makes it move on its own.
    #[serde(flatten)]
    pub life: LifeSpec,
}

impl ScriptMover {
    /// Its role in the game.
    pub fn role(&self) -> EntityRole {
        EntityRole {
            creature: self.life.creature.unwrap_or(self.body.is_player),
            has_game_object: self.life.game_object,
            ..self.body.role()
        }
    }

    /// Its skills, if it is the locally controlled player.
    pub fn skills(&self) -> Option<Skills> {
        let LifeSpec { run_skill, jump_skill, load, .. } = self.life;
        let is_own = self.body.is_player && !self.life.remote && self.life.game_object;
        is_own.then_some(Skills { run: run_skill, jump: jump_skill, burden: load })
    }
}

/// An object of a scenario.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ScriptEntity {
    /// Its body.
    #[serde(flatten)]
    pub body: EntitySpec,
    /// Motion table; objects with one are updated in every tick.
    #[serde(default, deserialize_with = "table_id_option")]
    pub motion_table: Option<DatId>,
    /// Placed exactly as given, although it has a motion table.
    #[serde(default, rename = "still")]
    pub is_exact: bool,
}

/// A scripted walk.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Scenario {
    /// Title.
    #[serde(default)]
    pub name: String,
    /// The mover.
    pub mover: ScriptMover,
    /// From where.
    pub start: PlaceSpec,
    /// Objects, spawned in order before the mover.
    #[serde(default)]
    pub entities: Vec<ScriptEntity>,
    /// The steps.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// Scenery grows as in the client.
    #[serde(default = "yes")]
    pub scenery: bool,
    /// Every line contains the frames of all parts.
    #[serde(default)]
    pub parts: bool,
    /// What is not loaded at the start: interior cells, or whole blocks named by any of their land cells.
    #[serde(default)]
    pub unloaded: Vec<CellId>,
}

impl Scenario {
    /// Whether it uses any of the keys for motion, so that its lines have the motion columns.
    pub fn has_motion(&self) -> bool {
        let lives = |entity: &ScriptEntity| entity.motion_table.is_some() || entity.is_exact;
        self.parts
            || self.mover.life != LifeSpec::default()
            || self.entities.iter().any(lives)
            || self.steps.iter().any(|step| step.command.is_some() || step.object != 0)
    }
}
