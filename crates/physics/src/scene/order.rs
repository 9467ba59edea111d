//! The order in which a tick updates objects. Spec: entities §1.1.

use super::{Entity, EntityKey};
use std::{cmp::Reverse, collections::BTreeSet};

/// When an object has its turn in a tick. Retail keeps its objects in a hash table of 128 buckets and goes through it
/// bucket by bucket, in each from the newest object to the oldest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Turn {
    bucket: u8,
    serial: Reverse<u64>,
}

impl Turn {
    /// The turn of the object with a game id that was the `serial`-th to come. Retail: the hash of `CObjectMaint`.
    pub(super) fn new(guid: Option<u32>, serial: u64) -> Turn {
        let id = guid.unwrap_or(0);
        Turn { bucket: ((id ^ id >> 8) & 0x7F) as u8, serial: Reverse(serial) }
    }
}

/// Everything that is not static.
#[derive(Debug, Default)]
pub(super) struct Movers {
    by_key: BTreeSet<EntityKey>,
    by_turn: BTreeSet<(Turn, EntityKey)>,
    /// Of these, the ones that a tick looks at.
    awake: BTreeSet<(Turn, EntityKey)>,
    /// Their keys in order, unless they have changed since.
    listed: Vec<EntityKey>,
    has_changed: bool,
}

impl Movers {
    pub(super) fn insert(&mut self, key: EntityKey, entity: &Entity) {
        self.by_key.insert(key);
        self.by_turn.insert((entity.turn(), key));
        self.wake(key, entity);
    }

    pub(super) fn remove(&mut self, key: EntityKey, entity: &Entity) {
        self.by_key.remove(&key);
        self.by_turn.remove(&(entity.turn(), key));
        self.lull(key, entity);
    }

    /// Ticks look at an object from now on.
    pub(super) fn wake(&mut self, key: EntityKey, entity: &Entity) {
        self.has_changed |= self.awake.insert((entity.turn(), key));
    }

    /// Ticks pass over an object from now on.
    pub(super) fn lull(&mut self, key: EntityKey, entity: &Entity) {
        self.has_changed |= self.awake.remove(&(entity.turn(), key));
    }

    /// What a tick looks at, in its order.
    pub(super) fn awake(&mut self) -> &[EntityKey] {
        if std::mem::take(&mut self.has_changed) {
            self.listed.clear();
            self.listed.extend(self.awake.iter().map(|&(_, key)| key));
        }
        &self.listed
    }

    pub(super) fn len(&self) -> usize {
        self.by_key.len()
    }

    /// In the order of keys.
    pub(super) fn iter(&self) -> impl Iterator<Item = EntityKey> + '_ {
        self.by_key.iter().copied()
    }

    /// In the order of a tick.
    pub(super) fn in_turn(&self) -> impl Iterator<Item = EntityKey> + '_ {
        self.by_turn.iter().map(|&(_, key)| key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn example_8_buckets_of_game_ids() {
        for (id, bucket) in [(0x5000_0001, 1), (0x5000_1234, 0x26), (0x8000_00FF, 0x7F)] {
            assert_eq!(Turn::new(Some(id), 0).bucket, bucket, "{id:#x}");
        }
    }

    #[test]
    fn in_a_bucket_the_newest_object_comes_first() {
        let turns = [Turn::new(Some(2), 1), Turn::new(Some(2), 0), Turn::new(Some(3), 2)];
        assert!(turns.is_sorted(), "{turns:?}");
    }
}
