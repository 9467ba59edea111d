//! Bodies that walk.

use crate::{PLAYER_SETUP, PLAYER_STATE, SimError, Simulation, clock::TICK};
use serde::{Deserialize, Serialize};
use threshold_dat::DatId;
use threshold_physics::{
    EntityKey, EntityRole, Motion, Placement, Spawn,
    movement::{Controller, Controls, Skills},
    scene::Probe,
};
use threshold_world::Position;

/// Seconds that a body which was put down may fall before it stands.
const SETTLING: f64 = 2.0;

/// The body of a [`Walker`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum WalkerBody {
    /// A player.
    #[default]
    Player,
    /// A creature.
    Creature {
        /// Setup.
        setup: DatId,
        /// Size.
        scale: f32,
    },
    /// A body like that of an object in the world, which does not hit the object itself.
    Entity(EntityKey),
}

/// The gait of a [`Walker`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Gait {
    /// As fast as its skill allows.
    #[default]
    Run,
    /// At a walking pace.
    Walk,
}

/// A body that walks: by default a running player of average skill.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Walker {
    /// Its body.
    pub body: WalkerBody,
    /// Its skills.
    pub skills: Skills,
    /// Its gait.
    pub gait: Gait,
}

impl Walker {
    /// What held keys make of its legs.
    pub(crate) fn motion(&self, controls: &Controls) -> Motion {
        let mut controller = Controller::new(self.skills);
        controller.runs = self.gait == Gait::Run;
        controller.motion(controls)
    }
}

impl Simulation {
    fn probe(&self, walker: &Walker, at: &Position) -> Result<Probe, SimError> {
        let (setup, scale, role) = match walker.body {
            WalkerBody::Player => {
                (PLAYER_SETUP, 1.0, EntityRole { is_player: true, ..EntityRole::default() })
            }
            WalkerBody::Creature { setup, scale } => {
                (setup, scale, EntityRole { creature: true, ..EntityRole::default() })
            }
            WalkerBody::Entity(key) => {
                let probe = Probe::of(&self.scene, key)?;
                return if probe.entity().role.is_creature() { Ok(probe) } else { Err(SimError::NoLegs) };
            }
        };
        let model = self.library.model(setup)?.ok_or(SimError::NoModel(setup))?;
        let spawn = Spawn { guid: None, model, position: *at, state: PLAYER_STATE, scale, role };
        Ok(Probe::new(&self.world, spawn)?)
    }

    /// A walker put down at a place, with the original's search for room, and let fall until it stands. `None` when there
    /// is no room or no ground.
    pub(super) fn put_down(&self, walker: &Walker, at: &Position) -> Result<Option<Probe>, SimError> {
        let mut probe = self.probe(walker, at)?;
        if probe.place(&self.world, &self.scene, at)? != Placement::Placed {
            return Ok(None);
        }
        probe.set_motion(Motion::default())?;
        let mut ticks = 0;
        while !probe.entity().stands() {
            ticks += 1;
            if f64::from(ticks) * TICK > SETTLING || probe.entity().cell.is_none() {
                return Ok(None);
            }
            probe.step(&self.world, &self.scene, TICK as f32)?;
        }
        Ok(Some(probe))
    }
}
