//! Time that stands still and can be turned back.

use super::{AT_REST, Session, history::Moment};
use anyhow::{Context, Result};
use threshold_scenario::StepReport;

impl Session {
    /// Whether time stands still.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Stops time, or lets it go on from the moment that is shown.
    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
        self.accumulator = 0.0;
        self.previous = self.position();
        if !paused {
            self.resume_present();
        }
    }

    /// Ticks that are remembered before the present.
    pub fn remembered(&self) -> usize {
        self.history.len() - usize::from(self.history.shown.is_some())
    }

    /// How many ticks back the shown moment lies.
    pub fn ticks_back(&self) -> usize {
        self.history.shown.map_or(0, |shown| self.history.len() - 1 - shown)
    }

    /// Shows the moment so many ticks before the present; time stands still.
    pub fn rewind(&mut self, ticks_back: usize) -> Result<()> {
        self.set_paused_at_present()?;
        let index = (self.history.len() - 1).saturating_sub(ticks_back);
        self.history.shown = Some(index);
        let moment: Moment = self.history.get(index).cloned().context("nothing is remembered")?;
        self.streaming.settle(&mut self.world, &mut self.scene, moment.place());
        moment.restore(&self.world, &mut self.scene)?;
        self.scene.drain_events();
        self.ticks = moment.tick;
        self.doors.restore(&moment.open);
        self.controller = moment.controller;
        self.previous = moment.previous;
        self.pending_turn = 0.0;
        self.touched.clear();
        self.last = StepReport::of(&self.scene, self.player, self.ticks as i64 - 1, &AT_REST);
        self.journey = None;
        Ok(())
    }

    /// The present becomes the last remembered moment, so that one can come back to it.
    fn set_paused_at_present(&mut self) -> Result<()> {
        self.paused = true;
        self.accumulator = 0.0;
        if self.history.shown.is_none() {
            let now = (self.ticks, &self.controller, self.previous);
            let present = self.history.capture(&self.scene, self.player, now, &self.doors);
            self.history.push(present.context("the player is gone")?);
            self.history.shown = Some(self.history.len() - 1);
        }
        Ok(())
    }

    /// What is shown becomes the present.
    pub(super) fn resume_present(&mut self) {
        if self.history.shown.is_some() {
            self.history.cut();
            self.journal.forget_after(self.ticks);
        }
    }
}
