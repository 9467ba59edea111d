//! Interpolation and sticking.

use super::{super::interpolation::Completion, *};
use crate::testing::{ROOM, assert_close};
use glam::Vec3;
use proptest::prelude::*;
use threshold_world::{CellId, Frame};

const STEP: f32 = 1.0 / 30.0;
/// Outdoors, and for others than the own player indoors.
const OUTDOOR_BLIP: f32 = 100.0;
const INDOOR_BLIP: f32 = 20.0;

fn input(own: Position, speed: f32) -> OffsetInput {
    OffsetInput {
        own,
        own_radius: 0.5,
        quantum: STEP,
        contact: true,
        max_speed: speed,
        adjusted_max_speed: speed,
        sticky_target: None,
    }
}

fn north(y: f32) -> Position {
    at(LAND, 0.0, y, 0.0)
}

/// One step towards the first position; how far it goes.
fn step(interpolation: &mut Interpolation, own: Position, speed: f32) -> f32 {
    let mut offset = Frame::IDENTITY;
    interpolation.adjust(&input(own, speed), false, &mut offset);
    offset.origin.length()
}

/// Spec: entities §11, example 13.
#[test]
fn positions_are_followed_at_twice_the_speed_of_a_run() {
    for (adjusted, length, passes) in
        [(4.0, 0.26667, 0.4), (6.0, 0.4, 0.6), (9.5, 0.63333, 0.95), (0.0, 0.25, 0.375)]
    {
        let mut interpolation = Interpolation::default();
        interpolation.follow(&north(0.0), &north(20.0), false, OUTDOOR_BLIP);
        assert_close(step(&mut interpolation, north(0.0), adjusted), length);
        // The first window always passes; the second only with three tenths of the way.
        for (gain, fails) in [(passes + 0.001, 0), (passes - 0.001, 1)] {
            let mut interpolation = Interpolation::default();
            interpolation.follow(&north(0.0), &north(20.0), false, OUTDOOR_BLIP);
            for reached in [0.0, gain].into_iter().flat_map(|reached| [reached; 5]) {
                step(&mut interpolation, north(reached), adjusted);
            }
            assert_eq!(interpolation.fails(), fails, "{adjusted}: {gain}");
        }
    }
}

/// Spec: entities §11, example 13: without a motion table an object follows at 8 m/s.
#[test]
fn what_has_no_motion_table_follows_at_eight_metres_per_second() {
    let (world, mut scene) = (flat_world(), Scene::new());
    let sphere = Sphere { center: v(0.0, 0.0, 0.5), radius: 0.48 };
    let position = at(LAND, 12.0, 12.0, 0.005);
    let key = scene.spawn(&world, Spawn::walker(model(&[sphere], &[]), position)).expect("a body");
    scene.place(&world, key, &position, PlaceOptions::default()).expect("room");
    scene.interpolate_to(key, &at(LAND, 12.0, 17.0, 0.005), false).expect("a position");
    scene.advance_clock(f64::from(STEP)).expect("time");
    scene.update(&world, key).expect("a step");
    assert_close(scene.get(key).expect("a body").position.frame.origin.y, 12.26667);
}

/// Spec: entities §11, example 14.
#[test]
fn a_position_two_metres_ahead_is_reached_in_eight_steps() {
    let (mut interpolation, mut own) = (Interpolation::default(), north(0.0));
    interpolation.follow(&own, &north(2.0), false, OUTDOOR_BLIP);
    for number in 1..=8 {
        let length = step(&mut interpolation, own, 4.0);
        assert_close(length, if number < 8 { 0.26667 } else { 0.13333 });
        own.frame.origin.y += length;
    }
    assert_eq!(interpolation.nodes().len(), 1);
    assert_eq!(step(&mut interpolation, own, 4.0), 0.0, "it is there");
    assert_eq!((interpolation.nodes().len(), interpolation.fails()), (0, 0));
}

/// Spec: entities §11, example 15.
#[test]
fn a_blocked_walker_jumps_to_its_only_position_after_ten_steps() {
    let mut interpolation = Interpolation::default();
    interpolation.follow(&north(0.0), &north(3.0), false, OUTDOOR_BLIP);
    for number in 1..=9 {
        assert!(step(&mut interpolation, north(0.0), 4.0) > 0.0, "step {number}");
        assert_eq!(interpolation.jump_target(), None, "step {number}");
    }
    assert_eq!(step(&mut interpolation, north(0.0), 4.0), 0.0);
    assert_eq!((interpolation.fails(), interpolation.nodes().len()), (1, 0));
    assert_eq!(interpolation.jump_target(), Some(north(3.0)));
}

/// Spec: entities §11, example 16.
#[test]
fn of_several_positions_the_fourth_that_fails_jumps_to_the_last() {
    for (count, target) in [(4, 6.0), (5, 7.0)] {
        let mut interpolation = Interpolation::default();
        for i in 0..count {
            interpolation.follow(&north(0.0), &north(3.0 + i as f32), false, OUTDOOR_BLIP);
        }
        let failed: Vec<usize> = (1..=25)
            .filter(|_| {
                let before = interpolation.fails();
                step(&mut interpolation, north(0.0), 4.0);
                interpolation.fails() > before
            })
            .collect();
        assert_eq!(failed, [10, 15, 20, 25], "{count}");
        assert_eq!(interpolation.fails(), 4);
        assert_eq!(interpolation.jump_target(), Some(north(target)), "{count}");
    }
}

/// Spec: entities §11, example 17.
#[test]
fn positions_that_are_too_far_are_jumped_to() {
    for (distance, blip, fails) in
        [(100.0, OUTDOOR_BLIP, 0), (100.1, OUTDOOR_BLIP, 4), (20.0, INDOOR_BLIP, 0), (20.1, INDOOR_BLIP, 4)]
    {
        let mut interpolation = Interpolation::default();
        interpolation.follow(&north(0.0), &north(distance), false, blip);
        assert_eq!((interpolation.fails(), interpolation.nodes().len()), (fails, 1), "{distance}");
        assert_eq!(interpolation.jump_target().is_some(), fails == 4);
    }
    let (world, mut scene) = (flat_world(), Scene::new());
    let key = standing(&mut scene, &world);
    let mut distance = |cell: CellId, own: bool| {
        scene.set_skills(key, own.then(Default::default)).expect("skills");
        let entity = scene.entity_mut(key).expect("it is there");
        entity.position.cell = cell;
        entity.blip_distance()
    };
    assert_eq!([distance(ROOM, false), distance(ROOM, true), distance(LAND, true)], [20.0, 25.0, 100.0]);
}

/// Spec: entities §11, example 18.
#[test]
fn a_position_within_five_centimetres_only_turns() {
    let mut interpolation = Interpolation::default();
    assert!(interpolation.follow(&north(0.0), &north(0.05), false, OUTDOOR_BLIP), "it turns");
    assert_eq!(interpolation.nodes().len(), 0);
    assert!(!interpolation.follow(&north(0.0), &north(0.06), false, OUTDOOR_BLIP));
    assert_eq!(interpolation.nodes().len(), 1);
}

fn stuck() -> Sticky {
    let (world, mut scene) = (flat_world(), Scene::new());
    let object = standing(&mut scene, &world);
    Sticky { object, radius: 0.5, known: Some(north(0.0)), until: 11.0 }
}

/// Spec: entities §11, example 19.
#[test]
fn sticking_keeps_a_gap_and_moves_towards_what_is_much_too_close() {
    for (distance, moved) in [(2.0, 0.66667), (1.33333, 0.03333), (1.1, -0.2), (0.5, 0.66667)] {
        let mut offset = Frame::IDENTITY;
        let mut input = input(north(0.0), 4.0);
        input.sticky_target = Some(north(distance));
        stuck().adjust(&input, &mut offset);
        assert_close(offset.origin.y, moved);
    }
}

/// Spec: entities §11, example 20.
#[test]
fn sticking_lasts_a_second() {
    let (world, mut scene) = (flat_world(), Scene::new());
    let key = standing(&mut scene, &world);
    let sphere = Sphere { center: v(0.0, 0.0, 0.5), radius: 0.48 };
    let beside = at(LAND, 12.0, 14.0, 0.005);
    let other = scene.spawn(&world, Spawn::walker(model(&[sphere], &[]), beside)).expect("another");
    scene.advance_clock(10.0).expect("time");
    scene.stick_to(key, other).expect("it sticks");
    let entity = scene.entity_mut(key).expect("it is there");
    entity.tick_sticky(11.0);
    assert_eq!(entity.sticky().map(|sticky| sticky.object), Some(other), "still");
    entity.tick_sticky(11.001);
    assert!(entity.sticky().is_none());
}

/// Spec: entities §11, example 23.
#[test]
fn the_way_out_and_back_counts_twice() {
    let mut constraint = Constraint::begin(LAND, 0.0);
    for y in [6.0, -6.0] {
        constraint.adjust(true, &mut Frame::at(v(0.0, y, 0.0)));
    }
    assert_eq!(constraint.gone, 12.0);
    let mut next = Frame::at(v(0.0, 1.0, 0.0));
    constraint.adjust(true, &mut next);
    assert_close(next.origin.y, 0.95);
}

#[test]
fn ten_thousand_blips_stay_bounded() {
    let (mut interpolation, mut own) = (Interpolation::default(), north(0.0));
    for i in 0..10_000_u32 {
        // Every other one is beyond the distance of a blip.
        let to = at(LAND, f32::from(i as u16 % 7) * 90.0, (i % 13) as f32 * 20.0, 0.0);
        interpolation.follow(&own, &to, i % 3 == 0, OUTDOOR_BLIP);
        assert!(interpolation.nodes().len() <= MAX_INTERPOLATION_NODES);
        if i % 50 == 0 {
            own.frame.origin.y += step(&mut interpolation, own, 4.0);
        }
    }
    assert!(interpolation.jump_target().is_some(), "it jumps to the last");
    interpolation.stop();
    assert_eq!(
        (interpolation.nodes().len(), interpolation.fails(), interpolation.jump_target()),
        (0, 0, None)
    );
}

fn places() -> impl Strategy<Value = Position> {
    (-40.0f32..40.0, -40.0f32..40.0, -3.0f32..3.0).prop_map(|(x, y, z)| at(LAND, x, y, z))
}

proptest! {
    /// A step never goes past the position it leads to, nor faster than it may, and always nearer.
    #[test]
    fn interpolation_never_overshoots(
        nodes in prop::collection::vec(places(), 1..40),
        speed in 0.0f32..30.0,
        heading in 0.0f32..360.0,
    ) {
        let mut own = Position::new(LAND, Frame::IDENTITY);
        own.frame.set_heading(heading);
        let mut interpolation = Interpolation::default();
        for node in &nodes {
            interpolation.follow(&own, node, false, OUTDOOR_BLIP);
        }
        let limit = STEP * if speed * 2.0 < 0.0002 { 7.5 } else { 2.0 * speed };
        for _ in 0..200 {
            let Some(head) = interpolation.nodes().next().copied() else { break };
            let distance = own.distance_to(&head);
            let mut offset = Frame::IDENTITY;
            interpolation.adjust(&input(own, speed), false, &mut offset);
            let length = offset.origin.length();
            prop_assert!(length <= distance + 1e-4 && length <= limit + 1e-4, "{length} of {distance}");
            own.frame = own.frame.compose(&offset);
            prop_assert!(own.distance_to(&head) <= distance - length + 1e-3);
        }
    }

    /// However positions are done with, what is remembered is sound.
    #[test]
    fn completing_positions_keeps_the_queue_sound(nodes in prop::collection::vec(places(), 0..30), fails: Vec<bool>) {
        let mut interpolation = Interpolation::default();
        for node in &nodes {
            interpolation.follow(&north(0.0), node, false, OUTDOOR_BLIP);
        }
        for failed in fails {
            let completion = if failed { Completion::Failed } else { Completion::Reached };
            interpolation.complete(&north(0.0), completion);
            prop_assert!(interpolation.is_sound());
        }
    }
}

/// Spec: entities §3.2.2c.
#[test]
fn offsets_are_in_the_objects_own_axes() {
    let (mut interpolation, mut own) = (Interpolation::default(), north(0.0));
    own.frame.set_heading(90.0);
    interpolation.follow(&own, &north(5.0), false, OUTDOOR_BLIP);
    let mut offset = Frame::IDENTITY;
    interpolation.adjust(&input(own, 4.0), false, &mut offset);
    assert!((offset.origin - Vec3::new(-0.26667, 0.0, 0.0)).length() < 1e-4, "{}", offset.origin);
}
