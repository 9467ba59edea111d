//! Worked examples 33, 34 and 36 of the specification (physics-tests §E).

use super::{
    FloorSearch, find_floor, first_facing, hits_floor, hits_solid, is_clear, is_in_solid, is_small, overlap,
    seat_on_plane, touch_fraction,
};
use crate::random::Random;
use crate::testing::{assert_close, assert_near, floor, mesh, v, wall_facing_west};
use glam::Vec3;
use std::sync::Arc;
use threshold_sim::Simulation;
use threshold_world::{
    geometry::{Plane, Sphere},
    source::DatSource,
};

fn ball(center: Vec3) -> Sphere {
    Sphere { center, radius: 0.48 }
}

#[test]
fn example_33_a_sphere_overlaps_a_square_by_face_edge_or_corner() {
    let square = mesh(&[floor([0.0, 1.0], [0.0, 1.0], 0.0)]);
    let hits =
        |x, y, z| overlap(&square.polygons, &square.polygons.polygons()[0], &ball(v(x, y, z))).is_some();
    assert!(hits(0.5, 0.5, 0.479));
    assert!(!hits(0.5, 0.5, 0.4799), "the reach is 0.4798");
    assert!(hits(-0.3, 0.5, 0.3), "over the edge");
    assert!(!hits(-0.3, -0.3, 0.3), "0.424 from the corner, with a rest of 0.374");
    assert!(hits(-0.2, -0.2, 0.3), "over the corner");
}

#[test]
fn example_34_a_wall_is_hit_from_its_front_and_noted_from_behind() {
    let wall = mesh(&[wall_facing_west(0.0, [-2.0, 2.0], [-2.0, 2.0])]);
    let mut met = None;
    assert!(first_facing(&wall, &ball(v(-0.4, 0.0, 0.0)), v(0.1, 0.0, 0.0), &mut met));
    assert_eq!(met, Some(0));
    let mut met = None;
    assert!(!first_facing(&wall, &ball(v(-0.4, 0.0, 0.0)), v(-0.1, 0.0, 0.0), &mut met));
    assert_eq!(met, Some(0));
    let mut met = None;
    assert!(!first_facing(&wall, &ball(v(-0.5, 0.0, 0.0)), v(0.1, 0.0, 0.0), &mut met));
    assert_eq!(met, None);
}

#[test]
fn example_36_seating_only_moves_backwards() {
    let plane = Plane { normal: Vec3::Z, d: 0.0 };
    let seat = |z: f32| {
        let (mut sphere, mut budget) = (ball(v(0.0, 0.0, z)), 1.0);
        let seated = seat_on_plane(&plane, &mut sphere, v(0.0, 0.0, -0.6), &mut budget);
        (seated, sphere.center, budget)
    };
    let (seated, center, budget) = seat(0.3);
    assert!(seated);
    assert_near(center, v(0.0, 0.0, 0.48));
    assert_close(budget, 0.7);
    assert_eq!(seat(0.6), (false, v(0.0, 0.0, 0.6), 1.0), "it would move forward");
    assert_eq!(seat(-0.5), (false, v(0.0, 0.0, -0.5), 1.0), "a budget of -0.633 is too little");
}

#[test]
fn a_touch_is_where_the_sphere_meets_the_plane_on_its_way() {
    let plane = Plane { normal: Vec3::Z, d: 0.0 };
    let touch = |z: f32, dz: f32| touch_fraction(&plane, 0.48, v(0.0, 0.0, z), v(0.3, 0.0, dz));
    assert_close(touch(1.0, -1.0), 0.52);
    assert_close(touch(-1.0, 1.0), 0.52);
    assert_close(touch(0.3, -1.0), 1.0);
    assert_close(touch(1.0, 0.0), 0.0);
}

/// In the rooms and shells of all golden worlds.
#[test]
fn no_walk_finds_anything_of_a_mesh_that_is_clear() {
    let mut random = Random::new(7);
    let (mut clear, mut touched) = (0, 0);
    for world in threshold_golden::WORLDS {
        let source = DatSource::open(threshold_golden::world_dir(world)).expect("a golden world");
        let sim = Simulation::builder().source(Arc::new(source)).build().expect("a golden world");
        let blocks = sim.world().block_ids().filter_map(|id| sim.world().block_data(id));
        let meshes = blocks.flat_map(|block| {
            let rooms = block.env_cells.iter().flatten().filter_map(|cell| cell.structure.physics.as_ref());
            let parts = block
                .buildings
                .iter()
                .filter_map(|building| building.model.as_ref())
                .flat_map(|model| &model.parts);
            rooms.chain(parts.filter_map(|part| part.mesh.as_ref()?.physics.as_ref()))
        });
        for mesh in meshes.filter(|mesh| is_small(mesh)) {
            let bounds = mesh.bounding_sphere().expect("a tree");
            for _ in 0..200 {
                let mut any = |size: f32| Vec3::from_array([(); 3].map(|()| random.signed() * size));
                let sphere = Sphere { center: bounds.center + any(bounds.radius), radius: 0.48 };
                let (movement, up) = (any(1.0), any(1.0).normalize_or(Vec3::Z));
                let (mut met, mut floor) =
                    (None, FloorSearch { sphere, polygon: None, budget: 1.0, movement, up, min_up: 0.1 });
                let hit = first_facing(mesh, &sphere, movement, &mut met);
                let finds = hit
                    || met.is_some()
                    || find_floor(mesh, &mut floor)
                    || hits_floor(mesh, &sphere, up, 0.1)
                    || hits_solid(mesh, &sphere, false);
                if is_clear(mesh, &sphere) {
                    clear += 1;
                    assert!(!finds, "{world}: {sphere:?}");
                    let is_in = hits_solid(mesh, &sphere, true);
                    assert!(!is_in || is_in_solid(mesh, sphere.center), "{world}: {sphere:?}");
                }
                touched += u32::from(finds);
            }
        }
    }
    assert!(clear > 1000 && touched > 1000, "{clear} clear, {touched} touched");
}
