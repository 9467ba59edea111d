//! A running simulation: what it adds to the scene's own ticks, snapshots, and a map full of observers.

use super::{
    Bench, Case,
    map::{Hills, SIDE},
    time,
};
use crate::memory::Memory;
use anyhow::{Context, Result, ensure};
use serde::Serialize;
use std::{cell::RefCell, hint::black_box, rc::Rc, sync::Arc};
use threshold_physics::PLAYER_SETUP;
use threshold_scenario::soak::populate;
use threshold_sim::{ObserverId, Position, Residency, Simulation, TICK};
use threshold_world::{
    BlockId, Frame,
    placed::PlacedObject,
    stream::{Loading, StreamConfig, StreamStatus},
};

/// Movers of the ticks that are compared.
const MOVERS: [usize; 3] = [1, 100, 10_000];
/// Game ids that nothing placed has.
const FIRST_GUID: u32 = 0x6000_0000;
/// Metres that an observer moves in a tick.
const STRIDE: f32 = 0.15;
/// How far from its place it goes before it turns around: past the border of its block.
const BEAT: f32 = 150.0;

/// How many observers look at how large a map.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) observers: u32,
    pub(crate) side: u32,
}

impl Size {
    pub(crate) const FULL: Size = Size { observers: 1000, side: SIDE };
    pub(crate) const QUICK: Size = Size { observers: 16, side: 24 };
}

/// What a map full of observers takes.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct ObserverMemory {
    pub(crate) observers: u32,
    pub(crate) blocks: usize,
    pub(crate) bytes: u64,
}

/// The sample world with bodies that walk in circles; how many there was room for. What is placed in it does nothing by
/// itself: a scene alone would not have it walk, and the same moves are to be compared.
fn crowd(bench: &Bench, count: usize) -> Result<(Simulation, usize)> {
    let idle =
        bench.sample.entities.iter().cloned().map(|entity| PlacedObject { habits: Box::default(), ..entity });
    let mut sim = Simulation::builder().library(bench.library.clone()).placed(idle).build()?;
    let model = sim.library().model(PLAYER_SETUP)?.context("the sample world has no player")?;
    let (world, scene) = sim.parts_mut();
    // Where a single body is put there may be no room.
    let mut crowds = (42..142).map(|seed| populate(world, scene, &model, count, FIRST_GUID, seed).len());
    let movers = crowds.find(|&movers| movers > count / 2).unwrap_or(0);
    ensure!(movers > count / 2, "room for {movers} of {count} movers only");
    sim.drain_events();
    Ok((sim, movers))
}

/// Ticks of the same movers, by the scene alone and by the simulation, and snapshots of them.
pub(crate) fn cases(bench: &Bench) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for count in MOVERS {
        let (mut alone, movers) = crowd(bench, count)?;
        // A tick of one mover is too short to be timed by itself.
        let ticks = (1000 / count).max(1);
        let name = format!("tick of {movers} movers, scene alone");
        let case = Case::new("sim", name, "tick", move || {
            let (world, scene) = alone.parts_mut();
            let mut failed = Ok(());
            let took = time(|| {
                for _ in 0..ticks {
                    if let Err(error) = scene.advance_clock(TICK) {
                        failed = Err(error);
                    }
                    scene.update_all(world, &mut |_| ());
                    scene.drain_events();
                }
            });
            failed?;
            Ok(took)
        });
        cases.push(case.times(ticks));
        let (mut sim, _) = crowd(bench, count)?;
        let name = format!("tick of {movers} movers, simulation");
        let case = Case::new("sim", name, "tick", move || {
            let mut failed = Ok(());
            let took = time(|| {
                for _ in 0..ticks {
                    if let Err(error) = sim.tick() {
                        failed = Err(error);
                    }
                    sim.drain_events();
                }
            });
            failed?;
            Ok(took)
        });
        cases.push(case.times(ticks));
    }
    let (sim, movers) = crowd(bench, MOVERS[2])?;
    let sim = Rc::new(sim);
    let other = sim.clone();
    let name = format!("snapshot of {movers} movers");
    cases.push(Case::new("sim", name, "snapshot", move || Ok(time(|| drop(black_box(sim.snapshot()))))));
    let name = format!("snapshot of {movers} movers and its bytes");
    cases.push(Case::new("sim", name, "snapshot", move || {
        let mut bytes = Ok(Vec::new());
        let took = time(|| bytes = other.snapshot().to_bytes());
        black_box(bytes?);
        Ok(took)
    }));
    Ok(cases)
}

/// A map with observers all over it, everything loaded that they need.
fn observed(size: Size) -> Result<(Simulation, Vec<(ObserverId, Position)>)> {
    let config = StreamConfig { loading: Loading::Inline(256), ..StreamConfig::default() };
    let source = Arc::new(Hills { side: size.side });
    let mut sim = Simulation::builder().source(source).residency(Residency::Observed(config)).build()?;
    let columns = f64::from(size.observers).sqrt().ceil() as u32;
    let step = size.side / columns;
    let mut observers = Vec::new();
    for i in 0..size.observers {
        let block = |index: u32| (index * step + step / 2).min(size.side - 1) as u8;
        let cell = BlockId::new(block(i / columns), block(i % columns)).cell(0x1C);
        let at = Position::new(cell, Frame::at([84.0, 84.0, 20.0].into()));
        observers.push((sim.observe(at)?, at));
    }
    while observers.iter().any(|(id, _)| sim.status(*id).is_ok_and(|status| status != StreamStatus::Settled))
    {
        sim.load()?;
        sim.drain_events();
    }
    Ok((sim, observers))
}

/// Ticks with observers that stand and that walk, and what all of it takes.
pub(crate) fn observer_cases(size: Size) -> Result<(Vec<Case>, Option<ObserverMemory>)> {
    let before = Memory::now();
    let (sim, observers) = observed(size)?;
    let blocks = sim.world().block_ids().count();
    let memory = Memory::now().zip(before).map(|(after, before)| ObserverMemory {
        observers: size.observers,
        blocks,
        bytes: after.now.saturating_sub(before.now),
    });
    let state = Rc::new(RefCell::new((sim, observers)));
    let detail = format!("{side} × {side} blocks, {blocks} loaded", side = size.side);
    let case = |what: &'static str, stride: f32| {
        let state = state.clone();
        let (mut stride, mut walked) = (stride, 0.0);
        let operation = move || {
            let (sim, observers) = &mut *state.borrow_mut();
            let mut failed = Ok(());
            // To and fro over a border of blocks, so that nobody leaves the map.
            if f32::abs(walked + stride) > BEAT {
                stride = -stride;
            }
            walked += stride;
            let took = time(|| {
                for (id, at) in observers.iter_mut().filter(|_| stride != 0.0) {
                    at.frame.origin.x += stride;
                    if let Some((cell, origin)) =
                        threshold_world::coords::adjust_to_outside(at.cell, at.frame.origin)
                    {
                        (at.cell, at.frame.origin) = (cell, origin);
                    }
                    if let Err(error) = sim.move_observer(*id, *at) {
                        failed = Err(error);
                    }
                }
                if let Err(error) = sim.tick() {
                    failed = Err(error);
                }
                sim.drain_events();
            });
            failed?;
            Ok(took)
        };
        Case::new("sim", format!("tick with {} observers that {what}", size.observers), "tick", operation)
            .detail(detail.clone())
    };
    Ok((vec![case("stand", 0.0), case("walk", STRIDE)], memory))
}
