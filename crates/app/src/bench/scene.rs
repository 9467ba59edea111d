//! A tick of ten thousand movers.

use super::{Bench, Case, time};
use anyhow::{Context, Result, ensure};
use std::{cell::RefCell, rc::Rc};
use threshold_physics::PLAYER_SETUP;
use threshold_scenario::Setting;
use threshold_scenario::soak::populate;
use threshold_sim::TICK;
use threshold_world::Library;

/// Bodies that walk in circles.
const MOVERS: usize = 10_000;

/// The crowd on one thread and on all there are.
pub(crate) fn cases(bench: &Bench) -> Result<Vec<Case>> {
    let mut setting = Setting::load(Library::new(bench.source.clone()))?;
    let model = setting.library.model(PLAYER_SETUP)?.context("the sample world has no player")?;
    let movers = populate(&setting.world, &mut setting.scene, &model, MOVERS, 1, 42).len();
    ensure!(movers > MOVERS / 2, "room for {movers} of {MOVERS} movers only");
    let setting = Rc::new(RefCell::new(setting));
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if all == 1 { vec![1] } else { vec![1, all] };
    let case = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let setting = setting.clone();
        let plural = if threads == 1 { "" } else { "s" };
        let name = format!("tick of {movers} movers, {threads} thread{plural}");
        Ok(Case::new("scene", name, "tick", move || {
            let Setting { world, scene, .. } = &mut *setting.borrow_mut();
            scene.advance_clock(TICK)?;
            let took = time(|| {
                pool.install(|| scene.update_all(world, &mut |_| ()));
            });
            scene.drain_events();
            Ok(took)
        }))
    };
    threads.into_iter().map(case).collect()
}
