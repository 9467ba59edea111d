//! Views and clipping. Spec: visibility §16, examples 1–13 and 61.

use crate::support;
use support::*;
use threshold_view::{Lens, Viewer, retail_fov};
use threshold_world::World;

/// R0 with one door to R1, which has one door to R2.
fn two_doors(first: Vec<Vec3>, second: Vec<Vec3>) -> World {
    block(vec![
        room(R0, vec![Portal::to(R1, first.clone(), 0).other(0)]),
        room(R1, vec![Portal::to(R0, first, 1).other(0), Portal::to(R2, second.clone(), 0).other(0)]),
        room(R2, vec![Portal::to(R1, second, 1).other(1)]),
    ])
    .world()
}

fn through_d0(second: Vec<Vec3>, viewer: &Viewer) -> threshold_view::FramePlan {
    plan(&two_doors(d0(), second), viewer)
}

fn far_door() -> Vec<Vec3> {
    door(15.0, [-1.0, 1.0], [0.0, 2.0])
}

#[test]
fn example_1_a_door_through_the_whole_screen() {
    let plan = through_d0(far_door(), &e());
    assert_regions(&regions_of(&plan, R1), &[rect([-0.2, 0.2], [-0.2, 0.2])]);
    let view = plan.views(seen(&plan, R1).views).next().unwrap();
    for p in plan.pixels(view) {
        assert!([240.0, 360.0].iter().any(|c| (p.x - c).abs() < 1e-3));
        assert!([240.0, 360.0].iter().any(|c| (p.y - c).abs() < 1e-3));
    }
    assert_regions(&regions_of(&plan, R0), &[rect([-1.0, 1.0], [-1.0, 1.0])]);
}

#[test]
fn example_2_a_door_behind_a_door() {
    assert_regions(
        &regions_of(&through_d0(far_door(), &e()), R2),
        &[rect([-0.0667, 0.0667], [-0.0667, 0.0667])],
    );
}

#[test]
fn example_3_a_door_is_cut_by_the_one_before_it() {
    let plan = through_d0(door(15.0, [2.0, 4.0], [0.0, 2.0]), &e());
    assert_regions(&regions_of(&plan, R2), &[rect([0.1333, 0.2], [-0.0667, 0.0667])]);
}

#[test]
fn examples_4_and_5_a_door_that_only_touches_the_region_or_misses_it_shows_nothing() {
    for x in [[3.0, 5.0], [4.0, 6.0]] {
        assert_eq!(draw(&through_d0(door(15.0, x, [0.0, 2.0]), &e())), [R0, R1]);
    }
}

#[test]
fn example_6_from_the_side() {
    let plan = through_d0(far_door(), &viewer(R0, v(2.0, 0.0, 1.0), 0.0));
    assert_regions(&regions_of(&plan, R1), &[rect([-0.6, -0.2], [-0.2, 0.2])]);
}

#[test]
fn example_7_close_to_the_door_it_fills_the_screen_until_the_eye_is_in_its_plane() {
    for y in [4.5, 4.9995] {
        let plan = through_d0(far_door(), &viewer(R0, v(0.0, y, 1.0), 0.0));
        assert_regions(&regions_of(&plan, R1), &[rect([-1.0, 1.0], [-1.0, 1.0])]);
    }
    assert_eq!(draw(&through_d0(far_door(), &viewer(R0, v(0.0, 4.9999, 1.0), 0.0))), [R0]);
}

#[test]
fn example_8_beside_and_behind() {
    for yaw in [90.0, 180.0] {
        assert_eq!(draw(&through_d0(far_door(), &viewer(R0, v(0.0, 0.0, 1.0), yaw))), [R0], "{yaw}");
    }
}

#[test]
fn example_9_looking_north_east() {
    let plan = through_d0(far_door(), &viewer(R0, v(0.0, 0.0, 1.0), 45.0));
    let quad = [(-1.0, -0.2828), (-0.6667, -0.2357), (-0.6667, 0.2357), (-1.0, 0.2828)];
    assert_regions(&regions_of(&plan, R1), &[quad.map(Vec2::from).to_vec()]);
}

#[test]
fn example_10_half_the_door_is_behind_the_eye() {
    let world = two_doors(door(5.0, [-3.0, 3.0], [0.0, 2.0]), far_door());
    let plan = plan(&world, &viewer(R0, v(0.0, 4.0, 1.0), 90.0));
    let quad = [(-1.0, -1.0), (-0.3333, -0.3333), (-0.3333, 0.3333), (-1.0, 1.0)];
    assert_regions(&regions_of(&plan, R1), &[quad.map(Vec2::from).to_vec()]);
}

#[test]
fn example_11_a_triangular_portal() {
    let world = two_doors(vec![v(-1.0, 5.0, 0.0), v(1.0, 5.0, 0.0), v(0.0, 5.0, 2.0)], far_door());
    let triangle = [(-0.2, -0.2), (0.2, -0.2), (0.0, 0.2)];
    assert_regions(&regions_of(&plan(&world, &e()), R1), &[triangle.map(Vec2::from).to_vec()]);
}

#[test]
fn example_12_a_wide_screen_with_the_game_s_own_field_of_view() {
    let fov = retail_fov(90f32.to_radians(), 16.0 / 9.0).unwrap();
    let wide = Viewer { lens: Lens::new(fov, 1600, 900).unwrap(), ..e() };
    let plan = through_d0(far_door(), &wide);
    assert_regions(&regions_of(&plan, R1), &[rect([-0.2225, 0.2225], [-0.3956, 0.3956])]);
}

#[test]
fn example_13_a_door_must_be_wider_than_a_pixel() {
    for (y, cells) in [(599.0, vec![R0, R1]), (600.0, vec![R0]), (601.0, vec![R0])] {
        let world = two_doors(door(y, [-1.0, 1.0], [0.0, 2.0]), door(700.0, [-1.0, 1.0], [0.0, 2.0]));
        assert_eq!(draw(&plan(&world, &e())), cells, "{y}");
    }
}

#[test]
fn example_61_along_the_plane_of_a_door() {
    let before = through_d0(far_door(), &viewer(R0, v(0.0, 4.9999, 1.0), 90.0));
    let found = &regions_of(&before, R1)[0];
    assert_region(found, &rect([-0.5, -0.0001], [-1.0, 1.0]));
    let beyond = through_d0(far_door(), &viewer(R0, v(0.0, 5.0001, 1.0), 90.0));
    let mut clockwise = rect([0.0001, 0.5], [-1.0, 1.0]);
    clockwise.reverse();
    assert_region(&regions_of(&beyond, R1)[0], &clockwise);
    assert_eq!(draw(&beyond), [R0, R1], "nothing passes a clockwise region");
}
