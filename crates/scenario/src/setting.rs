//! A loaded world with its statics, ready for objects and a mover.

use super::format::{EntitySpec, MoverSpec, SCENERY_IDS, ScriptEntity, ScriptMover};
use std::{collections::BTreeSet, sync::Arc};
use threshold_dat::DatId;
use threshold_physics::{
    flags::State,
    movement::Skills,
    scene::{EntityKey, PlaceOptions, Placement, Scene, SceneError, Spawn},
};
use threshold_world::{
    BlockId, CellId, Frame, Library, Position, SMALL_WORLD, World, block_ids, cell::EnvCell,
    coords::BLOCK_SIDE, load_all, load_block, model::Model, stream::StreamEvent,
};

/// Blocks between the ends of a move that are loaded for it, to each side; farther ends are loaded by themselves.
const MAX_SPAN: i32 = 40;

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

/// Why a scenario or capture cannot be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
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
    /// A motion table is missing or broken.
    #[error("{field}: {id} is not a usable motion table of this world")]
    NoMotionTable {
        /// Where it is named.
        field: String,
        /// The motion table.
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

    /// Brings in the objects of a capture. Scenery among them takes the place of the world's own.
    pub fn spawn_entities(&mut self, entities: &[EntitySpec]) -> Result<(), ScenarioError> {
        for (i, entity) in entities.iter().enumerate() {
            self.spawn_entity(entity, &format!("entities[{i}]"))?;
        }
        Ok(())
    }

    /// Brings in an object exactly where it is said to be.
    fn spawn_entity(&mut self, entity: &EntitySpec, field: &str) -> Result<EntityKey, ScenarioError> {
        let spawn = self.spawn_of(entity, field)?;
        let spawned = self.scene.spawn(&self.world, spawn);
        let key = spawned.and_then(|key| {
            self.scene.set_admission(key, entity.admission())?;
            Ok(key)
        });
        key.map_err(|source| ScenarioError::Scene { field: field.into(), source })
    }

    fn spawn_of(&mut self, entity: &EntitySpec, field: &str) -> Result<Spawn, ScenarioError> {
        if entity.id >= SCENERY_IDS {
            self.set_scenery(Scenery::Absent);
        }
        let position = Position::new(entity.cell, Frame::new(entity.origin.into(), entity.rotation));
        Ok(Spawn {
            guid: Some(entity.id),
            model: self.model_at(entity.setup, &position, field)?,
            position,
            state: entity.state.0,
            scale: entity.scale,
            role: entity.role(),
        })
    }

    /// Brings in an object of a scenario; one with a motion table moves by itself.
    pub(super) fn spawn_script_entity(
        &mut self,
        entity: &ScriptEntity,
        field: &str,
    ) -> Result<EntityKey, ScenarioError> {
        let Some(table) = entity.motion_table else { return self.spawn_entity(&entity.body, field) };
        let spawn = self.spawn_of(&entity.body, field)?;
        let position = spawn.position;
        let key = self.create(spawn, Life { table: Some(table), ..Life::default() }, field)?;
        let mut enter = || {
            self.scene.set_admission(key, entity.body.admission())?;
            let is_in = if entity.still {
                self.scene.update_position(&self.world, key, position)?;
                true
            } else {
                let placed = self.scene.place(&self.world, key, &position, PlaceOptions::default())?;
                placed.0 == Placement::Placed
            };
            if is_in { self.scene.enter_world(key) } else { Ok(()) }
        };
        enter().map_err(|source| ScenarioError::Scene { field: field.into(), source })?;
        Ok(key)
    }

    /// Brings in the mover of a scenario without putting it anywhere yet.
    pub(super) fn spawn_script_mover(
        &mut self,
        mover: &ScriptMover,
        position: Position,
    ) -> Result<EntityKey, ScenarioError> {
        let spawn =
            Spawn { guid: Some(MOVER_ID), role: mover.role(), ..self.spawn_of_mover(&mover.body, position)? };
        let is_autonomous = !mover.life.remote;
        let life = Life { table: mover.life.motion_table, skills: mover.skills(), is_autonomous };
        self.create(spawn, life, "mover")
    }

    /// Makes an object that is nowhere yet, as the original makes one that a server describes. Spec: entities §1.5.
    fn create(&mut self, spawn: Spawn, life: Life, field: &str) -> Result<EntityKey, ScenarioError> {
        let table = match life.table {
            Some(id) => {
                let table = self.library.motion_table(id)?;
                let missing = || ScenarioError::NoMotionTable { field: field.into(), id };
                Some(table.ok_or_else(missing)?)
            }
            None => None,
        };
        let state = spawn.state;
        let make = || {
            let key = self.scene.spawn(&self.world, Spawn { state: NEW_STATE, ..spawn })?;
            self.scene.set_aside(key);
            if life.skills.is_some() {
                self.scene.set_skills(key, life.skills)?;
            }
            if let Some(table) = table {
                self.scene.set_last_move_autonomous(key, life.is_autonomous)?;
                self.scene.set_motion_table(key, Some(table))?;
            }
            self.scene.set_state(key, state)?;
            Ok(key)
        };
        make().map_err(|source| ScenarioError::Scene { field: field.into(), source })
    }

    /// Brings in the mover of a capture, exactly where it is said to be.
    pub fn spawn_mover(&mut self, mover: &MoverSpec, position: Position) -> Result<EntityKey, ScenarioError> {
        let spawn = self.spawn_of_mover(mover, position)?;
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

    fn spawn_of_mover(&mut self, mover: &MoverSpec, position: Position) -> Result<Spawn, ScenarioError> {
        Ok(Spawn {
            guid: None,
            model: self.model_at(mover.setup, &position, "mover")?,
            position,
            state: mover.state.0,
            scale: mover.scale,
            role: mover.role(),
        })
    }

    /// The model of an object that is about to be brought in, after loading what is around it.
    fn model_at(&mut self, setup: DatId, at: &Position, field: &str) -> Result<Arc<Model>, ScenarioError> {
        self.reach(at, at)?;
        let model = self.library.model(setup)?;
        model.ok_or_else(|| ScenarioError::NoModel { field: field.into(), id: setup })
    }
}
