//! Objects that a tick can skip. Spec: physics-objects §8.3.
//!
//! Far from every viewer, carried, or in no cell, an object does nothing in a tick, or only notes the time. Such
//! objects sleep. Anything that accesses one ([`Entities::get_mut`](super::entities::Entities::get_mut)) wakes it, and so
//! does a viewer that comes near. Its state is then, bit for bit, as if no tick had skipped it.

use super::{
    Entity, EntityKey, HUGE_QUANTUM, MAX_QUANTUM, Scene,
    viewers::{Proximity, Square, square},
};
use crate::flags::{State, Transient};
use std::collections::BTreeMap;
use threshold_world::Position;

#[cfg(test)]
mod tests;

/// Whether ticks look at an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sleep {
    /// They do.
    #[default]
    Awake,
    /// It is far from every viewer; every tick counts as its last update.
    Far,
    /// It is carried, frozen or in no cell; its last update stays what it was.
    Aside,
}

/// Who sleeps far away, and who has woken up.
#[derive(Debug, Default)]
pub(super) struct Sleepers {
    /// By squares of the map, each with its place.
    far: BTreeMap<(Square, EntityKey), Position>,
    /// Since the last tick began; some of them may be gone.
    woken: Vec<EntityKey>,
    /// When the last tick began.
    ticked: f64,
}

impl Sleepers {
    /// When an object was last updated.
    pub(super) fn last_update(&self, entity: &Entity) -> f64 {
        if entity.sleep == Sleep::Far { self.ticked } else { entity.last_update }
    }

    /// Wakes an object that sleeps.
    #[cold]
    pub(super) fn wake(&mut self, key: EntityKey, entity: &mut Entity) {
        entity.last_update = self.last_update(entity);
        if std::mem::take(&mut entity.sleep) == Sleep::Far {
            self.far.remove(&(square(&entity.position), key));
        }
        self.woken.push(key);
    }

    /// Lets an object sleep that has nothing to do in a tick; whether it does.
    pub(super) fn lull(&mut self, key: EntityKey, entity: &mut Entity) -> bool {
        if entity.has(Transient::ACTIVE) {
            return false;
        }
        if entity.is_aside() {
            entity.sleep = Sleep::Aside;
        } else if entity.last_update == self.ticked {
            entity.sleep = Sleep::Far;
            self.far.insert((square(&entity.position), key), entity.position);
        }
        entity.sleep != Sleep::Awake
    }
}

impl Entity {
    /// Whether no tick updates it, wherever viewers are.
    pub(super) fn is_aside(&self) -> bool {
        self.parent.is_some() || self.cell.is_none() || self.state.contains(State::FROZEN)
    }
}

impl Scene {
    /// Begins a tick: wakes the objects that it cannot pass over, and lists all that are awake.
    pub(super) fn rouse(&mut self, due: &mut Vec<EntityKey>) {
        due.clear();
        let have_moved = self.viewers.take_moved();
        let (viewers, sleepers) = (&self.viewers, self.entities.sleepers());
        let elapsed = self.now - sleepers.ticked;
        // A time that is cut into steps may leave a remainder.
        let is_cut = elapsed > MAX_QUANTUM && elapsed <= HUGE_QUANTUM;
        if is_cut || viewers.is_empty() {
            due.extend(sleepers.far.keys().map(|&(_, key)| key));
        } else if have_moved {
            for (column, rows) in viewers.columns_in_range() {
                let [first, last] = [rows.start(), rows.end()].map(|&row| (column, row));
                let near = sleepers.far.range((first, EntityKey::FIRST)..=(last, EntityKey::default()));
                let near = near.filter(|(_, place)| viewers.proximity(place) != Proximity::Far);
                due.extend(near.map(|(&(_, key), _)| key));
            }
        }
        for key in due.drain(..) {
            self.entities.get_mut(key);
        }
        self.entities.sleepers_mut().ticked = self.now;
        while let Some(key) = self.entities.sleepers_mut().woken.pop() {
            if let Some(entity) = self.entities.get(key).filter(|entity| !entity.is_static()) {
                self.movers.wake(key, entity);
            }
        }
        due.extend_from_slice(self.movers.awake());
    }

    /// Lets an object sleep if the tick under way has nothing to do for it; whether it does.
    pub(super) fn lull(&mut self, key: EntityKey) -> bool {
        let asleep = self.entities.lull(key);
        if let Some(entity) = asleep {
            self.movers.lull(key, entity);
        }
        asleep.is_some()
    }
}
