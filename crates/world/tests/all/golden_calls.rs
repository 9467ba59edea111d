//! Function-level answers of an independent implementation, over the worlds they were recorded in.

use glam::Vec3;
use serde_json::Value;
use std::sync::Arc;
use threshold_golden::{WORLDS, calls, world_dir};
use threshold_world::{
    BlockId, CellId, Frame, Library, Position, Quat, World,
    bsp::Overlap,
    coords::{LandCoord, adjust_to_outside, block_offset, is_valid_cell_id},
    geometry::{Aabb, Plane, Sphere},
    load_all,
    source::DatSource,
    terrain::{Terrain, WaterClass, splits_sw_ne},
};

fn load(world: &str) -> World {
    let source = DatSource::open(world_dir(world)).unwrap();
    let (loaded, problems) = load_all(&Library::new(Arc::new(source))).unwrap();
    assert_eq!(problems, [], "{world}");
    loaded
}

/// Runs `check` on every recorded call of a function in every world; it must have been called `expected` times.
fn each_call(function: &str, expected: usize, check: impl Fn(&World, &Value, &Value)) {
    let mut count = 0;
    for name in WORLDS {
        let world = load(name);
        for (call, answer) in calls(name).iter().filter(|(call, _)| call["fn"] == function) {
            check(&world, call, answer);
            count += 1;
        }
    }
    assert_eq!(count, expected, "calls of {function}");
}

fn id(value: &Value) -> CellId {
    value.as_str().unwrap().parse().unwrap()
}

fn block(value: &Value) -> BlockId {
    id(value).block()
}

fn f32s<const N: usize>(value: &Value) -> [f32; N] {
    let list = value.as_array().unwrap();
    assert_eq!(list.len(), N);
    std::array::from_fn(|i| list[i].as_f64().unwrap() as f32)
}

fn vec3(value: &Value) -> Vec3 {
    f32s::<3>(value).into()
}

fn plane(value: &Value) -> Plane {
    let [x, y, z, d] = f32s(value);
    Plane { normal: Vec3::new(x, y, z), d }
}

fn position(value: &Value) -> Position {
    Position::new(
        id(&value["cell"]),
        Frame::new(vec3(&value["origin"]), Quat::from(f32s::<4>(&value["rotation"]))),
    )
}

#[track_caller]
fn assert_near(found: Vec3, expected: Vec3, tolerance: f32, call: &Value) {
    assert!((found - expected).abs().max_element() <= tolerance, "{found} instead of {expected}: {call}");
}

fn assert_planes_near(found: &Plane, expected: &Plane, call: &Value) {
    assert_near(found.normal, expected.normal, 1e-6, call);
    assert!((found.d - expected.d).abs() <= 1e-4, "{found:?} instead of {expected:?}: {call}");
}

#[test]
fn land_grid() {
    let coord = |answer: &Value| {
        let part = |name: &str| answer[name].as_i64().unwrap() as i32;
        answer["ok"].as_bool().unwrap().then(|| LandCoord { x: part("x"), y: part("y") })
    };
    each_call("blockid_to_lcoord", 171, |_, call, answer| {
        assert_eq!(LandCoord::of_block(id(&call["cell"])), coord(answer), "{call}");
    });
    each_call("gid_to_lcoord", 171, |_, call, answer| {
        assert_eq!(LandCoord::of_cell(id(&call["cell"])), coord(answer), "{call}");
    });
    each_call("inbound_valid_cellid", 171, |_, call, answer| {
        assert_eq!(is_valid_cell_id(id(&call["cell"])), answer["ok"], "{call}");
    });
    each_call("lcoord_to_gid", 120, |_, call, answer| {
        let part = |name: &str| call[name].as_i64().unwrap() as i32;
        let cell = LandCoord { x: part("x"), y: part("y") }.cell();
        assert_eq!(cell.unwrap_or(CellId::NONE), id(&answer["cell"]), "{call}");
    });
    each_call("get_outside_lcoord", 346, |_, call, answer| {
        assert_eq!(LandCoord::under(id(&call["cell"]), vec3(&call["offset"])), coord(answer), "{call}");
    });
    each_call("get_block_offset", 120, |_, call, answer| {
        assert_eq!(block_offset(id(&call["a"]), id(&call["b"])), vec3(&answer["offset"]), "{call}");
    });
    each_call("adjust_to_outside", 346, |_, call, answer| {
        match adjust_to_outside(id(&call["cell"]), vec3(&call["offset"])) {
            None => assert_eq!(answer["ok"], false, "{call}"),
            Some((cell, point)) => {
                assert_eq!(answer["ok"], true, "{call}");
                assert_eq!(cell, id(&answer["cell"]), "{call}");
                assert_near(point, vec3(&answer["offset"]), 1e-5, call);
            }
        }
    });
}

fn bits(value: &Value) -> Vec<bool> {
    value.as_array().unwrap().iter().map(|bit| bit == 1).collect()
}

fn water(class: WaterClass) -> u64 {
    match class {
        WaterClass::Dry => 0,
        WaterClass::Partial => 1,
        WaterClass::Full => 2,
    }
}

#[test]
fn terrain_diagonals_and_water() {
    each_call("split_dir", 150, |_, call, answer| {
        let block = block(&call["block"]);
        let (x, y) = (u32::from(block.x()) * 8, u32::from(block.y()) * 8);
        let found: Vec<bool> = (0..64).map(|cell| splits_sw_ne(x + cell / 8, y + cell % 8)).collect();
        assert_eq!(found, bits(&answer["split"]), "{call}");
    });
    each_call("terrain_split", 46, |world, call, answer| {
        let terrain = &world.landscape(block(&call["block"])).unwrap().terrain;
        let splits: Vec<bool> = (0..64).map(|cell| terrain.splits_sw_ne(cell)).collect();
        assert_eq!(splits, bits(&answer["split"]), "{call}");
        let classes: Vec<u64> = (0..64).map(|cell| water(terrain.water(cell))).collect();
        assert_eq!(Value::from(classes), answer["water"], "{call}");
        assert_eq!(water(terrain.block_water), answer["block_water"], "{call}");
    });
}

#[test]
fn terrain_triangles() {
    each_call("land_cell", 1500, |world, call, answer| {
        let cell = world.land_cell(id(&call["cell"])).unwrap();
        let terrain: &Terrain = &cell.block.terrain;
        for (half, expected) in answer["polys"].as_array().unwrap().iter().enumerate() {
            let corners: Vec<Vec3> = expected["verts"].as_array().unwrap().iter().map(vec3).collect();
            assert_eq!(terrain.triangle(cell.index(), half)[..], corners[..], "{call}");
            assert_planes_near(terrain.plane(cell.index(), half), &plane(&expected["plane"]), call);
        }
        assert_eq!(water(terrain.water(cell.index())), answer["water_type"], "{call}");
        assert_eq!(cell.building().is_some(), answer["has_building"], "{call}");
    });
}

#[test]
fn ground_under_points() {
    each_call("terrain_height", 1500, |world, call, answer| {
        let cell = world.land_cell(id(&call["cell"])).unwrap();
        let point = vec3(&call["point"]);
        let ground = cell.block.terrain.ground(cell.index(), point);
        assert_eq!(ground.is_some(), answer["found"], "{call}");
        let Some(ground) = ground else { return };
        assert_eq!(cell.index() * 2 + ground.half, answer["poly"], "{call}");
        assert_planes_near(&ground.plane, &plane(&answer["plane"]), call);
        assert!((ground.height - answer["z"].as_f64().unwrap() as f32).abs() < 1e-3, "{call}");
        assert_eq!(ground.is_walkable(), answer["walkable"], "{call}");
        let depth = cell.block.terrain.water_depth(cell.index(), point);
        assert_eq!(f64::from(depth), f64::from(answer["water_depth"].as_f64().unwrap() as f32), "{call}");
    });
}

#[test]
fn cell_volumes() {
    each_call("cell_bsp", 1500, |world, call, answer| {
        let volume = &world.env_cell(id(&call["cell"])).unwrap().structure.volume;
        assert_eq!(volume.contains(vec3(&call["point"])), answer["point_inside"], "{call}");
        let [x, y, z, radius] = f32s(&call["sphere"]);
        let overlap = volume.overlap_sphere(&Sphere { center: Vec3::new(x, y, z), radius });
        let overlap =
            [Overlap::Outside, Overlap::Partial, Overlap::Inside].iter().position(|&o| o == overlap);
        assert_eq!(overlap, answer["sphere"].as_u64().map(|v| v as usize), "{call}");
        let bounds = Aabb { min: vec3(&call["min"]), max: vec3(&call["max"]) };
        assert_eq!(u64::from(volume.intersects_box(&bounds)), answer["box"], "{call}");
    });
}

#[test]
fn reseating() {
    each_call("adjust_position", 1500, |world, call, answer| {
        let found = world.reseat(&position(call), vec3(&call["low"]));
        assert_eq!(found.is_some(), answer["ok"], "{call}");
        let Some(found) = found else { return };
        assert_eq!(found.cell, id(&answer["cell"]), "{call}");
        assert_near(found.frame.origin, vec3(&answer["origin"]), 1e-4, call);
        assert_eq!(world.cell(found.cell).is_some(), answer["found"], "{call}");
    });
}

#[test]
fn frames() {
    each_call("frame", 750, |_, call, answer| {
        let (a, b) = (position(&call["a"]), position(&call["b"]));
        let point = vec3(&call["point"]);
        assert_near(a.frame.apply(point), vec3(&answer["localtoglobal"]), 2e-4, call);
        assert_near(a.frame.apply_inverse(point), vec3(&answer["globaltolocal"]), 2e-4, call);
        let turn = (a.frame.heading() - answer["heading"].as_f64().unwrap() as f32).abs();
        assert!(turn.min(360.0 - turn) < 2e-3, "{call}");
        assert_near(a.offset_to(&b), vec3(&answer["get_offset"]), 2e-4, call);
        let between_frames = vec3(&answer["localtolocal"]);
        // Blocks at opposite ends of the map leave few digits.
        let tolerance = 1e-3_f32.max(between_frames.length() * 2e-6);
        assert_near(a.local_point_of(&b, point), between_frames, tolerance, call);
        let [w, x, y, z] = f32s(&answer["interp"]);
        let t = call["t"].as_f64().unwrap() as f32;
        let between = a.frame.rotation().interpolate(b.frame.rotation(), t);
        assert_near(between.v, Vec3::new(x, y, z), 2e-5, call);
        assert!((between.w - w).abs() < 2e-5, "{call}");
    });
}
