//! Frame plans by scene.

use super::{Bench, Case, time};
use crate::surroundings::Surroundings;
use anyhow::{Context, Result};
use std::rc::Rc;
use threshold_sim::eye_above;
use threshold_view::{FramePlan, Lens, Options, Planner, Viewer};
use threshold_world::{Frame, Position};

const SCENES: [(&str, &str); 5] = [
    ("house interior, landscape through openings", "Cottage Living Room"),
    ("village street, looks into houses", "Village Street"),
    ("tower, everything from above", "Tower Lookout"),
    ("cave", "Cave Chamber"),
    ("dungeon", "Dungeon Great Hall"),
];

/// One plan per scene, at 1280 × 720 and 60 degrees.
pub(crate) fn cases(bench: &Bench) -> Result<Vec<Case>> {
    let mut around = Surroundings::whole(&bench.library)?;
    around.spawn_placed(&bench.library, &bench.sample.entities)?;
    let around = Rc::new(around);
    let case = |(name, place): (&str, &str)| {
        let viewer = viewer(bench, &around, place, (1280, 720))?;
        let (mut planner, mut plan) = (Planner::new(Options::default()), FramePlan::default());
        planner.plan(&around.world, &*around, &viewer, &mut plan);
        let detail = format!("{} cells, {} regions", plan.cells.len(), plan.views.len());
        let around = around.clone();
        let run = move || Ok(time(|| planner.plan(&around.world, &*around, &viewer, &mut plan)));
        Ok(Case::new("view", name, "plan", run).detail(detail))
    };
    SCENES.into_iter().map(case).collect()
}

/// The eye of a player at a named place.
pub(crate) fn viewer(
    bench: &Bench,
    around: &Surroundings,
    place: &str,
    (width, height): (u32, u32),
) -> Result<Viewer> {
    let at = bench.place(place)?;
    let eye = eye_above(&around.world, &around.scene, None, &at);
    let lens = Lens::new(60f32.to_radians(), width, height).context("the lens")?;
    let position = Position::new(eye.cell, Frame::new(eye.frame.origin, at.frame.rotation()));
    Ok(Viewer { position, lens, player_cell: at.cell })
}
