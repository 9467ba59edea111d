//! Going somewhere at once, and what has to be waited for.

use super::Session;
use anyhow::Result;
use threshold_sim::Position;
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
