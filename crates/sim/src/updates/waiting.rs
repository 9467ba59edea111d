//! Updates that came before their object. Spec: entities §2.7.

use super::{Applied, doomed::GRACE};
use crate::{Event, Simulation};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use threshold_physics::update::{Hold, Update};

/// Seconds after which a server is asked (again) for a description.
const ASK_AFTER: f64 = 20.0;
/// Objects that updates wait for; the one that was mentioned first makes room.
const MAX_OBJECTS: usize = 1024;
/// Updates that wait for one object; the oldest makes room.
const MAX_PER_OBJECT: usize = 64;

/// An object that has been mentioned and not been described. Retail: a null object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Mentioned {
    /// In the order of arrival.
    updates: Vec<Update>,
    /// When the object was mentioned first, and since then, when the server was asked last.
    asked_at: f64,
    /// When it is forgotten, unless it is mentioned again. Absent for an object that exists, whose next life the updates
    /// are about.
    ends_at: Option<f64>,
    /// What holds it, as that said in its own description.
    held_by: Option<Hold>,
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Waiting(BTreeMap<u32, Mentioned>);

impl Waiting {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn words(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().flat_map(|(&guid, object)| [guid, object.updates.len() as u32])
    }

    /// Makes room for another object; which one had to go.
    fn make_room(&mut self, guid: u32) -> Option<(u32, usize)> {
        if self.0.len() < MAX_OBJECTS || self.0.contains_key(&guid) {
            return None;
        }
        let age = |object: &Mentioned| object.ends_at.unwrap_or(object.asked_at + GRACE);
        let oldest = self.0.iter().min_by(|a, b| age(a.1).total_cmp(&age(b.1)))?;
        let oldest = *oldest.0;
        self.0.remove(&oldest).map(|object| (oldest, object.updates.len()))
    }

    fn mention(&mut self, guid: u32, now: f64) -> &mut Mentioned {
        let new = || Mentioned { updates: Vec::new(), asked_at: now, ends_at: None, held_by: None };
        self.0.entry(guid).or_insert_with(new)
    }

    /// What waited for an object: who holds it, and the updates in the order of arrival.
    pub(super) fn take(&mut self, guid: u32) -> (Option<Hold>, Vec<Update>) {
        let object = self.0.remove(&guid);
        object.map(|object| (object.held_by, object.updates)).unwrap_or_default()
    }

    /// Forgets those whose time is over, and asks for those that have been waited for long enough.
    fn tick(&mut self, now: f64, events: &mut Vec<Event>) {
        self.0.retain(|&guid, object| {
            let is_over = object.ends_at.is_some_and(|end| end < now);
            if is_over {
                events.push(Event::UpdatesDropped { guid, count: object.updates.len() });
            } else if object.ends_at.is_some() && now - object.asked_at > ASK_AFTER {
                object.asked_at = now;
                events.push(Event::DescriptionWanted(guid));
            }
            !is_over
        });
    }
}

impl Simulation {
    /// Keeps an update for an object that has not been described.
    pub(super) fn wait_for(&mut self, guid: u32, update: &Update) -> Applied {
        let now = self.scene.now();
        self.enqueue(guid, update);
        self.told_mut().waiting.mention(guid, now).ends_at = Some(now + GRACE);
        Applied::Queued
    }

    /// Keeps an update for the next life of an object.
    pub(super) fn wait_for_life(&mut self, guid: u32, update: &Update) -> Applied {
        self.enqueue(guid, update);
        Applied::Queued
    }

    fn enqueue(&mut self, guid: u32, update: &Update) {
        self.make_room(guid);
        let now = self.scene.now();
        let updates = &mut self.told_mut().waiting.mention(guid, now).updates;
        let is_full = updates.len() >= MAX_PER_OBJECT;
        if is_full {
            updates.remove(0);
        }
        updates.push(update.clone());
        if is_full {
            self.events.push(Event::UpdatesDropped { guid, count: 1 });
        }
    }

    /// Notes what holds an object that has not been described.
    pub(super) fn expect_held(&mut self, child: u32, by: Hold) {
        self.make_room(child);
        let now = self.scene.now();
        let mentioned = self.told_mut().waiting.mention(child, now);
        mentioned.held_by = Some(by);
        mentioned.ends_at = Some(now + GRACE);
    }

    fn make_room(&mut self, guid: u32) {
        if let Some((guid, count)) = self.told_mut().waiting.make_room(guid) {
            self.events.push(Event::UpdatesDropped { guid, count });
        }
    }

    pub(super) fn tick_waiting(&mut self) {
        if !self.told.waiting.is_empty() {
            let now = self.scene.now();
            let mut waiting = std::mem::take(&mut self.told_mut().waiting);
            waiting.tick(now, &mut self.events);
            self.told_mut().waiting = waiting;
        }
    }
}
