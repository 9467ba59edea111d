//! Objects that carry others. Spec: physics-objects §8.8, §8.14, §9.2.

use super::{Attachment, EntityKey, Scene, SceneError};
use threshold_world::World;

/// Objects that may carry each other, one on top of the other.
pub const MAX_CARRY_DEPTH: usize = 16;

impl Scene {
    /// Lets `parent` carry an object, or nobody. What is carried is registered with its parent and never tested.
    /// Retail: `CPhysicsObj::set_parent`. Spec: physics-objects §8.14.
    pub fn set_parent(
        &mut self,
        world: &World,
        key: EntityKey,
        parent: Option<EntityKey>,
        attachment: Attachment,
    ) -> Result<(), SceneError> {
        if !attachment.frame.is_finite() {
            return Err(SceneError::NotFinite("attachment"));
        }
        let old = self.entities.get(key).ok_or(SceneError::NoSuchEntity)?.parent;
        self.check_parent(key, parent)?;
        if let Some(old) = old.and_then(|old| self.entities.get_mut(old)) {
            old.children.retain(|&child| child != key);
        }
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        entity.parent = parent;
        entity.attachment = attachment;
        if let Some(parent) = parent {
            if let Some(carrier) = self.entities.get_mut(parent) {
                carrier.children.push(key);
            }
            self.carry(parent, key);
            self.carry_children(key);
        }
        self.reflood(world, key);
        Ok(())
    }

    fn check_parent(&self, key: EntityKey, parent: Option<EntityKey>) -> Result<(), SceneError> {
        let below = if parent.is_some() { self.height(key) } else { 0 };
        if below + self.count_carriers(key, parent)? > MAX_CARRY_DEPTH {
            return Err(SceneError::ParentDepth);
        }
        Ok(())
    }

    /// How many objects carry an object whose parent is `parent`, one on top of the other.
    pub(super) fn count_carriers(
        &self,
        key: EntityKey,
        parent: Option<EntityKey>,
    ) -> Result<usize, SceneError> {
        let (mut count, mut above) = (0, parent);
        while let Some(ancestor) = above {
            count += 1;
            if ancestor == key {
                return Err(SceneError::ParentCycle);
            }
            // Circles that the object itself is not part of are too deep in the end.
            if count > MAX_CARRY_DEPTH {
                return Err(SceneError::ParentDepth);
            }
            above = self.entities.get(ancestor).ok_or(SceneError::NoSuchEntity)?.parent;
        }
        Ok(count)
    }

    /// Levels of objects carried by an object.
    fn height(&self, key: EntityKey) -> usize {
        let children = self.entities.get(key).map_or(&[][..], |e| &e.children);
        children.iter().map(|&child| 1 + self.height(child)).max().unwrap_or(0)
    }

    /// The object that carries an object and all its carriers; itself when nobody does.
    pub(super) fn carrier_of(&self, mut key: EntityKey) -> EntityKey {
        while let Some(parent) = self.entities.get(key).and_then(|e| e.parent) {
            key = parent;
        }
        key
    }

    /// Children go where their parent goes.
    pub(super) fn carry_children(&mut self, key: EntityKey) {
        for i in 0.. {
            let Some(&child) = self.entities.get(key).and_then(|e| e.children.get(i)) else { return };
            self.carry(key, child);
            self.carry_children(child);
        }
    }

    fn carry(&mut self, parent: EntityKey, child: EntityKey) {
        let Some(attachment) = self.entities.get(child).map(|e| e.attachment) else { return };
        let Some(carrier) = self.entities.get(parent) else { return };
        let (position, cell) = (carrier.holds_at(&attachment), carrier.cell);
        if let Some(child) = self.entities.get_mut(child) {
            child.position = position;
            child.place_parts();
        }
        self.set_cell(child, cell);
    }
}
