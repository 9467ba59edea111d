//! The clock.
//!
//! The simulation runs in ticks of a thirtieth of a second. [`Simulation::advance`](crate::Simulation::advance) takes any
//! stretch of time, runs the ticks that are complete and keeps the rest for the next call. A tick advances the scene's
//! clock once, then brings every object up to it; each object steps by the original's own quanta since its last update.
//! Nothing else advances time: updating or driving an object, however often, never does.

use crate::SimError;
use serde::{Deserialize, Serialize};

/// Ticks in a second.
pub const TICKS_PER_SECOND: u64 = 30;
/// Seconds of a tick.
pub const TICK: f64 = 1.0 / TICKS_PER_SECOND as f64;
/// The longest stretch that one call may ask for, in seconds.
pub const MAX_ADVANCE: f64 = 3600.0;
/// What rounding may take from a tick that is complete.
const ROUNDING: f64 = 1e-9;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Clock {
    /// Ticks since the beginning.
    pub(crate) ticks: u64,
    /// Seconds that have passed and are no whole tick yet.
    pending: f64,
}

impl Clock {
    /// Lets time pass; how many ticks are complete now.
    pub(crate) fn pass(&mut self, seconds: f64) -> Result<u64, SimError> {
        if !(0.0..=MAX_ADVANCE).contains(&seconds) {
            return Err(SimError::BadTime(seconds));
        }
        self.pending += seconds;
        let due = (self.pending * TICKS_PER_SECOND as f64 + ROUNDING).floor();
        self.pending = (self.pending - due / TICKS_PER_SECOND as f64).max(0.0);
        Ok(due as u64)
    }

    /// Part of the next tick that has passed, 0…1.
    pub(crate) fn fraction(&self) -> f32 {
        (self.pending / TICK).clamp(0.0, 1.0) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_is_thirty_ticks_however_it_is_cut() {
        for pieces in [1, 7, 30, 60, 144, 1000] {
            let mut clock = Clock::default();
            let ticks: u64 = (0..pieces).map(|_| clock.pass(1.0 / f64::from(pieces)).unwrap()).sum();
            assert_eq!(ticks, 30, "{pieces} pieces");
        }
    }

    #[test]
    fn time_does_not_run_backwards_nor_for_ever() {
        for seconds in [-0.1, f64::NAN, f64::INFINITY, 3600.1] {
            assert!(Clock::default().pass(seconds).is_err(), "{seconds}");
        }
        assert_eq!(Clock::default().pass(3600.0).unwrap(), 108_000);
    }
}
