//! A loaded world with its statics, ready for objects and a mover.

use super::format::{EntitySpec, MoverSpec};
use crate::{
    flags::State,
    scene::{EntityKey, Facts, Scene, SceneError, Spawn},
};
use threshold_dat::DatId;
use threshold_world::{Frame, Library, Position, World, load_all};

/// Why a scenario or capture cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// The world could not be read.
    #[error(transparent)]
    Dat(#[from] threshold_dat::Error),
    /// A model is missing or broken.
    #[error("{field}: {id} is not a usable Setup or GfxObj of this world")]
    NoModel {
        /// Where it is named.
        field: String,
        /// The model.
        id: DatId,
    },
    /// The scene refused something.
    #[error("{field}: {source}")]
    Scene {
        /// What was being done.
        field: String,
        /// Why not.
        source: SceneError,
    },
    /// A step names an object that is not there.
    #[error("{field}: there is no entity {id}")]
    NoEntity {
        /// Where it is named.
        field: String,
        /// The object.
        id: u32,
    },
    /// A step cannot be understood.
    #[error("{field}: {problem}")]
    BadStep {
        /// Which one.
        field: String,
        /// Why.
        problem: &'static str,
    },
}

/// A world that is wholly loaded, and a scene with its static objects.
pub struct Stage {
    /// Cells.
    pub world: World,
    /// Models.
    pub library: Library,
    /// Objects.
    pub scene: Scene,
}

impl Stage {
    /// Loads everything the library's source has.
    pub fn load(library: Library) -> Result<Stage, StageError> {
        let (world, _) = load_all(&library)?;
        let mut stage = Stage { world, library, scene: Scene::new() };
        stage.spawn_statics();
        Ok(stage)
    }

    /// Those of all blocks first, then those of all interior cells, in order of ids.
    fn spawn_statics(&mut self) {
        let library = &self.library;
        let mut model = |id| library.model(id).ok().flatten();
        for block in self.world.block_ids() {
            self.scene.spawn_outdoor_statics(&self.world, block, &mut model);
        }
        for block in self.world.block_ids() {
            self.scene.spawn_indoor_statics(&self.world, block, &mut model);
        }
    }

    /// Back to nothing but statics, and to the beginning of time.
    pub fn reset(&mut self) {
        self.scene.clear_guests(&self.world);
    }

    /// Brings in the objects of a scenario or capture.
    pub fn spawn_entities(&mut self, entities: &[EntitySpec]) -> Result<(), StageError> {
        for (i, entity) in entities.iter().enumerate() {
            let field = || format!("entities[{i}]");
            let position = Position::new(entity.cell, Frame::new(entity.origin.into(), entity.rotation));
            let facts = Facts {
                is_player: entity.is_player,
                creature: entity.creature,
                impenetrable: entity.impenetrable,
                ..Facts::default()
            };
            self.spawn(Some(entity.id), entity.setup, position, entity.state.0, entity.scale, facts, field)?;
        }
        Ok(())
    }

    /// Brings in the mover, exactly where it is said to be.
    pub fn spawn_mover(&mut self, mover: &MoverSpec, position: Position) -> Result<EntityKey, StageError> {
        let facts = Facts { is_player: mover.is_player, ..Facts::default() };
        self.spawn(None, mover.setup, position, mover.state.0, mover.scale, facts, || "mover".into())
    }

    /// Brings in the mover without putting it anywhere yet.
    pub fn spawn_mover_aside(
        &mut self,
        mover: &MoverSpec,
        position: Position,
    ) -> Result<EntityKey, StageError> {
        let key = self.spawn_mover(mover, position)?;
        self.scene.set_aside(key);
        Ok(key)
    }

    #[allow(clippy::too_many_arguments, reason = "the fields of one object")]
    fn spawn(
        &mut self,
        guid: Option<u32>,
        setup: DatId,
        position: Position,
        state: State,
        scale: f32,
        facts: Facts,
        field: impl Fn() -> String,
    ) -> Result<EntityKey, StageError> {
        let model = self.library.model(setup)?;
        let model = model.ok_or_else(|| StageError::NoModel { field: field(), id: setup })?;
        let spawn = Spawn { guid, model, position, state, scale, facts };
        self.scene.spawn(&self.world, spawn).map_err(|source| StageError::Scene { field: field(), source })
    }
}
