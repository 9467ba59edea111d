//! Scripted walks, line by line.

use super::{
    engine::{Engine, Fault, Program},
    kit::Kit,
    report::{First, Verdict, objects},
};
use anyhow::Result;
use rayon::prelude::*;
use serde_json::{Map, Value};
use threshold_golden::{MOTION_WORLD, MOTIONS, Script as Recording, motions, scripts};
use threshold_scenario::{Expectation, Playing, Script, simulation};
use threshold_sim::Simulation;

pub(super) fn play(
    world: &str,
    kit: &Kit,
    engine: &Engine,
    wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<Verdict>> {
    let mut recordings = match world {
        MOTION_WORLD => MOTIONS.iter().flat_map(|folder| in_folder(folder)).collect(),
        world => scripts(world),
    };
    recordings.retain(|recording| wanted(&recording.name));
    match engine {
        Engine::Program(program) => {
            recordings.par_iter().map(|recording| other(program, kit, world, recording)).collect()
        }
        Engine::Own => {
            let sim = || kit.library(world).and_then(|library| Ok(simulation(library)?));
            let own = |sim: &mut Result<Simulation>, recording: &Recording| match sim {
                Ok(sim) => Ok(own(sim, recording)),
                Err(error) => Err(anyhow::anyhow!("{error:#}")),
            };
            recordings.par_iter().map_init(sim, own).collect()
        }
    }
}

/// Motion recordings are told apart by their folders.
fn in_folder(folder: &str) -> Vec<Recording> {
    let mut recordings = motions(folder);
    recordings.iter_mut().for_each(|recording| recording.name = format!("{folder}/{}", recording.name));
    recordings
}

fn own(sim: &mut Simulation, recording: &Recording) -> Verdict {
    let failed = |error: String| First::new(&recording.name, -1, "line", error, "a line");
    let script = Script::from_json(recording.scenario.to_string().as_bytes());
    let playing = script
        .map_err(|error| error.to_string())
        .and_then(|script| Playing::begin(sim, script).map_err(|error| error.to_string()));
    let first = match playing {
        Err(error) => Some(failed(error)),
        Ok(mut playing) => {
            let mut lines =
                std::iter::from_fn(|| playing.next_line()).map(|line| {
                    match serde_json::to_value(line.map_err(|error| error.to_string())?) {
                        Ok(Value::Object(line)) => Ok(line),
                        other => Err(format!("{other:?}")),
                    }
                });
            judge(recording, &mut lines, None)
        }
    };
    Verdict { case: recording.name.clone(), fragile: false, first }
}

fn other(program: &Program, kit: &Kit, world: &str, recording: &Recording) -> Result<Verdict> {
    let name = format!("scenarios/{world}/{}.json", recording.name);
    let scenario = kit.put(&name, format!("{}\n", recording.scenario).as_bytes())?;
    let values =
        [("dats", kit.world(world).display().to_string()), ("scenario", scenario.display().to_string())];
    let answer = program.answer(&values)?;
    let first = judge(recording, &mut objects(&answer.output), answer.fault.as_ref());
    Ok(Verdict { case: recording.name.clone(), fragile: false, first })
}

/// The first disagreement that counts: nothing does after one at a fragile line.
fn judge(
    recording: &Recording,
    lines: &mut dyn Iterator<Item = Result<Map<String, Value>, String>>,
    fault: Option<&Fault>,
) -> Option<First> {
    let case = recording.name.as_str();
    let mut expectation = Expectation::default();
    for expected in recording.expected.iter().filter_map(Value::as_object) {
        let step = expected.get("step").and_then(Value::as_i64).unwrap_or_default();
        let found = match lines.next() {
            Some(Ok(found)) => found,
            Some(Err(text)) => return Some(First::new(case, step, "line", text, "a JSON object")),
            None => return Some(First::missing(case, step, fault)),
        };
        let compared = expectation.compare(expected, &found);
        if let Some(difference) = compared.differences.into_iter().next().filter(|_| !compared.fragile) {
            return Some(First::new(case, step, &difference.field, difference.found, difference.expected));
        }
        if expectation.is_adrift() {
            return None;
        }
    }
    let end = recording.expected.len() as i64 - 1;
    if let Some(fault) = fault {
        return Some(First::new(case, end, "exit", fault.to_string(), "exit status 0"));
    }
    lines.next().map(|_| First::new(case, end, "line", "a line", "nothing: the recording has ended"))
}
