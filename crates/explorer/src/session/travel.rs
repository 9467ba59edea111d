//! Going somewhere at once: the world there is loaded first, then the player is put down.

use super::Session;
use crate::data::Data;
use anyhow::{Result, bail};
use threshold_physics::{PlaceOptions, Placement};
use threshold_world::{Position, loc::Place as Spot, stream::StreamStatus};

/// A teleport under way.
pub(super) struct Journey {
    spot: Spot,
    pub(super) name: String,
}

/// Whether there is any land where a position is.
pub(super) fn check_block(data: &Data, position: &Position) -> Result<()> {
    let block = position.cell.block();
    if !data.blocks.contains(&block) {
        bail!("there is no landblock {block} in these data files");
    }
    Ok(())
}

impl Session {
    /// Sets out for a place given as a person gives it: name, `/loc` or map coordinates.
    pub fn go(&mut self, text: &str) -> Result<()> {
        let spot = self.data.find(text)?;
        self.travel(spot, text.trim())
    }

    /// Sets out for a place; the player is there as soon as it is loaded.
    pub fn travel(&mut self, spot: Spot, name: &str) -> Result<()> {
        check_block(&self.data, &spot.flat())?;
        self.resume_present();
        self.journey = Some(Journey { spot, name: name.to_owned() });
        self.stream()
    }

    /// Whether the player is between two places.
    pub fn is_travelling(&self) -> bool {
        self.journey.is_some()
    }

    /// What the world is loaded around: the player, or the eye while it flies.
    pub fn focus(&self) -> Position {
        let flying = self.eye.position().filter(|_| self.eye.is_flying());
        flying.copied().unwrap_or_else(|| self.position())
    }

    /// Keeps the world loaded around the player or the flying eye, or around where he is going, and puts him down there.
    pub(super) fn stream(&mut self) -> Result<()> {
        let Some(journey) = &self.journey else {
            let focus = self.focus();
            self.streaming.update(&mut self.world, &mut self.scene, &focus);
            return Ok(());
        };
        let spot = journey.spot;
        let target = spot.flat();
        self.streaming.update(&mut self.world, &mut self.scene, &target);
        let resolved = spot.resolve(&self.world);
        let is_there = self.world.cell(resolved.cell).is_some();
        if is_there {
            let name = std::mem::take(&mut self.journey).map(|journey| journey.name).unwrap_or_default();
            self.arrive(&resolved)?;
            self.journal.note(self.ticks, format!("arrived: {name}"));
        } else if self.streaming.status == StreamStatus::Settled || self.lacks(&resolved) {
            self.journey = None;
            self.journal.note(self.ticks, format!("there is no cell {} in these data files", resolved.cell));
        }
        Ok(())
    }

    /// Whether a place's block is loaded without the cell that the place is in.
    fn lacks(&self, position: &Position) -> bool {
        let Some(block) = self.world.block_data(position.cell.block()) else { return false };
        position.cell.is_interior() && block.env_cell(position.cell.low()).is_none()
    }

    /// Puts the player down with the original's search for a free spot.
    pub(super) fn arrive(&mut self, position: &Position) -> Result<()> {
        let (placement, result) =
            self.scene.place(&self.world, self.player, position, PlaceOptions::default())?;
        if placement != Placement::Placed {
            self.journal.note(self.ticks, format!("there is no room at {position}"));
        }
        if let Some((from, to)) = result.cell_changed {
            self.journal.cross(self.ticks, from, to);
        }
        self.scene.set_velocity(self.player, glam::Vec3::ZERO)?;
        self.scene.drain_events();
        self.previous = self.position();
        self.safe = self.previous;
        self.velocities = Default::default();
        self.pending_turn = 0.0;
        self.touched.clear();
        self.eye.reset();
        Ok(())
    }
}
