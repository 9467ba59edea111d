//! Sequence numbers of a server's updates of an object. Spec: entities §1.3.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// Whether one sequence number comes after another. They wrap: of two that are half the range apart the smaller one
/// is newer. Retail: `CPhysicsObj::newer_event`.
pub fn is_newer(old: u16, new: u16) -> bool {
    if old.abs_diff(new) > 0x7FFF { new < old } else { old < new }
}

/// One sequence number per aspect of an object; each counts the updates of that aspect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Stamps {
    /// Positions, parents and pickups.
    pub position: u16,
    /// Movements.
    pub movement: u16,
    /// State words.
    pub state: u16,
    /// Velocities.
    pub vector: u16,
    /// Teleports.
    pub teleport: u16,
    /// The server's orders to move.
    pub server_control: u16,
    /// Positions that a player must take.
    pub force_position: u16,
    /// Appearances.
    pub appearance: u16,
    /// Lives: a new one begins when an object with the same id is made.
    pub instance: u16,
}

impl Stamps {
    /// Takes over the number of an update if it is newer than the last one; whether it was.
    pub fn renew(stamp: &mut u16, new: u16) -> bool {
        let newer = is_newer(*stamp, new);
        if newer {
            *stamp = new;
        }
        newer
    }

    /// Takes over the number of an update unless it is older than the last one.
    pub fn accept(stamp: &mut u16, new: u16) -> Age {
        if is_newer(new, *stamp) {
            return Age::Older;
        }
        let age = if *stamp == new { Age::Same } else { Age::Newer };
        *stamp = new;
        age
    }

    /// All nine, in the order of messages.
    pub fn to_array(self) -> [u16; 9] {
        let Stamps {
            position,
            movement,
            state,
            vector,
            teleport,
            server_control,
            force_position,
            appearance,
            instance,
        } = self;
        [position, movement, state, vector, teleport, server_control, force_position, appearance, instance]
    }
}

/// The age of a sequence number relative to the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    /// Overtaken by a later one.
    Older,
    /// The same.
    Same,
    /// Newer.
    Newer,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec: entities §11, example 1.
    #[test]
    fn example_1_which_stamp_is_newer() {
        for (old, new, expected) in [
            (5, 6, true),
            (5, 5, false),
            (6, 5, false),
            (0xFFFF, 0, true),
            (0, 0x7FFF, true),
            (0, 0x8000, false),
            (0x8000, 0, true),
            (1, 0x8001, false),
            (0x7FFF, 0xFFFF, false),
        ] {
            assert_eq!(is_newer(old, new), expected, "({old:#x}, {new:#x})");
        }
    }

    /// Of two different numbers exactly one is newer, wherever on the circle they are; a counter that counts on is
    /// always newer than it was, over the wrap too.
    #[test]
    fn of_two_stamps_one_is_newer_all_the_way_round() {
        for start in (0..=u16::MAX).step_by(97) {
            assert!(!is_newer(start, start));
            for ahead in [1, 2, 0x1234, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFFFF] {
                let other = start.wrapping_add(ahead);
                assert!(is_newer(start, other) != is_newer(other, start), "{start:#x} {other:#x}");
                if ahead < 0x8000 {
                    assert!(is_newer(start, other), "{start:#x} {other:#x}");
                }
            }
        }
    }

    proptest::proptest! {
        /// A counter that counts on by less than half the circle is always newer, wherever it begins, and what it was
        /// before never is.
        #[test]
        fn any_counter_is_followed_over_its_wrap(start: u16, steps in proptest::collection::vec(1u16..0x7FFF, 1..200)) {
            let mut stamp = start;
            for step in steps {
                let new = stamp.wrapping_add(step);
                let before = stamp;
                assert!(Stamps::renew(&mut stamp, new));
                assert!(!Stamps::renew(&mut stamp, before) && stamp == new);
            }
        }
    }

    #[test]
    fn a_counter_is_followed_over_its_wrap_and_late_updates_are_not() {
        let mut stamp = 0xFFF0_u16;
        for count in 1..=100_000_u32 {
            let new = 0xFFF0_u16.wrapping_add(count as u16);
            assert!(Stamps::renew(&mut stamp, new), "{count}");
            assert!(!Stamps::renew(&mut stamp, new.wrapping_sub(1)), "an old one came late");
            assert_eq!(stamp, new);
        }
        let same = stamp;
        assert_eq!(Stamps::accept(&mut stamp, same.wrapping_sub(1)), Age::Older);
        assert_eq!(Stamps::accept(&mut stamp, same), Age::Same);
        assert_eq!(Stamps::accept(&mut stamp, same.wrapping_add(1)), Age::Newer);
        assert_eq!(stamp, same.wrapping_add(1));
    }
}
