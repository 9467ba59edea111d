//! The surroundings of a body: cells and the objects in them.

use threshold_physics::{Entity, EntityKey, Scene, State, scene::Probe};
use threshold_world::{Position, World};

/// What falls to the ground and is no higher than this is stepped over, in metres: a missile that lies about, something dropped.
const LOW: f32 = 0.25;

/// What an object means to a body that goes through it.
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

/// What an object is to those on their way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Meaning {
    /// Nothing: it is alive and will have moved, flies, is carried, can be walked through or stepped over.
    None,
    /// It stands in the way.
    Obstacle,
    /// A door or portal, by its game id.
    Gateway(u32, Gateway),
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

    /// What an object is to those on their way. Meshes, what they depend on and proofs all go by this.
    pub(crate) fn meaning(&self, key: EntityKey, entity: &Entity) -> Meaning {
        let gateway = entity.guid.and_then(|id| Some(Meaning::Gateway(id, (self.gateway)(key)?)));
        let is_nothing = || {
            entity.role.is_creature()
                || entity.state.intersects(State::ETHEREAL | State::MISSILE)
                || entity.state.contains(State::GRAVITY) && height(entity) <= LOW
        };
        match gateway {
            _ if entity.parent.is_some() => Meaning::None,
            Some(gateway) => gateway,
            None if !entity.state.contains(State::STATIC) && is_nothing() => Meaning::None,
            None => Meaning::Obstacle,
        }
    }

    /// What the last sweep of a body passed; an obstacle counts before a portal, and that before a door.
    pub(crate) fn passed(&self, probe: &Probe) -> Passed {
        let mut passed = Passed::Nothing;
        for &key in probe.last_sweep().touched() {
            let Some(entity) = self.scene.get(key) else { continue };
            match self.meaning(key, entity) {
                Meaning::None => {}
                Meaning::Obstacle => return Passed::Obstacle,
                Meaning::Gateway(id, Gateway::Door) if passed == Passed::Nothing => passed = Passed::Door(id),
                Meaning::Gateway(_, Gateway::Door) => {}
                Meaning::Gateway(id, Gateway::Portal(_)) if probe.entity().role.is_player => {
                    passed = Passed::Portal(id);
                }
                // Portals take players alone.
                Meaning::Gateway(..) if entity.state.contains(State::ETHEREAL) => {}
                Meaning::Gateway(..) => return Passed::Obstacle,
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

/// How high the shape of an object is that others hit.
fn height(entity: &Entity) -> f32 {
    let model = &entity.model;
    let parts = model.parts.iter().filter(|_| entity.state.contains(State::HAS_PHYSICS_BSP));
    let parts = parts.filter_map(|part| part.mesh.as_ref()?.physics_sphere);
    let spheres = parts.chain(model.spheres.iter().copied());
    let spheres = spheres.map(|sphere| (sphere.center.z - sphere.radius, sphere.center.z + sphere.radius));
    let cylinders = model.cylinders.iter().map(|cylinder| (cylinder.low.z, cylinder.low.z + cylinder.height));
    let ends = spheres.chain(cylinders).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    ends.map_or(0.0, |(low, high)| (high - low) * entity.scale)
}
