//! A whole world with its objects, and pictures of it.

#![allow(dead_code, reason = "each test file uses a part of it")]

use glam::Vec3;
use std::{fs::File, io::BufWriter, path::Path, sync::Arc};
use threshold_physics::Scene;
use threshold_render::{cpu::CpuRenderer, stage::plant, studio::Studio};
use threshold_view::{Lens, Options, Viewer, camera::orientation};
use threshold_world::{
    CellId, Frame, Library, Position, World, load_all,
    source::{DatSource, Source},
};

/// A world and a studio to take pictures of it.
pub(crate) struct Set {
    pub(crate) world: World,
    pub(crate) scene: Scene,
    pub(crate) studio: Studio,
    pub(crate) library: Arc<Library>,
}

/// Where a picture is taken from, with the eye in the coordinates of the cell's block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shot {
    pub(crate) cell: u32,
    pub(crate) eye: [f32; 3],
    pub(crate) yaw: f32,
    pub(crate) pitch: f32,
}

impl Set {
    pub(crate) fn open(dir: &Path) -> Set {
        Set::of(Arc::new(DatSource::open(dir).unwrap()))
    }

    pub(crate) fn of(source: Arc<dyn Source>) -> Set {
        let library = Arc::new(Library::new(source));
        let (world, _) = load_all(&library).unwrap();
        let mut studio = Studio::new(library.clone(), Options::default());
        let mut scene = Scene::new();
        let mut model = |id| library.model(id).ok().flatten();
        for block in world.block_ids() {
            scene.spawn_outdoor_statics(&world, block, &mut model);
            plant(&mut studio.assets, &mut scene, &world, block);
            scene.spawn_indoor_statics(&world, block, &mut model);
            studio.stage.prepare_block(&mut studio.assets, world.block_data(block).unwrap());
        }
        studio.stage.sync(&mut studio.assets, &scene);
        Set { world, scene, studio, library }
    }

    /// Plans a frame and makes its draw list; the player stands below the eye.
    pub(crate) fn prepare(&mut self, shot: &Shot, width: u32, height: u32) {
        let frame = Frame::new(Vec3::from_array(shot.eye), orientation(shot.yaw, shot.pitch));
        let cell = CellId(shot.cell);
        let lens = Lens::new(60f32.to_radians(), width, height).unwrap();
        let viewer = Viewer { position: Position::new(cell, frame), lens, player_cell: cell };
        let mut player = viewer.position;
        player.frame.origin.z -= 1.5;
        self.studio.frame(&self.world, &viewer, &player);
    }

    pub(crate) fn picture(&mut self, shot: &Shot, width: u32, height: u32) -> CpuRenderer {
        self.prepare(shot, width, height);
        let mut renderer = CpuRenderer::new(width, height);
        renderer.draw(self.studio.list(), &self.studio.assets);
        renderer
    }
}

pub(crate) fn write_png(path: &Path, width: u32, height: u32, rgba: &[u8]) {
    let file = BufWriter::new(File::create(path).unwrap());
    let mut encoder = png::Encoder::new(file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().unwrap().write_image_data(rgba).unwrap();
}
