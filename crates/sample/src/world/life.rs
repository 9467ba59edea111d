//! Objects with habits: a watchman on a round, a dart thrower, a boar that chases people.

use super::{
    LIVING, Roll, SOLID_MESH, SOLID_THING, THROWN, people::LEFT_HAND, people::RIGHT_HAND, village::Stock,
};
use crate::builder::WorldBuilder;
use glam::{DVec2, DVec3};
use threshold_world::{
    Frame, Position,
    placed::{Chase, Habits, Hold, ObjectKind, PlaceKind, Throw},
};

/// Where the right hand of a person is that faces north.
const HAND: DVec3 = DVec3::new(0.29, 0.04, 0.81);

pub(super) fn build(world: &WorldBuilder, stock: &Stock<'_>, roll: &mut Roll) {
    watchman(world, stock, roll);
    practice_ground(world, stock, roll);
    boar(world, stock, roll);
}

fn on_ground(world: &WorldBuilder, x: f64, y: f64, heading: f64) -> Position {
    world.outdoors(DVec2::new(x, y), 0.005, heading)
}

fn in_hand(holder: &Position) -> Position {
    Position::new(holder.cell, holder.frame.compose(&Frame::at(HAND.as_vec3())))
}

/// Walks up and down the street with a torch, taken into the other hand from time to time.
fn watchman(world: &WorldBuilder, stock: &Stock<'_>, roll: &mut Roll) {
    let start = on_ground(world, 98.0, 92.5, 90.0);
    roll.entity(ObjectKind::Other, "Watchman's Torch", stock.props.hand_torch, in_hand(&start), SOLID_THING);
    let torch = roll.last_id();
    roll.entity(ObjectKind::Person, "Watchman", stock.people.villager, start, LIVING);
    let patrol = [(114.0, 92.5), (146.0, 93.5), (130.0, 91.5), (98.0, 92.5)];
    roll.habits(Habits {
        patrol: patrol.map(|(x, y)| on_ground(world, x, y, 0.0)).to_vec(),
        holds: Some(Hold { object: torch, hands: vec![RIGHT_HAND as u32, LEFT_HAND as u32], every: 6.0 }),
        ..Habits::default()
    });
    roll.place("Watchman's Round", PlaceKind::Outdoors, on_ground(world, 104.0, 87.5, 0.0));
}

/// Somebody throws a dart at a target, over and over.
fn practice_ground(world: &WorldBuilder, stock: &Stock<'_>, roll: &mut Roll) {
    let target = world.outdoors(DVec2::new(108.0, 80.0), 0.0, 0.0);
    roll.entity(ObjectKind::Other, "Target", stock.props.target, target, SOLID_MESH);
    let target = roll.last_id();
    let start = on_ground(world, 108.0, 70.0, 0.0);
    roll.entity(ObjectKind::Other, "Dart", stock.props.dart, in_hand(&start), THROWN);
    let missile = roll.last_id();
    roll.entity(ObjectKind::Person, "Dart Thrower", stock.people.villager, start, LIVING);
    let hand = RIGHT_HAND as u32;
    roll.habits(Habits {
        throws: Some(Throw { missile, target, hand, speed: 12.0, every: 6.0 }),
        ..Habits::default()
    });
    roll.place("Practice Ground", PlaceKind::Outdoors, on_ground(world, 104.5, 66.0, 20.0));
}

/// Cross with everybody who comes near.
fn boar(world: &WorldBuilder, stock: &Stock<'_>, roll: &mut Roll) {
    let place = on_ground(world, 122.0, 44.0, 300.0);
    roll.entity(ObjectKind::Creature, "Angry Boar", stock.people.boar, place, LIVING);
    roll.habits(Habits { chases: Some(Chase { radius: 14.0, gives_up: 24.0 }), ..Habits::default() });
    roll.place("Boar Meadow", PlaceKind::Outdoors, on_ground(world, 112.0, 52.0, 130.0));
}
