//! Time that stands still and can be turned back.

use super::Session;
use anyhow::{Context, Result};
use threshold_scenario::Witness;
use threshold_sim::Snapshot;

impl Session {
    /// Whether time stands still.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Stops time, or lets it go on from the moment that is shown.
    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
        self.sim.draw_last_tick();
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

    /// Shows the moment so many ticks before the present; time stands still. The eye stays as it is, and so do the keys.
    pub fn rewind(&mut self, ticks_back: usize) -> Result<()> {
        self.paused = true;
        if let Some(film) = &self.film {
            return self.seek(film.tick().saturating_sub(ticks_back as u64));
        }
        if self.history.shown.is_none() {
            // The present becomes the last remembered moment, so that one can come back to it.
            self.history.push(self.sim.snapshot());
        }
        let index = (self.history.len() - 1).saturating_sub(ticks_back);
        self.history.shown = Some(index);
        let moment = self.history.get(index).cloned().context("there is no history yet")?;
        self.restore(&moment)?;
        self.touched.clear();
        self.last = Witness::default().report(self.sim.scene(), self.player, self.ticks() as i64 - 1);
        Ok(())
    }

    fn restore(&mut self, moment: &Snapshot) -> Result<()> {
        let (eye, controls) = (self.own().eye.clone(), self.own().controls);
        self.sim.restore(moment)?;
        let player = self.own_mut();
        (player.eye, player.controls, player.pending_turn) = (eye, controls, 0.0);
        self.sim.draw_last_tick();
        Ok(())
    }

    /// What is shown becomes the present.
    pub(super) fn resume_present(&mut self) {
        if self.history.shown.is_some() {
            self.history.cut();
            self.journal.forget_after(self.ticks());
        }
    }
}
