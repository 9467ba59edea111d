//! Objects by key.
//!
//! A store of our own rather than a slot map of a library: a restored scene must give new objects the very keys that
//! the original scene gives them, so the order in which free slots are used again is part of the state.

use super::{
    Entity, Shadow,
    begin::MANY,
    extents::{Extent, Extents},
    sleep::{Sleep, Sleepers},
};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::{fmt, num::NonZeroU32};
use threshold_dat::prefetch;
use threshold_world::parallel;

/// The key of an object in a [`Scene`](super::Scene); the key of a removed object is never reused.
///
/// Keys are ordered by slot, which is the order of updates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct EntityKey {
    pub(super) slot: u32,
    pub(super) generation: NonZeroU32,
}

impl EntityKey {
    /// Sorts before every other key.
    pub(super) const FIRST: EntityKey = EntityKey { slot: 0, generation: NonZeroU32::MIN };

    /// A small number that no other object of the scene has at the same time; later objects use it again.
    pub fn number(self) -> u32 {
        self.slot
    }

    /// A number that no other object of the scene ever has.
    pub fn id(self) -> u64 {
        u64::from(self.generation.get()) << 32 | u64::from(self.slot)
    }

    /// The key with an [`EntityKey::id`]; `None` for a number that cannot be one.
    pub fn from_id(id: u64) -> Option<EntityKey> {
        Some(EntityKey { slot: id as u32, generation: NonZeroU32::new((id >> 32) as u32)? })
    }
}

/// A key that names nothing.
impl Default for EntityKey {
    fn default() -> Self {
        EntityKey { slot: u32::MAX, generation: NonZeroU32::MIN }
    }
}

impl fmt::Debug for EntityKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EntityKey({}v{})", self.slot, self.generation)
    }
}

/// A place for an object. It takes whole cache lines, so that few are fetched for each.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Slot {
    /// Of the object that is in it, or of the next one.
    generation: NonZeroU32,
    entity: Option<Entity>,
    /// The object's extent is known.
    is_measured: bool,
}

impl Slot {
    /// The object, if it is the one with this key and awake. What is done to it must not wake it, and if it changes its
    /// extent, [`Entities::note_extent`] has to be told.
    pub(super) fn awake_mut(&mut self, key: EntityKey) -> Option<&mut Entity> {
        let entity = self.entity.as_mut().filter(|_| self.generation == key.generation)?;
        (entity.sleep == Sleep::Awake && !entity.is_static()).then_some(entity)
    }

    /// Measures the object if its extent is unknown.
    pub(super) fn measure(&mut self) -> Option<Extent> {
        let entity = self.entity.as_ref().filter(|_| !self.is_measured)?;
        self.is_measured = true;
        Some(Extent::of(entity))
    }
}

/// Sorts the keys of each batch by their slots, each with its place there, if there are [`MANY`].
pub(super) fn sort_by_slot(keys: &[EntityKey], batch: usize, by_slot: &mut Vec<u64>) {
    by_slot.clear();
    let places = (0..batch as u32).cycle();
    by_slot.extend(keys.iter().zip(places).map(|(key, place)| u64::from(key.slot) << 32 | u64::from(place)));
    if keys.len() >= MANY {
        parallel::each_chunk_mut(by_slot, batch, |_, batch| batch.sort_unstable());
    }
}

/// All objects.
#[derive(Debug, Default)]
pub(super) struct Entities {
    slots: Vec<Slot>,
    /// Slots without an object; the last one is used next.
    free: Vec<u32>,
    /// Counts changes of static objects.
    static_changes: u64,
    sleepers: Sleepers,
    extents: Extents,
}

impl Entities {
    /// Objects in slots of their own, as they were; `None` unless every slot is either taken or free, once.
    pub(super) fn restored(taken: Vec<(EntityKey, Entity)>, free: Vec<EntityKey>) -> Option<Entities> {
        let mut slots: Vec<Option<Slot>> = Vec::new();
        slots.resize_with(taken.len() + free.len(), || None);
        let mut fill = |key: EntityKey, entity: Option<Entity>| {
            let slot = slots.get_mut(key.slot as usize)?;
            let is_new = slot.is_none();
            *slot = Some(Slot { generation: key.generation, entity, is_measured: false });
            is_new.then_some(())
        };
        for (key, entity) in taken {
            fill(key, Some(entity))?;
        }
        for &key in &free {
            fill(key, None)?;
        }
        let slots = slots.into_iter().collect::<Option<Vec<Slot>>>()?;
        let free = free.into_iter().map(|key| key.slot).collect();
        let mut entities = Entities { slots, free, ..Entities::default() };
        (0..entities.slots.len() as u32).for_each(|slot| entities.extents.forget(slot));
        Some(entities)
    }

    /// Free slots as the keys that the next objects get, the last one first.
    pub(super) fn free_keys(&self) -> impl Iterator<Item = EntityKey> {
        self.free.iter().filter_map(|&slot| {
            Some(EntityKey { slot, generation: self.slots.get(slot as usize)?.generation })
        })
    }

    /// Grows with every change of a static object that plays nothing, its place in lists excepted.
    pub(super) fn static_changes(&self) -> u64 {
        self.static_changes
    }

    /// An object has become static, or begun or ended to play something as one.
    pub(super) fn note_static_change(&mut self) {
        self.static_changes += 1;
    }

    pub(super) fn insert(&mut self, entity: Entity) -> EntityKey {
        self.static_changes += u64::from(entity.is_static());
        if let Some(index) = self.free.pop()
            && let Some(slot) = self.slots.get_mut(index as usize)
        {
            slot.entity = Some(entity);
            slot.is_measured = false;
            self.extents.forget(index);
            return EntityKey { slot: index, generation: slot.generation };
        }
        let key = EntityKey { slot: self.slots.len() as u32, generation: NonZeroU32::MIN };
        self.slots.push(Slot { generation: key.generation, entity: Some(entity), is_measured: false });
        self.extents.forget(key.slot);
        key
    }

    pub(super) fn remove(&mut self, key: EntityKey) -> Option<Entity> {
        let slot = self.slots.get_mut(key.slot as usize).filter(|slot| slot.generation == key.generation)?;
        let mut entity = slot.entity.take()?;
        if entity.sleep != Sleep::Awake {
            self.sleepers.wake(key, &mut entity);
        }
        slot.generation = slot.generation.checked_add(1).unwrap_or(NonZeroU32::MIN);
        self.free.push(key.slot);
        self.static_changes += u64::from(entity.is_static() && !entity.plays_as_static());
        Some(entity)
    }

    #[inline]
    pub(super) fn get(&self, key: EntityKey) -> Option<&Entity> {
        let slot = self.slots.get(key.slot as usize)?;
        if slot.generation == key.generation { slot.entity.as_ref() } else { None }
    }

    /// Asks for an object.
    #[inline]
    pub(super) fn prefetch(&self, key: EntityKey) {
        self.slots.get(key.slot as usize).into_iter().for_each(prefetch);
    }

    /// An object to be changed, which wakes it.
    #[inline]
    pub(super) fn get_mut(&mut self, key: EntityKey) -> Option<&mut Entity> {
        let slot = self.slots.get_mut(key.slot as usize).filter(|slot| slot.generation == key.generation)?;
        let entity = slot.entity.as_mut()?;
        if slot.is_measured {
            slot.is_measured = false;
            self.extents.forget(key.slot);
        }
        if entity.is_static() {
            self.static_changes += u64::from(!entity.plays_as_static());
        }
        if entity.sleep != Sleep::Awake {
            self.sleepers.wake(key, entity);
        }
        Some(entity)
    }

    /// A carried object, to be moved by its parent: that does not wake it, as no tick updates it.
    pub(super) fn carried_mut(&mut self, key: EntityKey) -> Option<&mut Entity> {
        let is_carried = self.get(key)?.parent.is_some();
        if !is_carried {
            return self.get_mut(key);
        }
        let slot = self.slots.get_mut(key.slot as usize)?;
        let entity = slot.entity.as_mut()?;
        if std::mem::take(&mut slot.is_measured) {
            self.extents.forget(key.slot);
        }
        self.static_changes += u64::from(entity.is_static() && !entity.plays_as_static());
        Some(entity)
    }

    /// How far an object reaches, as far as that is known.
    #[inline]
    pub(super) fn extent(&self, key: EntityKey) -> &Extent {
        self.extents.get(key)
    }

    /// Measures everything whose extent is unknown.
    #[inline(never)]
    pub(super) fn measure(&mut self) {
        let Entities { slots, extents, .. } = self;
        while let Some(slot) = extents.next_unknown() {
            if let Some(extent) = slots.get_mut(slot as usize).and_then(Slot::measure) {
                extents.set(slot, extent);
            }
        }
    }

    /// Takes over an extent that was measured elsewhere.
    pub(super) fn note_extent(&mut self, key: EntityKey, extent: Extent) {
        self.extents.set(key.slot, extent);
    }

    /// An object that has been committed early, to be changed back.
    pub(super) fn committed_mut(&mut self, key: EntityKey) -> Option<&mut Entity> {
        self.slots.get_mut(key.slot as usize)?.awake_mut(key)
    }

    /// The slots of keys that [`sort_by_slot`] has sorted, each at the place of its key, to be changed at the same time.
    pub(super) fn slots_in(&mut self, by_slot: &[u64]) -> Vec<Option<&mut Slot>> {
        let mut found = Vec::new();
        found.resize_with(by_slot.len(), || None);
        let (mut slots, mut next) = (self.slots.iter_mut(), 0);
        for &entry in by_slot {
            let (slot, place) = ((entry >> 32) as usize, entry as u32 as usize);
            if slot >= next {
                found[place] = slots.nth(slot - next);
                next = slot + 1;
            }
        }
        found
    }

    /// As [`Entities::measure`], if it is worth while.
    #[inline]
    pub(super) fn measure_if_many(&mut self) {
        if self.extents.are_many_unknown() {
            self.measure();
        }
    }

    /// Who sleeps.
    pub(super) fn sleepers(&self) -> &Sleepers {
        &self.sleepers
    }

    /// Who sleeps, for the tick that sees to them.
    pub(super) fn sleepers_mut(&mut self) -> &mut Sleepers {
        &mut self.sleepers
    }

    /// Lets an object sleep that has nothing to do in a tick.
    pub(super) fn lull(&mut self, key: EntityKey) -> Option<&Entity> {
        let entity = self.slots.get_mut(key.slot as usize)?.entity.as_mut()?;
        self.sleepers.lull(key, entity).then_some(entity)
    }

    /// The entries of an object in lists, to be told about new places there.
    pub(super) fn shadows_mut(&mut self, key: EntityKey) -> Option<&mut [Shadow]> {
        let slot = self.slots.get_mut(key.slot as usize)?;
        let entity = slot.entity.as_mut().filter(|_| slot.generation == key.generation)?;
        Some(&mut entity.shadows)
    }

    pub(super) fn contains_key(&self, key: EntityKey) -> bool {
        self.get(key).is_some()
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// In the order of keys.
    pub(super) fn iter(&self) -> impl Iterator<Item = (EntityKey, &Entity)> {
        (0..).zip(&self.slots).filter_map(|(slot, content)| {
            Some((EntityKey { slot, generation: content.generation }, content.entity.as_ref()?))
        })
    }
}
