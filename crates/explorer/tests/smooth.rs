//! What is drawn of things that move: their own poses, and no jumps from picture to picture.

mod common;

use common::{data, place};
use threshold_sim::{
    EntityKey, PLAYER_SETUP, Position, Simulation, SimulationView,
    update::{GameObject, ObjectDescription, PositionUpdate, Update},
};
use threshold_world::{Frame, model::ModelMotion};

const GUID: u32 = 0x8000_0001;
/// Pictures a second.
const PICTURES: u32 = 60;
/// Metres a second that the remote creature runs.
const SPEED: f32 = 4.0;

fn drawn(view: &SimulationView, key: EntityKey) -> Position {
    let stage = &view.studio.stage;
    stage.object(stage.object_of(key.id()).expect("it is on the stage")).expect("it is on the stage").position
}

fn sim() -> (Simulation, SimulationView, EntityKey) {
    let builder = Simulation::builder().library(data().library.clone()).draw_between_ticks();
    let mut sim = builder.placed(data().entities.values().cloned()).build().unwrap();
    let me = sim.spawn_player(place("Village Street")).unwrap();
    let view = SimulationView::new(&sim);
    (sim, view, me)
}

/// Where the creature is after some seconds: on its way along the street, around a corner, and on.
fn course(seconds: f32) -> Position {
    let mut at = place("Village Street");
    let way = SPEED * seconds;
    at.frame.origin.x += 4.0 + way.min(12.0);
    at.frame.origin.y += 3.0 - (way - 12.0).clamp(0.0, 6.0);
    at
}

/// The largest step from picture to picture, and how far it was from where it should be at worst.
fn run(updates_per_second: u32) -> (f32, f32) {
    let (mut sim, mut view, _) = sim();
    let ModelMotion::Table(table) = data().library.model(PLAYER_SETUP).unwrap().unwrap().motion else {
        panic!("people have motions")
    };
    let object = ObjectDescription {
        guid: GUID,
        game: GameObject { name: "Drudge".into(), item_type: 0x10, ..GameObject::default() },
        state: 0x408,
        setup: Some(PLAYER_SETUP),
        motion_table: Some(table),
        position: Some(course(0.0)),
        ..ObjectDescription::default()
    };
    sim.apply(&Update::Create(Box::new(object))).unwrap();
    let key = sim.find(GUID).unwrap();
    // It lands, and is seen once.
    sim.advance(0.5).unwrap();
    view.follow(&sim);
    let (mut largest, mut farthest) = (0.0_f32, 0.0_f32);
    let mut before = drawn(&view, key);
    for picture in 0..4 * PICTURES {
        if picture % (PICTURES / updates_per_second) == 0 {
            let stamp = 1 + (picture / (PICTURES / updates_per_second)) as u16;
            let update = PositionUpdate {
                guid: GUID,
                position: course(picture as f32 / PICTURES as f32),
                contact: true,
                placement: 0,
                instance: 0,
                position_stamp: stamp,
                teleport: 0,
                force_position: 0,
            };
            sim.apply(&Update::Position(update)).unwrap();
        }
        sim.advance(1.0 / f64::from(PICTURES)).unwrap();
        view.follow(&sim);
        let now = drawn(&view, key);
        largest = largest.max(before.distance_to(&now));
        farthest = farthest.max(course(picture as f32 / PICTURES as f32).offset_to(&now).truncate().length());
        before = now;
    }
    let end = course(4.0).offset_to(&drawn(&view, key)).truncate().length();
    assert!(end < 0.2, "it has arrived: {end} m");
    (largest, farthest)
}

#[test]
fn a_creature_that_is_told_of_five_times_a_second_moves_smoothly() {
    let (largest, farthest) = run(5);
    // It catches up at twice its top speed of 4 m/s, in steps of a sixtieth of a second. Jumps would be of 0.8 m.
    let most = 2.0 * SPEED / PICTURES as f32;
    assert!(largest < most + 0.01, "a step of {largest} m from one picture to the next; {most} m are smooth");
    assert!(largest > 0.5 * most, "it moves: {largest} m");
    assert!(farthest < 1.7, "{farthest} m behind: two updates and the time of a tick or two");
}

#[test]
fn what_is_drawn_of_a_door_is_where_its_leaf_is_met() {
    let (mut sim, mut view, me) = sim();
    sim.teleport(me, place("Cottage Door")).unwrap();
    let door = sim.find_by_name("Cottage Door").unwrap();
    sim.tick().unwrap();
    sim.use_object(door).unwrap();
    let mut angles = Vec::new();
    while sim.is_swinging(door) {
        sim.tick().unwrap();
        view.follow(&sim);
        let stage = &view.studio.stage;
        let id = stage.object_of(door.id()).unwrap();
        for (part, met) in sim.entity(door).unwrap().parts().iter().enumerate() {
            let Frame { origin, .. } = stage.part(id, part as u16).unwrap().frame;
            assert!((origin - met.position.frame.origin).length() < 1e-4, "part {part}");
        }
        let leaf = stage.part(id, 1).unwrap().frame;
        assert_eq!(leaf.rotation(), sim.entity(door).unwrap().parts()[1].position.frame.rotation());
        angles.push(leaf.heading());
    }
    angles.dedup();
    assert_eq!(angles.len(), 13, "one pose after the other: {angles:?}");
}

#[test]
fn a_watchman_is_drawn_between_ticks_with_the_legs_of_his_walk() {
    let (mut sim, mut view, _) = sim();
    let watchman = sim.find_by_name("Watchman").unwrap();
    sim.advance(3.0).unwrap();
    view.follow(&sim);
    let mut before = drawn(&view, watchman);
    let (mut largest, mut legs) = (0.0_f32, Vec::new());
    for _ in 0..PICTURES {
        sim.advance(1.0 / f64::from(PICTURES)).unwrap();
        view.follow(&sim);
        let now = drawn(&view, watchman);
        largest = largest.max(before.distance_to(&now));
        before = now;
        let stage = &view.studio.stage;
        let id = stage.object_of(watchman.id()).unwrap();
        let leg = stage.part(id, 4).unwrap().frame.rotate(glam::Vec3::Z);
        legs.push((leg.z * 1000.0).round() as i32);
    }
    assert!(largest > 0.03 && largest < 3.12 / PICTURES as f32 * 1.3, "{largest} m");
    let (low, high) = (legs.iter().min().unwrap(), legs.iter().max().unwrap());
    assert!(high - low > 40, "legs swing: {low} to {high}");
}
