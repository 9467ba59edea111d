//! Pictures of the tour: from the player's eye, and from behind it.

use super::{Stop, Tour};
use anyhow::{Context, Result};
use threshold_render::{cpu::CpuRenderer, picture::encode_rgba};
use threshold_sim::{SimulationView, TICK};
use threshold_view::{Lens, Viewer};
use threshold_world::Position;

/// Size of the picture from the player's eye.
pub(crate) const EYE_SIZE: (u32, u32) = (960, 540);
/// Size of the picture from behind it.
pub(crate) const BEHIND_SIZE: (u32, u32) = (480, 270);

/// Seconds that pass on the stage between two stops at most: by then fires burn and smoke has risen.
const LONGEST: f64 = 6.0;
/// Part of the day that has passed when the tour begins, and by how much a tick moves it on: it ends at dusk.
const MORNING: f32 = 0.38;
const PER_TICK: f32 = 0.000_038;

/// Takes the pictures.
pub(crate) struct Album {
    view: SimulationView,
    eye: CpuRenderer,
    behind: CpuRenderer,
    last_tick: Option<usize>,
    rgba: Vec<u8>,
}

impl Album {
    pub(crate) fn new(tour: &Tour) -> Album {
        Album {
            view: SimulationView::new(&tour.sim),
            eye: CpuRenderer::new(EYE_SIZE.0, EYE_SIZE.1),
            behind: CpuRenderer::new(BEHIND_SIZE.0, BEHIND_SIZE.1),
            last_tick: None,
            rgba: Vec::new(),
        }
    }

    /// Both pictures, as PNG, of a stop that the tour has just made: from the eye, and from behind.
    pub(crate) fn take(&mut self, tour: &Tour, stop: &Stop) -> Result<[Vec<u8>; 2]> {
        self.prepare(tour, stop);
        self.view.hide(tour.player);
        self.draw(tour, &tour.viewer_of(&stop.player), &stop.player, Seat::Head);
        let eye = encode_rgba(EYE_SIZE, &self.rgba)?;
        let lens = Lens::new(60f32.to_radians(), BEHIND_SIZE.0, BEHIND_SIZE.1).context("the lens")?;
        let viewer = tour.sim.viewer(tour.player, &lens).context("the camera has no cell")?;
        self.view.show(tour.player);
        self.draw(tour, &viewer, &stop.player, Seat::Behind);
        Ok([eye, encode_rgba(BEHIND_SIZE, &self.rgba)?])
    }

    /// Brings the stage to the moment of a stop.
    fn prepare(&mut self, tour: &Tour, stop: &Stop) {
        self.view.studio.set_time(0, MORNING + PER_TICK * stop.tick as f32);
        self.view.follow(&tour.sim);
        let passed = self.last_tick.map_or(LONGEST, |last| (stop.tick - last) as f64 * TICK);
        for _ in 0..(passed.min(LONGEST) / TICK) as u32 {
            self.view.advance(&tour.sim, TICK);
        }
        self.last_tick = Some(stop.tick);
    }

    fn draw(&mut self, tour: &Tour, viewer: &Viewer, player: &Position, seat: Seat) {
        self.view.frame(&tour.sim, viewer, player);
        let renderer = match seat {
            Seat::Head => &mut self.eye,
            Seat::Behind => &mut self.behind,
        };
        renderer.draw(self.view.studio.list(), &self.view.studio.assets);
        renderer.picture().copy_rgba(&mut self.rgba);
    }

    /// What was wrong with the records the pictures are made of.
    pub(crate) fn problems(&mut self) -> Vec<String> {
        self.view.studio.assets.take_problems().iter().map(ToString::to_string).collect()
    }
}

/// Where the player is seen from.
#[derive(Clone, Copy)]
enum Seat {
    /// Its own head.
    Head,
    /// Behind it.
    Behind,
}
