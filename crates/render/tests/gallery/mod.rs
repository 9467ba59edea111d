//! The sample world as tests and benchmarks look at it.
#![allow(dead_code)] // Each user takes its own part.
#![allow(unused_imports)]

mod viewpoints;

pub(crate) use viewpoints::{folder, viewpoints};

use glam::Vec3;
use std::sync::Arc;
use threshold_physics::{
    EntityKey, EntityRole, Scene, Spawn, State,
    motion::{Movement, MovementParameters},
};
use threshold_render::{draw::DrawList, studio::Studio};
use threshold_sim::{SceneContents, eye_above};
use threshold_view::{
    Lens, Options, Viewer,
    camera::{PIVOT_HEIGHT, orientation},
};
use threshold_world::{
    BlockId, Frame, Library, Position, Quat, World,
    coords::adjust_to_outside,
    load_all,
    model::ModelMotion,
    motion::Command,
    placed::{NamedPlace, ObjectKind},
    source::{DatSource, Source},
    stream::StreamEvent,
};

/// Seconds that pass before the first picture, so that fires burn and smoke has risen.
const WARM_UP: u32 = 6;
/// Steps per second of that time.
const STEPS: u32 = 30;

/// A view of the sample world from one of its named places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shot {
    /// Of the picture.
    pub(crate) name: &'static str,
    /// Where the viewer stands, as in the gazetteer.
    pub(crate) place: &'static str,
    /// Degrees clockwise from where one faces there.
    pub(crate) turn: f32,
    /// Degrees up.
    pub(crate) pitch: f32,
    /// Day of the year: decides the sky.
    pub(crate) day: u32,
    /// Part of the day that has passed.
    pub(crate) time: f32,
    /// Metres east and north of the place, in the same room.
    pub(crate) shift: [f32; 2],
    /// Doors are open.
    pub(crate) open: bool,
    /// It rains, if the day is one of rain.
    pub(crate) weather: bool,
}

impl Shot {
    /// Straight ahead at noon of the first day.
    pub(crate) const fn of(name: &'static str, place: &'static str) -> Shot {
        Shot {
            name,
            place,
            turn: 0.0,
            pitch: 0.0,
            day: 0,
            time: 0.5,
            shift: [0.0; 2],
            open: false,
            weather: false,
        }
    }

    /// Turned clockwise.
    pub(crate) const fn turned(self, turn: f32) -> Shot {
        Shot { turn, ..self }
    }

    /// Looking up, or down.
    pub(crate) const fn pitched(self, pitch: f32) -> Shot {
        Shot { pitch, ..self }
    }

    /// With the doors open.
    pub(crate) const fn opened(self) -> Shot {
        Shot { open: true, ..self }
    }

    /// At another time.
    pub(crate) const fn at(self, day: u32, time: f32) -> Shot {
        Shot { day, time, ..self }
    }
}

/// The sample world, ready for pictures around some of its places.
pub(crate) struct Gallery {
    pub(crate) studio: Studio,
    pub(crate) world: World,
    scene: Scene,
    places: Vec<NamedPlace>,
    doors: Vec<EntityKey>,
    open: bool,
}

impl Gallery {
    /// Brings in everything that stands around the places of some shots.
    pub(crate) fn new(shots: &[Shot]) -> Gallery {
        Gallery::changed(shots, |source| Arc::new(source))
    }

    /// The same with other records.
    pub(crate) fn changed(shots: &[Shot], change: impl FnOnce(DatSource) -> Arc<dyn Source>) -> Gallery {
        let sample = threshold_sample::build().unwrap();
        let source = sample.source().unwrap();
        let library = Arc::new(Library::new(change(source)));
        let (world, _) = load_all(&library).unwrap();
        let mut studio = Studio::new(library.clone(), Options::default());
        let mut scene = Scene::new();
        let is_near = |id: BlockId| {
            sample.places.iter().filter(|place| shots.iter().any(|shot| shot.place == place.name)).any(
                |place| {
                    let middle = place.position.cell.block();
                    id.rings_to(middle) <= 1
                },
            )
        };
        let near: Vec<BlockId> = world.block_ids().filter(|&id| is_near(id)).collect();
        let land = near.iter().map(|&id| StreamEvent::LandscapeLoaded(id));
        let blocks = near.iter().filter_map(|&id| world.block_data(id));
        let rooms = blocks.flat_map(|block| block.env_cells.iter().flatten());
        let loaded: Vec<_> = land.chain(rooms.map(|room| StreamEvent::CellLoaded(room.id()))).collect();
        scene.follow(&world, &loaded);
        let mut doors = Vec::new();
        for entity in sample.entities.iter().filter(|entity| is_near(entity.cell.block())) {
            let frame = Frame::new(entity.origin.into(), Quat::from(entity.rotation));
            let spawn = Spawn {
                guid: Some(entity.id),
                model: library.model(entity.setup).unwrap().unwrap(),
                position: Position::new(entity.cell, frame),
                state: State::from_bits_retain(entity.state),
                scale: entity.scale,
                role: EntityRole { creature: entity.is_living(), ..EntityRole::default() },
            };
            let key = scene.spawn(&world, spawn).unwrap();
            if entity.kind == ObjectKind::Door {
                let ModelMotion::Table(table) = scene.get(key).unwrap().model.motion else {
                    panic!("it swings")
                };
                scene.set_motion_table(key, library.motion_table(table).unwrap()).unwrap();
                doors.push(key);
            }
        }
        // Last, so that the pictures do not depend on how much grows.
        let scenery: Vec<_> = near.iter().map(|&id| StreamEvent::SceneryLoaded(id)).collect();
        scene.follow(&world, &scenery);
        studio.stage.sync(&mut studio.assets, &SceneContents(&scene));
        for _ in 0..WARM_UP * STEPS {
            studio.stage.advance(&mut studio.assets, 1.0 / f64::from(STEPS));
        }
        Gallery { studio, world, scene, places: sample.places, doors, open: false }
    }

    /// Swings all doors.
    fn set_open(&mut self, open: bool) {
        if self.open == open {
            return;
        }
        self.open = open;
        let motion = if open { Command::ON } else { Command::OFF };
        for &key in &self.doors {
            let movement = Movement::DoInterpreted(motion, MovementParameters::default());
            self.scene.perform(key, &movement).unwrap();
        }
        let Studio { assets, stage, .. } = &mut self.studio;
        for _ in 0..2 * STEPS {
            self.scene.advance_clock(1.0 / f64::from(STEPS)).unwrap();
            for &key in &self.doors {
                self.scene.update(&self.world, key).unwrap();
            }
            stage.sync(assets, &SceneContents(&self.scene));
            stage.advance(assets, 1.0 / f64::from(STEPS));
        }
    }

    /// Who looks, and where the player stands.
    pub(crate) fn viewer(&self, shot: &Shot, (width, height): (u32, u32)) -> (Viewer, Position) {
        let place = self.places.iter().find(|place| place.name == shot.place);
        let mut place = place.unwrap_or_else(|| panic!("no place is called {}", shot.place)).position;
        place.frame.origin += Vec3::new(shot.shift[0], shot.shift[1], 0.0);
        if place.cell.is_outdoor() {
            let (cell, p) = adjust_to_outside(place.cell, place.frame.origin).unwrap();
            let ground = self.world.landscape(cell.block()).unwrap().terrain.ground_at(p).unwrap();
            let p = Vec3::new(p.x, p.y, ground.height + 0.005);
            place = Position::new(cell, Frame::new(p, place.frame.rotation()));
        }
        let rotation = orientation(place.frame.heading() + shot.turn, shot.pitch);
        let eye = eye_above(&self.world, &self.scene, None, &place);
        let rise = eye.frame.origin.z - place.frame.origin.z;
        assert!((rise - PIVOT_HEIGHT).abs() < 0.01, "{}: something is in the way of the eye", shot.name);
        let viewer = Viewer {
            position: Position::new(eye.cell, Frame::new(eye.frame.origin, rotation)),
            lens: Lens::new(60f32.to_radians(), width, height).unwrap(),
            player_cell: place.cell,
        };
        (viewer, place)
    }

    /// The draw list of a shot.
    pub(crate) fn frame(&mut self, shot: &Shot, size: (u32, u32)) -> &DrawList {
        let (viewer, player) = self.viewer(shot, size);
        self.set_open(shot.open);
        self.studio.set_time(shot.day, shot.time);
        self.studio.planner.options.weather = shot.weather;
        self.studio.frame(&self.world, &viewer, &player)
    }
}
