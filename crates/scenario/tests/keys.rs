//! What a scenario may say beyond who walks where: keepers, fighters, cells that are not loaded.

mod support;

use serde_json::{Value, json};
use std::sync::Arc;
use support::stage;
use threshold_scenario::{Scenario, Stage, StageError, StepReport, Walk};
use threshold_world::{CellId, cell::EnvCell, landblock::Landblock};

const STREET: CellId = CellId(0xA9B4_001C);
const VESTIBULE: CellId = CellId(0xA9B4_0100);
const MAIN: CellId = CellId(0xA9B4_0101);
/// The keeper of a cell.
const KEEPER: u32 = 77;

fn play(stage: &mut Stage, scenario: Value) -> Result<Vec<StepReport>, StageError> {
    let scenario: Scenario = serde_json::from_value(scenario).expect("a scenario");
    let mut walk = Walk::begin(stage, scenario)?;
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
fn guarded(guarded: CellId) -> Stage {
    let mut stage = stage("cottage");
    let mut block = Landblock::clone(stage.world.block_data(STREET.block()).expect("the cottage"));
    for cell in block.env_cells.iter_mut().flatten().filter(|cell| cell.id() == guarded) {
        *cell = EnvCell { restriction: Some(KEEPER), ..cell.clone() };
    }
    if guarded.is_outdoor() {
        block.restrictions = Box::new([(u32::from(guarded.low()), KEEPER)]);
    }
    stage.world.insert_resident(Arc::new(block));
    stage
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
        let mut stage = guarded(keeps);
        let mut case = |bypass: Option<bool>, entities: Value, enters: bool| {
            let mut scenario = through_the_door(y, north);
            if let Some(bypass) = bypass {
                scenario["mover"]["bypass"] = json!(bypass);
            }
            scenario["entities"] = entities;
            if north < 0.0 {
                scenario["start"]["cell"] = json!(MAIN);
            }
            let lines = play(&mut stage, scenario.clone()).expect("a walk");
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
    let mut stage = stage("cottage");
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
        let lines = play(&mut stage, scenario).expect("a walk");
        let touched = lines.iter().any(|line| line.collided_with == [5]);
        assert_eq!(touched, collide, "{mover} and {other}");
        let reached = lines[lines.len() - 1].origin[1];
        assert_eq!(reached < 83.0, collide, "{mover} and {other}: {reached}");
    }
}

#[test]
fn cells_that_are_not_loaded_are_not_there_until_the_next_scenario() {
    let mut stage = stage("cottage");
    let whole = play(&mut stage, through_the_door(77.0, 1.0)).expect("a walk");
    assert_eq!(last_cell(&whole), MAIN);

    // Without the room behind it the way ends in the vestibule: whoever steps on is in no cell.
    let mut scenario = through_the_door(77.0, 1.0);
    scenario["unloaded"] = json!([MAIN]);
    let lines = play(&mut stage, scenario.clone()).expect("a walk");
    assert!(lines.iter().all(|line| line.cell != MAIN && !line.cell_array.is_empty()));
    assert!(lines.last().expect("a line").lost && lines.len() < whole.len());
    assert!(lines[..lines.len() - 1].iter().any(|line| line.cell == VESTIBULE && !line.lost));

    // A block is named by any of its land cells, and goes with all that is in it.
    scenario["unloaded"] = json!(["0xA9B40003"]);
    let lines = play(&mut stage, scenario.clone()).expect("a walk");
    assert_eq!((lines.len(), lines[0].lost), (1, true), "the start exists, but nothing is loaded there");
    assert!(stage.world.cell(STREET).is_none() && stage.world.cell(VESTIBULE).is_none());

    let again = play(&mut stage, through_the_door(77.0, 1.0)).expect("a walk");
    assert_eq!(again, whole, "everything is back");

    for (name, field) in
        [("0xA9B40FFF", "unloaded[0]: this world has no cell 0xA9B40FFF"), ("0x01010001", "")]
    {
        scenario["unloaded"] = json!([name]);
        let error = play(&mut stage, scenario.clone()).expect_err("no such cell").to_string();
        assert!(error.contains(field) && error.contains(name), "{error}");
    }
}

#[test]
fn nobody_begins_in_a_cell_that_does_not_exist_and_no_camera_is_put_there() {
    let mut stage = stage("cottage");
    for cell in ["0x01010001", "0xA9B40FFF"] {
        let nowhere = json!({"cell": cell, "origin": [12, 12, 20]});
        for viewer in [false, true] {
            let mut scenario = through_the_door(77.0, 1.0);
            scenario["mover"]["viewer"] = json!(viewer);
            scenario["steps"] = json!([{"teleport": nowhere}]);
            let teleported = play(&mut stage, scenario.clone());
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
            let error = play(&mut stage, scenario).expect_err("no such cell");
            assert_eq!(error.to_string(), format!("start: this world has no cell {cell}"));
        }
    }
}

#[test]
fn whether_scenery_grows_is_said_by_the_scenario() {
    let mut scenario = through_the_door(77.0, 1.0);
    let grows =
        |scenario: &Value| serde_json::from_value::<Scenario>(scenario.clone()).expect("a scenario").scenery;
    assert!(grows(&scenario), "as in the client, unless it is said otherwise");
    scenario["scenery"] = json!(false);
    assert!(!grows(&scenario));
}
