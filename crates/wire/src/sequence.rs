//! Which packets of a flow have been decoded.

/// Numbers further below the highest than this count as seen.
const WINDOW: u32 = 65_536;
/// The smallest power of two that holds the window and the highest number.
const BITS: u32 = 2 * WINDOW;

/// The sequence numbers that have been seen lately. Spec: wire §4.2.
#[derive(Clone, Debug, Default)]
pub(crate) struct SequenceSet {
    /// A ring of bits, made when the first number comes.
    ring: Vec<u64>,
    highest: u32,
}

impl SequenceSet {
    /// Adds a number; false when it was there.
    pub(crate) fn insert(&mut self, number: u32) -> bool {
        if self.ring.is_empty() {
            self.ring = vec![0; (BITS / 64) as usize];
            self.highest = number;
        }
        if number > self.highest {
            if number - self.highest >= BITS {
                self.ring.fill(0);
            } else {
                for passed in self.highest + 1..=number {
                    self.set(passed, false);
                }
            }
            self.highest = number;
        }
        self.highest - number <= WINDOW && !self.set(number, true)
    }

    /// Sets a bit and returns what it was.
    fn set(&mut self, number: u32, value: bool) -> bool {
        let bit = number % BITS;
        let mask = 1_u64 << (bit % 64);
        let Some(word) = self.ring.get_mut((bit / 64) as usize) else { return false };
        let was = *word & mask != 0;
        *word = if value { *word | mask } else { *word & !mask };
        was
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn it_is_a_set_of_the_numbers_within_the_window(
            steps in prop::collection::vec(prop_oneof![
                (0..200_u32).prop_map(i64::from),
                (-200..0_i64),
                (60_000..140_000_i64),
                (-70_000..-60_000_i64),
            ], 1..200)
        ) {
            let (mut set, mut oracle) = (SequenceSet::default(), BTreeSet::new());
            let mut number = 1_000_000_i64;
            for step in steps {
                number = (number + step).clamp(1, u32::MAX.into());
                let highest = oracle.last().copied().unwrap_or(number);
                let forgotten = highest - number > i64::from(WINDOW);
                let is_new = !forgotten && oracle.insert(number);
                prop_assert_eq!(set.insert(number as u32), is_new, "{}", number);
            }
        }
    }

    #[test]
    fn the_last_numbers_fit() {
        let mut set = SequenceSet::default();
        assert!(set.insert(1));
        assert!(set.insert(u32::MAX));
        assert!(!set.insert(u32::MAX));
        assert!(set.insert(u32::MAX - WINDOW));
        assert!(!set.insert(2), "long forgotten");
    }
}
