//! Spectators: cameras without a body, which the host moves and which touch nothing.

use crate::{Player, SimError, Simulation, Skills};
use threshold_physics::{EntityKey, EntityRole, PLAYER_SETUP, SceneError, Spawn, State};
use threshold_world::Position;

/// It is not drawn, not tested, and nothing moves it.
const UNSEEN: State =
    State::ETHEREAL.union(State::IGNORE_COLLISIONS).union(State::NO_DRAW).union(State::HIDDEN);

impl Simulation {
    /// Spawns a spectator: a player's camera without a body, which the host moves. Its surroundings are loaded and updated as
    /// around any player.
    pub fn spawn_spectator(&mut self, at: Position) -> Result<EntityKey, SimError> {
        let observer = self.observe(at)?;
        let model = self.model(PLAYER_SETUP)?;
        let role = EntityRole::default();
        let spawn = Spawn { guid: None, model, position: at, state: UNSEEN, scale: 1.0, role };
        let settled = self.settle(observer);
        let spawned = settled.and_then(|()| Ok(self.scene.spawn(&self.world, spawn)?));
        let key = match spawned {
            Ok(key) => key,
            Err(error) => {
                self.stop_observing(observer)?;
                return Err(error);
            }
        };
        self.scene.drain_events();
        self.players.insert(key, Player::new(at, Skills::default(), observer));
        self.update_viewers();
        self.update_eye(key, 0.0);
        Ok(key)
    }

    /// Puts a spectator exactly somewhere.
    pub fn move_spectator(&mut self, key: EntityKey, to: Position) -> Result<(), SimError> {
        self.player(key)?;
        if !self.entity(key)?.state.contains(UNSEEN) {
            return Err(SceneError::NoSuchEntity.into());
        }
        self.scene.update_position(&self.world, key, to)?;
        // Where it is tells nobody anything.
        self.take_scene_events();
        Ok(())
    }
}
