//! Worlds to find ways in.
#![allow(dead_code, unreachable_pub)] // Each test uses a part of it.

use glam::Vec3;
use std::{collections::BTreeMap, sync::Arc};
use threshold_nav::{Agent, Gateway, Surroundings};
use threshold_physics::{
    EntityKey, EntityRole, PLAYER_SETUP, PLAYER_STATE, Scene, Spawn, State,
    scene::{Foothold, Probe},
};
use threshold_world::{
    BlockId, CellId, Frame, Library, Position, World,
    geometry::{Cylinder, Sphere},
    landblock::Landblock,
    load_all,
    model::Model,
    placed::{ObjectKind, PlacedObject},
    source::DatSource,
    terrain::Terrain,
};

pub struct Ground {
    pub library: Option<Library>,
    pub world: World,
    pub scene: Scene,
    pub gateways: BTreeMap<EntityKey, Gateway>,
}

/// How doors stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Doors {
    Open,
    Shut,
}

impl Ground {
    pub fn sample(doors: Doors) -> Ground {
        let sample = threshold_sample::build().expect("the sample world");
        let library = Library::new(Arc::new(sample.source().expect("its files")));
        Ground::new(library, &sample.entities, doors)
    }

    pub fn golden(world: &str) -> Ground {
        let source = DatSource::open(threshold_golden::world_dir(world)).expect("a golden world");
        Ground::new(Library::new(Arc::new(source)).without_scenery(), &[], Doors::Open)
    }

    pub fn new(library: Library, placed: &[PlacedObject], doors: Doors) -> Ground {
        let (world, _) = load_all(&library).expect("a world");
        let mut scene = Scene::new();
        let blocks: Vec<BlockId> = world.block_ids().collect();
        scene.blocks_loaded(&world, &blocks);
        let mut ground = Ground { library: Some(library), world, scene, gateways: BTreeMap::new() };
        // What is alive walks away.
        for object in placed.iter().filter(|object| !object.is_living()) {
            ground.add(object, doors);
        }
        ground
    }

    pub fn add(&mut self, object: &PlacedObject, doors: Doors) -> Option<EntityKey> {
        let model = self.library.as_ref()?.model(object.setup).ok().flatten()?;
        let mut spawn = Spawn::placed(object, model);
        if object.kind == ObjectKind::Door {
            spawn.state.set(State::ETHEREAL, doors == Doors::Open);
        }
        let key = self.scene.spawn(&self.world, spawn).ok()?;
        let door = (object.kind == ObjectKind::Door).then_some(Gateway::Door);
        if let Some(gateway) = door.or(object.destination.map(Gateway::Portal)) {
            self.gateways.insert(key, gateway);
        }
        Some(key)
    }

    pub fn gateway(&self) -> impl Fn(EntityKey) -> Option<Gateway> + Sync + '_ {
        |key| self.gateways.get(&key).copied()
    }

    pub fn around<'a>(
        &'a self,
        gateway: &'a (dyn Fn(EntityKey) -> Option<Gateway> + Sync),
    ) -> Surroundings<'a> {
        Surroundings { world: &self.world, scene: &self.scene, gateway }
    }

    pub fn player(&self) -> Agent {
        let Some(library) = &self.library else { return Agent::player(body_model()) };
        Agent::player(library.model(PLAYER_SETUP).expect("models").expect("a player's model"))
    }

    /// One block with nothing on it.
    pub fn bare(id: BlockId, terrain: Terrain) -> Ground {
        let mut world = World::new();
        world.insert_resident(Arc::new(Landblock {
            id,
            terrain,
            has_land: true,
            cell_buildings: [None; 64],
            buildings: Box::default(),
            statics: Box::default(),
            scenery: Box::default(),
            env_cells: Box::default(),
            restrictions: Box::default(),
        }));
        Ground { library: None, world, scene: Scene::new(), gateways: BTreeMap::new() }
    }

    /// Puts up a post of one metre across and three metres high in the bare block.
    pub fn post(&mut self, x: f32, y: f32) {
        let block = self.world.block_ids().next().expect("a block");
        let cylinder = Cylinder { low: Vec3::ZERO, radius: 0.5, height: 3.0 };
        let model = Arc::new(Model {
            spheres: Box::default(),
            cylinders: [cylinder].into(),
            ..Model::clone(&body_model())
        });
        let cell = block.cell((x / 24.0) as u16 * 8 + (y / 24.0) as u16 + 1);
        let position = Position::new(cell, Frame::at(Vec3::new(x, y, 20.0)));
        let spawn = Spawn {
            guid: None,
            model,
            position,
            state: State::STATIC,
            scale: 1.0,
            role: EntityRole::UNKNOWN,
        };
        self.scene.spawn(&self.world, spawn).expect("a post");
    }

    /// Lets a ball lie on the bare block that falls to the ground wherever it is.
    pub fn ball(&mut self, x: f32, y: f32, radius: f32) {
        let block = self.world.block_ids().next().expect("a block");
        let ball = Sphere { center: Vec3::ZERO, radius };
        let model = Arc::new(Model { spheres: [ball].into(), ..Model::clone(&body_model()) });
        let cell = block.cell((x / 24.0) as u16 * 8 + (y / 24.0) as u16 + 1);
        let position = Position::new(cell, Frame::at(Vec3::new(x, y, 20.0 + radius)));
        let (state, role) = (State::GRAVITY | State::REPORT_COLLISIONS, EntityRole::UNKNOWN);
        let spawn = Spawn { guid: Some(8), model, position, state, scale: 1.0, role };
        self.scene.spawn(&self.world, spawn).expect("a ball");
    }

    /// Puts up a door like a post with a game id of 9 in the bare block.
    pub fn door(&mut self, x: f32, y: f32) {
        let key = self.stand(x, y, Some(9), EntityRole { door: true, ..EntityRole::default() });
        self.gateways.insert(key, Gateway::Door);
    }

    /// Lets somebody stand in the bare block who is as large as a player.
    pub fn creature(&mut self, x: f32, y: f32) {
        self.stand(x, y, Some(10), EntityRole { creature: true, ..EntityRole::default() });
    }

    fn stand(&mut self, x: f32, y: f32, guid: Option<u32>, role: EntityRole) -> EntityKey {
        let block = self.world.block_ids().next().expect("a block");
        let cell = block.cell((x / 24.0) as u16 * 8 + (y / 24.0) as u16 + 1);
        let position = Position::new(cell, Frame::at(Vec3::new(x, y, 20.0)));
        let state = State::REPORT_COLLISIONS;
        let spawn = Spawn { guid, model: body_model(), position, state, scale: 1.0, role };
        self.scene.spawn(&self.world, spawn).expect("room")
    }

    /// Puts up a portal two metres across in the bare block; its game id is 7.
    pub fn portal(&mut self, x: f32, y: f32, to: Position) {
        let block = self.world.block_ids().next().expect("a block");
        let ball = Sphere { center: Vec3::new(0.0, 0.0, 1.0), radius: 1.0 };
        let model = Arc::new(Model { spheres: [ball].into(), ..Model::clone(&body_model()) });
        let cell = block.cell((x / 24.0) as u16 * 8 + (y / 24.0) as u16 + 1);
        let position = Position::new(cell, Frame::at(Vec3::new(x, y, 20.0)));
        let (state, role) = (State::ETHEREAL | State::REPORT_COLLISIONS, EntityRole::UNKNOWN);
        let spawn = Spawn { guid: Some(7), model, position, state, scale: 1.0, role };
        let key = self.scene.spawn(&self.world, spawn).expect("a portal");
        self.gateways.insert(key, Gateway::Portal(to));
    }

    /// A solid body of its own.
    pub fn body(&self) -> Body<'_> {
        let agent = self.player();
        let first = self.world.block_ids().next().expect("a block");
        let position = Position::new(first.cell(1), Frame::IDENTITY);
        let spawn = Spawn {
            guid: None,
            model: agent.model,
            position,
            state: PLAYER_STATE,
            scale: 1.0,
            role: agent.role,
        };
        Body { ground: self, probe: Probe::new(&self.world, spawn).expect("a body") }
    }
}

/// A body like a player's: two spheres of 0.48 m.
fn body_model() -> Arc<Model> {
    let ball = |z: f32| Sphere { center: Vec3::new(0.0, 0.0, z), radius: 0.48 };
    Arc::new(Model {
        id: PLAYER_SETUP,
        parts: Box::default(),
        cylinders: Box::default(),
        spheres: [ball(0.48), ball(1.35)].into(),
        height: 1.835,
        radius: 0.48,
        step_up: 0.6,
        step_down: 1.5,
        sorting_sphere: Sphere { center: Vec3::ZERO, radius: 2.0 },
        free_heading: false,
        holdings: Box::default(),
        motion: Default::default(),
        plays_when_static: false,
    })
}

/// A solid body that walks about; nothing of the crate under test is used.
pub struct Body<'a> {
    pub ground: &'a Ground,
    pub probe: Probe,
}

impl Body<'_> {
    /// Puts it down and lets it fall; where it stands.
    pub fn put_down(&mut self, at: &Position) -> Option<Foothold> {
        let Ground { world, scene, .. } = self.ground;
        let placed = self.probe.place(world, scene, at).ok()?;
        if placed != threshold_physics::Placement::Placed {
            return None;
        }
        self.probe.set_motion(Default::default()).ok()?;
        for _ in 0..60 {
            if self.probe.entity().stands() {
                break;
            }
            self.probe.step(world, scene, 1.0 / 30.0).ok()?;
        }
        self.probe.foothold()
    }

    /// Walks straight towards a place with strides of a length; how far from it the body ends, seen from above.
    pub fn walk_to(&mut self, to: &Position, stride: f32) -> f32 {
        let Ground { world, scene, .. } = self.ground;
        let mut stuck = 0;
        let mut nearest = f32::INFINITY;
        for _ in 0..20_000 {
            let body = self.probe.entity();
            let way = body.position.offset_to(to);
            let distance = way.truncate().length();
            if distance < 0.01 && body.stands() || stuck > 10 || body.cell.is_none() {
                return distance;
            }
            stuck = if distance < nearest - 0.005 || !body.stands() { 0 } else { stuck + 1 };
            nearest = nearest.min(distance);
            let velocity = glam::Vec3::Y * stride.min(distance) * 30.0;
            self.probe.face(threshold_world::heading_of(way));
            self.probe.set_motion(threshold_physics::Motion { velocity, turn: 0.0 }).expect("a motion");
            self.probe.step(world, scene, 1.0 / 30.0).expect("a step");
        }
        nearest
    }
}

pub fn at(cell: u32, x: f32, y: f32, z: f32) -> Position {
    Position::new(CellId(cell), Frame::at(glam::Vec3::new(x, y, z)))
}
