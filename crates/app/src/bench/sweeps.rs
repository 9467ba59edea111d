//! Transitions by kind: one transition is one sweep with its commit, or one tick.

use super::{Bench, Case, Cost, time};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::{cell::RefCell, rc::Rc};
use threshold_scenario::{Scenario, Walk, simulation};
use threshold_sim::Simulation;
use threshold_world::{Library, Position, placed::PlacedObject};

/// Steps of a script.
const STEPS: usize = 240;
/// State bit of an open door.
const ETHEREAL: u32 = 0x4;

/// Scripts in the sample world.
pub(crate) fn cases(bench: &Bench) -> Result<Vec<Case>> {
    let sim = Rc::new(RefCell::new(simulation(Library::new(bench.source.clone()))?));
    scripts(bench)?.into_iter().map(|(name, scenario)| case("sweeps", name, sim.clone(), scenario)).collect()
}

/// A script as a case.
pub(crate) fn case(
    group: &'static str,
    name: impl Into<String>,
    sim: Rc<RefCell<Simulation>>,
    scenario: Scenario,
) -> Result<Case> {
    let name = name.into();
    let (transitions, _) = play(&mut sim.borrow_mut(), scenario.clone()).with_context(|| name.clone())?;
    let run = move || Ok(play(&mut sim.borrow_mut(), scenario.clone())?.1);
    Ok(Case::new(group, name, "transition", run).times(transitions))
}

/// Plays a script from its start: the number of transitions, and the time they took without the setting up.
fn play(sim: &mut Simulation, scenario: Scenario) -> Result<(usize, Cost)> {
    let mut walk = Walk::begin(sim, scenario)?;
    match walk.advance() {
        Some(Ok(true)) => {}
        Some(Err(error)) => return Err(error.into()),
        _ => bail!("there is no room to start"),
    }
    let (mut transitions, mut failed) = (0, None);
    let took = time(|| {
        while let Some(step) = walk.advance() {
            match step {
                Ok(_) => transitions += 1,
                Err(error) => failed = Some(error),
            }
        }
    });
    match failed {
        Some(error) => Err(error.into()),
        None => Ok((transitions, took)),
    }
}

fn scripts(bench: &Bench) -> Result<Vec<(&'static str, Scenario)>> {
    let door = entity(bench, "Cottage Door")?;
    let open = PlacedObject { state: door.state | ETHEREAL, ..door.clone() };
    let creature = PlacedObject { origin: beside(bench.place("Village Green")?, [0.0, 1.5]), ..boar(bench)? };
    let player = json!({"setup": "0x02000001", "state": "0x00400408", "is_player": true});
    let camera = json!({"setup": "0x02000001", "state": "0x00000000", "viewer": true});
    let script =
        |mover: &Value, place: &str, entities: &[&PlacedObject], steps: Vec<Value>| -> Result<Scenario> {
            let at = bench.place(place)?;
            let start = json!({"cell": at.cell, "origin": at.frame.origin.to_array()});
            let scenario = json!({"mover": mover, "start": start, "entities": entities, "steps": steps});
            serde_json::from_value(scenario).with_context(|| place.to_owned())
        };
    let walk =
        |place: &str, entities: &[&PlacedObject], steps: Vec<Value>| script(&player, place, entities, steps);
    Ok(vec![
        ("open ground, random walk", walk("Western Road", &[], random_walk(0.3, 1))?),
        ("open ground across a block border", walk("Landblock Border", &[], to_and_fro([0.25, 0.0], 16))?),
        ("long moves, many sub-steps", walk("Western Road", &[], random_walk(8.0, 2))?),
        ("creature, bumping", walk("Village Green", &[&creature], to_and_fro([0.02, 0.2], 12))?),
        ("room, random walk", walk("Inn Common Room", &[], random_walk(0.4, 3))?),
        ("room, along the walls", walk("Cottage Living Room", &[], to_and_fro([0.2, 0.3], 40))?),
        ("through a door, in and out", walk("Cottage Door", &[&open], to_and_fro([0.0, 0.25], 14))?),
        ("closed door", walk("Cottage Door", &[&door], to_and_fro([0.01, 0.25], 14))?),
        ("stairs", walk("Cottage Cellar Stairs", &[], to_and_fro([0.0, -0.2], 20))?),
        ("spiral stairs, random walk", walk("Tower Ground Floor", &[], random_walk(0.4, 4))?),
        ("cave, random walk", walk("Cave Slope", &[], random_walk(0.4, 5))?),
        ("dungeon, random walk", walk("Dungeon Great Hall", &[], random_walk(0.4, 6))?),
        ("jumping inside, ticks", walk("Inn Common Room", &[], jumps())?),
        ("camera in a room", script(&camera, "Inn Common Room", &[], random_walk(0.5, 7))?),
    ])
}

fn entity(bench: &Bench, name: &str) -> Result<PlacedObject> {
    let found = bench.sample.entities.iter().find(|entity| entity.name == name);
    Ok(found.with_context(|| format!("the sample world has no {name}"))?.clone())
}

/// A creature, to be put somewhere outdoors in the village's block.
fn boar(bench: &Bench) -> Result<PlacedObject> {
    let green = bench.place("Village Green")?;
    Ok(PlacedObject { cell: green.cell, ..entity(bench, "Boar 1")? })
}

fn beside(place: Position, [east, north]: [f32; 2]) -> [f32; 3] {
    let origin = place.frame.origin;
    [origin.x + east, origin.y + north, origin.z]
}

/// Moves of up to `reach` metres per axis; every eighth leads back towards the start.
fn random_walk(reach: f32, seed: u32) -> Vec<Value> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((state >> 8) as f32 / (1 << 23) as f32 - 1.0) * reach
    };
    let mut away = [0.0, 0.0];
    (0..STEPS)
        .map(|i| {
            let by = if i % 8 == 7 { [-away[0] / 2.0, -away[1] / 2.0] } else { [next(), next()] };
            away = [away[0] + by[0], away[1] + by[1]];
            json!({"move": [by[0], by[1], 0.0]})
        })
        .collect()
}

/// So many equal moves, then as many back, over and over.
fn to_and_fro(by: [f32; 2], run: usize) -> Vec<Value> {
    let sign = |i: usize| if (i / run).is_multiple_of(2) { 1.0 } else { -1.0 };
    (0..STEPS).map(|i| json!({"move": [sign(i) * by[0], sign(i) * by[1], 0.0]})).collect()
}

/// Ticks with a jump twice a second.
fn jumps() -> Vec<Value> {
    let tick = |i: usize| match i % 16 {
        0 => json!({"tick": 0.033_333_4, "velocity": [1.5, 1.0, 4.0]}),
        _ => json!({"tick": 0.033_333_4}),
    };
    (0..STEPS).map(tick).collect()
}
