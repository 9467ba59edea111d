//! A queue of values of which most are the same.

#[cfg(feature = "serde")]
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::VecDeque;

/// A queue (first in, first out) of few different values. Each value is stored once and takes two bytes for each of its
/// places in the queue.
///
/// An object far from every viewer plays nothing, so a server's commands wait until a viewer comes near: the same
/// few motions, hundreds of times.
#[derive(Clone, Debug)]
pub struct RepeatQueue<T> {
    /// Every value that is in the queue, and some that have been.
    values: Vec<T>,
    /// The queue, by indices of `values`.
    order: VecDeque<u16>,
}

/// Longest queue.
pub const MAX_REPEATS: usize = 4096;

impl<T: Copy + PartialEq> RepeatQueue<T> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Whether one more has room.
    pub fn has_room(&self) -> bool {
        self.len() < MAX_REPEATS
    }

    /// Oldest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = T> + DoubleEndedIterator {
        self.order.iter().map(|index| self.values[usize::from(*index)])
    }

    /// One of them, counted from the oldest.
    pub fn get(&self, index: usize) -> Option<T> {
        self.order.get(index).map(|index| self.values[usize::from(*index)])
    }

    /// The oldest.
    pub fn front(&self) -> Option<T> {
        self.get(0)
    }

    /// Appends a value; false when there is no room.
    pub fn push_back(&mut self, value: T) -> bool {
        let has_room = self.has_room();
        if has_room {
            let index = self.index_of(value);
            self.order.push_back(index);
        }
        has_room
    }

    /// Takes off the oldest.
    pub fn pop_front(&mut self) -> Option<T> {
        let oldest = self.order.pop_front().map(|index| self.values[usize::from(index)]);
        if self.order.is_empty() {
            self.values.clear();
        }
        oldest
    }

    /// Puts another value in a place that there is.
    pub(super) fn set(&mut self, place: usize, value: T) {
        let index = self.index_of(value);
        if let Some(old) = self.order.get_mut(place) {
            *old = index;
        }
    }

    /// Where a value is stored.
    fn index_of(&mut self, value: T) -> u16 {
        // Values that have gone are dropped before there are too many to count.
        if self.values.len() > 2 * MAX_REPEATS {
            *self = self.iter().collect();
        }
        let known = self.values.iter().position(|known| *known == value);
        let index = known.unwrap_or(self.values.len());
        if known.is_none() {
            self.values.push(value);
        }
        index as u16
    }
}

impl<T> Default for RepeatQueue<T> {
    fn default() -> Self {
        RepeatQueue { values: Vec::new(), order: VecDeque::new() }
    }
}

/// What has no room is left out.
impl<T: Copy + PartialEq> FromIterator<T> for RepeatQueue<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut queue = RepeatQueue::default();
        for value in values {
            queue.push_back(value);
        }
        queue
    }
}

impl<T: Copy + PartialEq> PartialEq for RepeatQueue<T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T: Copy + Eq> Eq for RepeatQueue<T> {}

/// As a list of its values.
#[cfg(feature = "serde")]
impl<T: Copy + PartialEq + Serialize> Serialize for RepeatQueue<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(feature = "serde")]
impl<'de, T: Copy + PartialEq + Deserialize<'de>> Deserialize<'de> for RepeatQueue<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = Vec::deserialize(deserializer)?;
        if values.len() > MAX_REPEATS {
            return Err(serde::de::Error::custom(format_args!(
                "{} motions wait, and {MAX_REPEATS} can",
                values.len()
            )));
        }
        Ok(values.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    /// The same orders to both, with values that come, go and are replaced.
    #[test]
    fn it_holds_what_a_plain_queue_holds() {
        let (mut queue, mut plain) = (RepeatQueue::default(), VecDeque::new());
        for i in 0u32..60_000 {
            // Values repeat, and now and then there is a new one.
            let value = if i % 5 == 0 { i } else { i % 3 };
            match i % 7 {
                0..4 => {
                    assert_eq!(queue.push_back(value), plain.len() < MAX_REPEATS);
                    plain.push_back(value);
                    plain.truncate(MAX_REPEATS);
                }
                4..6 => assert_eq!(queue.pop_front(), plain.pop_front()),
                _ => {
                    let place = i as usize % (plain.len() + 1);
                    queue.set(place, value);
                    plain.get_mut(place).into_iter().for_each(|old| *old = value);
                }
            }
            assert_eq!((queue.len(), queue.front()), (plain.len(), plain.front().copied()));
        }
        assert_eq!(queue.len(), MAX_REPEATS);
        assert!(queue.iter().eq(plain.iter().copied()));
        assert!(queue.values.len() <= 2 * MAX_REPEATS + 1, "{}", queue.values.len());
        while queue.pop_front().is_some() {}
        assert!(queue.is_empty() && queue.values.is_empty());
    }

    /// What a far object has been told in an hour takes two bytes a motion.
    #[test]
    fn motions_that_repeat_take_two_bytes() {
        let queue: RepeatQueue<[u64; 4]> = (0..4000).map(|i| [i % 3; 4]).collect();
        assert_eq!((queue.len(), queue.values.len()), (4000, 3));
        assert!(queue.order.capacity() * size_of::<u16>() <= 2 * 4096 * size_of::<u16>());
    }
}
