//! Every scripted walk of an independent implementation, line by line from start to end.

mod known;
mod support;

use known::{Known, assert_only_known_differences};
use serde::Deserialize;
use std::collections::BTreeMap;
use support::setting;
use threshold_golden::Script;
use threshold_scenario::{After, Difference, Setting, StepReport, Tolerance, Walk, compare};
use threshold_world::CellId;

/// A recorded line; what it lacks is not compared.
#[derive(Deserialize)]
struct Expected {
    step: i64,
    #[serde(flatten)]
    after: After,
    mover_shadow_cells: Option<Vec<CellId>>,
    entity_shadow_cells: Option<BTreeMap<u32, Vec<CellId>>>,
    #[serde(default)]
    fragile: bool,
    #[serde(default)]
    fragile_cells: bool,
}

impl Expected {
    fn differences(&self, line: &StepReport) -> Vec<Difference> {
        let found = After {
            ok: line.ok,
            cell: line.cell,
            origin: line.origin,
            rotation: Some(line.rotation),
            contact: line.contact,
            on_walkable: line.on_walkable,
            contact_plane: line.contact_plane,
            sliding_normal: line.sliding_normal,
            collision_normal: None,
            collided_env: line.collided_env,
            collided_with: line.collided_with.clone(),
            cell_array: line.cell_array.clone(),
            lost: line.lost,
        };
        let mut differences = compare(&self.after, &found, &Tolerance::default(), !self.fragile_cells);
        let mut check = |field, same: bool, expected: String, found: String| {
            if !same && !self.fragile_cells {
                differences.push(Difference { field, expected, found });
            }
        };
        if let Some(cells) = &self.mover_shadow_cells {
            let found = &line.mover_shadow_cells;
            check("mover_shadow_cells", cells == found, format!("{cells:?}"), format!("{found:?}"));
        }
        if let Some(cells) = &self.entity_shadow_cells {
            let found = line.entity_shadow_cells.as_ref();
            check("entity_shadow_cells", Some(cells) == found, format!("{cells:?}"), format!("{found:?}"));
        }
        differences
    }
}

/// Plays a script up to its first disagreement, which is returned unless it is at a fragile line.
fn play(setting: &mut Setting, world: &str, script: Script) -> Option<String> {
    let name = format!("{world}/{}", script.name);
    let scenario = serde_json::from_value(script.scenario).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut walk = Walk::begin(setting, scenario).unwrap_or_else(|e| panic!("{name}: {e}"));
    for expected in script.expected {
        let expected: Expected = serde_json::from_value(expected).unwrap_or_else(|e| panic!("{name}: {e}"));
        let id = format!("{name}#{}", expected.step);
        let Some(line) = walk.next_line() else { panic!("{id}: the walk ended before") };
        let line = line.unwrap_or_else(|e| panic!("{id}: {e}"));
        assert_eq!(line.step, expected.step, "{id}");
        let differences = expected.differences(&line);
        if !differences.is_empty() {
            if expected.fragile {
                return None;
            }
            eprintln!("{id}: {differences:#?}");
            return Some(id);
        }
    }
    assert!(walk.next_line().is_none(), "{name}: goes on after its last line");
    None
}

fn walk(world: &str) {
    walk_on(setting(world), world);
}

fn walk_on(mut setting: Setting, world: &str) {
    let scripts = threshold_golden::scripts(world);
    assert!(scripts.len() > 20, "{world}: {}", scripts.len());
    let differing: Vec<String> =
        scripts.into_iter().filter_map(|script| play(&mut setting, world, script)).collect();
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
        let empty = Setting::empty(setting(world).library);
        assert_eq!((empty.world.block_ids().count(), empty.scene.len()), (0, 0));
        walk_on(empty, world);
    }
}
