//! Ticks of a session by the times of its records.

use threshold_sim::TICKS_PER_SECOND;
use threshold_wire::Time;

/// Microseconds by which a time may be off and still count as its tick: captures round to microseconds.
const ROUNDING: u64 = 50;
/// Longest time in which nothing is captured, in ticks; longer gaps are cut to this.
const LONGEST_GAP: u64 = 60 * TICKS_PER_SECOND;
const SECOND: u128 = 1_000_000;

/// Whole ticks in a number of microseconds, and the fraction of the next one.
pub fn tick_at(micros: u64) -> (u64, f64) {
    let scale = u128::from(TICKS_PER_SECOND);
    let (micros, rounding) = (u128::from(micros), u128::from(ROUNDING));
    let ticks = (micros + rounding) * scale / SECOND;
    let rest = (micros * scale).saturating_sub(ticks * SECOND);
    let fraction = rest as f64 / SECOND as f64;
    (ticks as u64, if micros * scale < ticks * SECOND + rounding * scale { 0.0 } else { fraction })
}

/// Microseconds from the start to a tick.
pub fn time_of_tick(ticks: u64) -> u64 {
    (u128::from(ticks) * SECOND).div_ceil(u128::from(TICKS_PER_SECOND)) as u64
}

/// When the records of a session are played. Time never runs backwards, and long gaps without records are cut.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timeline {
    start: Option<Time>,
    /// Microseconds from the start to the last record, and what was cut from them.
    last: u64,
    cut: u64,
    tick: u64,
}

impl Timeline {
    /// The tick in which a record is played, counted from the first one, and the part of it that has passed then.
    pub fn tick_of(&mut self, time: Time) -> (u64, f64) {
        let start = *self.start.get_or_insert(time);
        self.last = time.0.saturating_sub(start.0).max(self.last);
        let (tick, fraction) = tick_at(self.last - self.cut);
        let gap = tick.saturating_sub(self.tick + LONGEST_GAP);
        self.cut += time_of_tick(gap);
        self.tick = tick - gap;
        (self.tick, fraction)
    }

    /// Microseconds from the first to the last record.
    pub fn micros(&self) -> u64 {
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_met_although_captures_round() {
        for tick in (0..1_000_000).step_by(7919).chain(0..100) {
            assert_eq!(tick_at(time_of_tick(tick)), (tick, 0.0));
        }
        let (tick, fraction) = tick_at(50_000);
        assert!(tick == 1 && (fraction - 0.5).abs() < 1e-9, "{tick} {fraction}");
    }

    #[test]
    fn long_gaps_are_cut_and_time_does_not_run_backwards() {
        let mut timeline = Timeline::default();
        let second = |n: u64| Time(1_000_000 * n);
        let mut at = |time| timeline.tick_of(time).0;
        assert_eq!([second(100), second(101), second(90), second(161)].map(&mut at), [0, 30, 30, 1830]);
        assert_eq!(
            [second(100_000), second(100_001)].map(&mut at),
            [3630, 3660],
            "a minute of the day is left"
        );
        assert_eq!([Time(u64::MAX), Time(0), Time(u64::MAX)].map(at), [5460; 3], "no time is too late");
    }
}
