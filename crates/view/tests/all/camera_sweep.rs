//! The camera carried by the real sweep through a real house.
//! Spec: visibility §14 and §16, example 58.

use glam::Vec3;
use std::sync::Arc;
use threshold_golden::world_dir;
use threshold_physics::{EntityKey, Sweeper, sweep::SweepInput};
use threshold_scenario::spawn_mover;
use threshold_sim::Simulation;
use threshold_view::{
    FramePlan, Lens, Planner, Root, Viewer,
    camera::{Camera, Player, orientation},
};
use threshold_world::{CellId, Frame, Position, source::DatSource};

const MAIN_ROOM: CellId = CellId(0xA9B4_0101);
const VESTIBULE: CellId = CellId(0xA9B4_0100);
const IN_FRONT: CellId = CellId(0xA9B4_001C);

fn cottage() -> Simulation {
    let source = DatSource::open(world_dir("cottage")).unwrap();
    Simulation::builder().source(Arc::new(source)).build().unwrap()
}

fn spawn_player(sim: &mut Simulation, cell: CellId, origin: Vec3, yaw: f32) -> EntityKey {
    let spec =
        serde_json::from_str(r#"{"setup": "0x02000001", "state": "0x00400408", "is_player": true}"#).unwrap();
    spawn_mover(sim, &spec, Position::new(cell, Frame::new(origin, orientation(yaw, 0.0)))).unwrap()
}

/// One frame of the camera behind a player, swept by physics.
fn look(sim: &Simulation, camera_state: &mut Camera, key: EntityKey) -> Option<Position> {
    let position = sim.scene().get(key).unwrap().position;
    let player = Player { position, ground: Some(Vec3::Z), velocity: Vec3::ZERO };
    camera_state.update(sim.world(), &player, 1.0 / 30.0, |from, to| {
        let mut sweeper = Sweeper::new();
        let input = SweepInput::new(sim.scene().camera_of(key), from, to);
        let swept = sweeper.sweep(sim.world(), sim.scene(), input, None).ok()?;
        swept.cell.filter(|_| swept.ok).map(|cell| Position::new(cell, swept.position.frame))
    })
}

#[test]
fn example_58_a_wall_behind_the_player_stops_the_boom() {
    let mut sim = cottage();
    // One metre before the south wall at y = 80, facing north: the boom would reach out of the house.
    let player = spawn_player(&mut sim, MAIN_ROOM, Vec3::new(87.0, 81.0, 20.155), 0.0);
    let mut camera = Camera::default();
    for _ in 0..200 {
        let eye = look(&sim, &mut camera, player).unwrap();
        assert_eq!(eye.cell, MAIN_ROOM);
        assert!(eye.frame.origin.y >= 80.0 + 0.3 - 0.02, "{}", eye.frame.origin);
    }
    let eye = camera.eye().unwrap().frame.origin;
    assert!(eye.y < 80.45, "it reaches as far back as it can: {eye}");
}

#[test]
fn example_58_in_the_open_the_boom_extends() {
    let mut sim = cottage();
    let player = spawn_player(&mut sim, IN_FRONT, Vec3::new(84.0, 76.9, 20.005), 0.0);
    let mut camera = Camera::default();
    for _ in 0..200 {
        look(&sim, &mut camera, player).unwrap();
    }
    let eye = camera.eye().unwrap();
    assert!((eye.frame.origin - Vec3::new(84.0, 74.4, 22.255)).length() < 0.02, "{}", eye.frame.origin);
}

#[test]
fn seed_test_6_the_root_is_the_swept_cell_and_changes_once_per_threshold() {
    let mut sim = cottage();
    let player = spawn_player(&mut sim, IN_FRONT, Vec3::new(84.0, 76.0, 20.005), 0.0);
    let mut camera = Camera::default();
    let (mut planner, mut plan) = (Planner::default(), FramePlan::default());
    let lens = Lens::new(60f32.to_radians(), 1280, 720).unwrap();
    let (mut roots, mut player_cells) = (Vec::new(), Vec::new());
    for step in 0..400 {
        let at = sim.scene().get(player).unwrap().position;
        // Walk into the room, then stand and let the camera come after.
        if at.frame.origin.y < 84.0 {
            let mut target = at;
            target.frame.origin.y += 0.06;
            let (world, scene) = sim.parts_mut();
            scene.move_to(world, player, &target, None).unwrap();
        }
        let eye = look(&sim, &mut camera, player).expect("the camera is always in a cell");
        let player_cell = sim.scene().get(player).unwrap().position.cell;
        planner.plan(sim.world(), &(), &Viewer { position: eye, lens, player_cell }, &mut plan);
        let root = match plan.root {
            Root::Outdoor(cell) | Root::Interior(cell) => cell,
            Root::None => panic!("nothing to see at step {step}"),
        };
        assert_eq!(root, eye.cell);
        // What the player stands in is in the picture, from whichever side of the door it is seen.
        let seen = plan.cells.iter().any(|cell| cell.id == player_cell);
        assert!(player_cell.is_outdoor() || seen, "step {step}: {player_cell} is not seen from {root}");
        for (list, cell) in [(&mut roots, root), (&mut player_cells, player_cell)] {
            if list.last() != Some(&cell) {
                list.push(cell);
            }
        }
    }
    assert_eq!(player_cells, [IN_FRONT, VESTIBULE, MAIN_ROOM]);
    assert_eq!(roots, [IN_FRONT, VESTIBULE, MAIN_ROOM], "no flicker at a threshold");
}
