//! Viewers, around which objects are updated. Spec: physics-objects §8.3.

use super::{EntityKey, Scene};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use threshold_world::{Position, coords::BLOCK_SIDE};

/// Objects farther than this from every viewer are not updated.
pub const ACTIVE_RANGE: f32 = 96.0;

/// Side of the squares that viewers are sorted into: everything in range is in the same square or one next to it,
/// however distances are rounded.
const SQUARE: f64 = ACTIVE_RANGE as f64 + 1.0;
/// So many viewers are looked at one by one.
const FEW: usize = 4;

/// An object or a place around which objects are updated.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Viewer {
    /// An object, wherever it is.
    Object(EntityKey),
    /// A place.
    Place(Position),
}

/// How near viewers are to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proximity {
    /// There are no viewers: everything is updated.
    Unwatched,
    /// None is in range.
    Far,
    /// The nearest is as far as it may be: the object is updated, but counts as far.
    AtLimit,
    /// One is in range.
    Near,
}

/// A square of the map, by column and row.
pub(super) type Square = (i32, i32);

/// The viewers, sorted by where they are.
#[derive(Debug, Default)]
pub(super) struct Viewers {
    named: Vec<Viewer>,
    /// Where they were when the clock advanced last, sorted by squares.
    located: Vec<(Square, Position)>,
    /// Somebody has come, gone or moved since a tick last asked.
    moved: bool,
    /// The same places in the order of viewers; empty if that is unknown.
    places: Vec<Position>,
}

impl Viewers {
    /// Viewers that are named, and where they were when the clock advanced last.
    pub(super) fn restored(named: Vec<Viewer>, located: impl Iterator<Item = Position>) -> Viewers {
        let mut located: Vec<_> = located.map(|place| (square(&place), place)).collect();
        located.sort_by_key(|&(square, _)| square);
        Viewers { named, located, moved: true, places: Vec::new() }
    }

    /// Where they were when the clock advanced last.
    pub(super) fn located(&self) -> impl Iterator<Item = &Position> {
        self.located.iter().map(|(_, place)| place)
    }

    /// Whether there are no viewers, or all of them are gone.
    pub(super) fn is_empty(&self) -> bool {
        self.located.is_empty()
    }

    /// Whether somebody has come, gone or moved since the last call.
    pub(super) fn take_moved(&mut self) -> bool {
        std::mem::take(&mut self.moved)
    }

    /// Columns of squares with the rows in which places may be in range of a viewer; some of them more than once.
    pub(super) fn columns_in_range(&self) -> impl Iterator<Item = (i32, RangeInclusive<i32>)> + '_ {
        let squares = self.located.chunk_by(|a, b| a.0 == b.0).filter_map(|same| Some(same.first()?.0));
        squares.flat_map(|(column, row)| {
            (column - 1..=column + 1).map(move |column| (column, row - 1..=row + 1))
        })
    }

    /// How near the nearest viewer is to a place.
    pub(super) fn proximity(&self, place: &Position) -> Proximity {
        if self.located.is_empty() {
            return Proximity::Unwatched;
        }
        if self.located.len() <= FEW {
            return nearest(&self.located, place);
        }
        let (column, row) = square(place);
        let around = (column - 1..=column + 1).flat_map(|column| {
            let first = self.located.partition_point(|&(at, _)| at < (column, row - 1));
            self.located[first..].iter().take_while(move |&&(at, _)| at <= (column, row + 1))
        });
        nearest(around, place)
    }
}

/// How near the nearest of some viewers is to a place.
fn nearest<'a>(viewers: impl IntoIterator<Item = &'a (Square, Position)>, place: &Position) -> Proximity {
    let mut nearest = Proximity::Far;
    for (_, viewer) in viewers {
        let distance = viewer.distance_to(place);
        if distance < ACTIVE_RANGE {
            return Proximity::Near;
        }
        if distance <= ACTIVE_RANGE {
            nearest = Proximity::AtLimit;
        }
    }
    nearest
}

/// By the point itself: rooms may lie outside the square of their own block.
pub(super) fn square(place: &Position) -> Square {
    let block = place.cell.block();
    let index = |block: u8, local: f32| {
        let squares = (f64::from(block) * f64::from(BLOCK_SIDE) + f64::from(local)) / SQUARE;
        // Rounded down.
        let whole = squares as i32;
        whole.saturating_sub(i32::from(f64::from(whole) > squares))
    };
    let origin = place.frame.origin;
    (index(block.x(), origin.x), index(block.y(), origin.y))
}

impl Scene {
    /// Sets the viewers around which objects are updated, replacing earlier ones. With no viewers, or when all
    /// of them have been removed, everything is updated.
    ///
    /// Where they are is looked up now and whenever the clock advances, so that the order of updates within a tick
    /// does not matter. What an update costs depends on how many viewers are near the object, not on how many there are.
    pub fn set_viewers(&mut self, viewers: impl IntoIterator<Item = Viewer>) {
        self.viewers.named.clear();
        self.viewers.named.extend(viewers);
        self.locate_viewers();
    }

    /// The viewers, in the order they were named.
    pub fn viewers(&self) -> &[Viewer] {
        &self.viewers.named
    }

    /// Looks up where the viewers are.
    pub(super) fn locate_viewers(&mut self) {
        let Viewers { named, located, moved, places } = &mut self.viewers;
        let place = |viewer| match viewer {
            &Viewer::Object(key) => Some(&self.entities.get(key)?.position),
            Viewer::Place(place) => Some(place),
        };
        let (mut count, mut have_changed) = (0, false);
        for found in named.iter().filter_map(place).filter(|place| place.frame.is_finite()) {
            match places.get_mut(count) {
                Some(known) if known == found => {}
                Some(known) => (*known, have_changed) = (*found, true),
                None => {
                    places.push(*found);
                    have_changed = true;
                }
            }
            count += 1;
        }
        if !have_changed && count == located.len() {
            return;
        }
        places.truncate(count);
        if let ([only], [place]) = (&mut located[..], &places[..]) {
            (only.0, only.1) = (square(place), *place);
        } else {
            located.clear();
            located.extend(places.iter().map(|place| (square(place), *place)));
            located.sort_by_key(|&(square, _)| square);
        }
        *moved = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        random::Random,
        testing::{LAND, at},
    };
    use threshold_world::{BlockId, Frame};

    #[test]
    fn example_12_ninety_six_metres_are_far_but_updated() {
        let mut scene = Scene::new();
        let asked = at(LAND, 1.0, 0.0, 0.0);
        assert_eq!(scene.viewers.proximity(&asked), Proximity::Unwatched);
        for (distance, expected) in
            [(95.999, Proximity::Near), (96.0, Proximity::AtLimit), (96.001, Proximity::Far)]
        {
            scene.set_viewers([Viewer::Place(at(LAND, 1.0 + distance, 0.0, 0.0))]);
            assert_eq!(scene.viewers.proximity(&asked), expected, "{distance}");
        }
    }

    /// Against the obvious way to ask, over block borders, up and down, and in rooms outside their block.
    #[test]
    fn everything_in_range_is_found() {
        let mut random = Random::new(7);
        let mut place = |spread: f32| {
            let mut local = || random.signed() * spread;
            let origin = glam::Vec3::new(local() + 96.0, local() + 96.0, local() * 0.3);
            let block = BlockId(0x2020 + (local().abs() as u16 & 0x0101));
            Position::new(block.cell(0x100), Frame::at(origin))
        };
        let mut scene = Scene::new();
        let (mut near, mut far) = (0, 0);
        for count in [1, 3, 40] {
            let viewers: Vec<Position> = (0..count).map(|_| place(600.0)).collect();
            scene.set_viewers(viewers.iter().copied().map(Viewer::Place));
            for _ in 0..2000 {
                let asked = place(700.0);
                let expected = viewers.iter().any(|viewer| viewer.distance_to(&asked) <= ACTIVE_RANGE);
                let found = scene.viewers.proximity(&asked);
                assert_eq!(found, if expected { Proximity::Near } else { Proximity::Far }, "{asked}");
                if expected { near += 1 } else { far += 1 }
            }
        }
        assert!(near > 100 && far > 100, "{near} near, {far} far");
    }
}
