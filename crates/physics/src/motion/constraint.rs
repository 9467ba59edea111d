//! Limits how far an object moves between server positions. Retail: `ConstraintManager`. Spec: entities §3.4.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use threshold_world::{CellId, Frame};

/// The part of the way after which no jump is possible.
const FULLY: f32 = 0.9;

/// How far an object has moved, and may move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Constraint {
    /// Whether it counts at present.
    pub is_on: bool,
    /// Distance moved since the server's last position.
    pub gone: f32,
    pub(super) start: f32,
    pub(super) max: f32,
}

impl Constraint {
    /// Begins to count; `gone` metres are behind already. Retail: `ConstraintManager::ConstrainTo`.
    pub(super) fn begin(cell: CellId, gone: f32) -> Constraint {
        let (start, max) = if cell.is_interior() { (5.0, 20.0) } else { (10.0, 50.0) };
        Constraint { is_on: true, gone, start, max }
    }

    /// Shortens a step, the more the longer the way was. Retail: `ConstraintManager::adjust_offset`.
    pub(super) fn adjust(&mut self, contact: bool, offset: &mut Frame) {
        if !self.is_on {
            return;
        }
        if contact {
            if self.gone >= self.max {
                offset.origin = glam::Vec3::ZERO;
            } else if self.gone > self.start {
                offset.origin *= (self.max - self.gone) / (self.max - self.start);
            }
        }
        self.gone += offset.origin.length();
    }

    /// Whether too little distance is left to jump. Retail: `ConstraintManager::IsFullyConstrained`.
    pub fn is_full(&self) -> bool {
        FULLY * self.max < self.gone
    }

    pub(super) fn is_sound(&self) -> bool {
        [self.gone, self.start, self.max].iter().all(|number| number.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    const OUTDOORS: CellId = CellId(0xA9B4_0001);
    const INDOORS: CellId = CellId(0xA9B4_0100);

    fn step(cell: CellId, gone: f32, length: f32) -> (f32, f32) {
        let mut constraint = Constraint::begin(cell, gone);
        let mut offset = Frame::at(Vec3::new(0.0, length, 0.0));
        constraint.adjust(true, &mut offset);
        (offset.origin.y, constraint.gone)
    }

    /// Spec: entities §11, examples 21 and 23.
    #[test]
    fn steps_get_shorter_the_longer_the_way() {
        assert_eq!(step(OUTDOORS, 30.0, 0.4), (0.2, 30.2));
        assert_eq!(step(OUTDOORS, 10.0, 0.4), (0.4, 10.4));
        assert_eq!(step(OUTDOORS, 50.0, 0.4), (0.0, 50.0));
        assert_eq!(step(INDOORS, 12.5, 0.4).0, 0.2);
        assert!((step(OUTDOORS, 12.0, 1.0).0 - 0.95).abs() < 1e-6);
    }

    /// Spec: entities §11, example 22.
    #[test]
    fn nine_tenths_are_full() {
        assert!(!Constraint::begin(OUTDOORS, 45.0).is_full());
        assert!(Constraint::begin(OUTDOORS, 45.001).is_full());
        assert!(!Constraint::begin(INDOORS, 18.0).is_full());
        assert!(Constraint::begin(INDOORS, 18.001).is_full());
    }
}
