//! Doors, from both sides, through the scripts that `walk` plays.

use crate::support;
use glam::Vec3;
use serde_json::{Value, json};
use std::sync::Arc;
use support::*;
use threshold_physics::EntityRole;
use threshold_scenario::{Scenario, StepReport, Walk};
use threshold_sim::Simulation;
use threshold_world::{CellId, Frame, Position, Quat, coords::adjust_to_outside, source::DatSource};

/// A door of a golden world with the way through it.
struct Doorway {
    cell: CellId,
    frame: Frame,
}

/// All doors: plain, turned, and on or beside the borders of landblocks.
const DOORS: [(&str, &str); 5] = [
    ("cottage", "door"),
    ("cottage", "rot_door"),
    ("seam", "door"),
    ("seam", "north_door"),
    ("seam", "corner_door"),
];

impl Doorway {
    fn of(world: &str, name: &str) -> Doorway {
        let manifest = threshold_golden::manifest(world);
        let entities = manifest["entities"].as_array().expect("entities");
        let door = entities.iter().find(|entity| entity["name"] == name).expect("the door");
        let numbers = |key: &str| -> Vec<f32> { serde_json::from_value(door[key].clone()).expect("numbers") };
        let (origin, rotation) = (numbers("origin"), numbers("rotation"));
        let rotation = Quat::from([rotation[0], rotation[1], rotation[2], rotation[3]]);
        let cell = serde_json::from_value(door["cell"].clone()).expect("a cell");
        Doorway { cell, frame: Frame::new(Vec3::new(origin[0], origin[1], origin[2]), rotation) }
    }

    /// A place `aside` of the middle and `ahead` of the door; the house lies ahead.
    fn place(&self, aside: f32, ahead: f32) -> Position {
        let mut point = self.frame.apply(Vec3::new(aside, ahead, 0.0));
        if ahead > 0.0 {
            return Position::new(self.cell, Frame::at(point));
        }
        point.z = 20.005;
        let (cell, origin) = adjust_to_outside(self.cell, point).expect("on the map");
        Position::new(cell, Frame::at(origin))
    }

    /// How far ahead of the door a line of the output is.
    fn ahead(&self, line: &StepReport) -> f32 {
        let door = Position::new(self.cell, self.frame);
        let place = Position::new(line.cell, Frame::at(line.origin.into()));
        door.local_point_of(&place, Vec3::ZERO).y
    }

    fn step(&self, ahead: f32) -> Value {
        json!({"move": self.frame.rotate(Vec3::new(0.0, ahead, 0.0)).to_array()})
    }

    /// A walk of a player of some size at the door from a place; the door is entity 1.
    fn scenario(&self, start: &Position, scale: f32, steps: Vec<Value>) -> Scenario {
        let place = |position: &Position| {
            json!({"cell": position.cell, "origin": position.frame.origin.to_array(),
                   "rotation": <[f32; 4]>::from(position.frame.rotation())})
        };
        let mut door = place(&Position::new(self.cell, self.frame));
        door["id"] = json!(1);
        door["setup"] = json!("0x02000100");
        door["state"] = json!("0x10008");
        let scenario = json!({
            "mover": {"setup": "0x02000001", "state": "0x00400408", "is_player": true, "scale": scale},
            "start": place(start), "entities": [door], "steps": steps,
        });
        serde_json::from_value(scenario).expect("a scenario")
    }
}

fn simulation(world: &str) -> Simulation {
    let source = DatSource::open(threshold_golden::world_dir(world)).expect("a golden world");
    Simulation::builder().source(Arc::new(source)).build().expect("it loads")
}

fn play(sim: &mut Simulation, scenario: Scenario) -> Vec<StepReport> {
    let mut walk = Walk::begin(sim, scenario).expect("a scenario");
    std::iter::from_fn(|| walk.next_line()).map(|line| line.expect("a step")).collect()
}

fn set_state(state: &str) -> Value {
    json!({"set_state": {"entity": 1, "state": state}})
}

/// Dead centre and half a metre to either side, from outside and from inside, in five houses. The openings are 1.6 m
/// wide: half a metre off the middle a grown player meets the door post first, a smaller one the door.
#[test]
fn a_closed_door_blocks_everywhere_and_from_both_sides() {
    for (world, name) in DOORS {
        let mut sim = simulation(world);
        let doorway = Doorway::of(world, name);
        for (aside, scale) in [(0.0, 1.0), (-0.3, 1.0), (0.3, 1.0), (-0.5, 0.6), (0.5, 0.6)] {
            for from in [-2.1, 1.7] {
                let case = format!("{world} {name} {aside} {from}");
                let walk = vec![doorway.step(-0.15 * f32::signum(from)); 30];
                let open = std::iter::once(set_state("0x1000C")).chain(walk.clone()).collect();
                let lines = play(&mut sim, doorway.scenario(&doorway.place(aside, from), scale, open));
                let last = doorway.ahead(lines.last().expect("lines"));
                assert!(last.signum() != from.signum(), "{case}: open, it is no obstacle, at {last}");

                let lines = play(&mut sim, doorway.scenario(&doorway.place(aside, from), scale, walk));
                let first = doorway.ahead(&lines[0]);
                assert!((first - from).abs() < 0.05, "{case}: starts at {first}");
                let last = doorway.ahead(lines.last().expect("lines"));
                assert!(last.signum() == from.signum(), "{case}: came through to {last}");
                assert!((first - last).abs() > 0.9, "{case}: it walked up to the door, to {last}");
                let stopped_by_door = lines.iter().any(|line| line.collided_with == [1]);
                assert!(stopped_by_door, "{case}: the door stopped it");
                let walls = lines[1..].iter().filter(|line| line.collided_env).count();
                assert_eq!(walls, 0, "{case}: and nothing else did");
            }
        }
    }
}

#[test]
fn an_open_door_lets_through_and_closed_again_it_blocks() {
    for (world, name) in DOORS {
        let mut sim = simulation(world);
        let doorway = Doorway::of(world, name);
        for from in [-2.1, 1.7] {
            let case = format!("{world} {name} {from}");
            let (on, back) = (-0.15 * f32::signum(from), 0.15 * f32::signum(from));
            let mut steps = vec![doorway.step(on); 20];
            steps.push(set_state("0x1000C"));
            let opened = steps.len();
            // A body that slides along something keeps sliding until it has moved otherwise.
            steps.push(doorway.step(back));
            steps.extend(vec![doorway.step(on); 20]);
            steps.push(set_state("0x10008"));
            let closed = steps.len();
            steps.extend(vec![doorway.step(back); 30]);
            let lines = play(&mut sim, doorway.scenario(&doorway.place(0.0, from), 1.0, steps));
            // Line 0 is the placement.
            let ahead = |i: usize| doorway.ahead(&lines[i]);
            assert!(ahead(opened - 1).signum() == from.signum(), "{case}: closed");
            assert!(ahead(closed - 1) * from.signum() < -1.0, "{case}: open, at {}", ahead(closed - 1));
            let touched = lines[opened..closed].iter().any(|line| line.collided_with == [1]);
            assert!(touched, "{case}: going through an open door is noticed");
            let last = ahead(lines.len() - 1);
            assert!(last.signum() != from.signum(), "{case}: closed again, came back to {last}");
            assert!(lines[closed + 1..].iter().any(|line| line.collided_with == [1]), "{case}: by the door");
        }
    }
}

/// A door at a threshold stands in the lists of the cells on both sides of it.
#[test]
fn a_door_at_a_threshold_is_in_the_lists_of_both_sides() {
    for (world, name) in DOORS {
        let mut setting = setting(world);
        let doorway = Doorway::of(world, name);
        let key = spawn(&mut setting, 1, DOOR, Position::new(doorway.cell, doorway.frame), CLOSED);
        let cells = cells_of(&setting.scene, key);
        assert!((2..=3).contains(&cells.len()), "{world} {name}: {cells:08X?}");
        assert_eq!(cells[0], doorway.cell.0);
        assert!(cells[1..].iter().all(|cell| CellId(*cell).is_outdoor()), "{cells:08X?}");
        // The same door filed in the land cell under it reaches the cell behind the opening through the building.
        setting.reset();
        let (outside, origin) = adjust_to_outside(doorway.cell, doorway.frame.origin).expect("on the map");
        let frame = Frame::new(origin, doorway.frame.rotation());
        let key = spawn(&mut setting, 1, DOOR, Position::new(outside, frame), CLOSED);
        let cells = cells_of(&setting.scene, key);
        assert_eq!(cells[0], outside.0);
        // The way into a building works in the coordinates of its own block only.
        if outside.block() == doorway.cell.block() {
            assert!(cells.contains(&doorway.cell.0), "{world} {name}: {cells:08X?}");
        }
    }
}

/// No cylinders, one tiny sphere, three parts of which two can be hit.
#[test]
fn a_door_has_three_parts_and_a_sphere_that_is_never_tested() {
    let mut setting = setting("cottage");
    let doorway = Doorway::of("cottage", "door");
    let place = Position::new(doorway.cell, doorway.frame);
    let key = spawn(&mut setting, 1, DOOR, place, CLOSED);
    let door = setting.scene.get(key).unwrap();
    assert!(door.model.cylinders.is_empty());
    assert_eq!(door.model.spheres.len(), 1);
    assert_eq!(door.model.spheres[0].center, Vec3::new(0.0, 0.0, 0.018));
    assert_eq!(door.parts().len(), 3);
    assert_eq!(door.parts().iter().filter(|part| part.mesh.physics.is_some()).count(), 2);
    for (part, model) in door.parts().iter().zip(&door.model.parts) {
        assert_eq!(
            part.position.frame,
            place.frame.compose(&model.frame),
            "the placement frame places the part"
        );
        assert_eq!(part.position.cell, place.cell);
        assert_eq!(part.scale, 1.0);
    }
}

#[test]
fn scale_and_place_reach_every_part_of_a_door() {
    let mut setting = setting("cottage");
    let doorway = Doorway::of("cottage", "door");
    let place = Position::new(doorway.cell, doorway.frame);
    let key = spawn(&mut setting, 1, DOOR, place, CLOSED);
    let before: Vec<_> = setting.scene.get(key).unwrap().parts().to_vec();
    setting.scene.set_scale(&setting.world, key, 2.0).unwrap();
    let door = setting.scene.get(key).unwrap();
    for (part, old) in door.parts().iter().zip(&before) {
        assert_eq!(part.scale, 2.0);
        let (new, old) =
            (part.position.frame.origin - place.frame.origin, old.position.frame.origin - place.frame.origin);
        assert!((new - old * 2.0).length() < 1e-4, "{new} {old}");
    }
    setting.scene.set_scale(&setting.world, key, 1.0).unwrap();
    let elsewhere = moved(&point("cottage", "door_outside"), [0.0, -3.0, 0.0]);
    setting.scene.update_position(&setting.world, key, elsewhere).unwrap();
    let door = setting.scene.get(key).unwrap();
    for (part, old) in door.parts().iter().zip(&before) {
        assert_eq!(part.position.cell, elsewhere.cell);
        let new = part.position.frame.origin - elsewhere.frame.origin;
        assert!((new - (old.position.frame.origin - place.frame.origin)).length() < 1e-4);
    }
    assert!(!is_in(&setting.scene, doorway.cell.0, key), "it has left the doorway");
    assert_lists_agree(&setting);
}

#[test]
fn a_door_that_is_taken_out_is_in_no_list() {
    let mut setting = setting("cottage");
    let doorway = Doorway::of("cottage", "door");
    let key = spawn(&mut setting, 1, DOOR, Position::new(doorway.cell, doorway.frame), CLOSED);
    let cells = cells_of(&setting.scene, key);
    setting.scene.despawn(&setting.world, key).unwrap();
    assert!(setting.scene.get(key).is_none() && setting.scene.key_of(1).is_none());
    assert!(cells.iter().all(|&cell| !is_in(&setting.scene, cell, key)));
    assert_lists_agree(&setting);
}

/// A door closes on nobody: it stays open until the way is free. Spec: physics-objects §8.11.
#[test]
fn a_door_does_not_become_solid_while_somebody_stands_in_it() {
    let mut setting = setting("cottage");
    let doorway = Doorway::of("cottage", "door");
    let door = spawn(&mut setting, 1, DOOR, Position::new(doorway.cell, doorway.frame), OPEN);
    let key = player(&mut setting, 2, doorway.place(0.0, 0.3));
    setting.scene.set_ethereal(&setting.world, door, false).unwrap();
    let is_open = |setting: &Setting| setting.scene.get(door).unwrap().state == OPEN;
    assert!(is_open(&setting), "somebody stands in it");
    tick(&mut setting, door, 0.1);
    assert!(is_open(&setting), "still");
    push_on(&mut setting, key, [0.0, 0.15, 0.0], 15);
    assert!(is_open(&setting), "nobody tried again");
    tick(&mut setting, door, 0.1);
    assert_eq!(setting.scene.get(door).unwrap().state, CLOSED);
    let way = push_on(&mut setting, key, [0.0, -0.15, 0.0], 30);
    assert!(way.y > -2.2, "closed: {way}");
}

/// Open doors are felt, those that also ignore collisions are not. physics-tests 77.
#[test]
fn an_open_door_is_touched_and_an_ignoring_one_is_not() {
    let mut setting = setting("cottage");
    let doorway = Doorway::of("cottage", "door");
    let door = spawn(&mut setting, 1, DOOR, Position::new(doorway.cell, doorway.frame), OPEN);
    let spawn = threshold_physics::Spawn {
        role: EntityRole { is_player: true, ..EntityRole::default() },
        ..object(&setting, 2, PLAYER, doorway.place(0.0, -2.1), WALKER)
    };
    let key = stand(&mut setting, spawn);
    let mut free = Vec::new();
    let mut touched = false;
    for _ in 0..28 {
        assert!(push(&mut setting, key, [0.0, 0.15, 0.0]));
        touched |= setting.scene.last_sweep().touched() == [door];
        free.push(setting.scene.get(key).unwrap().position.frame.origin);
    }
    assert!(touched);
    setting.scene.place(&setting.world, key, &doorway.place(0.0, -2.1), Default::default()).unwrap();
    setting.scene.set_state(door, OPEN | threshold_physics::State::IGNORE_COLLISIONS).unwrap();
    for expected in free {
        push(&mut setting, key, [0.0, 0.15, 0.0]);
        assert!(setting.scene.last_sweep().touched().is_empty());
        assert_eq!(
            setting.scene.get(key).unwrap().position.frame.origin,
            expected,
            "touching changed nothing"
        );
    }
}
