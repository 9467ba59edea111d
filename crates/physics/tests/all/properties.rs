//! What changes of an object changes where it is registered, what it hits and how it moves.

use crate::support;
use glam::Vec3;
use std::sync::Arc;
use support::*;
use threshold_dat::DatId;
use threshold_physics::{
    EntityKey, EntityRole, Scene, SceneError, Spawn, State,
    scene::{MAX_ELASTICITY, PartSwap},
};
use threshold_world::model::{Mesh, Model};

const TICK: f64 = 1.0 / 30.0;
const MAIN: u32 = 0xA9B4_0101;
const ARROW: u32 = 0x0200_010C;

fn model(setting: &Setting, id: u32) -> Arc<Model> {
    setting.library.model(DatId(id)).unwrap().unwrap()
}

fn creature(setting: &mut Setting, guid: u32, y: f32) -> EntityKey {
    let role = EntityRole { creature: true, ..EntityRole::default() };
    let spawn = Spawn { role, ..object(setting, guid, CREATURE, at(MAIN, 84.0, y, 20.155), WALKER) };
    stand(setting, spawn)
}

/// How far north a player gets from the south of the room.
fn way_north(setting: &mut Setting, key: EntityKey) -> f32 {
    push_on(setting, key, [0.0, 0.1, 0.0], 25).y
}

#[test]
fn another_model_is_registered_and_hit_as_what_it_is() {
    let mut setting = setting("plains");
    // A metre east of the border to the next outdoor cell.
    let thing = spawn(&mut setting, 1, BALL, at(0xA8B4_001C, 73.0, 80.0, 24.0), State::empty());
    let key = player(&mut setting, 2, at(0xA8B4_001C, 73.0, 77.5, 24.005));
    assert_eq!(cells_of(&setting.scene, thing), [0xA8B4_001C]);
    let platform = model(&setting, PLATFORM);
    setting.scene.set_model(&setting.world, thing, &platform, &[]).unwrap();
    assert!(setting.scene.get(thing).unwrap().state.contains(State::HAS_PHYSICS_BSP));
    assert!(is_in(&setting.scene, 0xA8B4_0014, thing), "{:x?}", cells_of(&setting.scene, thing));
    assert_lists_agree(&setting);
    assert!(way_north(&mut setting, key) > 2.0, "it is low enough to be walked onto");
    let tree = model(&setting, TREE);
    setting.scene.update_position(&setting.world, key, at(0xA8B4_001C, 73.0, 77.5, 24.005)).unwrap();
    setting.scene.set_model(&setting.world, thing, &tree, &[]).unwrap();
    assert_eq!(cells_of(&setting.scene, thing), [0xA8B4_001C]);
    assert!(way_north(&mut setting, key) < 1.6, "a tree is not");
}

#[test]
fn a_swapped_part_is_hit_as_its_mesh_is() {
    let mut setting = setting("cottage");
    let start = at(MAIN, 84.0, 82.3, 20.155);
    let crate_ = spawn(&mut setting, 1, CRATE, at(MAIN, 84.0, 84.0, 20.155), CLOSED);
    let key = player(&mut setting, 2, start);
    let (base, ball) = (model(&setting, CRATE), model(&setting, BALL));
    let mesh = ball.parts[0].mesh.clone().unwrap();
    assert!(mesh.physics.is_none());
    let swap = |part| [PartSwap { part, mesh: mesh.clone() }];
    let missing = setting.scene.set_model(&setting.world, crate_, &base, &swap(base.parts.len()));
    assert_eq!(missing, Err(SceneError::NoSuchPart(base.parts.len())));
    setting.scene.set_model(&setting.world, crate_, &base, &swap(0)).unwrap();
    assert!(way_north(&mut setting, key) > 1.6, "nothing to be hit is left of it");
    setting.scene.update_position(&setting.world, key, start).unwrap();
    setting.scene.set_model(&setting.world, crate_, &base, &[]).unwrap();
    assert!(way_north(&mut setting, key) < 1.6, "it is whole again");
}

/// As when somebody dresses: the model stays, and what is shown in its parts is what is hit.
#[test]
fn what_is_shown_in_a_part_is_hit() {
    let reaches = |shown: Option<u32>| {
        let mut setting = setting("cottage");
        let crate_ = spawn(&mut setting, 1, CRATE, at(MAIN, 84.0, 84.0, 20.155), CLOSED);
        let key = player(&mut setting, 2, at(MAIN, 84.0, 82.3, 20.155));
        let mesh = shown.map(|id| model(&setting, id).parts[0].mesh.clone().unwrap());
        let swaps: Vec<PartSwap> = mesh.into_iter().map(|mesh| PartSwap { part: 0, mesh }).collect();
        setting.scene.swap_parts(crate_, &swaps).unwrap();
        way_north(&mut setting, key)
    };
    assert!(reaches(None) < 1.6 && reaches(Some(BALL)) > 1.6, "{} {}", reaches(None), reaches(Some(BALL)));
}

#[test]
fn a_swapped_part_is_saved_by_its_id() {
    let mut setting = setting("cottage");
    let crate_ = spawn(&mut setting, 1, CRATE, at(MAIN, 84.0, 84.0, 20.155), CLOSED);
    let (base, door) = (model(&setting, CRATE), model(&setting, DOOR));
    let solid = |mesh: &Arc<Mesh>| mesh.physics.is_some();
    let mesh = door.parts.iter().filter_map(|part| part.mesh.clone()).find(solid).unwrap();
    let swap = PartSwap { part: 0, mesh: mesh.clone() };
    setting.scene.set_model(&setting.world, crate_, &base, &[swap]).unwrap();
    let mut other = Scene::new();
    other.restore(&setting.world, &setting.scene.save(), &setting.library).unwrap();
    let restored = other.get(crate_).unwrap();
    assert_eq!((restored.model.id, restored.parts()[0].mesh.id), (base.id, mesh.id));
}

#[test]
fn what_grows_stops_others_sooner() {
    let reaches = |scale: f32| {
        let mut setting = setting("cottage");
        let tree = spawn(&mut setting, 1, TREE, at(MAIN, 84.0, 84.5, 20.155), State::empty());
        let key = player(&mut setting, 2, at(MAIN, 84.0, 82.3, 20.155));
        setting.scene.set_scale(&setting.world, tree, scale).unwrap();
        assert_lists_agree(&setting);
        way_north(&mut setting, key)
    };
    let (far, near) = (reaches(0.5), reaches(1.5));
    assert!(far > 1.0 && near + 0.3 < far, "{near} {far}");
}

#[test]
fn killers_bump_into_each_other_and_others_pass() {
    let mut setting = setting("cottage");
    let other = player(&mut setting, 1, at(MAIN, 84.0, 83.5, 20.155));
    let key = player(&mut setting, 2, at(MAIN, 84.0, 82.3, 20.155));
    assert!(way_north(&mut setting, key) > 2.0, "players pass each other");
    setting.scene.update_position(&setting.world, key, at(MAIN, 84.0, 82.3, 20.155)).unwrap();
    for fighter in [key, other] {
        let role = EntityRole { pk: true, ..setting.scene.get(fighter).unwrap().role };
        setting.scene.set_role(fighter, role).unwrap();
    }
    assert!(way_north(&mut setting, key) < 1.0, "they fight");
}

#[test]
fn friction_decides_how_far_something_slides() {
    let slide = |friction: f32| {
        let mut setting = setting("plains");
        let flat = point("plains", "flat");
        let spawn = object(&setting, 1, CREATURE, flat, WALKER);
        let key = stand(&mut setting, spawn);
        setting.scene.set_friction(key, friction).unwrap();
        setting.scene.set_velocity(key, Vec3::new(0.0, 10.0, 0.0)).unwrap();
        for _ in 0..30 {
            tick(&mut setting, key, TICK);
        }
        let entity = setting.scene.get(key).unwrap();
        (flat.offset_to(&entity.position).y, entity.friction)
    };
    let (rough, smooth) = (slide(0.95).0, slide(0.2).0);
    assert!(rough > 0.5 && smooth > rough + 2.0, "{rough} {smooth}");
    assert_eq!((slide(7.0).1, slide(-1.0).1), (1.0, 0.0));
}

#[test]
fn elasticity_decides_how_high_something_bounces_and_is_clamped() {
    let bounce = |elasticity: f32| {
        let mut setting = setting("plains");
        let key =
            spawn(&mut setting, 1, BALL, moved(&point("plains", "flat"), [0.0, 0.0, 3.0]), State::GRAVITY);
        setting.scene.set_elasticity(key, elasticity).unwrap();
        setting.scene.set_velocity(key, Vec3::new(0.0, 0.0, -20.0)).unwrap();
        let mut up = 0.0f32;
        for _ in 0..20 {
            tick(&mut setting, key, TICK);
            up = up.max(setting.scene.get(key).unwrap().velocity.z);
        }
        (up, setting.scene.get(key).unwrap().elasticity)
    };
    let (dead, lively, most) = (bounce(0.0), bounce(0.1), bounce(5.0));
    assert!(dead.0 < 0.1 && lively.0 > 1.0, "{dead:?} {lively:?}");
    assert_eq!(most, lively);
    assert_eq!((most.1, bounce(-3.0).1), (MAX_ELASTICITY, 0.0));
}

#[test]
fn omega_turns_what_flies() {
    let mut setting = setting("plains");
    let high = moved(&point("plains", "flat"), [0.0, 0.0, 50.0]);
    let key = spawn(&mut setting, 1, BALL, high, State::GRAVITY);
    setting.scene.set_omega(key, Vec3::new(0.0, 0.0, -std::f32::consts::FRAC_PI_2)).unwrap();
    for _ in 0..30 {
        tick(&mut setting, key, TICK);
    }
    let heading = setting.scene.get(key).unwrap().position.frame.heading();
    assert!((heading - 90.0).abs() < 0.1, "a quarter turn to the right: {heading}");
}

#[test]
fn an_arrow_passes_creatures_that_it_is_not_aimed_at() {
    let shoot = |aim: Option<u32>| {
        let mut setting = setting("cottage");
        let near = creature(&mut setting, 10, 83.0);
        let far = creature(&mut setting, 11, 85.0);
        let arrow = spawn(&mut setting, 1, ARROW, at(MAIN, 84.0, 81.8, 20.9), State::MISSILE);
        let target = aim.map(|guid| setting.scene.key_of(guid).unwrap());
        setting.scene.set_target(arrow, target).unwrap();
        setting.scene.set_velocity(arrow, Vec3::new(0.0, 20.0, 0.0)).unwrap();
        let mut hit = Vec::new();
        for _ in 0..6 {
            setting.scene.advance_clock(TICK).unwrap();
            let seen =
                &mut |step: &threshold_physics::scene::SweptStep<'_>| hit.extend_from_slice(step.touched);
            setting.scene.update_watched(&setting.world, arrow, seen).unwrap();
        }
        hit.first().map(|key| [(near, "near"), (far, "far")].into_iter().find(|(k, _)| k == key).unwrap().1)
    };
    assert_eq!(shoot(None), Some("near"));
    assert_eq!(shoot(Some(10)), Some("near"));
    assert_eq!(shoot(Some(11)), Some("far"));
}

#[test]
fn values_that_mean_nothing_are_refused() {
    let mut setting = setting("plains");
    let key = spawn(&mut setting, 1, BALL, point("plains", "flat"), State::empty());
    let scene = &mut setting.scene;
    assert_eq!(scene.set_friction(key, f32::NAN), Err(SceneError::NotFinite("friction")));
    assert_eq!(scene.set_elasticity(key, f32::NAN), Err(SceneError::NotFinite("elasticity")));
    assert_eq!(scene.set_omega(key, Vec3::INFINITY), Err(SceneError::NotFinite("omega")));
    assert_eq!(scene.set_target(key, Some(EntityKey::default())), Err(SceneError::NoSuchEntity));
    assert_eq!(scene.set_role(EntityKey::default(), EntityRole::default()), Err(SceneError::NoSuchEntity));
}
