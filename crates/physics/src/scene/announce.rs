//! Which objects of a batch may matter to each other.
//!
//! Before a batch is swept, every object of it that moves announces a circle on the map within which it may be felt until it
//! is committed. Two objects whose circles do not overlap cannot meet, whatever lists they are in, so what one of them does
//! is independent of whether the other one has been committed. Circles are found by squares of the map: only objects of the
//! batch are in them, so looking around costs the same however dense the crowd is.

use super::{EntityKey, extents::ROUNDING};
use glam::Vec2;

/// Side of a square, in metres.
const SIDE: f32 = 8.0;
/// Circles up to this radius are found by squares; the few larger ones are tested one by one.
const WIDE: f32 = 2.0;
/// Squares that share a chain differ in nothing that matters; there are this many chains for each object.
const CHAINS_PER_OBJECT: usize = 4;

/// Where an object that moves may be felt by others.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Announcement {
    /// Its vertical axis, in metres from the south-western corner of the map.
    pub(super) center: Vec2,
    /// Distance from the axis within which it can be met; zero while it stands still, infinite if that cannot be told.
    pub(super) reach: f32,
}

impl Announcement {
    /// Whether two objects may meet.
    fn overlaps(&self, other: &Announcement) -> bool {
        let reach = self.reach + other.reach + ROUNDING;
        let is_out = self.center.distance_squared(other.center) > reach * reach;
        other.reach > 0.0 && !is_out
    }

    /// Whether it may be met wherever it is listed.
    fn is_unbounded(&self) -> bool {
        self.reach == f32::INFINITY
    }
}

/// What the objects of a batch have announced.
#[derive(Debug, Default)]
pub(super) struct Announcements {
    /// By turn.
    announced: Vec<(EntityKey, Announcement)>,
    /// One more than the turn of everything that moves, by slot.
    turns: Vec<u32>,
    /// One more than the last turn of each chain.
    chains: Vec<u16>,
    /// One more than the turn before each turn in its chain.
    before: Vec<u16>,
    /// Turns with wide circles.
    wide: Vec<u16>,
    /// The largest radius of the others.
    narrow: f32,
}

impl Announcements {
    /// Makes room for a batch of so many objects.
    pub(super) fn begin(&mut self, count: usize) {
        for &(key, _) in &self.announced {
            if let Some(turn) = self.turns.get_mut(key.slot as usize) {
                *turn = 0;
            }
        }
        self.announced.clear();
        self.before.clear();
        self.wide.clear();
        self.narrow = 0.0;
        self.chains.clear();
        self.chains.resize((count * CHAINS_PER_OBJECT).next_power_of_two(), 0);
    }

    /// The object with the next turn announces itself.
    pub(super) fn push(&mut self, key: EntityKey, announcement: Announcement) {
        let turn = self.announced.len();
        let number = turn as u16 + 1;
        self.announced.push((key, announcement));
        self.before.push(0);
        if announcement.reach == 0.0 {
            return;
        }
        let slot = key.slot as usize;
        if self.turns.len() <= slot {
            self.turns.resize(slot + 1, 0);
        }
        self.turns[slot] = u32::from(number);
        if announcement.reach <= WIDE {
            self.narrow = self.narrow.max(announcement.reach);
            let chain = self.chain(square(announcement.center));
            self.before[turn] = std::mem::replace(&mut self.chains[chain], number);
        } else {
            self.wide.push(turn as u16);
        }
    }

    /// How far the object with a turn may be felt.
    pub(super) fn reach(&self, turn: usize) -> f32 {
        self.announced.get(turn).map_or(0.0, |(_, announcement)| announcement.reach)
    }

    /// Whether an object moves in this batch and has an earlier turn.
    #[inline]
    pub(super) fn is_earlier(&self, key: EntityKey, turn: usize) -> bool {
        self.turns.get(key.slot as usize).is_some_and(|&number| number > 0 && (number as usize) <= turn)
    }

    /// Whether the object with a turn and one with an earlier turn may meet. `shares_list` decides for those that may be met
    /// wherever they are listed.
    pub(super) fn is_near_earlier(&self, turn: usize, shares_list: impl Fn(EntityKey) -> bool) -> bool {
        let Some((_, own)) = self.announced.get(turn) else { return false };
        let may_meet = |earlier: usize| {
            let Some((key, theirs)) = self.announced.get(earlier).filter(|_| earlier < turn) else {
                return false;
            };
            own.overlaps(theirs) && (!(own.is_unbounded() || theirs.is_unbounded()) || shares_list(*key))
        };
        if own.reach > WIDE {
            return (0..turn).any(may_meet);
        }
        if self.wide.iter().any(|&earlier| may_meet(usize::from(earlier))) {
            return true;
        }
        let around = Vec2::splat(own.reach + self.narrow + ROUNDING);
        let ([west, south], [east, north]) = (square(own.center - around), square(own.center + around));
        (west..=east).any(|x| (south..=north).any(|y| self.in_chain(self.chain([x, y])).any(may_meet)))
    }

    fn in_chain(&self, chain: usize) -> impl Iterator<Item = usize> + '_ {
        let last = usize::from(self.chains[chain]).checked_sub(1);
        std::iter::successors(last, |&turn| usize::from(self.before[turn]).checked_sub(1))
    }

    fn chain(&self, [x, y]: [i32; 2]) -> usize {
        let mixed = (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77);
        (mixed ^ mixed >> 15) as usize & (self.chains.len() - 1)
    }
}

/// The square around a place. Those along the map's borders reach as far beyond them.
fn square(at: Vec2) -> [i32; 2] {
    (at / SIDE).to_array().map(|side| side as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU32;

    fn key(slot: u32) -> EntityKey {
        EntityKey { slot, generation: NonZeroU32::MIN }
    }

    /// Objects in a row along the x axis, each with its reach.
    fn announced(row: &[(f32, f32)]) -> Announcements {
        let mut announced = Announcements::default();
        announced.begin(row.len());
        for (slot, &(x, reach)) in (0..).zip(row) {
            announced.push(key(slot), Announcement { center: Vec2::new(x, 7.9), reach });
        }
        announced
    }

    fn near_earlier(row: &[(f32, f32)]) -> Vec<bool> {
        let announced = announced(row);
        (0..row.len()).map(|turn| announced.is_near_earlier(turn, |_| false)).collect()
    }

    #[test]
    fn circles_that_overlap_are_found_across_squares_by_the_later_one() {
        assert_eq!(near_earlier(&[(7.5, 0.6), (8.5, 0.6), (11.0, 0.6)]), [false, true, false]);
        assert_eq!(near_earlier(&[(8.5, 0.6), (7.5, 0.6)]), [false, true]);
        assert_eq!(near_earlier(&[(-0.5, 0.6), (0.5, 0.6)]), [false, true]);
    }

    #[test]
    fn what_stands_still_is_not_felt() {
        assert_eq!(near_earlier(&[(0.0, 0.0), (0.1, 0.6)]), [false, false]);
        assert!(!announced(&[(0.0, 0.0), (0.1, 0.6)]).is_earlier(key(0), 1));
    }

    #[test]
    fn wide_circles_are_felt_from_afar_and_feel_from_afar() {
        assert_eq!(
            near_earlier(&[(0.0, 30.0), (29.0, 0.5), (31.0, 0.5), (40.0, 10.5)]),
            [false, true, false, true]
        );
    }

    #[test]
    fn what_may_be_anywhere_is_met_where_it_is_listed() {
        let announced = announced(&[(0.0, f32::INFINITY), (1000.0, 0.5), (2000.0, 0.5)]);
        assert!(!announced.is_near_earlier(1, |_| false));
        assert!(announced.is_near_earlier(2, |other| other == key(0)));
    }

    #[test]
    fn turns_of_another_batch_are_forgotten() {
        let mut announced = announced(&[(0.0, 0.5), (0.5, 0.5)]);
        assert!(announced.is_earlier(key(0), 1) && !announced.is_earlier(key(1), 1));
        announced.begin(1);
        announced.push(key(5), Announcement { center: Vec2::ZERO, reach: 0.5 });
        assert!(!announced.is_earlier(key(0), 1) && announced.is_earlier(key(5), 1));
    }
}
