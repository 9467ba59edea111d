//! Worked examples 33, 34 and 36 of the specification (physics-tests §E).

use super::{
    FloorSearch, Overlapped, find_floor, first_facing,
    floor::{walk_any, walk_floor},
    hits_floor, overlap, seat_on_plane, touch_fraction,
};
use crate::random::Random;
use crate::testing::{assert_close, assert_near, floor, mesh, v, wall_facing_west};
use glam::Vec3;
use std::sync::Arc;
use threshold_sim::Simulation;
use threshold_world::{
    bsp::{PhysicsMesh, Reached},
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

/// Meshes of the rooms and shells of all golden worlds, each with spheres around its polygons.
fn each_sphere(mut test: impl FnMut(&PhysicsMesh, &Sphere, &mut Random)) {
    let mut random = Random::new(7);
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
        for mesh in meshes {
            let polygons = mesh.polygons.polygons();
            for i in 0..20 * polygons.len() {
                let polygon = &polygons[i % polygons.len()];
                let corners: Vec<Vec3> = mesh.polygons.vertices(polygon).collect();
                let weights: Vec<f32> = corners.iter().map(|_| random.signed().abs()).collect();
                let total: f32 = weights.iter().sum();
                let on_polygon: Vec3 = corners.iter().zip(&weights).map(|(c, w)| c * (w / total)).sum();
                let radius = [0.1, 0.3, 0.48, 0.5][i % 4];
                // Every third sphere almost touches the polygon, the others are anywhere near it.
                let away = match i % 3 {
                    0 => radius + 1e-3 * random.signed(),
                    _ => 2.0 * radius * random.signed(),
                };
                let aside = Vec3::from_array([(); 3].map(|()| random.signed())) * [0.0, 0.5][i / 4 % 2];
                test(
                    mesh,
                    &Sphere { center: on_polygon + polygon.plane.normal * away + aside, radius },
                    &mut random,
                );
            }
        }
    }
}

#[test]
fn what_a_sphere_overlaps_is_what_walks_find() {
    const UNCLEAR: Overlapped = Overlapped(Reached::Unclear);
    let (mut space, mut nothing, mut one, mut several, mut unclear) = (0, 0, 0, 0, 0);
    each_sphere(|mesh, sphere, random| {
        let mut any = || Vec3::from_array([(); 3].map(|()| random.signed()));
        let movement = any();
        let known = Overlapped::of(mesh, sphere);
        match known.0 {
            Reached::Space => space += 1,
            Reached::Nothing => nothing += 1,
            Reached::One(_) => one += 1,
            Reached::Two(_) | Reached::Three(_) => several += 1,
            Reached::Unclear => return unclear += 1,
        }
        let facing = |overlapped: Overlapped| {
            let mut met = None;
            (overlapped.first_facing(mesh, sphere, movement, &mut met), met)
        };
        assert_eq!(facing(known), facing(UNCLEAR), "{sphere:?}");
        for center in [false, true] {
            let solid = |overlapped: Overlapped| overlapped.hits_solid(mesh, sphere, center);
            assert_eq!(solid(known), solid(UNCLEAR), "{sphere:?}");
        }
    });
    let counts = [space, nothing, one, several, unclear];
    assert!(counts[..4].iter().all(|count| *count > 1000), "{counts:?}");
}

#[test]
fn floors_are_those_that_walks_find() {
    let (mut found, mut probed) = (0, 0);
    each_sphere(|mesh, sphere, random| {
        let up = Vec3::new(0.1 * random.signed(), 0.1 * random.signed(), 1.0).normalize();
        let (movement, min_up) = (up * -random.signed().abs(), 0.66);
        let search = FloorSearch { sphere: *sphere, polygon: None, budget: 1.0, movement, up, min_up };
        let (mut quick, mut walked) = (search, search);
        find_floor(mesh, &mut quick);
        walk_floor(mesh, 0, &mut walked);
        let result = |search: FloorSearch| (search.sphere, search.polygon, search.budget);
        assert_eq!(result(quick), result(walked), "{sphere:?}");
        let is_hit = walk_any(mesh, 0, sphere, up, min_up);
        assert_eq!(hits_floor(mesh, sphere, up, min_up), is_hit, "{sphere:?}");
        found += u32::from(quick.polygon.is_some());
        probed += u32::from(is_hit);
    });
    assert!(found > 1000 && probed > 1000, "{found} {probed}");
}
