//! Membership is a latch: the cell is what the sweep held, changed by accepted sub-steps alone.

use crate::{support, watch};
use glam::Vec3;
use support::{CLOSED, DOOR, Setting, TREE, at, moved, player, point, setting, spawn, spawn_recorded, stand};
use threshold_physics::{
    EntityKey, Event, State, Transient,
    cells::{self, CellSet},
};
use threshold_scenario::Scenario;
use threshold_world::{CellId, Position, geometry::Sphere};
use watch::Watch;

const STREET: u32 = 0xA9B4_001C;
const VESTIBULE: u32 = 0xA9B4_0100;
const MAIN: u32 = 0xA9B4_0101;

/// Moves a body and checks the sweep and its commit; returns what was seen.
fn go(setting: &mut Setting, key: EntityKey, by: [f32; 3]) -> Watch {
    let body = setting.scene.get(key).expect("the body");
    let (before, cell) = (body.position, body.cell);
    let mut watch = Watch::new(before, cell);
    setting.scene.drain_events();
    let result =
        setting.scene.move_to(&setting.world, key, &moved(&before, by), Some(&mut watch)).expect("a move");
    let body = setting.scene.get(key).expect("the body");
    let expected = if result.ok { watch.held() } else { (&before, cell) };
    assert_eq!((&body.position, body.cell), expected, "what is committed is what was held");
    assert_eq!(body.position.cell, body.cell.expect("a cell"), "id and cell are one");
    let changed = before.cell != body.position.cell;
    let changes = setting.scene.drain_events().filter(|e| matches!(e, Event::CellChanged { .. })).count();
    assert_eq!(changes, usize::from(changed));
    watch
}

fn body_position(setting: &Setting, key: EntityKey) -> Position {
    setting.scene.get(key).expect("the body").position
}

/// Conformance test 1 of the seed, and the cellar's trajectory with it: the cell of each step is the one that its
/// sweep held, and standing still changes nothing, wherever one stands.
#[test]
fn the_cell_of_every_step_is_the_one_that_was_held() {
    for (world, script) in [
        ("cottage", "door_in_out"),
        ("cottage", "cellar_down_up"),
        ("cottage", "stairs_up_fast_down"),
        ("seam", "door_in_out"),
    ] {
        let script = threshold_golden::script(&format!("{world}/{script}"));
        let mut setting = setting(world);
        let scenario: Scenario = serde_json::from_value(script.scenario.clone()).expect("a scenario");
        spawn_recorded(&mut setting, scenario.entities.iter().map(|entity| &entity.body));
        let mover = scenario.mover.body.spawn(&setting.library, scenario.start.position()).expect("a body");
        let key = stand(&mut setting, mover);
        let mut crossings = 0;
        for step in script.scenario["steps"].as_array().expect("steps") {
            let Some(by) = step["move"].as_array() else { continue };
            let by = std::array::from_fn(|i| by[i].as_f64().expect("a number") as f32);
            crossings += go(&mut setting, key, by).crossings;
            let standing = body_position(&setting, key);
            for _ in 0..3 {
                go(&mut setting, key, [0.0; 3]);
                support::tick(&mut setting, key, 1.0 / 30.0);
                assert_eq!(
                    body_position(&setting, key).cell,
                    standing.cell,
                    "standing still at {standing:?}"
                );
            }
        }
        assert!(crossings >= 2, "{world}/{}: {crossings} crossings", script.name);
    }
}

/// Conformance test 2: the trial is found in the next cell, but something there blocks.
#[test]
fn a_blocked_step_across_a_threshold_does_not_change_the_cell() {
    // From, to, the cell there, and where a tree leaves no room for the last step.
    for (start, y, by, other, tree) in [
        ("door_outside", 78.94, 0.14, VESTIBULE, at(VESTIBULE, 84.0, 79.95, 20.15)),
        ("vestibule", 79.06, -0.14, STREET, at(STREET, 84.0, 78.05, 20.0)),
        ("inside_door", 80.06, -0.14, VESTIBULE, at(VESTIBULE, 84.0, 79.05, 20.15)),
    ] {
        let mut setting = setting("cottage");
        let at_the_threshold = |setting: &mut Setting| {
            let key = player(setting, 1, point("cottage", start));
            let way = y - body_position(setting, key).frame.origin.y;
            go(setting, key, [0.0, way, 0.0]);
            assert!((body_position(setting, key).frame.origin.y - y).abs() < 0.001);
            key
        };
        let key = at_the_threshold(&mut setting);
        let free = go(&mut setting, key, [0.0, by, 0.0]);
        assert_eq!(free.crossings, 1, "{start}: without anything in the way it crosses");
        assert_eq!(body_position(&setting, key).cell, CellId(other));

        setting.reset();
        let key = at_the_threshold(&mut setting);
        let before = body_position(&setting, key);
        spawn(&mut setting, 2, TREE, tree, State::REPORT_COLLISIONS);
        let blocked = go(&mut setting, key, [0.0, by, 0.0]);
        assert!(blocked.picked.contains(&CellId(other)), "{start}: the trial was in the next cell");
        assert_eq!((blocked.crossings, blocked.undone), (0, 1), "{start}");
        assert_eq!(body_position(&setting, key), before, "{start}: held to the bit");
    }
}

/// Conformance test 3.
#[test]
fn on_the_doorstep_the_room_wins_over_the_street() {
    let setting = setting("cottage");
    let feet = Sphere { center: Vec3::new(84.0, 79.1, 20.63), radius: 0.48 };
    for seed in [STREET, VESTIBULE] {
        let mut set = CellSet::default();
        let touched = cells::build(&setting.world, &mut set, &at(seed, 84.0, 79.1, 20.155), &[feet]);
        assert!(setting.world.cell(CellId(STREET)).expect("the street").contains(feet.center));
        assert!(set.contains(CellId(STREET)) && set.contains(CellId(VESTIBULE)));
        assert_eq!(touched.containing, Some(CellId(VESTIBULE)), "from {seed:x}");
        assert!(touched.inside);
    }
}

/// Conformance test 4.
#[test]
fn the_prune_takes_the_street_out_of_a_set_that_starts_in_the_house() {
    let setting = setting("cottage");
    let feet = Sphere { center: Vec3::new(84.0, 79.1, 20.63), radius: 0.48 };
    let ids = |seed: u32, no_load: bool| {
        let mut set = CellSet::default();
        set.no_load = no_load;
        cells::build(&setting.world, &mut set, &at(seed, 84.0, 79.1, 20.155), &[feet]);
        set.ids().map(|id| id.0).collect::<Vec<u32>>()
    };
    assert!(ids(VESTIBULE, false).contains(&STREET));
    let pruned = ids(VESTIBULE, true);
    let anchor = setting.world.env_cell(CellId(VESTIBULE)).expect("the vestibule");
    assert!(!pruned.contains(&STREET) && pruned.contains(&VESTIBULE));
    assert!(pruned.iter().all(|&id| anchor.sees(CellId(id))));
    assert!(ids(STREET, true).contains(&STREET), "a set that starts outdoors keeps everything");
}

/// Conformance test 5, for a door within a block and for houses that stand across block borders.
#[test]
fn walking_out_of_a_door_leads_to_the_right_outdoor_cell() {
    for (world, inside, outside, toward) in [
        ("cottage", "vestibule", "door_outside", [0.0, -0.2, 0.0]),
        ("seam", "vestibule", "door_outside", [0.0, -0.2, 0.0]),
        ("seam", "north_vestibule", "north_door_outside", [0.2, 0.0, 0.0]),
        ("seam", "corner_vestibule", "corner_door_outside", [0.1414, -0.1414, 0.0]),
    ] {
        let mut setting = setting(world);
        let key = player(&mut setting, 1, point(world, inside));
        assert!(body_position(&setting, key).cell.is_interior());
        let goal = point(world, outside);
        let mut crossings = 0;
        for _ in 0..12 {
            crossings += go(&mut setting, key, toward).crossings;
        }
        let end = body_position(&setting, key);
        assert_eq!((crossings, end.cell), (1, goal.cell), "{world}/{inside}");
        assert!(end.offset_to(&goal).truncate().length() < 0.6, "{world}/{inside}: {end:?}");
        let origin = end.frame.origin;
        assert!((0.0..192.0).contains(&origin.x) && (0.0..192.0).contains(&origin.y));
    }
}

/// Small steps to and fro; the same ones every time.
struct Jitter(u32);

impl Jitter {
    fn next(&mut self, size: f32) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        size * ((self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0)
    }
}

/// Where the middle of the feet is on the way from the street (below 79) through the vestibule to the room (from 80).
fn cell_at(y: f32) -> u32 {
    match y {
        y if y < 79.0 => STREET,
        y if y < 80.0 => VESTIBULE,
        _ => MAIN,
    }
}

#[test]
fn jitter_in_a_doorway_changes_the_cell_only_by_crossing() {
    for (y, z) in [(79.0, 20.155), (80.0, 20.155)] {
        let mut setting = setting("cottage");
        let key = player(&mut setting, 1, at(VESTIBULE, 84.0, 79.5, z));
        go(&mut setting, key, [0.0, y - 79.5, 0.0]);
        let mut jitter = Jitter(1);
        let (mut changes, mut crossings) = (0, 0);
        for tick in 0..10_000 {
            let before = body_position(&setting, key);
            // Back towards the threshold whenever the drift has left it.
            let home = (y - before.frame.origin.y).clamp(-0.04, 0.04);
            let watch = go(&mut setting, key, [jitter.next(0.02), home + jitter.next(0.08), 0.0]);
            let after = body_position(&setting, key);
            let (from, to) = (before.frame.origin.y, after.frame.origin.y);
            let far = |y: f32| [79.0, 80.0].iter().all(|plane| (y - plane).abs() > 0.001);
            if far(from) && far(to) {
                assert_eq!(
                    after.cell != before.cell,
                    cell_at(from) != cell_at(to),
                    "tick {tick}: {before:?} to {after:?}"
                );
            }
            changes += u32::from(after.cell != before.cell);
            crossings += watch.crossings;
            assert!(watch.crossings > 0 || after.cell == before.cell, "tick {tick}");
        }
        assert!(changes > 100, "it does cross: {changes}");
        assert!(crossings >= changes);
    }
}

#[test]
fn jitter_against_a_closed_door_never_changes_the_cell() {
    for start in ["door_step", "inside_door"] {
        let mut setting = setting("cottage");
        spawn(&mut setting, 2, DOOR, point("cottage", "door"), CLOSED);
        let key = player(&mut setting, 1, point("cottage", start));
        let toward = (79.1 - body_position(&setting, key).frame.origin.y).signum();
        for _ in 0..30 {
            go(&mut setting, key, [0.0, toward * 0.05, 0.0]);
        }
        let home = body_position(&setting, key);
        let mut jitter = Jitter(7);
        let mut undone = 0;
        for tick in 0..10_000 {
            let watch = go(&mut setting, key, [jitter.next(0.08), toward * 0.08 + jitter.next(0.08), 0.0]);
            undone += watch.undone;
            assert_eq!(body_position(&setting, key).cell, home.cell, "tick {tick}");
            let x = body_position(&setting, key).frame.origin.x;
            if (x - 84.0).abs() > 0.3 {
                go(&mut setting, key, [84.0 - x, 0.0, 0.0]);
            }
        }
        assert!(undone > 100, "the door was pushed against: {undone}");
    }
}

#[test]
fn standing_on_a_threshold_for_ten_thousand_ticks_is_standing_still() {
    for y in [78.999, 79.0, 79.001, 79.9999, 80.0, 80.0001] {
        let mut setting = setting("cottage");
        let key = player(&mut setting, 1, at(VESTIBULE, 84.0, 79.5, 20.155));
        go(&mut setting, key, [0.0, y - 79.5, 0.0]);
        let standing = body_position(&setting, key);
        assert!(setting.scene.get(key).expect("the body").has(Transient::ON_WALKABLE));
        for tick in 0..10_000 {
            support::tick(&mut setting, key, 1.0 / 30.0);
            assert_eq!(body_position(&setting, key), standing, "tick {tick}");
        }
    }
}
