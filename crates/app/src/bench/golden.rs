//! The recordings' own scripts, beside the speed of the implementation that made them.

use super::{Case, sweeps};
use anyhow::{Context, Result, ensure};
use std::{cell::RefCell, collections::BTreeMap, fs, path::Path, rc::Rc, sync::Arc};
use threshold_scenario::{Scenario, simulation};
use threshold_world::{Library, source::DatSource};

/// A line of the table "Reference speed" in the recordings' README.md.
#[derive(Debug, PartialEq)]
struct Reference {
    kind: String,
    world: String,
    script: String,
    best: f64,
}

/// Every script that the README gives a speed for.
pub(crate) fn cases(dir: &Path) -> Result<Vec<Case>> {
    let readme = dir.join("README.md");
    let text = fs::read_to_string(&readme).with_context(|| readme.display().to_string())?;
    let table = references(&text);
    ensure!(!table.is_empty(), "{}: there is no table of reference speeds", readme.display());
    let mut simulations = BTreeMap::new();
    let mut cases = Vec::new();
    for Reference { kind, world, script, best } in table {
        let sim = match simulations.get(&world) {
            Some(sim) => Rc::clone(sim),
            None => {
                let source = DatSource::open(dir.join("worlds").join(&world))?;
                let sim = Rc::new(RefCell::new(simulation(Library::new(Arc::new(source)))?));
                simulations.insert(world.clone(), sim.clone());
                sim
            }
        };
        let path = dir.join("scenarios").join(&world).join(format!("{script}.json"));
        let context = || path.display().to_string();
        let text = fs::read(&path).with_context(context)?;
        let scenario: Scenario = serde_json::from_slice(&text).with_context(context)?;
        let mut case =
            sweeps::case("golden sweeps", kind, sim, scenario)?.detail(format!("{world}/{script}"));
        case.reference = Some(best);
        cases.push(case);
    }
    Ok(cases)
}

/// Lines such as ``| room, random walk | `cottage/random_main` | 341,000 | 252,000 | 2.9 |``.
fn references(text: &str) -> Vec<Reference> {
    let line = |line: &str| {
        let mut columns = line.strip_prefix('|')?.split('|').map(str::trim);
        let kind = columns.next()?.to_owned();
        let (world, script) = columns.next()?.strip_prefix('`')?.strip_suffix('`')?.split_once('/')?;
        let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let best: f64 = columns.next()?.replace(',', "").parse().ok().filter(|best| *best > 0.0)?;
        (is_name(world) && is_name(script)).then(|| Reference {
            kind,
            world: world.to_owned(),
            script: script.to_owned(),
            best,
        })
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_speeds_are_read_and_nothing_else() {
        let text = "| Kind | Script | best /s |\n|---|---|---:|\n\
            | room, random walk | `cottage/random_main` | 341,000 | 252,000 | 2.9 |\n\
            | a path | `../../etc/passwd` | 1 |\n| `frame` | positions, point, t | frame arithmetic |\n";
        let expected = Reference {
            kind: "room, random walk".into(),
            world: "cottage".into(),
            script: "random_main".into(),
            best: 341_000.0,
        };
        assert_eq!(references(text), [expected]);
    }
}
