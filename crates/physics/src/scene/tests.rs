//! Worked examples of what a sweep starts from and of what its commit does. Spec: physics-tests H.

use super::{
    CAMERA_SPHERE, EntityKey, EntityRole, Scene, Spawn, commit::FinishedSweep, flood::DUMMY_SPHERE, on_map,
};
use crate::{
    flags::{MoverFlags, State, Transient},
    random::Random,
    sweep::{ContactLog, Outcome, SweepInput, Sweeper},
    testing::{LAND, at, flat, floor, mesh, model, pair, standing, v, world},
};
use glam::{Vec2, Vec3};
use std::{f32::consts::FRAC_1_SQRT_2, sync::Arc};
use threshold_dat::DatId;
use threshold_world::{
    CellId, Frame, Position, Quat, World,
    geometry::{Aabb, Cylinder, PolygonSet, Sphere},
    model::{Mesh, Model, ModelPart},
};

const BALL: Sphere = Sphere { center: Vec3::new(0.0, 0.0, 0.5), radius: 0.4 };
/// The cell east of [`LAND`].
const EAST: CellId = CellId(0xA9B4_0009);

fn spawn(scene: &mut Scene, world: &World, model: Arc<Model>, state: State, scale: f32) -> EntityKey {
    let position = at(LAND, 12.0, 12.0, 0.0);
    let spawn = Spawn { guid: Some(1), model, position, state, scale, role: EntityRole::default() };
    scene.spawn(world, spawn).expect("a body")
}

/// A model of one part, a plate of a metre square.
fn plate() -> Arc<Model> {
    let physics = mesh(&[floor([-0.5, 0.5], [-0.5, 0.5], 0.2)]);
    let mesh = Mesh {
        id: DatId(0x0100_0001),
        physics_sphere: physics.bounding_sphere(),
        drawing_sphere: None,
        bounds: Aabb { min: v(-0.5, -0.5, 0.2), max: v(0.5, 0.5, 0.2) },
        flat_only: false,
        sort_center: Vec3::ZERO,
        ladder: None,
        is_drawn: true,
        openings: Box::default(),
        opening_polygons: PolygonSet::default(),
        physics: Some(physics),
    };
    let part = ModelPart { mesh: Some(Arc::new(mesh)), frame: Frame::IDENTITY, scale: Vec3::ONE };
    let mut model = model(&[BALL], &[]);
    Arc::make_mut(&mut model).parts = Box::new([part]);
    model
}

#[test]
fn example_72_a_body_that_cannot_move_loses_its_velocity() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let key = spawn(&mut scene, &world, model(&[BALL], &[]), State::GRAVITY, 1.0);
    for (stationary_stage, kept) in [(0, true), (1, true), (2, false), (3, false)] {
        scene.set_velocity(key, v(0.0, 0.0, -3.0)).expect("a velocity");
        scene.respond(
            key,
            &ContactLog { stationary_stage, ..ContactLog::default() },
            &[],
            Transient::empty(),
        );
        let expected = if kept { v(0.0, 0.0, -3.0) } else { Vec3::ZERO };
        assert_eq!(scene.get(key).expect("a body").velocity, expected, "stage {stationary_stage}");
    }
}

#[test]
fn example_73_an_empty_cell_set_keeps_entries_unless_the_body_floods_by_boxes() {
    let world = world(flat(0.0), vec![], vec![]);
    let outcome =
        Outcome { ok: true, position: at(EAST, 36.0, 12.0, 0.0), cell: Some(EAST), ..Outcome::default() };
    let nothing = FinishedSweep { outcome: &outcome, cells: &[], missing: &[], touched: &[] };
    for (state, listed) in [(State::empty(), LAND), (State::HAS_PHYSICS_BSP, EAST)] {
        let mut scene = Scene::new();
        let key = spawn(&mut scene, &world, plate(), state, 1.0);
        // Spawning decides that bit by the model; the game may say otherwise.
        scene.set_state(key, state).expect("a state");
        assert_eq!(scene.shadows_in(LAND), [key]);
        assert_eq!(scene.commit(&world, key, nothing), Some((LAND, EAST)));
        let body = scene.get(key).expect("a body");
        assert_eq!((body.cell, body.position), (Some(EAST), outcome.position));
        let cells: Vec<CellId> = scene.shadow_lists().map(|(cell, _)| cell).collect();
        assert_eq!(cells, [listed], "{state:?}");
    }
}

#[test]
fn example_83_a_mover_has_two_spheres_at_most_and_one_at_least() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let sphere = |z: f32| Sphere { center: v(0.0, 0.0, z), radius: 0.4 };
    let three = model(&[sphere(0.5), sphere(1.0), sphere(1.5)], &[]);
    let key = spawn(&mut scene, &world, three, State::empty(), 2.0);
    let mover = scene.get(key).expect("a body").as_mover(key);
    assert_eq!(mover.sphere_count, 2);
    let twice = |z: f32| Sphere { center: v(0.0, 0.0, 2.0 * z), radius: 0.8 };
    assert_eq!(mover.spheres, [twice(0.5), twice(1.0)]);

    let mut scene = Scene::new();
    let key = spawn(&mut scene, &world, model(&[], &[]), State::empty(), 2.0);
    let mover = scene.get(key).expect("a body").as_mover(key);
    assert_eq!((mover.sphere_count, mover.spheres[0]), (1, DUMMY_SPHERE));
    assert_eq!(DUMMY_SPHERE, Sphere { center: v(0.0, 0.0, 0.1), radius: 0.1 });
}

/// An arrow: its one sphere is a metre ahead of its origin.
fn arrow() -> Arc<Model> {
    model(&[Sphere { center: Vec3::Y, radius: 0.1 }], &[])
}

fn tick(scene: &mut Scene, world: &World, key: EntityKey, seconds: f64) {
    scene.advance_clock(seconds).expect("a time");
    scene.update(world, key).expect("a tick");
}

fn front(scene: &Scene, key: EntityKey) -> Vec3 {
    scene.get(key).expect("a body").position.frame.rotate(Vec3::Y)
}

#[test]
fn what_aligns_with_its_path_points_up_and_down_too() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let key = spawn(&mut scene, &world, arrow(), State::MISSILE | State::ALIGN_PATH, 1.0);
    scene.update_position(&world, key, at(LAND, 12.0, 12.0, 10.0)).expect("a place");
    scene.set_velocity(key, v(3.0, 4.0, 5.0)).expect("a velocity");
    tick(&mut scene, &world, key, 0.1);
    // 36.87° east of north, 45° up: the right side stays level.
    assert!((front(&scene, key) - v(0.6, 0.8, 1.0) * FRAC_1_SQRT_2).length() < 1e-5);
    let frame = scene.get(key).expect("a body").position.frame;
    assert!((frame.rotate(Vec3::X) - v(0.8, -0.6, 0.0)).length() < 1e-5);
    assert!((frame.origin - v(12.3, 12.4, 10.5)).length() < 1e-4);
}

#[test]
fn an_arrow_that_flies_downward_hits_the_ground_with_its_point() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let state = State::MISSILE | State::ALIGN_PATH;
    let key = spawn(&mut scene, &world, arrow(), state, 1.0);
    scene.update_position(&world, key, at(LAND, 12.0, 6.0, 3.0)).expect("a place");
    scene.set_velocity(key, v(0.0, 10.0, -10.0)).expect("a velocity");
    for _ in 0..20 {
        tick(&mut scene, &world, key, 0.033);
        if !scene.get(key).expect("a body").state.contains(State::ALIGN_PATH) {
            break;
        }
    }
    assert!((front(&scene, key) - v(0.0, 1.0, -1.0) * FRAC_1_SQRT_2).length() < 1e-4);
    // The point is 0.707 m below the origin, and its sphere 0.1 m thick. Flying flat it would have come down to 0.1 m.
    let height = scene.get(key).expect("a body").position.frame.origin.z;
    assert!((0.80..0.92).contains(&height), "{height}");
}

#[test]
fn a_sled_faces_the_way_it_glides_and_keeps_its_tilt() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    for (sledding, expected) in [
        // The front rose by 0.6: it becomes (1, 0, 0.6), brought to length 1.
        (State::SLEDDING, v(0.857_493, 0.0, 0.514_496)),
        (State::empty(), v(0.0, 0.8, 0.6)),
    ] {
        let key = spawn(&mut scene, &world, model(&[BALL], &[]), State::GRAVITY | sledding, 1.0);
        let mut frame = Frame::at(v(12.0, 12.0, 10.0));
        frame.face(v(0.0, 0.8, 0.6));
        scene.update_position(&world, key, Position::new(LAND, frame)).expect("a place");
        scene.set_velocity(key, v(6.0, 0.0, -3.0)).expect("a velocity");
        tick(&mut scene, &world, key, 0.05);
        let found = front(&scene, key);
        assert!((found - expected).length() < 1e-5, "{sledding:?}: {found}");
        scene.despawn(&world, key).expect("it was there");
    }
}

/// Someone whose spheres are as tall as a person, in the way of whatever goes north from (12, 10).
fn someone(scene: &mut Scene, world: &World, guid: u32, y: f32, role: EntityRole) -> EntityKey {
    let model = model(&[BALL, Sphere { center: v(0.0, 0.0, 1.4), radius: 0.4 }], &[]);
    let position = at(LAND, 12.0, y, 0.0);
    let spawn = Spawn { guid: Some(guid), model, position, state: State::GRAVITY, scale: 1.0, role };
    scene.spawn(world, spawn).expect("a body")
}

#[test]
fn a_camera_passes_everything_that_lives_and_players_do() {
    let world = world(flat(0.0), vec![], vec![]);
    let player = EntityRole { is_player: true, ..EntityRole::default() };
    let creature = EntityRole { creature: true, ..EntityRole::default() };
    for (role, passes) in [(player, true), (creature, true), (EntityRole::default(), false)] {
        let mut scene = Scene::new();
        let owner = someone(&mut scene, &world, 1, 9.0, player);
        someone(&mut scene, &world, 2, 12.0, role);
        let (from, to) = (at(LAND, 12.0, 9.0, 1.4), at(LAND, 12.0, 15.0, 1.4));
        let mut sweeper = Sweeper::new();
        let mover = scene.camera_of(owner);
        let input = SweepInput::new(mover, &from, &to);
        let outcome = sweeper.sweep(&world, &scene, input, None).expect("a sweep");
        let way = outcome.position.frame.origin.y - 9.0;
        let expected = if passes { 6.0 } else { 3.0 - 0.4 - CAMERA_SPHERE.radius };
        assert!((way - expected).abs() < 0.05, "{role:?}: {way}");
    }
}

#[test]
fn a_camera_is_as_much_of_a_player_as_its_owner() {
    let world = world(flat(0.0), vec![], vec![]);
    let mut scene = Scene::new();
    let role =
        EntityRole { is_player: true, pk: true, bypasses_restrictions: false, ..EntityRole::default() };
    let owner = someone(&mut scene, &world, 1, 9.0, role);
    scene.set_state(owner, State::GRAVITY | State::ETHEREAL).expect("a state");
    let mover = scene.camera_of(owner);
    assert_eq!(mover.flags, MoverFlags::from_bits_retain(0x5C | 0x100 | 0x800));
    assert_eq!((mover.entity, mover.sphere_count, mover.spheres[0]), (Some(owner), 1, CAMERA_SPHERE));
    assert!(mover.state.contains(State::ETHEREAL) && !mover.bypasses_restrictions);
    scene.despawn(&world, owner).expect("it was there");
    let unowned = scene.camera_of(owner);
    assert_eq!((unowned.flags, unowned.entity), (MoverFlags::CAMERA, None));
}

/// Tilted, scaled, of every kind of shape, crowded around the cell's middle.
fn clutter(world: &World) -> Scene {
    let mut scene = Scene::new();
    let mut random = Random::new(11);
    let cylinder = Cylinder { low: v(0.3, -0.2, 0.1), radius: 0.3, height: 1.2 };
    let off_center = Sphere { center: v(0.4, 0.1, 0.9), radius: 0.35 };
    let models = [model(&[BALL, off_center], &[]), model(&[], &[cylinder]), plate()];
    for i in 0..60u32 {
        let origin = v(12.0 + 5.0 * random.signed(), 12.0 + 5.0 * random.signed(), 0.5 * random.signed());
        let tilt = Quat { w: 1.0, v: v(random.signed(), random.signed(), random.signed()) };
        let rotation = if i % 3 == 0 { Quat::about_z(random.signed()) } else { tilt };
        let position = Position::new(LAND, Frame::new(origin, rotation));
        let model = models[i as usize % models.len()].clone();
        let state = if model.parts.is_empty() { State::empty() } else { State::HAS_PHYSICS_BSP };
        let scale = 1.0 + 0.5 * random.signed();
        let role = EntityRole::default();
        scene.spawn(world, Spawn { guid: Some(i + 1), model, position, state, scale, role }).expect("room");
    }
    scene
}

#[test]
fn what_is_passed_over_for_being_far_would_have_changed_nothing() {
    let world = world(flat(0.0), Vec::new(), Vec::new());
    let (measured, mut unknown) = (clutter(&world), clutter(&world));
    let keys: Vec<_> = unknown.shadow_lists().flat_map(|(_, keys)| keys.to_vec()).collect();
    keys.into_iter().for_each(|key| _ = unknown.entities.get_mut(key));
    let mut random = Random::new(12);
    let (mut sweeper, mut oracle) = (Sweeper::new(), Sweeper::new());
    let mut hits = 0;
    for _ in 0..2000 {
        let mut place = || at(LAND, 12.0 + 7.0 * random.signed(), 12.0 + 7.0 * random.signed(), 0.5);
        let (begin, end) = (place(), place());
        let input = || SweepInput::new(pair(0.9, standing()), &begin, &end);
        let found = sweeper.sweep(&world, &measured, input(), None).expect("a sweep");
        let expected = oracle.sweep(&world, &unknown, input(), None).expect("a sweep");
        assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{begin} to {end}");
        hits += u32::from(expected.met_object);
        assert_eq!(sweeper.touched(), oracle.touched());
    }
    assert!((200..1900).contains(&hits), "{hits} of 2000 met something");
}

#[test]
fn an_object_that_may_have_changed_is_near_everything_until_it_is_measured() {
    let world = world(flat(0.0), Vec::new(), Vec::new());
    let mut scene = Scene::new();
    let key = spawn(&mut scene, &world, model(&[BALL], &[]), State::empty(), 1.0);
    let is_near = |scene: &Scene, x: f32| {
        let place = on_map(LAND.block(), Vec2::new(x, 12.0));
        scene.extent(key).is_within(0.5, place)
    };
    // Its sphere ends at 12.4.
    assert_eq!([12.0, 12.85, 13.0, 100.0].map(|x| is_near(&scene, x)), [true, true, false, false]);
    scene.entities.get_mut(key).expect("an object").scale = 50.0;
    assert!(is_near(&scene, 100.0), "it may have changed");
    scene.entities.measure();
    assert!(!is_near(&scene, 100.0));
}
