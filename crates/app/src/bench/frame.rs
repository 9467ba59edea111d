//! Whole frames on the CPU.

use super::{Bench, Case, time};
use anyhow::Result;
use std::{cell::RefCell, rc::Rc};
use threshold_render::cpu::CpuRenderer;
use threshold_sim::SimulationView;
use threshold_view::Options;

const SCENES: [&str; 3] = ["Village Street", "Inn Common Room", "Dungeon Great Hall"];

/// How frames are drawn.
#[derive(Clone, Copy)]
pub(crate) struct Picture {
    pub(crate) size: (u32, u32),
    /// As many as there are if `None`.
    pub(crate) threads: Option<usize>,
}

/// Planning and drawing a frame at noon.
pub(crate) fn cases(bench: &Bench, picture: Picture) -> Result<Vec<Case>> {
    let size @ (width, height) = picture.size;
    let sim = bench.simulation()?;
    let mut view = SimulationView::with_options(&sim, Options::default());
    view.follow(&sim);
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = picture.threads.map(pool).transpose()?;
    let shared = Rc::new((sim, pool, RefCell::new((view, CpuRenderer::new(width, height)))));
    let threads = if picture.threads == Some(1) { ", one thread" } else { "" };
    let case = |place: &'static str| {
        let viewer = bench.viewer(&shared.0, place, size)?;
        let player = bench.place(place)?;
        let shared = shared.clone();
        Ok(Case::new("frame", format!("{place}, {width} × {height}{threads}"), "frame", move || {
            let (sim, pool, drawing) = &*shared;
            let (view, renderer) = &mut *drawing.borrow_mut();
            let mut draw = || {
                view.frame(sim, &viewer, &player);
                renderer.draw(view.studio.list(), &view.studio.assets);
            };
            Ok(time(|| match pool {
                Some(pool) => pool.install(&mut draw),
                None => draw(),
            }))
        }))
    };
    SCENES.into_iter().map(case).collect()
}
