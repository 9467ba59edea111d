//! What of a session is drawn: the stage follows what happens, and frames are planned from where the eye is.

use crate::{
    platform::{self, Instant},
    session::Session,
};
use std::{collections::BTreeSet, sync::Arc};
use threshold_render::{
    draw::DrawList,
    studio::Studio,
    terrain::{CellCode, Corners},
};
use threshold_sim::StageFollower;
use threshold_view::{FramePlan, Lens, Options, Planner, Viewer};
use threshold_world::{BlockId, Library, Position, coords::BLOCK_SIDE};

/// Metres that the player or the flying eye may be from a block whose ground is made ready to be seen from near: beyond a whole
/// block it is not seen from near yet, and on the rest of the way there is time enough.
const GROUND_REACH: f32 = BLOCK_SIDE + 64.0;
/// What is planned at first.
const DRY: Options = Options::REPAIRED.weather(false);

/// The studio that draws a session.
pub struct SessionView {
    /// Assets, stage and planner.
    pub studio: Studio,
    follower: StageFollower,
    /// Blocks whose ground has its textures, and the one that is being given them, with the next cell.
    textured: BTreeSet<BlockId>,
    texturing: Option<(BlockId, usize)>,
}

impl SessionView {
    /// A studio for a world.
    pub fn new(library: Arc<Library>) -> SessionView {
        let mut studio = Studio::new(library, DRY);
        platform::hurry(&mut studio.assets);
        SessionView { studio, follower: StageFollower::default(), textured: BTreeSet::new(), texturing: None }
    }

    /// Makes the stage like the session, and lets time pass for what moves by itself.
    pub fn update(&mut self, session: &Session, seconds: f64) {
        self.follower.follow(&mut self.studio, session.sim());
        // What is far away may be forgotten before it is near again.
        let here = self.follower.blocks();
        self.textured.retain(|id| here.contains(id));
        self.prepare_ground(session);
        self.move_player(session);
        if !session.is_paused() {
            let Studio { assets, stage, .. } = &mut self.studio;
            stage.advance(assets, seconds);
        }
    }

    /// Merges textures of the ground before it comes so near that they are needed: a few cells per frame.
    fn prepare_ground(&mut self, session: &Session) {
        let (world, focus) = (session.world(), session.focus());
        let start = Instant::now();
        while start.elapsed() < platform::ground_time() {
            let (id, cell) = match self.texturing {
                Some(place) => place,
                None => {
                    let missing = self
                        .follower
                        .blocks()
                        .difference(&self.textured)
                        .map(|&id| (distance(id, &focus), id));
                    let near = missing.filter(|(metres, _)| *metres < GROUND_REACH);
                    let Some((_, next)) = near.min_by(|a, b| a.0.total_cmp(&b.0)) else { return };
                    (next, 0)
                }
            };
            if let Some(block) = world.block_data(id).filter(|_| cell < 64) {
                let [sw, se, nw, ne] = block.terrain.corner_samples(cell);
                let corners = [sw, se, ne, nw];
                let corners = Corners {
                    roads: corners.map(|sample| block.terrain.road(sample)),
                    types: corners.map(|sample| block.terrain.terrain_type(sample)),
                };
                let is_done = self.studio.assets.prepare_ground(CellCode::new(corners, true));
                self.texturing = Some((id, if is_done { cell + 1 } else { cell }));
            } else {
                self.textured.insert(id);
                self.texturing = None;
            }
        }
    }

    /// Whether the ground around the player or the flying eye is ready to be seen from near.
    pub fn is_ready(&self, session: &Session) -> bool {
        let focus = session.focus();
        let mut missing = self.follower.blocks().difference(&self.textured);
        self.follower.has_followed() && missing.all(|&id| distance(id, &focus) >= GROUND_REACH)
    }

    /// The player is drawn between two ticks, and not at all by an eye in its head.
    fn move_player(&mut self, session: &Session) {
        let stage = &mut self.studio.stage;
        let Some(id) = stage.object_of(session.player().id()) else { return };
        if let Some(object) = stage.object_mut(id) {
            object.position = session.drawn_position();
            object.hidden = session.player_translucency() > 0.5;
        }
    }

    /// Sets the part of the day that has passed.
    pub fn set_time(&mut self, fraction: f32) {
        self.studio.set_time(0, fraction.clamp(0.0, 1.0));
    }

    /// Lets it rain or snow, on days that have it.
    pub fn set_weather(&mut self, weather: bool) {
        self.studio.planner = Planner::new(DRY.weather(weather));
    }

    /// Where the next frame is seen from; `None` while there is no eye.
    pub fn viewer(&self, session: &Session, lens: Lens) -> Option<Viewer> {
        session.sim().viewer(session.player(), &lens)
    }

    /// Plans a frame and makes its draw list; `None` while there is no eye.
    pub fn frame(&mut self, session: &Session, lens: Lens) -> Option<&DrawList> {
        let viewer = self.viewer(session, lens)?;
        // While the eye flies far away, light and landscape are those around it.
        let player = session.drawn_position();
        let is_near = player.distance_to(&viewer.position) < BLOCK_SIDE;
        let (viewer, player) = if is_near {
            (viewer, player)
        } else {
            (Viewer { player_cell: viewer.position.cell, ..viewer }, viewer.position)
        };
        Some(self.studio.frame(session.world(), &viewer, &player))
    }

    /// The last plan.
    pub fn plan(&self) -> &FramePlan {
        self.studio.plan()
    }
}

/// Metres from a place to a block, along the farther axis.
fn distance(block: BlockId, from: &Position) -> f32 {
    let own = from.cell.block();
    let along = |block: u8, own: u8, at: f32| {
        let low = (f32::from(block) - f32::from(own)) * BLOCK_SIDE - at;
        low.max(-low - BLOCK_SIDE).max(0.0)
    };
    let at = from.frame.origin;
    along(block.x(), own.x(), at.x).max(along(block.y(), own.y(), at.y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_world::{CellId, Frame};

    #[test]
    fn blocks_are_as_far_as_their_nearest_edge() {
        let here = Position::new(CellId(0x8080_0001), Frame::at([180.0, 20.0, 5.0].into()));
        for (x, y, metres) in [
            (0x80, 0x80, 0.0),
            (0x81, 0x80, 12.0),
            (0x82, 0x81, 204.0),
            (0x7F, 0x80, 180.0),
            (0x80, 0x7E, 212.0),
        ] {
            assert_eq!(distance(BlockId::new(x, y), &here), metres, "{x:02X}{y:02X}");
        }
    }
}
