//! Bad data: a complete or over-complete plan, bounded work, finite numbers. Spec: visibility §6.4, example 29.

use crate::{sanity, support};
use proptest::prelude::*;
use sanity::assert_sane;
use std::collections::BTreeSet;
use support::*;
use threshold_view::{FramePlan, Options};
use threshold_world::World;

fn sane_plan(world: &World, viewer: &threshold_view::Viewer) -> FramePlan {
    let plan = plan_with(Options::REPAIRED, world, viewer);
    assert_sane(&plan);
    plan
}

#[test]
fn example_29_a_thousand_cells_in_one_place_with_many_links() {
    let count = 1000u16;
    let rooms = (0..count).map(|i| {
        let links = (0..20u16).map(|k| {
            // A little apart from each other, so that the regions differ.
            let shift = f32::from(i % 7) * 0.03 + f32::from(k) * 0.05;
            Portal::to(
                R0 + (i * 13 + k * 37 + 1) % count,
                door(5.0, [-3.0 + shift, 2.0 + shift], [0.0, 2.0]),
                0,
            )
        });
        room(R0 + i, links.collect())
    });
    let plan = sane_plan(&block(rooms.collect()).world(), &e());
    assert!(plan.truncated);
    assert_eq!(
        plan.interior_cells().len(),
        usize::from(count),
        "every cell can be reached and none is dropped"
    );
    assert!(plan.views.len() <= 8192 + 65 * usize::from(count));
}

#[test]
fn a_loop_of_a_thousand_equal_portals_ends_after_one_round() {
    let count = 1000;
    let rooms = (0..count).map(|i| room(R0 + i, vec![Portal::to(R0 + (i + 1) % count, d0(), 0)]));
    let plan = sane_plan(&block(rooms.collect()).world(), &e());
    assert_eq!(plan.interior_cells().len(), usize::from(count));
    assert_eq!(plan.views.len(), usize::from(count) + 1, "the first cell is seen through the door as well");
    for low in [R1, R0 + count - 1] {
        assert_regions(&regions_of(&plan, low), &[rect([-0.2, 0.2], [-0.2, 0.2])]);
    }
}

#[test]
fn cells_that_contain_each_other_end() {
    let nested = |to: u16| {
        vec![Portal::to(to, d0(), 0).other(1), Portal::to(to, door(4.0, [-1.0, 1.0], [0.0, 2.0]), 0)]
    };
    let plan = sane_plan(&block(vec![room(R0, nested(R1)), room(R1, nested(R0))]).world(), &e());
    assert_eq!(draw(&plan), [R0, R1]);
}

#[test]
fn an_eye_in_the_plane_of_the_door_it_stands_in_sees_both_rooms() {
    let world = block(vec![
        room(R0, vec![Portal::to(R1, d0(), 0).other(0)]),
        room(R1, vec![Portal::to(R0, d0(), 1).other(0)]),
    ])
    .world();
    for y in [4.9999, 5.0, 5.0001] {
        for yaw in [0.0, 45.0, 90.0, 180.0, 270.0] {
            for (root, other) in [(R0, R1), (R1, R0)] {
                let plan = sane_plan(&world, &viewer(root, v(0.3, y, 1.0), yaw));
                assert_regions(&regions_of(&plan, other), &[rect([-1.0, 1.0], [-1.0, 1.0])]);
            }
        }
    }
    let beside = sane_plan(&world, &viewer(R0, v(3.0, 5.0, 1.0), 0.0));
    assert_eq!(draw(&beside), [R0], "edge-on and off to the side there is nothing to see");
}

#[test]
fn a_warped_door_shows_at_least_what_lies_behind_its_hull() {
    // One corner pulled towards the viewer and to the side: on the screen the outline turns both ways.
    let warped = vec![v(-2.0, 5.0, 0.0), v(2.0, 5.0, 0.0), v(0.2, 4.0, 1.0), v(-2.0, 5.0, 3.0)];
    let world = block(vec![room(R0, vec![Portal::to(R1, warped, 0)]), room(R1, vec![])]).world();
    let plan = sane_plan(&world, &e());
    let found = &regions_of(&plan, R1)[0];
    assert_region(found, &[(-0.4, -0.2), (0.4, -0.2), (-0.4, 0.4)].map(Vec2::from));
}

#[test]
fn huge_doors_are_doors() {
    for size in [1e3, 1e5, 1e7, 1e9] {
        let huge = door(5.0, [-size, size], [-size, size]);
        let world = block(vec![room(R0, vec![Portal::to(R1, huge, 0)]), room(R1, vec![])]).world();
        for yaw in [0.0, 50.0, -80.0] {
            let plan = sane_plan(&world, &viewer(R0, v(0.0, 0.0, 1.0), yaw));
            let region = &regions_of(&plan, R1)[0];
            let contains = |x: f32, y: f32| {
                let p = plan.projection.unwrap();
                let pixel = (Vec2::new(x, -y) + 1.0) * p.size / 2.0;
                plan.views(seen(&plan, R1).views).any(|view| in_region(plan.pixels(view), pixel))
            };
            // The horizon of the wall: straight ahead north, to the right when looking left of it.
            let ahead = if yaw > 0.0 {
                -0.9
            } else if yaw < 0.0 {
                0.9
            } else {
                0.0
            };
            assert!(contains(ahead, 0.0), "{size} {yaw}: {region:?}");
        }
    }
}

fn in_region(pixels: &[Vec2], p: Vec2) -> bool {
    (0..pixels.len()).all(|i| {
        let (a, b) = (pixels[i], pixels[(i + 1) % pixels.len()]);
        (b - a).perp_dot(p - a) <= 0.5 * (b - a).length()
    })
}

#[test]
fn a_door_with_many_corners_is_a_door() {
    for corners in [32, 120, 250] {
        let angle = |i: i32| i as f32 * std::f32::consts::TAU / corners as f32;
        let round = (0..corners).map(|i| v(angle(i).cos(), 5.0, 1.0 + angle(i).sin())).collect();
        let world = block(vec![room(R0, vec![Portal::to(R1, round, 0)]), room(R1, vec![])]).world();
        assert_eq!(draw(&sane_plan(&world, &e())), [R0, R1], "{corners}");
    }
}

#[test]
fn a_viewer_that_is_nowhere_sees_nothing() {
    let world = block(vec![room(R0, vec![])]).world();
    for eye in [v(f32::NAN, 0.0, 0.0), v(0.0, f32::INFINITY, 0.0)] {
        assert!(sane_plan(&world, &viewer(R0, eye, 0.0)).steps.is_empty());
    }
    // Far away numbers are numbers.
    sane_plan(&world, &viewer(1, v(1e30, -1e30, 1e30), 0.0));
    sane_plan(&world, &viewer(R0, v(1e30, -1e30, 1e30), 0.0));
}

/// Coordinates of all sizes, often equal to others.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => (-20i8..20).prop_map(f32::from),
        3 => -10.0f32..10.0,
        1 => prop_oneof![Just(1e8), Just(-1e15), Just(3e-7), Just(-0.0)],
    ]
}

fn any_room(cells: u16) -> impl Strategy<Value = Room> {
    let corner = (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| v(x, y, z));
    let portal = (
        prop::collection::vec(corner, 2..7),
        0u8..2,
        prop::option::weighted(0.9, 0..cells + 2),
        prop::option::of(0u16..4),
        any::<bool>(),
    )
        .prop_map(|(corners, side, target, other, exact)| Portal {
            corners,
            side,
            target: target.map(|low| R0 + low),
            other,
            exact,
        });
    prop::collection::vec(portal, 0..6).prop_map(|portals| room(R0, portals))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_graph_gives_a_sane_plan_and_the_same_again(
        rooms in prop::collection::vec(any_room(8), 1..9),
        eye in (coordinate(), coordinate(), coordinate()),
        yaw in 0u16..360,
        house_at in prop::option::of(0u16..3),
    ) {
        let count = rooms.len() as u16;
        let rooms: Vec<Room> = rooms.into_iter().enumerate().map(|(i, r)| Room { low: R0 + i as u16, ..r }).collect();
        let houses = house_at
            .map(|low| house(vec![Opening::into(R0 + low % count, d0(), 0).sees(&[R0, R1, R2, 0x105]).node()]));
        let world = block(rooms).houses(houses.into_iter().collect()).world();
        for low in [R0, 1] {
            let from = viewer(low, v(eye.0, eye.1, eye.2), f32::from(yaw));
            for options in [Options::RETAIL, Options::REPAIRED] {
                let plan = plan_with(options, &world, &from);
                assert_sane(&plan);
                prop_assert_eq!(&plan, &plan_with(options, &world, &from));
            }
        }
    }
}

#[test]
fn wanted_cells_are_named_once_and_in_order() {
    let doors = (0..6)
        .map(|i| Portal::to(R1 + (5 - i), door(5.0, [-3.0 + i as f32, -2.2 + i as f32], [0.0, 2.0]), 0));
    let mut rooms = vec![room(R0, doors.collect())];
    rooms.extend((1..=6).map(|i| room(R0 + i, vec![]).not_loaded()));
    let plan = sane_plan(&block(rooms).world(), &e());
    let wanted: BTreeSet<_> = (1..=6).map(|i| id(R0 + i)).collect();
    assert_eq!(plan.wanted_cells, wanted.into_iter().collect::<Vec<_>>());
}
