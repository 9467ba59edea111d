//! Objects in the hands of others. Spec: entities §2.6, §5.

use super::Applied;
use crate::{SimError, Simulation};
use threshold_physics::{
    EntityKey, SceneError,
    update::{Hold, ParentUpdate, PickupUpdate, Stamps, Update, is_newer},
};

impl Simulation {
    /// Retail: `SmartBox::HandleParentEvent`.
    pub(super) fn receive_parent(
        &mut self,
        event: &ParentUpdate,
        update: &Update,
    ) -> Result<Applied, SimError> {
        let life = self.described(event.parent).map(|parent| parent.stamps.instance);
        match life {
            None => return Ok(self.wait_for(event.parent, update)),
            Some(life) if is_newer(life, event.parent_instance) => {
                return Ok(self.wait_for_life(event.parent, update));
            }
            Some(life) if life != event.parent_instance => return Ok(Applied::Stale),
            Some(_) => {}
        }
        let Some(key) = self.find_described(event.child) else {
            return Ok(self.wait_for(event.child, update));
        };
        if !self.renew_position(event.child, event.position_stamp) {
            return Ok(Applied::Stale);
        }
        self.take_into_hand(key, Hold { guid: event.parent, location: event.location })?;
        Ok(Applied::Done)
    }

    /// Lets an object be held; a holder without such a place refuses, and nothing changes.
    pub(super) fn take_into_hand(&mut self, key: EntityKey, hold: Hold) -> Result<(), SimError> {
        let Some(parent) = self.scene.key_of(hold.guid) else { return Ok(()) };
        match self.scene.hold(&self.world, key, parent, hold.location) {
            // The original would go round in circles.
            Ok(_) | Err(SceneError::ParentCycle | SceneError::ParentDepth) => {}
            Err(error) => return Err(error.into()),
        }
        self.spare(key);
        Ok(())
    }

    /// Retail: `SmartBox::HandlePickupEvent`.
    pub(super) fn receive_pickup(
        &mut self,
        key: EntityKey,
        event: &PickupUpdate,
    ) -> Result<Applied, SimError> {
        if !self.renew_position(event.guid, event.position_stamp) {
            return Ok(Applied::Stale);
        }
        self.scene.set_parent(&self.world, key, None, Default::default())?;
        self.scene.leave_world(key)?;
        self.spare(key);
        Ok(Applied::Done)
    }

    fn renew_position(&mut self, guid: u32, stamp: u16) -> bool {
        let stamps = self.told_mut().stamps(guid);
        stamps.is_some_and(|stamps| Stamps::renew(&mut stamps.position, stamp))
    }
}
