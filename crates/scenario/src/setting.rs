//! A loaded world with its statics, ready for objects and a mover.

use super::format::{EntitySpec, MoverSpec, SCENERY_IDS};
use std::{collections::BTreeSet, sync::Arc};
use threshold_dat::DatId;
use threshold_physics::scene::{EntityKey, Scene, SceneError, Spawn};
use threshold_world::{
    BlockId, CellId, Frame, Library, Position, SMALL_WORLD, World, block_ids, cell::EnvCell,
    coords::BLOCK_SIDE, load_all, load_block, model::Model, stream::StreamEvent,
};

/// Blocks between the ends of a move that are loaded for it, to each side; farther ends are loaded by themselves.
const MAX_SPAN: i32 = 40;

/// Why a scenario or capture cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
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
    /// A cell is named that the world does not have.
    #[error("{field}: this world has no cell {cell}")]
    NoCell {
        /// Where it is named.
        field: String,
        /// The cell.
        cell: CellId,
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

impl ScenarioError {
    /// Says which field holds a place that cannot be, where only the object is named that was to be put there.
    pub(super) fn placed_by(self, field: &str) -> ScenarioError {
        match self {
            ScenarioError::Scene {
                source: source @ (SceneError::BadCell(_) | SceneError::OffMap(_)),
                ..
            } => ScenarioError::Scene { field: field.into(), source },
            other => other,
        }
    }
}

/// Whether trees, rocks and flowers stand where they grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenery {
    /// As in the client.
    Grown,
    /// None: a scenario does without, or a capture lists what stood around its mover.
    Absent,
}

/// Where scenarios are played: a world, loaded wholly or around what happens in it, and a scene with its static objects.
pub struct Setting {
    /// Cells.
    pub world: World,
    /// Models.
    pub library: Library,
    /// Objects.
    pub scene: Scene,
    /// Blocks that are loaded when something comes near them.
    waiting: BTreeSet<BlockId>,
    scenery: Scenery,
    /// Cells that exist and were taken out; the outdoor cells of a block go together and stand under their first.
    unloaded: BTreeSet<CellId>,
}

impl Setting {
    /// Loads everything the library's source has.
    pub fn load(library: Library) -> Result<Setting, ScenarioError> {
        let (world, _) = load_all(&library)?;
        let mut setting = Setting { world, waiting: BTreeSet::new(), ..Setting::empty(library)? };
        setting.spawn_statics();
        Ok(setting)
    }

    /// Loads everything of a small world, and nothing yet of one as large as the game's.
    pub fn open(library: Library) -> Result<Setting, ScenarioError> {
        if block_ids(&**library.source())?.0.len() <= SMALL_WORLD {
            Setting::load(library)
        } else {
            Setting::empty(library)
        }
    }

    /// Loads nothing yet: blocks come with what is brought in and where it moves.
    pub fn empty(library: Library) -> Result<Setting, ScenarioError> {
        let waiting = block_ids(&**library.source())?.0.into_iter().collect();
        Ok(Setting {
            world: World::new(),
            library,
            scene: Scene::new(),
            waiting,
            scenery: Scenery::Grown,
            unloaded: BTreeSet::new(),
        })
    }

    /// Loads what a move between two places may touch.
    pub fn reach(&mut self, from: &Position, to: &Position) -> Result<(), ScenarioError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let block = |position: &Position| {
            let (id, origin) = (position.cell.block(), position.frame.origin);
            let index = |first: u8, metres: f32| {
                let blocks = (metres / BLOCK_SIDE).floor() as i32;
                i32::from(first).saturating_add(blocks).clamp(0, 0xFF)
            };
            (index(id.x(), origin.x), index(id.y(), origin.y))
        };
        let (a, b) = (block(from), block(to));
        let loaded = if (a.0 - b.0).abs().max((a.1 - b.1).abs()) > MAX_SPAN {
            let mut loaded = self.load_blocks(a, a)?;
            loaded.extend(self.load_blocks(b, b)?);
            loaded
        } else {
            self.load_blocks((a.0.min(b.0), a.1.min(b.1)), (a.0.max(b.0), a.1.max(b.1)))?
        };
        self.blocks_loaded(&loaded);
        Ok(())
    }

    /// Loads the blocks of a rectangle and of the ring around it; the ones that were not loaded before.
    fn load_blocks(&mut self, min: (i32, i32), max: (i32, i32)) -> Result<Vec<BlockId>, ScenarioError> {
        let mut ids = Vec::new();
        for x in min.0 - 1..=max.0 + 1 {
            for y in min.1 - 1..=max.1 + 1 {
                let (Ok(x), Ok(y)) = (u8::try_from(x), u8::try_from(y)) else { continue };
                let id = BlockId::new(x, y);
                if self.waiting.contains(&id) {
                    let loaded = load_block(&self.library, id)?;
                    self.waiting.remove(&id);
                    self.world.insert_resident(loaded.block);
                    ids.push(id);
                }
            }
        }
        Ok(ids)
    }

    fn spawn_statics(&mut self) {
        let blocks: Vec<BlockId> = self.world.block_ids().collect();
        self.blocks_loaded(&blocks);
    }

    fn blocks_loaded(&mut self, blocks: &[BlockId]) {
        self.scene.blocks_loaded(&self.world, blocks);
        if self.scenery == Scenery::Absent {
            self.scene.remove_scenery(&self.world);
        }
    }

    /// Back to nothing but statics, with everything loaded again, and to the beginning of time.
    pub fn reset(&mut self) {
        if self.unloaded.is_empty() {
            self.scene.clear_guests(&self.world);
            return;
        }
        for cell in std::mem::take(&mut self.unloaded) {
            self.set_resident(cell, true);
        }
        self.begin_anew();
    }

    /// Lists are in the order of arrival, so statics that come back would stand elsewhere in them.
    fn begin_anew(&mut self) {
        self.scene = Scene::new();
        self.spawn_statics();
    }

    /// Has scenery stand or not from now on; where it did not stand before, nothing but statics is left.
    pub fn set_scenery(&mut self, scenery: Scenery) {
        if self.scenery == scenery {
            return;
        }
        self.scenery = scenery;
        match scenery {
            Scenery::Grown => self.begin_anew(),
            Scenery::Absent => self.scene.remove_scenery(&self.world),
        }
    }

    /// Whether the world has a cell, loaded or not, around what has been reached so far.
    pub fn exists(&self, cell: CellId) -> bool {
        let name = if cell.is_interior() { cell } else { cell.block().cell(1) };
        self.world.cell(cell).is_some() || (cell.has_valid_low() && self.unloaded.contains(&name))
    }

    /// Takes interior cells, or whole blocks named by any of their land cells, out of what is loaded, until the next
    /// reset.
    pub fn unload(&mut self, cells: &[CellId]) -> Result<(), ScenarioError> {
        for (i, &cell) in cells.iter().enumerate() {
            let at = Position::new(cell, Frame::IDENTITY);
            self.reach(&at, &at)?;
            if !self.exists(cell) {
                return Err(ScenarioError::NoCell { field: format!("unloaded[{i}]"), cell });
            }
            if cell.is_interior() {
                self.unload_one(cell);
                continue;
            }
            let rooms: Vec<CellId> = self
                .world
                .block_data(cell.block())
                .map(|block| block.env_cells.iter().flatten().map(EnvCell::id).collect())
                .unwrap_or_default();
            rooms.into_iter().for_each(|room| self.unload_one(room));
            self.unload_one(cell.block().cell(1));
        }
        Ok(())
    }

    fn unload_one(&mut self, cell: CellId) {
        if self.world.cell(cell).is_none() {
            return;
        }
        self.set_resident(cell, false);
        self.unloaded.insert(cell);
        let gone = match cell.is_interior() {
            true => StreamEvent::CellUnloaded(cell),
            false => StreamEvent::LandscapeUnloaded(cell.block()),
        };
        self.scene.follow(&self.world, &[gone]);
    }

    fn set_resident(&mut self, cell: CellId, resident: bool) {
        if cell.is_interior() {
            self.world.set_cell_resident(cell, resident);
        } else {
            self.world.set_landscape_resident(cell.block(), resident);
        }
    }

    /// Brings in the objects of a scenario or capture. Scenery among them takes the place of the world's own.
    pub fn spawn_entities(&mut self, entities: &[EntitySpec]) -> Result<(), ScenarioError> {
        if entities.iter().any(|entity| entity.id >= SCENERY_IDS) {
            self.set_scenery(Scenery::Absent);
        }
        for (i, entity) in entities.iter().enumerate() {
            let field = format!("entities[{i}]");
            let position = Position::new(entity.cell, Frame::new(entity.origin.into(), entity.rotation));
            let spawn = Spawn {
                guid: Some(entity.id),
                model: self.model_at(entity.setup, &position, &field)?,
                position,
                state: entity.state.0,
                scale: entity.scale,
                role: entity.role(),
            };
            let admission = entity.admission();
            let spawned = self.scene.spawn(&self.world, spawn);
            let admitted = spawned.and_then(|key| self.scene.set_admission(key, admission));
            admitted.map_err(|source| ScenarioError::Scene { field, source })?;
        }
        Ok(())
    }

    /// Brings in the mover, exactly where it is said to be.
    pub fn spawn_mover(&mut self, mover: &MoverSpec, position: Position) -> Result<EntityKey, ScenarioError> {
        let spawn = Spawn {
            guid: None,
            model: self.model_at(mover.setup, &position, "mover")?,
            position,
            state: mover.state.0,
            scale: mover.scale,
            role: mover.role(),
        };
        let spawned = self.scene.spawn(&self.world, spawn);
        spawned.map_err(|source| ScenarioError::Scene { field: "mover".into(), source })
    }

    /// Brings in the mover without putting it anywhere yet.
    pub fn spawn_mover_aside(
        &mut self,
        mover: &MoverSpec,
        position: Position,
    ) -> Result<EntityKey, ScenarioError> {
        let key = self.spawn_mover(mover, position)?;
        self.scene.set_aside(key);
        Ok(key)
    }

    /// The model of an object that is about to be brought in, after loading what is around it.
    fn model_at(&mut self, setup: DatId, at: &Position, field: &str) -> Result<Arc<Model>, ScenarioError> {
        self.reach(at, at)?;
        let model = self.library.model(setup)?;
        model.ok_or_else(|| ScenarioError::NoModel { field: field.into(), id: setup })
    }
}
