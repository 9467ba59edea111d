//! The houses of the golden worlds, room by room: along every wall, out of the doors and back.

use crate::{support, walls};
use support::{at, player, setting};
use threshold_physics::Transient;
use threshold_world::{CellId, Position};
use walls::{along_every_wall, body, can_stand, walk};

/// The named points of a world that lie in rooms.
fn spots(world: &str) -> Vec<Position> {
    let manifest = threshold_golden::manifest(world);
    let points = manifest["points"].as_object().expect("points");
    let number = |value: &serde_json::Value| value.as_f64().expect("a number") as f32;
    let spot = |value: &serde_json::Value| {
        let cell: CellId = value["cell"].as_str().expect("a cell").parse().expect("a cell");
        let origin = &value["origin"];
        at(cell.0, number(&origin[0]), number(&origin[1]), number(&origin[2]))
    };
    points.values().map(spot).filter(|spot| spot.cell.is_interior()).collect()
}

#[test]
fn no_wall_of_a_house_lets_a_body_in_or_out() {
    for world in ["cottage", "seam"] {
        let mut setting = setting(world);
        let spots: Vec<Position> =
            spots(world).into_iter().filter(|spot| can_stand(&mut setting, spot)).collect();
        assert!(spots.len() > 20, "{world}: {}", spots.len());
        let slid = along_every_wall(&mut setting, &spots, 13.9, |_, _| ());
        assert!(slid > 1000, "{world}: walls were slid along: {slid}");
    }
}

#[test]
fn out_of_the_door_and_back() {
    let mut setting = setting("cottage");
    let key = player(&mut setting, 1, at(0xA9B4_0101, 84.0, 80.8, 20.155));
    let start = body(&setting, key);
    let cells = [0xA9B4_0101, 0xA9B4_0100, 0xA9B4_001C];
    assert_eq!(walk(&mut setting, key, [0.0, -0.2, 0.0], 15), cells);
    let mut back = cells;
    back.reverse();
    assert_eq!(walk(&mut setting, key, [0.0, 0.2, 0.0], 15), back);
    assert!(start.distance_to(&body(&setting, key)) < 0.01, "there and back again");
    assert!(setting.scene.get(key).expect("the body").has(Transient::ON_WALKABLE));
}
