//! The set of patches a file has seen, stored as record 0xFFFF0001. Spec: dat-container §8.

use crate::{DatId, RecordError};
use std::ops::RangeInclusive;

/// More patches than any file has; the game was patched about 2,000 times.
const MAX_MEMBERS: u32 = 100_000;

/// Patch numbers, as runs that ascend and do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IterationSet {
    runs: Vec<RangeInclusive<u32>>,
}

impl IterationSet {
    /// All patches from 1 to `newest`, which is what a complete file holds.
    pub fn complete(newest: u32) -> IterationSet {
        IterationSet { runs: if newest == 0 { Vec::new() } else { vec![1..=newest] } }
    }

    /// The newest patch, 0 when there is none.
    pub fn current(&self) -> u32 {
        self.runs.last().map_or(0, |run| *run.end())
    }

    /// Whether no patch from 1 to the newest is missing.
    pub fn is_complete(&self) -> bool {
        *self == IterationSet::complete(self.current())
    }

    /// All members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.runs.iter().cloned().flatten()
    }

    /// Adds a patch.
    pub fn insert(&mut self, iteration: u32) {
        if !self.runs.iter().any(|run| run.contains(&iteration)) {
            self.runs.push(iteration..=iteration);
            self.normalise();
        }
    }

    fn normalise(&mut self) {
        self.runs.sort_by_key(|run| *run.start());
        let mut merged: Vec<RangeInclusive<u32>> = Vec::with_capacity(self.runs.len());
        for run in self.runs.drain(..) {
            match merged.last_mut() {
                Some(last) if *run.start() <= last.end().saturating_add(1) => {
                    *last = *last.start()..=(*last.end()).max(*run.end());
                }
                _ => merged.push(run),
            }
        }
        self.runs = merged;
    }

    /// Reads the record.
    pub fn decode(bytes: &[u8]) -> Result<IterationSet, RecordError> {
        let mut words = Words { bytes, at: 0 };
        let members = words.next("count")?;
        let mut remaining = u32::try_from(members)
            .ok()
            .filter(|&count| count <= MAX_MEMBERS)
            .ok_or_else(|| words.refused("count", format!("{members}, expected 0 to {MAX_MEMBERS}")))?;
        let mut set = IterationSet::default();
        while remaining > 0 {
            let item = words.next("item")?;
            let (length, start) =
                if item < 0 { (item.unsigned_abs(), words.next("run")?) } else { (1, item) };
            if length > remaining {
                return Err(words.refused("run", format!("length {length}, {remaining} members left")));
            }
            let first =
                u32::try_from(start).map_err(|_| words.refused("run", format!("starts at {start}")))?;
            set.runs.push(first..=first + (length - 1));
            remaining -= length;
        }
        set.normalise();
        Ok(set)
    }

    /// The stored form: runs of three and more as a length and a start, shorter ones number by number.
    pub fn encode(&self) -> Vec<u8> {
        let mut words = vec![0];
        for run in &self.runs {
            let length = run.end() - run.start() + 1;
            words[0] += length;
            if length >= 3 {
                words.extend([length.wrapping_neg(), *run.start()]);
            } else {
                words.extend(run.clone());
            }
        }
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Words<'_> {
    fn next(&mut self, field: &'static str) -> Result<i32, RecordError> {
        let word = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk);
        let word = word.ok_or_else(|| self.refused(field, "the record ends here".to_owned()))?;
        self.at += 4;
        Ok(i32::from_le_bytes(*word))
    }

    fn refused(&self, field: &'static str, problem: String) -> RecordError {
        RecordError { id: DatId::ITERATION, field, offset: self.at, problem }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[i32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Golden example 28.
    #[test]
    fn a_complete_set_is_one_run() {
        let bytes = words(&[2072, -2072, 1]);
        let set = IterationSet::decode(&bytes).unwrap();
        assert_eq!((set.current(), set.iter().count(), set.is_complete()), (2072, 2072, true));
        assert_eq!(set, IterationSet::complete(2072));
        assert_eq!(set.encode(), bytes);
    }

    /// Golden example 29.
    #[test]
    fn gaps_are_kept() {
        let bytes = words(&[7, -4, 1, 6, 9, 10]);
        let set = IterationSet::decode(&bytes).unwrap();
        assert_eq!(set.iter().collect::<Vec<_>>(), [1, 2, 3, 4, 6, 9, 10]);
        assert!(!set.is_complete());
        assert_eq!(set.encode(), bytes);
    }

    #[test]
    fn the_next_patch_extends_the_run() {
        let mut set = IterationSet::complete(982);
        set.insert(983);
        set.insert(983);
        assert_eq!(set, IterationSet::complete(983));
        set.insert(990);
        assert_eq!(set.encode(), words(&[984, -983, 1, 990]));
    }

    /// Golden example 81, and the other checks of dat-container §8.
    #[test]
    fn impossible_sets_are_refused() {
        for bad in [
            words(&[100_000]),
            words(&[100_001, -100_001, 1]),
            words(&[-1]),
            words(&[3, -4, 1]),
            words(&[3, -3]),
            words(&[1, -1, -5]),
            words(&[2, i32::MIN, 1]),
            vec![1, 0],
        ] {
            let error = IterationSet::decode(&bad).unwrap_err();
            assert_eq!(error.id, DatId::ITERATION, "{bad:?}");
        }
        assert_eq!(IterationSet::decode(&words(&[0])).unwrap().current(), 0);
    }
}
