//! Going somewhere at once: the world there is loaded first, then the player is put down.

use crate::{Event, SimError, Simulation};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use threshold_physics::{EntityKey, Placement};
use threshold_world::{Position, loc::Place};

/// A teleport under way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Journey {
    pub(crate) to: Position,
}

impl Simulation {
    /// Sends a player to a place; it is put down there as soon as the place is loaded, with the original's search for a
    /// free spot. [`Event::Arrived`] or [`Event::NoRoom`] says how it ended.
    pub fn teleport(&mut self, key: EntityKey, to: Position) -> Result<(), SimError> {
        self.player(key)?;
        self.check_block(to.cell.block())?;
        self.events.push(Event::Departed { entity: key, portal: None });
        self.depart(key, to, None)
    }

    /// The position that a place means, in what is loaded: map coordinates are on the ground.
    pub fn resolve(&self, place: &Place) -> Position {
        place.resolve(&self.world)
    }

    pub(crate) fn depart(
        &mut self,
        key: EntityKey,
        to: Position,
        portal: Option<EntityKey>,
    ) -> Result<(), SimError> {
        if let Some(portal) = portal {
            self.events.push(Event::Departed { entity: key, portal: Some(portal) });
        }
        self.player_mut(key)?.journey = Some(Journey { to });
        self.load()
    }

    /// Puts players down whose destinations are loaded by now.
    pub(crate) fn finish_journeys(&mut self) -> Result<(), SimError> {
        let travelling = self.players.iter().filter(|(_, player)| player.journey.is_some());
        let keys: Vec<EntityKey> = travelling.map(|(&key, _)| key).collect();
        keys.into_iter().try_for_each(|key| self.arrive_if_loaded(key))
    }

    fn arrive_if_loaded(&mut self, key: EntityKey) -> Result<(), SimError> {
        let player = self.player(key)?;
        let Some(Journey { to }) = player.journey else { return Ok(()) };
        let observer = player.observer;
        if self.world.cell(to.cell).is_some() {
            self.player_mut(key)?.journey = None;
            return self.arrive(key, to);
        }
        if self.will_not_come(observer, &to) {
            self.player_mut(key)?.journey = None;
            self.events.push(Event::NoRoom { entity: key, at: to });
        }
        Ok(())
    }

    fn arrive(&mut self, key: EntityKey, to: Position) -> Result<(), SimError> {
        self.scene.teleport_hook(key)?;
        let placement = self.place(key, &to)?;
        self.scene.set_velocity(key, Vec3::ZERO)?;
        let at = self.position(key)?;
        self.player_mut(key)?.start_again(at);
        self.events.push(match placement {
            Placement::Placed => Event::Arrived { entity: key, at },
            _ => Event::NoRoom { entity: key, at: to },
        });
        Ok(())
    }
}
