//! Going somewhere at once or on foot, and what has to be waited for.

use super::Session;
use anyhow::Result;
use threshold_sim::{
    Gait, GaveUp, Position, Walker,
    nav::{PatchArea, Policy, Route, Unreachable},
};
use threshold_world::{BlockId, coords::BLOCK_SIDE, loc::Place, stream::StreamStatus};

/// Where the ground was last looked at: from which square, in which state of the world, and which meshes were there.
#[derive(PartialEq)]
struct Surveyed {
    block: BlockId,
    square: [i32; 2],
    version: u64,
    built: Vec<BlockId>,
}

/// Metres that the eye goes before the ground is looked at again.
const STEP: f32 = 8.0;

/// Where the player can stand around the eye.
#[derive(Default)]
pub(super) struct Survey {
    from: Option<Surveyed>,
    patches: Vec<PatchArea>,
}

impl Session {
    /// Sets out for a place given as a person gives it: name, `/loc` or map coordinates.
    pub fn go(&mut self, text: &str) -> Result<()> {
        let place = self.data.find(text)?;
        self.travel(place, text.trim())
    }

    /// Sets out for a place; the player is there as soon as it is loaded.
    pub fn travel(&mut self, place: Place, name: &str) -> Result<()> {
        self.resume_present();
        self.destination = name.to_owned();
        self.sim.teleport_to(self.player, place)?;
        self.note_events();
        Ok(())
    }

    /// Walks to a place given as a person gives it, by a way that leads there.
    pub fn walk(&mut self, text: &str) -> Result<()> {
        let place = self.data.find(text)?;
        self.walk_to(place, text.trim())
    }

    /// Has the player walk to a place by itself; any key ends that. Where no way leads there, it is said where the region ends that
    /// the player can reach.
    pub fn walk_to(&mut self, place: Place, name: &str) -> Result<()> {
        self.resume_present();
        self.destination = name.to_owned();
        let goal = self.sim.resolve(&place);
        self.region_end = None;
        let policy = Policy::default().takes_portals(true);
        self.sim.go_to(self.player, &goal, &policy)?;
        self.walks_to = Some(goal);
        self.note(format!("looks for a route to {name}"));
        Ok(())
    }

    /// The player knows its way.
    pub(super) fn note_way(&mut self, route: &Route) {
        let doors = match route.doors.len() {
            0 => String::new(),
            1 => ", 1 door".into(),
            doors => format!(", {doors} doors"),
        };
        self.note(format!("walks to {}: {:.0} m{doors}", self.destination, route.length));
    }

    /// The player goes no further; why, and where the region ends that it can reach.
    pub(super) fn note_no_way(&mut self, at: Position, why: GaveUp) {
        let goal = self.walks_to.take();
        let (end, said) = match why {
            GaveUp::Keys => (None, "stopped walking by itself".to_owned()),
            GaveUp::Blocked => (Some([at, at]), format!("something is in the way at {at}")),
            GaveUp::Unreachable(Unreachable { why, nearest, gap }) => (
                Some([nearest, goal.unwrap_or(nearest)]),
                format!(
                    "no route to {}: {why}; the reachable region ends {gap:.0} m before it, at {nearest}",
                    self.destination
                ),
            ),
        };
        self.region_end = end;
        self.note(said);
    }

    /// What is left of the way that the player walks by itself.
    pub fn way_ahead(&self) -> &[Position] {
        self.sim.way_ahead(self.player)
    }

    /// Where the region ended that the player can reach, and where it wanted to go, when it last asked for a way and there was none.
    pub fn region_end(&self) -> Option<&[Position; 2]> {
        self.region_end.as_ref()
    }

    /// Finds out where the player can stand within some metres of the eye. Meshes are built a little with every call, the nearest block's
    /// first, so that no picture waits for them; until they are there, what is known is shown.
    pub fn survey_ground(&mut self, reach: f32) -> Result<()> {
        let Some(eye) = self.eye().position().copied() else { return Ok(()) };
        let (block, at) = (eye.cell.block(), eye.frame.origin);
        let walker = Walker { gait: Gait::Walk, ..Walker::default() };
        let mut near: Vec<BlockId> = self
            .world()
            .block_ids()
            .filter(|id| id.rings_to(block) <= 1 && is_within(*id, &eye, reach))
            .collect();
        near.sort_by_key(|id| id.rings_to(block));
        let built: Vec<BlockId> = self.sim.with_nav(&walker, |nav, _| {
            near.iter().copied().filter(|&id| nav.built(id).is_some()).collect()
        })?;
        if let Some(&missing) = near.iter().find(|id| !built.contains(id)) {
            self.sim.build_mesh_slice(&walker, missing)?;
        }
        let from = Surveyed {
            block,
            square: [at.x, at.y].map(|v| (v / STEP) as i32),
            version: self.world().version(),
            built,
        };
        if self.survey.from.as_ref() == Some(&from) {
            return Ok(());
        }
        let patches = self.sim.with_nav(&walker, |nav, around| {
            let all = from.built.iter().flat_map(|&id| nav.areas(around, id));
            let is_near = |area: &PatchArea| {
                let middle = ((area.low + area.high) / 2.0).extend(area.height);
                let shift = threshold_world::coords::block_offset(eye.cell, area.cell);
                (middle + shift).distance(at) < reach + STEP
            };
            all.filter(is_near).collect()
        })?;
        self.survey = Survey { from: Some(from), patches };
        Ok(())
    }

    /// What the last look at the ground found.
    pub fn ground(&self) -> &[PatchArea] {
        &self.survey.patches
    }

    /// Whether the player is between two places.
    pub fn is_travelling(&self) -> bool {
        self.own().is_travelling()
    }

    /// Has everything loaded within so many blocks from now on.
    pub fn set_radius(&mut self, radius: u8) {
        self.sim.set_radius(radius);
    }

    /// How far the world around is.
    pub fn streaming(&self) -> StreamStatus {
        self.sim.status(self.own().observer()).unwrap_or(StreamStatus::Settled)
    }

    /// Whether there is nothing under the player to move on: it is between two places, or the eye has flown so far away
    /// that the world around the player is not loaded.
    pub(super) fn is_waiting(&self) -> bool {
        let is_here = self.world().cell(self.position().cell).is_some();
        self.is_travelling() || self.streaming() == StreamStatus::Holding || !is_here
    }

    /// What is loading, or nothing.
    pub fn loading(&self) -> Option<String> {
        match self.streaming() {
            _ if self.is_travelling() => Some(format!("on the way to {}", self.destination)),
            StreamStatus::Holding => Some("waiting for the ground".into()),
            StreamStatus::Loading(blocks) => Some(format!("loading {blocks} landblocks")),
            StreamStatus::Settled => None,
        }
    }

    /// What the world is loaded around: the player, or the eye while it flies.
    pub fn focus(&self) -> Position {
        let flying = self.eye().position().filter(|_| self.eye().is_flying());
        flying.copied().unwrap_or_else(|| self.position())
    }
}

/// Whether any part of a block, or of the rooms a little beside it, may lie within some metres of the eye.
fn is_within(block: BlockId, eye: &Position, reach: f32) -> bool {
    let low = threshold_world::coords::block_offset(eye.cell, block.cell(1)).truncate();
    let at = eye.frame.origin.truncate();
    let nearest = at.clamp(low, low + BLOCK_SIDE);
    block == eye.cell.block() || eye.cell.is_interior() || nearest.distance(at) < reach + STEP
}
