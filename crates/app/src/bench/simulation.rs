//! A running simulation: what it adds to the scene's own ticks, snapshots, and a map full of observers.

use super::{Bench, Case, time};
use crate::memory::Memory;
use anyhow::{Context, Result, ensure};
use serde::Serialize;
use std::{cell::RefCell, hint::black_box, rc::Rc, sync::Arc};
use threshold_physics::PLAYER_SETUP;
use threshold_sample::census::Census;
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

/// What placed objects do by themselves.
#[derive(Clone, Copy)]
enum Placed {
    /// Nothing: a scene alone would not have them walk, and the same moves are to be compared.
    Stands,
    /// What they always do: they patrol, find ways, throw.
    Acts,
}

/// How many observers look at how large a map.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) observers: u32,
    pub(crate) side: u32,
}

impl Size {
    pub(crate) const FULL: Size = Size { observers: 1000, side: Census::DERETH.side };
    pub(crate) const QUICK: Size = Size { observers: 16, side: 24 };
}

/// What a map full of observers takes.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct ObserverMemory {
    pub(crate) observers: u32,
    pub(crate) blocks: usize,
    pub(crate) bytes: u64,
}

/// The sample world with bodies that walk in circles; how many there was room for.
fn crowd(bench: &Bench, placed: Placed, count: usize) -> Result<(Simulation, usize)> {
    let placed = bench.sample.entities.iter().cloned().map(|object| match placed {
        Placed::Acts => object,
        Placed::Stands => PlacedObject { habits: Box::default(), ..object },
    });
    let mut sim = Simulation::builder().library(bench.library.clone()).placed(placed).build()?;
    let model = sim.library().model(PLAYER_SETUP)?.context("the sample world has no player")?;
    let (world, scene) = sim.parts_mut();
    // Where a single body is put there may be no room.
    let mut crowds = (42..142).map(|seed| populate(world, scene, &model, count, FIRST_GUID, seed).len());
    let movers = crowds.find(|&movers| movers > count / 2).unwrap_or(0);
    ensure!(movers > count / 2, "room for {movers} of {count} movers only");
    sim.drain_events();
    Ok((sim, movers))
}

/// Ticks by the scene alone and by the simulation. Both are of one crowd and measured in turns: two crowds would differ by
/// where they lie in memory, and one measured later by what it has become.
pub(crate) fn ticks(bench: &Bench) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for count in MOVERS {
        let [alone, whole] = ticks_of(bench, Placed::Stands, count)?;
        cases.extend([alone, Case { in_turn: true, ..whole }]);
    }
    let [_, acting] = ticks_of(bench, Placed::Acts, 1)?;
    cases.push(Case { name: format!("{} with everything that acts by itself", acting.name), ..acting });
    Ok(cases)
}

fn ticks_of(bench: &Bench, placed: Placed, count: usize) -> Result<[Case; 2]> {
    let (sim, movers) = crowd(bench, placed, count)?;
    let sim = Rc::new(RefCell::new(sim));
    // A tick of one mover is too short to be timed by itself.
    let ticks = (1000 / count).max(1);
    let case = |what: &str, tick: fn(&mut Simulation) -> Result<()>| {
        let sim = sim.clone();
        let case = Case::new("sim", format!("tick of {movers} movers, {what}"), "tick", move || {
            let (mut sim, mut result) = (sim.borrow_mut(), Ok(()));
            let took = time(|| result = (0..ticks).try_for_each(|_| tick(&mut sim)));
            result.map(|()| took)
        });
        case.times(ticks)
    };
    let alone = case("scene alone", |sim| {
        let (world, scene) = sim.parts_mut();
        scene.advance_clock(TICK)?;
        scene.update_all(world);
        scene.drain_events();
        Ok(())
    });
    let whole = case("simulation", |sim| {
        sim.tick()?;
        sim.drain_events();
        Ok(())
    });
    Ok([alone, whole])
}

/// Snapshots of a crowd.
pub(crate) fn snapshots(bench: &Bench) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    let (sim, movers) = crowd(bench, Placed::Stands, MOVERS[2])?;
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
    let config = StreamConfig::default().loading(Loading::Inline(256));
    let source = Arc::new(Census::hills(size.side));
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
