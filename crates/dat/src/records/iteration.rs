//! The patch numbers a file has. Spec: dat-container §8.

use super::DatRecord;
use crate::RecordKind;
use crate::codec::{Reader, Result, Wire, Writer};
#[cfg(feature = "serde")]
use serde::Serialize;

/// A set of patch numbers, as the runs it is stored in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Iteration {
    /// In stored order.
    pub items: Vec<IterationItem>,
}

/// Some of the set's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum IterationItem {
    /// One number.
    Single(i32),
    /// Consecutive numbers.
    Run {
        /// First number.
        start: i32,
        /// How many.
        len: u32,
    },
}

impl IterationItem {
    fn len(self) -> u32 {
        match self {
            IterationItem::Single(_) => 1,
            IterationItem::Run { len, .. } => len,
        }
    }

    fn last(self) -> i64 {
        match self {
            IterationItem::Single(number) => number.into(),
            IterationItem::Run { start, len } => i64::from(start) + i64::from(len) - 1,
        }
    }
}

impl Iteration {
    const MAX: u32 = 100_000;

    /// The set of all numbers from 1 to `newest`: a file that has every patch.
    pub fn complete(newest: u32) -> Self {
        Iteration::from_numbers(1..=newest.min(i32::MAX as u32) as i32)
    }

    /// The set of these numbers in its usual form: runs of three and more as runs.
    pub fn from_numbers(numbers: impl IntoIterator<Item = i32>) -> Self {
        let mut numbers: Vec<i32> = numbers.into_iter().collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut items = Vec::new();
        for run in numbers.chunk_by(|a, b| a.checked_add(1) == Some(*b)) {
            match run {
                [start, _, _, ..] => items.push(IterationItem::Run { start: *start, len: run.len() as u32 }),
                _ => items.extend(run.iter().map(|number| IterationItem::Single(*number))),
            }
        }
        Iteration { items }
    }

    /// All numbers, in stored order.
    pub fn numbers(&self) -> impl Iterator<Item = i32> + '_ {
        self.items.iter().flat_map(|item| {
            let first = match *item {
                IterationItem::Single(number) | IterationItem::Run { start: number, .. } => number,
            };
            // A run that a record can hold ends within the range of i64, but perhaps not of i32.
            (i64::from(first)..=item.last()).filter_map(|number| i32::try_from(number).ok())
        })
    }

    /// The same set with one number more, in its usual form.
    pub fn with(&self, number: u32) -> Self {
        Iteration::from_numbers(self.numbers().chain(i32::try_from(number)))
    }

    /// How many numbers there are.
    pub fn count(&self) -> u64 {
        self.items.iter().map(|item| u64::from(item.len())).sum()
    }

    /// The file's iteration: the largest number, 0 for an empty set.
    pub fn current(&self) -> u32 {
        self.items.iter().map(|item| item.last()).max().and_then(|last| u32::try_from(last).ok()).unwrap_or(0)
    }
}

impl DatRecord for Iteration {
    const KIND: RecordKind = RecordKind::Iteration;
    const STARTS_WITH_ID: bool = false;
}

impl Wire for Iteration {
    const MIN: usize = 4;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let count: u32 = r.read("count")?;
        if count > Iteration::MAX {
            return Err(r.error("count", 0, format!("{count} is more than {}", Iteration::MAX)));
        }
        let mut left = count;
        let mut items = Vec::new();
        while left > 0 {
            let offset = r.pos();
            let first: i32 = r.read("item")?;
            let item = if first < 0 {
                IterationItem::Run { start: r.read("run start")?, len: first.unsigned_abs() }
            } else {
                IterationItem::Single(first)
            };
            match left.checked_sub(item.len()) {
                Some(rest) => left = rest,
                None => {
                    return Err(r.error(
                        "item",
                        offset,
                        format!("{} numbers where {left} are left", item.len()),
                    ));
                }
            }
            items.push(item);
        }
        if items.len() > 1 {
            r.note("item", 4, || "more than one run: patches are missing".to_owned());
        }
        Ok(Iteration { items })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        match u32::try_from(self.count()) {
            Ok(count @ 0..=Iteration::MAX) => w.write(&count, "count")?,
            _ => return Err(w.error("count", format!("{} is more than {}", self.count(), Iteration::MAX))),
        }
        for item in &self.items {
            match *item {
                IterationItem::Single(number) if number >= 0 => w.write(&number, "item")?,
                IterationItem::Run { start, len: len @ 1..=Iteration::MAX } => {
                    w.write(&-(len as i32), "item")?;
                    w.write(&start, "run start")?;
                }
                _ => return Err(w.error("item", format!("{item:?} cannot be stored"))),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_patch_extends_the_run() {
        let set = Iteration::complete(982).with(983);
        assert_eq!(set, Iteration::complete(983));
        let gap = set.with(990).with(990);
        assert_eq!(gap.items, [IterationItem::Run { start: 1, len: 983 }, IterationItem::Single(990)]);
        assert_eq!((gap.current(), gap.numbers().count()), (990, 984));
    }
}
