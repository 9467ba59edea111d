//! An observer that knows what must hold in every sweep.
#![allow(dead_code, reason = "every test binary uses a part of it")]

use std::collections::BTreeSet;
use threshold_physics::{Observer, Verdict, cells::CellSet, sweep::ContactLog};
use threshold_world::{CellId, Position};

/// Watches a sweep from where the mover was. Panics as soon as a rule is broken.
pub(crate) struct Watch {
    held: Position,
    cell: Option<CellId>,
    trial: Option<(Position, Option<CellId>, Verdict)>,
    /// Sub-steps that were accepted, and those that were undone.
    pub(crate) accepted: u32,
    pub(crate) undone: u32,
    /// Accepted sub-steps that changed the cell.
    pub(crate) crossings: u32,
    /// Cells that the trials' first sphere was found in.
    pub(crate) picked: Vec<CellId>,
    /// Cells that any trial touched.
    pub(crate) touched: BTreeSet<CellId>,
}

impl Watch {
    pub(crate) fn new(held: Position, cell: Option<CellId>) -> Watch {
        Watch {
            held,
            cell,
            trial: None,
            accepted: 0,
            undone: 0,
            crossings: 0,
            picked: Vec::new(),
            touched: BTreeSet::new(),
        }
    }

    /// What the sweep must end with.
    pub(crate) fn held(&self) -> (&Position, Option<CellId>) {
        (&self.held, self.cell)
    }
}

impl Observer for Watch {
    fn tested(&mut self, _: u32, trial: &Position, cell: Option<CellId>, verdict: Verdict) {
        assert!(trial.frame.is_finite() || verdict == Verdict::Blocked, "{trial:?}");
        assert!(self.trial.is_none(), "a sub-step was not validated");
        self.trial = Some((*trial, cell, verdict));
    }

    fn held(&mut self, _: u32, held: &Position, cell: Option<CellId>, log: &ContactLog) {
        let (trial, trial_cell, verdict) =
            self.trial.take().expect("a sub-step is tested before it is validated");
        if verdict == Verdict::Clear {
            assert_eq!((held, cell), (&trial, trial_cell), "an accepted sub-step holds its trial");
            self.accepted += 1;
            self.crossings += u32::from(cell != self.cell);
        } else {
            // A mover that turns freely takes its new heading before its first sub-step.
            assert_eq!(held.cell, self.held.cell);
            let origin = self.held.frame.origin;
            assert_eq!(held.frame.origin, origin, "a sub-step that ended {verdict:?} moved the mover");
            assert_eq!(cell, self.cell, "a sub-step that ended {verdict:?} changed the cell");
            self.undone += 1;
        }
        assert!(log.stationary_stage <= 3);
        assert!(log.contact.plane.normal.is_finite() && log.contact.plane.d.is_finite(), "{log:?}");
        assert!(log.hit.is_finite() && log.slide.is_finite() && log.slide.z == 0.0, "{log:?}");
        (self.held, self.cell) = (*held, cell);
    }

    fn cells(&mut self, cells: &CellSet, picked: Option<CellId>) {
        for (i, entry) in cells.entries().iter().enumerate() {
            assert!(
                !cells.entries()[..i].iter().any(|other| other.id == entry.id),
                "{} is in the set twice",
                entry.id
            );
        }
        self.touched.extend(cells.ids());
        if let Some(cell) = picked {
            assert!(cells.entries().iter().any(|entry| entry.id == cell && entry.loaded));
            self.picked.push(cell);
        }
    }
}
