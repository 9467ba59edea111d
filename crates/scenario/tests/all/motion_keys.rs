//! What scenarios may say of motion, and how they are refused when they say something else.

use crate::support;
use serde_json::{Value, json};
use support::simulation;
use threshold_scenario::{MOVER_ID, Playing, ReportLine, Script, StepReport};

/// A player with a motion table on the street, and what it is to do.
fn scenario(steps: Value) -> Value {
    json!({
        "mover": {"setup": "0x02000201", "state": "0x00400408", "is_player": true, "motion_table": "0x09000001"},
        "start": {"cell": "0xA9B4001C", "origin": [84.0, 72.0, 20.005]},
        "steps": steps,
    })
}

fn play(scenario: &Value) -> Result<Vec<ReportLine>, String> {
    let mut sim = simulation("motions");
    let script = Script::from_json(scenario.to_string().as_bytes()).map_err(|e| e.to_string())?;
    let mut playing = Playing::begin(&mut sim, script).map_err(|e| e.to_string())?;
    std::iter::from_fn(|| playing.next_line()).map(|line| line.map_err(|e| e.to_string())).collect()
}

fn world_lines(scenario: &Value) -> Vec<StepReport> {
    let lines = play(scenario).unwrap_or_else(|e| panic!("{e}")).into_iter();
    lines
        .map(|line| match line {
            ReportLine::World(line) => *line,
            ReportLine::Detached(line) => panic!("{line:?}"),
        })
        .collect()
}

#[test]
fn a_step_may_command_change_and_tick_at_once() {
    let walk =
        json!({"motion": {"command": "0x45000005"}, "set_state": {"state": "0x00400418"}, "tick": 0.05});
    let lines = world_lines(&scenario(json!([walk])));
    let motion = lines[1].motion.as_ref().expect("its motion is told");
    assert_eq!((lines[1].result, motion.state.0.bits()), (Some(0), 0x0040_0418));
    assert!(motion.motion.as_ref().is_some_and(|motion| motion.frame > 0.0), "time has passed");
}

#[test]
fn refusals_are_codes_and_commands_go_to_the_object_that_is_named() {
    let mut scenario = scenario(json!([
        {"motion": {"command": "0x10001234"}},
        {"object": 2, "stick_to": 0},
        {"jump": 1.0},
    ]));
    scenario["entities"] = json!([{"id": 2, "setup": "0x02000201", "cell": "0xA9B4001C", "origin": [84.0, 74.0, 20.005],
        "state": "0x00400408", "motion_table": "0x09000001", "creature": true}]);
    let lines = world_lines(&scenario);
    assert_eq!(lines.iter().map(|line| line.result).collect::<Vec<_>>(), [None, Some(67), Some(0), Some(0)]);
    let other = lines[2].entities[&2].as_ref().expect("it is there");
    assert_eq!(other.motion.sticky, MOVER_ID);
    assert!(lines[3].velocity[2] > 0.0 && !lines[3].on_walkable, "it jumped");
}

#[test]
fn plain_scenarios_tell_nothing_of_motion() {
    let plain = json!({
        "mover": {"setup": "0x02000201", "state": "0x00400408", "is_player": true},
        "start": {"cell": "0xA9B4001C", "origin": [84.0, 72.0, 20.005]},
        "steps": [{"tick": 0.05}],
    });
    for line in world_lines(&plain) {
        assert!(line.motion.is_none() && line.entities.is_empty() && line.result.is_none());
    }
}

#[test]
fn parts_are_told_when_they_are_asked_for() {
    let mut scenario = scenario(json!([{"tick": 0.05}]));
    assert!(world_lines(&scenario)[1].motion.as_ref().is_some_and(|motion| motion.parts.is_none()));
    scenario["parts"] = json!(true);
    let lines = world_lines(&scenario);
    let parts = lines[1].motion.as_ref().and_then(|motion| motion.parts.clone());
    assert_eq!(parts.map(|parts| parts.len()), Some(3));
}

#[test]
fn what_cannot_be_played_is_refused_with_its_place() {
    let place = json!({"cell": "0xA9B4001C", "origin": [84, 72, 20]});
    for (step, expected) in [
        (json!({"motion": {"command": "0x45000005"}, "jump": 1.0}), "a step has at most one command"),
        (json!({"motion": {"command": "walk"}}), "`walk` is not a command such as 0x45000005"),
        (json!({"motion": {"command": "0x45000005", "speed": 1e39}}), "a number is too large"),
        (json!({"motion": {"command": "0x45000005", "key": 3}}), "3 is not a hold key"),
        (json!({"stop": "everything"}), "`stop` needs a command, or the word \"all\""),
        (json!({"hold_key": 0}), "`hold_key` is 1 (none) or 2 (run)"),
        (json!({"jump": 1e39}), "a number is too large"),
        (json!({"move_to": {"speed": 1.0}}), "`move_to` needs an entity, or a cell and an origin"),
        (json!({"move_to": {"entity": 9}}), "steps[0].move_to: there is no entity 9"),
        (json!({"object": 9, "jump": 1.0}), "steps[0].object: there is no entity 9"),
        (json!({"stick_to": 9}), "steps[0].stick_to: there is no entity 9"),
        (
            json!({"interpolate_to": {"cell": "0xA9B40FFF", "origin": [1e9, 0, 0]}}),
            "steps[0].interpolate_to: ",
        ),
        (json!({"constrain": "here"}), "`constrain` needs a position, or true for the object's own"),
        (json!({"charge": true, "move": [0, 1, 0]}), "only move and rotate go together"),
        (json!({"teleport": place, "set_state": {"state": "0x8"}}), "it may change one object, then tick"),
        (json!({"tick": -1.0}), "-1 seconds: time cannot run backwards"),
        (json!({"unstick": false}), "the step does nothing"),
        (json!({"dance": true}), "unknown field `dance`"),
        (json!({"remove_entity": {"entity": MOVER_ID}}), "steps[0].remove_entity: there is no entity"),
    ] {
        let error = play(&scenario(json!([step]))).expect_err("it cannot be played");
        assert!(error.contains(expected), "{step}: {error}");
    }
}

#[test]
fn movers_and_objects_that_cannot_be_are_refused() {
    let mut missing = scenario(json!([]));
    missing["mover"]["motion_table"] = json!("0x09000099");
    let error = play(&missing).expect_err("no such table");
    assert_eq!(error, "mover: 0x09000099 is not a usable motion table of this world");
    let mut taken = scenario(json!([]));
    taken["entities"] = json!([{"id": MOVER_ID, "setup": "0x02000201", "cell": "0xA9B4001C", "origin": [84, 74, 20],
        "state": "0x8"}]);
    assert!(play(&taken).expect_err("the mover's id").contains("0x50000001"));
    let mut camera = scenario(json!([{"jump": 1.0}]));
    camera["mover"]["viewer"] = json!(true);
    assert!(play(&camera).expect_err("a camera").contains("the camera has no physics of its own"));
}

#[test]
fn detached_scenarios_do_one_thing_at_a_time() {
    let detached = |step: Value| json!({"detached": true, "mover": {"setup": "0x02000201", "motion_table": "0x09000001"}, "steps": [step]});
    let lines = play(&detached(json!({"advance": 0.1}))).expect("a line");
    assert!(
        matches!(&lines[1], ReportLine::Detached(line) if line.offset.is_some() && line.motion.is_some())
    );
    for (step, expected) in [
        (json!({"advance": 0.1, "reset": true}), "does exactly one thing"),
        (json!({}), "does exactly one thing"),
        (json!({"advance": -0.1}), "-0.1 seconds: time cannot run backwards"),
        (json!({"tick": 0.1}), "unknown field `tick`"),
    ] {
        let error = play(&detached(step.clone())).expect_err("it cannot be played");
        assert!(error.contains(expected), "{step}: {error}");
    }
}
