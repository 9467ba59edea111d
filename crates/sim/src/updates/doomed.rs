//! Objects that will be forgotten. Spec: entities §4.2.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use threshold_world::EPSILON;

/// Seconds after which what has left the world is forgotten.
pub(super) const GRACE: f64 = 25.0;

/// When objects are to be destroyed. Adding one again prolongs its time; its old entry in the queue dies unnoticed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Doomed {
    times: BTreeMap<u32, f64>,
    /// As every object gets the same time, in the order of their ends.
    queue: VecDeque<(f64, u32)>,
}

impl Doomed {
    /// Retail: `CObjectMaint::AddObjectToBeDestroyed`.
    pub(super) fn add(&mut self, guid: u32, now: f64) {
        let end = now + GRACE;
        self.times.insert(guid, end);
        self.queue.push_back((end, guid));
    }

    /// Retail: `CObjectMaint::RemoveObjectToBeDestroyed`.
    pub(super) fn remove(&mut self, guid: u32) {
        self.times.remove(&guid);
    }

    /// Whether nothing is to be destroyed.
    pub(super) fn is_idle(&self) -> bool {
        self.queue.is_empty()
    }

    /// Whether an object is to be destroyed.
    pub(super) fn contains(&self, guid: u32) -> bool {
        self.times.contains_key(&guid)
    }

    /// The next object whose time has come.
    pub(super) fn take_due(&mut self, now: f64) -> Option<u32> {
        while let Some((end, guid)) = self.queue.front().copied().filter(|(end, _)| *end < now) {
            self.queue.pop_front();
            if self.times.get(&guid).is_some_and(|time| (time - end).abs() < f64::from(EPSILON)) {
                self.times.remove(&guid);
                return Some(guid);
            }
        }
        None
    }

    pub(super) fn words(&self) -> impl Iterator<Item = u32> + '_ {
        self.times.iter().flat_map(|(&guid, time)| {
            let bits = time.to_bits();
            [guid, bits as u32, (bits >> 32) as u32]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn example_24_an_object_is_destroyed_25_seconds_after_it_was_last_added() {
        let mut doomed = Doomed::default();
        doomed.add(7, 100.0);
        assert_eq!(doomed.take_due(125.0), None, "not yet");
        assert_eq!(doomed.take_due(125.001), Some(7));
        assert_eq!(doomed.take_due(1000.0), None, "once");
        doomed.add(7, 100.0);
        doomed.add(7, 110.0);
        assert_eq!(doomed.take_due(130.0), None, "the entry for 125 is stale");
        assert_eq!(doomed.take_due(135.0), None);
        assert_eq!(doomed.take_due(135.001), Some(7));
        doomed.add(7, 200.0);
        doomed.remove(7);
        assert_eq!(doomed.take_due(1000.0), None, "it came back");
    }
}
