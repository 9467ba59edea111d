//! What a body goes through: cells, and what stands in them.

use threshold_physics::{EntityKey, Scene, State, scene::Probe};
use threshold_world::World;

/// What a body goes through: cells, the objects in them, and which of those are doors.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// Cells.
    pub world: &'a World,
    /// Objects. What is alive does not count: it will have moved.
    pub scene: &'a Scene,
    /// Whether an object is a door.
    pub is_door: &'a (dyn Fn(EntityKey) -> bool + Sync),
}

/// What a body passed on its way that is not part of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passed {
    /// Nothing that stays.
    Nothing,
    /// A door, by its game id.
    Door(u32),
    /// Something that stands in the way.
    Obstacle,
}

impl<'a> Surroundings<'a> {
    /// A world without doors.
    pub fn new(world: &'a World, scene: &'a Scene) -> Surroundings<'a> {
        Surroundings { world, scene, is_door: &|_| false }
    }

    /// What the last sweep of a body passed; an obstacle counts before a door.
    pub(crate) fn passed(&self, probe: &Probe) -> Passed {
        let mut passed = Passed::Nothing;
        for &key in probe.last_sweep().touched() {
            let Some(entity) = self.scene.get(key) else { continue };
            if let Some(id) = entity.guid.filter(|_| (self.is_door)(key)) {
                passed = Passed::Door(id);
                continue;
            }
            if !entity.role.is_creature() && !entity.state.intersects(State::ETHEREAL | State::MISSILE) {
                return Passed::Obstacle;
            }
        }
        passed
    }
}
