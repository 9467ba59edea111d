//! Checks the server's updates against the world.

use crate::{ClientVerdict, Finding, FindingKind};
use glam::Vec3;
use serde::Serialize;
use std::collections::BTreeMap;
use threshold_sim::{
    Applied, Event, Position, SimError, Simulation, State,
    update::{StateUpdate, Update},
};
use threshold_world::{CellId, coords::CELL_SIDE, motion::Command};

/// Findings that are kept; more are counted.
const MOST_FINDINGS: usize = 10_000;
/// Metres outside its land cell up to which a point counts as on its border.
const BORDER: f32 = 0.01;
/// Metres by which the search for room may move an object out of its land cell.
const ASIDE: f32 = 2.0;

/// The result of playing a session.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Verdict {
    /// Ticks that were run.
    pub ticks: u64,
    /// Seconds from the first to the last record that was played.
    pub seconds: f64,
    /// Captured records with updates of objects.
    pub records: u64,
    /// Objects that the server described.
    pub objects: usize,
    /// Objects that were there at once, at most.
    pub most_objects: usize,
    /// Updates that were applied.
    pub done: u64,
    /// Overtaken by newer ones.
    pub stale: u64,
    /// Kept until their object is described.
    pub queued: u64,
    /// Of no use.
    pub refused: u64,
    /// How often each kind was found.
    pub counts: BTreeMap<FindingKind, u64>,
    /// The first of all findings.
    pub findings: Vec<Finding>,
    /// How the client's keys and its positions fit together, if they were compared.
    pub client: Option<ClientVerdict>,
}

impl Verdict {
    /// Whether there are no findings.
    pub fn is_clean(&self) -> bool {
        self.counts.is_empty()
    }

    pub(crate) fn add(&mut self, finding: Finding) {
        *self.counts.entry(finding.kind).or_default() += 1;
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(finding);
        }
    }
}

/// Where in the session something was said.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Source {
    pub(crate) packet: u64,
    pub(crate) seconds: f64,
}

/// Looks at everything that is said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judge {
    pub(crate) verdict: Verdict,
    /// Objects that were said to be somewhere and are in no cell.
    unplaced: BTreeMap<u32, Unplaced>,
    alive: usize,
}

/// An object that is in no cell: where and when it was said to be, and its name, which is forgotten with it.
#[derive(Clone, Debug)]
struct Unplaced {
    source: Source,
    at: Position,
    name: String,
}

impl Unplaced {
    fn new(sim: &Simulation, guid: u32, source: Source, at: Position) -> Unplaced {
        Unplaced { source, at, name: name_of(sim, Some(guid)) }
    }
}

impl Judge {
    /// Applies an update, and looks at what became of it.
    pub(crate) fn apply(&mut self, sim: &mut Simulation, update: &Update, source: Source) {
        match sim.apply(update) {
            Ok(Applied::Done) => {
                self.verdict.done += 1;
                self.look_at(sim, update, source);
            }
            Ok(Applied::Stale) => self.verdict.stale += 1,
            Ok(Applied::Queued) => self.verdict.queued += 1,
            Err(error) => {
                self.verdict.refused += 1;
                let kind = if matches!(error, SimError::NoCell(_)) {
                    FindingKind::Cell
                } else {
                    FindingKind::Refused
                };
                let told = match update {
                    Update::Position(update) => Some(update.position),
                    _ => None,
                };
                let finding =
                    Finding { told, ..finding(sim, kind, source, update.guid(), error.to_string()) };
                self.verdict.add(finding);
            }
        }
        self.take_events(sim, source);
    }

    fn look_at(&mut self, sim: &mut Simulation, update: &Update, source: Source) {
        match update {
            Update::Create(object) | Update::CreateAnew(object) => {
                let position = object.position.filter(|_| object.parent.is_none());
                if let Some(at) = position {
                    self.look_at_place(sim, object.guid, at, source);
                }
            }
            // Without contact a position moves nothing.
            Update::Position(update) if update.contact => {
                self.look_at_place(sim, update.guid, update.position, source);
            }
            Update::State(update) => self.look_at_door(sim, update, source),
            // What is held or put away need not be anywhere.
            Update::Parent(update) => drop(self.unplaced.remove(&update.child)),
            Update::Pickup(update) => drop(self.unplaced.remove(&update.guid)),
            _ => {}
        }
    }

    fn look_at_place(&mut self, sim: &Simulation, guid: u32, at: Position, source: Source) {
        // The own player is where its client says.
        if sim.own_player() == Some(guid) {
            return;
        }
        let Some(entity) = sim.find(guid).and_then(|key| sim.entity(key).ok()) else { return };
        let follows =
            entity.position_manager().is_some_and(|manager| manager.interpolation.nodes().len() > 0);
        let Some(cell) = entity.cell else {
            // Where nothing is loaded an object waits.
            if sim.world().cell(at.cell).is_some() {
                self.unplaced.entry(guid).or_insert_with(|| Unplaced::new(sim, guid, source, at));
            }
            return;
        };
        self.unplaced.remove(&guid);
        if follows || cell == at.cell {
            return;
        }
        // Land cells are squares without walls: on a border, or put aside, an object is where it was said to be.
        if cell.is_outdoor() && at.cell.is_outdoor() {
            let ours = at.frame.origin + at.offset_to(&entity.position);
            if outside(at.cell, at.frame.origin) <= BORDER && outside(at.cell, ours) <= ASIDE {
                return;
            }
        }
        let text = format!("is in cell {cell} here, not in {}", at.cell);
        let found = finding(sim, FindingKind::Cell, source, Some(guid), text);
        self.verdict.add(Finding { told: Some(at), ours: Some(entity.position), ..found });
    }

    /// A door becomes solid: whether somebody stands where its leaf will be.
    fn look_at_door(&mut self, sim: &mut Simulation, update: &StateUpdate, source: Source) {
        let is_door = sim.described(update.guid).is_some_and(|object| object.game.is_door());
        let closes = !State::from_bits_truncate(update.state).contains(State::ETHEREAL);
        let Some(key) = sim.find(update.guid).filter(|_| is_door && closes) else { return };
        let (world, scene) = sim.parts_mut();
        if scene.is_blocked_in(world, key, Command::OFF).unwrap_or(false) {
            let text = "closes while something stands in it".to_owned();
            let found = finding(sim, FindingKind::DoorBlocked, source, Some(update.guid), text);
            self.verdict.add(Finding { ours: sim.position(key).ok(), ..found });
        }
    }

    /// Takes over what has happened since the last time.
    pub(crate) fn take_events(&mut self, sim: &mut Simulation, source: Source) {
        let events: Vec<Event> = sim.drain_events().collect();
        for event in events {
            match event {
                Event::Created(_) => {
                    self.alive += 1;
                    self.verdict.objects += 1;
                    self.verdict.most_objects = self.verdict.most_objects.max(self.alive);
                }
                Event::Deleted(guid) => {
                    self.alive = self.alive.saturating_sub(1);
                    self.give_up(sim, guid);
                }
                Event::CellChanged { entity, to: Some(_), .. } => {
                    if let Some(guid) = sim.entity(entity).ok().and_then(|entity| entity.guid) {
                        self.unplaced.remove(&guid);
                    }
                }
                Event::NoSuchPlace { entity, at } => {
                    let guid = sim.entity(entity).ok().and_then(|entity| entity.guid);
                    let text = format!("there is no cell {} in these data files", at.cell);
                    let found = finding(sim, FindingKind::Cell, source, guid, text);
                    self.verdict.add(Finding { told: Some(at), ..found });
                    self.unplaced.extend(guid.map(|guid| (guid, Unplaced::new(sim, guid, source, at))));
                }
                Event::GaveUpFollowing { entity, from } => {
                    let guid = sim.entity(entity).ok().and_then(|entity| entity.guid);
                    let text =
                        "could not walk to where it was said to be: something is in the way".to_owned();
                    let found = finding(sim, FindingKind::Blocked, source, guid, text);
                    self.verdict.add(Finding { told: sim.position(entity).ok(), ours: Some(from), ..found });
                }
                Event::UpdateRefused { guid, why } => {
                    self.verdict.refused += 1;
                    self.verdict.add(finding(sim, FindingKind::Refused, source, Some(guid), why));
                }
                _ => {}
            }
        }
    }

    /// An object that was never anywhere is gone.
    fn give_up(&mut self, sim: &Simulation, guid: u32) {
        if let Some(Unplaced { source, at, name }) = self.unplaced.remove(&guid) {
            let text = "never came to be in any cell: there was no room, or no such place".to_owned();
            let found = finding(sim, FindingKind::NeverPlaced, source, Some(guid), text);
            self.verdict.add(Finding { told: Some(at), name, ..found });
        }
    }

    /// The connection is over.
    pub(crate) fn forget(&mut self, sim: &mut Simulation) {
        sim.forget_server();
        self.take_events(sim, Source::default());
        self.unplaced.clear();
        self.alive = 0;
    }

    /// The session is over: whatever is not anywhere now never will be.
    pub(crate) fn finish(&mut self, sim: &Simulation) {
        let left: Vec<u32> = self.unplaced.keys().copied().collect();
        left.into_iter().for_each(|guid| self.give_up(sim, guid));
    }
}

/// How far a point of its block is outside a land cell, along the farther axis.
fn outside(cell: CellId, point: Vec3) -> f32 {
    let index = (cell.0 & 0xFFFF).saturating_sub(1);
    let beyond = |at: f32, row: u32| {
        let low = row as f32 * CELL_SIDE;
        (low - at).max(at - low - CELL_SIDE)
    };
    beyond(point.x, index / 8).max(beyond(point.y, index % 8))
}

/// A finding about an object, without places.
pub(crate) fn finding(
    sim: &Simulation,
    kind: FindingKind,
    source: Source,
    guid: Option<u32>,
    text: String,
) -> Finding {
    let Source { packet, seconds } = source;
    Finding { kind, packet, seconds, guid, name: name_of(sim, guid), told: None, ours: None, text }
}

/// The name that the server gave an object.
fn name_of(sim: &Simulation, guid: Option<u32>) -> String {
    guid.and_then(|guid| sim.described(guid)).map(|object| object.game.name.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_land_cell_is_a_square_of_its_block() {
        // Cell 0x2B: column 5, row 2.
        let outside = |x, y| outside(CellId(0x8080_002B), Vec3::new(x, y, 0.0));
        assert_eq!((outside(120.0, 50.0), outside(132.0, 60.0)), (0.0, -12.0));
        assert_eq!((outside(118.0, 50.0), outside(130.0, 75.0)), (2.0, 3.0));
    }
}
