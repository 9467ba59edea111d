//! What a server says, applied: descriptions and updates of objects, in the order and with the sequence numbers that the
//! original's client goes by. Spec: entities §1, §2, §4.
//!
//! Objects that came this way are *described*: they have sequence numbers and what the game says of them, they are
//! forgotten 25 s after their cell was unloaded, and updates that overtake their description wait for it.

mod attach;
mod create;
mod described;
mod doomed;
mod maintenance;
mod movement;
mod place;
mod waiting;

pub use described::Described;

use crate::{Event, SimError, Simulation};
use doomed::Doomed;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};
use threshold_physics::{
    EntityKey,
    update::{AppearanceUpdate, ScriptUpdate, SoundUpdate, Stamps, Update, is_newer},
};
use waiting::Waiting;

/// Updates that are held back until the own player is named; more of them are refused.
const MAX_HELD: usize = 16_384;

/// What became of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// It was taken over.
    Done,
    /// A newer one came before it, or it is about a life that is over.
    Stale,
    /// It waits for the description of its object, or for the own player to be named.
    Queued,
}

/// What a server has said so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Told {
    /// The recipient's own player.
    own: Option<u32>,
    /// Updates that wait until the own player is named; absent when nothing waits for that.
    held: Option<Vec<Update>>,
    objects: BTreeMap<u32, Arc<Described>>,
    waiting: Waiting,
    doomed: Doomed,
    visible: Vec<EntityKey>,
    /// When the visible objects were listed last.
    listed_at: f64,
}

impl Told {
    fn stamps(&mut self, guid: u32) -> Option<&mut Stamps> {
        Some(&mut Arc::make_mut(self.objects.get_mut(&guid)?).stamps)
    }

    /// Words that differ when anything in it differs.
    pub(crate) fn words(&self) -> impl Iterator<Item = u32> + '_ {
        let objects = self
            .objects
            .iter()
            .flat_map(|(&guid, object)| [guid].into_iter().chain(object.stamps.to_array().map(u32::from)));
        self.own.into_iter().chain(objects).chain(self.waiting.words()).chain(self.doomed.words())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.own.is_none() && self.objects.is_empty() && self.waiting.is_empty()
    }
}

impl Simulation {
    /// Applies what a server says. It acts in the next tick.
    ///
    /// # Errors
    /// When the update cannot be used: nothing has changed then, beyond sequence numbers.
    pub fn apply(&mut self, update: &Update) -> Result<Applied, SimError> {
        let applied = self.apply_now(update);
        self.take_scene_events();
        applied
    }

    fn apply_now(&mut self, update: &Update) -> Result<Applied, SimError> {
        if let Some(held) = &mut self.told_mut().held
            && !matches!(update, Update::OwnPlayer(_))
        {
            if held.len() >= MAX_HELD {
                return Err(SimError::TooManyUpdates(MAX_HELD));
            }
            held.push(update.clone());
            return Ok(Applied::Queued);
        }
        match update {
            Update::OwnPlayer(guid) => self.name_own_player(*guid),
            Update::Create(object) => self.create(object, update),
            Update::CreateAnew(object) => self.create_anew(object, update),
            Update::Delete { guid, instance } => self.on_life(*guid, *instance, update, |sim, _| {
                if sim.told.own == Some(*guid) {
                    return Err(SimError::OwnPlayer);
                }
                sim.delete_described(*guid).map(|()| Applied::Done)
            }),
            Update::Position(position) => {
                self.on_life(position.guid, position.instance, update, |sim, key| {
                    sim.receive_position(key, position)
                })
            }
            Update::Movement(movement) => {
                self.on_life(movement.guid, movement.instance, update, |sim, key| {
                    sim.receive_movement(key, movement)
                })
            }
            Update::State(state) => {
                self.on_life(state.guid, state.instance, update, |sim, key| sim.receive_state(key, state))
            }
            Update::Vector(vector) => {
                self.on_life(vector.guid, vector.instance, update, |sim, key| sim.receive_vector(key, vector))
            }
            Update::Parent(parent) => self.receive_parent(parent, update),
            Update::Pickup(pickup) => {
                self.on_life(pickup.guid, pickup.instance, update, |sim, key| sim.receive_pickup(key, pickup))
            }
            Update::Appearance(appearance) => {
                self.on_life(appearance.guid, appearance.instance, update, |sim, key| {
                    sim.receive_appearance(key, appearance)
                })
            }
            Update::Script(script) => self.receive_script(script, update),
            Update::Sound(sound) => self.receive_sound(sound, update),
            Update::Teleport(stamp) => self.announce_teleport(*stamp),
        }
    }

    /// Holds back everything that a server says until it has named the own player, as the original's client does.
    pub fn await_own_player(&mut self) {
        let told = self.told_mut();
        if told.own.is_none() && told.held.is_none() {
            told.held = Some(Vec::new());
        }
    }

    /// The own player's game id, once it was named.
    pub fn own_player(&self) -> Option<u32> {
        self.told.own
    }

    /// Whether a server said that this is the own player.
    pub(crate) fn told_own(&self, guid: u32) -> bool {
        self.told.own == Some(guid)
    }

    /// Forgets everything that a server has said, and takes out the objects that it described: the connection is over.
    pub fn forget_server(&mut self) {
        let guids: Vec<u32> = self.told.objects.keys().copied().collect();
        for guid in guids {
            // What is described is there.
            let _ = self.delete_described(guid);
        }
        self.told = Arc::default();
    }

    /// What a server said of an object.
    pub fn described(&self, guid: u32) -> Option<&Described> {
        self.told.objects.get(&guid).map(|object| &**object)
    }

    /// Everything that a server described and that still exists, by game id.
    pub fn all_described(&self) -> impl Iterator<Item = (u32, &Described)> {
        self.told.objects.iter().map(|(&guid, object)| (guid, &**object))
    }

    pub(crate) fn told_mut(&mut self) -> &mut Told {
        Arc::make_mut(&mut self.told)
    }

    fn name_own_player(&mut self, guid: u32) -> Result<Applied, SimError> {
        if self.told.own.is_some() {
            return Err(SimError::OwnPlayer);
        }
        let told = self.told_mut();
        told.own = Some(guid);
        let held = told.held.take().unwrap_or_default();
        if let Some(key) = self.scene.key_of(guid)
            && self.told.objects.contains_key(&guid)
        {
            self.take_control(key, None)?;
        }
        for update in &held {
            self.replay(update);
        }
        Ok(Applied::Done)
    }

    /// Applies an update that waited; one that is refused now is reported.
    fn replay(&mut self, update: &Update) {
        if let Err(error) = self.apply_now(update) {
            let guid = update.guid().unwrap_or(0);
            self.events.push(Event::UpdateRefused { guid, why: error.to_string() });
        }
    }

    /// Applies an update to the life of an object that it is about: it is stale when that life is over, and waits when
    /// it has not begun. Spec: entities §1.3.
    fn on_life(
        &mut self,
        guid: u32,
        instance: u16,
        update: &Update,
        act: impl FnOnce(&mut Simulation, EntityKey) -> Result<Applied, SimError>,
    ) -> Result<Applied, SimError> {
        let life = self.told.objects.get(&guid).map(|object| object.stamps.instance);
        match (life, self.scene.key_of(guid)) {
            (Some(life), Some(key)) if life == instance => act(self, key),
            (Some(life), Some(_)) if is_newer(instance, life) => Ok(Applied::Stale),
            (Some(_), Some(_)) => Ok(self.wait_for_life(guid, update)),
            _ => Ok(self.wait_for(guid, update)),
        }
    }

    fn receive_appearance(&mut self, key: EntityKey, update: &AppearanceUpdate) -> Result<Applied, SimError> {
        let Some(stamps) = self.told_mut().stamps(update.guid) else { return Ok(Applied::Stale) };
        if !Stamps::renew(&mut stamps.appearance, update.appearance_stamp) {
            return Ok(Applied::Stale);
        }
        self.wear(key, &update.appearance)?;
        if let Some(object) = self.told_mut().objects.get_mut(&update.guid) {
            Arc::make_mut(object).appearance = update.appearance.clone();
        }
        self.events.push(Event::Redressed(key));
        Ok(Applied::Done)
    }

    /// Scripts and sounds have no sequence numbers. Spec: entities §2.6.
    fn receive_script(&mut self, script: &ScriptUpdate, update: &Update) -> Result<Applied, SimError> {
        let Some(key) = self.find_described(script.guid) else {
            return Ok(self.wait_for(script.guid, update));
        };
        self.events.push(Event::Script { entity: key, script: script.script });
        Ok(Applied::Done)
    }

    fn receive_sound(&mut self, sound: &SoundUpdate, update: &Update) -> Result<Applied, SimError> {
        let Some(key) = self.find_described(sound.guid) else { return Ok(self.wait_for(sound.guid, update)) };
        self.events.push(Event::Sound { entity: key, sound: sound.sound, volume: sound.volume });
        Ok(Applied::Done)
    }

    /// The object with a game id, if a server described it.
    fn find_described(&self, guid: u32) -> Option<EntityKey> {
        self.told.objects.get(&guid)?;
        self.scene.key_of(guid)
    }
}
