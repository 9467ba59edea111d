//! Every scripted walk of an independent implementation, line by line from start to end.

use crate::{known, support};
use known::{Known, assert_only_known_differences};
use serde_json::Value;
use support::simulation;
use threshold_golden::Script;
use threshold_scenario::{Expectation, Walk};
use threshold_sim::{Residency, Simulation};

/// Plays a script up to its first disagreement, which is returned unless it is at a fragile line.
fn play(sim: &mut Simulation, world: &str, script: Script) -> Option<String> {
    let name = format!("{world}/{}", script.name);
    let scenario = serde_json::from_value(script.scenario).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut walk = Walk::begin(sim, scenario).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut expectation = Expectation::default();
    for expected in script.expected {
        let Value::Object(expected) = expected else { panic!("{name}: {expected}") };
        let id = format!("{name}#{}", expected["step"]);
        let Some(line) = walk.next_line() else { panic!("{id}: the walk ended before") };
        let line = line.unwrap_or_else(|e| panic!("{id}: {e}"));
        let Ok(Value::Object(line)) = serde_json::to_value(&line) else { panic!("{id}: an object") };
        let compared = expectation.compare(&expected, &line);
        if !compared.differences.is_empty() {
            if compared.fragile {
                return None;
            }
            eprintln!("{id}: {:#?}", compared.differences);
            return Some(id);
        }
    }
    assert!(walk.next_line().is_none(), "{name}: goes on after its last line");
    None
}

fn walk(world: &str) {
    walk_on(simulation(world), world);
}

fn walk_on(mut sim: Simulation, world: &str) {
    let scripts = threshold_golden::scripts(world);
    assert!(scripts.len() > 20, "{world}: {}", scripts.len());
    let differing: Vec<String> =
        scripts.into_iter().filter_map(|script| play(&mut sim, world, script)).collect();
    assert_only_known_differences(Known::Lines, world, &differing);
}

#[test]
fn cottage() {
    walk("cottage");
}

#[test]
fn dungeon() {
    walk("dungeon");
}

#[test]
fn hostile() {
    walk("hostile");
}

#[test]
fn plains() {
    walk("plains");
}

#[test]
fn seam() {
    walk("seam");
}

/// The worlds of large sources come block by block; what happens in them is the same.
#[test]
fn loaded_on_the_way() {
    for world in threshold_golden::WORLDS {
        let builder = Simulation::builder().library(simulation(world).library().clone());
        let empty = builder.residency(Residency::Reached).build().unwrap();
        assert_eq!((empty.world().block_ids().count(), empty.scene().len()), (0, 0));
        walk_on(empty, world);
    }
}
