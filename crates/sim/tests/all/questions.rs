//! Questions people ask a world.

use crate::support;
use glam::Vec3;
use support::*;
use threshold_physics::cast::{Blockers, Cast};
use threshold_sim::{Hit, Sight, Target};

#[test]
fn a_closed_door_blocks_the_view_and_an_open_one_does_not() {
    let mut sim = sample();
    let door = object(&sim, COTTAGE_DOOR);
    let lifted = |name: &str| {
        let mut at = place(&sim, name);
        at.frame.origin.z += 1.2;
        at
    };
    let (outside, inside) = (lifted("Cottage Door"), lifted("Cottage Vestibule"));
    for (from, to) in [(outside, inside), (inside, outside)] {
        let sight = sim.line_of_sight(from, to).unwrap();
        assert!(
            matches!(sight, Sight::Blocked(Hit { target: Target::Entity(key), .. }) if key == door),
            "{sight:?}"
        );
    }
    sim.use_object(door).unwrap();
    for (from, to) in [(outside, inside), (inside, outside)] {
        assert!(sim.line_of_sight(from, to).unwrap().is_clear());
    }
}

#[test]
fn walls_and_floors_block_the_view() {
    let sim = sample();
    let lifted = |name: &str| {
        let mut at = place(&sim, name);
        at.frame.origin.z += 1.2;
        at
    };
    let (room, cellar) = (lifted("Cottage Living Room"), lifted("Cottage Cellar"));
    // Beside the door, before the wall.
    let mut outside = lifted("Cottage Door");
    outside.frame.origin.x += 3.5;
    let sight = sim.line_of_sight(outside, room).unwrap();
    assert!(matches!(sight, Sight::Blocked(Hit { target: Target::Shell(_), .. })), "{sight:?}");
    for other in [cellar, outside] {
        let sight = sim.line_of_sight(room, other).unwrap();
        assert!(matches!(sight, Sight::Blocked(Hit { target: Target::Room(_), .. })), "{other}: {sight:?}");
    }
    assert!(sim.line_of_sight(lifted("Village Street"), lifted("Village Green")).unwrap().is_clear());
}

#[test]
fn two_people_see_each_other_over_each_others_heads() {
    let mut sim = sample();
    let start = place(&sim, "Village Street");
    let mut beside = start;
    beside.frame.origin.y += 6.0;
    let mut between = start;
    between.frame.origin.y += 3.0;
    let a = sim.spawn_player(start).unwrap();
    let b = sim.spawn_player(beside).unwrap();
    let _between = sim.spawn_player(between).unwrap();
    assert!(sim.line_of_sight(a, b).unwrap().is_clear(), "creatures block no view");
    // But one can point at somebody who stands in the way.
    let from = sim.player(a).unwrap().eye.position().copied().unwrap();
    let ignored = [a];
    let ray = Cast {
        from,
        direction: from.offset_to(&sim.position(b).unwrap()) + Vec3::Z,
        reach: 50.0,
        blockers: Blockers::Everything,
        ignored: &ignored,
    };
    assert!(matches!(sim.cast(&ray).unwrap().target, Target::Entity(_)));
}

#[test]
fn the_ground_is_under_the_feet_and_the_ceiling_over_the_head() {
    let sim = sample();
    let street = place(&sim, "Village Street");
    let ground = sim.ground_under(&street).unwrap();
    assert!(matches!(ground.target, Target::Ground(_)));
    assert!((ground.point.z - street.frame.origin.z).abs() < 0.1, "{ground:?}");
    assert_eq!(sim.ceiling_over(&street), None, "the sky is no ceiling");

    let cellar = place(&sim, "Cottage Cellar");
    let floor = sim.ground_under(&cellar).unwrap();
    let ceiling = sim.ceiling_over(&cellar).unwrap();
    assert!(matches!(floor.target, Target::Room(_)), "{floor:?}");
    assert!(matches!(ceiling.target, Target::Room(_)), "the ground above does not count: {ceiling:?}");
    assert!((floor.point.z - cellar.frame.origin.z).abs() < 0.1);
    let height = ceiling.point.z - floor.point.z;
    assert!((2.0..3.5).contains(&height), "{height}");
}

#[test]
fn a_player_points_at_the_door_before_it() {
    let mut sim = sample();
    let me = sim.spawn_player(place(&sim, "Cottage Door")).unwrap();
    let door = object(&sim, COTTAGE_DOOR);
    let eye = *sim.player(me).unwrap().eye.position().unwrap();
    let mut middle = sim.position(door).unwrap();
    middle.frame.origin.z += 1.0;
    let hit = sim.pick(me, eye.offset_to(&middle)).unwrap().unwrap();
    assert_eq!(hit.target, Target::Entity(door));
    assert_eq!(sim.pick(me, Vec3::Z).unwrap(), None, "the sky");
    assert_eq!(sim.pick(me, Vec3::ZERO).unwrap(), None, "no direction");
}

#[test]
fn who_is_where() {
    let mut sim = sample();
    let at = place(&sim, "Cottage Living Room");
    let me = sim.spawn_player(at).unwrap();
    let cell = sim.position(me).unwrap().cell;
    assert!(sim.residents_of(cell).any(|key| key == me));
    assert!(!sim.residents_of(place(&sim, "Cottage Cellar").cell).any(|key| key == me));

    let near = sim.objects_within(&sim.position(me).unwrap(), 30.0);
    assert_eq!(near[0], (me, 0.0), "nearest first");
    assert!(near.windows(2).all(|pair| pair[0].1 <= pair[1].1));
    assert!(near.iter().any(|(key, _)| *key == object(&sim, COTTAGE_DOOR)));
    assert!(near.iter().all(|(_, metres)| *metres <= 30.0));

    let mut waist = sim.position(me).unwrap();
    waist.frame.origin.z += 0.9;
    assert!(sim.overlapping(&waist, 0.2).contains(&me));
    waist.frame.origin.z += 5.0;
    assert!(!sim.overlapping(&waist, 0.2).contains(&me));

    let seen = sim.cells_seen_from(cell);
    assert!(seen.contains(&cell) && seen.contains(&place(&sim, "Cottage Vestibule").cell), "{seen:?}");
}

#[test]
fn rays_without_end_or_sense_come_back() {
    let sim = sample();
    let from = place(&sim, "Village Street");
    for direction in [Vec3::NAN, Vec3::INFINITY, Vec3::ZERO, Vec3::X, Vec3::new(1e-30, 0.0, 1.0)] {
        for reach in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e9] {
            let cast = Cast { from, direction, reach, blockers: Blockers::Everything, ignored: &[] };
            if let Some(hit) = sim.cast(&cast) {
                assert!(hit.distance.is_finite() && hit.distance <= reach);
            }
        }
    }
}
