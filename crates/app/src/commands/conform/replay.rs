//! Single sweeps: each record is a case, and a world's records are one file.

use super::{
    engine::{Engine, Program},
    kit::Kit,
    report::{First, Verdict, objects},
};
use anyhow::{Context, Result};
use serde_json::{Map, Value};
use threshold_scenario::{Expectation, Replay, Tolerance, simulation};
use threshold_sim::Simulation;

/// The columns of `after` that are compared.
const COLUMNS: [&str; 13] = [
    "ok",
    "cell",
    "origin",
    "rotation",
    "contact",
    "on_walkable",
    "contact_plane",
    "sliding_normal",
    "collision_normal",
    "collided_env",
    "collided_with",
    "cell_array",
    "lost",
];

pub(super) fn play(
    world: &str,
    kit: &Kit,
    engine: &Engine,
    wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<Verdict>> {
    let lines = threshold_golden::captures(world);
    let mut verdicts = match engine {
        Engine::Own => own(&lines, simulation(kit.library(world)?)?)?,
        Engine::Program(program) => other(program, kit, world, &lines)?,
    };
    verdicts.retain(|verdict| wanted(&verdict.case));
    Ok(verdicts)
}

fn own(lines: &[String], mut sim: Simulation) -> Result<Vec<Verdict>> {
    let mut replay = Replay::new(&mut sim, Tolerance::default());
    let replayed = lines.iter().map(|line| {
        let replayed = replay.line(line).with_context(|| line.clone())?;
        let first = replayed.differences.into_iter().next();
        let first = first.map(|d| First::new(&replayed.id, 0, &d.field, d.found, d.expected));
        Ok(Verdict { case: replayed.id, fragile: replayed.fragile, first })
    });
    replayed.collect()
}

/// A program prints a line for each record, in order: what `after` holds.
fn other(program: &Program, kit: &Kit, world: &str, lines: &[String]) -> Result<Vec<Verdict>> {
    let capture = kit.put(&format!("captures/{world}.jsonl"), (lines.join("\n") + "\n").as_bytes())?;
    let values =
        [("dats", kit.world(world).display().to_string()), ("scenario", capture.display().to_string())];
    let answer = program.answer(&values)?;
    let mut found = objects(&answer.output);
    let verdicts = lines.iter().map(|line| {
        let record: Value = serde_json::from_str(line)?;
        let case = record["id"].as_str().unwrap_or_default().to_owned();
        let first = match found.next() {
            Some(Ok(found)) => differs(&record, &found, &case),
            Some(Err(text)) => Some(First::new(&case, 0, "line", text, "a JSON object")),
            None => Some(First::missing(&case, 0, answer.fault.as_ref())),
        };
        Ok(Verdict { case, fragile: record["fragile"] == true, first })
    });
    verdicts.collect()
}

fn differs(record: &Value, found: &Map<String, Value>, case: &str) -> Option<First> {
    if let Some(id) = found.get("id").filter(|id| **id != record["id"]) {
        return Some(First::new(case, 0, "id", id.to_string(), record["id"].to_string()));
    }
    let after = record["after"].as_object().into_iter().flatten();
    let columns = after.filter(|(name, _)| COLUMNS.contains(&name.as_str()));
    let mut expected: Map<String, Value> =
        columns.map(|(name, value)| (name.clone(), value.clone())).collect();
    expected.insert("fragile_cells".to_owned(), record["fragile_cells"].clone());
    let difference = Expectation::default().compare(&expected, found).differences.into_iter().next()?;
    Some(First::new(case, 0, &difference.field, difference.found, difference.expected))
}
