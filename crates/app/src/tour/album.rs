//! Pictures of the tour: from the player's eye, and from behind him.

use super::{Stop, Tour};
use crate::surroundings::Surroundings;
use anyhow::{Context, Result};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use threshold_physics::{EntityKey, Scene, State};
use threshold_render::{
    cpu::CpuRenderer,
    motion::{CLOSED, NON_COMBAT, OPEN},
    picture::encode_rgba,
    studio::Studio,
};
use threshold_sample::SampleWorld;
use threshold_sim::{SceneContents, carry_eye};
use threshold_view::{
    Lens, Options, Viewer,
    camera::{Camera, Player},
};
use threshold_world::{BlockId, Library, Position, placed::ObjectKind};

/// Size of the picture from the player's eye.
pub(crate) const EYE_SIZE: (u32, u32) = (960, 540);
/// Size of the picture from behind him.
pub(crate) const BEHIND_SIZE: (u32, u32) = (480, 270);

/// Seconds before the first picture, so that fires burn and smoke has risen; between stops at most as many pass.
const WARM_UP: f64 = 6.0;
/// Seconds in which a door has come to rest.
const SWING: f64 = 1.2;
/// Seconds of a step of the stage.
const STEP: f64 = 1.0 / 30.0;
/// Part of the day that has passed when the tour begins, and by how much a tick moves it on: it ends at dusk.
const MORNING: f32 = 0.38;
const PER_TICK: f32 = 0.000_038;

/// Takes the pictures.
pub(crate) struct Album {
    studio: Studio,
    eye: CpuRenderer,
    behind: CpuRenderer,
    /// Blocks whose buildings the stage knows.
    prepared: BTreeSet<BlockId>,
    /// Doors by game id, and whether they were last seen open.
    doors: BTreeMap<u32, bool>,
    last_tick: Option<usize>,
    rgba: Vec<u8>,
}

impl Album {
    pub(crate) fn new(library: Arc<Library>, sample: &SampleWorld) -> Album {
        let doors = sample.entities.iter().filter(|entity| entity.kind == ObjectKind::Door);
        Album {
            studio: Studio::new(library, Options { weather: false, ..Options::default() }),
            eye: CpuRenderer::new(EYE_SIZE.0, EYE_SIZE.1),
            behind: CpuRenderer::new(BEHIND_SIZE.0, BEHIND_SIZE.1),
            prepared: BTreeSet::new(),
            doors: doors.map(|door| (door.id, false)).collect(),
            last_tick: None,
            rgba: Vec::new(),
        }
    }

    /// Both pictures, as PNG, of a stop that the tour has just made: from the eye, and from behind.
    pub(crate) fn take(&mut self, tour: &Tour<'_>, stop: &Stop) -> Result<[Vec<u8>; 2]> {
        self.prepare(tour, stop);
        self.show_player(tour, false);
        self.draw(tour, &tour.viewer_of(&stop.player), &stop.player, false);
        let eye = encode_rgba(EYE_SIZE, &self.rgba)?;
        let viewer = viewer_behind(tour, &stop.player)?;
        self.show_player(tour, true);
        self.draw(tour, &viewer, &stop.player, true);
        Ok([eye, encode_rgba(BEHIND_SIZE, &self.rgba)?])
    }

    /// Brings the stage to the moment of a stop.
    fn prepare(&mut self, tour: &Tour<'_>, stop: &Stop) {
        self.studio.set_time(0, MORNING + PER_TICK * stop.tick as f32);
        self.prepare_blocks(&tour.around, stop.player.cell.block());
        self.studio.stage.sync(&mut self.studio.assets, &SceneContents(&tour.around.scene));
        let swings = self.swing_doors(&tour.around.scene);
        let passed = self.last_tick.map_or(WARM_UP, |last| (stop.tick - last) as f64 * STEP);
        let passed = passed.max(if swings { SWING } else { 0.0 });
        for _ in 0..(passed.min(WARM_UP) / STEP) as u32 {
            self.studio.stage.advance(&mut self.studio.assets, STEP);
        }
        self.last_tick = Some(stop.tick);
    }

    /// Loads what the buildings near the player look like from afar.
    fn prepare_blocks(&mut self, around: &Surroundings, middle: BlockId) {
        for id in around.blocks_with_objects(middle).into_iter().filter(|&id| self.prepared.insert(id)) {
            if let Some(block) = around.world.block_data(id) {
                self.studio.stage.prepare_block(&mut self.studio.assets, block);
            }
        }
    }

    /// An open door can be walked through; the picture swings it. Says whether one is on its way.
    fn swing_doors(&mut self, scene: &Scene) -> bool {
        let mut swings = false;
        let Studio { assets, stage, .. } = &mut self.studio;
        for (&id, was_open) in &mut self.doors {
            let Some(key) = scene.key_of(id) else { continue };
            let is_open = scene.get(key).is_some_and(|door| door.state.contains(State::ETHEREAL));
            let Some(object) = stage.object_of(key.id()).filter(|_| is_open != *was_open) else { continue };
            let (from, to) = if is_open { (CLOSED, OPEN) } else { (OPEN, CLOSED) };
            stage.set_motion(assets, object, NON_COMBAT, Some(from), to);
            *was_open = is_open;
            swings = true;
        }
        swings
    }

    fn show_player(&mut self, tour: &Tour<'_>, shown: bool) {
        let key: EntityKey = tour.player;
        if let Some(object) = self.studio.stage.object_of(key.id())
            && let Some(object) = self.studio.stage.object_mut(object)
        {
            object.hidden = !shown;
        }
    }

    fn draw(&mut self, tour: &Tour<'_>, viewer: &Viewer, player: &Position, from_behind: bool) {
        self.studio.frame(&tour.around.world, viewer, player);
        let renderer = if from_behind { &mut self.behind } else { &mut self.eye };
        renderer.draw(self.studio.list(), &self.studio.assets);
        renderer.picture().copy_rgba(&mut self.rgba);
    }

    /// What was wrong with the records the pictures are made of.
    pub(crate) fn problems(&mut self) -> Vec<String> {
        self.studio.assets.take_problems().iter().map(ToString::to_string).collect()
    }
}

/// A camera on its boom, already come to rest.
fn viewer_behind(tour: &Tour<'_>, player: &Position) -> Result<Viewer> {
    let around = &tour.around;
    let mut camera = Camera::default();
    camera.stiffness = 1.0;
    let who = Player { position: *player, ground: None, velocity: glam::Vec3::ZERO };
    let eye = camera.update(&around.world, &who, 1.0, |from, to| {
        carry_eye(&around.world, &around.scene, Some(tour.player), from, to)
    });
    let position = eye.context("the camera has no cell")?;
    let lens = Lens::new(60f32.to_radians(), BEHIND_SIZE.0, BEHIND_SIZE.1).context("the lens")?;
    Ok(Viewer { position, lens, player_cell: player.cell })
}
