//! Everything between a world and its pictures.

use crate::{
    assets::Assets,
    draw::DrawList,
    frame::{Atmosphere, FrameBuilder, FrameInput},
};
use crate::{sky::Moment, stage::Stage};
use std::sync::Arc;
use threshold_view::{FramePlan, Options, Planner, Viewer};
use threshold_world::{Library, Position, World};

/// Plans frames and makes draw lists from them, for any backend. Once warm it allocates nothing.
pub struct Studio {
    /// Textures, materials, meshes.
    pub assets: Assets,
    /// The objects in the cells.
    pub stage: Stage,
    /// Makes the plans.
    pub planner: Planner,
    /// Sky, light and fog.
    pub atmosphere: Atmosphere,
    plan: FramePlan,
    builder: FrameBuilder,
}

impl Studio {
    /// A studio at noon.
    pub fn new(library: Arc<Library>, options: Options) -> Studio {
        let assets = Assets::new(library);
        let mut studio = Studio {
            atmosphere: Atmosphere::at(None, 0.0),
            assets,
            stage: Stage::new(),
            planner: Planner::new(options),
            plan: FramePlan::default(),
            builder: FrameBuilder::new(),
        };
        studio.set_time(0, 0.5);
        studio
    }

    /// Sets the day of the first year, and the part of it that has passed.
    pub fn set_time(&mut self, day: u32, fraction: f32) {
        let region = self.assets.terrain.region().map(|region| &**region);
        let year = region.map_or(0, |region| region.time.zero_year);
        let day_length = region.map_or(0.0, |region| f64::from(region.time.day_length));
        let seconds = (f64::from(day) + f64::from(fraction)) * day_length;
        self.atmosphere = Atmosphere::of(region, Moment { year, day, fraction }, seconds);
    }

    /// Plans a frame and makes its draw list. `player` is the position that decides the light and carries the lamp.
    pub fn frame(&mut self, world: &World, viewer: &Viewer, player: &Position) -> &DrawList {
        self.stage.set_eye(viewer.position.cell, viewer.position.frame.origin);
        self.planner.plan(world, &self.stage, viewer, &mut self.plan);
        let scene = FrameInput {
            plan: &self.plan,
            world,
            stage: &self.stage,
            atmosphere: &self.atmosphere,
            player: *player,
        };
        self.builder.build(&scene, &mut self.assets)
    }

    /// The last plan.
    pub fn plan(&self) -> &FramePlan {
        &self.plan
    }

    /// The last draw list.
    pub fn list(&self) -> &DrawList {
        self.builder.list()
    }
}
