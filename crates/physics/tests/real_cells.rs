//! Two real houses with cellars. They are no part of the project, so these tests run on request: `cargo test -p
//! threshold-physics --test real_cells -- --ignored`. What the repository's own houses must hold is in `houses.rs`.

mod support;
mod walls;
mod watch;

use glam::Vec3;
use std::{
    f32::consts::TAU,
    path::{Path, PathBuf},
};
use support::{PLAYER, Setting, at, object, player};
use threshold_dat::DatId;
use threshold_physics::{Spawn, State, Transient};
use threshold_world::{
    CellId, Frame, Position, Quat,
    source::{DatSource, read_dumps},
};
use walls::{along_every_wall, body, can_stand, step, walk};

/// The folder with the cells.
fn real() -> PathBuf {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/real");
    assert!(dir.is_dir(), "there are no real cells at ../shared/real (seen from the project's root)");
    dir
}

fn holtburg(dir: &Path) -> Setting {
    Setting::load(DatSource::open(dir.join("holtburg")).expect("dat files"))
}

#[test]
#[ignore = "needs the real cells at ../shared/real"]
fn out_of_the_doors_and_back() {
    let dir = real();
    let mut setting = holtburg(&dir);
    for (inside, out, cells) in [
        (at(0xA9B4_0143, 137.7, 5.15, 94.005), [-0.2, 0.0, 0.0], [0xA9B4_0143, 0xA9B4_0145, 0xA9B4_0029]),
        (at(0xA9B4_0171, 155.43, 14.2, 94.005), [0.0, 0.2, 0.0], [0xA9B4_0171, 0xA9B4_0170, 0xA9B4_0031]),
    ] {
        setting.reset();
        let key = player(&mut setting, 1, inside);
        let start = body(&setting, key);
        assert_eq!(walk(&mut setting, key, out, 15), cells);
        let mut back = cells;
        back.reverse();
        assert_eq!(walk(&mut setting, key, out.map(|x| -x), 15), back);
        assert!(start.distance_to(&body(&setting, key)) < 0.01, "there and back again");
        assert!(setting.scene.get(key).expect("the body").has(Transient::ON_WALKABLE));
    }
}

/// Stairs of 1.5 m width up to the north, as they stand in the cellar: eight pieces, each half a metre long.
fn stairs(setting: &mut Setting) {
    for i in 0..8_u8 {
        let step = f32::from(i);
        let origin = Vec3::new(153.929, 6.603 + 0.5 * step, 90.4 + 0.4 * step);
        let position = Position::new(CellId(0xA9B4_0174), Frame::new(origin, Quat::about_z(TAU / 4.0)));
        let state = State::STATIC | State::HAS_PHYSICS_BSP;
        let piece = object(setting, 100 + u32::from(i), 0x0200_0F00, position, state);
        setting.scene.spawn(&setting.world, piece).expect("a piece");
    }
}

#[test]
#[ignore = "needs the real cells at ../shared/real"]
fn up_the_cellar_stairs_through_the_hatch_and_down_again() {
    let dir = real();
    let mut setting = holtburg(&dir);
    stairs(&mut setting);
    let key = player(&mut setting, 1, at(0xA9B4_0174, 153.9, 5.5, 90.005));
    let way = [0xA9B4_0174, 0xA9B4_0175, 0xA9B4_0171];
    assert_eq!(walk(&mut setting, key, [0.0, 0.1, 0.0], 95), way);
    let top = body(&setting, key).frame.origin;
    assert!((top.z - 94.0).abs() < 0.01 && top.y > 10.4, "on the floor of the house: {top}");
    assert!(setting.scene.get(key).expect("the body").has(Transient::ON_WALKABLE));
    let mut back = way;
    back.reverse();
    assert_eq!(walk(&mut setting, key, [0.0, -0.1, 0.0], 80), back);
    assert!((body(&setting, key).frame.origin.z - 90.0).abs() < 0.01, "on the floor of the cellar");
}

#[test]
#[ignore = "needs the real cells at ../shared/real"]
fn straight_up_and_down_through_both_hatches() {
    let dir = real();
    let mut setting = holtburg(&dir);
    for (below, hatch, house) in [
        (at(0xA9B4_0147, 141.3, 6.3, 90.955), 0xA9B4_0146, 0xA9B4_0143),
        (at(0xA9B4_0174, 153.93, 8.4, 90.005), 0xA9B4_0175, 0xA9B4_0171),
    ] {
        setting.reset();
        let key = player(&mut setting, 1, below);
        let cellar = body(&setting, key).cell.0;
        setting.scene.set_velocity(key, Vec3::Z).expect("a velocity");
        assert_eq!(walk(&mut setting, key, [0.0, 0.0, 0.1], 38), [cellar, hatch, house]);
        assert_eq!(walk(&mut setting, key, [0.0, 0.0, -0.1], 45), [house, hatch, cellar]);
    }
}

fn spots(dir: &Path) -> Vec<Position> {
    let text = std::fs::read(dir.join("holtburg/manifest.json")).expect("a manifest");
    let manifest: serde_json::Value = serde_json::from_slice(&text).expect("a manifest");
    let number = |value: &serde_json::Value| value.as_f64().expect("a number") as f32;
    let spot = |value: &serde_json::Value| {
        let cell: CellId = value["cell"].as_str().expect("a cell").parse().expect("a cell");
        let origin = &value["origin"];
        at(cell.0, number(&origin[0]), number(&origin[1]), number(&origin[2]))
    };
    manifest["points"]
        .as_object()
        .expect("points")
        .values()
        .map(spot)
        .filter(|p| p.cell.is_interior())
        .collect()
}

#[test]
#[ignore = "needs the real cells at ../shared/real"]
fn along_every_wall_of_the_houses() {
    let dir = real();
    let mut setting = holtburg(&dir);
    let spots: Vec<Position> = spots(&dir).into_iter().filter(|spot| can_stand(&mut setting, spot)).collect();
    assert!(spots.len() > 20, "{}", spots.len());
    let slid = along_every_wall(&mut setting, &spots, 89.9, |setting, position| {
        let cell = setting.world.cell(position.cell).expect("a loaded cell");
        let feet = position.frame.apply(Vec3::new(0.0, 0.0, 0.475));
        assert!(cell.contains(feet), "{position:?} is not in its cell");
    });
    assert!(slid > 1000, "walls were slid along: {slid}");
}

/// The dumps hold the same walls without trees; a walk within the rooms ends in the same place.
#[test]
#[ignore = "needs the real cells at ../shared/real"]
fn the_dumps_stop_a_body_where_the_dat_files_do() {
    let dir = real();
    let mut dats = holtburg(&dir);
    let model = dats.library.model(DatId(PLAYER)).expect("readable").expect("a player");
    let mut dumps = Setting::load(read_dumps(&dir).expect("dumps"));
    let rooms = [0xA9B4_0141, 0xA9B4_0143, 0xA9B4_0147, 0xA9B4_0171, 0xA9B4_0174];
    let spots: Vec<Position> = spots(&dir)
        .into_iter()
        .filter(|spot| rooms.contains(&spot.cell.0))
        .filter(|spot| can_stand(&mut dats, spot))
        .collect();
    assert!(spots.len() >= 8, "{}", spots.len());
    let mut same = 0;
    for spot in &spots {
        for direction in 0..16_u8 {
            dats.reset();
            let key = player(&mut dats, 1, *spot);
            dumps.reset();
            let twin = Spawn { model: model.clone(), ..object(&dats, 1, PLAYER, *spot, support::WALKER) };
            let twin = dumps.scene.spawn(&dumps.world, twin).expect("a body");
            let state = dats.scene.body(key).expect("the body");
            dumps.scene.restore_body(&dumps.world, twin, &state).expect("the same state");
            let (sin, cos) = (TAU * f32::from(direction) / 16.0).sin_cos();
            for _ in 0..40 {
                let a = step(&mut dats, key, [0.1 * sin, 0.1 * cos, 0.0]);
                let b = step(&mut dumps, twin, [0.1 * sin, 0.1 * cos, 0.0]);
                // Dumps have no shells and no land, so nothing that reaches an exit is compared.
                if !a.touched.iter().chain(&b.touched).all(|id| rooms.contains(&id.0)) {
                    break;
                }
                let (a, b) = (body(&dats, key), body(&dumps, twin));
                assert!(a.distance_to(&b) < 0.001, "{a:?} and {b:?}");
                assert_eq!(a.cell, b.cell);
                same += 1;
            }
        }
    }
    assert!(same > 2000, "{same}");
}
