//! Whole frames on the CPU.

use super::{Bench, Case, time};
use anyhow::Result;
use std::{cell::RefCell, rc::Rc};
use threshold_render::cpu::CpuRenderer;
use threshold_sim::SimulationView;
use threshold_view::Options;

const SCENES: [&str; 3] = ["Village Street", "Inn Common Room", "Dungeon Great Hall"];

/// Planning and drawing a frame of some size, at noon.
pub(crate) fn cases(bench: &Bench, (width, height): (u32, u32)) -> Result<Vec<Case>> {
    let sim = bench.simulation()?;
    let mut view = SimulationView::with_options(&sim, Options::default());
    view.follow(&sim);
    let shared = Rc::new((sim, RefCell::new((view, CpuRenderer::new(width, height)))));
    let case = |place: &'static str| {
        let viewer = bench.viewer(&shared.0, place, (width, height))?;
        let player = bench.place(place)?;
        let shared = shared.clone();
        Ok(Case::new("frame", format!("{place}, {width} × {height}"), "frame", move || {
            let (sim, drawing) = &*shared;
            let (view, renderer) = &mut *drawing.borrow_mut();
            Ok(time(|| {
                view.frame(sim, &viewer, &player);
                renderer.draw(view.studio.list(), &view.studio.assets);
            }))
        }))
    };
    SCENES.into_iter().map(case).collect()
}
