//! A gate that belongs to its block: one wall, which its animation lifts out of the way and lets down again.

use super::*;
use crate::{
    flags::Transient,
    scene::{EntityRole, Event, PLAYER_STATE, PlaceOptions, Spawn},
    testing::{BLOCK, LAND, at, block, flat, mesh, model, v, wall_facing_east, wall_facing_west, world},
};
use glam::Vec3;
use std::sync::Arc;
use threshold_dat::{
    DatId, IdScheme,
    records::{self, AnimationFrame, Hook, HookAction},
};
use threshold_world::{
    Frame,
    cell::StaticObject,
    geometry::{Aabb, PolygonSet, Sphere},
    model::{Mesh, Model, ModelPart},
    source::MemorySource,
    stream::StreamEvent,
};

const TICK: f64 = 1.0 / 30.0;
const ANIMATION: DatId = DatId(0x0300_0001);
/// Frames of the animation; the wall is lifted in the second half.
const FRAMES: usize = 20;
const LIFTED: f32 = 10.0;

fn gate() -> Arc<Model> {
    let loops =
        [wall_facing_west(0.0, [-4.0, 4.0], [0.0, 3.0]), wall_facing_east(0.1, [-4.0, 4.0], [0.0, 3.0])];
    let sphere = Sphere { center: v(0.0, 0.0, 1.5), radius: 5.0 };
    let wall = Mesh {
        id: DatId(0x0100_0001),
        physics: Some(mesh(&loops)),
        physics_sphere: Some(sphere),
        drawing_sphere: None,
        bounds: Aabb { min: v(0.0, -4.0, 0.0), max: v(0.1, 4.0, 3.0) },
        flat_only: false,
        sort_center: Vec3::ZERO,
        ladder: None,
        is_drawn: false,
        openings: Box::default(),
        opening_polygons: PolygonSet::default(),
    };
    let mut gate = Model::clone(&model(&[], &[]));
    gate.parts =
        Box::new([ModelPart { mesh: Some(Arc::new(wall)), frame: Frame::IDENTITY, scale: Vec3::ONE }]);
    gate.motion = ModelMotion::Animation(ANIMATION);
    gate.plays_when_static = true;
    Arc::new(gate)
}

/// A vane that turns: a setup that the library has, with a shape of its own and no mesh.
const VANE: DatId = DatId(0x0200_0002);

/// The animation, with a hook on its first frame, and the vane that plays it, too.
fn library(hook: Option<HookAction>) -> Library {
    let frames = (0..FRAMES).map(|i| {
        let z = if i < FRAMES / 2 { 0.0 } else { LIFTED };
        let hooks =
            hook.iter().filter(|_| i == 0).map(|action| Hook { direction: 0, action: action.clone() });
        let part = records::Frame { origin: [0.0, 0.0, z], ..records::Frame::IDENTITY };
        AnimationFrame { parts: vec![part], hooks: hooks.collect() }
    });
    let animation = records::Animation { part_count: 1, frames: frames.collect(), ..Default::default() };
    let vane = records::Setup {
        parts: vec![DatId(0)],
        defaults: records::SetupDefaults { animation: ANIMATION, ..Default::default() },
        ..Default::default()
    };
    let mut source = MemorySource::new();
    source.insert_record(IdScheme::Portal, ANIMATION, &animation).expect("an animation");
    source.insert_record(IdScheme::Portal, VANE, &vane).expect("a setup");
    Library::new(Arc::new(source))
}

/// A block whose record lists a model at (12, 12), and what has come of it.
fn listing(model: Arc<Model>, library: &Library) -> (World, Scene) {
    let mut world = world(flat(0.0), vec![], vec![]);
    let mut listed = block(BLOCK, flat(0.0), vec![], vec![]);
    let frame = Frame::at(v(12.0, 12.0, 0.0));
    listed.statics = Box::new([StaticObject { model_id: model.id, model: Some(model), frame }]);
    world.insert_resident(Arc::new(listed));
    let mut scene = Scene::new();
    scene.follow(&world, &[StreamEvent::LandscapeLoaded(BLOCK)]);
    scene.begin_static_motions(library);
    (world, scene)
}

fn gated(library: &Library) -> (World, Scene, EntityKey) {
    let (world, scene) = listing(gate(), library);
    let (key, gate) = scene.entities().next().expect("the gate");
    assert!(gate.is_static() && gate.plays_as_static());
    (world, scene, key)
}

fn tick(scene: &mut Scene, world: &World, ticks: usize) {
    for _ in 0..ticks {
        scene.advance_clock(TICK).expect("a time");
        scene.update_all(world);
    }
}

fn wall_height(scene: &Scene, key: EntityKey) -> f32 {
    scene.get(key).expect("a gate").parts()[0].position.frame.origin.z
}

/// Whether a body that stands west of the gate comes through it.
fn passes(scene: &mut Scene, world: &World) -> bool {
    let sphere = Sphere { center: v(0.0, 0.0, 0.5), radius: 0.4 };
    let spawn = Spawn {
        guid: None,
        model: model(&[sphere], &[]),
        position: at(LAND, 11.0, 12.0, 0.0),
        state: PLAYER_STATE,
        scale: 1.0,
        role: EntityRole::default(),
    };
    let position = spawn.position;
    let body = scene.spawn(world, spawn).expect("a body");
    scene.place(world, body, &position, PlaceOptions::default()).expect("room");
    assert!(scene.get(body).expect("a body").has(Transient::ON_WALKABLE));
    for step in 1..=10 {
        let to = at(LAND, 11.0 + 0.2 * step as f32, 12.0, 0.0);
        scene.move_to(world, body, &to, None).expect("a move");
    }
    let x = scene.get(body).expect("a body").position.frame.origin.x;
    scene.despawn(world, body).expect("it was there");
    assert!(x > 11.2, "it moved");
    x > 12.5
}

#[test]
fn parts_of_a_static_are_hit_where_its_animation_has_them_and_its_cells_stay() {
    let library = library(None);
    let (world, mut scene, key) = gated(&library);
    let cells = scene.get(key).expect("a gate").shadows().to_vec();
    assert_eq!(wall_height(&scene, key), 0.0);
    assert!(!passes(&mut scene, &world), "the wall is down");
    tick(&mut scene, &world, FRAMES / 2 - 1);
    assert_eq!(wall_height(&scene, key), 0.0);
    assert!(!passes(&mut scene, &world), "it is still down");
    tick(&mut scene, &world, 2);
    assert_eq!(wall_height(&scene, key), LIFTED);
    assert!(passes(&mut scene, &world), "it is lifted");
    tick(&mut scene, &world, FRAMES / 2);
    assert!(!passes(&mut scene, &world), "it has come down again");
    let gate = scene.get(key).expect("a gate");
    assert_eq!(gate.shadows(), cells, "a part that moves registers nothing anew");
    assert_eq!(gate.position.frame.origin, v(12.0, 12.0, 0.0), "statics stay where they are");
}

/// Spec: motion §7: less than a thirtieth of a second waits, more than two seconds are lost.
#[test]
fn short_times_wait_and_long_ones_are_lost() {
    let library = library(None);
    let (world, mut scene, key) = gated(&library);
    let frame = |scene: &Scene| {
        scene.get(key).and_then(Entity::actor).expect("it plays").animator.sequence().frame_number()
    };
    let pass = |scene: &mut Scene, seconds: f64| {
        scene.advance_clock(seconds).expect("a time");
        scene.update_all(&world);
        frame(scene)
    };
    assert_eq!(pass(&mut scene, 0.02), 0.0);
    assert!((pass(&mut scene, 0.02) - 1.2).abs() < 1e-6, "both together are long enough");
    assert!((pass(&mut scene, 2.5) - 1.2).abs() < 1e-6, "lost");
    assert!((pass(&mut scene, 0.1) - 4.2).abs() < 1e-6);
}

/// Spec: motion §7: the vector itself, not omega times the time.
#[test]
fn a_static_turns_by_its_omega_once_a_tick_however_long_the_tick_is() {
    let omega = 0.25;
    let library = library(Some(HookAction::SetOmega { omega: [0.0, 0.0, omega] }));
    let (world, mut scene, key) = gated(&library);
    let heading = |scene: &Scene| scene.get(key).expect("a gate").position.frame.heading();
    tick(&mut scene, &world, 2);
    assert_eq!(scene.get(key).expect("a gate").omega, v(0.0, 0.0, omega), "the hook has run");
    let mut before = heading(&scene);
    for seconds in [TICK, 0.15, TICK] {
        scene.advance_clock(seconds).expect("a time");
        scene.update_all(&world);
        let turned = (before - heading(&scene)).rem_euclid(360.0);
        assert!((turned - omega.to_degrees()).abs() < 1e-3, "{seconds}: {turned}");
        before = heading(&scene);
    }
    // The wall turns with it: edge on to who comes from the west, it lets through.
    while !(85.0..95.0).contains(&heading(&scene)) || wall_height(&scene, key) > 0.0 {
        tick(&mut scene, &world, 1);
    }
    assert!(
        scene.drain_events().any(|event| matches!(event, Event::HookRun { entity, .. } if entity == key))
    );
    let part = scene.get(key).expect("a gate").parts()[0].position.frame.rotation();
    assert_eq!(part, scene.get(key).expect("a gate").position.frame.rotation());
}

#[test]
fn a_static_that_plays_goes_on_after_a_snapshot_and_is_part_of_the_hash() {
    let library = library(Some(HookAction::SetOmega { omega: [0.0, 0.0, 0.25] }));
    let vane = library.model(VANE).expect("readable").expect("a vane");
    assert!(vane.plays_when_static);
    let (world, mut scene) = listing(vane, &library);
    tick(&mut scene, &world, 3);
    let (state, hash) = (scene.save(), scene.state_hash());
    tick(&mut scene, &world, 1);
    assert_ne!(scene.state_hash(), hash);
    assert!(Arc::ptr_eq(state.statics(), scene.save().statics()), "it is not among those that stand still");
    let mut again = Scene::new();
    again.restore(&world, &state, &library).expect("the same world");
    assert_eq!(again.state_hash(), hash);
    tick(&mut again, &world, 1);
    assert_eq!(again.state_hash(), scene.state_hash(), "it goes on");
}

#[test]
fn a_static_whose_animation_is_missing_stands_still_and_one_that_leaves_is_forgotten() {
    let empty = Library::new(Arc::new(MemorySource::new()));
    let (world, mut scene) = listing(gate(), &empty);
    assert_eq!(empty.take_problems().len(), 1, "it is reported");
    tick(&mut scene, &world, FRAMES / 2 + 1);
    assert!(!passes(&mut scene, &world));
    let (world, mut scene, _) = gated(&library(None));
    scene.follow(&world, &[StreamEvent::LandscapeUnloaded(BLOCK)]);
    assert!(scene.is_empty() && scene.playing_statics.is_empty());
}
