use super::*;
use crate::{
    random::Random,
    scene::{Attachment, EntityRole, Spawn, Viewer},
    testing::{BLOCK, at, flat, model, v, world},
};
use glam::Vec3;
use threshold_world::{World, geometry::Sphere};

const BALL: Sphere = Sphere { center: Vec3::new(0.0, 0.0, 0.5), radius: 0.4 };

/// A place of the block, by its land cell.
fn on_land(x: f32, y: f32) -> Position {
    at(BLOCK.cell((x / 24.0) as u16 * 8 + (y / 24.0) as u16 + 1), x, y, 0.0)
}

/// A field of balls, twelve metres apart.
fn field(world: &World) -> (Scene, Vec<EntityKey>) {
    let mut scene = Scene::new();
    let place = |index: u16| on_land(f32::from(index % 15) * 12.0 + 8.0, f32::from(index / 15) * 12.0 + 8.0);
    let keys = (0..225).map(|index| {
        let spawn = Spawn {
            guid: Some(0x8000_0000 + u32::from(index)),
            model: model(&[BALL], &[]),
            position: place(index),
            state: State::GRAVITY,
            scale: 1.0,
            role: EntityRole { creature: index % 3 == 0, ..EntityRole::default() },
        };
        scene.spawn(world, spawn).expect("a ball")
    });
    let keys = keys.collect();
    (scene, keys)
}

fn asleep(scene: &Scene) -> [usize; 2] {
    [Sleep::Far, Sleep::Aside]
        .map(|wanted| scene.entities().filter(|(_, entity)| entity.sleep == wanted).count())
}

/// Something that happens to a ball, wherever it is.
fn poke(scene: &mut Scene, world: &World, keys: &[EntityKey], random: &mut Random) {
    let mut any = || keys[random.below(keys.len())];
    let (key, other) = (any(), any());
    let at = scene.get(key).expect("a ball").position;
    let unused = match random.below(6) {
        0 | 1 => scene.set_velocity(key, v(random.signed() * 2.0, random.signed() * 2.0, 1.0)),
        2 => scene.set_parent(world, key, Some(other), Attachment::default()),
        3 => scene.set_parent(world, key, None, Attachment::default()),
        4 => scene.set_state(key, State::GRAVITY | State::FROZEN),
        _ => scene.set_state(key, State::GRAVITY).and_then(|()| scene.update_position(world, key, at)),
    };
    // Some may not carry each other, or are carried and cannot be put anywhere.
    drop(unused);
}

/// Runs a scene whose sleepers are passed over beside one in which every object is updated by itself, in every tick, and
/// compares them after every tick. Every twentieth tick lasts as long as one of `leaps`.
fn compare(leaps: &[f64], are_equal: impl Fn(&Scene, &Scene) -> bool) {
    let world = world(flat(0.0), vec![], vec![]);
    let (mut scene, keys) = field(&world);
    let (mut restless, _) = field(&world);
    let mut random = Random::new(18);
    let (mut slept, mut eye) = ([0, 0], (20.0, 20.0));
    for tick in 0..400_u32 {
        let seconds = if tick % 20 == 19 { leaps[random.below(leaps.len())] } else { 1.0 / 30.0 };
        eye.0 = (eye.0 + random.signed() * 6.0).clamp(1.0, 190.0);
        eye.1 = (eye.1 + random.signed() * 6.0).clamp(1.0, 190.0);
        let mut later = random.clone();
        for scene in [&mut scene, &mut restless] {
            later = random.clone();
            match tick {
                // Nobody watches for a while, and for a while nobody moves.
                200..210 => scene.set_viewers([]),
                250..300 => {}
                _ => scene.set_viewers([Viewer::Place(on_land(eye.0, eye.1))]),
            }
            scene.advance_clock(seconds).expect("a time");
            for _ in 0..tick % 3 {
                poke(scene, &world, &keys, &mut later);
            }
        }
        random = later;
        scene.update_all(&world);
        for key in restless.in_turn().collect::<Vec<_>>() {
            restless.update(&world, key).expect("it is there");
        }
        assert_eq!(asleep(&restless), [0, 0]);
        assert_eq!(scene.state_hash(), restless.state_hash(), "tick {tick}");
        assert!(are_equal(&scene, &restless), "tick {tick} of {seconds} s");
        slept = [0, 1].map(|kind| slept[kind].max(asleep(&scene)[kind]));
    }
    assert!(slept[0] > 100 && slept[1] > 5, "{slept:?}");
}

#[test]
fn sleep_changes_nothing() {
    compare(&[0.0, 0.11, 0.2, 2.5], |scene, restless| scene.save() == restless.save());
}

/// In a tick of several steps all objects make their first step before any makes its second, so that lists have another
/// order than when each is updated by itself.
#[test]
fn sleep_changes_no_time_that_is_cut_into_steps() {
    let times = |scene: &Scene| {
        let updated = |(_, entity): (_, &Entity)| scene.entities.sleepers().last_update(entity).to_bits();
        scene.entities().map(updated).collect::<Vec<u64>>()
    };
    compare(&[0.21, 0.5, 1.99], |scene, restless| times(scene) == times(restless));
}

#[test]
fn one_that_is_gone_is_not_woken() {
    let world = world(flat(0.0), vec![], vec![]);
    let (mut scene, keys) = field(&world);
    let tick = |scene: &mut Scene, x: f32| {
        scene.set_viewers([Viewer::Place(on_land(x, 8.0))]);
        scene.advance_clock(1.0 / 30.0).expect("a time");
        scene.update_all(&world);
    };
    tick(&mut scene, 8.0);
    assert_eq!(scene.get(keys[14]).expect("a ball").sleep, Sleep::Far);
    scene.despawn(&world, keys[14]).expect("a ball");
    tick(&mut scene, 176.0);
    assert!(scene.get(keys[14]).is_none());
    assert_eq!(scene.get(keys[13]).expect("a ball").sleep, Sleep::Awake);
    assert_eq!(scene.get(keys[0]).expect("a ball").sleep, Sleep::Far);
}
