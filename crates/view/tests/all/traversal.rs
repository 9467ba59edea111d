//! The traversal of cells. Spec: visibility §16, examples 18–32.

use crate::support;
use support::*;
use threshold_view::{Event, FramePlan, Options, Planner, Step, Viewer};
use threshold_world::World;

/// Squared distances by which cells were taken, in that order.
fn keys(world: &World, viewer: &Viewer) -> Vec<(u16, f32)> {
    let mut taken = Vec::new();
    let mut watch = |event: Event| {
        if let Event::Taken { cell, distance_squared } = event {
            taken.push((cell.low(), distance_squared));
        }
    };
    Planner::new(Options::RETAIL).plan_observed(world, &(), viewer, &mut FramePlan::default(), &mut watch);
    taken
}

#[track_caller]
fn assert_keys(found: &[(u16, f32)], expected: &[(u16, f32)]) {
    let near = |(a, b): (&(u16, f32), &(u16, f32))| a.0 == b.0 && (a.1 - b.1).abs() < 1e-2;
    assert!(found.len() == expected.len() && found.iter().zip(expected).all(near), "{found:?}");
}

fn d1() -> Vec<Vec3> {
    door(15.0, [-1.0, 1.0], [0.0, 2.0])
}

/// R0, R1 and R2 in a line.
fn line() -> Vec<Room> {
    vec![
        room(R0, vec![Portal::to(R1, d0(), 0).other(0)]),
        room(R1, vec![Portal::to(R0, d0(), 1).other(0), Portal::to(R2, d1(), 0).other(0)]),
        room(R2, vec![Portal::to(R1, d1(), 1).other(1)]),
    ]
}

#[test]
fn example_18_the_next_room_is_seen_through_the_door() {
    let plan = plan(&block(line()).world(), &e());
    assert_eq!(draw(&plan), [R0, R1, R2]);
    assert_regions(&regions_of(&plan, R1), &[rect([-0.2, 0.2], [-0.2, 0.2])]);
}

#[test]
fn example_19_a_door_on_whose_far_side_the_eye_is_is_not_looked_through() {
    let mut rooms = line();
    rooms[0].portals[0].side = 1;
    // The key of the first cell is 0; entered by another way R0 would be 27 away.
    let world = block(rooms.clone()).world();
    assert_eq!(draw(&plan(&world, &e())), [R0]);
    rooms.push(room(0x103, vec![Portal::to(R0, door(2.0, [-1.0, 1.0], [0.0, 2.0]), 0)]));
    let from_before = viewer(0x103, v(0.0, 0.0, 1.0), 0.0);
    assert_keys(&keys(&block(rooms).world(), &from_before), &[(0x103, 0.0), (R0, 27.0)]);
}

#[test]
fn example_20_cells_are_taken_near_to_far_and_drawn_far_to_near() {
    let world = block(line()).world();
    assert_keys(&keys(&world, &e()), &[(R0, 0.0), (R1, 27.0), (R2, 227.0)]);
    let plan = plan(&world, &e());
    assert_eq!(draw(&plan), [R0, R1, R2]);
    let shells: Vec<_> = plan
        .steps
        .iter()
        .filter_map(|s| if let Step::Cell { id, .. } = s { Some(id.low()) } else { None })
        .collect();
    assert_eq!(shells, [R2, R1, R0]);
    assert!((seen(&plan, R1).distance - 27f32.sqrt()).abs() < 1e-4 && seen(&plan, R0).distance == 0.0);
}

#[test]
fn example_21_the_view_does_not_go_back_through_the_portal_it_came_by() {
    let mut rooms = line();
    rooms[1].portals[0].side = 0;
    let world = block(rooms).world();
    let mut planner = Planner::new(Options::RETAIL);
    let mut plan = FramePlan::default();
    for frame in 0..4 {
        planner.plan(&world, &(), &e(), &mut plan);
        assert_eq!(draw(&plan), [R0, R1, R2], "frame {frame}");
        assert_eq!(regions_of(&plan, R0).len(), 1);
    }
}

#[test]
fn example_22_only_loaded_cells_of_the_visible_list_are_reached() {
    let mut rooms = line();
    rooms[1].loaded = false;
    let missing = plan(&block(rooms.clone()).world(), &e());
    assert_eq!(draw(&missing), [R0]);
    assert_eq!(missing.wanted_cells, [id(R1)]);
    rooms[1].loaded = true;
    rooms[0].visible = Some(vec![R2]);
    let not_listed = plan(&block(rooms).world(), &e());
    assert_eq!(draw(&not_listed), [R0]);
    assert!(not_listed.wanted_cells.is_empty());
}

#[test]
fn example_23_an_inexact_pair_is_clipped_by_both_polygons() {
    let world = |exact: bool, other: Option<u16>| {
        let mut rooms = line();
        rooms[0].portals[0].exact = exact;
        rooms[0].portals[0].other = other;
        rooms[1].portals[0].corners = door(5.0, [-0.5, 1.5], [0.0, 2.0]);
        block(rooms).world()
    };
    let both = plan(&world(false, Some(0)), &e());
    assert_regions(&regions_of(&both, R1), &[rect([-0.1, 0.2], [-0.2, 0.2])]);
    for world in [world(true, Some(0)), world(false, None)] {
        assert_regions(&regions_of(&plan(&world, &e()), R1), &[rect([-0.2, 0.2], [-0.2, 0.2])]);
    }
}

/// R0 has two doors into R1.
fn two_ways() -> Vec<Room> {
    let (left, right) = (door(5.0, [-4.0, -2.0], [0.0, 2.0]), door(5.0, [2.0, 4.0], [0.0, 2.0]));
    let window = door(15.0, [-12.0, 12.0], [0.0, 2.0]);
    vec![
        room(R0, vec![Portal::to(R1, left.clone(), 0).other(0), Portal::to(R1, right.clone(), 0).other(1)]),
        room(
            R1,
            vec![
                Portal::to(R0, left, 1).other(0),
                Portal::to(R0, right, 1).other(1),
                Portal::to(R2, window.clone(), 0).other(0),
            ],
        ),
        room(R2, vec![Portal::to(R1, window, 1).other(2)]),
    ]
}

#[test]
fn example_24_a_room_seen_through_two_doors_has_two_regions() {
    let world = block(two_ways()).world();
    let plan = plan(&world, &e());
    assert_eq!(draw(&plan), [R0, R1, R2]);
    let through = |y: f32| [rect([-0.8, -0.4], [-y, y]), rect([0.4, 0.8], [-y, y])];
    assert_regions(&regions_of(&plan, R1), &through(0.2));
    assert_regions(&regions_of(&plan, R2), &through(0.0667));
    assert!(keys(&world, &e()).iter().any(|&(low, key)| low == R1 && (key - 42.0).abs() < 1e-3));
}

/// The eye and the rooms of example 26: B is seen through a window of A and later through C.
fn order_repair() -> (World, Viewer) {
    let (a, b, c) = (R0, R1, R2);
    let window = door(3.0, [-0.2, 0.2], [0.8, 1.2]);
    let near = door(3.0, [1.0, 3.0], [0.0, 2.0]);
    let far = door(3.0, [30.0, 32.0], [0.0, 2.0]);
    let behind = door(12.0, [2.0, 4.0], [0.0, 2.0]);
    let world = block(vec![
        room(
            a,
            vec![
                Portal::to(b, window.clone(), 0).other(0),
                Portal::to(c, near.clone(), 0).other(0),
                Portal::to(c, far.clone(), 0).other(1),
            ],
        ),
        room(b, vec![Portal::to(a, window, 1).other(0), Portal::to(c, behind.clone(), 1).other(2)]),
        room(
            c,
            vec![
                Portal::to(a, near, 1).other(1),
                Portal::to(a, far, 1).other(2),
                Portal::to(b, behind, 0).other(1),
            ],
        ),
    ])
    .world();
    (world, viewer(a, v(1.0, 0.0, 1.0), 0.0))
}

#[test]
fn example_26_a_cell_seen_through_a_later_one_is_put_behind_it() {
    let (world, from) = order_repair();
    assert_keys(&keys(&world, &from), &[(R0, 0.0), (R1, 154.0), (R2, 971.0)]);
    let plan = plan(&world, &from);
    assert_eq!(draw(&plan), [R0, R2, R1]);
    assert_regions(
        &regions_of(&plan, R1),
        &[rect([-0.4, -0.2667], [-0.0667, 0.0667]), rect([0.0833, 0.25], [-0.0833, 0.0833])],
    );
}

#[test]
fn example_25_only_the_new_region_of_a_cell_that_was_taken_is_handed_on() {
    // Behind B of example 26 lies D, seen through both of B's regions.
    let (a, b, c, d) = (R0, R1, R2, 0x103);
    let (window, near) = (door(3.0, [-0.2, 0.2], [0.8, 1.2]), door(3.0, [1.0, 3.0], [0.0, 2.0]));
    let (far, behind) = (door(3.0, [30.0, 32.0], [0.0, 2.0]), door(12.0, [2.0, 4.0], [0.0, 2.0]));
    let wide = door(20.0, [-40.0, 40.0], [-20.0, 20.0]);
    let world = block(vec![
        room(
            a,
            vec![
                Portal::to(b, window.clone(), 0).other(0),
                Portal::to(c, near.clone(), 0).other(0),
                Portal::to(c, far.clone(), 0).other(1),
            ],
        ),
        room(
            b,
            vec![
                Portal::to(a, window, 1).other(0),
                Portal::to(c, behind.clone(), 1).other(2),
                Portal::to(d, wide.clone(), 0).other(0),
            ],
        ),
        room(
            c,
            vec![
                Portal::to(a, near, 1).other(1),
                Portal::to(a, far, 1).other(2),
                Portal::to(b, behind, 0).other(1),
            ],
        ),
        room(d, vec![Portal::to(b, wide, 1).other(2)]),
    ])
    .world();
    let plan = plan(&world, &viewer(a, v(1.0, 0.0, 1.0), 0.0));
    assert_eq!(regions_of(&plan, b).len(), 2);
    assert_regions(&regions_of(&plan, d), &regions_of(&plan, b));
    assert!(!plan.truncated);
    let place = |low: u16| draw(&plan).iter().position(|&l| l == low).unwrap();
    assert!(place(c) < place(b) && place(b) < place(d), "{:?}", draw(&plan));
}

#[test]
fn example_25_a_second_region_of_a_waiting_cell_needs_no_repair() {
    let mut moved = 0;
    let mut watch = |event: Event| moved += usize::from(matches!(event, Event::Moved { .. }));
    let world = block(two_ways()).world();
    Planner::new(Options::RETAIL).plan_observed(&world, &(), &e(), &mut FramePlan::default(), &mut watch);
    assert_eq!(moved, 0);
}

#[test]
fn example_27_a_ring_of_rooms_ends() {
    // Four rooms around a corner: north, north-east, east and the first again.
    let (north, east) = (door(5.0, [-1.0, 4.5], [0.0, 2.0]), east_door(5.0, [-1.0, 4.5]));
    let (from_north, from_east) = (east_door(5.0, [6.0, 8.0]), door(5.0, [6.0, 8.0], [0.0, 2.0]));
    let world = block(vec![
        room(R0, vec![Portal::to(R1, north.clone(), 0).other(0), Portal::to(R2, east.clone(), 0).other(0)]),
        room(R1, vec![Portal::to(R0, north, 1).other(0), Portal::to(0x103, from_north.clone(), 0).other(0)]),
        room(R2, vec![Portal::to(R0, east, 1).other(1), Portal::to(0x103, from_east.clone(), 0).other(1)]),
        room(0x103, vec![Portal::to(R1, from_north, 1).other(1), Portal::to(R2, from_east, 1).other(1)]),
    ])
    .world();
    let plan = plan(&world, &viewer(R0, v(0.0, 0.0, 1.0), 45.0));
    let mut cells = draw(&plan);
    cells.sort_unstable();
    assert_eq!(cells, [R0, R1, R2, 0x103]);
    assert!(!plan.truncated);
}

/// An opening in the plane x = const whose normal is (-1, 0, 0).
fn east_door(x: f32, y: [f32; 2]) -> Vec<Vec3> {
    vec![v(x, y[1], 0.0), v(x, y[0], 0.0), v(x, y[0], 2.0), v(x, y[1], 2.0)]
}

#[test]
fn example_28_portals_to_oneself_without_area_or_with_a_wrong_number_do_not_matter() {
    let mut rooms = line();
    rooms[0].portals.insert(0, Portal::to(R0, d0(), 0));
    rooms[0].portals.insert(0, Portal::to(R1, vec![v(0.0, 5.0, 0.0), v(1.0, 5.0, 0.0)], 0));
    rooms[0].portals[2].other = Some(99);
    rooms[0].portals[2].exact = false;
    rooms[1].portals[0].other = Some(2);
    let plan = plan(&block(rooms).world(), &e());
    assert_eq!(draw(&plan), [R0, R1, R2]);
    assert_regions(&regions_of(&plan, R1), &[rect([-0.2, 0.2], [-0.2, 0.2])]);
    assert!(!plan.truncated);
}

#[test]
fn example_30_equal_distances_are_taken_in_the_order_of_arrival() {
    let doors: Vec<Portal> = (0..4).map(|i| Portal::to(R1 + i, d0(), 0).other(0)).collect();
    let mut rooms = vec![room(R0, doors)];
    rooms.extend((0..4).map(|i| room(R1 + i, vec![Portal::to(R0, d0(), 1).other(i)])));
    assert_eq!(draw(&plan(&block(rooms).world(), &e())), [R0, R1, R1 + 1, R1 + 2, R1 + 3]);
}

#[test]
fn examples_31_and_32_nothing_leaks_from_one_plan_into_the_next() {
    let (many, repair) = (block(two_ways()).world(), order_repair());
    let mut planner = Planner::new(Options::RETAIL);
    let mut reused = FramePlan::default();
    for _ in 0..3 {
        planner.plan(&many, &(), &e(), &mut reused);
        assert_eq!(reused, plan(&many, &e()));
        planner.plan(&repair.0, &(), &repair.1, &mut reused);
        assert_eq!(reused, plan(&repair.0, &repair.1));
        // The first cell sees nobody: cells admitted before must not be reached now.
        let mut rooms = line();
        rooms[0].visible = Some(vec![]);
        planner.plan(&block(rooms).world(), &(), &e(), &mut reused);
        assert_eq!(draw(&reused), [R0]);
    }
}

#[test]
fn a_region_names_the_opening_and_the_region_it_was_cut_from() {
    let plan = plan(&block(line()).world(), &e());
    let view = plan.views(seen(&plan, R2).views).next().unwrap();
    assert_eq!(view.via, threshold_view::Via::Cell { cell: id(R1), portal: 1 });
    let parent = plan.views[view.parent.unwrap() as usize];
    assert_eq!(parent.via, threshold_view::Via::Cell { cell: id(R0), portal: 0 });
    assert_eq!(plan.views[parent.parent.unwrap() as usize].via, threshold_view::Via::Screen);
}
