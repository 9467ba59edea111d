//! Controlled players: held keys become movement, a camera follows, and the world is kept loaded around them.

use crate::{
    Event, Eye, ObserverId, SimError, Simulation, clock::TICK, commanded::Steering, eye::Surroundings,
    travel::Journey,
};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use threshold_physics::{
    EntityKey, Motion, PLAYER_SETUP, SceneError, Spawn, Transient,
    movement::{Controller, Controls, Skills},
};
use threshold_view::camera::Player as CameraPlayer;
use threshold_world::{Frame, Position, Quat, loc::Place};

/// Game id of the first player; others continue from it.
pub const PLAYER_GUID: u32 = 0x5000_0001;
/// Ticks over which the camera averages a player's velocity.
const AVERAGED: usize = 5;

/// A player under control.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Player {
    /// Keys that are held.
    pub controls: Controls,
    /// Turns them into movement.
    pub controller: Controller,
    /// The camera.
    pub eye: Eye,
    pub(crate) observer: ObserverId,
    pub(crate) journey: Option<Journey>,
    pub(crate) steering: Steering,
    /// Degrees to turn right in the next tick, in addition to what the keys do.
    pub pending_turn: f32,
    /// Where the player was before the last tick.
    pub(crate) previous: Position,
    /// The last place where it stood on solid ground.
    pub(crate) safe: Position,
    velocities: [Vec3; AVERAGED],
}

impl Player {
    pub(crate) fn new(at: Position, skills: Skills, observer: ObserverId) -> Player {
        Player {
            controls: Controls::default(),
            controller: Controller::new(skills),
            eye: Eye::default(),
            observer,
            journey: None,
            steering: Steering::default(),
            pending_turn: 0.0,
            previous: at,
            safe: at,
            velocities: [Vec3::ZERO; AVERAGED],
        }
    }

    /// Whether the player is between two places.
    pub fn is_travelling(&self) -> bool {
        self.journey.is_some()
    }

    /// What keeps the world loaded around the player.
    pub fn observer(&self) -> ObserverId {
        self.observer
    }

    /// The player was put somewhere: nothing of its way there counts.
    pub(crate) fn start_again(&mut self, at: Position) {
        self.previous = at;
        self.safe = at;
        self.velocities = [Vec3::ZERO; AVERAGED];
        self.pending_turn = 0.0;
        self.eye.reset();
    }
}

impl Simulation {
    /// Spawns a player of average skill, after loading the surroundings of the place; the original's search finds a free
    /// spot for it.
    pub fn spawn_player(&mut self, at: Position) -> Result<EntityKey, SimError> {
        self.spawn_player_with(at, Skills::default())
    }

    /// Spawns a player with given skills.
    pub fn spawn_player_with(&mut self, at: Position, skills: Skills) -> Result<EntityKey, SimError> {
        self.spawn_player_at(Place::Exact(at), skills)
    }

    /// Like [`Simulation::spawn_player_with`]; map coordinates mean the ground, which is found once it is loaded.
    pub fn spawn_player_at(&mut self, place: Place, skills: Skills) -> Result<EntityKey, SimError> {
        let observer = self.observe(place.flat())?;
        let arrived = self.settle(observer).and_then(|()| self.enter(place.resolve(&self.world), skills));
        let key = match arrived {
            Ok(key) => key,
            Err(error) => {
                self.stop_observing(observer)?;
                return Err(error);
            }
        };
        let at = self.position(key)?;
        self.players.insert(key, Player::new(at, skills, observer));
        self.update_viewers();
        self.update_eye(key, 0.0);
        Ok(key)
    }

    /// Spawns and places a player's body.
    fn enter(&mut self, at: Position, skills: Skills) -> Result<EntityKey, SimError> {
        if self.world.cell(at.cell).is_none() {
            return Err(SimError::NoCell(at.cell));
        }
        let mut guid = PLAYER_GUID;
        while self.scene.key_of(guid).is_some() {
            guid += 1;
        }
        let body = Spawn::player(guid, self.model(PLAYER_SETUP)?, at);
        let key = self.scene.spawn(&self.world, body)?;
        if let Err(error) = self.bring_to_life(key, &at, skills) {
            self.scene.despawn(&self.world, key)?;
            return Err(error);
        }
        self.scene.drain_events();
        Ok(key)
    }

    /// Gives a body its motion table, then lets it enter the world. Spec: entities §1.4.6, §1.5.
    fn bring_to_life(&mut self, key: EntityKey, at: &Position, skills: Skills) -> Result<(), SimError> {
        self.scene.set_skills(key, Some(skills))?;
        self.play_own_motion(key)?;
        self.place(key, at)?;
        Ok(self.scene.enter_world(key)?)
    }

    /// All controlled players, in order of key.
    pub fn players(&self) -> impl Iterator<Item = (EntityKey, &Player)> {
        self.players.iter().map(|(&key, player)| (key, player))
    }

    /// A player under control.
    pub fn player(&self, key: EntityKey) -> Result<&Player, SimError> {
        self.players.get(&key).ok_or(SimError::NotAPlayer)
    }

    /// A controlled player: its keys, gait, skills and camera can be changed at any time.
    pub fn player_mut(&mut self, key: EntityKey) -> Result<&mut Player, SimError> {
        self.players.get_mut(&key).ok_or(SimError::NotAPlayer)
    }

    pub(crate) fn remove_player(&mut self, key: EntityKey) {
        if let Some(player) = self.players.remove(&key) {
            // The observer is the player's own and still there.
            let _ = self.stop_observing(player.observer);
            self.update_viewers();
        }
    }

    /// Sets the keys that a player holds until the next call.
    pub fn control(&mut self, key: EntityKey, controls: Controls) -> Result<(), SimError> {
        self.player_mut(key)?.controls = controls;
        Ok(())
    }

    /// Turns the player (in flight the camera) right, and the camera up, by degrees.
    pub fn look(&mut self, key: EntityKey, right: f32, up: f32) -> Result<(), SimError> {
        if !(right.is_finite() && up.is_finite()) {
            return Err(SceneError::NotFinite("a turn").into());
        }
        let player = self.player_mut(key)?;
        if !player.eye.is_flying() {
            player.pending_turn += right;
        }
        player.eye.look(right, up);
        Ok(())
    }

    /// Hands what the players' keys ask for to their bodies. Who is on the way elsewhere stands still.
    pub(crate) fn drive_players(&mut self) -> Result<(), SimError> {
        for (&key, player) in &mut self.players {
            let Some(entity) = self.scene.get(key) else { continue };
            player.previous = entity.position;
            if player.journey.is_some() {
                player.controller.rest(&mut self.scene, key)?;
                continue;
            }
            // One that follows commands is the original's to the letter.
            if player.steering == Steering::Keys && self.ends_stale_slides {
                self.scene.end_stale_slide(key);
            }
            // One that goes somewhere by itself needs no keys.
            if self.trips.contains_key(&key) || player.steering != Steering::Keys {
                continue;
            }
            player.controller.drive(&mut self.scene, key, &player.controls, TICK)?;
            let turn = std::mem::take(&mut player.pending_turn);
            if turn != 0.0 {
                let motion = self.scene.get(key).map(|entity| entity.motion).unwrap_or_default();
                let rate = turn.to_radians() / TICK as f32;
                self.scene.set_motion(key, Motion { turn: motion.turn + rate, ..motion })?;
                // This turn has been drawn already: only what the keys turn is drawn bit by bit.
                let turned = player.previous.frame.rotation() * Quat::from_heading(turn);
                player.previous.frame.set_rotation(turned);
            }
        }
        Ok(())
    }

    /// After a tick: where the players stand, and who fell out of the world.
    pub(crate) fn follow_players(&mut self) -> Result<(), SimError> {
        let mut lost = Vec::new();
        for (&key, player) in &mut self.players {
            let Some(entity) = self.scene.get(key) else { continue };
            player.velocities.rotate_right(1);
            player.velocities[0] = player.previous.offset_to(&entity.position) / TICK as f32;
            if entity.has(Transient::ON_WALKABLE) {
                player.safe = entity.position;
            } else if entity.cell.is_none() && player.journey.is_none() {
                lost.push((key, player.safe));
            }
        }
        for (key, safe) in lost {
            // Where its cell was unloaded under it, it waits for the cell.
            if self.world.cell(self.position(key)?.cell).is_some() {
                self.events.push(Event::Rescued(key));
                self.depart(key, Journey::to(safe))?;
            }
        }
        self.update_viewers();
        Ok(())
    }

    /// The fraction between the last two ticks at which objects are drawn: 1, except with
    /// [`Builder::draw_between_ticks`](crate::Builder::draw_between_ticks).
    pub fn drawn_part_of_tick(&self) -> f32 {
        if self.draws_between_ticks { self.clock.fraction() } else { 1.0 }
    }

    /// Where a player is drawn: with [`Builder::draw_between_ticks`](crate::Builder::draw_between_ticks) between the
    /// last two ticks, in the cell that its last sweep ended in.
    pub fn drawn_position(&self, key: EntityKey) -> Result<Position, SimError> {
        let player = self.player(key)?;
        let current = self.position(key)?;
        let mut drawn = current;
        let part = self.drawn_part_of_tick();
        if part < 1.0 {
            let way = player.previous.offset_to(&current);
            let rotation = player.previous.frame.rotation().interpolate(current.frame.rotation(), part);
            drawn.frame = Frame::new(current.frame.origin - way * (1.0 - part), rotation);
        }
        if player.pending_turn != 0.0 {
            let turned = drawn.frame.rotation() * Quat::from_heading(player.pending_turn);
            drawn.frame.set_rotation(turned);
        }
        Ok(drawn)
    }

    /// Draws players at their positions of the last tick, without interpolation, until the next tick. For paused time.
    pub fn draw_last_tick(&mut self) {
        for (&key, player) in &mut self.players {
            if let Some(entity) = self.scene.get(key) {
                player.previous = entity.position;
            }
        }
    }

    /// A player as its camera sees it.
    pub fn camera_player(&self, key: EntityKey) -> Result<CameraPlayer, SimError> {
        let entity = self.entity(key)?;
        let player = self.player(key)?;
        Ok(CameraPlayer {
            position: self.drawn_position(key)?,
            ground: entity.has(Transient::ON_WALKABLE).then_some(entity.contact_plane.normal),
            velocity: player.velocities.iter().sum::<Vec3>() / AVERAGED as f32,
        })
    }

    /// Moves a player's eye for a stretch of time.
    pub(crate) fn update_eye(&mut self, key: EntityKey, seconds: f32) {
        let Ok(seen) = self.camera_player(key) else { return };
        let Some(player) = self.players.get_mut(&key) else { return };
        let mut around = Surroundings {
            world: &self.world,
            scene: &self.scene,
            player: Some(key),
            sweeper: &mut self.sweeper,
        };
        player.eye.update(&mut around, &seen, seconds);
    }
}
