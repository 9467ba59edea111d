//! A whole world with its objects, and pictures of it.

#![allow(dead_code, reason = "each test file uses a part of it")]

use glam::Vec3;
use std::{fs::File, io::BufWriter, path::Path, sync::Arc};
use threshold_physics::Scene as PhysicsScene;
use threshold_render::{
    assets::Assets,
    cpu::CpuRenderer,
    frame::{Atmosphere, FrameBuilder, Scene},
    sky::Moment,
    stage::{Stage, plant},
};
use threshold_view::{FramePlan, Lens, Options, Planner, Viewer};
use threshold_world::{
    CellId, Frame, Library, Position, Quat, World, load_all,
    source::{DatSource, Source},
};

/// Everything a picture needs.
pub struct Studio {
    pub world: World,
    pub scene: PhysicsScene,
    pub assets: Assets,
    pub stage: Stage,
    pub planner: Planner,
    pub plan: FramePlan,
    pub builder: FrameBuilder,
    pub atmosphere: Atmosphere,
}

/// Where a picture is taken from, with the eye in the coordinates of the cell's block.
#[derive(Clone, Copy, Debug)]
pub struct Shot {
    pub cell: u32,
    pub eye: [f32; 3],
    pub yaw: f32,
    pub pitch: f32,
}

impl Studio {
    pub fn open(dir: &Path) -> Studio {
        Studio::of(Arc::new(DatSource::open(dir).unwrap()))
    }

    pub fn of(source: Arc<dyn Source>) -> Studio {
        let library = Arc::new(Library::new(source));
        let (world, _) = load_all(&library).unwrap();
        let mut scene = PhysicsScene::new();
        let mut assets = Assets::new(library.clone());
        let mut stage = Stage::new();
        let mut model = |id| library.model(id).ok().flatten();
        for block in world.block_ids() {
            scene.spawn_outdoor_statics(&world, block, &mut model);
            plant(&mut assets, &mut scene, &world, block);
            scene.spawn_indoor_statics(&world, block, &mut model);
            stage.prepare_block(&mut assets, world.block_data(block).unwrap());
        }
        stage.sync(&mut assets, &scene);
        let atmosphere = Atmosphere::of(assets.terrain.region().map(|r| &**r), NOON, 0.0);
        Studio {
            world,
            scene,
            assets,
            stage,
            planner: Planner::new(Options::default()),
            plan: FramePlan::default(),
            builder: FrameBuilder::new(),
            atmosphere,
        }
    }

    pub fn viewer(&self, shot: &Shot, width: u32, height: u32) -> Viewer {
        let half = shot.pitch.to_radians() / 2.0;
        let tilt = Quat { w: half.cos(), v: Vec3::new(half.sin(), 0.0, 0.0) };
        let rotation = Quat::from_heading(shot.yaw).then_after(tilt);
        let frame = Frame::new(Vec3::from_array(shot.eye), rotation);
        Viewer {
            position: Position::new(CellId(shot.cell), frame),
            lens: Lens::new(60f32.to_radians(), width, height).unwrap(),
            player_cell: CellId(shot.cell),
        }
    }

    /// Plans a frame and makes its draw list.
    pub fn prepare(&mut self, shot: &Shot, width: u32, height: u32) {
        let viewer = self.viewer(shot, width, height);
        self.stage.set_eye(viewer.position.cell, viewer.position.frame.origin);
        self.planner.plan(&self.world, &self.stage, &viewer, &mut self.plan);
        let mut player = viewer.position;
        player.frame.origin.z -= 1.5;
        let scene = Scene {
            plan: &self.plan,
            world: &self.world,
            stage: &self.stage,
            atmosphere: &self.atmosphere,
            player,
        };
        self.builder.build(&scene, &mut self.assets);
    }

    pub fn picture(&mut self, shot: &Shot, width: u32, height: u32) -> CpuRenderer {
        self.prepare(shot, width, height);
        let mut renderer = CpuRenderer::new(width, height);
        renderer.draw(self.builder.list(), &self.assets);
        renderer
    }
}

/// The middle of a day.
pub const NOON: Moment = Moment { year: 10, day: 0, fraction: 0.5 };

pub fn write_png(path: &Path, width: u32, height: u32, rgba: &[u8]) {
    let file = BufWriter::new(File::create(path).unwrap());
    let mut encoder = png::Encoder::new(file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().unwrap().write_image_data(rgba).unwrap();
}
