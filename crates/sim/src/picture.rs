//! Pictures of a simulation: the stage follows it, and frames are drawn for any viewer.

use crate::{SimError, Simulation, StageFollower, clock::TICK};
use std::collections::BTreeSet;
use threshold_physics::EntityKey;
use threshold_render::{
    cpu::CpuRenderer, draw::DrawList, picture::encode_rgba, raster::MAX_SIDE, stage::Object, studio::Studio,
};
use threshold_view::{Lens, Options, Viewer};
use threshold_world::{BlockId, Position};

/// Vertical angle of pictures whose lens is not said, in degrees.
const FIELD_OF_VIEW: f32 = 60.0;
/// Seconds that pass before the first picture, so that fires burn and smoke has risen.
const WARM_UP: f64 = 6.0;

/// A studio that shows a simulation.
pub struct SimulationView {
    /// Assets, stage, planner and sky.
    pub studio: Studio,
    follower: StageFollower,
}

impl SimulationView {
    /// A view of a simulation at noon, in dry weather.
    pub fn new(sim: &Simulation) -> SimulationView {
        SimulationView::with_options(sim, Options::default().weather(false))
    }

    /// A view with given planner options.
    pub fn with_options(sim: &Simulation, options: Options) -> SimulationView {
        SimulationView {
            studio: Studio::new(sim.library().clone(), options),
            follower: StageFollower::default(),
        }
    }

    /// Blocks whose landscape was loaded when the stage last followed the simulation.
    pub fn blocks(&self) -> &BTreeSet<BlockId> {
        self.follower.blocks()
    }

    /// Updates the stage from the simulation.
    pub fn follow(&mut self, sim: &Simulation) {
        self.follower.follow(&mut self.studio, sim);
    }

    /// Follows the simulation, and advances effects by an amount of time.
    pub fn advance(&mut self, sim: &Simulation, seconds: f64) {
        self.follow(sim);
        self.studio.stage.advance(&mut self.studio.assets, seconds);
    }

    /// Follows the simulation, and advances effects in ticks until fires burn and smoke has risen.
    pub fn warm_up(&mut self, sim: &Simulation) {
        for _ in 0..(WARM_UP / TICK) as u32 {
            self.advance(sim, TICK);
        }
    }

    /// Omits an object from pictures, such as the player in first person.
    pub fn hide(&mut self, key: EntityKey) {
        if let Some(object) = self.object(key) {
            object.hidden = true;
        }
    }

    /// Draws a hidden object again.
    pub fn show(&mut self, key: EntityKey) {
        if let Some(object) = self.object(key) {
            object.hidden = false;
        }
    }

    fn object(&mut self, key: EntityKey) -> Option<&mut Object> {
        let stage = &mut self.studio.stage;
        stage.object_mut(stage.object_of(key.id())?)
    }

    /// Plans a frame and makes its draw list. `player` is the position that decides the light and carries the lamp.
    pub fn frame(&mut self, sim: &Simulation, viewer: &Viewer, player: &Position) -> &DrawList {
        self.studio.frame(sim.world(), viewer, player)
    }

    /// The current view of a player as a PNG picture drawn by the processor; the first call warms up fires and smoke.
    pub fn png(
        &mut self,
        sim: &Simulation,
        player: EntityKey,
        (width, height): (u32, u32),
    ) -> Result<Vec<u8>, SimError> {
        let lens = Lens::new(FIELD_OF_VIEW.to_radians(), width, height).ok_or(SimError::NoPicture)?;
        let rgba = self.rgba_of(sim, player, &lens)?;
        encode_rgba((width, height), &rgba).map_err(|_| SimError::NoPicture)
    }

    /// The current view of a player, drawn by the processor as four bytes per pixel.
    pub fn rgba_of(&mut self, sim: &Simulation, player: EntityKey, lens: &Lens) -> Result<Vec<u8>, SimError> {
        let feet = sim.drawn_position(player)?;
        let viewer = sim.viewer(player, lens).ok_or(SimError::NoPicture)?;
        let hidden = sim.player(player)?.eye.is_first_person().then_some(player);
        self.draw(sim, &viewer, &feet, hidden)
    }

    /// The view of any viewer, drawn by the processor as four bytes per pixel. `feet` is the position that decides the light.
    pub fn rgba(&mut self, sim: &Simulation, viewer: &Viewer, feet: &Position) -> Result<Vec<u8>, SimError> {
        self.draw(sim, viewer, feet, None)
    }

    fn draw(
        &mut self,
        sim: &Simulation,
        viewer: &Viewer,
        feet: &Position,
        hidden: Option<EntityKey>,
    ) -> Result<Vec<u8>, SimError> {
        let (width, height) = viewer.lens.size();
        if width.max(height) > MAX_SIDE {
            return Err(SimError::NoPicture);
        }
        match self.follower.has_followed() {
            false => self.warm_up(sim),
            true => self.follow(sim),
        }
        for (key, _) in sim.players() {
            if Some(key) == hidden { self.hide(key) } else { self.show(key) }
        }
        self.frame(sim, viewer, feet);
        let mut renderer = CpuRenderer::new(width, height);
        renderer.draw(self.studio.list(), &self.studio.assets);
        let mut rgba = Vec::new();
        renderer.picture().copy_rgba(&mut rgba);
        Ok(rgba)
    }
}
