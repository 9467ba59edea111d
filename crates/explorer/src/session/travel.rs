//! Going somewhere at once or on foot, and what has to be waited for.

use super::Session;
use anyhow::Result;
use threshold_sim::{Position, nav::Policy};
use threshold_world::{loc::Place, stream::StreamStatus};

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
        match self.sim.go_to(self.player, &goal, &Policy::default())? {
            Ok(route) => {
                let doors = if route.doors.is_empty() {
                    String::new()
                } else {
                    format!(", {} doors", route.doors.len())
                };
                self.note(format!("walks to {name}: {:.0} m{doors}", route.length));
            }
            Err(why) => {
                self.note(format!(
                    "no way to {name}: {}; it ends {:.0} m before, at {}",
                    why.why, why.gap, why.nearest
                ));
                self.region_end = Some(why.nearest);
            }
        }
        Ok(())
    }

    /// What is left of the way that the player walks by itself.
    pub fn way_ahead(&self) -> &[Position] {
        self.sim.way_ahead(self.player)
    }

    /// Where the region ended that the player can reach, when it last asked for a way and there was none.
    pub fn region_end(&self) -> Option<&Position> {
        self.region_end.as_ref()
    }

    /// Whether the player is between two places.
    pub fn is_travelling(&self) -> bool {
        self.own().is_travelling()
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
