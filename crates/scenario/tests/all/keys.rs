//! What a scenario may say beyond who walks where: keepers, fighters, cells that are not loaded.

use crate::support;
use serde_json::{Value, json};
use std::sync::Arc;
use support::simulation;
use threshold_physics::EntityKey;
use threshold_scenario::{SCENERY_IDS, Scenario, ScenarioError, StepReport, Walk};
use threshold_sim::Simulation;
use threshold_world::{CellId, Library, cell::EnvCell, coords::adjust_to_outside, landblock::Landblock};

const STREET: CellId = CellId(0xA9B4_001C);
const VESTIBULE: CellId = CellId(0xA9B4_0100);
const MAIN: CellId = CellId(0xA9B4_0101);
/// The keeper of a cell.
const KEEPER: u32 = 77;

fn play(sim: &mut Simulation, scenario: Value) -> Result<Vec<StepReport>, ScenarioError> {
    let scenario: Scenario = serde_json::from_value(scenario).expect("a scenario");
    let mut walk = Walk::begin(sim, scenario)?;
    std::iter::from_fn(|| walk.next_line()).collect()
}

/// A player who walks north or south (negative) through the doorway of the cottage, 4.5 m in thirty steps.
fn through_the_door(y: f32, north: f32) -> Value {
    let (cell, z) = if y < 79.0 { (STREET, 20.005) } else { (VESTIBULE, 20.155) };
    json!({
        "mover": {"setup": "0x02000001", "state": "0x00400408", "is_player": true},
        "start": {"cell": cell, "origin": [84.0, y, z]},
        "steps": vec![json!({"move": [0.0, 0.15 * north, 0.0]}); 30],
    })
}

fn last_cell(lines: &[StepReport]) -> CellId {
    lines.last().expect("a line").cell
}

/// The cottage with a keeper of one cell.
fn guarded(guarded: CellId) -> Simulation {
    let mut sim = simulation("cottage");
    let mut block = Landblock::clone(sim.world().block_data(STREET.block()).expect("the cottage"));
    for cell in block.env_cells.iter_mut().flatten().filter(|cell| cell.id() == guarded) {
        *cell = EnvCell { restriction: Some(KEEPER), ..cell.clone() };
    }
    if guarded.is_outdoor() {
        block.restrictions = Box::new([(u32::from(guarded.low()), KEEPER)]);
    }
    sim.insert_block(Arc::new(block)).expect("a whole world");
    sim
}

#[test]
fn a_keeper_that_refuses_or_is_absent_lets_nobody_in_who_does_not_bypass_it() {
    let keeper = |refuses: bool| {
        let origin = json!([100.0, 60.0, 20.0]);
        json!([{"id": KEEPER, "setup": "0x02000101", "cell": "0xA9B40023", "origin": origin,
                "state": "0x8", "refuses": refuses}])
    };
    // Into the house from the street, and out of it: an interior cell and an outdoor one.
    for (y, north, keeps, beyond) in [(77.0, 1.0, VESTIBULE, MAIN), (81.0, -1.0, STREET, STREET)] {
        let mut sim = guarded(keeps);
        let mut case = |bypass: Option<bool>, entities: Value, enters: bool| {
            let mut scenario = through_the_door(y, north);
            if let Some(bypass) = bypass {
                scenario["mover"]["bypass"] = json!(bypass);
            }
            scenario["entities"] = entities;
            if north < 0.0 {
                scenario["start"]["cell"] = json!(MAIN);
            }
            let lines = play(&mut sim, scenario.clone()).expect("a walk");
            let entered = last_cell(&lines) == beyond;
            assert_eq!(entered, enters, "{scenario}: ends in {}", last_cell(&lines));
            let walked = (lines[0].origin[1] - lines[lines.len() - 1].origin[1]).abs();
            assert!(walked > 0.3, "it walked up to the border: {walked}");
        };
        case(Some(false), json!([]), false);
        case(Some(false), keeper(true), false);
        case(Some(false), keeper(false), true);
        case(Some(true), json!([]), true);
        case(None, keeper(true), true);
    }
}

#[test]
fn fighters_of_a_kind_and_what_cannot_be_passed_collide() {
    let mut sim = simulation("cottage");
    for (mover, other, collide) in [
        (json!({}), json!({}), false),
        (json!({"pk": true}), json!({"pk": true}), true),
        (json!({"pk": true}), json!({"pk_lite": true}), false),
        (json!({"pk_lite": true}), json!({"pk_lite": true}), true),
        (json!({"impenetrable": true}), json!({}), true),
        (json!({}), json!({"impenetrable": true}), true),
    ] {
        let mut scenario = through_the_door(81.0, 1.0);
        scenario["start"]["cell"] = json!(MAIN);
        let mut entity = json!({"id": 5, "setup": "0x02000001", "cell": MAIN, "origin": [84.0, 83.5, 20.155],
                                "state": "0x00400408", "is_player": true});
        let extend = |into: &mut Value, with: &Value| {
            let fields = with.as_object().expect("fields").clone();
            into.as_object_mut().expect("an object").extend(fields);
        };
        extend(&mut scenario["mover"], &mover);
        extend(&mut entity, &other);
        scenario["entities"] = json!([entity]);
        let lines = play(&mut sim, scenario).expect("a walk");
        let touched = lines.iter().any(|line| line.collided_with == [5]);
        assert_eq!(touched, collide, "{mover} and {other}");
        let reached = lines[lines.len() - 1].origin[1];
        assert_eq!(reached < 83.0, collide, "{mover} and {other}: {reached}");
    }
}

#[test]
fn cells_that_are_not_loaded_are_not_there_until_the_next_scenario() {
    let mut sim = simulation("cottage");
    let whole = play(&mut sim, through_the_door(77.0, 1.0)).expect("a walk");
    assert_eq!(last_cell(&whole), MAIN);

    // Without the room behind it the way ends in the vestibule: a mover that steps on is in no cell.
    let mut scenario = through_the_door(77.0, 1.0);
    scenario["unloaded"] = json!([MAIN]);
    let lines = play(&mut sim, scenario.clone()).expect("a walk");
    assert!(lines.iter().all(|line| line.cell != MAIN && !line.cell_array.is_empty()));
    assert!(lines.last().expect("a line").lost && lines.len() < whole.len());
    assert!(lines[..lines.len() - 1].iter().any(|line| line.cell == VESTIBULE && !line.lost));

    // A block is named by any of its land cells, and goes with all that is in it.
    scenario["unloaded"] = json!(["0xA9B40003"]);
    let lines = play(&mut sim, scenario.clone()).expect("a walk");
    assert_eq!((lines.len(), lines[0].lost), (1, true), "the start exists, but nothing is loaded there");
    assert!(sim.world().cell(STREET).is_none() && sim.world().cell(VESTIBULE).is_none());

    let again = play(&mut sim, through_the_door(77.0, 1.0)).expect("a walk");
    assert_eq!(again, whole, "everything is back");

    for (name, field) in
        [("0xA9B40FFF", "unloaded[0]: this world has no cell 0xA9B40FFF"), ("0x01010001", "")]
    {
        scenario["unloaded"] = json!([name]);
        let error = play(&mut sim, scenario.clone()).expect_err("no such cell").to_string();
        assert!(error.contains(field) && error.contains(name), "{error}");
    }
}

#[test]
fn nobody_begins_in_a_cell_that_does_not_exist_and_no_camera_is_put_there() {
    let mut sim = simulation("cottage");
    for cell in ["0x01010001", "0xA9B40FFF"] {
        let nowhere = json!({"cell": cell, "origin": [12, 12, 20]});
        for viewer in [false, true] {
            let mut scenario = through_the_door(77.0, 1.0);
            scenario["mover"]["viewer"] = json!(viewer);
            scenario["steps"] = json!([{"teleport": nowhere}]);
            let teleported = play(&mut sim, scenario.clone());
            match (viewer, teleported) {
                // An object that a game sends there is lost, as in the original.
                (false, Ok(lines)) => assert!(lines[1].lost),
                (true, Err(error)) => {
                    assert_eq!(
                        error.to_string(),
                        format!("steps[0].teleport: this world has no cell {cell}")
                    );
                }
                (_, other) => panic!("{viewer} {cell}: {other:?}"),
            }
            scenario["start"] = nowhere.clone();
            let error = play(&mut sim, scenario).expect_err("no such cell");
            assert_eq!(error.to_string(), format!("start: this world has no cell {cell}"));
        }
    }
}

/// The sample world, which has trees, and a walk of six metres north against one of them.
fn against_a_tree() -> (Simulation, Value, f32) {
    let source = threshold_sample::build().expect("the sample world").source().expect("its records");
    let sim = threshold_scenario::simulation(Library::new(Arc::new(source))).expect("it loads");
    let is_tree = |key: &EntityKey| {
        let tree = sim.scene().get(*key).expect("it grows");
        let origin = tree.position.frame.origin;
        !tree.model.cylinders.is_empty() && (10.0..180.0).contains(&origin.y)
    };
    let tree = sim.scene().scenery().find(is_tree).expect("a tree");
    let tree = sim.scene().get(tree).expect("it grows").position;
    let mut south = tree;
    south.frame.origin.y -= 3.0;
    let (cell, origin) = adjust_to_outside(tree.cell, south.frame.origin).expect("a place on the map");
    let scenario = json!({
        "mover": {"setup": "0x02000001", "state": "0x00400408", "is_player": true},
        "start": {"cell": cell, "origin": origin.to_array()},
        "steps": vec![json!({"move": [0.0, 0.2, 0.0]}); 30],
    });
    (sim, scenario, tree.frame.origin.y)
}

#[test]
fn trees_are_solid_unless_a_scenario_does_without_scenery() {
    let (mut sim, mut scenario, tree) = against_a_tree();
    let mut reaches = |sim: &mut Simulation, scenery: Option<bool>| {
        scenario["scenery"] = scenery.map_or(Value::Null, Value::from);
        if scenery.is_none() {
            scenario.as_object_mut().expect("an object").remove("scenery");
        }
        let lines = play(sim, scenario.clone()).expect("a walk");
        lines.last().expect("a line").origin[1]
    };
    let held = reaches(&mut sim, None);
    assert!(held < tree && held > tree - 3.0, "{held} before {tree}");
    assert!(reaches(&mut sim, Some(false)) > tree + 2.5);
    assert_eq!(reaches(&mut sim, Some(true)), held, "it has grown again");
    assert_eq!(reaches(&mut sim, None), held);
}

#[test]
fn a_capture_that_lists_scenery_is_played_against_that_alone() {
    let (mut sim, scenario, tree) = against_a_tree();
    let far = json!([{"id": SCENERY_IDS, "setup": "0x02000001", "cell": scenario["start"]["cell"],
                      "origin": scenario["start"]["origin"], "state": "0x15"}]);
    let mut listed = scenario;
    listed["entities"] = far;
    let lines = play(&mut sim, listed).expect("a walk");
    assert!(lines.last().expect("a line").origin[1] > tree + 2.5, "the world's own tree is gone");
}
