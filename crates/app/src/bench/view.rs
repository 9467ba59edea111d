//! Frame plans by scene.

use super::{Bench, Case, time};
use anyhow::Result;
use std::{cell::RefCell, rc::Rc};
use threshold_view::FramePlan;

const SCENES: [(&str, &str); 5] = [
    ("house interior, landscape through openings", "Cottage Living Room"),
    ("village street, looks into houses", "Village Street"),
    ("tower, everything from above", "Tower Lookout"),
    ("cave", "Cave Chamber"),
    ("dungeon", "Dungeon Great Hall"),
];

/// One plan per scene, at 1280 × 720 and 60 degrees.
pub(crate) fn cases(bench: &Bench) -> Result<Vec<Case>> {
    let sim = Rc::new(RefCell::new(bench.simulation()?));
    let case = |(name, place): (&str, &str)| {
        let viewer = bench.viewer(&sim.borrow(), place, (1280, 720))?;
        let mut plan = FramePlan::default();
        sim.borrow_mut().plan(&viewer, &mut plan);
        let detail = format!("{} cells, {} regions", plan.cells.len(), plan.views.len());
        let sim = sim.clone();
        let run = move || {
            let sim = &mut *sim.borrow_mut();
            Ok(time(|| sim.plan(&viewer, &mut plan)))
        };
        Ok(Case::new("view", name, "plan", run).detail(detail))
    };
    SCENES.into_iter().map(case).collect()
}
