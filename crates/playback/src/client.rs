//! A player that follows its client's keys, compared with the positions that the client's own physics computed.
//! Spec: wire §9.

use crate::{Finding, FindingKind, Report, judge::Source};
use serde::Serialize;
use threshold_physics::scene::PlaceOptions;
use threshold_scenario::{Record, Witness, bystanders};
use threshold_sim::{EntityKey, Position, SimError, Simulation, TICK};

/// Differences that are kept.
const MOST_DIFFERENCES: usize = 1_000_000;
/// Rotations that differ by less than this are the same: positions are brought to unit length when they are read.
const SAME_TURN: f32 = 1e-5;

/// How the client's keys and its positions fit together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClientVerdict {
    /// Positions that were compared.
    pub compared: usize,
    /// Of these, in the cell that the client reported.
    pub same_cell: usize,
    /// Metres between the client's position and the simulated one.
    pub metres: Spread,
    /// The sweep before the first position that was too far off, with the client's report as the expected result.
    #[serde(skip)]
    pub first_divergence: Option<Box<Record>>,
}

/// How numbers are distributed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// Half of them are not above this.
    pub median: f32,
    /// Nine of ten are not above this.
    pub p90: f32,
    /// 99 of 100 are not above this.
    pub p99: f32,
    /// The largest.
    pub max: f32,
}

impl Spread {
    /// Sorts the numbers and looks at them.
    pub fn of(numbers: &mut [f32]) -> Spread {
        numbers.sort_by(f32::total_cmp);
        let rank = |part: f64| {
            let index = (numbers.len() as f64 * part).ceil() as usize;
            numbers.get(index.saturating_sub(1)).copied().unwrap_or(0.0)
        };
        Spread { median: rank(0.5), p90: rank(0.9), p99: rank(0.99), max: rank(1.0) }
    }
}

/// What is known of the player between two reports.
#[derive(Clone, Debug, Default)]
pub(crate) struct Client {
    differences: Vec<f32>,
    same_cell: usize,
    /// Where it was before the last tick.
    previous: Option<Position>,
    /// Part of a tick by which the simulation lags behind the client since they were last brought together.
    lag: f64,
    witness: Witness,
    first_divergence: Option<Box<Record>>,
}

/// A report and when it came.
pub(crate) struct Told<'r> {
    pub(crate) report: &'r Report,
    /// Part of the tick that has passed.
    pub(crate) fraction: f64,
    pub(crate) source: Source,
}

impl Client {
    /// A tick with the player's sweep in view.
    pub(crate) fn tick(&mut self, sim: &mut Simulation, player: EntityKey) -> Result<(), SimError> {
        self.previous = sim.position(player).ok();
        if self.first_divergence.is_none() {
            self.witness = Witness::before(sim.scene(), player);
        }
        let witness = &mut self.witness;
        sim.tick_watched(&mut |step| witness.watch(step))
    }

    /// Where the player would be here at the moment of a report: positions are known only at ticks.
    fn expected(&self, now: &Position, fraction: f64) -> Position {
        let mut expected = *now;
        if let Some(previous) = &self.previous {
            let step = previous.offset_to(now);
            // A jump from one place to another is no speed.
            if step.length() < 60.0 * TICK as f32 {
                expected.frame.origin += step * (fraction - self.lag) as f32;
            }
        }
        expected
    }

    /// Compares the player with what its client reports, and brings the two together. A finding when they are farther
    /// apart than `tolerance` metres.
    pub(crate) fn compare(
        &mut self,
        sim: &mut Simulation,
        player: EntityKey,
        told: &Told<'_>,
        tolerance: f32,
    ) -> Result<Option<Finding>, SimError> {
        let Some(&at) = told.report.position() else { return Ok(None) };
        let ours = sim.position(player)?;
        if sim.entity(player)?.cell.is_none() || sim.player(player)?.is_travelling() {
            return Ok(None);
        }
        let metres = self.expected(&ours, told.fraction).distance_to(&at);
        if self.differences.len() < MOST_DIFFERENCES {
            self.differences.push(metres);
            self.same_cell += usize::from(ours.cell == at.cell);
        }
        let mut finding = None;
        if metres > tolerance {
            let text = format!("is {metres:.3} m from where its client says it is");
            let guid = sim.entity(player)?.guid;
            let found = crate::judge::finding(sim, FindingKind::Diverged, told.source, guid, text);
            finding = Some(Finding { told: Some(at), ours: Some(ours), ..found });
            if self.first_divergence.is_none() {
                self.first_divergence = self.capture(sim, player, &at, told.source).map(Box::new);
            }
        }
        if !is_same(&ours, &at) {
            put(sim, player, &at)?;
            self.lag = told.fraction;
        }
        Ok(finding)
    }

    /// The last sweep, with what the client says as its result.
    fn capture(&self, sim: &Simulation, player: EntityKey, at: &Position, source: Source) -> Option<Record> {
        let line = self.witness.report(sim.scene(), player, sim.ticks() as i64 - 1);
        let others = bystanders(sim.scene(), player);
        let id = format!("watch/packet{}", source.packet);
        let mut record = self.witness.record(id, sim.entity(player).ok()?, &others, &line)?;
        record.after.ok = true;
        record.after.cell = at.cell;
        record.after.origin = at.frame.origin.into();
        record.after.rotation = Some(at.frame.rotation());
        Some(record)
    }

    pub(crate) fn verdict(&self) -> ClientVerdict {
        ClientVerdict {
            compared: self.differences.len(),
            same_cell: self.same_cell,
            metres: Spread::of(&mut self.differences.clone()),
            first_divergence: self.first_divergence.clone(),
        }
    }
}

fn is_same(a: &Position, b: &Position) -> bool {
    let [a_turn, b_turn] = [a, b].map(|position| <[f32; 4]>::from(position.frame.rotation()));
    a.cell == b.cell
        && a.frame.origin == b.frame.origin
        && a_turn.iter().zip(b_turn).all(|(a, b)| (a - b).abs() < SAME_TURN)
}

/// Puts a player where its client says it is: exactly there, else as near as there is room.
pub(crate) fn put(sim: &mut Simulation, player: EntityKey, at: &Position) -> Result<(), SimError> {
    if sim.world().cell(at.cell).is_none() {
        if sim.blocks().contains(&at.cell.block()) {
            sim.teleport(player, *at)?;
        }
        return Ok(());
    }
    let (world, scene) = sim.parts_mut();
    let exact = PlaceOptions::default().slide(false);
    let (placement, _) = scene.place(world, player, at, exact)?;
    if placement != threshold_physics::Placement::Placed {
        scene.place(world, player, at, PlaceOptions::default())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_by_rank() {
        let mut numbers: Vec<f32> = (1..=100).rev().map(|n| n as f32).collect();
        let spread = Spread::of(&mut numbers);
        assert_eq!((spread.median, spread.p90, spread.p99, spread.max), (50.0, 90.0, 99.0, 100.0));
        assert_eq!(Spread::of(&mut [7.0]), Spread { median: 7.0, p90: 7.0, p99: 7.0, max: 7.0 });
        assert_eq!(Spread::of(&mut []), Spread::default());
    }
}
