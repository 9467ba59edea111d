//! Function-level answers of an independent implementation, over the worlds they were recorded in.

use crate::support;
use glam::Vec3;
use serde_json::Value;
use support::{Setting, setting};
use threshold_dat::DatId;
use threshold_golden::{WORLDS, calls};
use threshold_physics::{
    bsp::{
        FloorSearch, SolidSearch, crossed_edge, find_floor, first_facing, footprint, hits_floor, hits_solid,
        hits_solid_polygon, is_floor_for, overlap, quarter_footprint, seat_on_plane,
    },
    cells::{self, CellSet},
};
use threshold_world::{
    CellId, Frame, Position,
    bsp::PhysicsMesh,
    geometry::{PolygonSet, Sphere},
    terrain::FLOOR_Z,
};

/// Runs `check` on every recorded call of a function in every world; it must have been called `expected` times.
fn each_call(function: &str, expected: usize, check: impl Fn(&Setting, &Value, &Value)) {
    let mut count = 0;
    for name in WORLDS {
        let setting = setting(name);
        for (call, answer) in calls(name).iter().filter(|(call, _)| call["fn"] == function) {
            check(&setting, call, answer);
            count += 1;
        }
    }
    assert_eq!(count, expected, "calls of {function}");
}

fn id(value: &Value) -> CellId {
    value.as_str().unwrap().parse().unwrap()
}

fn f32s<const N: usize>(value: &Value) -> [f32; N] {
    let list = value.as_array().unwrap();
    assert_eq!(list.len(), N);
    std::array::from_fn(|i| list[i].as_f64().unwrap() as f32)
}

fn vec3(value: &Value) -> Vec3 {
    f32s::<3>(value).into()
}

fn sphere(value: &Value) -> Sphere {
    let [x, y, z, radius] = f32s(value);
    Sphere { center: Vec3::new(x, y, z), radius }
}

/// An index, −1 for none.
fn index(value: &Value) -> Option<u16> {
    u16::try_from(value.as_i64().unwrap()).ok()
}

#[track_caller]
fn assert_near(found: Vec3, expected: &Value, call: &Value) {
    let expected = vec3(expected);
    assert!((found - expected).abs().max_element() <= 1e-4, "{found} instead of {expected}: {call}");
}

/// A cell's or mesh's tree; indices of polygons count through the record, so none may have been left out.
fn mesh_of(setting: &Setting, call: &Value, ask: impl FnOnce(&PhysicsMesh)) {
    if call.get("cell").is_some() {
        let cell = setting.world.env_cell(id(&call["cell"])).expect("a cell");
        ask(cell.structure.physics.as_ref().expect("a physics tree"));
    } else {
        let mesh = setting.library.mesh(DatId(id(&call["gfxobj"]).0)).unwrap().expect("a mesh");
        ask(mesh.physics.as_ref().expect("a physics tree"));
    }
}

#[test]
fn walks_of_physics_trees() {
    each_call("physics_bsp", 1500, |setting, call, answer| {
        mesh_of(setting, call, |mesh| {
            let sphere = sphere(&call["sphere"]);
            let movement = vec3(&call["movement"]);
            let mut met = None;
            assert_eq!(first_facing(mesh, &sphere, movement, &mut met), answer["hit"], "{call}");
            assert_eq!(met, index(&answer["poly"]), "{call}");
            assert_eq!(hits_solid(mesh, &sphere, true), answer["solid"], "{call}");
            assert_eq!(hits_solid(mesh, &sphere, false), answer["solid_nocenter"], "{call}");
            let mut search = SolidSearch::default();
            let found = hits_solid_polygon(mesh, &sphere, sphere.radius, true, &mut search);
            assert_eq!(found, answer["solid_poly"], "{call}");
            assert_eq!(search.polygon, index(&answer["solid_poly_id"]), "{call}");
            assert_eq!(search.inside, answer["center_solid"], "{call}");
            assert_eq!(hits_floor(mesh, &sphere, Vec3::Z, FLOOR_Z), answer["hits_walkable"], "{call}");
            let mut search =
                FloorSearch { sphere, polygon: None, budget: 1.0, movement, up: Vec3::Z, min_up: FLOOR_Z };
            assert_eq!(find_floor(mesh, &mut search), answer["find_walkable"], "{call}");
            assert_eq!(search.polygon, index(&answer["walk_poly"]), "{call}");
            assert_near(search.sphere.center, &answer["walk_center"], call);
            let budget = answer["walk_interp"].as_f64().unwrap() as f32;
            assert!((search.budget - budget).abs() < 1e-4, "{call}");
        });
    });
}

#[test]
fn a_sphere_against_one_polygon() {
    each_call("poly_sphere", 1500, |_, call, answer| {
        let vertices: Vec<Vec3> = call["verts"].as_array().unwrap().iter().map(vec3).collect();
        let sphere = sphere(&call["sphere"]);
        let movement = vec3(&call["movement"]);
        let mut set = PolygonSet::default();
        set.push(0, &vertices).expect("a polygon with an area");
        let polygon = &set.polygons()[0];
        let [x, y, z, d] = f32s(&answer["plane"]);
        assert!((polygon.plane.normal - Vec3::new(x, y, z)).abs().max_element() < 1e-5, "{call}");
        assert!((polygon.plane.d - d).abs() < 1e-4, "{call}");
        let struck = overlap(&set, polygon, &sphere).is_some();
        assert_eq!(struck, answer["hits_slow"], "{call}");
        assert_eq!(struck, answer["struck"], "{call}");
        let facing = struck && movement.dot(polygon.plane.normal) < 0.0;
        assert_eq!(facing, answer["pos_hits"], "{call}");
        assert_eq!(footprint(&set, polygon, &sphere, Vec3::Z), answer["check_walkable"], "{call}");
        assert_eq!(
            quarter_footprint(&set, polygon, &sphere, Vec3::Z),
            answer["check_small_walkable"],
            "{call}"
        );
        match crossed_edge(&set, polygon, sphere.center, Vec3::Z) {
            Some(edge) => assert_near(edge, &answer["crossed_edge"], call),
            None => assert!(answer["crossed_edge"].is_null(), "{call}"),
        }
        let (mut moved, mut budget) = (sphere, 1.0);
        assert_eq!(
            seat_on_plane(&polygon.plane, &mut moved, movement, &mut budget),
            answer["adjusted"],
            "{call}"
        );
        assert_near(moved.center, &answer["adj_center"], call);
        assert!((budget - answer["walk_interp"].as_f64().unwrap() as f32).abs() < 1e-4, "{call}");
        let floor = struck && polygon.plane.normal.z > FLOOR_Z;
        assert_eq!(is_floor_for(&set, polygon, &sphere, Vec3::Z, FLOOR_Z), floor, "{call}");
    });
}

#[test]
fn cells_that_spheres_touch() {
    each_call("find_cell_list", 1500, |setting, call, answer| {
        let spheres: Vec<Sphere> = call["spheres"].as_array().unwrap().iter().map(sphere).collect();
        let position = Position::new(id(&call["cell"]), Frame::at(spheres[0].center));
        let mut set = CellSet::default();
        let touched = cells::build(&setting.world, &mut set, &position, &spheres);
        let expected: Vec<CellId> = answer["cells"].as_array().unwrap().iter().map(id).collect();
        assert_eq!(set.ids().collect::<Vec<_>>(), expected, "{call}");
        let containing = answer["curr"].as_str().map(|_| id(&answer["curr"])).filter(|cell| cell.0 != 0);
        assert_eq!(touched.containing, containing, "{call}");
        assert_eq!(touched.inside, answer["hits_interior"], "{call}");
    });
}

#[test]
fn statics_in_the_lists_of_cells() {
    each_call("cell_shadows", 248, |setting, call, answer| {
        let keys = setting.scene.shadows_in(id(&call["cell"]));
        let expected = answer["shadows"].as_array().unwrap();
        assert_eq!(keys.len(), expected.len(), "{call}");
        for (&key, expected) in keys.iter().zip(expected) {
            let object = setting.scene.get(key).expect("a listed object");
            assert_eq!(object.model.id.0, id(&expected["setup"]).0, "{call}");
            assert_eq!(object.position.cell, id(&expected["cell"]), "{call}");
            assert_near(object.position.frame.origin, &expected["origin"], call);
            let cells: Vec<CellId> = object.shadows().iter().map(|shadow| shadow.cell).collect();
            let reached: Vec<CellId> = expected["shadow_cells"].as_array().unwrap().iter().map(id).collect();
            assert_eq!(cells, reached, "{call}");
        }
    });
}
