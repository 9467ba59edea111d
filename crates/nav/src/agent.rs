//! Agents: the bodies that navigation is for.

use crate::Surroundings;
use std::sync::Arc;
use threshold_physics::{
    EntityRole, Motion, PLAYER_STATE, Placement, SceneError, Spawn, State,
    movement::{RUN_SPEED, Skills, WALK_SPEED},
    scene::{Foothold, Probe},
};
use threshold_world::{Position, coords::CELL_SIDE, model::Model};

/// Seconds of a tick.
pub(crate) const TICK: f32 = 1.0 / 30.0;
/// Steps that a body which was put down may fall before it stands: two seconds.
const SETTLING: u32 = 60;

/// A walking body, as its setup and the game describe it.
#[derive(Clone, Debug)]
pub struct Agent {
    /// Shapes, step heights.
    pub model: Arc<Model>,
    /// Size.
    pub scale: f32,
    /// Its role in the game.
    pub role: EntityRole,
    /// Its speed in metres per second. The obstacles that a body can step over depend on its stride.
    pub pace: f32,
}

impl Agent {
    /// A running player of average skill.
    pub fn player(model: Arc<Model>) -> Agent {
        let role = EntityRole { is_player: true, ..EntityRole::default() };
        Agent { model, scale: 1.0, role, pace: RUN_SPEED * Skills::default().run_rate() }
    }

    /// Another living object that walks.
    pub fn creature(model: Arc<Model>, scale: f32) -> Agent {
        let role = EntityRole { creature: true, ..EntityRole::default() };
        Agent { model, scale, role, pace: WALK_SPEED * scale }
    }

    /// Metres that it goes in a tick.
    pub(crate) fn stride(&self) -> f32 {
        (self.pace * TICK).clamp(0.02, 1.0)
    }

    /// The radius that it needs on both sides.
    pub fn radius(&self) -> f32 {
        let spheres = self.model.spheres.iter().take(2);
        spheres.map(|s| s.center.truncate().length() + s.radius).fold(0.1, f32::max) * self.scale
    }

    /// Height of its lowest point in its own space.
    pub(crate) fn sole(&self) -> f32 {
        self.model.spheres.first().map_or(0.0, |s| (s.center.z - s.radius) * self.scale)
    }

    /// How deep it follows the ground down in one step.
    pub(crate) fn step_down(&self) -> f32 {
        self.model.step_down * self.scale
    }

    /// Distance between two points of the lattice: no post that stops the body fits between four of them.
    pub(crate) fn pitch(&self) -> f32 {
        if self.radius() >= 0.3 { CELL_SIDE / 48.0 } else { CELL_SIDE / 96.0 }
    }

    /// The body, to be walked about. It passes what is not part of the world, such as doors and people, and says what it
    /// passed ([`threshold_physics::Sweeper::touched`]).
    pub(crate) fn probe(&self, around: &Surroundings<'_>, at: Position) -> Result<Probe, SceneError> {
        let state = PLAYER_STATE | State::ETHEREAL;
        let model = self.model.clone();
        let spawn = Spawn { guid: None, model, position: at, state, scale: self.scale, role: self.role };
        Probe::new(around.world, spawn)
    }
}

/// Puts a body down at a place, with the original's search for room, and lets it fall until it stands. `None` when there is
/// no room, or no ground to stand on.
pub(crate) fn put_down(
    around: &Surroundings<'_>,
    probe: &mut Probe,
    at: &Position,
) -> Result<Option<Foothold>, SceneError> {
    if probe.place(around.world, around.scene, at)? != Placement::Placed {
        return Ok(None);
    }
    land(around, probe)
}

/// Lets a body fall until it stands.
pub(crate) fn land(around: &Surroundings<'_>, probe: &mut Probe) -> Result<Option<Foothold>, SceneError> {
    probe.set_motion(Motion::default())?;
    for _ in 0..SETTLING {
        if probe.entity().stands() || probe.entity().cell.is_none() {
            break;
        }
        probe.step(around.world, around.scene, TICK)?;
    }
    Ok(probe.foothold())
}
