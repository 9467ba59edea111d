//! Input that no game would send: clear errors or refusals, no hang, nothing that is not finite.

use crate::{support, watch};
use glam::Vec3;
use std::sync::Arc;
use support::{PLAYER, Setting, WALKER, at, moved, object, player, point, setting};
use threshold_physics::{
    Mover, Outcome, PlaceOptions, Placement, SceneError, Spawn, Sweeper,
    scene::camera,
    sweep::{Contact, PlacementInput, StartContact, SweepError, SweepInput},
};
use threshold_world::{
    CellId, Frame, Position, Quat,
    bsp::CellVolume,
    geometry::{Plane, Sphere},
};
use watch::Watch;

const NUMBERS: [f32; 8] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e30, -0.0, 1e-40];
const HOUSE: u32 = 0xA9B4_0101;

fn sweep(
    setting: &Setting,
    mover: Mover,
    start: StartContact,
    from: Position,
    to: Position,
) -> Result<Outcome, SweepError> {
    let cell = setting.world.cell(from.cell).map(|cell| cell.id());
    let mut watch = Watch::new(from, cell);
    let mut sweeper = Sweeper::new();
    let input = SweepInput { mover, contact: start, begin: &from, end: &to };
    sweeper.sweep(&setting.world, &setting.scene, input, Some(&mut watch)).copied()
}

/// A body of two spheres with nothing else about it.
fn body() -> Mover {
    let sphere = |z: f32| Sphere { center: Vec3::new(0.0, 0.0, z), radius: 0.48 };
    Mover {
        spheres: [sphere(0.475), sphere(1.35)],
        sphere_count: 2,
        step_up: 0.6,
        step_down: 1.5,
        ..camera()
    }
}

fn grounded(cell: u32, plane: Plane) -> StartContact {
    let contact = Contact { plane, cell: CellId(cell), is_water: false };
    StartContact { contact: Some(contact), last_contact: Some(contact), ..StartContact::default() }
}

#[test]
fn a_camera_in_the_ground_that_moves_along_it_stays_finite() {
    let setting = setting("plains");
    for z in [24.2, 24.0, 23.9, 20.0] {
        for by in [[0.2, 0.0, 0.0], [0.0, -0.2, 0.0], [0.3, 0.3, 0.0], [5.0, 0.0, 0.0]] {
            let from = at(0xA9B4_0005, 12.0, 100.0, z);
            let to = moved(&from, by);
            let outcome = sweep(&setting, camera(), StartContact::default(), from, to).unwrap();
            assert!(outcome.position.frame.is_finite(), "{z} {by:?}: {:?}", outcome.position);
            assert!(outcome.position.distance_to(&from) < 200.0, "{z} {by:?}: {:?}", outcome.position);
        }
    }
}

#[test]
fn targets_that_are_not_finite_are_refused() {
    let setting = setting("cottage");
    let from = point("cottage", "main");
    for number in NUMBERS.into_iter().filter(|x| !x.is_finite()) {
        for axis in 0..3 {
            let mut bad = from;
            bad.frame.origin[axis] = number;
            let start = StartContact::default;
            assert_eq!(sweep(&setting, body(), start(), from, bad).unwrap_err(), SweepError::NotFinite);
            assert_eq!(sweep(&setting, body(), start(), bad, from).unwrap_err(), SweepError::NotFinite);
            let mut sweeper = Sweeper::new();
            let input = PlacementInput { mover: body(), at: &bad, may_search: true, no_load: false };
            let placed = sweeper.place(&setting.world, &setting.scene, input, None);
            assert_eq!(placed.unwrap_err(), SweepError::NotFinite);
        }
    }
}

#[test]
fn moves_of_kilometres_end() {
    let mut setting = setting("plains");
    let from = point("plains", "center");
    for (by, leaves) in
        [([5000.0, 300.0, 0.0], true), ([0.0, -20_000.0, 50.0], true), ([0.0, 0.0, -9000.0], false)]
    {
        setting.reset();
        let key = player(&mut setting, 1, from);
        let target = moved(&setting.scene.get(key).unwrap().position, by);
        setting.scene.move_to(&setting.world, key, &target, None).unwrap();
        let body = setting.scene.get(key).unwrap();
        assert!(body.position.frame.is_finite());
        assert_eq!(
            body.cell.is_none(),
            leaves,
            "beyond the loaded blocks there is no cell: {:?}",
            body.position
        );
    }
    let far = moved(&from, [1e9, 0.0, 0.0]);
    let start = StartContact::default();
    assert_eq!(sweep(&setting, body(), start, from, far).unwrap_err(), SweepError::TooLong);
}

#[test]
fn a_sweep_from_a_cell_that_is_not_there_finds_nothing() {
    let setting = setting("cottage");
    let origin = point("cottage", "main").frame.origin;
    for cell in
        [0, 1, 0xA9B4_0000, 0xA9B4_0041, 0xA9B4_00FF, 0xA9B4_0FFF, 0xA9B4_FFFE, 0xA9B4_FFFF, 0xFFFF_FFFF]
    {
        let from = Position::new(CellId(cell), Frame::at(origin));
        let outcome =
            sweep(&setting, body(), StartContact::default(), from, moved(&from, [0.1, 0.0, 0.0])).unwrap();
        assert!(!outcome.ok && outcome.cell.is_none(), "{cell:x}");
        assert_eq!(outcome.position, from);
    }
}

#[test]
fn a_body_placed_in_a_cell_that_is_not_there_waits_aside() {
    let mut setting = setting("cottage");
    let key = player(&mut setting, 1, point("cottage", "main"));
    for cell in [0x0101_0001, 0x0101_0100, 0xA9B4_0FFF] {
        let nowhere = at(cell, 50.0, 50.0, 20.0);
        let (placement, _) =
            setting.scene.place(&setting.world, key, &nowhere, PlaceOptions::default()).unwrap();
        let body = setting.scene.get(key).unwrap();
        assert_eq!((placement, body.cell), (Placement::Placed, None), "{cell:x}");
        let result =
            setting.scene.move_to(&setting.world, key, &moved(&nowhere, [1.0, 0.0, 0.0]), None).unwrap();
        assert!(!result.ok, "there is nothing to move through");
    }
    let (placement, _) =
        setting.scene.place(&setting.world, key, &point("cottage", "main"), PlaceOptions::default()).unwrap();
    assert_eq!((placement, setting.scene.get(key).unwrap().cell), (Placement::Placed, Some(CellId(HOUSE))));
}

#[test]
fn rotations_of_any_length_turn_alike() {
    let setting = setting("cottage");
    let from = point("cottage", "main");
    let turned = |scale: f32| {
        let Quat { w, v } = Quat::from_heading(70.0);
        let rotation = Quat { w: w * scale, v: v * scale };
        let to = Position::new(from.cell, Frame::new(from.frame.origin + Vec3::X * 0.3, rotation));
        sweep(&setting, body(), StartContact::default(), from, to).unwrap().position.frame.rotation()
    };
    for scale in [0.001, 0.5, 3.0, 1e6] {
        let (a, b) = (turned(scale), turned(1.0));
        assert!((a.dot(b) - 1.0).abs() < 1e-5, "{scale}: {a:?}");
    }
    for nothing in [0.0, f32::NAN, f32::INFINITY] {
        assert_eq!(turned(nothing), Quat::IDENTITY, "a rotation of zero length turns nothing");
    }
}

#[test]
fn movers_of_no_and_of_many_spheres_move() {
    let setting = setting("cottage");
    let from = point("cottage", "main");
    let to = moved(&from, [0.3, 0.0, 0.0]);
    for count in [0, 1, 2, 3, 1000, usize::MAX] {
        let mover = Mover { sphere_count: count, ..body() };
        let outcome = sweep(&setting, mover, StartContact::default(), from, to).unwrap();
        assert!(outcome.ok && outcome.position.distance_to(&to) < 0.001, "{count}");
    }
}

#[test]
fn spheres_of_any_size_leave_the_mover_finite() {
    let setting = setting("cottage");
    let from = point("cottage", "main");
    for size in NUMBERS.into_iter().chain([0.0, -0.48, 1e-6, 100.0]) {
        for field in 0..4 {
            let mut mover = body();
            match field {
                0 => mover.spheres[0].radius = size,
                1 => mover.spheres[1].radius = size,
                2 => mover.spheres[0].center.z = size,
                _ => (mover.step_up, mover.step_down) = (size, size),
            }
            for by in [[0.3, 0.0, 0.0], [0.0, 0.0, -0.3], [0.0; 3]] {
                let result = sweep(&setting, mover.clone(), StartContact::default(), from, moved(&from, by));
                if let Ok(outcome) = result {
                    assert!(outcome.position.frame.is_finite(), "{size} in field {field}");
                }
                let mut sweeper = Sweeper::new();
                let mover = mover.clone();
                let input = PlacementInput { mover, at: &from, may_search: true, no_load: false };
                let placed = sweeper.place(&setting.world, &setting.scene, input, None);
                assert!(
                    placed.is_ok_and(|outcome| outcome.position.frame.is_finite()),
                    "{size} in field {field}"
                );
            }
        }
    }
}

#[test]
fn ground_of_any_kind_leaves_the_mover_finite() {
    let setting = setting("cottage");
    let from = point("cottage", "main");
    for number in NUMBERS.into_iter().chain([0.0, 0.5, -1.0]) {
        for field in 0..4 {
            let mut plane = Plane { normal: Vec3::Z, d: -20.15 };
            match field {
                3 => plane.d = number,
                axis => plane.normal[axis] = number,
            }
            let mut start = grounded(HOUSE, plane);
            start.slide = Some(Vec3::new(number, 1.0, 0.0));
            for by in [[0.3, 0.1, 0.0], [3.0, 0.0, 0.1]] {
                let outcome = sweep_unwatched(&setting, start, from, moved(&from, by));
                assert!(outcome.position.frame.is_finite(), "{number} in field {field}");
            }
        }
    }
}

/// The log of such a sweep repeats the numbers it was given.
fn sweep_unwatched(setting: &Setting, start: StartContact, from: Position, to: Position) -> Outcome {
    let input = SweepInput { mover: body(), contact: start, begin: &from, end: &to };
    *Sweeper::new().sweep(&setting.world, &setting.scene, input, None).unwrap()
}

#[test]
fn objects_of_any_size_leave_the_mover_finite() {
    for scale in [0.01, 0.1, 10.0, 50.0] {
        let mut setting = setting("cottage");
        let place = point("cottage", "main");
        let giant =
            Spawn { scale, ..object(&setting, 7, 0x0200_0105, moved(&place, [1.5, 0.0, 0.0]), WALKER) };
        setting.scene.spawn(&setting.world, giant).unwrap();
        let giant =
            Spawn { scale, ..object(&setting, 8, 0x0200_0102, moved(&place, [-1.5, 0.0, 0.0]), WALKER) };
        setting.scene.spawn(&setting.world, giant).unwrap();
        let body = Spawn { scale, ..object(&setting, 1, PLAYER, place, WALKER) };
        let key = setting.scene.spawn(&setting.world, body).unwrap();
        for by in [[0.3, 0.0, 0.0], [-0.3, 0.0, -0.2], [0.0, 0.0, 9.0]] {
            let from = setting.scene.get(key).unwrap().position;
            match setting.scene.move_to(&setting.world, key, &moved(&from, by), None) {
                Ok(_) => assert!(setting.scene.get(key).unwrap().position.frame.is_finite(), "{scale}"),
                Err(error) => assert_eq!(error, SceneError::Sweep(SweepError::TooLong), "{scale}"),
            }
        }
    }
}

#[test]
fn rooms_without_walls_and_without_bounds_can_be_walked() {
    let mut setting = setting("cottage");
    let from = point("cottage", "main");
    let mut block = (**setting.world.block_data(from.cell.block()).unwrap()).clone();
    for cell in block.env_cells.iter_mut().flatten() {
        Arc::make_mut(&mut cell.structure).physics = None;
    }
    setting.world.insert_resident(Arc::new(block.clone()));
    let outcome =
        sweep(&setting, body(), StartContact::default(), from, moved(&from, [3.0, 0.0, 0.0])).unwrap();
    assert!(outcome.ok && outcome.position.distance_to(&moved(&from, [3.0, 0.0, 0.0])) < 0.001);
    for cell in block.env_cells.iter_mut().flatten() {
        Arc::make_mut(&mut cell.structure).volume = CellVolume::default();
    }
    setting.world.insert_resident(Arc::new(block));
    let outcome =
        sweep(&setting, body(), StartContact::default(), from, moved(&from, [30.0, 0.0, 0.0])).unwrap();
    assert!(outcome.ok && outcome.cell == Some(CellId(HOUSE)), "a room without bounds is everywhere");
}
