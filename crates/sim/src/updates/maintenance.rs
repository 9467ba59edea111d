//! Which objects are kept, and which are forgotten. Spec: entities §4.

use crate::{Event, Simulation};
use threshold_physics::EntityKey;

/// Seconds between two lists of visible objects.
const LISTING: f64 = 1.0;

impl Simulation {
    /// Before the objects of a tick: lists who is visible, and forgets whose time has come.
    /// Retail: `CObjectMaint::UseTime`.
    pub(crate) fn maintain(&mut self) {
        if self.told.is_empty() {
            return;
        }
        let now = self.scene.now();
        if now - self.told.listed_at > LISTING {
            let mut visible = std::mem::take(&mut self.told_mut().visible);
            visible.clear();
            visible.extend(self.told.objects.keys().filter_map(|guid| {
                let key = self.scene.key_of(*guid)?;
                let entity = self.scene.get(key)?;
                (entity.cell.is_some() && !entity.is_static()).then_some(key)
            }));
            let told = self.told_mut();
            told.visible = visible;
            told.listed_at = now;
        }
        while let Some(guid) = self.take_due(now) {
            // What is described is there.
            let _ = self.delete_described(guid);
        }
        self.tick_waiting();
    }

    fn take_due(&mut self, now: f64) -> Option<u32> {
        if self.told.doomed.is_idle() { None } else { self.told_mut().doomed.take_due(now) }
    }

    /// Described objects that are in a cell, as they were listed within the last second. Retail: the visible objects of
    /// `CObjectMaint`, for the radar.
    pub fn visible(&self) -> &[EntityKey] {
        &self.told.visible
    }

    /// Whether an object will be forgotten unless it comes back.
    pub fn is_doomed(&self, guid: u32) -> bool {
        self.told.doomed.contains(guid)
    }

    /// Takes over what happened in the scene: described objects that left it are to be forgotten, those that came back
    /// are not, and look for room where they are.
    pub(crate) fn take_scene_events(&mut self) {
        let first = self.events.len();
        self.events.extend(self.scene.drain_events().map(Event::from));
        if self.told.objects.is_empty() {
            return;
        }
        for at in first..self.events.len() {
            match self.events[at] {
                Event::Lost(key) => self.doom(key),
                Event::Found(key) => self.come_back(key),
                Event::CellChanged { entity, to: Some(_), .. } => self.spare(entity),
                _ => {}
            }
        }
        self.events.extend(self.scene.drain_events().map(Event::from));
    }

    /// An object is gone, no matter who removed it.
    pub(crate) fn forget_described(&mut self, guid: u32) {
        if self.told.objects.contains_key(&guid) {
            let told = self.told_mut();
            let object = told.objects.remove(&guid);
            told.doomed.remove(guid);
            object.into_iter().for_each(|object| self.reconsider_guests(&object.game));
        }
    }

    fn guid_of_described(&self, key: EntityKey) -> Option<u32> {
        self.scene.get(key)?.guid.filter(|guid| self.told.objects.contains_key(guid))
    }

    /// An object and what it carries will be forgotten. The own player is not.
    fn doom(&mut self, key: EntityKey) {
        let now = self.scene.now();
        if let Some(guid) = self.guid_of_described(key)
            && self.told.own != Some(guid)
        {
            self.told_mut().doomed.add(guid, now);
        }
        let children = self.scene.get(key).map(|entity| entity.children().to_vec()).unwrap_or_default();
        children.into_iter().for_each(|child| self.doom(child));
    }

    /// An object and what it carries will not be forgotten.
    pub(super) fn spare(&mut self, key: EntityKey) {
        if self.told.doomed.is_idle() {
            return;
        }
        if let Some(guid) = self.guid_of_described(key) {
            self.told_mut().doomed.remove(guid);
        }
        let children = self.scene.get(key).map(|entity| entity.children().to_vec()).unwrap_or_default();
        children.into_iter().for_each(|child| self.spare(child));
    }

    /// An object whose cell is back looks for room where it was. Spec: entities §4.4.
    fn come_back(&mut self, key: EntityKey) {
        self.spare(key);
        if self.guid_of_described(key).is_some()
            && let Ok(position) = self.position(key)
        {
            // It is in the world, and its position was usable before.
            let _ = self.place(key, &position);
        }
    }

    /// After a description of what was known already: what is in a container is forgotten unless the game knows it, what
    /// should be somewhere and is not will be. Spec: entities §1.4.5.
    pub(super) fn reconsider_end(&mut self, key: EntityKey, has_position: bool) {
        let is_in_world = self.scene.get(key).is_some_and(|entity| entity.cell.is_some());
        match (has_position, is_in_world) {
            (true, true) => self.spare(key),
            (true, false) => self.doom(key),
            // Every described object is known to the game.
            (false, _) => {}
        }
    }
}
