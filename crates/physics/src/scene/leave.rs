//! Objects that leave the world and live on: picked up, or taken into a hand. Spec: entities §4.5, §5.4.

use super::{EntityKey, Scene, SceneError};
use crate::flags::Transient;
use threshold_world::CellId;

impl Scene {
    /// Removes an object and everything it carries from the world: it is in no cell, waits for none, and touches nothing.
    /// Placing it brings it back. Retail: `CPhysicsObj::leave_world`. Spec: entities §4.5.
    pub fn leave_world(&mut self, key: EntityKey) -> Result<(), SceneError> {
        if !self.entities.contains_key(key) {
            return Err(SceneError::NoSuchEntity);
        }
        self.end_collisions(key);
        self.remove_shadows(key);
        self.change_cell(key, None);
        if let Some(entity) = self.entities.get_mut(key) {
            entity.position.cell = CellId::NONE;
        }
        self.carry_children(key);
        self.forget_contact(key);
        Ok(())
    }

    /// Clears all transient state of an object; one that stood has left the ground.
    pub(super) fn forget_contact(&mut self, key: EntityKey) {
        self.set_on_walkable(key, false, 0.0);
        if let Some(entity) = self.entities.get_mut(key) {
            entity.transient = Transient::empty();
            entity.update_acceleration();
        }
    }
}
