//! What would happen if: paths, jumps, spots and sweeps through the world as it is.

use crate::support;
use glam::Vec3;
use support::*;
use threshold_physics::{Motion, PLAYER_SETUP, PlaceOptions, Spawn, scene::Probe};
use threshold_sim::{
    Area, Controls, Gait, Jump, JumpEnd, PathCheck, Position, Sight, SimError, Simulation, SphereKind,
    SphereSweep, Spot, StopReason, TICK, Target, Walker, WalkerBody,
};
use threshold_world::CellId;

fn lifted(mut at: Position, by: f32) -> Position {
    at.frame.origin.z += by;
    at
}

fn moved(mut at: Position, by: Vec3) -> Position {
    at.frame.origin += by;
    at
}

#[test]
fn a_probe_moves_exactly_as_the_object_does() {
    let mut sim = sample();
    let other = sim.spawn_player(place(&sim, "Village Green")).unwrap();
    let at = place(&sim, "Village Street");
    let model = sim.library().model(PLAYER_SETUP).unwrap().unwrap();
    let (world, scene) = sim.parts_mut();
    // Without a motion table it goes as a probe does: by what is said of its legs.
    let me = scene.spawn(world, Spawn::walker(model, at)).unwrap();
    scene.place(world, me, &at, PlaceOptions::default()).unwrap();
    let mut probe = Probe::of(sim.scene(), me).unwrap();
    let mut airborne = 0;
    for tick in 0..300_u32 {
        let motion =
            Motion { velocity: Vec3::new(0.0, 7.0, 0.0), turn: if tick % 90 < 20 { 0.9 } else { 0.0 } };
        let (world, scene) = sim.parts_mut();
        scene.set_motion(me, motion).unwrap();
        probe.set_motion(motion).unwrap();
        if tick % 70 == 50 {
            assert_eq!(scene.jump(me, 6.0).unwrap(), probe.jump(6.0).unwrap());
        }
        probe.step(world, scene, TICK as f32).unwrap();
        scene.advance_clock(TICK).unwrap();
        scene.update(world, me).unwrap();
        let entity = scene.get(me).unwrap();
        assert_eq!(entity.position, probe.entity().position, "tick {tick}");
        assert_eq!(entity.transient, probe.entity().transient, "tick {tick}");
        assert_eq!(entity.velocity, probe.entity().velocity, "tick {tick}");
        airborne += u32::from(!entity.stands());
    }
    assert!(airborne > 30, "it jumped: {airborne}");
    assert!(sim.position(me).unwrap().distance_to(&place(&sim, "Village Street")) > 10.0);
    assert_eq!(sim.position(other).unwrap().cell, place(&sim, "Village Green").cell);
}

#[test]
fn a_path_through_a_door_holds_only_while_it_is_open() {
    let mut sim = sample();
    let door = object(&sim, COTTAGE_DOOR);
    let legs = ["Cottage Vestibule", "Cottage Living Room"].map(|name| place(&sim, name));
    let path = PathCheck { walker: Walker::default(), from: place(&sim, "Cottage Door"), legs: &legs };
    let before = sim.state_hash();
    let report = sim.check_path(&path).unwrap();
    let stop = report.stop.unwrap();
    assert_eq!((stop.reason, stop.blocker), (StopReason::Blocked, Some(Target::Entity(door))), "{report:?}");
    assert_eq!(report.legs, 0);
    assert!(report.end.cell.is_outdoor());

    sim.use_object(door).unwrap();
    let open = sim.state_hash();
    let report = sim.check_path(&path).unwrap();
    assert!(report.holds(), "{report:?}");
    assert_eq!((report.legs, report.end.cell), (2, legs[1].cell));
    assert!(report.end.distance_to(&legs[1]) < 0.2);
    assert!(report.metres > 3.0 && report.seconds > 0.5, "{report:?}");
    assert_ne!(before, open);
    assert_eq!(open, sim.state_hash(), "nothing changed");
}

#[test]
fn a_path_leads_down_stairs_and_up_again() {
    let sim = sample();
    let legs = stairs(&sim);
    let from = place(&sim, "Cottage Living Room");
    let down = sim.check_path(&PathCheck { walker: Walker::default(), from, legs: &legs }).unwrap();
    assert!(down.holds(), "{down:?}");
    assert_eq!(down.end.cell, place(&sim, "Cottage Cellar Stairs").cell);
    assert!(down.end.frame.origin.z < from.frame.origin.z - 2.5, "{}", down.end);
    let back: Vec<Position> = legs.iter().rev().skip(1).copied().chain([from]).collect();
    let walker = Walker { gait: Gait::Walk, ..Walker::default() };
    let up = sim.check_path(&PathCheck { walker, from: down.end, legs: &back }).unwrap();
    assert!(up.holds(), "{up:?}");
    assert_eq!(up.end.cell, from.cell);
    assert!(up.seconds > down.seconds, "walking takes longer");

    // Straight through the floor is no way down.
    let straight = [place(&sim, "Cottage Cellar")];
    let report = sim.check_path(&PathCheck { walker, from, legs: &straight }).unwrap();
    let stop = report.stop.expect("a floor in between");
    assert!(matches!(stop.reason, StopReason::Blocked | StopReason::OtherLevel), "{report:?}");
}

/// The way from the living room down to the cellar: along the wall to the corner, then down the stairs.
fn stairs(sim: &Simulation) -> Vec<Position> {
    let room = place(sim, "Cottage Living Room");
    let foot = place(sim, "Cottage Cellar Stairs");
    let at_top = |east: f32| {
        let mut at = foot;
        at.cell = room.cell;
        at.frame.origin += Vec3::new(east, -4.6, 0.0);
        at.frame.origin.z = room.frame.origin.z;
        at
    };
    vec![at_top(1.9), at_top(0.0), foot]
}

#[test]
fn paths_that_make_no_sense_end_with_a_reason() {
    let sim = sample();
    let walker = Walker::default();
    let street = place(&sim, "Village Street");
    let nowhere = |legs: &[Position], from| sim.check_path(&PathCheck { walker, from, legs });
    let report = nowhere(&[], street).unwrap();
    assert!(report.holds() && report.legs == 0 && report.end.distance_to(&street) < 0.5);
    let in_the_air = lifted(street, 500.0);
    let stop = nowhere(&[street], in_the_air).unwrap().stop.unwrap();
    assert_eq!(stop.reason, StopReason::NoRoom);
    let report = nowhere(&[lifted(street, 20.0)], street).unwrap();
    assert_eq!(report.stop.map(|stop| stop.reason), Some(StopReason::OtherLevel));
    let mut bad = street;
    bad.frame.origin.x = f32::NAN;
    assert!(nowhere(&[bad], street).is_err());
    assert!(nowhere(&[street], bad).is_err());
    let door = object(&sim, COTTAGE_DOOR);
    let walker = Walker { body: WalkerBody::Entity(door), ..walker };
    let legs = [street];
    let refused = sim.check_path(&PathCheck { walker, from: street, legs: &legs });
    assert!(matches!(refused, Err(SimError::NoLegs)), "{refused:?}");
}

#[test]
fn a_jump_forward_goes_as_high_and_as_far_as_skills_say() {
    let sim = sample();
    let walker = Walker::default();
    let from = place(&sim, "Village Street");
    let controls = Controls { forward: true, ..Controls::default() };
    let jump = Jump { walker, from, controls, power: 1.0 };
    let report = sim.simulate_jump(&jump).unwrap();
    assert_eq!(report.end, JumpEnd::Landed, "{report:?}");
    let height = walker.skills.jump_height(1.0);
    assert!((report.height - height).abs() < 0.3, "{} instead of {height}", report.height);
    let landing = report.landing().unwrap();
    let flat = from.offset_to(landing).truncate().length();
    let expected = 9.5 * report.seconds();
    assert!((flat - expected).abs() < 0.6, "{flat} m in {} s, {expected}", report.seconds());
    assert!(report.arc.len() > 30 && (report.fall - report.height).abs() < 2.0);

    let small = sim.simulate_jump(&Jump { power: 0.2, controls: Controls::default(), ..jump }).unwrap();
    assert!(small.height < report.height / 2.0);
    assert!(small.landing().unwrap().distance_to(&from) < 0.2, "straight up, straight down");
    assert!(sim.simulate_jump(&Jump { power: 1.5, ..jump }).is_err());
    let high = Jump { from: lifted(from, 500.0), ..jump };
    assert_eq!(sim.simulate_jump(&high).unwrap().end, JumpEnd::NoFooting);
}

#[test]
fn a_jump_in_a_room_ends_at_the_ceiling() {
    let sim = sample();
    let from = place(&sim, "Cottage Cellar");
    let jump = Jump { walker: Walker::default(), from, controls: Controls::default(), power: 1.0 };
    let report = sim.simulate_jump(&jump).unwrap();
    assert_eq!(report.bumped, Some(Target::Room(from.cell)), "{report:?}");
    let ceiling = sim.ceiling_over(&from).unwrap().distance;
    assert!(report.height < ceiling, "{} under {ceiling}", report.height);
    assert_eq!(report.landing().unwrap().cell, from.cell);
}

#[test]
fn random_spots_are_good_and_the_same_for_the_same_seed() {
    let sim = sample();
    let walker = Walker::default();
    let green = place(&sim, "Village Green");
    let around = Area::Around { center: green, metres: 15.0 };
    let spots: Vec<Position> =
        (0..20).map(|seed| sim.random_standable(&walker, around, seed).unwrap().unwrap()).collect();
    for (seed, spot) in spots.iter().enumerate() {
        assert_eq!(sim.random_standable(&walker, around, seed as u64).unwrap().as_ref(), Some(spot));
        assert!(green.offset_to(spot).truncate().length() <= 15.0);
        let ground = sim.ground_under(spot).unwrap();
        assert!((ground.distance - 0.01).abs() < 0.1, "{spot}: {ground:?}");
    }
    assert!(spots.windows(2).all(|pair| pair[0].distance_to(&pair[1]) > 0.01));

    let room = place(&sim, "Cottage Living Room").cell;
    for seed in 0..20 {
        let spot = sim.random_standable(&walker, Area::Cell(room), seed).unwrap().unwrap();
        assert_eq!(spot.cell, room);
    }
    let missing = sim.random_standable(&walker, Area::Cell(CellId(0x8080_01FF)), 1);
    assert!(matches!(missing, Err(SimError::NoCell(_))), "{missing:?}");
    let nan = Area::Around { center: green, metres: f32::NAN };
    assert!(sim.random_standable(&walker, nan, 1).is_err());
}

#[test]
fn a_spot_in_a_wall_or_in_the_air_is_not_stood_on() {
    let sim = sample();
    let walker = Walker::default();
    let street = place(&sim, "Village Street");
    let stands = sim.stand_at(&walker, &street).unwrap().unwrap();
    assert!(stands.distance_to(&street) < 0.2);
    assert_eq!(sim.stand_at(&walker, &lifted(street, 300.0)).unwrap(), None);
    let height = sim.ground_height(&lifted(street, 300.0)).unwrap();
    assert!((height - stands.frame.origin.z).abs() < 0.1);
}

#[test]
fn a_sphere_stops_at_the_door_or_passes_it() {
    let mut sim = sample();
    let door = object(&sim, COTTAGE_DOOR);
    let (from, to) =
        (lifted(place(&sim, "Cottage Door"), 1.0), lifted(place(&sim, "Cottage Vestibule"), 1.0));
    let sweep = SphereSweep { from, to, radius: 0.2, kind: SphereKind::Camera };
    let closed = sim.sweep_sphere(&sweep).unwrap();
    assert_eq!(closed.hit.unwrap().target, Target::Entity(door), "{closed:?}");
    assert!(closed.remaining > 0.3);
    sim.use_object(door).unwrap();
    let open = sim.sweep_sphere(&sweep).unwrap();
    assert_eq!((open.hit, open.position.cell), (None, to.cell), "{open:?}");
    assert!(open.remaining < 0.01);
    // A sphere wider than the doorway is held by the walls beside it.
    let wide = sim.sweep_sphere(&SphereSweep { radius: 1.5, ..sweep }).unwrap();
    assert!(wide.remaining > 0.3 && wide.hit.is_some(), "{wide:?}");
    for radius in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e9] {
        assert!(sim.sweep_sphere(&SphereSweep { radius, ..sweep }).is_err(), "{radius}");
    }
}

#[test]
fn missiles_hit_people_and_cameras_pass_them() {
    let mut sim = sample();
    let street = place(&sim, "Village Street");
    let victim = sim.spawn_player(moved(street, Vec3::NEG_Y * 4.0)).unwrap();
    let (from, to) = (lifted(street, 1.0), lifted(moved(street, Vec3::NEG_Y * 8.0), 1.0));
    let sweep = |kind| sim.sweep_sphere(&SphereSweep { from, to, radius: 0.1, kind }).unwrap();
    let missile = sweep(SphereKind::Missile);
    assert_eq!(missile.hit.map(|hit| hit.target), Some(Target::Entity(victim)), "{missile:?}");
    assert_eq!(sweep(SphereKind::Camera).hit, None);
}

#[test]
fn an_object_is_swept_with_its_own_body_and_stays() {
    let mut sim = sample();
    let me = sim.spawn_player(place(&sim, "Cottage Door")).unwrap();
    sim.advance(0.5).unwrap();
    let at = sim.position(me).unwrap();
    let door = object(&sim, COTTAGE_DOOR);
    let swept = sim.sweep_entity(me, &place(&sim, "Cottage Vestibule")).unwrap();
    assert_eq!(swept.hit.map(|hit| hit.target), Some(Target::Entity(door)), "{swept:?}");
    assert_eq!(sim.position(me).unwrap(), at);
    sim.despawn(me).unwrap();
    assert!(sim.sweep_entity(me, &at).is_err());
}

#[test]
fn a_thick_line_of_sight_does_not_pass_a_crack() {
    let mut sim = sample();
    let door = object(&sim, COTTAGE_DOOR);
    let (from, to) =
        (lifted(place(&sim, "Cottage Door"), 1.0), lifted(place(&sim, "Cottage Vestibule"), 1.0));
    let sight = sim.line_of_sight_within(from, to, 0.2).unwrap();
    assert!(matches!(sight, Sight::Blocked(hit) if hit.target == Target::Entity(door)), "{sight:?}");
    sim.use_object(door).unwrap();
    for radius in [0.0, 0.2] {
        assert!(sim.line_of_sight_within(from, to, radius).unwrap().is_clear(), "{radius}");
    }
    let street = place(&sim, "Village Street");
    let (a, b) = (sim.spawn_player(street).unwrap(), sim.spawn_player(moved(street, Vec3::Y * 6.0)).unwrap());
    assert!(sim.line_of_sight_within(a, b, 0.1).unwrap().is_clear());
}

#[test]
fn many_questions_at_once_have_the_same_answers_as_one_by_one() {
    let sim = sample();
    let street = lifted(place(&sim, "Village Street"), 1.0);
    let ends: Vec<Position> = (0..200_u8)
        .map(|i| {
            let angle = f32::from(i) * 0.1;
            moved(street, Vec3::new(angle.cos(), angle.sin(), 0.0) * (1.0 + f32::from(i) * 0.2))
        })
        .collect();
    let sweeps: Vec<SphereSweep> = ends
        .iter()
        .map(|&to| SphereSweep { from: street, to, radius: 0.3, kind: SphereKind::Slide })
        .collect();
    let swept = sim.sweep_spheres(&sweeps);
    assert!(swept.iter().flatten().filter(|swept| swept.hit.is_some()).count() > 5, "some hit something");
    for (sweep, found) in sweeps.iter().zip(swept) {
        assert_eq!(found.unwrap(), sim.sweep_sphere(sweep).unwrap());
    }
    let pairs: Vec<(Spot, Spot)> = ends.iter().map(|&to| (street.into(), to.into())).collect();
    for ((from, to), sight) in pairs.iter().zip(sim.lines_of_sight(&pairs, 0.0)) {
        assert_eq!(sight.unwrap(), sim.line_of_sight(*from, *to).unwrap());
    }
    let legs: Vec<[Position; 1]> = ends.iter().take(40).map(|&end| [lifted(end, -1.0)]).collect();
    let from = place(&sim, "Village Street");
    let paths: Vec<PathCheck<'_>> =
        legs.iter().map(|legs| PathCheck { walker: Walker::default(), from, legs }).collect();
    for (path, report) in paths.iter().zip(sim.check_paths(&paths)) {
        assert_eq!(report.unwrap(), sim.check_path(path).unwrap());
    }
}

#[test]
fn a_sphere_in_a_doorway_touches_both_sides() {
    let sim = sample();
    let mut doorway = place(&sim, "Cottage Vestibule");
    doorway.frame.origin.y -= 1.1;
    let cells = sim.cells_of_sphere(&lifted(doorway, 1.0), 0.5).unwrap();
    assert!(cells.contains(&doorway.cell) && cells.iter().any(|cell| cell.is_outdoor()), "{cells:?}");
    let alone = sim.cells_of_sphere(&lifted(place(&sim, "Cottage Cellar"), 1.0), 0.1).unwrap();
    assert_eq!(alone, [place(&sim, "Cottage Cellar").cell]);
    let room = place(&sim, "Cottage Living Room");
    let named_wrongly = Position::new(doorway.cell, room.frame);
    let seated = sim.reseat(&named_wrongly, Vec3::Z).unwrap().unwrap();
    assert_eq!(seated.cell, room.cell);
    assert!(sim.reseat(&named_wrongly, Vec3::NAN).is_err());
}
