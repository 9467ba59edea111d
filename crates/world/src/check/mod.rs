//! Lints of world data that loads but will not look or play as its author intended.
//!
//! They work on the records themselves, because loading already drops or repairs the faults that they look for.

mod block;
mod building;
mod cell;
mod geometry;
mod lint;
mod lists;
mod repair;
mod shape;
mod tree;

pub use block::{check_block, shapes_of_block};
pub use lint::{Finding, Lint, Severity};
pub use lists::{BlockLists, Superfluous, VisibleList, visible_lists};
pub use repair::{PortalField, Repair};
pub use shape::check_shape;

use crate::problem::reason;
use threshold_dat::{DatId, Error, records};

/// Metres within which two polygons count as the same.
const COINCIDENT: f32 = 0.02;
/// How far a rotation's length may be from 1.
const UNIT: f32 = 1e-3;

/// Collects findings.
#[derive(Default)]
struct Report(Vec<Finding>);

impl Report {
    fn find(&mut self, id: DatId, lint: Lint, what: impl Into<String>) {
        self.0.push(Finding { id, lint, what: what.into() });
    }

    fn unreadable(&mut self, id: DatId, error: &Error) {
        self.find(id, Lint::UnreadableRecord, reason(error));
    }

    /// A placement must be somewhere and only turn.
    fn frame(&mut self, id: DatId, whose: &str, frame: &records::Frame) {
        if !frame.is_placed() {
            self.find(id, Lint::NoPlace, format!("{whose} has the origin {:?}", frame.origin));
        }
        let length = frame.rotation.iter().map(|v| v * v).sum::<f32>().sqrt();
        // NaN is not a unit either.
        let is_unit = (length - 1.0).abs() <= UNIT;
        if !is_unit {
            self.find(id, Lint::NonUnitRotation, format!("the rotation of {whose} has length {length:.4}"));
        }
    }

    fn finish(mut self) -> Vec<Finding> {
        self.0.sort();
        self.0.dedup();
        self.0
    }
}
