//! A tick of ten thousand movers, by speeds and by their motion tables.

use super::{Bench, Case, time};
use anyhow::{Context, Result, ensure};
use std::{cell::RefCell, rc::Rc, sync::Arc};
use threshold_dat::{
    IdScheme,
    records::{DatRecord, Setup},
};
use threshold_physics::{
    EntityKey, Motion, PLAYER_SETUP,
    motion::{Movement, MovementParameters},
    movement::TURN_SPEED,
};
use threshold_scenario::{simulation, soak::populate};
use threshold_sim::{Simulation, TICK};
use threshold_world::{
    Library,
    motion::{Command, MotionTable},
};

/// Bodies that walk in circles.
const MOVERS: usize = 10_000;

/// Both crowds on one thread and on all there are.
pub(crate) fn cases(bench: &Bench) -> Result<Vec<Case>> {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if all == 1 { vec![1] } else { vec![1, all] };
    let mut cases = Vec::new();
    for is_animated in [false, true] {
        let (mut sim, movers) = crowd(bench)?;
        if is_animated {
            animate(&mut sim, &movers)?;
        }
        let sim = Rc::new(RefCell::new(sim));
        let what = if is_animated { "animated creatures" } else { "movers" };
        for &threads in &threads {
            let plural = if threads == 1 { "" } else { "s" };
            let name = format!("tick of {} {what}, {threads} thread{plural}", movers.len());
            cases.push(case(sim.clone(), name, threads)?);
        }
    }
    Ok(cases)
}

fn crowd(bench: &Bench) -> Result<(Simulation, Vec<EntityKey>)> {
    let mut sim = simulation(Library::new(bench.source.clone()))?;
    let model = sim.library().model(PLAYER_SETUP)?.context("the sample world has no player")?;
    let (world, scene) = sim.parts_mut();
    let movers = populate(world, scene, &model, MOVERS, 1, 42);
    ensure!(movers.len() > MOVERS / 2, "room for {} of {MOVERS} movers only", movers.len());
    Ok((sim, movers))
}

/// The motion table of people.
fn people(library: &Library) -> Result<Arc<MotionTable>> {
    let setup = library.source().record(IdScheme::Portal, PLAYER_SETUP)?.context("there is no player")?;
    let id = Setup::load(PLAYER_SETUP, &setup)?.defaults.motion_table;
    library.motion_table(id)?.context("people have no motion table")
}

/// Has everybody walk the same circles by its motion table.
fn animate(sim: &mut Simulation, movers: &[EntityKey]) -> Result<()> {
    let table = people(sim.library())?;
    let (_, scene) = sim.parts_mut();
    for &key in movers {
        let turn = scene.get(key).map_or(0.0, |entity| entity.motion.turn) / TURN_SPEED;
        scene.set_motion(key, Motion::default())?;
        scene.set_motion_table(key, Some(table.clone()))?;
        scene.enter_world(key)?;
        for (command, speed) in [(Command::WALK_FORWARD, 1.0), (Command::TURN_RIGHT, turn)] {
            let parameters = MovementParameters { speed, ..MovementParameters::default() };
            scene.perform(key, &Movement::DoInterpreted(command, parameters))?;
        }
    }
    scene.drain_events();
    Ok(())
}

fn case(sim: Rc<RefCell<Simulation>>, name: String, threads: usize) -> Result<Case> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    Ok(Case::new("scene", name, "tick", move || {
        let mut sim = sim.borrow_mut();
        sim.advance_clock(TICK)?;
        let (world, scene) = sim.parts_mut();
        let took = time(|| {
            pool.install(|| scene.update_all(world));
        });
        scene.drain_events();
        Ok(took)
    }))
}
