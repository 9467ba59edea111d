//! Objects that carry others. Spec: physics-objects §8.8, §8.14, §9.2.

use super::{Attachment, EntityKey, Scene, SceneError, properties::Drawn};
use crate::flags::State;
use threshold_world::{World, model::Holding};

#[cfg(test)]
mod tests;

/// Objects that may carry each other, one on top of the other.
pub const MAX_CARRY_DEPTH: usize = 16;

impl Scene {
    /// Sets or removes the parent that carries an object. A carried object is registered with its parent and never tested; a
    /// released one stays where it is. Retail: `CPhysicsObj::set_parent`, `unset_parent`. Spec: entities §5.
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
        if !self.entities.contains_key(key) {
            return Err(SceneError::NoSuchEntity);
        }
        self.check_parent(key, parent)?;
        self.unset_parent(world, key);
        match parent {
            Some(parent) => self.attach(world, key, parent, attachment),
            None => Ok(()),
        }
    }

    /// Makes `parent` hold an object at a holding location of its model; returns false, and changes nothing, when it has no
    /// such location or no parts. Retail: `CPhysicsObj::set_parent`. Spec: entities §5.
    pub fn hold(
        &mut self,
        world: &World,
        key: EntityKey,
        parent: EntityKey,
        location: u32,
    ) -> Result<bool, SceneError> {
        let holder = self.entities.get(parent).ok_or(SceneError::NoSuchEntity)?;
        let holding = holder.model.holding(location).filter(|_| !holder.model.parts.is_empty());
        let Some(&Holding { part, frame, .. }) = holding.filter(|_| key != parent) else { return Ok(false) };
        self.set_parent(world, key, Some(parent), Attachment { part, frame })?;
        Ok(true)
    }

    fn attach(
        &mut self,
        world: &World,
        key: EntityKey,
        parent: EntityKey,
        attachment: Attachment,
    ) -> Result<(), SceneError> {
        self.leave_world(key)?;
        let carrier = self.entities.get_mut(parent).ok_or(SceneError::NoSuchEntity)?;
        carrier.extras_mut().children.push(key);
        let is_hidden = carrier.state.contains(State::HIDDEN);
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        entity.parent = Some(parent);
        entity.extras_mut().attachment = attachment;
        self.carry(parent, key);
        self.carry_children(key);
        self.reflood(world, key);
        if is_hidden {
            self.draw(key, Drawn::No);
        }
        Ok(())
    }

    /// Lets an object off its parent. It stays in the cell and the lists that it is in until it is put somewhere.
    /// Retail: `CPhysicsObj::unset_parent`. Spec: entities §5.4.
    fn unset_parent(&mut self, world: &World, key: EntityKey) {
        let now = self.now;
        let Some(entity) = self.entities.get_mut(key) else { return };
        let Some(parent) = entity.parent.take() else { return };
        entity.last_update = now;
        if let Some(carrier) = self.entities.get_mut(parent) {
            carrier.extras_mut().children.retain(|&child| child != key);
            if carrier.state.contains(State::HIDDEN) {
                self.draw(key, Drawn::Yes);
            }
        }
        self.forget_contact(key);
        if self.entities.get(key).is_some_and(|entity| entity.cell.is_none()) {
            self.reflood(world, key);
        }
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
        let children = self.entities.get(key).map_or(&[][..], |e| e.children());
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
            let Some(&child) = self.entities.get(key).and_then(|e| e.children().get(i)) else { return };
            self.carry(key, child);
            self.carry_children(child);
        }
    }

    fn carry(&mut self, parent: EntityKey, child: EntityKey) {
        let Some(attachment) = self.entities.get(child).map(|e| *e.attachment()) else { return };
        let Some(carrier) = self.entities.get(parent) else { return };
        let (position, cell) = (carrier.holds_at(&attachment), carrier.cell);
        if let Some(child) = self.entities.carried_mut(child) {
            child.position = position;
            child.place_parts();
        }
        if self.entities.get(child).is_some_and(|child| child.cell != cell) {
            self.set_cell(child, cell);
        }
    }
}
