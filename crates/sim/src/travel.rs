//! Teleports: the destination is loaded first, then the player is placed.

use crate::{Event, SimError, Simulation};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use threshold_physics::{EntityKey, Placement};
use threshold_world::{
    Position, World,
    loc::{MapCoords, Place},
};

/// A teleport under way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Journey {
    /// Where the player is going; its height counts only if it is not to be put on the ground.
    pub(crate) to: Position,
    on_ground: bool,
}

impl Journey {
    pub(crate) fn to(to: Position) -> Journey {
        Journey { to, on_ground: false }
    }

    /// Where it leads, in what is loaded.
    fn destination(&self, world: &World) -> Position {
        let ground = MapCoords::of(self.to.cell).filter(|_| self.on_ground);
        ground.map_or(self.to, |coords| Place::from(coords).resolve(world))
    }
}

impl From<Place> for Journey {
    fn from(place: Place) -> Journey {
        Journey { to: place.flat(), on_ground: matches!(place, Place::Map { height: None, .. }) }
    }
}

impl Simulation {
    /// Teleports a player to a place; it is placed there as soon as the place is loaded, with the original's search for a
    /// free spot. [`Event::Arrived`] or [`Event::NoRoom`] reports the result.
    pub fn teleport(&mut self, key: EntityKey, to: Position) -> Result<(), SimError> {
        self.teleport_to(key, Place::Exact(to))
    }

    /// Like [`Simulation::teleport`]; map coordinates mean the ground, which is found once it is loaded.
    pub fn teleport_to(&mut self, key: EntityKey, place: Place) -> Result<(), SimError> {
        self.player(key)?;
        self.check_block(place.flat().cell.block())?;
        self.events.push(Event::Departed { entity: key, portal: None });
        self.depart(key, place.into())?;
        self.load()
    }

    /// The position that a text denotes: the name of a place (case-insensitive), the output of the game's `/loc`, or map
    /// coordinates.
    pub fn find_place(&self, text: &str) -> Option<Position> {
        let named = self.places.iter().find(|place| place.name.eq_ignore_ascii_case(text));
        named.map(|place| place.position).or_else(|| Some(self.resolve(&text.parse().ok()?)))
    }

    /// The position that a place denotes; map coordinates are on the ground, if that is loaded.
    pub fn resolve(&self, place: &Place) -> Position {
        place.resolve(&self.world)
    }

    pub(crate) fn depart(&mut self, key: EntityKey, journey: Journey) -> Result<(), SimError> {
        self.player_mut(key)?.journey = Some(journey);
        Ok(())
    }

    /// Puts players down whose destinations are loaded by now.
    pub(crate) fn finish_journeys(&mut self) -> Result<(), SimError> {
        let travelling = self.players.iter().filter(|(_, player)| player.journey.is_some());
        let keys: Vec<EntityKey> = travelling.map(|(&key, _)| key).collect();
        keys.into_iter().try_for_each(|key| self.arrive_if_loaded(key))
    }

    fn arrive_if_loaded(&mut self, key: EntityKey) -> Result<(), SimError> {
        let player = self.player(key)?;
        let Some(journey) = player.journey else { return Ok(()) };
        let (observer, to) = (player.observer, journey.destination(&self.world));
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
        self.scene.prepare_teleport(key)?;
        let entity = self.entity(key)?;
        let (was_away, is_told) =
            (entity.cell.is_none(), entity.guid.is_some_and(|guid| self.told_own(guid)));
        let placement = self.place(key, &to)?;
        if placement == Placement::Placed && was_away {
            self.scene.enter_world(key)?;
        }
        if is_told {
            self.scene.constrain_to(key, Some(&to))?;
        }
        self.take_scene_events();
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
