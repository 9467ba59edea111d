//! Objects of the simulation: those that a server places, and those that the host spawns.

use crate::{Event, SimError, Simulation};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _, ser::Error as _};
use std::{
    collections::BTreeMap,
    ops::{Deref, DerefMut},
    sync::Arc,
};
use threshold_dat::DatId;
use threshold_physics::{Entity, EntityKey, EntityRole, PlaceOptions, Placement, SceneError, Spawn, State};
use threshold_world::{
    BlockId, CellId, Position, Problem,
    model::Model,
    placed::{ObjectKind, PlacedObject, seat_without_cell},
};

/// Parameters for spawning an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewObject {
    /// Game id; must not be in use. The game cannot refer to objects without one.
    pub guid: Option<u32>,
    /// Setup or GfxObj.
    pub setup: DatId,
    /// Exactly where.
    pub position: Position,
    /// State word, used unchanged.
    pub state: State,
    /// Size.
    pub scale: f32,
    /// Its role in the game.
    pub role: EntityRole,
}

impl NewObject {
    /// An object of full size without a game id.
    pub fn new(setup: DatId, position: Position) -> NewObject {
        NewObject {
            guid: None,
            setup,
            position,
            state: State::empty(),
            scale: 1.0,
            role: EntityRole::default(),
        }
    }
}

/// What a server placed, by game id.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Placed(BTreeMap<u32, PlacedObject>);

impl Deref for Placed {
    type Target = BTreeMap<u32, PlacedObject>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Placed {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// As the JSON of `entities.json`, whatever format it is part of: its fields may be left out, which formats that do not
/// name fields cannot express.
impl Serialize for Placed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let objects: Vec<&PlacedObject> = self.0.values().collect();
        serializer.serialize_str(&serde_json::to_string(&objects).map_err(S::Error::custom)?)
    }
}

impl<'de> Deserialize<'de> for Placed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Placed, D::Error> {
        let text = String::deserialize(deserializer)?;
        let objects: Vec<PlacedObject> = serde_json::from_str(&text).map_err(D::Error::custom)?;
        Ok(Placed(objects.into_iter().map(|object| (object.id, object)).collect()))
    }
}

impl Simulation {
    /// Spawns an object exactly at its position. If its cell is not loaded, the object waits until it is.
    pub fn spawn(&mut self, new: NewObject) -> Result<EntityKey, SimError> {
        let NewObject { guid, setup, position, state, scale, role } = new;
        let model = self.model(setup)?;
        let key = self.scene.spawn(&self.world, Spawn { guid, model, position, state, scale, role })?;
        if !state.contains(State::STATIC) {
            self.play_own_motion(key)?;
        }
        Ok(key)
    }

    pub(crate) fn model(&self, setup: DatId) -> Result<Arc<Model>, SimError> {
        self.library.model(setup)?.ok_or(SimError::NoModel(setup))
    }

    /// Removes an object; objects that it carried stay where they are. A player's observer is removed with it.
    pub fn despawn(&mut self, key: EntityKey) -> Result<(), SimError> {
        let guid = self.entity(key)?.guid;
        self.scene.despawn(&self.world, key)?;
        self.doors.remove(&key);
        if let Some(guid) = guid {
            Arc::make_mut(&mut self.placed).remove(&guid);
            self.doings.remove(guid);
            self.forget_described(guid);
        }
        self.remove_player(key);
        if self.trips.contains_key(&key) {
            Arc::make_mut(&mut self.trips).remove(&key);
        }
        Ok(())
    }

    /// Places an object, using the original's search for a free spot. For players, prefer
    /// [`Simulation::teleport`], which loads the surroundings first.
    pub fn place(&mut self, key: EntityKey, at: &Position) -> Result<Placement, SimError> {
        Ok(self.scene.place(&self.world, key, at, PlaceOptions::default())?.0)
    }

    /// Adds an object that a server would place, by its kind: doors can be used, portals teleport. An object without a cell
    /// (its low word is 0) waits until its block is loaded, and is then put into the cell that contains its position.
    pub fn add_placed(&mut self, mut placed: PlacedObject) -> Result<EntityKey, SimError> {
        let is_unseated = placed.cell.low() == 0 && !self.seat(&mut placed)?;
        let mut spawn = Spawn::placed(&placed, self.model(placed.setup)?);
        if is_unseated {
            spawn.position.cell = CellId::NONE;
        }
        let key = self.scene.spawn(&self.world, spawn)?;
        if is_unseated {
            self.unseated.insert((placed.cell.block(), placed.id));
        }
        self.play_own_motion(key)?;
        if placed.kind == ObjectKind::Door {
            self.add_door(key, placed.reset_interval)?;
        }
        self.doings.add(&placed);
        Arc::make_mut(&mut self.placed).insert(placed.id, placed);
        Ok(key)
    }

    /// Gives a placed object the cell that its position is in; false when its block is not loaded.
    fn seat(&self, placed: &mut PlacedObject) -> Result<bool, SimError> {
        let Some(block) = self.world.block_data(placed.cell.block()) else { return Ok(false) };
        let (cell, origin) =
            seat_without_cell(block, placed.origin.into()).ok_or(SceneError::OffMap(placed.cell))?;
        (placed.cell, placed.origin) = (cell, origin.to_array());
        Ok(true)
    }

    /// A block has been loaded: puts the objects into it that waited for it without a cell.
    pub(crate) fn seat_placed(&mut self, block: BlockId) {
        let waiting: Vec<(BlockId, u32)> =
            self.unseated.range((block, 0)..=(block, u32::MAX)).copied().collect();
        for waiting @ (_, guid) in waiting {
            let (Some(key), Some(placed)) = (self.find(guid), self.placed.get(&guid)) else {
                self.unseated.remove(&waiting);
                continue;
            };
            let mut placed = placed.clone();
            let seated = match self.seat(&mut placed) {
                Ok(false) => return,
                Ok(true) => {
                    self.scene.update_position(&self.world, key, placed.position()).map_err(SimError::from)
                }
                Err(error) => Err(error),
            };
            self.unseated.remove(&waiting);
            match seated {
                Ok(()) => drop(Arc::make_mut(&mut self.placed).insert(guid, placed)),
                Err(error) => {
                    let text = format!("{} cannot be placed: {error}", placed.name);
                    self.events.push(Event::Problem(Problem::new(placed.setup, text)));
                }
            }
        }
    }

    /// The description of an object that a server placed.
    pub fn placed(&self, key: EntityKey) -> Option<&PlacedObject> {
        self.placed.get(&self.scene.get(key)?.guid?)
    }

    /// An object.
    pub fn entity(&self, key: EntityKey) -> Result<&Entity, SimError> {
        Ok(self.scene.get(key).ok_or(SceneError::NoSuchEntity)?)
    }

    /// The object with a game id.
    pub fn find(&self, guid: u32) -> Option<EntityKey> {
        self.scene.key_of(guid)
    }

    /// The placed object with a name, in any case.
    pub fn find_by_name(&self, name: &str) -> Option<EntityKey> {
        let placed = self.placed.values().find(|placed| placed.name.eq_ignore_ascii_case(name))?;
        self.find(placed.id)
    }

    /// Where an object is.
    pub fn position(&self, key: EntityKey) -> Result<Position, SimError> {
        Ok(self.entity(key)?.position)
    }
}
