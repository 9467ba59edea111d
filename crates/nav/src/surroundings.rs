//! The surroundings of a body: cells and the objects in them.

use threshold_physics::{EntityKey, Scene, State, scene::Probe};
use threshold_world::{Position, World};

/// How a body can pass through an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gateway {
    /// It is open, or can be opened.
    Door,
    /// It teleports players to a place.
    Portal(Position),
}

/// The surroundings of a body: cells, the objects in them, and which of those are doors or portals.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// Cells.
    pub world: &'a World,
    /// Objects. Living ones are ignored: they will have moved.
    pub scene: &'a Scene,
    /// Whether an object is a door or a portal.
    pub gateway: &'a (dyn Fn(EntityKey) -> Option<Gateway> + Sync),
}

/// What a body passed on its way that is not part of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passed {
    /// Nothing permanent.
    Nothing,
    /// A door, by its game id.
    Door(u32),
    /// A portal, by its game id: the body is no longer here.
    Portal(u32),
    /// An obstacle.
    Obstacle,
}

impl<'a> Surroundings<'a> {
    /// A world without doors and portals.
    pub fn new(world: &'a World, scene: &'a Scene) -> Surroundings<'a> {
        Surroundings { world, scene, gateway: &|_| None }
    }

    /// What the last sweep of a body passed; an obstacle counts before a portal, and that before a door.
    pub(crate) fn passed(&self, probe: &Probe) -> Passed {
        let mut passed = Passed::Nothing;
        for &key in probe.last_sweep().touched() {
            let Some(entity) = self.scene.get(key) else { continue };
            match (entity.guid, (self.gateway)(key)) {
                (Some(id), Some(Gateway::Door)) => {
                    if passed == Passed::Nothing {
                        passed = Passed::Door(id);
                    }
                }
                (Some(id), Some(Gateway::Portal(_))) if probe.entity().role.is_player => {
                    passed = Passed::Portal(id);
                }
                _ => {
                    let is_passed = entity.role.is_creature()
                        || entity.state.intersects(State::ETHEREAL | State::MISSILE);
                    if !is_passed {
                        return Passed::Obstacle;
                    }
                }
            }
        }
        passed
    }

    /// Where an object leads, if it is a portal.
    pub(crate) fn portal(&self, id: u32) -> Option<Position> {
        match (self.gateway)(self.scene.key_of(id)?)? {
            Gateway::Portal(to) => Some(to),
            Gateway::Door => None,
        }
    }
}
