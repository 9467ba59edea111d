//! Which objects each observer knows: what a server must describe to it, and when it may stop. Spec: entities §8.1–8.3.
//!
//! An observer knows an object from when it is in sight and near enough until 25 s after it was last in sight, as in the
//! original's client (§4.2): an object that comes back earlier needs no new description.

use crate::{Event, SimError, Simulation, clock::TICKS_PER_SECOND};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};
use threshold_physics::{Entity, EntityKey};
use threshold_world::{CellId, Position, World};

/// Metres over the ground within which an object is seen for the first time.
const FIRST_SIGHT: f32 = 112.5;
/// Blocks in each direction that are in sight outdoors.
const RINGS: u32 = 1;
/// Seconds after which what is out of sight is forgotten.
const GRACE: f64 = 25.0;
/// Ticks after which one who stays in its cell looks again: others may have moved.
const LOOK: u64 = TICKS_PER_SECOND / 2;

/// What one observer knows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Knowledge {
    /// Objects, each with the time at which it is forgotten; `None` while it is in sight.
    objects: BTreeMap<EntityKey, Option<f64>>,
    /// Where the observer looked from last, and when.
    looked_from: CellId,
    looked_at: u64,
}

/// What every observer knows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Known(Arc<BTreeMap<EntityKey, Knowledge>>);

impl Known {
    /// Objects that are observers.
    pub(crate) fn observers(&self) -> impl Iterator<Item = EntityKey> + '_ {
        self.0.keys().copied()
    }
}

impl Simulation {
    /// Starts tracking which objects an observer knows: [`Event::CameInSight`], [`Event::WentOutOfSight`] and
    /// [`Event::Forgotten`] report the changes. For servers, which describe to each player the objects it knows.
    pub fn keep_known(&mut self, observer: EntityKey) -> Result<(), SimError> {
        self.entity(observer)?;
        Arc::make_mut(&mut self.known.0).entry(observer).or_default();
        Ok(())
    }

    /// Stops what [`Simulation::keep_known`] started; no [`Event::Forgotten`] is emitted.
    pub fn drop_known(&mut self, observer: EntityKey) {
        if self.known.0.contains_key(&observer) {
            Arc::make_mut(&mut self.known.0).remove(&observer);
        }
    }

    /// The objects that an observer knows, in order of key, and whether each is in sight.
    pub fn known_to(&self, observer: EntityKey) -> impl Iterator<Item = (EntityKey, bool)> + '_ {
        let known = self.known.0.get(&observer).into_iter().flat_map(|known| &known.objects);
        known.map(|(&key, forgotten_at)| (key, forgotten_at.is_none()))
    }

    /// The observers that know an object, in order of key.
    pub fn knowers_of(&self, object: EntityKey) -> impl Iterator<Item = EntityKey> + '_ {
        let known = self.known.0.iter().filter(move |(_, known)| known.objects.contains_key(&object));
        known.map(|(&observer, _)| observer)
    }

    /// After the objects of a tick: observers look around.
    pub(crate) fn look_around(&mut self) {
        if self.known.0.is_empty() {
            return;
        }
        let mut known = std::mem::take(&mut self.known);
        let observers = Arc::make_mut(&mut known.0);
        observers.retain(|&observer, knowledge| {
            let Some(entity) = self.scene.get(observer) else { return false };
            let at = entity.position;
            let moved = knowledge.looked_from != at.cell;
            if moved || knowledge.looked_at + LOOK <= self.clock.ticks {
                knowledge.looked_from = at.cell;
                knowledge.looked_at = self.clock.ticks;
                self.look_from(observer, &at, &mut knowledge.objects);
            }
            self.forget(observer, &mut knowledge.objects);
            true
        });
        self.known = known;
    }

    fn look_from(
        &mut self,
        observer: EntityKey,
        at: &Position,
        objects: &mut BTreeMap<EntityKey, Option<f64>>,
    ) {
        let (world, scene, now) = (&self.world, &self.scene, self.scene.now());
        for (&entity, forgotten_at) in objects.iter_mut() {
            let in_sight = scene.get(entity).is_some_and(|entity| is_in_sight(world, at, entity));
            match (in_sight, *forgotten_at) {
                (true, Some(_)) => {
                    *forgotten_at = None;
                    self.events.push(Event::CameInSight { observer, entity, is_new: false });
                }
                (false, None) => {
                    *forgotten_at = Some(now + GRACE);
                    self.events.push(Event::WentOutOfSight { observer, entity });
                }
                _ => {}
            }
        }
        for entity in scene.in_turn().filter(|&key| key != observer) {
            let is_new = |found: &&Entity| {
                let distance = at.offset_to(&found.position).truncate().length();
                is_in_sight(world, at, found) && distance <= FIRST_SIGHT
            };
            if !objects.contains_key(&entity) && scene.get(entity).as_ref().is_some_and(is_new) {
                objects.insert(entity, None);
                self.events.push(Event::CameInSight { observer, entity, is_new: true });
            }
        }
    }

    /// Forgets whose time is over, and what does not exist any more.
    fn forget(&mut self, observer: EntityKey, objects: &mut BTreeMap<EntityKey, Option<f64>>) {
        let now = self.scene.now();
        objects.retain(|&entity, forgotten_at| {
            let is_over = forgotten_at.is_some_and(|end| end < now) || self.scene.get(entity).is_none();
            if is_over {
                self.events.push(Event::Forgotten { observer, entity });
            }
            !is_over
        });
    }
}

/// Whether what stands in one place may be seen from another: through the visible cells of a room, and in the blocks around
/// where the outdoors are seen.
fn is_in_sight(world: &World, from: &Position, object: &Entity) -> bool {
    let Some(to) = object.cell else { return false };
    let room = |cell: CellId| world.block_data(cell.block())?.env_cell(cell.low());
    let sees_outside = |cell: CellId| cell.is_outdoor() || room(cell).is_some_and(|room| room.seen_outside);
    let is_visible = room(from.cell).is_some_and(|room| room.sees(to));
    let is_near = u32::from(from.cell.block().rings_to(to.block())) <= RINGS;
    is_visible || is_near && sees_outside(from.cell) && sees_outside(to)
}
