//! Whole frames on the CPU.

use super::{Bench, Case, time, view::viewer};
use crate::surroundings::Surroundings;
use anyhow::Result;
use std::{cell::RefCell, rc::Rc};
use threshold_render::{cpu::CpuRenderer, studio::Studio};
use threshold_sim::SceneContents;
use threshold_view::Options;

const SCENES: [&str; 3] = ["Village Street", "Inn Common Room", "Dungeon Great Hall"];

/// Planning and drawing a frame of some size, at noon.
pub(crate) fn cases(bench: &Bench, (width, height): (u32, u32)) -> Result<Vec<Case>> {
    let mut around = Surroundings::whole(&bench.library)?;
    around.spawn_placed(&bench.library, &bench.sample.entities)?;
    let mut studio = Studio::new(bench.library.clone(), Options::default());
    let blocks: Vec<_> = around.world.block_ids().collect();
    for id in blocks {
        if let Some(block) = around.world.block_data(id).cloned() {
            studio.stage.prepare_block(&mut studio.assets, &block);
        }
    }
    studio.stage.sync(&mut studio.assets, &SceneContents(&around.scene));
    let shared = Rc::new((around, RefCell::new((studio, CpuRenderer::new(width, height)))));
    let case = |place: &'static str| {
        let viewer = viewer(bench, &shared.0, place, (width, height))?;
        let player = bench.place(place)?;
        let shared = shared.clone();
        Ok(Case::new("frame", format!("{place}, {width} × {height}"), "frame", move || {
            let (around, studio) = &*shared;
            let (studio, renderer) = &mut *studio.borrow_mut();
            Ok(time(|| {
                studio.frame(&around.world, &viewer, &player);
                renderer.draw(studio.list(), &studio.assets);
            }))
        }))
    };
    SCENES.into_iter().map(case).collect()
}
