//! A door, through `threshold walk`: closed, opened, closed again; from both sides; on a landblock border as well.

use serde_json::{Value, json};
use std::{fs, process::Command};
use tempfile::TempDir;

/// A doorway whose house lies to the north.
struct Doorway {
    world: &'static str,
    /// Cell of the vestibule.
    cell: &'static str,
    /// Land cell before it.
    street: &'static str,
    x: f32,
}

/// The second one stands half a metre from the border of its landblock: its door reaches over it.
const DOORWAYS: [Doorway; 2] = [
    Doorway { world: "cottage", cell: "0xA9B40100", street: "0xA9B4001C", x: 84.0 },
    Doorway { world: "seam", cell: "0xA9B40100", street: "0xA9B4003C", x: 191.5 },
];

const DOOR_Y: f64 = 79.1;

impl Doorway {
    /// Walks at the door from outside (or inside), `aside` of its middle, as a player of some size.
    fn walk(&self, from_outside: bool, (aside, scale): (f32, f32), steps: &[Value]) -> Vec<Value> {
        let start = if from_outside {
            json!({"cell": self.street, "origin": [self.x + aside, 77.0, 20.005]})
        } else {
            json!({"cell": self.cell, "origin": [self.x + aside, 80.8, 20.155]})
        };
        let scenario = json!({
            "mover": {"setup": "0x02000001", "state": "0x00400408", "is_player": true, "scale": scale},
            "start": start,
            "entities": [{"id": 1, "setup": "0x02000100", "cell": self.cell, "origin": [self.x, DOOR_Y, 20.15],
                          "state": "0x10008"}],
            "steps": steps,
        });
        let dir = TempDir::new().expect("a folder");
        let file = dir.path().join("door.json");
        fs::write(&file, scenario.to_string()).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
        command.arg("walk").arg(&file).arg("--dats").arg(threshold_golden::world_dir(self.world));
        let output = command.output().expect("the program runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("text");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

fn step(y: f64) -> Value {
    json!({"move": [0.0, y, 0.0]})
}

fn y(line: &Value) -> f64 {
    line["origin"][1].as_f64().expect("a number")
}

#[test]
fn closed_it_blocks_in_the_middle_and_beside_it_from_both_sides() {
    for doorway in DOORWAYS {
        // Half a metre off the middle a grown player meets the door post first.
        for (aside, scale) in [(0.0, 1.0), (-0.5, 0.6), (0.5, 0.6)] {
            for (from_outside, by) in [(true, 0.15), (false, -0.15)] {
                let case = format!("{} {aside} {from_outside}", doorway.world);
                let lines = doorway.walk(from_outside, (aside, scale), &vec![step(by); 30]);
                let (first, last) = (y(&lines[0]), y(lines.last().expect("lines")));
                assert!(
                    (last - first).abs() > 0.9,
                    "{case}: it walked up to the door, from {first} to {last}"
                );
                assert_eq!(last < DOOR_Y, from_outside, "{case}: came through to {last}");
                let stopped_by_door = lines.iter().any(|line| line["collided_with"] == json!([1]));
                assert!(stopped_by_door, "{case}: the door stopped it");
                let cells = lines[0]["entity_shadow_cells"]["1"].as_array().expect("cells");
                assert!(
                    cells.contains(&json!(doorway.cell)) && cells.contains(&json!(doorway.street)),
                    "{case}"
                );
            }
        }
    }
}

#[test]
fn opened_it_lets_through_and_closed_again_it_blocks() {
    for doorway in DOORWAYS {
        for (from_outside, by) in [(true, 0.15), (false, -0.15)] {
            let case = format!("{} {from_outside}", doorway.world);
            let state = |word: &str| json!({"set_state": {"entity": 1, "state": word}});
            let mut steps = vec![step(by); 20];
            steps.extend([state("0x1000C"), step(-by)]);
            steps.extend(vec![step(by); 20]);
            steps.push(state("0x10008"));
            steps.extend(vec![step(-by); 30]);
            let lines = doorway.walk(from_outside, (0.0, 1.0), &steps);
            // Line 0 is the placement; 20 steps, opening, a step back, 20 steps, closing.
            let (closed, open, closed_again) =
                (y(&lines[20]), y(&lines[42]), y(lines.last().expect("lines")));
            assert_eq!(closed < DOOR_Y, from_outside, "{case}: closed, at {closed}");
            assert_eq!(open > DOOR_Y, from_outside, "{case}: open, at {open}");
            assert_eq!(closed_again > DOOR_Y, from_outside, "{case}: closed again, at {closed_again}");
            assert!(
                lines[43..].iter().any(|line| line["collided_with"] == json!([1])),
                "{case}: by the door"
            );
        }
    }
}
