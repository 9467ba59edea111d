//! A pilot that walks a session by keys and mouse, and remembers what it pressed.
#![allow(dead_code, unreachable_pub, reason = "not every test uses all of it")]

#[cfg(feature = "window")]
pub mod display;

use std::sync::{Arc, LazyLock};
use threshold_explorer::{
    data::Data,
    session::{Options, Session},
};
use threshold_sim::{Controls, TICK};
use threshold_world::{Position, loc::Place as Spot, stream::StreamConfig};

/// The sample world, built once per test program.
pub fn data() -> Arc<Data> {
    static DATA: LazyLock<Arc<Data>> = LazyLock::new(|| Arc::new(Data::sample().expect("the sample world")));
    DATA.clone()
}

/// A player at a named place.
pub fn session_at(place: &str) -> Session {
    let spot = data().find(place).expect("a known place");
    Session::new(data(), Some(spot), options()).expect("a session")
}

/// A smaller window than usual: the test machine has better things to do.
pub fn options() -> Options {
    Options { stream: StreamConfig::default().radius(3), ..Options::default() }
}

pub fn place(name: &str) -> Position {
    match data().find(name).expect("a known place") {
        Spot::Exact(position) => position,
        Spot::Map { .. } => panic!("a named place is exact"),
    }
}

pub fn beside(name: &str, east: f32, north: f32) -> Position {
    let mut position = place(name);
    position.frame.origin += glam::Vec3::new(east, north, 0.0);
    position
}

/// What was pressed in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Press {
    pub turn: f32,
    pub controls: Controls,
    /// The door ahead was used before the tick.
    pub used: bool,
}

/// Walks a session and remembers how.
pub struct Pilot {
    pub session: Session,
    pub presses: Vec<Press>,
    used: bool,
}

impl Pilot {
    pub fn new(session: Session) -> Pilot {
        Pilot { session, presses: Vec::new(), used: false }
    }

    pub fn tick(&mut self, turn: f32, controls: Controls) {
        let used = std::mem::take(&mut self.used);
        self.presses.push(Press { turn, controls, used });
        self.session.control(controls);
        self.session.look(turn, 0.0);
        self.session.tick().expect("a tick");
    }

    pub fn wait(&mut self, ticks: usize) {
        (0..ticks).for_each(|_| self.tick(0.0, Controls::default()));
    }

    /// Uses the door ahead.
    pub fn use_door(&mut self) {
        let door = self.session.door_ahead().expect("a door within reach");
        self.session.use_entity(door).expect("a door opens");
        self.used = true;
    }

    /// Walks straight to a place, by turning with the mouse and holding two keys. True when it got there.
    pub fn walk_to(&mut self, target: &Position) -> bool {
        let walk = Controls { forward: true, toggle_run: true, ..Controls::default() };
        let mut stuck = 0;
        let mut nearest = f32::INFINITY;
        while stuck < 30 {
            let from = self.session.position();
            let way = from.offset_to(target);
            let left = way.truncate().length();
            if left < 0.11 {
                return true;
            }
            stuck = if left < nearest - 0.005 { 0 } else { stuck + 1 };
            nearest = nearest.min(left);
            let bearing = way.x.atan2(way.y).to_degrees();
            let turn = (bearing - from.frame.heading() + 540.0).rem_euclid(360.0) - 180.0;
            self.tick(turn.clamp(-6.0, 6.0), if turn.abs() < 10.0 { walk } else { Controls::default() });
        }
        false
    }
}

/// The walk of the explorer's proof: from the street through the opened door into the cellar and back.
pub fn to_the_cellar_and_back(pilot: &mut Pilot) -> Vec<(&'static str, usize)> {
    let mut stops = Vec::new();
    let go = |pilot: &mut Pilot, target: Position| {
        assert!(pilot.walk_to(&target), "stuck at {} on the way to {target}", pilot.session.position());
    };
    stops.push(("street", pilot.presses.len()));
    go(pilot, place("Cottage Door"));
    // The closed door holds.
    assert!(!pilot.walk_to(&place("Cottage Vestibule")), "walked through a closed door");
    assert!(pilot.session.position().cell.is_outdoor());
    go(pilot, beside("Cottage Door", 0.0, 0.0));
    pilot.tick(0.0, Controls::default());
    let towards = place("Cottage Vestibule");
    face(pilot, &towards);
    stops.push(("closed", pilot.presses.len()));
    pilot.use_door();
    pilot.wait(30);
    stops.push(("open", pilot.presses.len()));
    go(pilot, towards);
    stops.push(("vestibule", pilot.presses.len()));
    go(pilot, place("Cottage Living Room"));
    stops.push(("living", pilot.presses.len()));
    let stairs = "Cottage Cellar Stairs";
    // Through the middle of the cellar's doorway.
    let inside = beside(stairs, 2.0, 0.0);
    for target in
        [beside(stairs, 1.9, -4.6), beside(stairs, 0.0, -4.6), place(stairs), inside, place("Cottage Cellar")]
    {
        go(pilot, target);
    }
    pilot.wait(3);
    stops.push(("cellar", pilot.presses.len()));
    for target in [inside, place(stairs), beside(stairs, 0.0, -4.6), beside(stairs, 1.9, -4.6)] {
        go(pilot, target);
    }
    go(pilot, place("Cottage Living Room"));
    go(pilot, place("Cottage Vestibule"));
    go(pilot, place("Cottage Door"));
    go(pilot, place("Village Street"));
    pilot.wait(3);
    stops.push(("back", pilot.presses.len()));
    stops
}

/// Turns on the spot until a place lies ahead.
pub fn face(pilot: &mut Pilot, target: &Position) {
    for _ in 0..100 {
        let from = pilot.session.position();
        let way = from.offset_to(target);
        let bearing = way.x.atan2(way.y).to_degrees();
        let turn = (bearing - from.frame.heading() + 540.0).rem_euclid(360.0) - 180.0;
        if turn.abs() < 0.5 {
            return;
        }
        pilot.tick(turn.clamp(-6.0, 6.0), Controls::default());
    }
}

/// Seconds of a number of ticks.
pub fn seconds(ticks: usize) -> f64 {
    ticks as f64 * TICK
}

/// The presses as a script for the explorer; `at` adds lines at ticks, such as pictures.
pub fn script(presses: &[Press], at: &[(usize, String)]) -> String {
    let mut text = String::new();
    let mut held = [false; 2];
    for (tick, press) in presses.iter().chain([&Press::default()]).enumerate() {
        let time = seconds(tick);
        for (_, line) in at.iter().filter(|(when, _)| *when == tick) {
            text += &format!("{time} {line}\n");
        }
        if press.used {
            text += &format!("{time} tap use\n");
        }
        if press.turn != 0.0 {
            text += &format!("{time} look {} 0\n", press.turn);
        }
        let wanted = [press.controls.forward, press.controls.toggle_run];
        for (i, name) in ["forward", "walk"].iter().enumerate() {
            if held[i] != wanted[i] {
                text += &format!("{time} {} {name}\n", if wanted[i] { "down" } else { "up" });
            }
        }
        held = wanted;
    }
    text + &format!("{} quit\n", seconds(presses.len() + 1))
}
