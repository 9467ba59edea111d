//! Worked examples 26 and 27 of the specification (entities §11), and what attaching does besides.

use super::*;
use crate::{
    flags::Transient,
    scene::{EntityRole, Event, PlaceOptions, Spawn},
    testing::{LAND, assert_near, at, flat, model, v, world},
};
use glam::Vec3;
use std::sync::Arc;
use threshold_world::{
    CellId, Frame, Position, Quat,
    geometry::Sphere,
    model::{Model, ModelPart},
};

const HAND: u32 = 1;
const BACK: u32 = 2;

/// A body with a hand on its only part, at (0.2, 0, 1), and a place on its back.
fn body() -> Arc<Model> {
    let sphere = Sphere { center: v(0.0, 0.0, 0.5), radius: 0.5 };
    let mut body = model(&[sphere], &[]);
    let part = ModelPart { mesh: None, frame: Frame::at(v(0.2, 0.0, 1.0)), scale: Vec3::ONE };
    let frame = Frame::at(v(0.1, 0.2, 0.3));
    let body_mut = Arc::make_mut(&mut body);
    body_mut.parts = Box::new([part]);
    body_mut.holdings = Box::new([
        Holding { location: HAND, part: 0, frame },
        Holding { location: BACK, part: u32::MAX as usize, frame },
    ]);
    body
}

fn spawn(scene: &mut Scene, world: &World, guid: u32, scale: f32, position: Position) -> EntityKey {
    let (state, role) = (State::REPORT_COLLISIONS | State::GRAVITY, EntityRole::default());
    let spawn = Spawn { guid: Some(guid), model: body(), position, state, scale, role };
    scene.spawn(world, spawn).expect("a body")
}

fn facing_east(x: f32, y: f32) -> Position {
    Position::new(LAND, Frame::new(v(x, y, 0.0), Quat::from_heading(90.0)))
}

fn origin(scene: &Scene, key: EntityKey) -> Vec3 {
    scene.get(key).expect("it is there").position.frame.origin
}

#[test]
fn examples_26_and_27_where_held_things_are() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let parent = spawn(&mut scene, &world, 1, 1.5, facing_east(10.0, 20.0));
    let child = spawn(&mut scene, &world, 2, 1.0, at(LAND, 3.0, 3.0, 0.0));
    for (location, expected) in [(HAND, v(10.2, 19.6, 1.8)), (BACK, v(10.2, 19.9, 0.3))] {
        assert_eq!(scene.hold(&world, child, parent, location), Ok(true));
        assert_near(origin(&scene, child), expected);
        assert_eq!(scene.get(parent).expect("a parent").children(), [child], "once");
    }
    let before = scene.get(child).expect("a child").attachment().to_owned();
    assert_eq!(scene.hold(&world, child, parent, 3), Ok(false), "no such place");
    assert_eq!(scene.hold(&world, child, child, HAND), Ok(false), "not itself");
    assert_eq!(scene.get(child).expect("a child").attachment(), &before);
    // It follows its parent.
    scene.update_position(&world, parent, facing_east(12.0, 20.0)).expect("a place");
    assert_near(origin(&scene, child), v(12.2, 19.9, 0.3));
}

#[test]
fn what_is_taken_into_a_hand_leaves_the_ground_and_its_contacts() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let parent = spawn(&mut scene, &world, 1, 1.0, facing_east(10.0, 20.0));
    let child = spawn(&mut scene, &world, 2, 1.0, at(LAND, 3.0, 3.0, 0.0));
    let other = spawn(&mut scene, &world, 3, 1.0, at(LAND, 6.0, 3.0, 0.0));
    scene.place(&world, child, &at(LAND, 3.0, 3.0, 0.0), PlaceOptions::default()).expect("room");
    assert!(scene.get(child).expect("a child").has(Transient::ON_WALKABLE));
    scene.track(child, other, Transient::empty());
    scene.drain_events();
    scene.hold(&world, child, parent, HAND).expect("a hand");
    let held = scene.get(child).expect("a child");
    assert_eq!((held.transient, held.parent, held.cell), (Transient::empty(), Some(parent), Some(LAND)));
    let told: Vec<Event> = scene.drain_events().collect();
    assert!(told.contains(&Event::CollisionEnded { entity: child, other }), "{told:?}");
    assert!(told.contains(&Event::LeftGround(child)), "{told:?}");
    // Let off, it stays where it was held, in the lists it is in.
    scene.set_parent(&world, child, None, Attachment::default()).expect("it is there");
    let free = scene.get(child).expect("a child");
    assert_eq!((free.parent, free.cell, free.transient), (None, Some(LAND), Transient::empty()));
    assert!(scene.shadows_in(LAND).contains(&child));
}

#[test]
fn what_is_picked_up_is_nowhere_and_comes_back_when_it_is_dropped() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let key = spawn(&mut scene, &world, 1, 1.0, at(LAND, 3.0, 3.0, 0.0));
    let carried = spawn(&mut scene, &world, 2, 1.0, at(LAND, 9.0, 3.0, 0.0));
    scene.hold(&world, carried, key, BACK).expect("a place");
    scene.leave_world(key).expect("it is there");
    for key in [key, carried] {
        let gone = scene.get(key).expect("it lives on");
        assert_eq!((gone.cell, gone.position.cell), (None, CellId::NONE));
        assert!(gone.shadows().is_empty() && scene.shadow_lists().all(|(_, list)| !list.contains(&key)));
    }
    assert_eq!(scene.waiting(), 0, "it waits for no cell");
    scene.place(&world, key, &at(LAND, 5.0, 5.0, 0.0), PlaceOptions::default()).expect("room");
    assert_eq!(scene.get(key).expect("it is back").cell, Some(LAND));
    assert_eq!(scene.get(carried).expect("and what it carries").cell, Some(LAND));
    assert!(scene.shadows_in(LAND).contains(&carried));
}

#[test]
fn what_a_hidden_object_holds_is_not_drawn() {
    let (world, mut scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let parent = spawn(&mut scene, &world, 1, 1.0, at(LAND, 3.0, 3.0, 0.0));
    let child = spawn(&mut scene, &world, 2, 1.0, at(LAND, 9.0, 3.0, 0.0));
    let drawn = |scene: &Scene| !scene.get(child).expect("a child").state.contains(State::NO_DRAW);
    scene.hold(&world, child, parent, HAND).expect("a hand");
    scene.set_state(parent, State::HIDDEN).expect("a state");
    assert!(!drawn(&scene));
    scene.set_parent(&world, child, None, Attachment::default()).expect("it is there");
    assert!(drawn(&scene), "let off");
    scene.hold(&world, child, parent, HAND).expect("a hand");
    assert!(!drawn(&scene), "taken again");
    scene.set_state(parent, State::empty()).expect("a state");
    assert!(drawn(&scene));
}
