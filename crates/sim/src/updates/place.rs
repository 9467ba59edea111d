//! Where objects are, how they are, and how they fly. Spec: entities §2.1–2.4.

use super::Applied;
use crate::{SimError, Simulation, travel::Journey};
use glam::Vec3;
use threshold_physics::{
    EntityKey, SceneError, State,
    update::{Age, PositionUpdate, Stamps, StateUpdate, VectorUpdate, is_newer},
};

impl Simulation {
    /// Retail: `SmartBox::HandleReceivedPosition`. Spec: entities §2.3.
    pub(super) fn receive_position(
        &mut self,
        key: EntityKey,
        update: &PositionUpdate,
    ) -> Result<Applied, SimError> {
        if self.is_nowhere(&update.position) {
            return Err(SimError::NoCell(update.position.cell));
        }
        let is_own = self.told.own == Some(update.guid);
        let Some(stamps) = self.told_mut().stamps(update.guid) else { return Ok(Applied::Stale) };
        if is_own
            && !is_newer(update.teleport, stamps.teleport)
            && Stamps::renew(&mut stamps.force_position, update.force_position)
        {
            stamps.position = update.position_stamp;
            return self.force_position(key, update);
        }
        if is_newer(update.teleport, stamps.teleport) || !is_newer(stamps.position, update.position_stamp) {
            return Ok(Applied::Stale);
        }
        stamps.position = update.position_stamp;
        let teleports = Stamps::accept(&mut stamps.teleport, update.teleport) == Age::Newer;
        self.scene.set_parent(&self.world, key, None, Default::default())?;
        if is_own {
            if teleports {
                self.depart(key, Journey::to(update.position))?;
            } else {
                self.scene.constrain_to(key, Some(&update.position))?;
            }
            return Ok(Applied::Done);
        }
        self.move_or_teleport(key, update, teleports)?;
        Ok(Applied::Done)
    }

    /// Retail: `CPhysicsObj::MoveOrTeleport`.
    fn move_or_teleport(
        &mut self,
        key: EntityKey,
        update: &PositionUpdate,
        teleports: bool,
    ) -> Result<(), SimError> {
        let entity = self.entity(key)?;
        let is_moving_to = entity.move_to().is_some_and(|move_to| move_to.kind().is_some());
        if teleports || entity.cell.is_none() {
            self.scene.prepare_teleport(key)?;
            self.place(key, &update.position)?;
        } else if !update.contact {
            return Ok(());
        } else if entity.is_near_viewer() {
            self.scene.interpolate_to(key, &update.position, is_moving_to)?;
        } else {
            self.scene.stop_interpolating(key)?;
            self.place(key, &update.position)?;
        }
        Ok(self.scene.constrain_to(key, None)?)
    }

    /// The server puts the own player somewhere; it keeps its heading.
    fn force_position(&mut self, key: EntityKey, update: &PositionUpdate) -> Result<Applied, SimError> {
        let mut position = update.position;
        position.frame.set_rotation(self.position(key)?.frame.rotation());
        self.scene.set_parent(&self.world, key, None, Default::default())?;
        self.place(key, &position)?;
        Ok(Applied::Done)
    }

    /// The own player is about to be teleported. Spec: entities §2.6.5.
    pub(super) fn announce_teleport(&mut self, stamp: u16) -> Result<Applied, SimError> {
        let own = self.told.own.and_then(|own| self.described(own));
        let is_old = own.is_none_or(|own| is_newer(stamp, own.stamps.teleport));
        Ok(if is_old { Applied::Stale } else { Applied::Done })
    }

    /// Retail: `CPhysicsObj::set_state`.
    pub(super) fn receive_state(
        &mut self,
        key: EntityKey,
        update: &StateUpdate,
    ) -> Result<Applied, SimError> {
        let Some(stamps) = self.told_mut().stamps(update.guid) else { return Ok(Applied::Stale) };
        if !Stamps::renew(&mut stamps.state, update.state_stamp) {
            return Ok(Applied::Stale);
        }
        self.scene.set_state(key, State::from_bits_truncate(update.state))?;
        Ok(Applied::Done)
    }

    /// The own player flies by itself. Spec: entities §2.4.
    pub(super) fn receive_vector(
        &mut self,
        key: EntityKey,
        update: &VectorUpdate,
    ) -> Result<Applied, SimError> {
        for (field, vector) in [("velocity", update.velocity), ("omega", update.omega)] {
            if !Vec3::is_finite(vector) {
                return Err(SceneError::NotFinite(field).into());
            }
        }
        let is_own = self.told.own == Some(update.guid);
        let Some(stamps) = self.told_mut().stamps(update.guid) else { return Ok(Applied::Stale) };
        if !Stamps::renew(&mut stamps.vector, update.vector) {
            return Ok(Applied::Stale);
        }
        if !is_own {
            self.scene.set_velocity(key, update.velocity)?;
            self.scene.set_omega(key, update.omega)?;
        }
        Ok(Applied::Done)
    }
}
